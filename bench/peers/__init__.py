"""Every solver the benchmarks know, each behind one small adapter.

An adapter's ``load()`` returns a `Solver`, or raises `Absent` with the reason; absent ones are skipped by
name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from unidoku.benchmark.peers import PEERS, Absent

__all__ = ["NAMES", "Absent", "Solver", "Work", "load", "one_by_one"]


@dataclass(frozen=True)
class Solver:
    """A solver made ready: ``prepare(lines)`` returns the work to time and a look at its answers.

    The work takes no arguments and solves all the lines; `answers` gives the solution lines of the last run,
    and `guesses` their number over all puzzles if the solver reports it.
    """

    name: str
    prepare: Callable[[list[str]], Work]
    most: int | None = None  # puzzles it can be given without the benchmark taking minutes


@dataclass(frozen=True)
class Work:
    run: Callable[[], object]
    answers: Callable[[], list[str]]
    guesses: Callable[[], int | None] = lambda: None


NAMES = (
    "kernel_avx512",
    "kernel_avx2",
    "kernel_base",
    "prototype_avx512",
    "prototype_avx2",
    "prototype_base",
    "tdoku",
    "naive",
    "py-sudoku",
    "sudokutools",
    "dokusan",
)


def load(name: str) -> Solver:
    """The solver of that name, or `Absent`."""
    if name in PEERS and PEERS[name].task == "solve":
        from peers.packages import load as load_package

        return load_package(name)
    module, _, isa = name.partition("_") if name.startswith(("kernel_", "prototype_")) else (name, "", "")
    adapter = import_module(f"peers.{module}" if module != "kernel" else "peers.lanes")
    return adapter.load(isa) if isa else adapter.load()


def one_by_one(solve: Callable[[str], str]) -> Callable[[list[str]], Work]:
    """`prepare` for a solver that takes a line and returns a line."""

    def prepare(lines: list[str]) -> Work:
        found: list[str] = []

        def run() -> None:
            found[:] = [solve(line) for line in lines]

        return Work(run, lambda: found)

    return prepare
