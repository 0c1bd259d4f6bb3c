"""Check the values that functions accept."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from contextlib import suppress
from math import isfinite, nan
from operator import index
from typing import Any, TypeVar

from unidoku.errors import UnidokuError

MAX_COUNT = 2**64 - 1
"""The largest limit and budget: the kernel counts in 64 bits."""

MAX_TIMED = 1000
"""The largest limit of a benchmark: above it, many solutions are counted as a sum instead of searched."""

_Value = TypeVar("_Value")


def quote(value: object) -> str:
    """Return what a caller gave as an error quotes it: not a whole table in place of a number."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}…"


def one_of(name: str, value: _Value, known: Iterable[object]) -> _Value:
    """Check a value that is one of a few, such as words."""
    known = tuple(known)
    if not isinstance(value, Hashable) or value not in known:  # an array is not equal to a word, but compared
        raise UnidokuError(f"invalid {name} {quote(value)}; choose from: {', '.join(map(str, known))}")
    return value


def flag(name: str, value: Any) -> bool:
    """Check a truth value, perhaps of NumPy; an array of solutions is none."""
    if getattr(value, "shape", None) == ():
        value = value.item()
    if not isinstance(value, bool):
        raise UnidokuError(f"{name} must be True or False, not {quote(value)}")
    return value


def several(name: str, values: Any, kind: str) -> list[Any]:
    """Check several values, which one text is not."""
    if not isinstance(values, str):
        with suppress(TypeError):
            return [*values]
    raise UnidokuError(f"{name} must be several {kind}, not {quote(values)}")


def path_of(name: str, value: Any) -> str:
    """Check a path or a URL."""
    if not isinstance(value, str | os.PathLike):
        raise UnidokuError(f"{name} must be a path or a URL, not {quote(value)}")
    return os.fspath(value)


def whole(name: str, value: object, least: int = 0, most: int = MAX_COUNT) -> int:
    """Check a whole number."""
    try:
        number = least - 1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if number < least:
        raise UnidokuError(f"{name} must be an integer and at least {least}, not {quote(value)}")
    if number > most:
        raise UnidokuError(f"{name} must be at most {most}, not {quote(value)}")
    return number


def positive(name: str, value: object, most: int = MAX_COUNT) -> int:
    """Check an optional whole number of at least 1; None means no limit."""
    return 0 if value is None else whole(name, value, 1, most)


def positive_ratio(name: str, value: object) -> float | None:
    """Check an optional ratio; None means no limit."""
    return None if value is None else real(name, value, above=0)


def real(
    name: str,
    value: object,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
) -> float:
    """Check a real number within bounds."""
    from numbers import Real  # not at the top: most commands have no such option

    bounds = [f"above {above:g}"] if above is not None else []
    bounds += [f"at least {least:g}"] if least is not None else []
    bounds += [f"at most {most:g}"] if most is not None else []
    given = nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):
            given = float(value)
    right = isfinite(given) and (above is None or given > above)
    right = right and (least is None or given >= least)
    if not right or (most is not None and given > most):
        kind = "number" if most is not None else "finite number"
        allowed = " ".join([kind, " and ".join(bounds)]).rstrip()
        raise UnidokuError(f"{name} must be a {allowed}, not {quote(value)}")
    return given
