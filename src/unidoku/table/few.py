"""Columns of few rows as the native renderer takes them, made of Python values without NumPy.

`Column.native` returns the same of columns of many rows.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any

from unidoku.native.text.columns import JSON, MISSING, TEXT


def native_column(kind: str, values: Sequence[Any], none: int = MISSING) -> tuple[Any, ...]:
    """Return values of a type of `Task.columns`, grids as texts; `none` is the state of a None."""
    n, states = len(values), None
    if None in values:
        states = bytes(none if value is None else TEXT for value in values)
    if kind.endswith("[]"):
        lists = [value or () for value in values]
        offsets = array("q", accumulate(map(len, lists), initial=0))
        return "lists", n, (offsets, native_column(kind[:-2], [*chain.from_iterable(lists)])), states
    if kind == "bool":
        return "flags", n, (bytes(map(bool, values)),), states
    if kind.startswith("int"):
        return "signed", n, (array("q", [value or 0 for value in values]),), states
    if kind.startswith("uint"):
        return "unsigned", n, (array("Q", [value or 0 for value in values]),), states
    if kind.startswith("float"):
        states = bytes(none if value is None else JSON for value in values)
    return "texts", n, spans(["" if value is None else str(value) for value in values]), states


def spans(texts: Sequence[str]) -> tuple[bytes, array[int], array[int]]:
    """Join texts; return the buffer, where each begins, and where it ends."""
    parts = [text.encode("utf-8", "backslashreplace") for text in texts]
    ends = array("q", accumulate(map(len, parts)))
    return b"".join(parts), array("q", [0, *ends][:-1]), ends
