"""Check the numbers and words that functions accept."""

from __future__ import annotations

import os
from collections.abc import Iterable
from math import isfinite
from operator import index
from typing import SupportsFloat, SupportsIndex, TypeVar

from unidoku.errors import UnidokuError

MAX_COUNT = 2**64 - 1
"""The largest limit and budget: the kernel counts in 64 bits."""

MAX_TIMED = 1000
"""The largest limit of a benchmark: above it, many solutions are counted as a sum instead of searched."""

_Value = TypeVar("_Value")


def one_of(name: str, value: _Value, known: Iterable[object]) -> _Value:
    """Check a value that is one of a few, such as words."""
    known = tuple(known)
    if value not in known:
        raise UnidokuError(f"invalid {name} {value!r}; choose from: {', '.join(map(str, known))}")
    return value


def whole(name: str, value: SupportsIndex, least: int = 0, most: int = MAX_COUNT) -> int:
    """Check a whole number."""
    number = index(value)
    if number < least:
        raise UnidokuError(f"{name} must be an integer and at least {least}, not {value!r}")
    if number > most:
        raise UnidokuError(f"{name} must be at most {most}, not {value!r}")
    return number


def positive(name: str, value: SupportsIndex | None, most: int = MAX_COUNT) -> int:
    """Check an optional whole number of at least 1; None means no limit."""
    return 0 if value is None else whole(name, value, 1, most)


def seed_of(seed: int | None) -> int:
    """Check a seed; None draws a fresh one from the operating system's entropy."""
    return int.from_bytes(os.urandom(8), "little") if seed is None else whole("seed", seed)


def real(
    name: str,
    value: SupportsFloat,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
) -> float:
    """Check a real number within bounds."""
    number = float(value)
    right = isfinite(number) and (above is None or number > above)
    right = right and (least is None or number >= least)
    if not right or (most is not None and number > most):
        bounds = [f"above {above:g}"] if above is not None else []
        bounds += [f"at least {least:g}"] if least is not None else []
        bounds += [f"at most {most:g}"] if most is not None else []
        kind = "number" if most is not None else "finite number"
        allowed = " ".join([kind, " and ".join(bounds)]).rstrip()
        raise UnidokuError(f"{name} must be a {allowed}, not {value!r}")
    return number
