"""The steps that a request for puzzles asks for, and the ratings of such puzzles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from unidoku._arguments import one_of, string
from unidoku._conditions import Range
from unidoku.errors import ArgumentError, Message
from unidoku.rating._columns import BOUNDS
from unidoku.rating._names import (
    NAMES,
    TECHNIQUES,
    StepRange,
    barred_alone,
    codes_of,
    step_ranges,
    technique_of,
    words_of,
)
from unidoku.rating._scale import BEGINNER, BEGINNER_ER, DIFFICULTIES

RATING = Range(*BOUNDS)
"""All ratings of the scale."""
_RATING_WORDS = {BEGINNER: (1.0, BEGINNER_ER), **DIFFICULTIES}
"""The lowest and the highest ER by difficulty; up to 1.2 no step is harder than a hidden single in a box."""
_CAPS = ((TECHNIQUES.index("XYZ-wing"), 4.5), (TECHNIQUES.index("aligned pair exclusion"), 6.3))
"""Techniques, and a rating above every step of them and of the techniques before them."""


class RequestedSteps:
    """The steps that a request asks for, and the ratings of puzzles with these.

    Parameters
    ----------
    fields : mapping
        The parameters of `unidoku.craft.Request`; read are `difficulty`, `technique`, `name`, `uses` and
        `techniques`.
    er : Range
        The requested ratings.

    Attributes
    ----------
    technique : int
        The code of the technique of the hardest step, 0 for any.
    name : tuple of int
        The codes of the names of that step, none for any.
    uses : tuple of tuple of int
        A group of names for each word of the path.
    barred : int
        The techniques that the path does not need, as `barred_alone` returns them.
    difficulty : str or None
    er : Range
        The ratings that puzzles with all these may have.
    wanted : dict of str to Range
        In which ranges the measures of a puzzle must be, by column.

    Raises
    ------
    UnidokuError
        A word is unknown, or no step and no puzzle has all these.
    """

    def __init__(self, fields: Mapping[str, Any], er: Range) -> None:
        self.technique: int = 0
        self.name: tuple[int, ...] = ()
        self.difficulty: str | None = None
        given = [f"{field} {fields[field]!r}" for field in ("technique", "name") if field in fields]
        if "technique" in fields:
            self.technique = TECHNIQUES.index(*technique_of(fields["technique"]))
        if "name" in fields:
            self.name = codes_of(fields["name"])
        uses = words_of("uses", fields.get("uses", ()))
        self.uses: tuple[tuple[int, ...], ...] = tuple(codes_of(word, "uses") for word in uses)
        self._techniques: list[str] = words_of("techniques", fields.get("techniques", ()))
        self.barred: int = barred_alone(fields["techniques"]) if "techniques" in fields else 0
        given += [f"uses {word!r}" for word in uses]
        if "difficulty" in fields:
            self.difficulty = string("difficulty", fields["difficulty"]).lower()
            lowest, highest = _RATING_WORDS[one_of("difficulty", self.difficulty, _RATING_WORDS)]
            er = Range(max(er.low, lowest), min(er.high, highest))
            given.append(f"difficulty {self.difficulty!r}")
        self.er: Range = er_of(
            er, self.technique, self.name, self.uses, barred=self.barred, given=tuple(given)
        )
        wanted = {
            "er": (self.er, self.er != RATING),
            "technique": (Range(self.technique, self.technique), self.technique),
            "uses": (Range(len(self.uses), len(self.uses)), self.uses),
            "name": (Range(True, True), self.name),
            "techniques": (Range(True, True), self.barred),
        }
        self.wanted: dict[str, Range] = {name: each for name, (each, asked) in wanted.items() if asked}

    def below(self, *, only_er: bool) -> float:
        """Return how far puzzles must be rated to tell whether they fit: below this rating.

        If only a lower bound is requested, a puzzle that reaches it is not rated further.
        """
        if only_er and self.er.high == RATING.high:
            return max(self.er.low, 1.1)  # no step has less
        caps = [cap for code, cap in _CAPS if 0 < self.technique <= code]
        return min([self.er.high + 0.1, RATING.high, *caps])

    def to_json(self) -> dict[str, Any]:
        """Return the parameters as JSON; empty where they are not given."""
        uses: list[Any] = [[NAMES[code] for code in each] for each in self.uses]
        return {
            "difficulty": self.difficulty,
            "technique": TECHNIQUES[self.technique],
            "name": [NAMES[code] for code in self.name],
            "uses": uses[0] if len(uses) == 1 else uses,
            "techniques": self._techniques,
        }


@lru_cache(maxsize=64)  # most requests of a program are the same; this takes as long as a puzzle
def er_of(
    asked: Range,
    technique: int,
    name: tuple[int, ...],
    uses: tuple[tuple[int, ...], ...],
    *,
    barred: int,
    given: tuple[str, ...],
) -> Range:
    """Return the ratings of puzzles that meet the request, by the table of steps.

    A request that no step of the table meets is refused, and names whose techniques are all `barred`.
    `given` says what the request names, for the error.
    """
    fits = _steps_with(technique, name)
    if not fits:
        raise ArgumentError(Message("no step has {names}", names=", ".join(given)))
    low = asked.low
    for group in uses:  # a puzzle is as hard as the easiest step of each name that it uses
        steps = _steps_with(0, group)
        if all(barred >> step.technique & 1 for step in steps):
            text = "uses: {name} is not among the techniques; add it to techniques"
            raise ArgumentError(Message(text, name=NAMES[group[0]]))
        low = max(low, min(step.lowest for step in steps))
    ranges = [Range(max(low, step.lowest), min(asked.high, step.highest)) for step in fits]
    names_step = bool(technique or name)
    if not names_step:
        ranges.append(Range(max(low, RATING.high), asked.high))  # of puzzles that no technique solves
    possible = [each for each in ranges if each.low <= each.high]
    if possible:
        lows, highs, _ = zip(*possible, strict=True)
        return Range(min(lows), max(highs))
    if not given:
        raise ArgumentError(Message("no step has such a rating"))
    has: Message | str = ""
    if names_step:
        _, _, lows, highs = zip(*fits, strict=True)
        least, most = min(lows), max(highs)
        several: Message | float = least
        if least < most:
            several = Message("{low} to {high}", low=least, high=most)
        has = Message("; such steps have {several}", several=several)
    text = "no puzzle with {names} has such a rating{has}"
    raise ArgumentError(Message(text, names=", ".join(given), has=has))


def _steps_with(technique: int, names: Sequence[int]) -> list[StepRange]:
    """Return the steps of the table with a technique, or of any for 0, and with one of some names, if any."""
    return [
        step
        for step in step_ranges()
        if technique in {0, step.technique} and (not names or step.name in names)
    ]
