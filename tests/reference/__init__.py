"""What fusing means, written as plainly as can be and as slowly as need be: the measure for the real thing."""
