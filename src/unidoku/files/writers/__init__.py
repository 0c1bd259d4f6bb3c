"""Formatters of puzzles: one module a format. `unidoku.pipeline.arrowsink` writes Parquet and Arrow."""
