"""Diagnose a puzzle: why it is not proper, or which of its clues are redundant.

Each step solves a batch of variants of the puzzle with the lanes kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.arguments import whole
from unidoku.cell import cell_name
from unidoku.craft.minimize import redundant_clues
from unidoku.grid import Grid
from unidoku.kernel import are_proper, flat, solve_rows
from unidoku.method.rules import explain, run_classify
from unidoku.shown import shown_by
from unidoku.threads import Cancel, in_worker
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from unidoku.grid import PuzzleLike
    from unidoku.kernel import Solved
    from unidoku.method.record import Record

    Rows: TypeAlias = NDArray[np.uint8]

_LISTED = 400  # up to this many solutions, all are listed and compared
_COMPARED = 4096  # solutions among which an unavoidable set is looked for at first
_PROBE = 32  # solutions counted for each of many possible additional clues
_ORDERS = 4  # orders in which clues are removed from an unsolvable puzzle
_BUDGET = 300  # guesses for each set of clues; beyond them its contradiction counts as unproved
_CHECK = 30  # factor on the guesses for the last check of a set
_NO, _YES, _OPEN = 0, 1, -1
_PAIRS = 8  # pairs of clues that are extended where no pair decides


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """The result of `diagnose`; cells are numbers 0 to 80.

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
        False if the count stopped at the limit.
    differing_cells : tuple of int
        Where the two solutions differ.
    unavoidable_set : tuple of int
        Some of these cells: a minimal unavoidable set of the first solution in which the puzzle has no clue.
    deciding_clues : tuple of (int, int)
        Additional clues, (cell, digit), that leave exactly one solution: the smallest set found, in which
        each clue is needed.
    conflict : tuple of int
        Cells whose clues contradict each other; if any one of these clues is removed, there is a solution.
    redundant : tuple of int
        Clues of a proper puzzle that can be removed one at a time (not all together).
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
        """Whether the puzzle is proper and has no redundant clue."""
        return self.verdict is Verdict.UNIQUE and not self.redundant

    def __repr__(self) -> str:
        more = "" if self.count_is_exact else " or more"
        found = f", {self.count}{more} solutions" if self.verdict is Verdict.MULTIPLE else ""
        return f"<Diagnosis of {self.puzzle.line}: {self.verdict}{found}>"

    def __str__(self) -> str:
        """Describe the diagnosis in English; `unidoku.view.diagnose.report` has options."""
        return "\n".join(line.text for line in shown_by(self, "text")(self))

    def _repr_html_(self) -> str:
        """Return the sentences and boards for a notebook, without the chain of reasons."""
        text: str = shown_by(self, "html")(self)
        return text

    def conflict_puzzle(self) -> Grid:
        """Return the grid of the contradictory clues alone."""
        return Grid(bytes(v if c in self.conflict else 0 for c, v in enumerate(self.puzzle)))

    @cached_property
    def chain(self) -> Record | None:
        """The record of the method that proves the contradiction from the contradictory clues alone.

        None if two equal clues in a house are the contradiction, or if there is a solution.
        """
        alone = self.conflict_puzzle()
        if self.verdict is not Verdict.NONE or any(alone.clashes()):
            return None
        return explain(alone, verdict=Verdict.NONE)

    def as_dict(self) -> dict[str, object]:
        """Return the diagnosis as a JSON object with the keys that apply to its verdict; cells are names."""
        out: dict[str, Any] = {"verdict": str(self.verdict)}
        if self.solutions:
            out["solutions"] = [solution.line for solution in self.solutions]
        out["count"] = self.count
        out["count_is_exact"] = self.count_is_exact
        if self.verdict is Verdict.MULTIPLE:
            out["differing_cells"] = [*map(cell_name, self.differing_cells)]
            out["unavoidable_set"] = [*map(cell_name, self.unavoidable_set)]
            out["deciding_clues"] = [
                {"cell": cell_name(cell), "digit": digit} for cell, digit in self.deciding_clues
            ]
        elif self.verdict is Verdict.NONE:
            out["conflict"] = [*map(cell_name, self.conflict)]
        else:
            out["redundant"] = [*map(cell_name, self.redundant)]
            out["minimal"] = self.minimal
        return out


def diagnose(puzzle: PuzzleLike, *, limit: int = 1000) -> Diagnosis:
    """Explain why a puzzle has no solution or several, or find the redundant clues of a proper puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        As `Grid` accepts it. Two equal clues in a house are reported as a conflict; they raise no error.
    limit : int
        Largest number of solutions to count, at least 2.

    Returns
    -------
    Diagnosis
        The verdict and its reasons.

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle.
    ValueError
        `limit` is not an integer, or below 2.
    """
    limit = whole("limit", limit, 2)
    grid = Grid(puzzle)
    cells = np.frombuffer(grid.cells, dtype=np.uint8)
    few = _few(cells)
    count = int(few.counts[0])
    if count == 0:
        return Diagnosis(grid, Verdict.NONE, conflict=_conflict(grid))
    first = few.solutions[0]
    if count == 1:
        redundant = tuple(sorted(redundant_clues(cells, np.flatnonzero(cells))))
        return Diagnosis(grid, Verdict.UNIQUE, (Grid(first),), 1, redundant=redundant)
    second = few.witnesses[0]
    more = solve_rows(cells[None, :], limit, _CHECK * limit, grids=0)
    count = max(2, int(more.counts[0]))
    return Diagnosis(
        grid,
        Verdict.MULTIPLE,
        (Grid(first), Grid(second)),
        count,
        count < limit and int(more.verdicts[0]) != Verdict.UNKNOWN,
        differing_cells=tuple(np.flatnonzero(first != second).tolist()),
        unavoidable_set=tuple(np.flatnonzero(_exchange_set(first, second)).tolist()),
        deciding_clues=_deciding(cells),
    )


def _exchange_set(grid: Rows, other: Rows) -> NDArray[np.bool_]:
    """Find a minimal unavoidable set of a grid among the cells in which another one differs: bool[81].

    Such a set is where a solution of the grid without these cells differs from the grid. It is the smallest
    one, unless there are thousands.
    """
    differing: NDArray[np.bool_] = grid != other
    most = _COMPARED
    while True:
        search = kernel.solution_search(np.where(differing, 0, grid).astype(np.uint8).tobytes())
        solutions = np.frombuffer(search.chunk(most), np.uint8).reshape(-1, 81)
        sets = solutions != grid
        sizes = np.count_nonzero(sets, axis=1)
        smallest = sizes[sizes > 0].min()
        # of sets with equal sizes, the one with the first cell that only one of them has
        differing = np.array(max(sets[sizes == smallest].tolist()))
        if len(solutions) < most:
            return differing
        most *= 2  # of fewer cells, or of the same: it ends


def _few(cells: Rows) -> Solved:
    """Search for up to two solutions of a puzzle, with the method where the kernel needs many guesses."""
    found = solve_rows(cells[None, :], 2, _CHECK * _BUDGET)
    if int(found.verdicts[0]) == Verdict.UNKNOWN and (
        found.counts[0] or _solvable(cells[None, :], _CHECK * _BUDGET)[0] != _NO
    ):
        return solve_rows(cells[None, :])
    return found


def _conflict(grid: Grid) -> tuple[int, ...]:
    """Return the smallest of a few minimal sets of clues that contradict each other."""
    for clash in grid.clashes():
        return clash.first, clash.second
    cells = np.frombuffer(grid.cells, dtype=np.uint8)
    clues = np.flatnonzero(cells)
    shuffle = np.random.default_rng(0).permutation
    orders = [clues, clues[::-1], *(shuffle(clues) for _ in range(_ORDERS - 2))]
    budget = _BUDGET
    while True:
        found = [_contradictory(cells, order, budget) for order in orders]
        minimal = [kept for kept in found if kept is not None]
        if minimal:
            return tuple(sorted(int(c) for c in min(minimal, key=len)))
        budget *= 30


def _contradictory(cells: Rows, order: NDArray[np.intp], budget: int) -> list[int] | None:
    """Shrink contradictory clues to a minimal set.

    Clues are added in the order until they contradict. The last clue added belongs to the minimal set; it is
    kept, and the clues before it are added again in the same way, until the kept clues alone contradict. The
    budget of guesses avoids sets with a deep contradiction; as it can also hide an earlier contradiction,
    each kept clue is checked once more. None if the budget is too small to decide whether one is redundant.
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
        redundant = np.flatnonzero(solvable == _NO)
        if not len(redundant):
            return None
        del kept[int(redundant[0])]


def _solvable(rows: Rows, budget: int) -> NDArray[np.int8]:
    """Decide whether puzzles have a solution, within a budget of guesses: `_YES`, `_NO` or `_OPEN`.

    A contradiction of few clues in a nearly empty grid costs the kernel many guesses; the method often finds
    it with its subsets and its choice of the cell.
    """
    found = solve_rows(rows, 1, budget, grids=0)
    out = np.where(found.counts > 0, _YES, np.where(found.verdicts == int(Verdict.NONE), _NO, _OPEN)).astype(
        np.int8
    )
    unknown = np.flatnonzero(out == _OPEN)
    if len(unknown):
        presets, end = budget // 10, Cancel()
        totals = in_worker(
            lambda: run_classify(*flat(rows[unknown]), zero=0, presets=presets, cancel=end), end
        )
        out[unknown] = np.array([_YES, _OPEN, _NO], dtype=np.int8)[totals["status"]]
    return out


def _deciding(cells: Rows) -> tuple[tuple[int, int], ...]:
    """Find a few additional clues that leave one solution; none of them is redundant."""
    base = cells.copy()
    added: list[tuple[int, int]] = []
    while len(listed := _listed(base)) > _LISTED:
        cell, digit = _most_restrictive(base)
        base[cell] = digit
        added.append((cell, digit))
    kept = added + _smallest(listed)
    for clue in tuple(kept):
        rest = [other for other in kept if other != clue]
        row = cells.copy()
        for cell, digit in rest:
            row[cell] = digit
        if are_proper(row[None, :])[0]:
            kept = rest
    return tuple(sorted(kept))


def _listed(cells: Rows) -> Rows:
    """Return all solutions, or the first `_LISTED` + 1 if there are more than `_LISTED`."""
    found = kernel.solution_search(cells.tobytes()).chunk(_LISTED + 1)
    return np.frombuffer(found, dtype=np.uint8).reshape(-1, 81)


def _most_restrictive(cells: Rows) -> tuple[int, int]:
    """Find the clue that leaves the fewest solutions; if all leave many, the rarest in a sample."""
    empty = np.flatnonzero(cells == 0)
    places = np.repeat(empty, 9)
    digits = np.tile(np.arange(1, 10, dtype=np.uint8), len(empty))
    rows = np.repeat(cells[None, :], len(places), axis=0)
    rows[np.arange(len(places)), places] = digits
    found = solve_rows(rows, _PROBE, _CHECK * _PROBE)
    possible = found.counts > 0
    fewest = int(found.counts[possible].min())
    if fewest < _PROBE:
        best = int(np.flatnonzero(found.counts == fewest)[0])
        return int(places[best]), int(digits[best])
    sample = np.concatenate([found.solutions[possible], found.witnesses[possible]])
    seen = (sample[:, places] == digits).sum(axis=0)
    seen[~possible] = len(sample) + 1
    best = int(np.argmin(seen))
    return int(places[best]), int(digits[best])


def _smallest(solutions: Rows) -> list[tuple[int, int]]:
    """Find few clues that only one of these solutions has: one or two if possible."""
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
