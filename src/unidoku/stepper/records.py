"""Convert the log of the native step engine to events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from unidoku.cell import HOUSE_NAMES
from unidoku.grid import Grid
from unidoku.stepper.events import NATIVE, Event, Mark

if TYPE_CHECKING:
    from unidoku.native.steps.levels import Entry, StepSearch

DIGITS = [tuple(digit for digit in range(1, 10) if bits >> (digit - 1) & 1) for bits in range(512)]
"""The digits of a set of bits, ascending."""


def _marks(_: StepSearch, entry: Entry) -> tuple[Mark, ...]:
    return tuple(
        Mark(cell, digit)
        for cell, bits in zip(entry.cells, entry.sets, strict=True)
        for digit in DIGITS[bits]
    )


def _chosen(_: StepSearch, entry: Entry) -> tuple[int, ...]:
    return tuple(cell for place, cell in enumerate(entry.cells) if entry.chosen >> place & 1)


# How a field of an event is read; a field name means the same in every event.
_VALUES: dict[str, Callable[[StepSearch, Entry], Any]] = {
    "cell": lambda _, entry: entry.cell,
    "cells": _chosen,
    "count": lambda _, entry: entry.total,
    "cuts": _marks,
    "digit": lambda _, entry: entry.value or None,
    "digits": lambda _, entry: DIGITS[entry.digits],
    "grid": lambda search, _: Grid(search.cells()).line,
    "house": lambda _, entry: HOUSE_NAMES[entry.house],
    "placed": lambda _, entry: entry.total,
    "policy": lambda _, entry: entry.way,
    "position": lambda _, entry: entry.position,
    "removed": _marks,
    "solution_sum": lambda search, _: search.solutions,
    "way": lambda _, entry: f"{entry.way}GW",
}
_READERS: list[tuple[Callable[..., Event], list[Callable[[StepSearch, Entry], Any]]]] = [
    (event, [_VALUES[field.name] for field in fields(event)[2:]]) for event in NATIVE
]


def read_events(search: StepSearch) -> list[Event]:
    """Return the events logged since the last call.

    A solution must be the last event: its grid is read from the current state of the search.
    """
    found = []
    for entry in search.drain():
        event, values = _READERS[entry.kind]
        found.append(event(entry.step, entry.level, *[value(search, entry) for value in values]))
    return found
