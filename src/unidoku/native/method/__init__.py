"""The engine of the numerical-analysis method."""
