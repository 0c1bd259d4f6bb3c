"""Check the numbers that functions accept."""

from __future__ import annotations

from math import isfinite
from operator import index

from unidoku.errors import UnidokuError

MAX_COUNT = 2**64 - 1
"""The largest limit and budget: the kernel counts in 64 bits."""

MAX_LISTED = (1 << 24) - 1
"""The largest number of solutions of one puzzle that are listed in a table or an array."""

MAX_TIMED = 1000
"""The largest limit of a benchmark: above it, many solutions are counted as a sum instead of searched."""


def whole(name: str, value: object, least: int = 0, most: int = MAX_COUNT) -> int:
    """Check a whole number."""
    try:
        number = least - 1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if number < least:
        raise UnidokuError(f"{name} must be an integer and at least {least}, not {value!r}")
    if number > most:
        raise UnidokuError(f"{name} must be at most {most}, not {value!r}")
    return number


def positive(name: str, value: object, most: int = MAX_COUNT) -> int:
    """Check an optional whole number of at least 1; None means no limit."""
    return 0 if value is None else whole(name, value, 1, most)


def positive_ratio(name: str, value: object) -> float | None:
    """Check an optional ratio; None means no limit."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value <= 0:
        raise UnidokuError(f"{name} must be a finite number above 0, not {value!r}")
    return float(value)
