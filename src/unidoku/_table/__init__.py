"""Columns of values, puzzles in memory, batches of records, rows and results."""
