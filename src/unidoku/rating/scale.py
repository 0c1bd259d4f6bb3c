"""The scale se121: how hard a puzzle is for a person, as Sudoku Explainer 1.2.1 rates it.

A puzzle is solved by steps; each is the first that the techniques find, in a fixed order.  ER is the rating
of the hardest step, EP of the hardest up to the first that fills a cell, ED of the first step.  The
ratings of the techniques are in the engine, ``native/rating/board.pxi``.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from types import ModuleType
from typing import Any, Literal, NamedTuple, get_args

from unidoku import kernel
from unidoku.arguments import choices_near, real, text
from unidoku.errors import ImproperPuzzleError, InvalidPuzzleError, Message, SearchStoppedError, UnidokuError
from unidoku.grid import Grid, PuzzleLike, clash_message
from unidoku.native.rating import codes
from unidoku.rating.names import NAMES, codes_of, word_key
from unidoku.threads import CANCELLED, Cancel, cancel_of, flag_of, run_in_worker, within
from unidoku.verdict import Verdict

SCALE = "se121"
"""The name of the scale."""

_TECHNIQUES = {
    codes.HIDDEN_SINGLE: ("hidden single", "hidden single"),
    codes.DIRECT_POINTING: ("direct pointing", "direct intersection"),
    codes.DIRECT_CLAIMING: ("direct claiming", "direct intersection"),
    codes.DIRECT_HIDDEN_PAIR: ("direct hidden pair", "direct hidden"),
    codes.NAKED_SINGLE: ("naked single", "naked single"),
    codes.DIRECT_HIDDEN_TRIPLET: ("direct hidden triplet", "direct hidden"),
    codes.POINTING: ("pointing", "intersection"),
    codes.CLAIMING: ("claiming", "intersection"),
    codes.NAKED_PAIR: ("naked pair", "naked"),
    codes.X_WING: ("X-wing", "fish"),
    codes.HIDDEN_PAIR: ("hidden pair", "hidden"),
    codes.NAKED_TRIPLET: ("naked triplet", "naked"),
    codes.SWORDFISH: ("swordfish", "fish"),
    codes.HIDDEN_TRIPLET: ("hidden triplet", "hidden"),
    codes.XY_WING: ("XY-wing", "XY-wing"),
    codes.XYZ_WING: ("XYZ-wing", "XYZ-wing"),
    codes.UNIQUE_RECTANGLE: ("unique rectangle", "loop"),
    codes.UNIQUE_LOOP: ("unique loop", "loop"),
    codes.NAKED_QUAD: ("naked quad", "naked"),
    codes.JELLYFISH: ("jellyfish", "fish"),
    codes.HIDDEN_QUAD: ("hidden quad", "hidden"),
    codes.BUG: ("BUG", "BUG"),
    codes.ALIGNED_PAIR_EXCLUSION: ("aligned pair exclusion", "exclusion"),
    codes.X_CYCLE: ("X-cycle", "cycle"),
    codes.Y_CYCLE: ("Y-cycle", "cycle"),
    codes.FORCING_X_CHAIN: ("forcing X-chain", "chain"),
    codes.XY_CYCLE: ("XY-cycle", "cycle"),
    codes.FORCING_CHAIN: ("forcing chain", "chain"),
    codes.ALIGNED_TRIPLET_EXCLUSION: ("aligned triplet exclusion", "exclusion"),
    codes.NISHIO: ("Nishio", "chains"),
    codes.MULTIPLE_FORCING_CHAINS: ("multiple forcing chains", "chains"),
    codes.DYNAMIC_FORCING_CHAINS: ("dynamic forcing chains", "chains"),
    codes.DYNAMIC_PLUS: ("dynamic forcing chains (+)", "chains"),
    codes.DYNAMIC_FORCING_CHAINS_PLUS: ("dynamic forcing chains (+ forcing chains)", "chains"),
    codes.DYNAMIC_MULTIPLE_PLUS: ("dynamic forcing chains (+ multiple forcing chains)", "chains"),
    codes.DYNAMIC_DYNAMIC_PLUS: ("dynamic forcing chains (+ dynamic forcing chains)", "chains"),
    codes.DYNAMIC_DYNAMIC_FORCING_CHAINS_PLUS: (
        "dynamic forcing chains (+ dynamic forcing chains (+ forcing chains))",
        "chains",
    ),
}
"""The techniques by their codes, with their families."""

FAMILIES = dict(map(_TECHNIQUES.__getitem__, range(1, codes.TECHNIQUES)))
"""Each technique from the easiest on, with its family.

The steps of a family have one sentence, those of ``chains``, which have several, one for each kind of chain.
"""

TECHNIQUES = ("", *FAMILIES)
"""The techniques by their codes, from the easiest on; code 0 is none."""

_CYCLES = (codes.NAME_XY_CHAIN_LOOP, codes.NAME_REMOTE_PAIR, codes.NAME_NICE_LOOP)
_NAMES_OF = {
    codes.HIDDEN_SINGLE: (codes.NAME_FULL_HOUSE, codes.NAME_HIDDEN_SINGLE),
    **{code: (code + 1,) for code in range(codes.DIRECT_POINTING, codes.XYZ_WING + 1)},  # in the same order
    codes.UNIQUE_RECTANGLE: range(codes.NAME_RECTANGLE_1, codes.NAME_RECTANGLE_4 + 1),
    **{code: (code + 4,) for code in range(codes.UNIQUE_LOOP, codes.HIDDEN_QUAD + 1)},
    codes.BUG: range(codes.NAME_BUG_1, codes.NAME_BUG_4 + 1),
    codes.ALIGNED_PAIR_EXCLUSION: (codes.NAME_ALIGNED_PAIR,),
    codes.X_CYCLE: (codes.NAME_SIMPLE_COLORS, codes.NAME_X_CHAIN_LOOP),
    codes.Y_CYCLE: _CYCLES,
    codes.FORCING_X_CHAIN: range(codes.NAME_SKYSCRAPER, codes.NAME_X_CHAIN + 1),
    codes.XY_CYCLE: _CYCLES,
    codes.FORCING_CHAIN: (
        *(codes.NAME_REMOTE_PAIR, codes.NAME_XY_CHAIN, codes.NAME_DISCONTINUOUS_LOOP),
        *(codes.NAME_W_WING, codes.NAME_AIC),
    ),
    codes.ALIGNED_TRIPLET_EXCLUSION: (codes.NAME_ALIGNED_TRIPLET,),
    codes.NISHIO: (codes.NAME_NISHIO,),
    codes.MULTIPLE_FORCING_CHAINS: (codes.NAME_CELL_CHAINS, codes.NAME_HOUSE_CHAINS),
    **dict.fromkeys(
        (codes.DYNAMIC_FORCING_CHAINS, codes.DYNAMIC_PLUS),
        range(codes.NAME_DYNAMIC_DOUBLE, codes.NAME_DYNAMIC_DOUBLE + 4),
    ),
    **dict.fromkeys(
        range(codes.DYNAMIC_FORCING_CHAINS_PLUS, codes.TECHNIQUES),
        range(codes.NAME_NESTED_DOUBLE, codes.NAME_NESTED_DOUBLE + 4),
    ),
}
"""The names that steps of a technique may have, by their codes, as native code gives them."""
_LOWEST_OF = {
    codes.FORCING_X_CHAIN: 66,
    codes.XY_CYCLE: 70,
    codes.FORCING_CHAIN: 70,
    codes.DYNAMIC_PLUS: 90,
    codes.DYNAMIC_MULTIPLE_PLUS: 100,
    codes.DYNAMIC_DYNAMIC_PLUS: 105,
    codes.DYNAMIC_DYNAMIC_FORCING_CHAINS_PLUS: 110,
}
"""The lowest rating in tenths of techniques whose names have lower ones."""


class StepRange(NamedTuple):
    """A technique and a name that its steps may have, by their codes, and the ratings of these, in tenths."""

    technique: int
    name: int
    lowest: int
    highest: int


@cache
def step_ranges() -> tuple[StepRange, ...]:
    """Return all techniques with their names and ratings."""
    return tuple(
        StepRange(technique, name, max(round(10 * low), _LOWEST_OF.get(technique, 0)), round(10 * high))
        for technique, names in _NAMES_OF.items()
        for name in names
        for low, high in [[*NAMES.values()][name]]
    )


def technique_of(word: str) -> tuple[str]:
    """Return the technique that a word means; the error about a name says how names are asked for."""
    key = _key(text("technique", word))
    for technique in FAMILIES:
        if _key(technique) == key:
            return (technique,)
    try:
        codes_of(word)
    except UnidokuError:
        message = Message(
            "{column}: there is no {word}; {choices}",
            column="technique",
            word=repr(word[:40]),
            choices=choices_near(word, FAMILIES),
        )
        raise UnidokuError(message) from None
    raise UnidokuError(Message("{word} is a name, not a technique: name={word}", word=word))


def _key(word: str) -> str:
    """Return a word as `word_key` has it; the names of nested chains differ by their signs."""
    return word_key(word.replace("+", "plus"))


Difficulty = Literal["easy", "medium", "hard", "expert", "extreme"]

DIFFICULTIES = {
    "easy": (1.0, 2.3),
    "medium": (2.5, 4.0),
    "hard": (4.2, 6.9),
    "expert": (7.0, 7.9),
    "extreme": (8.0, 20.0),
}
"""The words for a difficulty, and the lowest and the highest ER of each."""

UNBOUNDED = codes.UNBOUNDED
"""The highest rating in tenths: of a puzzle that no technique solves."""
BEGINNER, BEGINNER_ER, BEGINNER_CLUES = "beginner", 1.2, 30
"""The word for easy puzzles that are asked for with these ratings at most, and these clues at least."""

WORDS = ("", *DIFFICULTIES)
"""The words of `DIFFICULTIES` by the number of `LOWEST` that an ER reaches."""
LOWEST = tuple(round(10 * lowest) for lowest, _ in DIFFICULTIES.values())
"""The lowest ER of each, in tenths."""
_NAMES, _START = tuple(NAMES), array("q", [0])
REASONS = {
    Verdict.NONE: Message("no solution"),
    Verdict.MULTIPLE: Message("several solutions"),
    Verdict.UNKNOWN: CANCELLED,
}
"""Why a puzzle that is not proper has no rating and no steps."""
FULL = Message("no cell is empty")
"""Why a full grid has no rating."""
STUCK = Message("no technique finds a further step")
"""Why the steps of a puzzle end before its grid is full."""
STUCK_WITH_CHOSEN = Message("the chosen techniques find no further step")
"""The same, where techniques are left out."""
QUICK = 90
"""Below this rating in tenths, a few puzzles take so little time that Ctrl-C may wait for them."""


@dataclass(frozen=True)
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
    difficulty: Difficulty
    at_least: bool

    @property
    def card(self) -> str:
        """The three numbers as forums write them: ``9.0/1.2/1.2``; a lower bound has a plus sign."""
        return card_of(self.er, self.ep, self.ed, at_least=self.at_least)

    @cached_property
    def effort(self) -> int | None:
        """How much looking the puzzle asks for (docs/rating.md), found when it is read first.

        None for some puzzles of ER 10 and more.
        """
        from unidoku.rating.effort import effort_of  # not at the top: few read it

        return effort_of(vars(self)["_cells"])

    def to_json(self) -> dict[str, Any]:
        """Return the fields and the effort, as ``rate --json`` prints them."""
        return {**asdict(self), "effort": self.effort}


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
    cancel : Cancel, optional
        Set it to stop.
    timeout : float, optional
        Cancel it after this number of seconds.

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
    >>> rating.effort
    123
    """
    cancel = within(cancel, timeout)
    cells, highest = Grid(puzzle).cells, tenths(below)
    verdict, out = outputs_of(cells, highest, cancel)
    er, ep, ed, code, name_code, outcome = (output[0] for output in out.values())
    if outcome == codes.STOPPED:
        raise SearchStoppedError(0, "steps")
    if not verdict:
        raise improper_error(Grid(cells), verdict)
    if 0 not in cells:
        raise InvalidPuzzleError(FULL)
    at_least = outcome == codes.AT_LEAST
    technique, name = (None, None) if at_least else (TECHNIQUES[code] or None, _NAMES[name_code] or None)
    rating = Rating(er / 10, ep / 10, ed / 10, technique, name, difficulty_of(er / 10), at_least)
    vars(rating)["_cells"] = cells  # for its effort
    return rating


def outputs_of(cells: bytes, highest: int, cancel: Cancel | None) -> tuple[Verdict, dict[str, Any]]:
    """Rate a puzzle up to tenths; return its verdict, and the outputs of the engine, buffers of one item."""
    out: dict[str, Any] = {name: array("h", [0]) for name in ("er", "ep", "ed")}
    out |= {name: bytearray(1) for name in ("techniques", "names", "outcomes")}
    verdict = kernel.verdict_of(cells, cancel=cancel)
    if not verdict:
        out["outcomes"][0] = codes.STOPPED if verdict is Verdict.UNKNOWN else codes.IMPROPER
        return verdict, out
    native = engine()
    size = native.STATE_SIZE
    state = memoryview(bytearray(size)).cast("B", (1, size)) if highest > QUICK else None
    limits: dict[str, Any] = {"below": min(highest, QUICK), "lanes": False, "stop": flag_of(cancel)}
    native.rate_cells(cells, _START, zero=0, states=state, **out, **limits)
    if out["outcomes"][0] == codes.AT_LEAST and state is not None:
        run_in_worker(
            lambda stop: native.rate_further(state, **out, below=highest, stop=stop.flag), cancel_of(cancel)
        )
    return verdict, out


def improper_error(grid: Grid, verdict: Verdict) -> ImproperPuzzleError:
    """Return the error for a puzzle with no solution, because of two equal clues perhaps, or with several."""
    for clash in grid.clashes():
        return ImproperPuzzleError(Message("no solution: {clash}", clash=clash_message(clash)))
    return ImproperPuzzleError(REASONS[verdict], verdict)


def word_of(er: float, clues: int, *, at_least: bool = False) -> str:
    """Return the word by which puzzles with this ER are asked for: their difficulty, or beginner."""
    fits = er <= BEGINNER_ER and clues >= BEGINNER_CLUES and not at_least
    return BEGINNER if fits else difficulty_of(er)


def difficulty_of(er: float) -> Difficulty:
    """Return the word for the difficulty of an ER."""
    words: tuple[Difficulty, ...] = get_args(Difficulty)
    return words[bisect(LOWEST, round(10 * er)) - 1]


def engine() -> ModuleType:
    """Return the rating engine for the instruction set in use."""
    return kernel.isa_module(package="rating")


def tenths(below: float | None) -> int:
    """Check `below` and convert it to tenths."""
    if below is None:
        return UNBOUNDED
    if not 1 < real("below", below) <= UNBOUNDED / 10:
        raise UnidokuError(
            Message(
                "below must be above 1 and at most {most}, not {below}",
                most=f"{UNBOUNDED / 10:g}",
                below=repr(below),
            )
        )
    return round(10 * float(below))
