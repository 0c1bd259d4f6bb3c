"""Validation of JSON that is read back from disk."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from unidoku.errors import ResumeError

__all__ = ["array", "constant", "flag", "load", "number", "optional", "real", "record", "text", "values"]

Check = Callable[[Any, str], None]
"""Raises `Mismatch` when a value does not fit; the second argument is its place."""

_LARGEST = 2**63 - 1


class Mismatch(Exception):
    """A value does not fit the schema."""


def load(data: bytes, check: Check, file: str, what: str) -> Any:
    """Parse JSON and validate all of it."""
    try:
        value = json.loads(data, parse_constant=_no_constant)
        check(value, "")
    except RecursionError:
        raise ResumeError(f"not {what}: nested too deeply", file=file) from None
    except (ValueError, Mismatch) as error:
        raise ResumeError(f"not {what}: {error}", file=file) from None
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _leaf(fits: Callable[[Any], bool], expected: str) -> Check:
    """Accept the values for which `fits` is true."""

    def check(value: Any, place: str) -> None:
        if not fits(value):
            raise Mismatch(f"{place or 'the whole'} is not {expected}")

    return check


def number(least: int = 0, most: int = _LARGEST) -> Check:
    """Accept an integer in a range."""
    return _leaf(
        lambda value: type(value) is int and least <= value <= most, f"an integer from {least} to {most}"
    )


def real() -> Check:
    """Accept a number above 0."""
    return _leaf(lambda value: type(value) in (int, float) and 0 < value < inf, "a number above 0")


def flag() -> Check:
    """Accept true or false."""
    return _leaf(lambda value: type(value) is bool, "true or false")


def text(pattern: str = r"[^\ud800-\udfff]*") -> Check:
    """Accept a string that matches a regular expression; by default any that can be encoded."""
    compiled = re.compile(pattern, re.DOTALL)
    return _leaf(lambda value: type(value) is str and compiled.fullmatch(value) is not None, "a valid text")


def constant(wanted: object) -> Check:
    """Accept one value."""
    return _leaf(lambda value: type(value) is type(wanted) and value == wanted, repr(wanted))


def values() -> Check:
    """Accept an object of texts, numbers, flags, nulls and arrays of integers, with any names."""
    simple = (str, int, float, bool, type(None))

    def fits(value: Any) -> bool:
        return type(value) in simple or (type(value) is list and all(type(each) is int for each in value))

    return _leaf(
        lambda value: type(value) is dict and all(map(fits, value.values())), "an object of simple values"
    )


def optional(inner: Check) -> Check:
    """Accept null, or what another schema accepts."""

    def check(value: Any, place: str) -> None:
        if value is not None:
            inner(value, place)

    return check


def array(*items: Check, most: int | None = None) -> Check:
    """Accept an array."""
    length = f"of {len(items)} items" if most is None else f"of at most {most} items"
    whole = _leaf(
        lambda value: (
            type(value) is list and (len(value) == len(items) if most is None else len(value) <= most)
        ),
        f"an array {length}",
    )

    def check(value: Any, place: str) -> None:
        whole(value, place)
        for index, item in enumerate(value):
            items[0 if most is not None else index](item, f"{place}[{index}]")

    return check


def record(fields: Mapping[str, Check]) -> Check:
    """Accept an object with exactly these keys."""
    whole = _leaf(lambda value: type(value) is dict, "an object")

    def check(value: Any, place: str) -> None:
        whole(value, place)
        if odd := sorted(value.keys() ^ fields.keys()):
            known = "is missing" if odd[0] in fields else "is not a known key"
            raise Mismatch(f"{f'{place}.' if place else ''}{odd[0][:40]!r} {known}")
        for key, inner in fields.items():
            inner(value[key], f"{place}.{key}" if place else key)

    return check
