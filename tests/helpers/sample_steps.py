"""Samples of steps of every technique and kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from known_ratings import HARDEST, TABLE

from unidoku import Grid
from unidoku.rating._deduction import Deduction, Position, position_of
from unidoku.rating._names import TECHNIQUES
from unidoku.rating._steps import deductions_in, next_step, path_of

CLAIMING = "...6.25...4....3...63..8.2....2....1.......54.9....6.8....6..7.5..1..4..3..5....."
"""A puzzle in which direct claiming is possible, but never the easiest step."""
INNER = (
    "1.......7.2.4...6...3...5...9..4........62.4....9..8....5.....3.6.2...8.7....1...",
    "1...56....5718...66...7.....9.3............9.8....5..35...17..8..2....1.......4..",
)
"""Puzzles whose first chains have inner techniques."""


def walk(position: Position) -> Iterator[Deduction]:
    """Yield the steps from a position, each found anew."""
    while (step := next_step(position)) is not None:
        yield step
        position = step.after


def samples(number: int = 3) -> tuple[Deduction, ...]:
    """Return up to this number of steps, at most 12, of each technique, kind and form of conclusion.

    No puzzle is known to need the two hardest techniques: they are the hardest step under their names.
    """
    return tuple(step for steps in _samples() for step in steps[:number])


@cache
def _samples() -> list[list[Deduction]]:
    groups: dict[tuple[str, str, bool], list[Deduction]] = {}

    def keep(step: Deduction) -> None:
        steps = groups.setdefault((step.technique, step.kind, bool(step.placements)), [])
        if len(steps) < 12:
            steps.append(step)

    for puzzle, (er, _, _) in TABLE.items():
        if er < 90:
            for step in path_of(puzzle).deductions:
                keep(step)
    for step in deductions_in(position_of(Grid(CLAIMING))):
        keep(step)
    for puzzle in [*INNER, *list(HARDEST)[:2]]:
        chain_steps = (step for step in walk(position_of(Grid(puzzle))) if step.chains)
        for step in islice(chain_steps, 3):
            keep(step)
    techniques = {technique for technique, _, _ in groups}
    hardest = max((step for steps in groups.values() for step in steps), key=lambda step: step.rating)
    for technique in TECHNIQUES[1:]:
        if technique not in techniques:
            assert technique in TECHNIQUES[-2:], technique
            keep(replace(hardest, technique=technique))
    return [*groups.values()]
