"""Steps of many puzzles, as columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from sys import byteorder
from typing import TYPE_CHECKING, Any, Literal

from unidoku._compat import np
from unidoku._native.rating import codes
from unidoku._native.text.columns import JSON
from unidoku._table.batch import Batch
from unidoku._table.column import CellValues, Column, ListValues, buffer_of, states_of
from unidoku._threads import (
    CANCELLED,
    Cancel,
    cancel_of,
    map_parts,
    parts_of,
    thread_count,
    within,
)
from unidoku._verdict import BY_CODE, Verdict
from unidoku.cell import candidate_at, candidate_name
from unidoku.counting import verdicts_of
from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.grid import Grid
from unidoku.kernel import are_proper, with_starts
from unidoku.rating._deduction import Deduction, position_of
from unidoku.rating._families import PARTIAL
from unidoku.rating._names import NAMES, TECHNIQUES, TechniquesLike, barred_by
from unidoku.rating._ratings import TENTHS
from unidoku.rating._scale import FULL, REASONS, engine, refuse_cancelled, stuck
from unidoku.rating._step_rows import KINDS, StepRows
from unidoku.rating._steps import next_step, require_proper, right_position, steps_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._table.forms import PuzzlesLike
    from unidoku._table.puzzles import Result

    class StepsResult(Result):
        """The columns of `unidoku.steps_many`: a row for each step."""

        step: NDArray[np.uint16]
        technique: NDArray[np.object_]
        name: NDArray[np.object_]
        kind: NDArray[np.object_]
        rating: NDArray[np.float64]
        placements: NDArray[np.object_]
        eliminations: NDArray[np.object_]
        before: NDArray[np.uint8]
        candidates: NDArray[np.uint16]


_AT_ONCE = 64  # puzzles in a call of native code: the memory of the call before is used again
ALL = 9 * 81
"""The most steps that a puzzle can have: each takes a candidate away."""
_NUMBERS = array("H", range(1, ALL + 1)).tobytes()


@cache
def candidate_names() -> tuple[str, ...]:
    """Return the names of all candidates, by their numbers."""
    return tuple(candidate_name(candidate_at(number)) for number in range(9 * 81))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Paths:
    """The steps of many puzzles, as native code writes them; it needs no arrays.

    ``lengths`` has how many steps each puzzle has. ``reasons`` says by the number of the puzzle why it has no
    steps, or why they end before the grid is full.
    """

    puzzles: Batch
    lengths: Sequence[int]
    rows: StepRows
    reasons: dict[int, Reason]

    @property
    def source_rows(self) -> array[int]:
        """The puzzle of each step, from 0."""
        rows = enumerate(self.lengths)
        return array("q", b"".join(row.to_bytes(8, byteorder) * length for row, length in rows))

    def columns(self, *, candidates: bool) -> dict[str, Column]:
        """Return the columns of `steps_many`, perhaps with the candidates."""
        rows, parts = self.rows, ("placements", "eliminations")
        ends = {part: rows.column(f"{part}_end", first=bytes(8)) for part in parts}
        numbers = array("H", b"".join(_NUMBERS[: 2 * length] for length in self.lengths))
        ratings = rows.column("rating")

        def lists(items: memoryview, part: str, words: tuple[str, ...]) -> Column:
            return Column(ListValues(Column(items, words, is_dictionary=True), ends[part]))

        return {
            "step": Column(numbers),
            "technique": Column(rows.column("technique"), TECHNIQUES),
            "name": Column(rows.column("name"), NAMES),
            "kind": Column(rows.column("kind"), KINDS),
            "rating": Column(ratings, TENTHS, bytes([JSON]) * len(ratings)),
            "placements": lists(rows.placements, "placements", candidate_names()),
            "eliminations": lists(rows.eliminations, "eliminations", candidate_names()),
            "before": Column(CellValues(rows.rows, rows.befores, 0)),
            **({"candidates": Column(np.asarray(rows.candidates).reshape(-1, 81))} if candidates else {}),
        }

    def eliminations(self) -> dict[str, Column]:
        """Return all candidates that the pattern of each step rules out, and those that the step leaves.

        The candidates before each step are kept.
        """
        rows, begin = self.rows, 0
        every, further = ((array("H"), array("q", [0])) for _ in range(2))
        numbers = zip(rows.numbers("technique"), rows.numbers("eliminations_end"), strict=True)
        for row, (technique, end) in enumerate(numbers):
            own, rest = rows.eliminations[begin:end].tolist(), list[int]()
            if technique in PARTIAL:
                part = row, row + 1
                (step,) = rows.deductions(rows.positions(bytes(81), *part), *part)
                rest = [9 * cell + digit - 1 for cell, digit in step.further_eliminations]
            for (items, ends), numbers_of_row in ((every, sorted(own + rest)), (further, rest)):
                items.extend(numbers_of_row)
                ends.append(len(items))
            begin = end
        return {
            name: Column(ListValues(Column(memoryview(items), candidate_names(), is_dictionary=True), ends))
            for name, (items, ends) in (("eliminations", every), ("further_eliminations", further))
        }

    def ends(self) -> tuple[bytes, bytes]:
        """Return which puzzles their steps solve, and how many cells are empty then, a byte for each.

        After a stop it is an error: the ends of some puzzles are not known.
        """
        refuse_cancelled(self.reasons)
        ends, end, left = self.rows.column("placements_end", first=bytes(8)), 0, bytearray()
        for cells, length in zip(self.puzzles.grids(), self.lengths, strict=True):
            begin, end = end, end + length
            left.append(cells.count(0) - (ends[end] - ends[begin]))
        return bytes(not number for number in left), bytes(left)

    def deductions(self) -> Iterator[Deduction]:
        """Yield the deductions of all puzzles, if the candidates before each step are kept."""
        begin = 0
        for cells, length in zip(self.puzzles.grids(), self.lengths, strict=True):
            part = begin, begin + length
            yield from self.rows.deductions(self.rows.positions(cells, *part), *part)
            begin += length


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
) -> StepsResult:
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
        eliminations, before and candidates, as in `unidoku.Step`; candidates is uint16[m, 81], bit d - 1 for
        digit d. ``source_rows`` has the puzzle of each row; a puzzle that no technique solves has steps and a
        reason. A step takes about 350 bytes, half of them for the candidates, so pass at most about 100,000
        puzzles in a call.

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
    from unidoku._table.puzzles import Puzzles, Result  # not at the top: rows in files start faster

    cancel, barred = within(cancel, timeout), barred_by(techniques, without)
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    paths = first_steps(
        inputs.batch, ALL, barred=barred, candidates=candidates, threads=threads, cancel=cancel
    )
    rows = inputs.rows
    reasons = inputs.reasons | {int(rows[row]): reason for row, reason in paths.reasons.items()}
    columns = paths.columns(candidates=candidates)
    result = Result(columns, dict(sorted(reasons.items())), np.repeat(rows, paths.lengths))
    return result  # type: ignore[return-value]


def path_lengths(batch: Batch, *, cancel: Cancel) -> Column:
    """Return the number of steps that solve each puzzle, none if the techniques do not solve it.

    If `cancel` ends the work, it is an error.
    """
    paths = first_steps(batch, ALL, candidates=False, cancel=cancel)
    are_solved, _ = paths.ends()
    return Column(array("h", paths.lengths), states=states_of(are_solved))


def _steps_at(batch: Batch, marks: Sequence[Any], limit: int, barred: int, cancel: Cancel) -> Paths:
    """Find the steps from each position of digits and candidates, at most `limit`."""
    pieces: list[tuple[bytes, ...]] = [(b"",) * 8]
    lengths, reasons = [0] * len(batch), dict[int, Reason]()
    for row, (digits, own) in enumerate(zip(batch.grids(), marks, strict=True)):
        try:
            begin = right_position(Grid(digits), own or None, None, cancel)
        except InvalidPuzzleError as error:
            reasons[row] = error.message
            continue
        found, end = steps_from(begin, cancel, barred=barred, limit=limit)
        pieces += found
        lengths[row] = len(found)
        if not found[-1][0]:  # no technique finds a further step
            lengths[row] -= 1
            if 0 in end.values:
                reasons[row] = stuck(is_chosen=barred > 0)
            elif not lengths[row]:
                reasons[row] = FULL
    return Paths(batch, lengths, StepRows.of(pieces), reasons)


def first_steps(
    batch: Batch,
    limit: int,
    *,
    marks: Sequence[Any] | None = None,
    barred: int = 0,
    candidates: bool = True,
    threads: int | None = 1,
    cancel: Cancel | None = None,
) -> Paths:
    """Find the first steps of each puzzle, at most `limit`, as `steps_many` finds them; see `barred_by`.

    With `marks`, puzzles are positions of digits and these candidates.
    """
    n, workers, flag = len(batch), thread_count(threads), cancel_of(cancel)
    if marks:
        return _steps_at(batch, marks, limit, barred, flag)
    outcomes, lengths = bytearray([codes.STOPPED]) * n, array("q", bytes(8 * n))
    verdicts = verdicts_of(batch, workers, flag)
    rows = array("q", [row for row, verdict in enumerate(verdicts) if verdict == int(Verdict.UNIQUE)])
    starts = buffer_of(batch.take(rows).starts)
    size = _AT_ONCE if workers == 1 else max(1, min(_AT_ONCE, len(rows) // (4 * workers)))
    parts = parts_of(len(rows), size)

    def work(part: slice, stop: Cancel) -> tuple[bytes, ...]:
        own = rows[part]
        results, ends = bytearray(len(own)), array("q", bytes(8 * len(own)))
        buffers: tuple[bytes, ...] = engine().find_paths(
            batch.text,
            starts[part],
            zero=batch.empty_code,
            outcomes=results,
            ends=ends,
            candidates=candidates,
            most=limit,
            barred=barred,
            stop=stop.flag,
        )
        for row, outcome, begin, end in zip(own, results, chain([0], ends), ends, strict=False):
            outcomes[row], lengths[row] = outcome, end - begin
        return buffers

    pieces = [buffers for _, buffers in map_parts(work, parts, workers, flag, cancellable=True)]
    whys = {codes.STUCK: stuck(is_chosen=barred > 0), codes.STOPPED: CANCELLED, codes.RATED: FULL}
    reasons = {
        row: REASONS.get(BY_CODE[verdicts[row]], whys[outcome])
        for row, outcome in enumerate(outcomes)
        if outcome != codes.RATED or not lengths[row]
    }
    return Paths(batch, lengths, StepRows.of(pieces or [(b"",) * 8]), reasons)


def next_placements(grids: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the candidates that the next steps of n grids place, uint8[n, 81]: 9 * cell + digit - 1."""
    outcomes, ends = np.empty(len(grids), np.uint8), np.empty(len(grids), np.int64)
    outputs = {"outcomes": outcomes, "ends": ends, "candidates": False}
    rows = StepRows.of([engine().find_paths(*with_starts(grids), zero=0, most=1, easy=True, **outputs)])
    found = np.diff(ends, prepend=0) > 0  # an easy step, the first, places a digit
    placements = np.full(len(grids), -1)
    placements[found] = rows.numbers("placement")
    placements[~are_proper(grids)] = -1
    for number in np.flatnonzero(placements < 0).tolist():
        position = position_of(require_proper(grids[number]))
        while (step := next_step(position)) is not None and not step.placements:
            position = step.after
        cell, digit = next(iter(step.placements if step else ()))
        placements[number] = 9 * cell + digit - 1
    return placements
