"""Bounds of numbers: what a request asks for, and what is left of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from unidoku.arguments import integer, real, wrong_type
from unidoku.compat import np
from unidoku.errors import Message, UnidokuError

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


def _ends_of(
    name: str, value: Any, lowest: _Number, highest: _Number, kind: Callable[[str, Any], _Number]
) -> tuple[_Number, _Number]:
    """Return the smallest and the largest value; a single number is both."""
    ends = value if isinstance(value, tuple) else (value, value)
    if len(ends) != 2:
        raise wrong_type(name, "a number, or the lowest and the highest", value)
    low, high = kind(name, ends[0]), highest if ends[1] is None else kind(name, ends[1])
    if not low <= high >= lowest or low > highest:
        numbers = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        raise UnidokuError(
            Message(
                "range or number",
                "{name} must be {lowest} to {highest}, or a range of these, not {numbers}",
                name=name,
                lowest=lowest,
                highest=f"{highest:,}",
                numbers=numbers,
            )
        )
    return low, high
