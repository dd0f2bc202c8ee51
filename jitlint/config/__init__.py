"""What is in force for a file: the table of keys, the files they come from, and the settings that result."""
