"""Same input, same output: no input or output, no clock, no chance."""
