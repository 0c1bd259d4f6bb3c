"""Ratings of puzzles: on the scale of Sudoku Explainer, by the step engine, and by the book's classes."""
