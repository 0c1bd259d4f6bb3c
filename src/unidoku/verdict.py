"""The verdict on a puzzle: no solution, exactly one, or several."""

from __future__ import annotations

from enum import StrEnum

from unidoku.table.json_values import json_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Verdict(StrEnum):
    """The number of solutions of a puzzle in a word.

    It is the lower-case word of every output, in JSON too: ``check(puzzle) == "unique"``.  ``int()`` gives
    the code of result arrays (``uint8``), which are compared with a verdict as they are; ``Verdict(1)``
    and ``Verdict("unique")`` are the same.
    """

    __get_pydantic_json_schema__ = json_schema

    # Our own code compares arrays with `int(verdict)`: NumPy asks any other object for attributes, which
    # Python 3.11 looks for in Python code if it is an enumeration, and Ctrl-C in the midst of that is lost.
    NONE = "none"
    """No solution; also for contradictory clues."""
    UNIQUE = "unique"
    """Exactly one solution."""
    MULTIPLE = "multiple"
    """At least two solutions."""
    UNKNOWN = "unknown"
    """The search ended before the verdict was known.

    A budget or a `Cancel` ended the search before a second solution was found, and the answer is not
    complete; or the limit was 1, and the search ended at the first solution.
    """
    INVALID = "invalid"
    """Not a puzzle: a line of a file, or with ``errors="invalid"`` a row of `check_many`."""

    def __bool__(self) -> bool:
        """Whether the puzzle has exactly one solution."""
        return self is Verdict.UNIQUE

    def __int__(self) -> int:
        return VERDICTS.index(self)

    def __repr__(self) -> str:
        return f"Verdict.{self.name}"

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Take part in the arithmetic of NumPy as the code."""
        codes = (int(value) if isinstance(value, Verdict) else value for value in inputs)
        return getattr(ufunc, method)(*codes, **options)

    @classmethod
    def _missing_(cls, value: object) -> Verdict:
        for code, verdict in enumerate(cls):
            if code == value:
                return verdict
        raise ValueError(f"invalid verdict {value!r}; choose from: {', '.join(cls)}")


BY_CODE = tuple(Verdict)
"""The verdicts by their codes."""

VERDICTS = tuple(map(str, Verdict))
"""The words by their codes."""
