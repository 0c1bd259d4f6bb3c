"""The scale se121: how hard a puzzle is for a person, as Sudoku Explainer 1.2.1 rates it.

A puzzle is solved by steps; each is the first that the techniques find, in a fixed order.  ER is the rating
of the hardest step, EP of the hardest up to the first that fills a cell, ED of the first step.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku import kernel
from unidoku.errors import ImproperPuzzleError, InvalidPuzzleError, SearchStoppedError, UnidokuError
from unidoku.grid import Grid, PuzzleLike
from unidoku.kernel import flat
from unidoku.rating.names import NAMES
from unidoku.table.column import Column
from unidoku.table.puzzles import Puzzles, PuzzlesLike, with_reason
from unidoku.table.result import Result
from unidoku.threads import CANCELLED, Cancel, cancel_of, map_parts, run_in_worker, thread_count
from unidoku.verdict import Verdict

_Outputs: TypeAlias = dict[str, NDArray[Any]]


SCALE = "se121"
"""The name of the scale."""

FAMILIES = {
    "hidden single": "hidden single",
    "direct pointing": "direct intersection",
    "direct claiming": "direct intersection",
    "direct hidden pair": "direct hidden",
    "naked single": "naked single",
    "direct hidden triplet": "direct hidden",
    "pointing": "intersection",
    "claiming": "intersection",
    "naked pair": "naked",
    "X-wing": "fish",
    "hidden pair": "hidden",
    "naked triplet": "naked",
    "swordfish": "fish",
    "hidden triplet": "hidden",
    "XY-wing": "XY-wing",
    "XYZ-wing": "XYZ-wing",
    "unique rectangle": "loop",
    "unique loop": "loop",
    "naked quad": "naked",
    "jellyfish": "fish",
    "hidden quad": "hidden",
    "BUG": "BUG",
    "aligned pair exclusion": "exclusion",
    "X-cycle": "cycle",
    "Y-cycle": "cycle",
    "forcing X-chain": "chain",
    "XY-cycle": "cycle",
    "forcing chain": "chain",
    "aligned triplet exclusion": "exclusion",
    "Nishio": "chains",
    "multiple forcing chains": "chains",
    "dynamic forcing chains": "chains",
    "dynamic forcing chains (+)": "chains",
    "dynamic forcing chains (+ forcing chains)": "chains",
    "dynamic forcing chains (+ multiple forcing chains)": "chains",
    "dynamic forcing chains (+ dynamic forcing chains)": "chains",
    "dynamic forcing chains (+ dynamic forcing chains (+ forcing chains))": "chains",
}
"""Each technique from the easiest on, with its family.

The steps of a family have one sentence, those of ``chains``, which have several, one for each kind of chain.
"""

TECHNIQUES = ("", *FAMILIES)
"""The techniques by their codes, from the easiest on; code 0 is none."""

DIFFICULTIES = {
    "easy": (1.0, 2.3),
    "medium": (2.5, 4.0),
    "hard": (4.2, 6.9),
    "expert": (7.0, 7.9),
    "extreme": (8.0, 20.0),
}
"""The words for a difficulty, and the lowest and the highest ER of each."""


class Outcome:
    """The codes of the engine for the outcomes of a puzzle."""

    # Plain integers: NumPy looks for attributes of an enum's member, and drops Ctrl-C while it does.
    RATED: Final = 0
    IMPROPER: Final = 1
    STUCK: Final = 2  # no technique finds a step
    AT_LEAST: Final = 3  # the rating is `below` or more
    STOPPED: Final = 4  # by a cancel


_UNBOUNDED = 200  # the highest rating in tenths: of a puzzle that no technique solves
_FEW = 8  # up to this many puzzles are rated faster one by one than in lanes
_COLUMNS = {
    **dict.fromkeys(("er", "ep", "ed"), np.int16),
    **dict.fromkeys(("techniques", "names", "outcomes"), np.uint8),
}
_TENTHS = ("er", "ep", "ed")
_WORDS = ("", *DIFFICULTIES)
_NAMES = tuple(NAMES)
_LOWEST = tuple(round(10 * lowest) for lowest, _ in DIFFICULTIES.values())
REASONS = {
    Verdict.NONE: "no solution",
    Verdict.MULTIPLE: "several solutions",
    Verdict.UNKNOWN: CANCELLED,
}
"""Why a puzzle that is not proper has no rating and no steps."""
FULL = "no cell is empty"
"""Why a full grid has no rating."""
_IN_LANES = 45  # below this rating in tenths, puzzles are rated in lanes
_QUICK = 90  # below it, a few puzzles take so little time that Ctrl-C may wait for them
# Puzzles are rated in rounds, the hardest last: below this rating in tenths, at most so many puzzles a part.
_ROUNDS = ((_IN_LANES, 16384), (_QUICK, 256), (_UNBOUNDED, 1))
_SMALL_PART = 64  # parts are made smaller for more threads, but not smaller than this


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a puzzle.

    Attributes
    ----------
    er, ep, ed : float
        Rating of the hardest step, of the hardest up to and including the first that places a digit, and of
        the first step; 20.0 if the techniques do not solve the puzzle.
    technique : str or None
        The technique of the hardest step, one of `TECHNIQUES`; None if there is none, or if `at_least`.
    name : str or None
        What people call that step, one of `unidoku.rating.names.NAMES`.
    difficulty : str
        The word of `DIFFICULTIES` for the ER.
    at_least : bool
        Whether the numbers and the difficulty are lower bounds, because harder steps were not looked for.
    """

    er: float
    ep: float
    ed: float
    technique: str | None
    name: str | None
    difficulty: str
    at_least: bool

    @property
    def card(self) -> str:
        """The three numbers as forums write them: ``9.0/1.2/1.2``; a lower bound has a plus sign."""
        return card_of(self.er, self.ep, self.ed, at_least=self.at_least)


def card_of(er: float, ep: float, ed: float, *, at_least: bool) -> str:
    """Return ER/EP/ED as text; if they are lower bounds, those that have reached the highest have a plus."""
    return "/".join(f"{value:.1f}{'+' if at_least and value == er else ''}" for value in (er, ep, ed))


def rate(
    puzzle: PuzzleLike,
    *,
    below: float | None = None,
    cancel: Cancel | None = None,
) -> Rating:
    """Rate how hard a puzzle is for a person, as Sudoku Explainer 1.2.1 does.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As for `unidoku.check`.
    below : float, optional
        Do not look for steps with this rating or a higher one; a puzzle that needs one gets this as a lower
        bound, and `at_least` is true.
    cancel : Cancel, optional
        Set it to stop.

    Returns
    -------
    Rating

    Raises
    ------
    InvalidPuzzleError
        It is not a puzzle, has no solution or several solutions, or has no empty cell.
    SearchStoppedError
        `cancel` ended the search.
    ValueError
        `below` is not above 1 and at most 20.

    Examples
    --------
    >>> import unidoku
    >>> easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rating = unidoku.rate(easy)
    >>> rating.er, rating.ep, rating.ed, rating.technique, rating.difficulty
    (1.2, 1.2, 1.2, 'hidden single', 'easy')
    """
    cells, highest = Grid(puzzle).cells, _tenths(below)
    flag = cancel_of(cancel)
    verdict = kernel.verdict_of(cells, cancel=flag)
    if verdict is Verdict.UNKNOWN:
        raise SearchStoppedError(0, "steps")
    if not verdict:
        raise ImproperPuzzleError(REASONS[verdict], verdict)
    if 0 not in cells:
        raise InvalidPuzzleError(FULL)
    out = _room(1)
    state = np.empty((1, engine().STATE_SIZE), np.uint8) if highest > _QUICK else None
    limits: dict[str, Any] = {"below": min(highest, _QUICK), "lanes": False, "stop": flag.flag}
    engine().rate_cells(cells, np.zeros(1, np.int64), zero=0, states=state, **out, **limits)
    if out["outcomes"][0] == Outcome.AT_LEAST and state is not None:
        run_in_worker(lambda stop: engine().rate_further(state, **out, below=highest, stop=stop.flag), flag)
    er, ep, ed, code, name_code, outcome = (int(out[column][0]) for column in _COLUMNS)
    if outcome == Outcome.STOPPED:
        raise SearchStoppedError(0, "steps")
    at_least = outcome == Outcome.AT_LEAST
    technique, name = (None, None) if at_least else (TECHNIQUES[code] or None, _NAMES[name_code] or None)
    return Rating(er / 10, ep / 10, ed / 10, technique, name, difficulty_of(er / 10), at_least)


def _room(n: int) -> _Outputs:
    """Allocate the outputs of the engine for n puzzles."""
    return {name: np.zeros(n, type_) for name, type_ in _COLUMNS.items()}


def rate_many(
    puzzles: PuzzlesLike,
    *,
    below: float | None = None,
    threads: int | None = None,
    errors: Literal["raise", "invalid"] = "raise",
    cancel: Cancel | None = None,
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

    Returns
    -------
    Result
        The columns er, ep, ed, technique, name, difficulty and at_least, as of `Rating`; a row without
        a rating has no values, but a reason.

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
    """
    inputs = Puzzles.of(puzzles, errors=errors, cancel=cancel)
    return inputs.result(*rate_columns(inputs.cells, below=below, threads=threads, cancel=cancel))


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
    highest, count = _tenths(below), thread_count(threads)
    columns, reasons = _rate_in_rounds(cells, highest, count, cancel_of(cancel))
    outcomes = columns.pop("outcomes")
    unrated = np.flatnonzero(outcomes == Outcome.STOPPED)
    for column in columns.values():
        column[unrated] = 0
    at_least = outcomes == Outcome.AT_LEAST
    full = np.flatnonzero(cells.all(axis=1) & (outcomes != Outcome.STOPPED))
    reasons = dict.fromkeys(full.tolist(), FULL) | reasons
    rated = columns["er"] > 0
    difficulties = np.searchsorted(_LOWEST, columns["er"], side="right").astype(np.uint8)
    techniques, names = (
        np.where(at_least, 0, columns[name]).astype(np.uint8) for name in ("techniques", "names")
    )
    return {
        **{name: Column(np.where(rated, columns[name] / 10, np.nan), states=rated) for name in _TENTHS},
        "technique": Column(techniques, TECHNIQUES, techniques > 0),
        "name": Column(names, _NAMES, names > 0),
        "difficulty": Column(difficulties, _WORDS, rated),
        "at_least": Column(at_least, states=rated),
    }, with_reason(reasons, unrated, CANCELLED)


def _rate_in_rounds(
    cells: NDArray[np.uint8], highest: int, threads: int, cancel: Cancel
) -> tuple[_Outputs, dict[int, str]]:
    """Rate puzzles, the hardest last; return the outputs of the engine, and why puzzles are improper.

    A rating by the lanes proves a puzzle proper; the others are checked after the first round, or before it
    without lanes.
    """
    outputs = _room(len(cells))
    outcomes = outputs["outcomes"]
    outcomes[:] = Outcome.AT_LEAST
    in_lanes = highest >= _IN_LANES and len(cells) > _FEW
    limits: dict[str, Any] = {"lanes": in_lanes}
    reasons = {} if in_lanes else _drop_improper(cells, outputs, threads, cancel)
    states: NDArray[np.uint8] | None = None
    for bound, most_rows in _ROUNDS:
        rows = np.flatnonzero(outcomes == Outcome.AT_LEAST)
        size = min(most_rows, max(_SMALL_PART, -(-len(rows) // threads)))
        parts = [slice(begin, begin + size) for begin in range(0, len(rows), size)]
        limits["below"] = min(bound, highest)
        work = partial(_rate_part, cells, rows, states, keep_states=bound < highest, **limits)
        cancellable = bound > _QUICK or len(rows) > _FEW
        outcomes[rows] = Outcome.STOPPED  # until they are rated
        open_states = [np.empty((0, engine().STATE_SIZE), np.uint8)]
        for part, (part_outputs, part_states) in map_parts(
            work, parts, threads, cancel, cancellable=cancellable
        ):
            open_states.append(part_states)
            for name, output in part_outputs.items():
                outputs[name][rows[part]] = output
        open_rows = np.flatnonzero(outcomes == Outcome.AT_LEAST)
        if states is None and in_lanes:
            reasons = _drop_improper(cells, outputs, threads, cancel)
        if cancel and bound < highest:
            outcomes[outcomes == Outcome.AT_LEAST] = Outcome.STOPPED
        if cancel or bound >= highest:
            break
        states = np.concatenate(open_states)[outcomes[open_rows] == Outcome.AT_LEAST]
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
    is_open = outputs["outcomes"] == Outcome.AT_LEAST
    return outputs, part_states[is_open] if keep_states else part_states


def _drop_improper(
    cells: NDArray[np.uint8], outputs: _Outputs, threads: int, cancel: Cancel
) -> dict[int, str]:
    """Clear the outputs of improper puzzles; return the reasons."""
    reasons: dict[int, str] = {}
    outcomes = outputs["outcomes"]
    unrated = np.flatnonzero((outcomes == Outcome.AT_LEAST) | (outcomes == Outcome.IMPROPER))
    for reason, puzzles in improper(cells[unrated], threads, cancel).items():
        rows = unrated[puzzles]
        for output in outputs.values():
            output[rows] = 0
        outcomes[rows] = Outcome.STOPPED if reason == CANCELLED else Outcome.IMPROPER
        if reason != CANCELLED:
            reasons |= dict.fromkeys(rows.tolist(), reason)
    return reasons


def difficulty_of(er: float) -> str:
    """Return the word for the difficulty of an ER; an empty one for 0."""
    return _WORDS[bisect(_LOWEST, round(10 * er))]


def engine() -> ModuleType:
    """Return the rating engine for the instruction set in use."""
    return kernel.isa_module(package="rating")


def _tenths(below: float | None) -> int:
    """Check `below` and convert it to tenths."""
    if below is None:
        return _UNBOUNDED
    if not 1 < below <= _UNBOUNDED / 10:
        raise UnidokuError(f"below must be above 1 and at most {_UNBOUNDED / 10:g}, not {below!r}")
    return round(10 * float(below))


def improper(cells: NDArray[np.uint8], threads: int, cancel: Cancel) -> dict[str, NDArray[np.int64]]:
    """Map each reason to the indices of improper puzzles; cancelled ones are not checked."""
    counts, verdicts = np.zeros(len(cells), np.uint64), np.full(len(cells), int(Verdict.UNKNOWN), np.uint8)

    def work(part: slice, stop: Cancel) -> None:
        kernel.lanes().solve_cells(
            *flat(cells[part]), zero=0, counts=counts[part], verdicts=verdicts[part], stop=stop.flag
        )

    map_parts(work, Puzzles.of_cells(cells).slices(), threads, cancel)
    return {reason: np.flatnonzero(verdicts == int(verdict)) for verdict, reason in REASONS.items()}
