"""Ratings of many puzzles, as columns."""

from __future__ import annotations

import re
from array import array
from bisect import bisect
from collections.abc import Sequence
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unidoku import kernel
from unidoku._arguments import positive
from unidoku._compat import np
from unidoku._native.rating import codes
from unidoku._native.text.columns import JSON, MISSING, TEXT
from unidoku._table.batch import Batch
from unidoku._table.column import Column, buffer_of, states_of
from unidoku._threads import (
    CANCELLED,
    MAX_THREADS,
    Cancel,
    call_to_end,
    cancel_of,
    map_parts,
    map_whole,
    parts_of,
    thread_count,
    within,
)
from unidoku._verdict import BY_CODE, Verdict
from unidoku.counting import IMPROPER, verdicts_of
from unidoku.errors import Reason
from unidoku.rating._names import NAMES, TECHNIQUES
from unidoku.rating._scale import (
    FULL,
    LOWEST,
    QUICK,
    REASONS,
    UNBOUNDED,
    WORDS,
    engine,
    rate_alone,
    refuse_cancelled,
    tenths,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku._table.forms import PuzzlesLike
    from unidoku._table.puzzles import Result

    class RateResult(Result):
        """The columns of `unidoku.rate_many`."""

        er: NDArray[np.float64]
        ep: NDArray[np.float64]
        ed: NDArray[np.float64]
        technique: NDArray[np.object_]
        name: NDArray[np.object_]
        difficulty: NDArray[np.object_]
        at_least: NDArray[np.bool_]
        effort: NDArray[np.int16]


_Outputs: TypeAlias = "dict[str, bytearray]"

_FEW = 8  # up to this many puzzles are rated faster one by one than in lanes
_IN_LANES = 45  # below this rating in tenths, puzzles are rated in lanes
# Puzzles are rated in rounds, the hardest last: below this rating in tenths, at most so many puzzles a part.
_ROUNDS = ((_IN_LANES, 16384), (QUICK, 256), (UNBOUNDED, 1))
_EFFORTS = 256  # puzzles whose efforts are found at a time, some 10 milliseconds of hard puzzles
_SMALL_PART = 64  # parts are made smaller for more threads, but not smaller than this

TENTHS = tuple(number / 10 for number in range(UNBOUNDED + 1))
"""The ratings by their tenths."""
# Of each code: the state of its row as a text and as a number, its difficulty, whether it is this outcome.
_STATES, _NUMBERS = (bytes([MISSING, *[state] * 255]) for state in (TEXT, JSON))
_DIFFICULTIES = bytes(bisect(LOWEST, tenths) for tenths in range(256))
_OPEN, _UNPROVED, _STOPPED, _UNRATED = (
    re.compile(pattern % re.escape(bytes(some)))
    for pattern, *some in (
        (b"%s", codes.AT_LEAST),
        (b"[%s]", codes.AT_LEAST, codes.IMPROPER),
        (b"%s", codes.STOPPED),
        (b"%s", 0),
    )
)
_RATINGS = ("er", "ep", "ed", "techniques", "names")
_AT_LEAST = bytes(code == codes.AT_LEAST for code in range(256))


def rate_many(
    puzzles: PuzzlesLike,
    *,
    below: float | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> RateResult:
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
        The columns er, ep, ed, technique, name, difficulty, at_least and effort, as in `Rating`; a row
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
    from unidoku._table.puzzles import Puzzles  # not at the top: rows in files start faster

    cancel = within(cancel, timeout)
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    outputs, reasons = _rate(inputs.batch, below, threads, cancel)
    result = inputs.result(partial(_columns, outputs), reasons)
    cells = np.array(inputs.cells)  # the caller may change the puzzles
    places = inputs.places(result.reasons) if result.reasons else None
    result.later = {"effort": partial(_efforts_of_rows, cells, places, threads)}
    return result  # type: ignore[return-value]


def rate_columns(
    batch: Batch, *, below: float | None = None, threads: int | None = None, cancel: Cancel | None = None
) -> tuple[dict[str, Column], dict[int, Reason]]:
    """Rate puzzles without arrays; return the columns of `rate_many`, and why puzzles have no rating.

    All but ``at_least`` are codes of categories. If `cancel` ends the work, it is an error.
    """
    outputs, reasons = _rate(batch, below, threads, cancel)
    refuse_cancelled(reasons)
    return _columns(outputs), reasons


def _columns(outputs: _Outputs) -> dict[str, Column]:
    """Return the outputs of the engine as columns; puzzles that are not rated have no values."""
    er, techniques, names = (outputs[name] for name in ("er", "techniques", "names"))
    at_least, rated = outputs["outcomes"].translate(_AT_LEAST), er.translate(_STATES)
    return {
        **{name: Column(outputs[name], TENTHS, er.translate(_NUMBERS)) for name in ("er", "ep", "ed")},
        "technique": Column(techniques, TECHNIQUES, techniques.translate(_STATES)),
        "name": Column(names, NAMES, names.translate(_STATES)),
        "difficulty": Column(er.translate(_DIFFICULTIES), WORDS, rated),
        "at_least": Column(memoryview(at_least).cast("?"), states=rated),
    }


def _rate(
    batch: Batch, below: float | None, threads: int | None, cancel: Cancel | None
) -> tuple[_Outputs, dict[int, Reason]]:
    """Rate puzzles, the hardest last; return the outputs of the engine, and why puzzles have no rating.

    A rating by the lanes proves a puzzle proper. The other puzzles are checked after the first round, or
    before it without lanes.
    """
    n, highest = len(batch), tenths(below)
    outputs = {name: bytearray(n) for name in _RATINGS}
    outcomes = outputs["outcomes"] = bytearray([codes.STOPPED]) * n  # until they are rated
    if n == 1:
        positive("threads", threads, MAX_THREADS)  # checked, but only one is needed
        verdict = rate_alone(bytes(batch.values()), highest, outputs, cancel)
        return outputs, {0: REASONS[verdict]} if verdict in REASONS else _drop_stopped(outputs)
    count, flag = thread_count(threads), cancel_of(cancel)
    inputs: dict[str, Any] = {"batch": batch, "starts": buffer_of(batch.starts), "outputs": outputs}
    states, reasons = b"", dict[int, Reason]()
    rows: Sequence[int] = range(n)
    in_lanes = highest >= _IN_LANES and n > _FEW
    if not in_lanes:
        reasons = _drop_improper(batch, rows, outputs, count, flag)
        rows = array("q", (row for row in rows if row not in reasons))
    for bound, most in _ROUNDS[not in_lanes :]:
        limits = {"below": min(bound, highest), "keep": bound < highest}
        work = partial(_rate_part, rows=rows, states=states, limits=limits, **inputs)
        size = min(most, max(_SMALL_PART, -(-len(rows) // count)))
        parts = parts_of(len(rows), size)
        cancellable = bound > QUICK or len(rows) > _FEW
        states = b"".join(piece for _, piece in map_parts(work, parts, count, flag, cancellable=cancellable))
        rows = _places(_OPEN, outcomes)
        if bound == _IN_LANES:
            reasons = _drop_improper(batch, _places(_UNPROVED, outcomes), outputs, count, flag)
            size = len(states) // max(1, len(rows))
            kept = [outcomes[row] == codes.AT_LEAST for row in rows]
            states = b"".join(compress((states[size * k : size * (k + 1)] for k in range(len(kept))), kept))
            rows = array("q", compress(rows, kept))
        if bound >= highest or not rows:
            break
        for row in rows:
            outcomes[row] = codes.STOPPED  # until they are rated
    return outputs, _drop_stopped(outputs) | reasons


def _rate_part(
    part: slice,
    stop: Cancel,
    *,
    batch: Batch,
    starts: Any,
    rows: Sequence[int],
    states: bytes,
    outputs: _Outputs,
    limits: dict[str, Any],
) -> bytes:
    """Rate a part of the rows, from their states if any; return the states of the open rows."""
    native, options = engine(), {**limits, "stop": stop.flag}
    kept: bytes
    if states:
        size = len(states) // len(rows)
        some = memoryview(states)[size * part.start : size * part.stop]
        kept = native.rate_further(some, rows[part], **outputs, **options)
    elif isinstance(rows, range):  # all, in lanes
        own = {name: memoryview(output)[part] for name, output in outputs.items()}
        kept = native.rate_cells(batch.text, starts[part], zero=batch.empty_code, **own, **options)
    else:
        options |= {"zero": batch.empty_code, "rows": rows[part]}
        kept = native.rate_cells(batch.text, starts, **outputs, **options)
    return kept


def _drop_stopped(outputs: _Outputs) -> dict[int, Reason]:
    """Take from rows whose last round was stopped what earlier rounds left; return why rows have no rating.

    Only the outcome says whether a row is rated: it is `STOPPED` until its last round has written it.
    """
    outcomes = outputs["outcomes"]
    for row in _places(_STOPPED, outcomes):
        for name in _RATINGS:
            outputs[name][row] = 0
    unrated = _places(_UNRATED, outputs["er"])
    return {row: FULL if outcomes[row] == codes.RATED else CANCELLED for row in unrated}


def _places(codes: re.Pattern[bytes], values: bytearray) -> array[int]:
    """Return where a code is, mostly at few places."""
    return array("q", kernel.rows_with(codes, values))


def _drop_improper(
    batch: Batch, rows: Sequence[int], outputs: _Outputs, threads: int, cancel: Cancel
) -> dict[int, Reason]:
    """Take the ratings from improper puzzles among some rows; return the reasons."""
    reasons, er, outcomes = dict[int, Reason](), outputs["er"], outputs["outcomes"]
    verdicts = verdicts_of(batch if isinstance(rows, range) else batch.take(rows), threads, cancel)
    for place in _places(IMPROPER, verdicts):
        row, verdict = rows[place], BY_CODE[verdicts[place]]
        reasons[row] = REASONS[verdict]
        er[row], outcomes[row] = 0, codes.STOPPED if verdict is Verdict.UNKNOWN else codes.IMPROPER
    return reasons


def effort_column(batch: Batch, *, threads: int | None = 1, cancel: Cancel | None = None) -> Column:
    """Return the efforts of puzzles as a column, without arrays; if `cancel` ends it, it is an error."""
    n, starts = len(batch), buffer_of(batch.starts)
    efforts = array("h", [-1]) * n
    native = kernel.isa_module(package="effort").efforts

    def work(part: slice, stop: Cancel) -> None:
        own = memoryview(efforts)[part]
        call_to_end(native, batch.text, starts[part], own, zero=batch.empty_code, cancel=stop)

    parts = parts_of(n, _EFFORTS)
    map_whole(work, parts, thread_count(threads), cancel_of(cancel), cancellable=len(parts) > 1)
    return Column(efforts, states=states_of(effort > 0 for effort in efforts))


def _efforts_of_rows(
    cells: NDArray[Any], places: NDArray[Any] | None, threads: int | None, rows: NDArray[Any] | None
) -> Column:
    """Return the efforts of these rows, or of all; `places` has the puzzle of each, or -1, if they differ."""
    if places is None:
        places = np.arange(len(cells))
    places = places if rows is None else places[rows]
    is_puzzle = places >= 0
    index = np.where(is_puzzle, np.cumsum(is_puzzle) - 1, -1)
    return effort_column(Batch.of_cells(cells[places[is_puzzle]]), threads=threads).take(index)
