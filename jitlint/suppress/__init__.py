"""What is not to be reported: suppressions in comments, and a baseline of known findings."""
