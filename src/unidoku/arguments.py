"""Check the numbers that functions accept; what slow modules and the options of the command line share."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from contextlib import suppress
from math import isfinite
from operator import index
from typing import Any, Literal, TypeVar

from unidoku.errors import UnidokuError

MAX_COUNT = 2**64 - 1
"""The largest limit and budget: the kernel counts in 64 bits."""

MAX_LISTED = (1 << 24) - 1
"""The largest number of solutions of one puzzle that are listed in a table or an array."""

MAX_TIMED = 1000
"""The largest limit of a benchmark: above it, many solutions are counted as a sum instead of searched."""

GUESS_MODES = ("solution", "wrong")
"""The digit that is guessed: that of the solution, or first one that is not in it."""

SYMMETRIES: dict[str, tuple[int | Literal["horizontal", "vertical", "diagonal", "antidiagonal"], ...]] = {
    "none": (),
    "180": (180,),
    "90": (90, 180, 270),
    "horizontal": ("horizontal",),
    "vertical": ("vertical",),
    "diagonal": ("diagonal",),
    "full": (90, 180, 270, "horizontal", "vertical", "diagonal", "antidiagonal"),
}
"""Symmetries of the pattern of clues: the rotations, in degrees, and reflections that leave it as it is."""

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

SITES = ("sudokuwiki", "sudoku.coach", "sudokuexchange", "fpuzzles", "sudokupad")
"""The web sites that links open."""

PER_PAGE = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
"""Puzzles on a page: columns and rows."""


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
    """Check a truth value; an array of solutions is none."""
    return value if isinstance(value, bool) else bool(one_of(name, value, (True, False)))


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
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value <= 0:
        raise UnidokuError(f"{name} must be a finite number above 0, not {quote(value)}")
    return float(value)


def range_of(text: str, kind: type[int] | type[float] = int) -> tuple[float, float]:
    """Read a number, or the least and the greatest: ``24-28``."""
    least, _, most = text.partition("-")
    try:
        return kind(least), kind(most or least)
    except ValueError:
        example = "24-28" if kind is int else "3.0-4.4"
        raise UnidokuError(f"{text[:40]!r} is not a number or a range such as {example}") from None


def step_of(text: str) -> int:
    """Read the number of a step of the method; -1 stands for the last one."""
    try:
        return -1 if text == "end" else whole("number", int(text))
    except ValueError:
        raise UnidokuError(f"{text[:40]!r} is not a whole number from 0 on, or end") from None
