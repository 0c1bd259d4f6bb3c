"""The answer to the question of the house: no solution, exactly one, or several?"""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Verdict"]


class Verdict(IntEnum):
    """What is known of a puzzle's solutions.

    The numbers are the codes of result arrays (``uint8``); ``str()`` gives the lower-case word used in
    every output.
    """

    NONE = 0
    """No solution; contradictory clues count here too."""
    UNIQUE = 1
    """Exactly one solution."""
    MULTIPLE = 2
    """At least two solutions."""
    UNKNOWN = 3
    """The search stopped before the question was settled: budget used up, or a limit of 1 reached."""
    INVALID = 4
    """Not a puzzle at all; only lines of files have this verdict."""

    def __str__(self) -> str:
        return self.name.lower()
