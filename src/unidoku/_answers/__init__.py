"""Answers of people, programs and models: which column has them, what a value says, which grid is in it."""
