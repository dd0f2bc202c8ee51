"""The fused wrapper: its symbol, its header and its body."""
