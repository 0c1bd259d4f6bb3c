"""The declaration of a column of a task's rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple


class ColumnSpec(NamedTuple):
    """A column of a task: its type, its description, and the conditions on it."""

    type: str
    """``bool``, ``int64``, ``float64``, ``string``, ``cells``, …; see `type_of_items` of the runner."""
    about: str
    """A description, for the help."""
    words: Mapping[str, str] | Callable[[str], tuple[str, ...]] = MappingProxyType({})
    """Known words and the value of each; or the values that a word can mean."""
    conditions: Mapping[str, str] = MappingProxyType({})
    """The conditions that a word stands for, which no row has: see `unidoku._conditions.spelled_out`."""
    is_signed: bool = False
    """Whether it may have negative numbers; only then can a condition name them."""
    bounds: tuple[float, float] | None = None
    """The lowest and the highest number by which puzzles can be requested; None for none."""


REASON = ("reason", "reason_code")
"""The columns that say why a record has no result: a sentence, and its code."""
