"""What the buffers of a group hold, and what a call says about them: slots, aliases, layouts."""
