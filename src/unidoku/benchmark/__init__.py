"""Measure this machine: puzzles per second of every kernel, and of other solvers that are installed.

`run` is behind ``unidoku bench``.  Compare the rows of one report, not rows of two: other load on the machine
differs from run to run.
"""

from unidoku.benchmark.measure import Report, Row, run

__all__ = ["Report", "Row", "run"]
