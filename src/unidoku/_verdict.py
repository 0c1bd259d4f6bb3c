"""The verdict on a puzzle: no solution, exactly one, or several; the error if it is not the one needed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from unidoku._arguments import not_one_of
from unidoku._native.text.columns import word_differs, word_equals
from unidoku._table.json_values import json_schema
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, Reason


class Verdict(StrEnum):
    """The verdict on a puzzle: whether it has no solution, exactly one, or several.

    A verdict is a string, the lower-case word that every output has: ``check(puzzle) == "unique"``.  It
    equals this word only.  In a condition, only UNIQUE is true: ``if check(puzzle): ...``.  A comparison with
    True or False is an error, because it would be false for every verdict.

    ``int(verdict)`` is the code, as in ``result.verdict_codes``, and ``Verdict(1)`` is UNIQUE.

    Examples
    --------
    >>> from unidoku import Verdict, check
    >>> check("." * 81), check("." * 81) == "multiple", bool(check("." * 81))
    (Verdict.MULTIPLE, True, False)
    """

    __module__ = "unidoku"

    __get_pydantic_json_schema__ = json_schema

    # Our own code compares arrays with `int(verdict)`: NumPy asks any other object for attributes, which
    # Python 3.11 looks for in Python code if it is an enumeration, and Ctrl-C in the midst of that is lost.
    NONE = ("none", "No solution.  Clues that contradict each other are not an error: the verdict is NONE.")
    UNIQUE = ("unique", "Exactly one solution.")
    MULTIPLE = ("multiple", "At least two solutions.")
    UNKNOWN = (
        "unknown",
        "The search ended before the verdict was known: a budget or a `Cancel` ended it before a second "
        "solution was found, and the answer is not complete.  With a limit of 1, the search ends at the "
        "first solution, and the answer is complete.",
    )
    INVALID = (
        "invalid",
        'Not a puzzle: a record of a file, or a row of `check_many` with ``errors="invalid"``.',
    )

    def __new__(cls, word: str, text: str) -> Verdict:
        """Make a member of its word and its docstring."""
        verdict = str.__new__(cls, word)
        verdict._value_, verdict.__doc__ = word, text
        return verdict

    def __bool__(self) -> bool:
        """Whether the puzzle has exactly one solution."""
        return self is Verdict.UNIQUE

    # In Python, each comparison would cost four times as much.
    __eq__ = word_equals
    __ne__ = word_differs

    def _refuse_truth(self, other: object) -> None:
        """Refuse a comparison with True or False."""
        if type(other) is bool:
            raise _compared_with_truth()

    __hash__ = str.__hash__

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Refuse an attribute that is not there: say what to type instead."""
            from unidoku._guesses import no_attribute  # not at the top: it is needed seldom

            raise no_attribute(self, name)

    def __int__(self) -> int:
        return VERDICTS.index(self._value_)

    def to_dict(self) -> dict[str, str]:
        """Return the verdict as `unidoku.Answer` has it: ``{"verdict": "unique"}``."""
        return {"verdict": str(self)}

    def __repr__(self) -> str:
        return f"Verdict.{self.name}"

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Take part in the arithmetic of NumPy: among numbers as the code, among words as the word."""
        kinds = {value.dtype.kind for value in inputs if hasattr(value, "dtype")}
        if "b" in kinds:
            raise _compared_with_truth()
        plain = str if kinds.isdisjoint("uif") else int
        operands = (plain(value) if isinstance(value, Verdict) else value for value in inputs)
        return getattr(ufunc, method)(*operands, **options)

    @classmethod
    def _missing_(cls, value: object) -> Verdict:
        for code, verdict in enumerate(cls):
            if code == value:
                return verdict
        raise not_one_of("verdict", value, cls)


def _compared_with_truth() -> ArgumentError:
    """Return the error about a verdict that is compared with True or False: what to type instead.

    It is not a TypeError: pandas would take that for False.
    """
    return ArgumentError(
        Message(
            "a verdict equals its word only, not True or False; "
            "use check(puzzle) is Verdict.UNIQUE, or bool(check(puzzle))"
        )
    )


class ImproperPuzzleError(InvalidPuzzleError):
    """The puzzle does not have exactly one solution, which the function needs.

    Attributes
    ----------
    verdict : Verdict
        NONE or MULTIPLE.

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.minimize("." * 81)
    ... except unidoku.ImproperPuzzleError as error:
    ...     error.verdict
    Verdict.MULTIPLE
    """

    __module__ = "unidoku"

    def __init__(self, message: Reason, verdict: Verdict = Verdict.NONE) -> None:
        super().__init__(message)
        self.verdict = verdict


BY_CODE = tuple(Verdict)
"""The verdicts by their codes."""

VERDICTS = tuple(map(str, Verdict))
"""The words by their codes."""
