"""Reports of a record as text, with drawn grids; the Chinese sentences have the terms of the book."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from unidoku._arguments import one_of
from unidoku._compat import NDArray
from unidoku._words import Line, Texts, renamed
from unidoku.cell import cell_name, thirds_of
from unidoku.method._record import (
    UNITS_OF,
    MethodEvent,
    Record,
    Replay,
    State,
    box_of,
    column_of,
    group_of,
    groups,
    row_of,
)

NAMES = ("numbers", "rc")
"""How a report can call cells: by the book's numbers 1 to 81, or by row and column."""

_STYLES = {
    "title": "bold",
    "order": "dim",
    "zero": "dim",
    "convert": "green",
    "extended": "cyan",
    "subset": "cyan",
    "dry": "bold",
    "preset": "yellow",
    "contradiction": "red",
    "retract": "magenta",
    "matrix": "bold",
    "end": "bold",
}
"""The style of each kind of line of a report, if the terminal has color."""


def _styled(kind: str, text: str) -> Line:
    """Return a line in the style of its kind."""
    return Line(kind, text, style=_STYLES.get(kind, ""))


def _drawn(picture: Iterable[str]) -> Iterator[Line]:
    """Return the lines of a picture."""
    return (Line("picture", line) for line in picture)


class Sentence(NamedTuple):
    """One sentence of a report and its events; the state before them is valid until the next sentence."""

    kind: str
    text: str
    events: list[MethodEvent]
    state: State


class Words(Texts):
    """Sentences of one language."""

    def __init__(self, lang: str = "en") -> None:
        super().__init__("method", lang)

    def line(self, kind: str, key: str, **fields: object) -> Line:
        """Return a text as a line in the style of its kind."""
        return _styled(kind, self.say(key, **fields))

    def cell(self, cell: int) -> str:
        """Return the name of a cell 1..81."""
        return cell_name(cell - 1)

    def cells(self, cells: Iterable[int]) -> str:
        """Return the names of cells as a list in the language."""
        return self.join(map(self.cell, cells))

    def unit(self, unit: int) -> str:
        """Return the name of a unit 1..27."""
        return self.house(unit - 1)


def named(lines: Iterable[Line], names: str) -> Iterator[Line]:
    """Return lines with one of `NAMES` of their cells, which are called by row and column before."""
    if one_of("names", names, NAMES) == "rc":
        return iter(lines)
    return (line._replace(text=renamed(line.text, lambda cell: str(cell + 1))) for line in lines)


def report_lines(
    record: Record,
    *,
    lang: str = "en",
    names: str = "numbers",
    show: Collection[str] = ("grids",),
    short: bool = False,
) -> Iterator[Line]:
    """Yield the lines of a report on a run.

    The words of `show` are the same as for ``explain --show``; a short report shows only the numbering.
    """
    omitted = set[str]()
    if short:
        omitted = {"order", "zero", "dry"}
        show = set(show) & {"numbering"}
    full = _Report(record, Words(lang), show, short)
    return named((line for line in full.lines() if line.kind not in omitted), names)


def proof(record: Record, *, lang: str = "en") -> Iterator[Line]:
    """Yield the sentences that lead to the last event of a record; cells are called by row and column."""
    full, numbers = _Report(record, Words(lang)), proof_of(record)
    for kind, group in full._groups():
        first = full.replay.position + 1
        if told := [event for number, event in enumerate(group, first) if number in numbers]:
            yield full._line(kind, full._sentence(kind, told), group[0])


def proof_of(record: Record) -> set[int]:
    """Return the numbers, from 1, of the last event of a record and of all events that justify it."""
    reasons: list[tuple[int, ...]] = [()]
    replay = record.replay()
    origin = [0] * 82  # event that gave a cell its value
    presets: list[tuple[int, list[int]]] = []
    for number, event in enumerate(record.events, 1):
        if event.kind == "retract":
            preset, origin = presets.pop()
            reasons.append((number - 1, preset))
        else:
            zeros, values = _reasons_of(event, replay.state)
            justified = [int(replay.state.why[digit - 1, cell - 1]) for cell, digit in zeros]
            justified += [origin[cell] for cell in values]
            reasons.append(tuple(number for number in justified if number > 0))
        if event.kind == "preset":
            presets.append((number, origin[:]))
        if event.kind in {"preset", "convert"}:
            origin[event.cell] = number
        replay.forward()
    numbers, pending = set[int](), {len(record.events)}
    while pending:
        numbers |= pending
        pending = {reason for number in pending for reason in reasons[number]} - numbers
    return numbers


def _reasons_of(event: MethodEvent, state: State) -> tuple[Iterable[tuple[int, int]], Iterable[int]]:
    """Return the cells and digits whose zeros, and the cells whose values, justify an event."""
    own, unit = product([event.cell], range(1, 10)), event.unit_cells
    places = product(unit, [event.digit])
    match event.rule:
        case "theorem1":
            return (), event.cause[:1]
        case "subset" if event.cell not in event.cause:  # of a naked one, all digits of its cells
            return product(event.cause, range(1, 10)), ()
        case "subset":
            outside = [cell for cell in unit if cell not in event.cause]
            digits = [d for d in range(1, 10) if {*state.places(event.unit, d)}.isdisjoint(outside)]
            return product(outside, digits), ()
        case "theorem2":
            return own, ()
        case "theorem4":
            return (), unit
        case "extended" | "theorem3":  # a cell that has the digit has no reason
            return places, ()
    if event.kind != "contradiction":
        return (), ()
    # a cell of the unit with another value is excluded even if its zeroing is not done yet
    values = [cell for cell in unit if state.NAK[event.digit - 1, cell - 1]]
    return places if unit else own, values


def sentences(record: Record, *, lang: str = "en") -> Iterator[Sentence]:
    """Return the sentences of a run, each with its events."""
    return _Report(record, Words(lang)).sentences()


@dataclass
class _Report:
    """The options of `report`, and its lines, section by section."""

    record: Record
    words: Words
    show: Collection[str] = ()
    short: bool = False

    def __post_init__(self) -> None:
        self.replay = self.record.replay()
        self.conversions = 0

    def lines(self) -> Iterator[Line]:
        say, empty = self.words.say, self.record.puzzle.count(".")
        yield self.words.line("title", "title")
        if "numbering" in self.show:
            yield self.words.line("matrix", "numbering")
            yield from _drawn(numbers_picture())
        yield _styled("order", self._order())
        yield self.words.line("order", "expand", cells=empty)
        yield self.words.line("order", "givens", n=81 - empty)
        every_step = "every-step" in self.show
        in_first_zeroing, has_converted, rounds = True, False, 0  # converted: since the last picture
        for kind, group in self._groups():
            if (in_first_zeroing or every_step) and kind != "zero":
                yield from self._pictures()
            in_first_zeroing = in_first_zeroing and kind == "zero"
            if kind in {"extended", "subset", "preset"}:
                rounds += 1
                if has_converted:
                    has_converted = False
                    yield self._line("dry", say("dry", n=rounds), group[0])
                    # of no preset; the first preset itself depends on none
                    if not every_step and group[0].level <= (kind == "preset"):
                        yield from self._pictures()
            yield self._line(kind, self._sentence(kind, group), group[0])
            has_converted = has_converted or kind == "convert"
        yield from self._end()

    def sentences(self) -> Iterator[Sentence]:
        for kind, group in self._groups():
            yield Sentence(kind, self._sentence(kind, group), group, self.replay.state)

    def _groups(self) -> Iterator[tuple[str, list[MethodEvent]]]:
        """Yield the kind and the events of each sentence, while the replay is before them."""
        for group in groups(self.record.events):
            kind = group[0].sentence
            yield kind, group
            for _ in group:
                self.replay.forward()
            self.conversions += kind == "convert"

    def _line(self, kind: str, text: str, event: MethodEvent) -> Line:
        depth = event.level - (event.kind in {"preset", "retract"})
        return _styled(kind, "  " * depth + ("   " if kind == "zero" else "") + text)

    def _sentence(self, kind: str, group: list[MethodEvent]) -> str:
        event, words, state = group[0], self.words, self.replay.state
        say = partial(
            words.say,
            mark=event.mark,
            level=event.level,
            digit=event.digit,
            cell=words.cell(event.cell),
            unit=words.unit(event.unit) if event.unit else "",
        )
        match kind:
            case "zero":
                return self._zeroing(group)
            case "convert":
                return say(
                    f"{'short' if self.short else 'convert'}.{event.rule}",
                    n=self.conversions + 1,
                    row=row_of(event.cell),
                    column=column_of(event.cell),
                    box=box_of(event.cell),
                    reasons=self._reasons(event),
                    own=self._own_zeroings(event),
                )
            case "extended":
                units = set(UNITS_OF[event.cell]).intersection(*(UNITS_OF[cell] for cell in event.cause))
                return say(
                    "extended",
                    big=words.house(event.big_unit),
                    cells=words.cells(event.cause),
                    other=words.join(map(words.unit, sorted(units))),
                    out=words.cells(e.cell for e in group),
                )
            case "subset":
                naked = event.cell not in event.cause
                if naked:
                    digits = sorted(set().union(*map(state.components, event.cause)))
                else:
                    digits = [d for d in range(1, 10) if {*state.places(event.unit, d)} <= {*event.cause}]
                components = (say("component", digit=e.digit, cell=words.cell(e.cell)) for e in group)
                return say(
                    "subset.naked" if naked else "subset.hidden",
                    cells=words.cells(event.cause),
                    digits=words.join(digits),
                    out=words.join(components),
                )
            case "preset":
                standing = words.join(state.components(event.cell))
                return say("preset", components=standing, own=self._own_zeroings(event))
            case "retract":
                return say("retract")
        where = "cell" if event.cell else "unit"
        return say(f"{'short' if self.short else 'contradiction'}.{where}", reasons=self._reasons(event))

    def _zeroing(self, group: list[MethodEvent]) -> str:
        say, words = self.words.say, self.words
        source = group_of(group[0])[1]
        by_mark: dict[str, list[int]] = {}
        for event in group:
            by_mark.setdefault(event.mark, []).append(event.cell)
        value = int(self.replay.state.NA[source - 1])
        parts = (
            say("zero.other", digit=value, cells=words.cells(cells), mark=mark)
            for mark, cells in by_mark.items()
        )
        return say("zero", cell=words.cell(source), digit=value, parts=words.join(parts))

    def _own_zeroings(self, event: MethodEvent) -> str:
        """Return which other components of its cell a conversion or preset zeroes; empty for none."""
        digits = [digit for digit in self.replay.state.components(event.cell) if digit != event.digit]
        if digits:
            return self.words.say("own", digits=self.words.join(digits), mark="*")
        return ""

    def _reasons(self, event: MethodEvent) -> str:
        """Return why other components of the cell, or in the unit, are zero, as ``number:mark``."""
        words, parts = self.words, []
        if event.unit:
            for cell in event.unit_cells:
                value = int(self.replay.state.NA[cell - 1])
                if value not in {0, event.digit}:
                    parts.append(f"{words.cell(cell)}:{words.say('value', value=value)}")
                elif cell != event.cell:
                    parts.append(f"{words.cell(cell)}:{self.replay.mark(cell, event.digit)}")
        else:
            digits = (digit for digit in range(1, 10) if digit != event.digit)
            parts = [f"{digit}:{self.replay.mark(event.cell, digit)}" for digit in digits]
        return words.join(parts)

    def _order(self) -> str:
        order, say = self.record.order, self.words.say
        rules = [name for name in ("extended", "subsets") if getattr(order, name)]
        plural = {"row": "rows", "column": "columns", "box": "boxes"}
        return say(
            "order",
            theorems=self.words.join(order.theorems),
            units=self.words.join(say(plural[unit]) for unit in order.units),
            zeroing=say("order.first4" if order.theorems[0] == 4 else "order.complete"),
            again=say("order.sweep" if order.sweep else "order.restart"),
            rules=self.words.join(say(f"rules.{name}") for name in (*rules, "presets")),
        )

    def _pictures(self) -> Iterator[Line]:
        state = self.replay.state
        if "grids" in self.show or "marks" in self.show:
            yield self.words.line("matrix", "picture", n=self.conversions)
            if "marks" in self.show:
                picture = marks_picture(self.replay)
            else:
                picture = pencil_picture(state)
            yield from _drawn(picture)
        if "matrices" in self.show:
            for name, array in (("NA", state.NA), ("KH", state.KH), ("MMK", state.MMK)):
                yield self.words.line("matrix", f"matrix.{name}")
                yield from _drawn(matrix(array))
            for row in range(1, 10):
                yield self.words.line("matrix", "matrix.NAK", unit=self.words.unit(row))
                yield from _drawn(components_matrix(state, row))

    def _end(self) -> Iterator[Line]:
        record, say = self.record, self.words.say
        yield from self._pictures()
        if record.outcome == "solved":
            meaning = say(f"class.{record.book_class}")
            text = say("end.solved", difficulty=record.book_class, meaning=meaning)
        elif record.outcome == "contradiction":
            text = say("end.none")
        else:
            text = say("end.multiple" if record.verdict == "multiple" else "end.presets")
        yield _styled("end", text)
        yield _styled(
            "end",
            say("totals", **record.conversions, **record.zeroings, saved=record.saved, rounds=record.rounds),
        )
        if record.presets_made:
            text = say(
                "totals.presets",
                presets=record.presets,
                made=record.presets_made,
                back=record.presets_retracted,
                deepest=record.deepest_level,
            )
            yield _styled("end", text)


_RULES = {0: ("┏┳┓", "┯", "━"), 3: ("┣╋┫", "┿", "━"), 6: ("┣╋┫", "┿", "━"), 9: ("┗┻┛", "┷", "━")}
"""The thick lines by the row below them: left end, crossing and right end, joints of cells, and strokes."""
_THIN = "┠╂┨", "┼", "─"


def matrix(values: NDArray[Any]) -> list[str]:
    """Return an 81-element array as a 9 x 9 matrix, nine lines."""
    width = len(str(int(values.max())))
    return [
        " ".join(str(int(values[9 * row + column])).rjust(width) for column in range(9)) for row in range(9)
    ]


def components_matrix(state: State, row: int) -> list[str]:
    """NAK of the cells of row 1..9: a line per cell, a column per digit."""
    return [" ".join(str(int(state.NAK[d, 9 * (row - 1) + c])) for d in range(9)) for c in range(9)]


def pencil_picture(state: State) -> list[str]:
    """Draw each cell as 3 x 3 small cells with its components; a value is the only digit, in the middle."""

    def small(cell: int, digit: int) -> str:
        value = int(state.NA[cell - 1])
        if value:
            if digit == 5:
                return str(value)
            return " "
        if state.NAK[digit - 1, cell - 1]:
            return str(digit)
        return "·"

    return drawn_cells(small, 1)


def numbers_picture() -> list[str]:
    """Draw the number I of each cell above its II, JJ and KG (the book's figure 1-1)."""

    def small(cell: int, place: int) -> str:
        numbers = {2: cell, 7: row_of(cell), 8: column_of(cell), 9: box_of(cell)}
        return str(numbers.get(place, ""))

    return drawn_cells(small, 2)


def values_picture(values: bytes) -> list[str]:
    """Return a grid of values 0..9 with box lines, 13 lines."""
    out = []
    for row in range(10):
        if row % 3 == 0:
            ends, _, stroke = _RULES[row]
            out.append(_line(ends, [stroke * 7] * 3))
        cells = [str(value or "·") for value in values[9 * row : 9 * row + 9]]
        if cells:
            out.append(_line("┃┃┃", [f" {' '.join(cells[k : k + 3])} " for k in (0, 3, 6)]))
    return out


def _line(ends: str, boxes: Iterable[str]) -> str:
    """Return a line through three boxes, with its left end, its crossing of box lines and its right end."""
    return ends[0] + ends[1].join(boxes) + ends[2]


def drawn_cells(small: Callable[[int, int], str], width: int) -> list[str]:
    """Draw each cell as 3 x 3 small cells of a width."""
    gap = " " if width > 1 else ""
    out = []
    for row in range(10):
        ends, joint, stroke = _RULES.get(row, _THIN)
        out.append(_line(ends, [joint.join([stroke * (3 * width + 2 * len(gap) + 2)] * 3)] * 3))
        for sub in range(3 if row < 9 else 0):
            parts = [
                f" {gap.join(small(9 * row + column + 1, 3 * sub + k + 1).center(width) for k in range(3))} "
                for column in range(9)
            ]
            out.append(_line("┃┃┃", map("│".join, thirds_of(parts))))
    return out


def marks_picture(replay: Replay) -> list[str]:
    """Draw a table of the book: each small cell has its digit, or the mark of the event that zeroed it.

    A given is written in brackets, another value with the mark of its conversion.
    """
    state = replay.state
    conversions = replay.conversions()

    def small(cell: int, digit: int) -> str:
        if digit == state.NA[cell - 1]:
            if cell in conversions:
                return f"{digit}{conversions[cell].mark}"
            return f"({digit})"
        return replay.mark(cell, digit) or str(digit)

    return drawn_cells(small, 3)
