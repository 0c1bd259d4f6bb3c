"""Ratings on the scale of Sudoku Explainer, and the steps behind them; one module per instruction set."""
