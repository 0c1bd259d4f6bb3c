"""Why a puzzle is not a proper one, or which of its clues are redundant.

Every question is answered by the lanes kernel, as a batch of puzzles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.arguments import positive
from unidoku.craft.unavoidable import exchange_set
from unidoku.grid import Grid
from unidoku.method.classes import TOTALS, run_classify
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.method.record import Record

    Rows: TypeAlias = NDArray[np.uint8]

__all__ = ["Diagnosis", "diagnose"]

_LISTED = 400  # solutions up to which all of them are listed and compared
_PROBE = 32  # solutions counted for each of many candidate clues
_ORDERS = 4  # orders in which clues are taken away from an unsolvable puzzle
_BUDGET = 300  # guesses after which a set of clues counts as not known to be contradictory
_CHECK = 30  # times as many guesses where the clues kept are tried once more
_NO, _YES, _OPEN = 0, 1, -1
_PAIRS = 8  # pairs of clues followed up where no pair decides


@dataclass(frozen=True)
class Diagnosis:
    """Why a puzzle has no, one or several solutions; cells are 1..81.

    Attributes
    ----------
    puzzle : Grid
        The puzzle.
    verdict : Verdict
        NONE, UNIQUE or MULTIPLE.
    solutions : tuple of Grid
        At most two.
    count : int
        Number of solutions, up to the limit.
    count_is_exact : bool
        False where counting stopped at the limit.
    differing_cells : tuple of int
        Where the two solutions differ.
    unavoidable_set : tuple of int
        Some of these cells, whose digits in the first solution can be exchanged on their own: a minimal
        unavoidable set in which the puzzle has no clue.
    deciding_clues : tuple of (int, int)
        Further clues, (cell, digit), that leave exactly one solution: the smallest set found, and none of
        them can be spared.
    conflict : tuple of int
        Cells whose clues contradict each other; without any one of them there is a solution.
    redundant : tuple of int
        Clues of a proper puzzle each of which could be left out (not all of them together).
    """

    puzzle: Grid
    verdict: Verdict
    solutions: tuple[Grid, ...] = ()
    count: int = 0
    count_is_exact: bool = True
    differing_cells: tuple[int, ...] = ()
    unavoidable_set: tuple[int, ...] = ()
    deciding_clues: tuple[tuple[int, int], ...] = ()
    conflict: tuple[int, ...] = ()
    redundant: tuple[int, ...] = ()

    @property
    def minimal(self) -> bool:
        """Whether it is a proper puzzle of which no clue can be left out."""
        return self.verdict is Verdict.UNIQUE and not self.redundant

    def __str__(self) -> str:
        """The diagnosis in English; `unidoku.craft.report.report` has options."""
        from unidoku.craft.report import report

        return "\n".join(line.text for line in report(self))

    def _repr_html_(self) -> str:
        """The boards and words that a notebook shows; the chain of reasons is left out."""
        from unidoku.craft.boards import boards
        from unidoku.craft.report import report

        lines = (line.text for line in report(self, chain=False) if line.kind != "picture")
        text = "".join(f"<p>{escape(line)}</p>" for line in lines)
        figures = "".join(
            f'<figure style="margin:0;width:300px"><figcaption>{escape(caption)}</figcaption>{svg}</figure>'
            for caption, svg in boards(self)
        )
        return f'{text}<div style="display:flex;flex-wrap:wrap;gap:1rem">{figures}</div>'

    def conflict_puzzle(self) -> Grid:
        """The contradictory clues alone."""
        return Grid(bytes(v if c in self.conflict else 0 for c, v in enumerate(self.puzzle, 1)))

    @cached_property
    def chain(self) -> Record | None:
        """The method's record of the contradictory clues alone, which proves that they contradict.

        None where two equal clues in a house say it all, and where there is a solution.
        """
        from unidoku.method.rules import explain

        alone = self.conflict_puzzle()
        if self.verdict is not Verdict.NONE or any(alone.clashes()):
            return None
        return explain(alone, verdict=Verdict.NONE)

    def as_dict(self) -> dict[str, Any]:
        """The diagnosis as a JSON object; keys without meaning are left out."""
        out: dict[str, Any] = {"verdict": str(self.verdict)}
        if self.solutions:
            out["solutions"] = [solution.line for solution in self.solutions]
        out["count"] = self.count
        out["count_is_exact"] = self.count_is_exact
        if self.verdict is Verdict.MULTIPLE:
            out["differing_cells"] = list(self.differing_cells)
            out["unavoidable_set"] = list(self.unavoidable_set)
            out["deciding_clues"] = [{"cell": cell, "digit": digit} for cell, digit in self.deciding_clues]
        elif self.verdict is Verdict.NONE:
            out["conflict"] = list(self.conflict)
        else:
            out["redundant"] = list(self.redundant)
            out["minimal"] = self.minimal
        return out


def diagnose(puzzle: PuzzleLike, *, limit: int = 1000) -> Diagnosis:
    """Say why a puzzle has no or several solutions, or which clues of a proper one are redundant.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        As `Grid` takes it. Two equal clues in a unit are not an error here, but a conflict.
    limit : int
        Count solutions up to this many, at least 2.

    Returns
    -------
    Diagnosis
        The verdict with its reasons.

    Raises
    ------
    InvalidPuzzleError
        If it is not a puzzle at all.
    ValueError
        `limit` is not an integer, or below 2.
    """
    if positive("limit", limit) < 2:
        raise ValueError(f"limit must be at least 2, not {limit}")
    grid = Grid(puzzle)
    cells = np.frombuffer(grid.cells, dtype=np.uint8)
    counts, verdicts, solutions, witnesses = _few(cells)
    count = int(counts[0])
    if count == 0:
        return Diagnosis(grid, Verdict.NONE, conflict=_conflict(grid))
    first = solutions[0]
    if count == 1:
        return Diagnosis(grid, Verdict.UNIQUE, (Grid(first.tobytes()),), 1, redundant=_redundant(cells))
    second = witnesses[0]
    counts, verdicts, *_ = _solve(cells[None, :], limit, _CHECK * limit)
    count = max(2, int(counts[0]))
    return Diagnosis(
        grid,
        Verdict.MULTIPLE,
        (Grid(first.tobytes()), Grid(second.tobytes())),
        count,
        count < limit and int(verdicts[0]) != Verdict.UNKNOWN,
        differing_cells=_numbers(first != second),
        unavoidable_set=_numbers(exchange_set(first, second)),
        deciding_clues=_deciding(cells),
    )


def _numbers(cells: NDArray[np.bool_]) -> tuple[int, ...]:
    """Cells of a mask as 1..81."""
    return tuple(int(cell) + 1 for cell in np.flatnonzero(cells))


def _solve(rows: Rows, limit: int, budget: int = 0) -> tuple[NDArray[np.uint64], Rows, Rows, Rows]:
    """Counts, verdicts, first and second solutions of a batch."""
    n = len(rows)
    counts = np.zeros(n, dtype=np.uint64)
    verdicts = np.zeros(n, dtype=np.uint8)
    solutions = np.zeros((n, 81), dtype=np.uint8)
    witnesses = np.zeros((n, 81), dtype=np.uint8)
    starts = np.arange(n, dtype=np.int64) * 81
    kernel.solve_cells(
        np.ascontiguousarray(rows),
        starts,
        zero=0,
        limit=limit,
        budget=budget,
        counts=counts,
        verdicts=verdicts,
        solutions=solutions,
        witnesses=witnesses,
    )
    return counts, verdicts, solutions, witnesses


def _few(cells: Rows) -> tuple[NDArray[np.uint64], NDArray[np.uint8], Rows, Rows]:
    """No, one or two solutions of a puzzle."""
    found = _solve(cells[None, :], 2, _CHECK * _BUDGET)
    if found[1][0] != Verdict.UNKNOWN:
        return found
    if found[0][0] == 0 and _solvable(cells[None, :], _CHECK * _BUDGET)[0] == _NO:
        return found
    return _solve(cells[None, :], 2)


def _redundant(cells: Rows) -> tuple[int, ...]:
    """Clues without which there is still one solution."""
    clues = np.flatnonzero(cells)
    rows = np.repeat(cells[None, :], len(clues), axis=0)
    rows[np.arange(len(clues)), clues] = 0
    counts, *_ = _solve(rows, 2)
    return tuple(int(c) + 1 for c in clues[counts == 1])


def _conflict(grid: Grid) -> tuple[int, ...]:
    """A minimal set of clues that contradict each other, the smallest of a few."""
    for clash in grid.clashes():
        return clash.first + 1, clash.second + 1
    cells = np.frombuffer(grid.cells, dtype=np.uint8)
    clues = np.flatnonzero(cells)
    shuffle = np.random.default_rng(0).permutation
    orders = [clues, clues[::-1], *(shuffle(clues) for _ in range(_ORDERS - 2))]
    budget = _BUDGET
    while True:
        found = [_contradictory(cells, order, budget) for order in orders]
        minimal = [kept for kept in found if kept is not None]
        if minimal:
            return tuple(sorted(int(c) + 1 for c in min(minimal, key=len)))
        budget *= 30


def _contradictory(cells: Rows, order: NDArray[np.intp], budget: int) -> list[int] | None:
    """Shrink contradictory clues to a minimal set.

    The clue that makes the growing set contradictory belongs to it; with that clue put in front, the same
    holds for the clues before it, until those in front contradict alone. A budget of guesses keeps away from
    sets whose contradiction lies deep; as it may hide an earlier one, the clues kept are tried once more.
    None where the budget leaves open whether one can be spared.
    """
    kept: list[int] = []
    while True:
        rows = np.zeros((len(order) + 1, 81), dtype=np.uint8)
        rows[:, kept] = cells[kept]
        for k, cell in enumerate(order):
            rows[k + 1 :, cell] = cells[cell]
        contradictory = np.flatnonzero(_solvable(rows, budget) == _NO)
        if not len(contradictory):
            return None
        last = int(contradictory[0])
        if last == 0:
            break
        kept.append(int(order[last - 1]))
        order = order[: last - 1]
    while True:
        rows = np.zeros((len(kept), 81), dtype=np.uint8)
        rows[:, kept] = cells[kept]
        rows[np.arange(len(kept)), kept] = 0
        solvable = _solvable(rows, _CHECK * budget)
        if (solvable == _YES).all():
            return kept
        spare = np.flatnonzero(solvable == _NO)
        if not len(spare):
            return None
        del kept[int(spare[0])]


def _solvable(rows: Rows, budget: int) -> NDArray[np.int8]:
    """Whether puzzles have a solution, within a budget of guesses.

    Where the kernel's guesses get lost (few clues that contradict each other locally, and a wide open grid
    around them), the method's subsets and its choice of the cell often settle it.
    """
    counts, verdicts, *_ = _solve(rows, 1, budget)
    out = np.where(counts > 0, _YES, np.where(verdicts == Verdict.NONE, _NO, _OPEN)).astype(np.int8)
    unknown = np.flatnonzero(out == _OPEN)
    if len(unknown):
        totals = np.zeros(len(unknown), dtype=TOTALS)
        starts = unknown.astype(np.int64) * 81
        run_classify(rows.reshape(-1), starts, totals, zero=0, presets=budget // 10)
        out[unknown] = np.array([_YES, _OPEN, _NO], dtype=np.int8)[totals["status"]]
    return out


def _deciding(cells: Rows) -> tuple[tuple[int, int], ...]:
    """Additional clues that leave one solution: few, and none redundant."""
    base = cells.copy()
    added: list[tuple[int, int]] = []
    while len(listed := _listed(base)) > _LISTED:
        cell, digit = _most_telling(base)
        base[cell] = digit
        added.append((cell, digit))
    added += _smallest(listed)
    clues = _without_spare(cells, added)
    return tuple(sorted((cell + 1, digit) for cell, digit in clues))


def _listed(cells: Rows) -> Rows:
    """All solutions; where there are more than `_LISTED`, just more than that."""
    found = kernel.SolutionSearch(cells.tobytes(), zero=0).chunk(_LISTED + 1)
    return np.frombuffer(found, dtype=np.uint8).reshape(-1, 81)


def _most_telling(cells: Rows) -> tuple[int, int]:
    """The clue that leaves fewest solutions; where all leave many, the rarest in a sample."""
    empty = np.flatnonzero(cells == 0)
    places = np.repeat(empty, 9)
    digits = np.tile(np.arange(1, 10, dtype=np.uint8), len(empty))
    rows = np.repeat(cells[None, :], len(places), axis=0)
    rows[np.arange(len(places)), places] = digits
    counts, _, solutions, witnesses = _solve(rows, _PROBE, _CHECK * _PROBE)
    possible = counts > 0
    fewest = int(counts[possible].min())
    if fewest < _PROBE:
        best = int(np.flatnonzero(counts == fewest)[0])
        return int(places[best]), int(digits[best])
    sample = np.concatenate([solutions[possible], witnesses[possible]])
    seen = (sample[:, places] == digits).sum(axis=0)
    seen[~possible] = len(sample) + 1
    best = int(np.argmin(seen))
    return int(places[best]), int(digits[best])


def _smallest(solutions: Rows) -> list[tuple[int, int]]:
    """Clues that single out one of these solutions: one or two if that can be, else few."""
    if len(solutions) < 2:
        return []
    digits = np.arange(1, 10, dtype=np.uint8)
    holds = (solutions[:, :, None] == digits).reshape(len(solutions), -1)
    clues = np.flatnonzero(holds.any(axis=0) & ~holds.all(axis=0))
    # together[a, b]: solutions that have both clue a and clue b
    shares = holds[:, clues].astype(np.float32)
    together = shares.T @ shares

    def clue(k: int) -> tuple[int, int]:
        return int(clues[k] // 9), int(clues[k] % 9) + 1

    alone = np.flatnonzero(np.diagonal(together) == 1)
    if len(alone):
        return [clue(int(alone[0]))]
    flat = np.triu(together, 1).ravel()
    flat[flat == 0] = np.inf
    size = len(together)
    fewest = int(np.argmin(flat))
    if flat[fewest] == 1:
        return [clue(fewest // size), clue(fewest % size)]
    best: list[tuple[int, int]] | None = None
    promising = np.sort(np.argpartition(flat, min(_PAIRS, len(flat) - 1))[:_PAIRS])
    for k in promising[np.argsort(flat[promising], kind="stable")]:
        pair = [int(k) // size, int(k) % size]
        if not np.isfinite(flat[k]):
            break
        rest = _smallest(solutions[shares[:, pair].all(axis=1)])
        if best is None or len(rest) + 2 < len(best):
            best = [clue(k) for k in pair] + rest
        if len(rest) == 1:
            break
    assert best is not None
    return best


def _without_spare(cells: Rows, clues: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The clues, less those that the others do not need."""
    kept = list(clues)
    for clue in clues:
        rest = [other for other in kept if other != clue]
        row = cells.copy()
        for cell, digit in rest:
            row[cell] = digit
        counts, *_ = _solve(row[None, :], 2)
        if counts[0] == 1:
            kept = rest
    return kept
