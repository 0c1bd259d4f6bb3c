"""Every right answer to an exercise: the patterns of one name in a position."""

from __future__ import annotations

from unidoku._threads import Cancel
from unidoku.rating._deduction import Deduction, Position
from unidoku.rating._patterns import NAKED_SETS, naked_sets
from unidoku.rating._steps import deductions_in


def answers(position: Position, name: str, *, cancel: Cancel | None = None) -> list[Deduction]:
    """Return a step for each conclusion of the patterns with a name in a position, the easiest first."""
    found = [step for step in deductions_in(position, cancel=cancel) if step.name == name]
    if name in NAKED_SETS:
        found += naked_sets(position, NAKED_SETS[name])
    conclusions: dict[object, Deduction] = {}
    for step in found:
        conclusions.setdefault(step.conclusion, step)
    return list(conclusions.values())
