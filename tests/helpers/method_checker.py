"""Checker of records of the book's method: each step against the state before it.

Plain Python, independent of the engine. It implements the rules of Sudoku and the claim of each rule of the
method, and reads a record in its JSON form (the ``events`` of ``unidoku explain --to json``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from counting import NAMED_HOUSES

_CELLS_OF = {name: frozenset(cell + 1 for cell in house) for name, house in NAMED_HOUSES.items()}
_NAMES_OF = {cell: [name for name, cells in _CELLS_OF.items() if cell in cells] for cell in range(1, 82)}
_LETTER = {"row": "I", "column": "J", "box": "G"}


class Position:
    """Values and components, and the saved positions before each preset."""

    def __init__(self, givens: Mapping[int, int]) -> None:
        self.value = dict(givens)
        self.components = {c: {givens[c]} if c in givens else set(range(1, 10)) for c in range(1, 82)}
        self.behind: list[tuple[dict[int, int], dict[int, set[int]], int, int]] = []
        self.refuted = False

    def take(self, cell: int, digit: int) -> None:
        """Give a cell its value; its other components become 0 with it (the book's 1.4.1c and theorem 1)."""
        self.value[cell] = digit
        self.components[cell] = {digit}

    def holding(self, unit: str, digit: int) -> set[int]:
        """Return the cells of a unit that still have the component."""
        return {c for c in _CELLS_OF[unit] if digit in self.components[c]}


def check(puzzle: str, events: Iterable[Mapping[str, Any]]) -> str:
    """Verify a record step by step; return the 81 values after the last event, ``.`` for none."""
    *_, position = positions(puzzle, events)
    return "".join(str(position.value.get(c, ".")) for c in range(1, 82))


def positions(puzzle: str, events: Iterable[Mapping[str, Any]]) -> Iterator[Position]:
    """Verify a record step by step; yield the position before the first event and after each."""
    position = Position({i: int(symbol) for i, symbol in enumerate(puzzle, 1) if symbol in "123456789"})
    yield position
    for number, event in enumerate(events, 1):
        reason = "the record continues after a contradiction"
        if not position.refuted or event["kind"] == "retract":
            reason = _RULES[event["kind"]](position, event)
        assert not reason, f"event {number}: {reason}: {dict(event)}"
        yield position


def _zero(now: Position, event: Mapping[str, Any]) -> str:
    cell, digit = event["cell"], event["digit"]
    if digit not in now.components[cell]:
        return "the component is 0 already"
    if cell in now.value:
        return "the cell has a value"
    reason = _ZEROING[event["rule"]](now, event, cell, digit)
    if event["level"] != len(now.behind):
        return "wrong level"
    now.components[cell].discard(digit)
    return reason


def _theorem1(now: Position, event: Mapping[str, Any], cell: int, digit: int) -> str:
    cause, unit = event["cause"], event["unit"]
    if now.value.get(cause) != digit:
        return "the causing cell does not hold the digit"
    if cell == cause or unit not in _NAMES_OF[cell] or unit not in _NAMES_OF[cause]:
        return "the two cells do not share the unit"
    if unit != next(n for n in _NAMES_OF[cell] if n in _NAMES_OF[cause]):
        return "the order of units is row, column, box"
    return "" if event["mark"] == f"{_LETTER[unit.split()[0]]}{cause}" else "wrong mark"


def _extended(now: Position, event: Mapping[str, Any], cell: int, digit: int) -> str:
    unit = event["unit"]
    holding = now.holding(unit, digit)
    if not holding or holding != set(event["cause"]):
        return "these are not the cells of the unit that hold the digit"
    if cell in _CELLS_OF[unit]:
        return "the cell belongs to the confining unit"
    units = [name for name in _NAMES_OF[cell] if holding <= _CELLS_OF[name]]
    if not units:
        return "the digit is not confined to a unit of the cell"
    big_units = {_big_unit_of(name) for name in (unit, *units) if not name.startswith("box")}
    if "big_unit" in event and event["big_unit"] not in big_units:
        return "wrong big unit"
    kind, number = unit.split()
    return "" if event["mark"] == f"X{_LETTER[kind]}{number}" else "wrong mark"


def _big_unit_of(line: str) -> str:
    """Return the band of a row, the stack of a column."""
    kind, number = line.split()
    return f"{'band' if kind == 'row' else 'stack'} {(int(number) - 1) // 3 + 1}"


def _subset(now: Position, event: Mapping[str, Any], cell: int, digit: int) -> str:
    unit, cells = event["unit"], set(event["cause"])
    if not 2 <= len(cells) <= 4 or not cells <= _CELLS_OF[unit] - now.value.keys():
        return "a subset is two to four undetermined cells of the unit"
    if cell not in _CELLS_OF[unit] or event["mark"] != "S":
        return "the cell is not in the unit, or the mark is wrong"
    if cell in cells:  # hidden: as many other digits as cells have no place elsewhere
        digits = [d for d in range(1, 10) if d != digit and now.holding(unit, d) <= cells]
        return "" if len(digits) >= len(cells) else "the cells are not a hidden subset"
    union = set().union(*(now.components[c] for c in cells))
    naked = digit in union and len(union) <= len(cells)
    return "" if naked else "the cells are not a naked subset with the digit"


_ZEROING: dict[str, Callable[[Position, Mapping[str, Any], int, int], str]] = {
    "theorem1": _theorem1,
    "extended": _extended,
    "subset": _subset,
}


def _convert(now: Position, event: Mapping[str, Any]) -> str:
    cell, digit, rule = event["cell"], event["digit"], event["rule"]
    if cell in now.value:
        return "the cell has a value"
    if digit not in now.components[cell]:
        return "the component is 0"
    if any(now.value.get(peer) == digit for unit in _NAMES_OF[cell] for peer in _CELLS_OF[unit]):
        return "another cell of a unit has the value"
    mark = "⊙"
    if rule == "theorem2":
        reason = "" if now.components[cell] == {digit} else "other components are not 0"
    else:
        unit = event["unit"]
        mark = ("⊙" if rule == "theorem3" else "④") + _LETTER[unit.split()[0]]
        if cell not in _CELLS_OF[unit]:
            reason = "the cell is not in the unit"
        elif rule == "theorem3":
            only = now.holding(unit, digit) == {cell}
            reason = "" if only else "another cell of the unit has the component"
        elif rule == "theorem4":
            is_full = {now.value.get(c) for c in _CELLS_OF[unit] - {cell}} == set(range(1, 10)) - {digit}
            reason = "" if is_full else "the eight other cells do not hold the other digits"
        else:
            reason = "not a rule for conversions"
    if event["level"] != len(now.behind) or event["mark"] != mark:
        reason = reason or "wrong level or mark"
    now.take(cell, digit)
    return reason


def _preset(now: Position, event: Mapping[str, Any]) -> str:
    cell, digit = event["cell"], event["digit"]
    if cell in now.value or digit not in now.components[cell]:
        return "this cannot be preset"
    now.behind.append((dict(now.value), {c: set(s) for c, s in now.components.items()}, cell, digit))
    now.take(cell, digit)
    level = len(now.behind)
    return "" if (event["level"], event["mark"]) == (level, f"P{level}") else "wrong level or mark"


def _contradiction(now: Position, event: Mapping[str, Any]) -> str:
    now.refuted = True
    if event["level"] != len(now.behind):
        return "wrong level"
    if "cell" in event:
        return "" if not now.components[event["cell"]] else "the cell has a component"
    digit = event["digit"]
    places = [c for c in now.holding(event["unit"], digit) if now.value.get(c, digit) == digit]
    return "the digit has a place" if places else ""


def _retract(now: Position, event: Mapping[str, Any]) -> str:
    if not now.refuted:
        return "the preset is not refuted"
    level = len(now.behind)
    if not level:
        return "there is no preset to retract"
    now.value, now.components, cell, digit = now.behind.pop()
    now.components[cell].discard(digit)
    now.refuted = False
    if (cell, digit, level) != (event["cell"], event["digit"], event["level"]):
        return "wrong preset"
    return "" if event["mark"] == f"R{level}" else "wrong mark"


_RULES: dict[str, Callable[[Position, Mapping[str, Any]], str]] = {
    "zero": _zero,
    "convert": _convert,
    "preset": _preset,
    "contradiction": _contradiction,
    "retract": _retract,
}
