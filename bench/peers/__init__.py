"""Adapters for the solvers in the benchmarks.

``load()`` of an adapter returns a `Solver`, or raises `Absent` with the reason; absent solvers are skipped by
name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from puzzle_sets import fits


class Absent(Exception):
    """A solver is not installed or cannot be compared; the message gives the reason."""


@dataclass(frozen=True)
class Solver:
    """A solver: ``prepare(lines, limit=2)`` returns the work to time and a function for its answers.

    The work takes no arguments and counts the solutions of all lines up to the limit; `answers` gives the
    solution lines of the last run, or numbers of solutions if `is_right` accepts these, and `guesses` their
    number over all puzzles if the solver reports it.
    """

    name: str
    prepare: Callable[..., Work]
    most: int | None = None  # largest number of puzzles that does not take minutes
    is_right: Callable[[str, str], bool] = fits  # of a puzzle and its answer


@dataclass(frozen=True)
class Work:
    run: Callable[[], object]
    answers: Callable[[], list[str]]
    guesses: Callable[[], int | None] = lambda: None
    seconds: Callable[[], float] | None = None  # of the last run, where another process does the work


PACKAGES = ("py-sudoku", "sudokutools", "dokusan")
"""Those that can take minutes for a puzzle, see `peers.packages.puzzles_per_second`."""

NAMES = (
    "kernel_avx512",
    "kernel_avx2",
    "kernel_base",
    "tdoku",
    "tdoku_avx2",
    "rust-sudoku",
    "schoku",
    "naive",
    *PACKAGES,
    "pencilmark",
)


def load(name: str) -> Solver:
    """Return the solver with a name.

    Raises
    ------
    Absent
        It is not installed.
    """
    if name == "naive" or name in PACKAGES:
        from peers.packages import load as load_package

        return load_package(name)
    module, _, isa = name.partition("_")
    module = module.replace("-", "_")
    adapter = import_module(f"peers.{module}" if module != "kernel" else "peers.lanes")
    return adapter.load(isa) if isa else adapter.load()


def one_by_one(solve: Callable[[str], str]) -> Callable[..., Work]:
    """`prepare` for a solver that takes a line and returns a line; the limit is its own."""

    def prepare(lines: list[str], limit: int = 2) -> Work:
        found: list[str] = []

        def run() -> None:
            found[:] = [solve(line) for line in lines]

        return Work(run, lambda: found)

    return prepare
