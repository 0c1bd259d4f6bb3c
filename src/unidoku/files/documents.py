"""The records of a JSON document, by a rule that looks at each value by itself.

- A puzzle is a record.
- An object is a record if it has a puzzle under a name of puzzles, or one puzzle among its members.
- An object whose members are columns, as pandas writes it, has a record for each row; a list in a list that
  has one puzzle and other values is such a row.
- In any other object each member is looked at in the same way, and in a list each item. In a list with a
  record every item is one: an item without a puzzle is an invalid record.

A full grid is a puzzle unless a member next to it, or deeper, has one with empty cells.

If several members of an object have records, their names are the ``key`` of the records. Other values of the
object are columns of its only record, and single values are columns of several.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, dropwhile, islice
from math import inf
from typing import Any, NamedTuple, TypeAlias

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.files.column_names import PUZZLE_NAMES, role_of
from unidoku.files.paths import cells_in, is_conversation, is_in_words, puzzle_in
from unidoku.files.records import cells_of_field, is_damaged_puzzle, reading_of, without_separators
from unidoku.native.text.objects import element_places, member_places

Member: TypeAlias = tuple[str | int, Any, int, int]
"""A value in a list or an object: its name or number, itself, and where it begins and ends."""

_MOST_DIGITS = 4300  # of a whole number that Python reads
_CELLS_MAX = 130  # values of a list of cells, perhaps a damaged one
_ROW = range(7, 12)  # cells of a row, perhaps a damaged one
_LEAST_ROWS = 5  # of nine cells in a damaged board
_SAMPLE_BYTES = 1 << 18  # of a document that say whether its records are in one list
_SHORTEST = 40  # cells of a damaged puzzle
_FEW = 16  # puzzles that may be one
_BLANKS, _COMMA = re.compile(r"[ \t\r\n]*"), re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_EMPTY = re.compile(rf'null|"[ ]?"|[{re.escape("".join(EMPTY_SYMBOLS))}]')
_SIGNS = frozenset(EMPTY_SYMBOLS)
_FULL, _PUZZLE = 1, 2
"""The rank of a record, from the least: it has nothing (0), a full grid, a puzzle with empty cells."""


class Entry(NamedTuple):
    """A record in a text: where it begins, and its values as JSON."""

    begin: int
    own: str | dict[str, str]
    """The record, or its members."""
    rank: int = 0
    """Its rank, or the rank of its list."""
    keys: tuple[str, ...] = ()
    above: dict[str, str] = {}  # noqa: RUF012 - never changed
    """The values of the levels above it."""

    @property
    def line(self) -> str:
        """The record and the values above it, as JSON."""
        own = self.own
        if isinstance(own, str):
            text = own
            if not self.keys and not self.above:
                return text
            own = {"puzzle": text}
            if text[:1] == "{":
                own = {str(name): text[at:stop] for name, _, at, stop in members(text, 0)}
        above = {"key": json.dumps(".".join(self.keys))} if self.keys else {}
        above |= self.above
        values = {f"outer_{name}" if name in own else name: value for name, value in above.items()} | own
        return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in values.items()) + "}"


def _whole_number(digits: str) -> float:
    """Return a whole number; one that is too long for Python only has to be kept as it is written."""
    if len(digits) >= _MOST_DIGITS:
        return inf
    return int(digits)


decode_prefix = json.JSONDecoder(parse_int=_whole_number).raw_decode


def after_blanks(text: str, at: int) -> int:
    """Return the place of the next character that is not blank."""
    return _BLANKS.match(text, at).end()  # type: ignore[union-attr]


def members(text: str, at: int) -> Iterator[Member]:
    """Yield the values of the list or the object that begins here."""
    is_object = text[at] == "{"
    close, number = "}" if is_object else "]", 0
    at = after_blanks(text, at + 1)
    while number or text[at : at + 1] != close:
        name: str | int = number
        if is_object:
            if text[at : at + 1] != '"':
                raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
            name, at = decode_prefix(text, at)
            at = after_blanks(text, at)
            if text[at : at + 1] != ":":
                raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
            at = after_blanks(text, at + 1)
        value, end = decode_prefix(text, at)
        yield name, value, at, end
        comma = _COMMA.match(text, end)
        if comma is None:
            at = after_blanks(text, end)
            if text[at : at + 1] == close:
                return
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
        at, number = comma.end(), number + 1


def whole_value(text: str) -> tuple[int, Any]:
    """Return where the only value of a text begins, and itself."""
    at = after_blanks(text, 0)
    value, end = decode_prefix(text, at)
    if (end := after_blanks(text, end)) < len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return at, value


def _values_in(text: str) -> Iterator[Member]:
    """Yield the values of a text, one after the other."""
    at, number = after_blanks(text, 0), 0
    while at < len(text):
        value, end = decode_prefix(text, at)
        yield number, value, at, end
        at, number = after_blanks(text, end), number + 1


def _is_list(text: str) -> bool:
    """Return whether a text is one list; its values are decoded one by one."""
    begin = after_blanks(text, 0)
    if text[begin : begin + 1] != "[":
        return False
    last = deque(members(text, begin), maxlen=1)
    end = last[0][-1] if last else begin + 1
    return after_blanks(text, after_blanks(text, end) + 1) == len(text)


def records_of(text: str, names: Sequence[str]) -> Iterator[Entry]:
    """Yield the records of a document: of the items of a list, of an object, or of several values.

    `names` are names that lead to the puzzles, perhaps only the last of them.
    """
    items = partial(members, text, after_blanks(text, 0))
    if _is_list(text) and not is_record([value for _, value, *_ in islice(items(), _CELLS_MAX)]):
        yield from _in_items(text, items, names)
        return
    values = [*islice(_values_in(text), 2)]
    if len(values) != 1:
        yield from _in_items(text, partial(_values_in, text), names)
        return
    [(_, value, begin, end)] = values
    found = _in_value(text, value, begin, end, names, in_list=True, is_document=True)
    yield from found or [Entry(begin, text[begin:end])]


def records_on(text: str, names: Sequence[str], *, is_in_rows: bool) -> list[Entry]:
    """Return the records of a line; it is one itself if it has none, or if the lines are rows."""
    begin, value = whole_value(text)
    end = len(text.rstrip())
    if is_in_rows:
        return [_record(text, value, begin, end, is_in_rows=True)]
    found = _in_value(text, value, begin, end, names, in_list=True)
    return found or [Entry(begin, text[begin:end])]


def places_of_records(content: bytearray, names: Sequence[str]) -> memoryview | None:
    """Return where the records of a document begin, as `element_places`, if they are the items of one list.

    The first items of the longest list decide. None if the records have another form or place.
    """
    begin, end = 0, len(content)
    while found := member_places(content, begin, end):
        begin, end = max(zip(found[2::4], found[3::4], strict=True), key=lambda span: span[1] - span[0])
    places = element_places(content, begin, end)
    if places is None or len(content) - (places[-1] - places[0]) > _SAMPLE_BYTES:
        return None
    count = len(places) - 1
    most = max(min(2, count), bisect_left(places, places[0] + _SAMPLE_BYTES, 0, count))
    for size in (min(most, _CELLS_MAX), most):
        cut = content[: places[size]].rstrip().removesuffix(b",") + b"]" + content[places[-1] + 1 :]
        records = [*records_of(cut.decode(), names)]
        if any(record.rank for record in records):
            are_items = len(records) == size and all(map(partial(_is_at, content), records, places))
            return places if are_items else None
    return None


def _is_at(content: bytearray, record: Entry, place: int) -> bool:
    """Return whether a record is the text at a place, with nothing added."""
    own = record.own
    if not isinstance(own, str) or record.keys or record.above:
        return False
    return content.startswith(own.encode(), place)


def is_record(value: Any, names: Sequence[str] = (), *, in_list: bool = False) -> bool:
    """Return whether a value itself is a record; with `names` an object that has something under the last."""
    if names:
        return isinstance(value, dict) and _has_name(value, names)
    if is_cells(value):
        return True
    if isinstance(value, list):
        return _is_row(value, in_list=in_list)
    return isinstance(value, dict) and _has_puzzle(value, in_list=in_list)


def _has_name(value: dict[str, Any], names: Sequence[str]) -> bool:
    """Return whether an object has a puzzle, or a value that holds nothing, under a name with dots."""
    name = ".".join(names)
    if name not in value:
        return False
    return not isinstance(value[name], dict | list) or is_cells(value[name])


def _has_puzzle(value: dict[str, Any], *, in_list: bool) -> bool:
    """Return whether an object is a record: by a name, or by the only puzzle in it.

    An only member is a puzzle by its id, unless the object is in a list.
    """
    cells = {name: one for name, one in value.items() if is_cells(one)}
    if any(name.lower() in PUZZLE_NAMES for name in cells):
        return True
    puzzles = [one for one in cells.values() if not _is_full(one)]
    if not puzzles or (len(value) == 1 and not in_list):
        return False
    if any(role_of(name) not in ("", "solution") for name in value):  # an answer, or a conversation
        return True
    if len(puzzles) > 1 and not any(is_conversation(one) or is_in_words(one) for one in puzzles):
        return False
    if not any(puzzle_in(one).cells for one in puzzles):  # damaged
        return not any(_holds_cells(one) for name, one in value.items() if name not in cells)
    return puzzle_in(value).cells != ""


def _holds_cells(value: Any) -> bool:
    """Return whether a value is a puzzle, or has one at any depth."""
    if is_cells(value):
        return True
    return isinstance(value, dict | list) and any(
        map(_holds_cells, value.values() if isinstance(value, dict) else value)
    )


def _is_row(values: list[Any], *, in_list: bool) -> bool:
    """Return whether a list is a puzzle and its solution; in a list, a puzzle and other values."""
    cells = [*filter(is_cells, values)]
    if len(values) < 2 or sum(not _is_full(one) for one in cells) != 1:
        return False
    return in_list or len(cells) == len(values) == 2


def is_row(value: Any) -> bool:
    """Return whether a record is a row of values."""
    return isinstance(value, list) and not is_cells(value)


def _record(text: str, value: Any, begin: int, end: int, rank: int = 0, *, is_in_rows: bool) -> Entry:
    """Return a value as a record; the values of a row, or of a list among rows, have the names of columns."""
    if not is_in_rows or not is_row(value):
        return Entry(begin, text[begin:end], rank)
    own = {f"column{int(name) + 1}": text[at:stop] for name, _, at, stop in members(text, begin)}
    return Entry(begin, own, rank)


def _in_items(text: str, items: Callable[[], Iterator[Member]], names: Sequence[str]) -> Iterator[Entry]:
    """Yield the records in a list: all of its items if one is a record, or else at least one in each."""
    is_own = partial(is_record, names=names, in_list=True)
    records = dropwhile(lambda value: not is_own(value), (value for _, value, *_ in items()))
    if first := [*islice(records, _CELLS_MAX)]:
        rank = _PUZZLE if any(_rank_of(value, names) == _PUZZLE for value in first) else _FULL
        for _, value, begin, end in items():
            yield _record(text, value, begin, end, rank, is_in_rows=is_row(first[0]))
        return
    for _, value, begin, end in items():
        yield from _in_value(text, value, begin, end, names, in_list=True) or [Entry(begin, text[begin:end])]


def _in_value(
    text: str,
    value: Any,
    begin: int,
    end: int,
    names: Sequence[str],
    *,
    in_list: bool = False,
    is_document: bool = False,
) -> list[Entry]:
    """Return the records in a value, itself or deeper."""
    if is_record(value, names, in_list=in_list):
        return [_record(text, value, begin, end, _rank_of(value, names), is_in_rows=True)]
    if isinstance(value, list):
        records = [*_in_items(text, partial(members, text, begin), names)]
        return records if any(record.rank for record in records) else []
    if not isinstance(value, dict):
        return []
    places = {str(name): (at, stop) for name, _, at, stop in members(text, begin)}
    row = {} if names else _row_of_columns(value)
    if row:
        found = {"": [*_rows(text, places, row)]}
    else:
        found = _in_members(text, value, places, names, is_document=is_document)
        if _is_one(value, found, in_list=in_list):
            return [Entry(begin, text[begin:end], max(one.rank for one in chain(*found.values())))]
    is_alone = sum(map(len, found.values())) == 1 and not (
        is_document and isinstance(value.get(next(iter(found))), list)
    )
    above = dict[str, str]()
    for name, (at, stop) in places.items():
        if name in found or name in row:
            continue
        if is_alone or not (is_document or text[at] in "[{"):
            above[name] = text[at:stop]
    keys = {name: (name,) if len(found) > 1 or is_cells(value.get(name)) else () for name in found}
    return [
        record._replace(keys=keys[name] + record.keys, above=above | record.above)
        for name, records in found.items()
        for record in records
    ]


def _in_members(
    text: str,
    value: dict[str, Any],
    places: dict[str, tuple[int, int]],
    names: Sequence[str],
    *,
    is_document: bool,
) -> dict[str, list[Entry]]:
    """Return the records in the members of an object, without full grids if a puzzle has empty cells."""
    heads = (k for k in range(len(names), 0, -1) if ".".join(names[:k]) in value)
    head = next(heads, 0)
    searched = [".".join(names[:head])] if head else [*value]
    found = dict[str, list[Entry]]()
    for name in searched:
        if not isinstance(value[name], str | list | dict):
            continue
        inner = _in_value(text, value[name], *places[name], names[head:], is_document=is_document)
        if inner:
            found[name] = inner
    best = max((record.rank for records in found.values() for record in records), default=0)
    return {name: records for name, records in found.items() if any(r.rank == best for r in records)}


def _is_one(value: dict[str, Any], found: dict[str, list[Entry]], *, in_list: bool) -> bool:
    """Return whether an object is a record itself because of what was found in its members.

    This is a full grid and nothing else, or one puzzle several times, unless these are in lists.
    """
    if len(found) == 1:
        [name] = found
        return is_cells(value[name]) and (in_list or len(value) > 1)
    are_levels = all(found[k][0].keys or isinstance(value[k], list) or is_cells(value[k]) for k in found)
    if are_levels or sum(map(len, found.values())) > _FEW:
        return False
    return all(puzzle_in(one).cells for one in (value, *map(value.get, found)))


def _row_of_columns(value: dict[str, Any]) -> dict[str, Any]:
    """Return the first record of an object whose lists and objects are columns: all have the same keys."""
    columns = {name: one for name, one in value.items() if isinstance(one, list | dict) and not is_cells(one)}
    keys = {tuple(one) if isinstance(one, dict) else len(one) for one in columns.values()}
    if len(columns) < 2 or len(keys) > 1:
        return {}
    lists = (one.values() if isinstance(one, dict) else one for one in columns.values())
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True))
    return next(filter(is_record, rows), {})


def _rows(text: str, places: dict[str, tuple[int, int]], first: dict[str, Any]) -> Iterator[Entry]:
    """Yield the rows of the columns at some places; `first` is one of them, with values."""
    columns = {
        name: {key: (at, stop) for key, _, at, stop in members(text, places[name][0])} for name in first
    }
    puzzles = next(
        name for name in first if is_cells(first[name]) and _rank_of(first[name]) == _rank_of(first)
    )
    for number, (key, (at, _)) in enumerate(columns[puzzles].items()):
        row = {name: text[slice(*cells[key])] for name, cells in columns.items() if key in cells}
        keys = () if str(key) == str(number) else (str(key),)
        yield Entry(at, row, _rank_of(first), keys)


def _rank_of(value: Any, names: Sequence[str] = ()) -> int:
    """Return what a record has; the user says where puzzles are by `names`."""
    if names:
        return _PUZZLE
    if is_cells(value):
        return _FULL if _is_full(value) else _PUZZLE
    several = value.values() if isinstance(value, dict) else value
    cells = filter(is_cells, several if isinstance(value, dict | list) else ())
    return _FULL if all(map(_is_full, cells)) else _PUZZLE


def is_cells(value: object) -> bool:
    """Return whether a text or a list is a puzzle, perhaps a damaged one."""
    if isinstance(value, str):
        return len(value) >= _SHORTEST and _is_text_of_cells(value)
    if not isinstance(value, list) or not value:
        return False
    if is_conversation(value):
        return puzzle_in(value).cells != ""
    if all(map(_is_short, value)):
        return _SHORTEST <= len(value) <= _CELLS_MAX
    if not all(isinstance(row, list | str) for row in value):
        return False
    return _are_rows(value)


@lru_cache(256)  # each level of a record asks
def _is_text_of_cells(text: str) -> bool:
    """Return whether a text is a puzzle in any form, perhaps a damaged one."""
    if cells_of_field(text) is not None:
        return True
    if is_damaged_puzzle(text):
        return True
    return reading_of(text)[0] is not None


def _are_rows(rows: list[list[Any] | str]) -> bool:
    """Return whether lists or texts are the rows of a board, perhaps of a damaged or a larger one."""
    size = len(rows)
    rows = [*map(without_separators, rows)]
    if size in _ROW:
        is_board = sum(len(row) == 9 for row in rows) >= _LEAST_ROWS
    else:  # the record of a larger board says its size
        is_board = size > _ROW[-1] and all(len(row) == size for row in rows)
    if not is_board:
        return False
    return all(map(_is_cell, chain.from_iterable(rows)))


def _is_short(value: object) -> bool:
    """Return whether a value is neither a list nor an object nor a text of several characters."""
    if isinstance(value, str):
        return len(value) < 2
    return not isinstance(value, list | dict)


def _is_cell(value: object) -> bool:
    """Return whether a value in a row may be a cell."""
    if isinstance(value, list | dict):
        return False
    return len(str(value)) <= len("False")


def _is_full(value: object) -> bool:
    """Return whether a puzzle has no empty cells, perhaps a damaged one."""
    if isinstance(value, str):
        return _is_full_text(value)
    return not _EMPTY.search(json.dumps(value))


@lru_cache(256)
def _is_full_text(text: str) -> bool:
    """Return the same for a text."""
    cells = cells_in(text) or text
    return cells != "" and _SIGNS.isdisjoint(cells)
