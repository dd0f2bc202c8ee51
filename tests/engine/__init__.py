"""The real engine as a judge: what needs the `engine` extra."""
