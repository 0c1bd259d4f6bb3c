"""Parse and solve the rows of an input in worker threads, for the functions over many puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from unidoku import kernel
from unidoku.kernel import MAX_THREADS, Cancel, Solved, positive, run_tasks
from unidoku.rows import invalid_row, puzzles_of, refuse_word
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType
    from typing import TypeAlias, TypeVar

    from numpy.typing import NDArray

    from unidoku.rows import Part, Rows

    Value = TypeVar("Value", bound=np.generic)
    Made: TypeAlias = NDArray[np.uint8] | tuple[NDArray[np.uint8], Mapping[int, str]]

__all__ = [
    "MARKS",
    "Many",
    "are_proper",
    "cells_of_text",
    "flat",
    "invalid_row",
    "solve",
    "solve_proposals",
    "symmetry",
]

MARKS = "a puzzle of 81 cells is needed, not pencil marks"
"""Why a row of 729 pencil marks cannot be done."""

_SLICE = 2048  # rows per task: they stay in the cache of the thread


def symmetry() -> ModuleType:
    """Return the symmetry kernel for the instruction set in use."""
    return kernel.form(package="symmetry")


def cells_of_text(text: Any, starts: NDArray[np.int64], zero: int) -> NDArray[np.uint8]:
    """Convert puzzles in a text to cells 0 to 9: uint8[n, 81]."""
    cells = np.empty((len(starts), 81), np.uint8)
    _convert(text, starts, zero, cells)
    return cells


def _convert(text: Any, starts: NDArray[np.int64], zero: int, cells: NDArray[np.uint8]) -> None:
    symmetry().transform(text, starts, np.zeros(1, np.int64), cells.reshape(-1), zero=zero)


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


class Many:
    """The rows of an input in any form that `unidoku.check_many` accepts, except pencil marks, as cells.

    Attributes
    ----------
    count : int
        The number of all rows.
    rows : int64[m]
        The rows that are puzzles of 81 cells, ascending.
    cells : uint8[m, 81]
        Their cells 0 to 9.
    reasons : dict of int to str
        Why the other rows are not puzzles, or cannot be done; only with ``errors="invalid"``.
    """

    def __init__(self, puzzles: Rows, *, errors: str = "raise", threads: int | None = None) -> None:
        refuse_word(errors)
        self.threads = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
        self._raises = errors == "raise"
        found = puzzles_of(puzzles)
        if self._raises:
            found.raise_first()
        self.count, self.reasons = found.count, found.reasons
        one = found.parts[0] if len(found.parts) == 1 else None
        in_place = one is not None and one.zero == 0 and one.rows is None and len(one) == self.count
        if one is not None and in_place:  # an array of numbers is read where it is
            cells = np.frombuffer(one.text, np.uint8)[: 81 * self.count].reshape(-1, 81)
        else:
            cells = np.zeros((self.count, 81), np.uint8)

        def convert(item: tuple[Part, int, int]) -> None:
            part, begin, end = item
            wrong = {k: part.reason(k) for k in part.bad(begin, end)}
            wrong |= {begin + k: MARKS for k in part.marked_in(begin, end)}
            for k in sorted(wrong):
                self._refuse(part.row(k), wrong[k])
            if in_place:
                return
            places = part.rows_of(begin, end)
            if wrong or not isinstance(places, slice):
                good = np.setdiff1d(np.arange(begin, end), list(wrong))
                rows = good + part.first if part.rows is None else part.rows[good]
                cells[rows] = cells_of_text(part.text, part.starts[good], part.zero)
            else:
                _convert(part.text, part.starts[begin:end], part.zero, cells[places])

        run_tasks(convert, found.slices(_SLICE), self.threads, Cancel())
        self.rows = np.arange(self.count)
        if self.reasons:
            self.rows = np.delete(self.rows, list(self.reasons))
            cells = cells[self.rows]
        self.cells: NDArray[np.uint8] = cells

    def _refuse(self, row: int, reason: str) -> None:
        if self._raises:
            raise invalid_row(row, reason)
        self.reasons[row] = reason

    def refuse(self, place: int, reason: str) -> None:
        """Raise the error for one of the puzzles, or keep its reason."""
        self._refuse(int(self.rows[place]), reason)

    def run(self, work: Callable[[slice], None], size: int = _SLICE) -> None:
        """Call `work` for slices of the puzzles in worker threads."""
        slices = [slice(begin, begin + size) for begin in range(0, len(self.cells), size)]
        run_tasks(work, slices, self.threads, Cancel())
        ordered = sorted(self.reasons.items())
        self.reasons.clear()
        self.reasons.update(ordered)

    def spread(self, found: NDArray[Value], missing: int = 0) -> NDArray[Value]:
        """Return an array with a row for every row of the input; ``missing`` where there is a reason."""
        if len(self.rows) < self.count:
            whole = np.empty((self.count, *found.shape[1:]), found.dtype)
            whole[self.rows] = found
            found = whole
        if self.reasons:
            found[list(self.reasons)] = missing
        return found

    def answer(self, found: NDArray[np.uint8]) -> Made:
        """Return the rows made of the puzzles, with the reasons if they were asked for."""
        found = self.spread(found)
        return found if self._raises else (found, self.reasons)
