"""Measure puzzles per second on this machine: every kernel, and the textbook backtracker.

Compare only rows of the same report, because other load on the machine differs from run to run.
"""

from unidoku.tasks.speed import BenchmarkReport, Comparison, Row, run

__all__ = ["BenchmarkReport", "Comparison", "Row", "run"]
