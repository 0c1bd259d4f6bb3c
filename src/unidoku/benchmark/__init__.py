"""Measure puzzles per second on this machine: every kernel, and other installed solvers.

`run` implements ``unidoku bench``.  Compare only rows of the same report, because other load on the machine
differs from run to run.
"""

from unidoku.benchmark.comparison import Comparison
from unidoku.benchmark.measure import BenchmarkReport, Row, run

__all__ = ["BenchmarkReport", "Comparison", "Row", "run"]
