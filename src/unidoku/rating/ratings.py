"""Ratings of many puzzles, as columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unidoku import kernel
from unidoku.compat import np
from unidoku.kernel import flat
from unidoku.native.rating import codes
from unidoku.rating.names import NAMES, TECHNIQUES
from unidoku.rating.scale import FULL, LOWEST, QUICK, REASONS, UNBOUNDED, WORDS, engine, outputs_of, tenths
from unidoku.table.column import Column
from unidoku.table.forms import PuzzlesLike
from unidoku.table.puzzles import Puzzles, Result, with_reason
from unidoku.threads import CANCELLED, Cancel, cancel_of, map_parts, thread_count, within
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Outputs: TypeAlias = "dict[str, Any]"  # buffers of numbers

_FEW = 8  # up to this many puzzles are rated faster one by one than in lanes
_COLUMNS = {
    **dict.fromkeys(("er", "ep", "ed"), "int16"),
    **dict.fromkeys(("techniques", "names", "outcomes"), "uint8"),
}
_TENTHS = ("er", "ep", "ed")
_IN_LANES = 45  # below this rating in tenths, puzzles are rated in lanes
# Puzzles are rated in rounds, the hardest last: below this rating in tenths, at most so many puzzles a part.
_ROUNDS = ((_IN_LANES, 16384), (QUICK, 256), (UNBOUNDED, 1))
_EFFORTS = 256  # puzzles whose efforts are found at a time, some 10 milliseconds of hard ones
_SMALL_PART = 64  # parts are made smaller for more threads, but not smaller than this


def rate_many(
    puzzles: PuzzlesLike,
    *,
    below: float | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Result:
    """Rate how hard many puzzles are for a person, as Sudoku Explainer 1.2.1 does.

    Parameters
    ----------
    puzzles, threads, errors
        As for `unidoku.check_many`.
    below : float, optional
        As for `unidoku.rate`.
    cancel : Cancel, optional
        Set it to stop; puzzles that are not rated then have a reason.
    timeout : float, optional
        Cancel it after this number of seconds.

    Returns
    -------
    Result
        The columns er, ep, ed, technique, name, difficulty, at_least and effort, as of `Rating`; a row
        without a rating has no values, but a reason. The efforts are found when they are read first.

    Raises
    ------
    InvalidPuzzleError
        A row is not a puzzle of 81 cells; the message names the row, from 0.
    ValueError
        A number or `errors` is not allowed.

    Notes
    -----
    Up to 4.4 many puzzles are rated at once in the lanes of vectors, so pass thousands in a call.

    Examples
    --------
    >>> import unidoku
    >>> quiz = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
    >>> ratings = unidoku.rate_many([quiz, "." * 81])
    >>> ratings.er.tolist(), ratings.reasons
    ([10.6, nan], {1: 'several solutions'})
    >>> ratings[0].er, ratings[0].name, ratings[0].difficulty
    (10.6, 'Nested Contradiction Forcing Chains', 'extreme')
    >>> easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> unidoku.rate_many([easy]).effort.tolist()
    [123]
    """
    cancel = within(cancel, timeout)
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    outputs, reasons = _rate(inputs.cells, below, threads, cancel)
    result = inputs.result(partial(_columns, outputs), reasons)
    cells = np.array(inputs.cells)  # the caller may change the puzzles
    result.later = {"effort": partial(_efforts_of_rows, cells, inputs.places(result.reasons), threads)}
    return result


def rate_columns(
    cells: NDArray[np.uint8],
    *,
    below: float | None = None,
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> tuple[dict[str, Column], dict[int, str]]:
    """Rate puzzles, uint8[n, 81]; return the columns of `rate_many`, and why puzzles have no rating.

    Techniques, names and difficulties are codes of categories.
    """
    outputs, reasons = _rate(cells, below, threads, cancel)
    return _columns(outputs), reasons


def _rate(
    cells: NDArray[np.uint8], below: float | None, threads: int | None, cancel: Cancel | None
) -> tuple[_Outputs, dict[int, str]]:
    """Rate puzzles; return the outputs of the engine, and why puzzles have no rating."""
    highest, count = tenths(below), thread_count(threads)
    if len(cells) == 1:  # without threads and arrays
        return _rate_alone(cells.tobytes(), highest, cancel)
    outputs, reasons = _rate_in_rounds(cells, highest, count, cancel_of(cancel))
    is_stopped = outputs["outcomes"] == codes.STOPPED
    full = np.flatnonzero(cells.all(axis=1) & ~is_stopped)
    reasons = dict.fromkeys(full.tolist(), FULL) | reasons
    return outputs, with_reason(reasons, np.flatnonzero(is_stopped), CANCELLED)


def _rate_alone(cells: bytes, highest: int, cancel: Cancel | None) -> tuple[_Outputs, dict[int, str]]:
    """Do the same with one puzzle."""
    verdict, outputs = outputs_of(cells, highest, cancel)
    if outputs["outcomes"][0] == codes.STOPPED:
        return outputs, {0: CANCELLED}
    reason = REASONS.get(verdict, "" if 0 in cells else FULL)
    return outputs, {0: reason} if reason else {}


def _columns(outputs: _Outputs) -> dict[str, Column]:
    """Return the outputs of the engine as columns; puzzles that are not rated have no values."""
    columns = {name: np.array(outputs[name], type_) for name, type_ in _COLUMNS.items()}
    outcomes = columns.pop("outcomes")
    for column in columns.values():
        column[outcomes == codes.STOPPED] = 0
    at_least = outcomes == codes.AT_LEAST
    rated = columns["er"] > 0
    difficulties = np.searchsorted(LOWEST, columns["er"], side="right").astype(np.uint8)
    techniques, names = (
        np.where(at_least, 0, columns[name]).astype(np.uint8) for name in ("techniques", "names")
    )
    return {
        **{name: Column(np.where(rated, columns[name] / 10, np.nan), states=rated) for name in _TENTHS},
        "technique": Column(techniques, TECHNIQUES, techniques > 0),
        "name": Column(names, NAMES, names > 0),
        "difficulty": Column(difficulties, WORDS, rated),
        "at_least": Column(at_least, states=rated),
    }


def _room(n: int) -> _Outputs:
    """Allocate the outputs of the engine for n puzzles."""
    return {name: np.zeros(n, type_) for name, type_ in _COLUMNS.items()}


def _rate_in_rounds(
    cells: NDArray[np.uint8], highest: int, threads: int, cancel: Cancel
) -> tuple[_Outputs, dict[int, str]]:
    """Rate puzzles, the hardest last; return the outputs of the engine, and why puzzles are improper.

    A rating by the lanes proves a puzzle proper; the others are checked after the first round, or before it
    without lanes.
    """
    outputs = _room(len(cells))
    outcomes = outputs["outcomes"]
    outcomes[:] = codes.AT_LEAST
    in_lanes = highest >= _IN_LANES and len(cells) > _FEW
    limits: dict[str, Any] = {"lanes": in_lanes}
    reasons = {} if in_lanes else _drop_improper(cells, outputs, threads, cancel)
    states: NDArray[np.uint8] | None = None
    for bound, most_rows in _ROUNDS[not in_lanes :]:
        rows = np.flatnonzero(outcomes == codes.AT_LEAST)
        if not len(rows):
            break
        size = min(most_rows, max(_SMALL_PART, -(-len(rows) // threads)))
        parts = [slice(begin, begin + size) for begin in range(0, len(rows), size)]
        limits["below"] = min(bound, highest)
        work = partial(_rate_part, cells, rows, states, keep_states=bound < highest, **limits)
        cancellable = bound > QUICK or len(rows) > _FEW
        outcomes[rows] = codes.STOPPED  # until they are rated
        open_states = [np.empty((0, engine().STATE_SIZE), np.uint8)]
        for part, (part_outputs, part_states) in map_parts(
            work, parts, threads, cancel, cancellable=cancellable
        ):
            open_states.append(part_states)
            for name, output in part_outputs.items():
                outputs[name][rows[part]] = output
        open_rows = np.flatnonzero(outcomes == codes.AT_LEAST)
        if states is None and in_lanes:
            reasons = _drop_improper(cells, outputs, threads, cancel)
        if cancel and bound < highest:
            outcomes[outcomes == codes.AT_LEAST] = codes.STOPPED
        if cancel or bound >= highest:
            break
        states = np.concatenate(open_states)[outcomes[open_rows] == codes.AT_LEAST]
    return outputs, reasons


def _rate_part(
    cells: NDArray[np.uint8],
    rows: NDArray[np.int64],
    states: NDArray[np.uint8] | None,
    part: slice,
    stop: Cancel,
    *,
    keep_states: bool,
    **limits: Any,
) -> tuple[_Outputs, NDArray[np.uint8]]:
    """Rate a part of the rows, from their states if any; return the outputs and the states of open rows."""
    outputs = _room(len(rows[part]))
    if states is not None:
        part_states = states[part]
        engine().rate_further(part_states, **outputs, below=limits["below"], stop=stop.flag)
    else:
        part_states = np.empty((len(rows[part]) if keep_states else 0, engine().STATE_SIZE), np.uint8)
        engine().rate_cells(
            *flat(cells[rows[part]]),
            zero=0,
            states=part_states if keep_states else None,
            stop=stop.flag,
            **outputs,
            **limits,
        )
    is_open = outputs["outcomes"] == codes.AT_LEAST
    return outputs, part_states[is_open] if keep_states else part_states


def _drop_improper(
    cells: NDArray[np.uint8], outputs: _Outputs, threads: int, cancel: Cancel
) -> dict[int, str]:
    """Clear the outputs of improper puzzles; return the reasons."""
    reasons: dict[int, str] = {}
    outcomes = outputs["outcomes"]
    unrated = np.flatnonzero((outcomes == codes.AT_LEAST) | (outcomes == codes.IMPROPER))
    for reason, puzzles in improper(cells[unrated], threads, cancel).items():
        rows = unrated[puzzles]
        for output in outputs.values():
            output[rows] = 0
        outcomes[rows] = codes.STOPPED if reason == CANCELLED else codes.IMPROPER
        if reason != CANCELLED:
            reasons |= dict.fromkeys(rows.tolist(), reason)
    return reasons


def improper(cells: NDArray[np.uint8], threads: int, cancel: Cancel) -> dict[str, NDArray[np.int64]]:
    """Map each reason to the indices of improper puzzles; cancelled ones are not checked."""
    counts, verdicts = np.zeros(len(cells), np.uint64), np.full(len(cells), int(Verdict.UNKNOWN), np.uint8)

    def work(part: slice, stop: Cancel) -> None:
        kernel.lanes().solve_cells(
            *flat(cells[part]), zero=0, counts=counts[part], verdicts=verdicts[part], stop=stop.flag
        )

    map_parts(work, Puzzles.of_cells(cells).slices(), threads, cancel)
    return {reason: np.flatnonzero(verdicts == int(verdict)) for verdict, reason in REASONS.items()}


def efforts_of(cells: NDArray[Any], *, threads: int | None = 1, cancel: Cancel | None = None) -> NDArray[Any]:
    """Return the efforts of puzzles, uint8[n, 81]: int16[n], -1 for one that has none.

    After `cancel` the rest is -1.
    """
    efforts = np.full(len(cells), -1, np.int16)
    native = kernel.isa_module(package="effort").efforts

    def work(part: slice, stop: Cancel) -> None:
        native(*flat(cells[part]), efforts[part], zero=0, stop=stop.flag)
        if stop:
            efforts[part] = -1

    parts = [slice(begin, begin + _EFFORTS) for begin in range(0, len(cells), _EFFORTS)]
    map_parts(work, parts, thread_count(threads), cancel_of(cancel), cancellable=len(parts) > 1)
    return efforts


def effort_column(cells: NDArray[Any], *, threads: int | None = 1, cancel: Cancel | None = None) -> Column:
    """Return the efforts of puzzles, uint8[n, 81], as a column."""
    efforts = efforts_of(cells, threads=threads, cancel=cancel)
    efforts[cells.all(axis=1)] = -1  # no cell is empty
    return Column(efforts.clip(0), states=efforts >= 0)


def _efforts_of_rows(
    cells: NDArray[Any], places: NDArray[Any], threads: int | None, rows: NDArray[Any] | None
) -> Column:
    """Return the efforts of these rows, or of all; `places` has the puzzle of each, or -1."""
    places = places if rows is None else places[rows]
    is_puzzle = places >= 0
    index = np.where(is_puzzle, np.cumsum(is_puzzle) - 1, -1)
    return effort_column(cells[places[is_puzzle]], threads=threads).take(index)
