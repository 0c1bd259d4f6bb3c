"""Steps of many puzzles, as arrays and as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from unidoku.cell import candidate_names
from unidoku.compat import np
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.kernel import flat
from unidoku.native.rating import codes
from unidoku.rating.deduction import KINDS, LINKS, Deduction, StepRows, numbers_of
from unidoku.rating.names import NAMES, TECHNIQUES, TechniquesLike, barred_by
from unidoku.rating.ratings import improper
from unidoku.rating.scale import FULL, STUCK, STUCK_WITH_CHOSEN, engine
from unidoku.rating.steps import step_at
from unidoku.table.column import Column
from unidoku.table.forms import PuzzlesLike, read_cells
from unidoku.table.puzzles import Result, with_reason
from unidoku.threads import CANCELLED, Cancel, cancel_of, map_parts, thread_count, within

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AT_ONCE = 64  # puzzles in a call of native code: the memory of the call before is used again
ALL = 9 * 81
"""The most steps that a puzzle can have: each takes a candidate away."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Paths:
    """The steps of many puzzles, as native code writes them.

    The steps of puzzle i are those of rows ``offsets[i]`` up to ``offsets[i + 1]``. ``reasons`` says by the
    number of the puzzle why it has no steps, or why they end before the grid is full.
    """

    puzzles: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    rows: StepRows
    reasons: Mapping[int, str]

    @property
    def source_rows(self) -> NDArray[np.int64]:
        """The puzzle of each step, from 0: int64[m]."""
        return np.repeat(np.arange(len(self.puzzles)), np.diff(self.offsets))

    def columns(self) -> dict[str, Column]:
        """Return the columns of `steps_many`."""
        steps, sources = self.rows, self.source_rows
        numbers = numbers_of(steps.rows)
        removed, links = (np.asarray(part, np.int16) for part in (steps.eliminations, steps.links))
        names = ("technique", "name", "kind", "rating", "placement", "eliminations_end", "links_end")
        technique, name, kind, rating, placements, elimination_ends, link_ends = (
            np.ascontiguousarray(numbers[name]) for name in names
        )
        fills = placements >= 0

        def lists(items: Column, ends: NDArray[np.int64]) -> Column:
            return Column.of_lists(items, np.concatenate([[0], ends]))

        def candidates(values: NDArray[np.int16], ends: NDArray[np.int64]) -> Column:
            return lists(Column(values, candidate_names(), is_dictionary=True), ends)

        starts, ends, kinds_of_links = links.reshape(-1, 3).T
        columns = {
            "step": Column((np.arange(len(sources)) - self.offsets[sources] + 1).astype(np.uint16)),
            "technique": Column(technique, TECHNIQUES),
            "name": Column(name, NAMES),
            "kind": Column(kind, KINDS),
            "rating": Column(rating / 10),
            "placements": candidates(placements[fills], np.cumsum(fills, dtype=np.int64)),
            "eliminations": candidates(removed, elimination_ends),
            "before": Column(numbers["before"]),
            "candidates": Column(np.asarray(steps.candidates).reshape(-1, 81)),
            "link_starts": candidates(starts, link_ends),
            "link_ends": candidates(ends, link_ends),
            "link_kinds": lists(Column(kinds_of_links, LINKS, is_dictionary=True), link_ends),
        }
        if len(steps.candidates) < 81 * len(sources):
            del columns["candidates"]
        return columns

    def ends(self) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return which puzzles their steps solve, and how many cells are empty after them."""
        empty = (self.puzzles == 0).sum(axis=1)
        placements = numbers_of(self.rows.rows)["placement"] >= 0
        left = empty - np.bincount(self.source_rows[placements], minlength=len(empty))
        return left == 0, left

    def deductions(self) -> Iterator[Deduction]:
        """Yield the deductions of all puzzles."""
        for number in range(len(self.puzzles)):
            yield from self.path(number)

    def path(self, number: int) -> Iterator[Deduction]:
        """Yield the deductions of a puzzle, where the candidates before each step are kept."""
        rows, clues, part = (
            self.rows,
            self.puzzles[number].tobytes(),
            self.offsets[number : number + 2].tolist(),
        )
        return rows.deductions(rows.positions(clues, *part), *part)


def steps_many(
    puzzles: PuzzlesLike,
    *,
    techniques: TechniquesLike | None = None,
    without: TechniquesLike | None = None,
    candidates: bool = True,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Result:
    """Find the steps that solve many puzzles, as Sudoku Explainer 1.2.1 takes them.

    The steps are the same as by `unidoku.steps`; as columns they need no Python object each.

    Parameters
    ----------
    puzzles, threads, errors
        As for `unidoku.check_many`.
    techniques, without
        As for `unidoku.steps`.
    candidates : bool, optional
        Whether to keep the candidates before each step.
    cancel : Cancel, optional
        Set it to stop; puzzles that are not done then have a reason.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Result
        A row for each step, with the columns step (from 1), technique, name, kind, rating, placements,
        eliminations, before, candidates, link_starts, link_ends and link_kinds, as of `unidoku.Step`;
        candidates is uint16[m, 81], bit d - 1 for digit d. ``source_rows`` has the puzzle of each row; a
        puzzle that no technique solves has steps and a reason. A step takes about 350 bytes, half of them for
        the candidates, so pass at most about 100,000 puzzles in a call.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle of 81 cells; the message names the row, from 0.
    ValueError
        A number or `errors` is not allowed.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> steps = steps_many([puzzle, "." * 81])
    >>> len(steps), steps.reasons
    (51, {1: 'several solutions'})
    >>> steps[0].technique, steps[0].rating, steps[0].placements
    ('hidden single', 1.2, ['r1c6=8'])
    """
    cancel = within(cancel, timeout)
    limits: dict[str, Any] = {"candidates": candidates, "threads": threads, "errors": errors}
    paths = first_steps(puzzles, ALL, barred=barred_by(techniques, without), cancel=cancel, **limits)
    return Result(paths.columns(), paths.reasons, paths.source_rows)


def steps_at(cells: NDArray[np.uint8], marks: Sequence[Any], cancel: Cancel) -> Paths:
    """Find the step of each position of digits and candidates, as `steps_many` writes them."""
    pieces: list[tuple[bytes, ...]] = [(b"",) * 5]
    lengths, reasons = [0], dict[int, str]()
    for row, (digits, own) in enumerate(zip(cells, marks, strict=True)):
        try:
            pieces.append(step_at(Grid(digits), own or None, cancel))
            reasons |= {} if pieces[-1][0] else {row: STUCK if 0 in digits else FULL}
        except InvalidPuzzleError as error:
            reasons[row] = error.message
        lengths.append(int(row not in reasons))
    return Paths(np.array(cells), np.cumsum(lengths), StepRows.of(pieces), reasons)


def first_steps(
    puzzles: PuzzlesLike,
    limit: int,
    *,
    barred: int = 0,
    candidates: bool = True,
    threads: int | None = None,
    errors: str = "raise",
    cancel: Cancel | None = None,
) -> Paths:
    """Find the first steps of each puzzle, at most `limit`, as `steps_many` finds them; see `barred_by`."""
    count = thread_count(threads)
    cells, reasons = read_cells(puzzles, errors=errors, cancel=cancel)
    n = len(cells)
    outcomes, lengths = np.full(n, codes.STOPPED, np.uint8), np.zeros(n, np.int64)
    flag = cancel_of(cancel)
    rows = np.delete(np.arange(n), list(reasons))
    for reason, indices in improper(cells[rows] if reasons else cells, count, flag).items():
        if reason != CANCELLED:  # after which no other row has steps either
            reasons |= dict.fromkeys(rows[indices].tolist(), reason)
    rows = np.delete(np.arange(n), list(reasons))
    size = _AT_ONCE if count == 1 else max(1, min(_AT_ONCE, len(rows) // (4 * count)))
    parts = [rows[begin : begin + size] for begin in range(0, len(rows), size)]

    def work(part: NDArray[np.int64], stop: Cancel) -> tuple[bytes, ...]:
        results, ends = np.zeros(len(part), np.uint8), np.zeros(len(part), np.int64)
        buffers: tuple[bytes, ...] = engine().find_paths(
            *flat(cells[part]),
            zero=0,
            outcomes=results,
            ends=ends,
            candidates=candidates,
            most=limit,
            barred=barred,
            stop=stop.flag,
        )
        outcomes[part], lengths[part] = results, np.diff(ends, prepend=0)
        return buffers

    pieces = [buffers for _, buffers in map_parts(work, parts, count, flag, cancellable=True)]
    is_stopped = outcomes[rows] == codes.STOPPED
    full = rows[~is_stopped & cells[rows].all(axis=1)]
    stuck = STUCK_WITH_CHOSEN if barred else STUCK
    reasons |= dict.fromkeys(rows[outcomes[rows] == codes.STUCK].tolist(), stuck)
    reasons |= dict.fromkeys(full.tolist(), FULL)
    reasons = with_reason(reasons, rows[is_stopped], CANCELLED)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    # the caller may change the puzzles
    return Paths(np.array(cells), offsets, StepRows.of(pieces), reasons)
