"""The scale se121: how hard a puzzle is for a person, as Sudoku Explainer 1.2.1 rates it.

A puzzle is solved by steps; each is the first that the techniques find, in a fixed order.  ER is the rating
of the hardest step, EP of the hardest up to the first that fills a cell, ED of the first step.  The
ratings of the techniques are in the engine, ``_native/rating/board.pxi``.

Effort says how much looking a puzzle needs from a person, as one whole number that people's times follow.

Go over the grid in passes. A pass writes all hidden singles that are there at its start. If there are none,
it writes all naked singles. Without any single, it removes candidates: by locked candidates, else by pairs,
else every candidate that singles drive to a contradiction.

A pass costs its empty cells: once for hidden singles, twice for naked singles, four times for locked
candidates or pairs, eight times for contradictions. The effort is the sum. The order of the cells does not
matter, so all symmetric copies of a puzzle have the same effort.

Native code finds it, ``_native/effort``; docs/rating.md has the definition and the comparisons.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import Any, Literal, get_args

from unidoku import kernel
from unidoku._arguments import real
from unidoku._guesses import NamedFields
from unidoku._native.rating import codes
from unidoku._table.json_values import json_schema
from unidoku._threads import CANCELLED, Cancel, cancel_of, flag_of, run_in_worker, within
from unidoku._verdict import ImproperPuzzleError, Verdict
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, Reason, SearchStoppedError
from unidoku.grid import Grid, PuzzleLike, clash_message
from unidoku.rating._names import NAMES, TECHNIQUES

SCALE = "se121"
"""The name of the scale."""

Difficulty = Literal["easy", "medium", "hard", "expert", "extreme"]

DIFFICULTIES: dict[str, tuple[float, float]] = {
    "easy": (1.0, 2.3),
    "medium": (2.5, 4.0),
    "hard": (4.2, 6.9),
    "expert": (7.0, 7.9),
    "extreme": (8.0, 20.0),
}
"""The words for a difficulty, and the lowest and the highest ER of each."""

UNBOUNDED = codes.UNBOUNDED
"""The highest rating in tenths: of a puzzle that no technique solves."""
BEGINNER: str = "beginner"
BEGINNER_ER: float = 1.2
BEGINNER_CLUES: int = 30
"""The word that requests easy puzzles with at most these ratings and at least these clues."""

WORDS = ("", *DIFFICULTIES)
"""The words of `DIFFICULTIES` by the number of `LOWEST` that an ER reaches."""
LOWEST = tuple(round(10 * lowest) for lowest, _ in DIFFICULTIES.values())
"""The lowest ER of each, in tenths."""
_START = array("q", [0])
_OUTPUTS = ("er", "ep", "ed", "techniques", "names", "outcomes")
REASONS: dict[Verdict, Reason] = {
    Verdict.NONE: Reason("no_solution", "no solution"),
    Verdict.MULTIPLE: Reason("several_solutions", "several solutions"),
    Verdict.UNKNOWN: CANCELLED,
}
"""Why a puzzle that is not proper has no rating and no steps."""
FULL = Reason("full_grid", "no cell is empty")
"""Why a full grid has no rating."""
_STUCK = (
    Reason("stuck", "no technique finds a further step"),
    Reason("stuck", "the chosen techniques find no further step"),
)
QUICK = 90
"""Below this rating in tenths, a few puzzles take so little time that Ctrl-C may wait for them."""


MOST_EFFORT = 32767
"""No puzzle has more: a number of 16 bits."""

HIGHEST_OF_MINUTES = 5.0
"""The highest ER for which minutes say something: of harder puzzles, few were completed."""


@dataclass(frozen=True)
class Rating(NamedFields):
    """The rating of a puzzle.

    Attributes
    ----------
    er, ep, ed : float
        Rating of the hardest step, of the hardest up to and including the first that places a digit, and of
        the first step; 20.0 if the techniques do not solve the puzzle.
    technique : str or None
        The technique of the hardest step, one of `TECHNIQUES`; None if there is none, or if `at_least`.
    name : str or None
        A name of that step: one of `unidoku.rating.NAMES`.
    difficulty : str
        The word of `DIFFICULTIES` for the ER.
    at_least : bool
        Whether the numbers and the difficulty are lower bounds, because harder steps were not looked for.
    effort : int or None
        How much looking the puzzle needs (docs/rating.md); None for some puzzles of ER 10 and more.

    Examples
    --------
    >>> import unidoku
    >>> unidoku.rate("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").card
    '1.2/1.2/1.2'
    """

    __get_pydantic_json_schema__ = json_schema

    er: float
    ep: float
    ed: float
    technique: str | None
    name: str | None
    difficulty: Difficulty
    at_least: bool
    effort: int | None

    @property
    def card(self) -> str:
        """The three numbers as forums write them: ``9.0/1.2/1.2``; a lower bound has a plus sign."""
        return card_of(self.er, self.ep, self.ed, at_least=self.at_least)

    def to_json(self) -> dict[str, Any]:
        """Return the fields, as ``rate --json`` prints them."""
        return asdict(self)


def card_of(er: float, ep: float, ed: float, *, at_least: bool) -> str:
    """Return ER/EP/ED as text; if they are lower bounds, those that have reached the highest have a plus."""
    return "/".join(f"{value:.1f}{'+' if at_least and value == er else ''}" for value in (er, ep, ed))


def rate(
    puzzle: PuzzleLike,
    *,
    below: float | None = None,
    cancel: Cancel | None = None,
    timeout: float | None = None,
) -> Rating:
    """Rate how hard a puzzle is for a person, as Sudoku Explainer 1.2.1 does.

    Parameters
    ----------
    puzzle : Grid, str, bytes, array or nested list
        As for `unidoku.check`.
    below : float, optional
        Do not look for steps with this rating or a higher one; a puzzle that needs one gets this as a lower
        bound, and `at_least` is true.
    cancel, timeout
        As for `unidoku.check`.

    Returns
    -------
    Rating
        ER, EP and ED, the hardest step, a word for the difficulty, and the effort.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle, has no solution or several solutions, or has no empty cell.
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
    >>> rating.effort
    123
    """
    cancel = within(cancel, timeout)
    cells, highest = Grid(puzzle).cells, tenths(below)
    outputs = {name: bytearray(1) for name in _OUTPUTS}
    verdict = rate_alone(cells, highest, outputs, cancel)
    er, ep, ed, code, name_code, outcome = (output[0] for output in outputs.values())
    if outcome == codes.STOPPED:
        raise SearchStoppedError(0, "steps")
    if not verdict:
        raise improper_error(Grid(cells), verdict)
    if 0 not in cells:
        raise InvalidPuzzleError(FULL)
    at_least = outcome == codes.AT_LEAST
    technique, name = TECHNIQUES[code] or None, NAMES[name_code] or None
    difficulty, effort = difficulty_of(er / 10), effort_of(cells)
    return Rating(er / 10, ep / 10, ed / 10, technique, name, difficulty, at_least, effort)


def rate_alone(cells: bytes, highest: int, outputs: dict[str, bytearray], cancel: Cancel | None) -> Verdict:
    """Rate one puzzle into the outputs of the engine; return its verdict."""
    verdict, outcomes = kernel.verdict_of(cells, cancel=cancel), outputs["outcomes"]
    if verdict is not Verdict.UNIQUE:
        outcomes[0] = codes.STOPPED if verdict is Verdict.UNKNOWN else codes.IMPROPER
        return verdict
    native = engine()
    limits: dict[str, Any] = {"below": min(highest, QUICK), "keep": highest > QUICK}
    state = native.rate_cells(cells, _START, zero=0, rows=_START, **outputs, **limits, stop=flag_of(cancel))
    if state:
        outcomes[0] = codes.STOPPED  # until it is rated
        run_in_worker(
            lambda stop: native.rate_further(state, _START, **outputs, below=highest, stop=stop.flag),
            cancel_of(cancel),
        )
    return verdict


def stuck(*, is_chosen: bool) -> Reason:
    """Return why the steps of a puzzle end before its grid is full; techniques may be chosen."""
    return _STUCK[is_chosen]


def refuse_cancelled(reasons: Mapping[int, Reason]) -> None:
    """Raise an error if a `Cancel` has ended the work on some puzzles."""
    if CANCELLED in reasons.values():
        raise SearchStoppedError(0, "results")


def improper_error(grid: Grid, verdict: Verdict) -> ImproperPuzzleError:
    """Return the error for a puzzle with no solution, because of two equal clues perhaps, or with several."""
    for clash in grid.clashes():
        return ImproperPuzzleError(Reason("no_solution", "no solution: {clash}", clash=clash_message(clash)))
    return ImproperPuzzleError(REASONS[verdict], verdict)


def difficulty_word(er: float, clues: int, *, at_least: bool = False) -> str:
    """Return the word that requests puzzles with this ER: their difficulty, or beginner."""
    fits = er <= BEGINNER_ER and clues >= BEGINNER_CLUES and not at_least
    return BEGINNER if fits else difficulty_of(er)


def difficulty_of(er: float) -> Difficulty:
    """Return the word for the difficulty of an ER."""
    words: tuple[Difficulty, ...] = get_args(Difficulty)
    return words[bisect(LOWEST, round(10 * er)) - 1]


def effort_of(cells: bytes) -> int | None:
    """Return the effort of 81 cells 0 to 9; None if the passes do not fill them with one solution."""
    effort = array("h", [0])
    kernel.isa_module(package="effort").efforts(cells, _START, effort, zero=0)
    return effort[0] if effort[0] >= 0 else None


def minutes_of(effort: int, er: float) -> int | None:
    """Return the minutes that a practised player takes for an effort, rounded; None for a hard puzzle.

    They are the means of 1,533 puzzles in one app (docs/rating.md); other people differ by a factor.
    """
    return max(1, round((effort + 150) / 77)) if er <= HIGHEST_OF_MINUTES else None


def engine() -> ModuleType:
    """Return the rating engine for the instruction set in use."""
    return kernel.isa_module(package="rating")


def tenths(below: float | None) -> int:
    """Check `below` and convert it to tenths."""
    if below is None:
        return UNBOUNDED
    if not 1 < real("below", below) <= UNBOUNDED / 10:
        text = "below must be above 1 and at most {most}, not {below}"
        raise ArgumentError(Message(text, most=f"{UNBOUNDED / 10:g}", below=repr(below)))
    return round(10 * float(below))
