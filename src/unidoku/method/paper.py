"""The expansion form as text, to fill in by hand, and the check of one that was filled in.

The text is that of ``explain --method book --show marks``: nine small cells for each cell, three in a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from unidoku.errors import FormatError
from unidoku.grid import Grid
from unidoku.kernel import solution_of
from unidoku.method.record import Replay, marks_picture
from unidoku.method.report import Words
from unidoku.method.rules import explain
from unidoku.method.state import UNITS, UNITS_OF

if TYPE_CHECKING:
    from unidoku.grid import PuzzleLike

_BETWEEN = re.compile("[┃│|:]")
_BLANK = {"·", "."}
_SIGNS = str.maketrans("@#", "⊙④")
_ENTRY = re.compile(
    r"(?P<open>[1-9])|\((?P<given>[1-9])\)|(?P<value>[1-9])(?P<how>⊙[IJG]?|④[IJG]|P[0-9]+)"
    r"|(?P<zero>[IJG][0-9]{1,2}|X[IJG][1-9]|\*|S|R[0-9]+)"
)
_KINDS = "IJG"


class WrongMark(NamedTuple):
    """The first mark of a form that is not justified.

    Attributes
    ----------
    line : int
        Line of the text, from 1.
    cell, digit : int
        The cell 1..81 and the component 1..9 whose small cell has the mark.
    mark : str
        What is there.
    reason : str
        Why it is wrong.
    expected : str
        What would be right there.
    """

    line: int
    cell: int
    digit: int
    mark: str
    reason: str
    expected: str


class _Entry(NamedTuple):
    line: int
    cell: int
    digit: int  # whose small cell it is
    text: str
    kind: str  # open, given, value or zero
    shown: int = 0  # the digit that is written there
    mark: str = ""


class _State:
    """The values of a form and the components that marks zero: all of them, or those that are justified."""

    def __init__(self, entries: Iterable[_Entry] = ()) -> None:
        self.values: dict[int, int] = {}
        self.zeros: set[tuple[int, int]] = set()
        for entry in entries:
            self.add(entry)

    def add(self, entry: _Entry) -> None:
        """Take in a mark; a component that the value of its own cell zeroes has no reason of its own."""
        if entry.kind in {"given", "value"}:
            self.values.setdefault(entry.cell, entry.digit)
        elif entry.kind == "zero" and entry.mark != "*":
            self.zeros.add((entry.cell, entry.digit))

    def left(self, cell: int) -> set[int]:
        """Return the components of a cell that are not zero."""
        if cell in self.values:
            return {self.values[cell]}
        return {digit for digit in range(1, 10) if (cell, digit) not in self.zeros}

    def places(self, unit: int, digit: int) -> set[int]:
        """Return the cells of a unit that still have a component."""
        return {cell for cell in UNITS[unit - 1] if digit in self.left(cell)}

    def value_marks(self, cell: int, digit: int) -> Iterator[str]:
        """Yield the marks with which a cell may take a digit."""
        if all((cell, other) in self.zeros for other in range(1, 10) if other != digit):
            yield "⊙"
        for letter, unit in zip(_KINDS, UNITS_OF[cell], strict=True):
            others = {*UNITS[unit - 1]} - {cell}
            if not self.places(unit, digit) - {cell}:
                yield f"⊙{letter}"
            if {self.values.get(other) for other in others} == {*range(1, 10)} - {digit}:
                yield f"④{letter}"

    def zero_marks(self, cell: int, digit: int) -> Iterator[str]:
        """Yield the marks with which a component may be zeroed; of further rules if there are no others."""
        plain = [
            f"{letter}{other}"
            for letter, unit in zip(_KINDS, UNITS_OF[cell], strict=True)
            for other in UNITS[unit - 1]
            if other != cell and self.values.get(other) == digit
        ]
        if self.values.get(cell, digit) != digit:
            plain.append("*")
        if plain:
            yield from plain
            return
        for unit in range(1, 28):
            if cell not in UNITS[unit - 1] and self.confines(unit, digit, cell):
                yield f"X{_KINDS[(unit - 1) // 9]}{(unit - 1) % 9 + 1}"
        if any(self.subset_takes(unit, cell, digit) for unit in UNITS_OF[cell]):
            yield "S"

    def confines(self, unit: int, digit: int, cell: int) -> bool:
        """Return whether a unit has the digit only in cells of one unit of another cell."""
        places = self.places(unit, digit)
        return bool(places) and any(places <= {*UNITS[other - 1]} for other in UNITS_OF[cell])

    def subset_takes(self, unit: int, cell: int, digit: int) -> bool:
        """Return whether a subset of the unit, naked or hidden, takes the digit from the cell."""
        others = [other for other in UNITS[unit - 1] if other != cell]
        for size in range(1, 5):
            for cells in combinations(others, size):
                if digit in (union := set().union(*map(self.left, cells))) and len(union) <= size:
                    return True
            for cells in combinations(others, size - 1):
                inside = {cell, *cells}
                confined = (
                    each for each in range(1, 10) if each != digit and self.places(unit, each) <= inside
                )
                if len([*confined]) >= size:
                    return True
        return False


def text_form(state: PuzzleLike | Replay) -> list[str]:
    """Return the expansion form as text, as `check_form` reads it.

    Parameters
    ----------
    state : PuzzleLike or Replay
        A puzzle, for the form before the first zeroing; or a replay of a record, for the form filled in up to
        its position.

    Returns
    -------
    list of str
        37 lines. A cell has nine entries, three in a line: a digit while the component is not zero, otherwise
        its mark; a given as ``(5)``, another value with the mark of its conversion, such as ``8⊙G``.

    Raises
    ------
    InvalidPuzzleError
        `state` is no puzzle.
    """
    return marks_picture(state if isinstance(state, Replay) else explain(Grid(state)).replay())


def check_form(lines: Iterable[str], *, lang: str = "en", names: str = "numbers") -> WrongMark | None:
    """Check a form that was filled in by hand.

    A mark is right if the other marks justify it, whatever the order in which they were written: ``I7`` needs
    the digit as the value of cell 7 in the same row; ``⊙`` needs eight components that are zero. What is not
    filled in is not wrong. A preset (``P1``) needs no reason.

    Parameters
    ----------
    lines : iterable of str
        As `text_form` returns them, changed by hand: marks in place of digits. ``.`` may stand for a digit
        that is not printed, ``@`` and ``#`` for ``⊙`` and ``④``. Lines without cells are ignored.
    lang : {"en", "zh"}
        Language of the reason.
    names : {"numbers", "rc"}
        What cells are called in the reason.

    Returns
    -------
    WrongMark or None
        The first wrong mark, cell by cell; None if all are right.

    Raises
    ------
    FormatError
        The text is no form; the error has the line.
    """
    return _Form(_read(lines), Words(lang, names=names)).first_wrong()


def _read(lines: Iterable[str]) -> list[_Entry]:
    """Return the entries of a form, cell by cell."""
    found: list[_Entry] = []
    rows = 0
    for number, text in enumerate(lines, 1):
        cells = [part.split() for part in _BETWEEN.split(text.translate(_SIGNS).strip())[1:-1]]
        if len(cells) < 2:
            continue
        if rows == 27 or len(cells) != 9:
            what = (
                "a form has 27 lines of cells" if rows == 27 else f"a line has nine cells, not {len(cells)}"
            )
            raise FormatError(what, line=number)
        for column, entries in enumerate(cells):
            cell = 9 * (rows // 3) + column + 1
            if len(entries) != 3:
                what = f"cell {cell} needs three entries in a line (. for an empty one), not {len(entries)}"
                raise FormatError(what, line=number)
            found += (
                _entry(number, cell, digit, entry) for digit, entry in enumerate(entries, 3 * (rows % 3) + 1)
            )
        rows += 1
    if rows < 27:
        raise FormatError(f"a form has 27 lines of cells, not {rows}")
    return sorted(found, key=lambda entry: (entry.cell, entry.digit))


def _entry(line: int, cell: int, digit: int, text: str) -> _Entry:
    """Return what a small cell has."""
    if text in _BLANK:
        return _Entry(line, cell, digit, text, "open")
    found = _ENTRY.fullmatch(text)
    if found is None:
        raise FormatError(f"{text!r} in cell {cell} is not a mark of the form", line=line)
    if found["zero"]:
        return _Entry(line, cell, digit, text, "zero", mark=found["zero"])
    kind = next(kind for kind in ("open", "given", "value") if found[kind])
    return _Entry(line, cell, digit, text, kind, int(found[kind]), found["how"] or "")


class _Form:
    """The marks of a form, and which of them are justified."""

    def __init__(self, entries: list[_Entry], words: Words) -> None:
        self.words = words
        self.marks = [entry for entry in entries if entry.kind != "open"]
        self.misplaced = [entry for entry in entries if entry.shown not in {0, entry.digit}]
        self.whole = _State(self.marks)

    def first_wrong(self) -> WrongMark | None:
        """Return the first wrong mark.

        A mark that the form as a whole does not justify is wrong.  If there is none, marks may still justify
        each other in a circle, so the justified marks are then found step by step, from the givens on.
        """
        justified, rest, say = _State(), self.marks, self.words.say
        while not self.misplaced:
            still = self.unjustified(rest, justified)
            if len(still) == len(rest):  # subsets last: they take long to look for
                still = self.unjustified(rest, justified, subsets=True)
            if len(still) == len(rest):
                break
            rest = still
        for entry in self.misplaced:
            return self.wrong(entry, say("form.place", digit=entry.digit), justified)
        for entry in rest:
            if reason := self.reason(entry, self.whole):
                return self.wrong(entry, reason, justified)
        for entry in rest:
            return self.wrong(entry, say("form.circle"), justified)
        for entry in self.marks:
            for unit in UNITS_OF[entry.cell] if entry.kind == "value" else ():
                for other in UNITS[unit - 1]:
                    if other != entry.cell and self.whole.values.get(other) == entry.digit:
                        reason = say("form.twice", other=self.words.cell(other), unit=self.words.unit(unit))
                        return self.wrong(entry, reason, justified)
        return None

    def unjustified(self, marks: list[_Entry], state: _State, *, subsets: bool = False) -> list[_Entry]:
        """Add to a state what it justifies; return the other marks."""
        left = []
        for entry in marks:
            if (entry.mark == "S") is subsets and not self.reason(entry, state):
                state.add(entry)
            else:
                left.append(entry)
        return left

    def reason(self, entry: _Entry, state: _State) -> str:
        """Return why a state does not justify a mark; empty if it does."""
        say, cell, digit, mark = self.words.say, entry.cell, entry.digit, entry.mark
        value = self.whole.values[cell] if entry.kind in {"given", "value"} else digit
        if value != digit:
            return say("form.second", value=value)
        if entry.kind == "given" or mark[0] == "P":
            return ""
        if entry.kind == "value":
            return self.reason_of_value(entry, state)
        if mark == "*":
            return "" if cell in state.values else say("form.own")
        if mark == "S":
            takes = any(state.subset_takes(unit, cell, digit) for unit in UNITS_OF[cell])
            return "" if takes else say("form.subset", digit=digit)
        if mark[0] == "R":
            assumed = {
                each.cell: each.digit for each in self.marks if each.kind == "given" or each.mark[:1] == "P"
            }
            givens = bytes({**assumed, cell: digit}.get(each, 0) for each in range(1, 82))
            return "" if solution_of(givens) is None else say("form.refuted", digit=digit)
        if mark[0] == "X":
            unit = 9 * _KINDS.index(mark[1]) + int(mark[2])
            right = cell not in UNITS[unit - 1] and state.confines(unit, digit, cell)
            fields = {"unit": self.words.unit(unit), "digit": digit}
            return "" if right else say("form.extended", **fields)
        other, unit = int(mark[1:]), UNITS_OF[cell][_KINDS.index(mark[0])]
        if other == cell or other not in UNITS[unit - 1]:
            return say("form.unit", other=self.words.cell(other), unit=self.words.unit(unit))
        found = state.values.get(other)
        fields = {"other": self.words.cell(other), "value": found}
        return "" if found == digit else say("form.empty" if found is None else "form.value", **fields)

    def reason_of_value(self, entry: _Entry, state: _State) -> str:
        """Return why a state does not justify that a cell takes a value with a mark."""
        say, cell, digit, mark = self.words.say, entry.cell, entry.digit, entry.mark
        if mark == "⊙":
            open_ones = [each for each in range(1, 10) if each != digit and (cell, each) not in state.zeros]
            return say("form.self", digits=self.words.join(open_ones)) if open_ones else ""
        unit = UNITS_OF[cell][_KINDS.index(mark[1])]
        cells = state.places(unit, digit) - {cell}
        key = "form.only"
        if mark[0] == "④":
            cells, key = {*UNITS[unit - 1]} - {cell} - state.values.keys(), "form.last"
        fields = {"unit": self.words.unit(unit), "digit": digit, "cells": self.words.cells(sorted(cells))}
        return say(key, **fields) if cells else ""

    def wrong(self, entry: _Entry, reason: str, state: _State) -> WrongMark:
        """Return a wrong mark, with what the justified marks allow in its place."""
        cell, digit = entry.cell, entry.digit
        marks = [f"{digit}{mark}" for mark in state.value_marks(cell, digit)] if entry.kind == "value" else []
        if not marks:
            marks = [*state.zero_marks(cell, digit)]
        expected = self.words.join(marks) if marks else str(digit)
        return WrongMark(entry.line, cell, digit, entry.text, reason, expected)
