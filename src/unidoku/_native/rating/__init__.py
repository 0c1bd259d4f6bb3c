"""Ratings on the scale of Sudoku Explainer, and their steps; one module per instruction set."""
