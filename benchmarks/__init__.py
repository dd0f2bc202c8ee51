"""What jitlint's speed is measured with; `python -m benchmarks` is the one command."""
