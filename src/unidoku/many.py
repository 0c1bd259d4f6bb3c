"""Solve and convert rows of puzzles on the calling thread, for what is built on the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from unidoku import kernel
from unidoku.kernel import Solved
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray


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
    n = len(rows)
    found = Solved(np.zeros(n, np.uint64), *np.zeros((2, n), np.uint8), *np.zeros((grids, n, 81), np.uint8))
    kernel.solve(*flat(rows), found, limit=limit, budget=budget)
    return found


def are_proper(rows: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Test which rows of cells 0 to 9 are proper puzzles, on the calling thread: bool[n]."""
    proper: NDArray[np.bool_] = solve(rows, grids=0).verdicts == Verdict.UNIQUE
    return proper


class _Proposer(Protocol):
    """Native work that proposes puzzles and learns from their solutions."""

    def propose(self, rows: Any) -> int: ...
    def learn(self, solutions: Any, witnesses: Any) -> None: ...


def solve_proposals(proposer: _Proposer, capacity: int) -> None:
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
