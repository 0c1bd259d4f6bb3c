"""The verdict on a puzzle: no solution, exactly one, or several."""

from __future__ import annotations

from enum import ReprEnum, property


class Verdict(int, ReprEnum):
    """The number of solutions of a puzzle in a word.

    The numbers are the codes of result arrays (``uint8``); ``str()`` and ``value`` give the lower-case word
    used in every output.  ``Verdict(1)`` and ``Verdict("unique")`` are the same.  ``json.dumps``
    writes the number, as for any integer.
    """

    # Arrays are compared with `int(verdict)`: NumPy asks any other object for attributes, which Python 3.11
    # looks for in Python code if it is an enumeration, and Ctrl-C in the midst of that is lost.
    NONE = 0
    """No solution; also for contradictory clues."""
    UNIQUE = 1
    """Exactly one solution."""
    MULTIPLE = 2
    """At least two solutions."""
    UNKNOWN = 3
    """The search ended before the verdict was known.

    A budget or a `Cancel` ended the search before a second solution was found, and the answer is not
    complete; or the limit was 1, and the search ended at the first solution.
    """
    INVALID = 4
    """Not a puzzle: a line of a file, or with ``errors="invalid"`` a row of `check_many`."""

    def __bool__(self) -> bool:
        """Whether the puzzle has exactly one solution."""
        return self is Verdict.UNIQUE

    def __repr__(self) -> str:
        return f"Verdict.{self.name}"

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def value(self) -> str:  # type: ignore[override]
        """The word, as ``str()`` gives it."""
        return str(self)

    @classmethod
    def _missing_(cls, value: object) -> Verdict:
        for verdict in cls:
            if str(verdict) == value:
                return verdict
        raise ValueError(f"invalid verdict {value!r}; choose from: {', '.join(map(str, cls))}")


VERDICTS = tuple(map(str, Verdict))
"""The words by their codes."""
