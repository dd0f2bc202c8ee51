"""What can be tidied without fusing: duplicate wrappers, and wrappers that nothing names."""
