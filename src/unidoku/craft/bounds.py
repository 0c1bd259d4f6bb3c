"""Bounds of numbers: what a request asks for, and what is left of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from unidoku.arguments import integer, one_of, real, wrong_type
from unidoku.cell import FEWEST_CLUES
from unidoku.compat import np
from unidoku.errors import Message, UnidokuError
from unidoku.rating.names import NAMES
from unidoku.rating.scale import BEGINNER, BEGINNER_CLUES, BEGINNER_ER, DIFFICULTIES, StepRange, step_ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest number that is asked for; ratings are in tenths.

    ``a & b`` has the numbers of both; where there is none, the refusal of `b` is the error.
    """

    low: int
    high: int
    refusal: str = field(default="", compare=False)

    @classmethod
    def of(cls, name: str, value: Any, lowest: int, highest: int) -> Bounds:
        """Return the bounds that a number, or a pair of the lowest and the highest, stands for."""
        return cls(*_ends_of(name, value, lowest, highest, integer))

    @classmethod
    def of_ratings(cls, name: str, value: Any) -> Bounds:
        """Return the bounds that a rating, or a pair of ratings, stands for, in tenths."""
        ends = _ends_of(name, value, 1.0, 20.0, lambda name, rating: round(real(name, rating), 1))
        return cls(round(10 * ends[0]), round(10 * ends[1]))

    def meets(self, other: Bounds) -> bool:
        """Return whether a number is in both."""
        return max(self.low, other.low) <= min(self.high, other.high)

    def __and__(self, other: Bounds) -> Bounds:
        if not self.meets(other):
            raise UnidokuError(other.refusal)
        return Bounds(max(self.low, other.low), min(self.high, other.high))

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"

    def inside(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which values are in the bounds."""
        inside: NDArray[np.bool_] = (self.low <= values) & (values <= self.high)
        return inside

    def ratings(self) -> list[float]:
        """Return the lowest and the highest rating."""
        return [self.low / 10, self.high / 10]


ANY_RATING = Bounds(10, 200)
"""From 1.0 to 20.0, the highest on the scale."""
_BEGINNER_CLUES = (BEGINNER_CLUES, 36)  # the fewest, and the default maximum
_RATINGS = {BEGINNER: (1.0, BEGINNER_ER), **DIFFICULTIES}
"""The lowest and the highest ER by difficulty; up to 1.2 no step is harder than a hidden single in a box."""


def er_of_words(rating: Bounds | None, parts: Iterable[Bounds], difficulty: str | None) -> Bounds:
    """Return the bounds of the rating by what is asked of it and of its parts, and by a difficulty."""
    er = rating or ANY_RATING
    for part in parts:
        refusal = Message("no puzzle has such ratings: ep and ed are at most er")
        er &= Bounds(part.low, er.high, refusal)
    if difficulty is not None:
        ends = _RATINGS[one_of("difficulty", difficulty, _RATINGS)]
        text = "no puzzle with difficulty {difficulty} has such a rating"
        refusal = Message(text, difficulty=repr(difficulty))
        er &= replace(Bounds.of_ratings("difficulty", ends), refusal=refusal)
    return er


@lru_cache(maxsize=64)  # most requests of a program are the same; this takes as long as a puzzle
def er_of_steps(
    er: Bounds,
    technique: int,
    name: tuple[int, ...],
    uses: tuple[tuple[int, ...], ...],
    *,
    barred: int,
    given: tuple[str, ...],
) -> Bounds:
    """Return the bounds of the rating by what the table of steps has of a technique and of names.

    Names whose techniques are all `barred` are refused.  `given` says what the request names, for the error.
    """
    fits = [
        step for step in step_ranges() if technique in {0, step.technique} and (not name or step.name in name)
    ]
    is_one = bool(technique or name)
    refusal = _refusal(given, fits, is_one=is_one)
    for group in uses:
        lowest = min(step.lowest for step in step_ranges() if step.name in group)
        er &= Bounds(lowest, ANY_RATING.high, refusal)
    steps = [Bounds(step.lowest, step.highest) for step in fits]
    if not is_one and er.high == ANY_RATING.high:
        steps.append(Bounds(er.high, er.high))  # of puzzles that no technique solves
    parts = [er & step for step in steps if er.meets(step)]
    if not parts:
        raise UnidokuError(refusal)
    _refuse_barred(uses, barred)
    return Bounds(min(part.low for part in parts), max(part.high for part in parts))


def _refusal(given: Sequence[str], fits: Sequence[StepRange], *, is_one: bool) -> str:
    """Return why no step has what a request names."""
    names = " and ".join(given)
    if not fits:
        return Message("no step has {names}", names=names)
    if not given:
        return Message("no step has such a rating")
    least, most = min(step.lowest for step in fits) / 10, max(step.highest for step in fits) / 10
    has: str = ""
    if is_one and least < most:
        has = Message(": such steps have {low} to {high}", low=least, high=most)
    elif is_one:
        has = Message(": such steps have {low}", low=least)
    return Message("no puzzle with {names} has such a rating{has}", names=names, has=has)


def _refuse_barred(uses: Iterable[Sequence[int]], barred: int) -> None:
    """Refuse names of steps whose techniques are all left out."""
    for group in uses:
        if all(barred >> step.technique & 1 for step in step_ranges() if step.name in group):
            name = [*NAMES][group[0]]
            raise UnidokuError(
                Message(
                    "uses: {name} is not among the techniques; name it there too",
                    name=name,
                )
            )


def clues_of(clues: Any, *, is_beginner: bool, has_pattern: bool) -> tuple[Bounds | None, Bounds]:
    """Return the bounds of the clues that are asked for, if they are, and of those that puzzles may have."""
    if is_beginner and clues is None and not has_pattern:
        clues = _BEGINNER_CLUES
    whole = Bounds(_BEGINNER_CLUES[0] if is_beginner else FEWEST_CLUES, 81)
    if clues is None:
        return None, whole
    asked = Bounds.of("clues", clues, whole.low, whole.high)
    return asked, asked & whole if is_beginner else asked


def _ends_of(
    name: str, value: Any, lowest: _Number, highest: _Number, kind: Callable[[str, Any], _Number]
) -> tuple[_Number, _Number]:
    """Return the smallest and the largest value; a single number is both."""
    ends = value if isinstance(value, tuple) else (value, value)
    if len(ends) != 2:
        raise wrong_type(name, "a number, or the lowest and the highest", value)
    low, high = kind(name, ends[0]), highest if ends[1] is None else kind(name, ends[1])
    if not low <= high >= lowest or low > highest:
        numbers = Message("{low} to {high}", low=f"{low:,}", high=f"{high:,}")
        raise UnidokuError(
            Message(
                "{name} must be {lowest} to {highest}, or a range of these, not {numbers}",
                name=name,
                lowest=lowest,
                highest=f"{highest:,}",
                numbers=f"{low:,}" if low == high else numbers,
            )
        )
    return low, high
