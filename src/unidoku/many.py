"""Parse and solve the rows of an input in worker threads, for the functions over many puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from unidoku import kernel
from unidoku.errors import InvalidPuzzleError
from unidoku.kernel import MAX_THREADS, Cancel, Solved, positive, run_tasks
from unidoku.rows import invalid_row, puzzles_of
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from numpy.typing import NDArray

    from unidoku.rows import Part, Rows

__all__ = [
    "Table",
    "are_proper",
    "cells_of_text",
    "flat",
    "invalid_row",
    "solve",
    "solve_proposals",
    "symmetry",
]

_SLICE = 2048  # rows per task: they stay in the cache of the thread


def symmetry() -> ModuleType:
    """Return the symmetry kernel for the instruction set in use."""
    return kernel.form(package="symmetry")


def cells_of_text(text: Any, starts: NDArray[np.int64], zero: int) -> NDArray[np.uint8]:
    """Convert puzzles in a text to cells 0 to 9: uint8[n, 81]."""
    cells = np.empty((len(starts), 81), np.uint8)
    symmetry().transform(text, starts, np.zeros(1, np.int64), cells.reshape(-1), zero=zero)
    return cells


def solve(rows: NDArray[np.uint8], limit: int = 2, budget: int = 0, *, grids: int = 2) -> Solved:
    """Solve rows of cells 0 to 9 on the calling thread; return `grids` solutions of each, as arrays."""
    found = Solved.arrays(len(rows), grids)
    kernel.solve(*flat(rows), found, limit=limit, budget=budget)
    return found


def are_proper(rows: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Test which rows of cells 0 to 9 are proper puzzles, on the calling thread: bool[n]."""
    proper: NDArray[np.bool_] = solve(rows, grids=0).verdicts == Verdict.UNIQUE
    return proper


class Proposer(Protocol):
    """Native work that proposes puzzles and learns from their solutions."""

    def propose(self, rows: Any) -> int: ...
    def learn(self, solutions: Any, witnesses: Any) -> None: ...


def solve_proposals(proposer: Proposer, capacity: int) -> None:
    """Solve the proposals of native work until there are none, on the calling thread."""
    rows, first, second = np.empty((3, capacity * 81), np.uint8)
    counts, starts = np.empty(capacity, np.uint64), np.arange(0, 81 * capacity, 81, dtype=np.int64)
    while count := proposer.propose(rows):
        grids = (each[: 81 * count] for each in (first, second))
        kernel.solve(rows, starts[:count], Solved(counts[:count], None, None, *grids))
        proposer.learn(first, second)


def flat(rows: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return rows of 81 cells one after the other, and where each begins."""
    return np.ascontiguousarray(rows).reshape(-1), np.arange(0, rows.size, 81, dtype=np.int64)


class Table:
    """The rows of an input in any form that `unidoku.check_many` accepts, except pencil marks."""

    def __init__(self, rows: Rows) -> None:
        self._puzzles = puzzles_of(rows)
        self._puzzles.raise_first()
        for part in self._puzzles.parts:
            if len(part.marked):
                raise invalid_row(
                    part.row(part.marked[0]), "a puzzle of 81 cells is needed, not pencil marks"
                )

    def __len__(self) -> int:
        return self._puzzles.count

    def cells(self, threads: int | None = None) -> NDArray[np.uint8]:
        """Return the cells 0 to 9 of all rows: uint8[n, 81]."""
        cells = np.empty((len(self), 81), np.uint8)

        def work(text: Any, starts: NDArray[np.int64], zero: int, part: slice) -> None:
            cells[part] = cells_of_text(text, starts, zero)

        self.run(work, threads)
        return cells

    def run(
        self,
        work: Callable[[Any, NDArray[np.int64], int, slice], None],
        threads: int | None = None,
        size: int = _SLICE,
        *,
        checks: bool = False,
    ) -> None:
        """Call ``work(text, starts, zero, rows)`` for slices of the rows, in worker threads."""

        def raise_bad(part: Part, begin: int, end: int) -> None:
            bad = part.bad(begin, end)
            if bad:
                raise invalid_row(part.row(bad[0]), part.reason(bad[0]))

        def task(item: tuple[Part, int, int]) -> None:
            part, begin, end = item
            if not checks:
                raise_bad(*item)
            first = part.row(begin)  # the rows of a part are consecutive
            try:
                work(part.text, part.starts[begin:end], part.zero, slice(first, first + end - begin))
            except InvalidPuzzleError:
                raise_bad(*item)
                raise

        count = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
        run_tasks(task, self._puzzles.slices(size), count, Cancel())
