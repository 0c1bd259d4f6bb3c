"""Diagnoses: why a puzzle is not proper, its likely typos, or its redundant clues.

Each step solves a batch of variants of the puzzle with the lanes kernel.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from unidoku import kernel
from unidoku._arguments import whole_number
from unidoku._clue_symmetry import GROUPS, clue_symmetry
from unidoku._compat import NDArray, cached_property, np, view
from unidoku._guesses import NamedFields
from unidoku._table.json_values import json_schema
from unidoku._threads import Cancel, begun, call_to_end, cancel_of, flag_of, run_in_worker
from unidoku._verdict import Verdict
from unidoku.cell import FEWEST_CLUES, candidate_at, candidate_name, candidate_of, cell_name
from unidoku.grid import Clash, Grid, PuzzleLike
from unidoku.kernel import SearchOutputs, are_proper, solve_rows
from unidoku.method import Record, explain
from unidoku.method._rules import run_classify

Rows: TypeAlias = "NDArray[np.uint8]"

MOST_TYPOS = MOST_SETS = 5
"""The most typos, and the most sets of symmetric clues, in a diagnosis."""

_LISTED = 400  # up to this many solutions, all are listed and compared
_PROBE = 32  # solutions counted for each of many possible additional clues
_ORDERS = 4  # orders in which clues are removed from an unsolvable puzzle
_BUDGET = 300  # guesses for each set of clues; beyond them its contradiction counts as unproved
_CHECK = 30  # factor on the guesses for the last check of a set
_NO, _YES, _OPEN = 0, 1, -1
_PAIRS = 8  # pairs of clues that are extended where no pair decides


@dataclass(frozen=True)
class Typo:
    """A clue that was perhaps mistyped: with another digit the puzzle has exactly one solution.

    Attributes
    ----------
    cell : str
        Its name, such as ``r1c2``.
    clue, digit : int
        The digit in the puzzle, and the digit in its place.
    removable : bool
        Whether the puzzle without a clue in this cell has exactly one solution as well.
    """

    __get_pydantic_json_schema__ = json_schema

    cell: str
    clue: int
    digit: int
    removable: bool


@dataclass(frozen=True)
class Diagnosis(NamedFields):
    """The result of `diagnose`: cells as ``r1c2``, clues as ``r1c2=5``.

    Attributes
    ----------
    puzzle : str
        81 cells, ``.`` for an empty one.
    verdict : str
        ``none``, ``unique`` or ``multiple``.
    solutions : tuple of str
        At most two.
    count : int
        Number of solutions, up to the limit.
    count_is_exact : bool
        False if the limit, or the budget of its search, ended the count, which is a lower bound then.
    differing_cells : tuple of str
        Where the two solutions differ.
    deciding_clues : tuple of str
        Additional clues that leave exactly one solution: the smallest set found, in which each clue is
        needed.
    deciding_sets : int
        How many sets of as many clues do so; 0 if they are not counted, because the set has more than two
        clues or the puzzle more than 400 solutions.
    symmetric_clues : tuple of tuple of str
        The first five smallest sets of additional clues that do so and keep the symmetry of the clues.
    symmetric_sets : int
        How many such sets there are, in cells that the symmetry maps to each other.
    conflict : tuple of str
        Clues that contradict each other; if any one of them is removed, there is a solution.
    typos : tuple of Typo
        The first five changes of one clue that leave exactly one solution.
    typo_count : int
        How many such changes there are.
    redundant : tuple of str
        Clues of a proper puzzle that can be removed one at a time (not all together).
    minimal : bool
        Whether the puzzle is proper and has no redundant clue.

    Examples
    --------
    >>> diagnosis = diagnose("55" + "." * 79)
    >>> diagnosis.verdict, diagnosis.conflict
    ('none', ('r1c1=5', 'r1c2=5'))
    """

    __get_pydantic_json_schema__ = json_schema

    puzzle: str
    verdict: str
    solutions: tuple[str, ...] = ()
    count: int = 0
    count_is_exact: bool = True
    differing_cells: tuple[str, ...] = ()
    deciding_clues: tuple[str, ...] = ()
    deciding_sets: int = 0
    symmetric_clues: tuple[tuple[str, ...], ...] = ()
    symmetric_sets: int = 0
    conflict: tuple[str, ...] = ()
    typos: tuple[Typo, ...] = ()
    typo_count: int = 0
    redundant: tuple[str, ...] = ()
    minimal: bool = False

    def __str__(self) -> str:
        """Describe the diagnosis in English; `unidoku.view._diagnose.diagnosis_lines` has options."""
        return view("diagnose.diagnosis_text", self)

    def _repr_html_(self) -> str:
        """Return the sentences and boards for a notebook, without the chain of reasons."""
        return view("diagnose.fragment", self)

    @property
    def clashes(self) -> tuple[Clash, ...]:
        """Each pair of equal clues in a house once, also if they share two houses."""
        clashes = reversed(Grid(self.puzzle).clashes())
        return (*{(clash.first, clash.second): clash for clash in clashes}.values(),)[::-1]

    @property
    def wrong_clues(self) -> tuple[str, ...]:
        """The clues of all clashes, or else those that contradict each other."""
        pairs = ((cell, clash.digit) for clash in self.clashes for cell in (clash.first, clash.second))
        return tuple(map(candidate_name, pairs)) or self.conflict

    def conflict_puzzle(self) -> Grid:
        """Return the grid of only the contradictory clues."""
        return with_clues(Grid("." * 81), self.conflict)

    @cached_property
    def chain(self) -> Record | None:
        """The record of the method that proves the contradiction from only the contradictory clues.

        None if two equal clues in a house are the contradiction, or if there is a solution.
        """
        puzzle = self.conflict_puzzle()
        if not self.conflict or any(puzzle.clashes()):
            return None
        return explain(puzzle, verdict=Verdict.NONE)


def with_clues(puzzle: Grid, clues: Iterable[str]) -> Grid:
    """Add clues such as ``r1c2=5`` to a puzzle."""
    cells = bytearray(puzzle.cells)
    for cell, digit in map(candidate_of, clues):
        cells[cell] = digit
    return Grid(bytes(cells))


def diagnose(
    puzzle: PuzzleLike, *, limit: int = 1000, cancel: Cancel | None = None, timeout: float | None = None
) -> Diagnosis:
    """Explain why a puzzle has no solution or several, or find the redundant clues of a proper puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array
        As `Grid` accepts it. Two equal clues in a house are reported as a conflict; they raise no error.
    limit : int
        Largest number of solutions to count, at least 2.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Diagnosis
        The verdict and its reasons.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    SearchStoppedError
        `cancel` ended the work.
    ValueError
        `limit` is below 2.

    Examples
    --------
    >>> puzzle = "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> diagnosis = diagnose(puzzle)
    >>> diagnosis.conflict, diagnosis.typos[0]
    (('r1c1=5', 'r1c2=5'), Typo(cell='r1c2', clue=5, digit=3, removable=True))
    """
    cancel = begun(cancel, timeout)
    limit, cancel = whole_number("limit", limit, 2), cancel_of(cancel)
    grid = Grid(puzzle)
    if proper := _proper(grid, cancel):  # the usual case, without arrays
        return proper
    cells = np.frombuffer(grid.cells, dtype=np.uint8)
    answer = _search(cells, cancel)
    count = int(answer.counts[0])
    all_typos = _typos(cells, cancel)
    typos, typo_count = tuple(all_typos[:MOST_TYPOS]), len(all_typos)
    if count == 0:
        conflict = tuple(candidate_name((cell, grid.cells[cell])) for cell in _conflict(grid, cancel))
        return Diagnosis(grid.line, "none", conflict=conflict, typos=typos, typo_count=typo_count)
    solutions = np.concatenate([answer.solutions, answer.witnesses])
    search = solve_rows(cells[None, :], limit, _CHECK * limit, grids=0, cancel=cancel)
    count = max(2, int(search.counts[0]))
    listed = _first_solutions(cells, cancel)
    deciding = _deciding_clues(cells, listed, cancel)
    deciding_sets, symmetric = 0, list[tuple[str, ...]]()
    if len(listed) <= _LISTED:
        if len(deciding) <= 2:  # of as many clues only one solution has them all
            held = (listed[:, :, None] == np.arange(1, 10, dtype=np.uint8)).reshape(len(listed), -1)
            shares = held.astype(np.float32)
            counts = shares.T @ shares  # of the solutions that have clue a and clue b
            sets = np.diagonal(counts) if len(deciding) == 1 else np.triu(counts, 1)
            deciding_sets = int(np.count_nonzero(sets == 1))
        symmetric = sorted(_symmetric_sets(grid.cells, listed), key=len)
    return Diagnosis(
        grid.line,
        "multiple",
        tuple(Grid(solution).line for solution in solutions),
        count,
        count < limit and bool(search.complete[0]),
        differing_cells=tuple(map(cell_name, np.flatnonzero(solutions[0] != solutions[1]).tolist())),
        deciding_clues=tuple(map(candidate_name, deciding)),
        deciding_sets=deciding_sets,
        symmetric_clues=tuple(symmetric[:MOST_SETS]),
        symmetric_sets=len(symmetric),
        typos=typos,
        typo_count=typo_count,
    )


def _proper(grid: Grid, cancel: Cancel) -> Diagnosis | None:
    """Return the diagnosis of a proper puzzle, None for another one."""
    puzzle, solution = grid.cells, bytearray(81)
    verdict, *_ = kernel.search(puzzle, 2, _CHECK * _BUDGET, stop=flag_of(cancel), grids=[solution])
    if verdict != Verdict.UNIQUE:
        return None
    clues = [cell for cell in range(81) if puzzle[cell]]
    less = b"".join(puzzle[:cell] + b"\0" + puzzle[cell + 1 :] for cell in clues)
    starts, counts, verdicts = array("q", range(0, len(less), 81)), array("Q", clues), bytearray(len(clues))
    options: dict[str, Any] = {"zero": 0, "limit": 2, "counts": counts, "verdicts": verdicts}
    call_to_end(kernel.lanes().solve_cells, less, starts, cancel=cancel, **options)
    unique = int(Verdict.UNIQUE)
    names = tuple(
        candidate_name((cell, puzzle[cell]))
        for cell, own in zip(clues, verdicts, strict=True)
        if own == unique
    )
    return Diagnosis(
        grid.line, "unique", (Grid(bytes(solution)).line,), 1, redundant=names, minimal=not names
    )


def _typos(cells: Rows, cancel: Cancel) -> list[Typo]:
    """Return the changes of one clue that make a puzzle proper."""
    clues = np.flatnonzero(cells)
    if len(clues) < FEWEST_CLUES:
        return []
    rows = _variants(cells, np.repeat(clues, 10), np.tile(np.arange(10, dtype=np.uint8), len(clues)))
    verdicts = solve_rows(rows, 2, _CHECK * _BUDGET, grids=0, cancel=cancel).verdicts
    for row in np.flatnonzero(verdicts == int(Verdict.UNKNOWN)).tolist():
        verdicts[row] = _search(rows[row], cancel).verdicts[0]
    is_proper = (verdicts == int(Verdict.UNIQUE)).reshape(len(clues), 10)
    return [
        Typo(cell_name(int(cell)), int(cells[cell]), digit, bool(proper[0]))
        for cell, proper in zip(clues, is_proper, strict=True)
        for digit in (np.flatnonzero(proper[1:]) + 1).tolist()
    ]


def _variants(cells: Rows, places: Sequence[int] | NDArray[np.intp], values: Rows | int) -> Rows:
    """Return copies of a puzzle, each with another value in one cell."""
    rows = np.repeat(cells[None], len(places), axis=0)
    rows[np.arange(len(places)), places] = values
    return rows


def _search(cells: Rows, cancel: Cancel) -> SearchOutputs:
    """Search for up to two solutions of a puzzle, with the method if the kernel needs many guesses."""
    answers = solve_rows(cells[None, :], 2, _CHECK * _BUDGET, cancel=cancel)
    if answers.verdicts[0] == int(Verdict.UNKNOWN) and (
        answers.counts[0] or _solvable(cells[None, :], _CHECK * _BUDGET, cancel)[0] != _NO
    ):
        return solve_rows(cells[None, :], cancel=cancel)
    return answers


def _conflict(grid: Grid, cancel: Cancel) -> tuple[int, ...]:
    """Return the smallest of a few minimal sets of clues that contradict each other."""
    for clash in grid.clashes():
        return clash.first, clash.second
    cells = np.frombuffer(grid.cells, dtype=np.uint8)
    clues = np.flatnonzero(cells)
    shuffle = np.random.default_rng(0).permutation
    orders = [clues, clues[::-1], *(shuffle(clues) for _ in range(_ORDERS - 2))]
    budget = _BUDGET
    while True:
        cores = [_contradictory(cells, order, budget, cancel) for order in orders]
        minimal = [core for core in cores if core is not None]
        if minimal:
            smallest = min(minimal, key=len)
            return tuple(sorted(smallest))
        budget *= 30


def _contradictory(cells: Rows, order: NDArray[np.intp], budget: int, cancel: Cancel) -> list[int] | None:
    """Shrink contradictory clues to a minimal set.

    Clues are added in order until they contradict. The last clue added belongs to the minimal set, and the
    clues before it are added again in the same way, until only the set is needed for a contradiction.

    The budget of guesses avoids sets with a deep contradiction. It can also hide an earlier contradiction, so
    each clue of the set is checked once more. The result is None if the budget is too small to decide whether
    a clue is redundant.
    """
    core: list[int] = []
    while True:
        rows = np.zeros((len(order) + 1, 81), dtype=np.uint8)
        rows[:, core] = cells[core]
        for k, cell in enumerate(order):
            rows[k + 1 :, cell] = cells[cell]
        contradictory = np.flatnonzero(_solvable(rows, budget, cancel) == _NO)
        if not len(contradictory):
            return None
        end = int(contradictory[0])
        if end == 0:
            break
        core.append(int(order[end - 1]))
        order = order[: end - 1]
    while True:
        puzzle = np.zeros(81, np.uint8)
        puzzle[core] = cells[core]
        solvable = _solvable(_variants(puzzle, core, 0), _CHECK * budget, cancel)
        if (solvable == _YES).all():
            return core
        redundant = np.flatnonzero(solvable == _NO)
        if not len(redundant):
            return None
        del core[int(redundant[0])]


def _solvable(rows: Rows, budget: int, cancel: Cancel) -> NDArray[np.int8]:
    """Decide whether puzzles have a solution, within a budget of guesses: `_YES`, `_NO` or `_OPEN`.

    A contradiction of few clues in a nearly empty grid costs the kernel many guesses; the method often finds
    it with its subsets and its choice of the cell.
    """
    answers = solve_rows(rows, 1, budget, grids=0, cancel=cancel)
    is_none = answers.verdicts == int(Verdict.NONE)
    states = np.where(answers.counts > 0, _YES, np.where(is_none, _NO, _OPEN)).astype(np.int8)
    unknown = np.flatnonzero(states == _OPEN)
    if len(unknown):
        totals = run_in_worker(
            lambda stop: run_classify(rows[unknown], presets=budget // 10, cancel=stop), cancel
        )
        states[unknown] = np.array([_YES, _OPEN, _NO], dtype=np.int8)[totals["status"]]
    return states


def _deciding_clues(cells: Rows, solutions: Rows, cancel: Cancel) -> list[tuple[int, int]]:
    """Find a few additional clues that leave one of the first solutions; none of them is redundant."""
    base = cells.copy()
    clues: list[tuple[int, int]] = []
    while len(solutions) > _LISTED:
        # the clue that leaves the fewest solutions; if all leave many, the rarest in a sample
        empty = np.flatnonzero(base == 0)
        places, digits = np.repeat(empty, 9), np.tile(np.arange(1, 10, dtype=np.uint8), len(empty))
        answers = solve_rows(_variants(base, places, digits), _PROBE, _CHECK * _PROBE, cancel=cancel)
        is_possible = answers.counts > 0
        counts = np.where(is_possible, answers.counts, _PROBE)
        if counts.min() == _PROBE:
            sample = np.concatenate([answers.solutions[is_possible], answers.witnesses[is_possible]])
            counts = (sample[:, places] == digits).sum(axis=0)
            counts[~is_possible] = len(sample) + 1
        best = int(np.argmin(counts))
        base[places[best]] = digits[best]
        clues.append((int(places[best]), int(digits[best])))
        solutions = _first_solutions(base, cancel)
    clues += _smallest(solutions)
    for clue in tuple(clues):
        subset = [pair for pair in clues if pair != clue]
        row = cells.copy()
        for cell, digit in subset:
            row[cell] = digit
        if are_proper(row[None, :], cancel)[0]:
            clues = subset
    return sorted(clues)


def _first_solutions(cells: Rows, cancel: Cancel) -> Rows:
    """Return all solutions, or the first `_LISTED` + 1 if there are more than `_LISTED`."""
    solutions = kernel.chunk_of(kernel.solution_search(cells.tobytes()), _LISTED + 1, cancel)
    return np.frombuffer(solutions, dtype=np.uint8).reshape(-1, 81)


def _symmetric_sets(cells: bytes, solutions: Rows) -> Iterator[tuple[str, ...]]:
    """Yield the clues of only one solution in cells that the symmetry of the clues maps to each other."""
    moves = GROUPS[clue_symmetry(cells)]
    orbits = {
        tuple(sorted({cell, *(moved[cell] for moved in moves)})) for cell in range(81) if not cells[cell]
    }
    for orbit in sorted(orbits) if moves else ():
        values, counts = np.unique(solutions[:, orbit], axis=0, return_counts=True)
        for digits in values[counts == 1].tolist():
            yield tuple(map(candidate_name, zip(orbit, digits, strict=True)))


def _smallest(solutions: Rows) -> list[tuple[int, int]]:
    """Find few clues that only one of these solutions has: one or two if possible."""
    if len(solutions) < 2:
        return []
    digits = np.arange(1, 10, dtype=np.uint8)
    holds = (solutions[:, :, None] == digits).reshape(len(solutions), -1)
    clues = np.flatnonzero(holds.any(axis=0) & ~holds.all(axis=0))
    shares = holds[:, clues].astype(np.float32)
    counts = shares.T @ shares  # of the solutions that have clue a and clue b

    def clue(k: int) -> tuple[int, int]:
        return candidate_at(int(clues[k]))

    unique = np.flatnonzero(np.diagonal(counts) == 1)
    if len(unique):
        return [clue(int(unique[0]))]
    flat = np.triu(counts, 1).ravel()
    flat[flat == 0] = np.inf
    size = len(counts)
    fewest = int(np.argmin(flat))
    if flat[fewest] == 1:
        return [clue(fewest // size), clue(fewest % size)]
    best: list[tuple[int, int]] = []
    pairs = np.sort(np.argpartition(flat, min(_PAIRS, len(flat) - 1))[:_PAIRS])
    for k in pairs[np.argsort(flat[pairs], kind="stable")]:
        pair = [int(k) // size, int(k) % size]
        if not np.isfinite(flat[k]):
            break
        tail = _smallest(solutions[shares[:, pair].all(axis=1)])
        if not best or len(tail) + 2 < len(best):
            best = [*map(clue, pair), *tail]
        if len(tail) == 1:
            break
    return best
