"""Steps of every technique and kind, to check what is said and drawn about them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice

from known_ratings import HARDEST, TABLE

from unidoku import Grid, all_steps, steps
from unidoku.rating.scale import TECHNIQUES
from unidoku.rating.step import Step, position_of
from unidoku.rating.steps import walk

CLAIMING = "...6.25...4....3...63..8.2....2....1.......54.9....6.8....6..7.5..1..4..3..5....."
"""A puzzle in which direct claiming is possible, but never the easiest step."""
INNER = (
    "1.......7.2.4...6...3...5...9..4........62.4....9..8....5.....3.6.2...8.7....1...",
    "1...56....5718...66...7.....9.3............9.8....5..35...17..8..2....1.......4..",
)
"""Puzzles whose first chains have inner techniques."""


def samples(number: int = 3) -> tuple[Step, ...]:
    """Up to this number of steps, at most 12, of each technique, kind and form of conclusion.

    The two hardest techniques, of which no puzzle is known that needs them, are the hardest step under
    their names.
    """
    return tuple(step for some in _samples() for step in some[:number])


@cache
def _samples() -> list[list[Step]]:
    found: dict[tuple[str, str, bool], list[Step]] = {}

    def keep(step: Step) -> None:
        some = found.setdefault((step.technique, step.kind, bool(step.placements)), [])
        if len(some) < 12:
            some.append(step)

    for puzzle, (er, _, _) in TABLE.items():
        if er < 90:
            for step in steps(puzzle):
                keep(step)
    for step in all_steps(CLAIMING):
        keep(step)
    for puzzle in [*INNER, *list(HARDEST)[:2]]:
        hard = (step for step in walk(position_of(Grid(puzzle))) if step.chains)
        for step in islice(hard, 3):
            keep(step)
    known = {technique for technique, _, _ in found}
    last = max((step for some in found.values() for step in some), key=lambda step: step.rating)
    for technique in TECHNIQUES[1:]:
        if technique not in known:
            assert technique in TECHNIQUES[-2:], technique
            keep(replace(last, technique=technique))
    return [*found.values()]
