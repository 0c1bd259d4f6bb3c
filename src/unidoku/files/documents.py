"""The records of a JSON document: the objects, lists or texts at the one path that holds puzzles.

A step of a path is one of these:

- the name of a value in an object
- `EVERY_VALUE`: all values of a list or an object
- `LIST_AS_RECORD`: a list that is a record
- `Columns`: an object whose values are columns, each a list or an object, as pandas writes it

An object that has its puzzle in several places, as in messages, is one record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from itertools import chain, islice, pairwise
from math import inf
from typing import Any, NamedTuple, TypeAlias

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import FormatError, Message
from unidoku.files.column_names import PUZZLE_NAMES, role_of
from unidoku.files.paths import SPEAKERS, cells_in, is_conversation, puzzle_in
from unidoku.files.records import cells_of_field, is_damaged_puzzle, reading_of, without_separators
from unidoku.native.text.objects import element_places, member_places


class JsonStep(Enum):
    """A step that names nothing."""

    EVERY_VALUE = "each"
    LIST_AS_RECORD = "row"


EVERY_VALUE, LIST_AS_RECORD = JsonStep


class Columns(NamedTuple):
    """The step to the rows of columns, one of them with the puzzles."""

    puzzles: str


JsonPath: TypeAlias = tuple[str | Columns | JsonStep, ...]


class FoundRecords(NamedTuple):
    """The path to the records of a value, and the first record."""

    path: JsonPath
    is_full: bool = False
    is_puzzle: bool = False
    """Whether it is a puzzle, and not an object or a list that has one."""
    id: str = ""
    """The name of the only puzzle of an object: the name of a column, or an id."""


class Enclosing(NamedTuple):
    """The levels above a record in a list: the names that lead to it, and the other values of each level."""

    keys: tuple[str, ...] = ()
    values: dict[str, str] = {}  # noqa: RUF012 - never changed


Member: TypeAlias = tuple[str | int, Any, int, int]
"""A value in a list or an object: its name or number, itself, and where it begins and ends."""

_MOST_DIGITS = 4300  # of a whole number that Python reads
_CELLS_MAX = 130  # values of a list of cells, perhaps a damaged one
_ROW = range(7, 12)  # cells of a row, perhaps a damaged one
_LEAST_ROWS = 5  # of nine cells in a damaged board
_LEAD = 256  # bytes in which a document begins
_SAMPLE_BYTES = 1 << 18  # of a document that say where its records are
_SHORT = 40  # characters of a value between levels that is not damaged
_BLANKS, _COMMA = re.compile(r"[ \t\r\n]*"), re.compile(r"[ \t\r\n]*,[ \t\r\n]*")


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


def records_of(text: str, column: str | None) -> Iterator[tuple[int, str]]:
    """Yield where the records of a document begin, and each as JSON."""
    places, enclosing = _elements_of_list(text), Enclosing()
    is_list = places is not None
    if places is None:
        places = [*_values_in(text)]
    path = path_in((decode_prefix(text, begin)[0] for begin, _ in places), column) or (EVERY_VALUE,)
    has_list = not all(isinstance(step, str) for step in path[1:])
    is_one_document = has_list and not is_list and len(places) == 1
    for begin, end in places:
        yield from _records_along(text, begin, end, path[1:], None if is_one_document else enclosing)


def places_of_records(content: bytearray, column: str | None) -> memoryview | None:
    """Return where the records of a document begin, as `element_places`, if they are the values of one list.

    None if the records have another form or place, and if the content is not JSON.
    """
    if not content[:_LEAD].lstrip().startswith(b"["):
        return _LargeObject(content).places_of_records(column)
    places = element_places(content, 0, len(content))
    if places is None:
        return None
    if not _are_records(_values_of(content, places), column):
        return None
    return places


def _values_of(content: bytearray, places: memoryview) -> Iterator[Any]:
    """Yield the values of a list that begin at these places; the last place is where the list closes."""
    for begin, end in pairwise(places):
        yield decode_prefix(content[begin:end].decode(), 0)[0]


def _are_records(values: Iterator[Any], column: str | None) -> bool:
    """Return whether the values of a list are the records of its document, each as it is."""
    first = [*islice(values, _CELLS_MAX)]
    if _is_one_record(first):
        return False
    return path_in(chain(first, values), column) in {None, (EVERY_VALUE,)}


class _LargeObject:
    """A document that is an object, of whose long lists only the first values are decoded."""

    def __init__(self, content: bytearray) -> None:
        self._content = content
        self._left = _SAMPLE_BYTES
        """Bytes that may still be decoded."""
        self._lists: dict[tuple[str, ...], memoryview] = {}
        """The places of the values of long lists, by the names that lead to them."""

    def places_of_records(self, column: str | None) -> memoryview | None:
        """Return where the records begin if all of them are in the only long list; else None."""
        if any(b'"%b"' % name.encode() in self._content for name in SPEAKERS):
            return None  # any value of a list may make it a conversation
        try:
            path = path_in(self._sample_of_object(0, len(self._content), ()), column)
        except (ValueError, RecursionError, FormatError):  # the reader of the whole text says why
            return None
        if len(self._lists) != 1:
            return None
        [(names, places)] = self._lists.items()
        if path != (*names, EVERY_VALUE):
            return None
        return places

    def _sample(self, begin: int, end: int, names: tuple[str, ...]) -> Any:
        """Return the value at a place, without the later values of long lists."""
        opens = self._content[begin : begin + 1]
        if opens == b"{":
            return self._sample_of_object(begin, end, names)
        if opens != b"[":
            return self._decoded(begin, end)
        places = element_places(self._content, begin, end)
        if places is None or len(places) <= _CELLS_MAX + 1:
            return self._decoded(begin, end)
        self._lists[names] = places
        return [self._decoded(*place) for place in islice(pairwise(places), _CELLS_MAX + 1)]

    def _sample_of_object(self, begin: int, end: int, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the object at a place, with a sample of each of its values."""
        places = member_places(self._content, begin, end) or ()
        values = dict[str, Any]()
        for name_begin, name_end, value_begin, value_end in zip(*[iter(places)] * 4, strict=True):
            name = self._decoded(name_begin, name_end)
            if name in values:
                raise ValueError  # the last one counts
            values[name] = self._sample(value_begin, value_end, (*names, name))
        return values

    def _decoded(self, begin: int, end: int) -> Any:
        """Decode the value at a place, unless the sample is large."""
        self._left -= end - begin
        if self._left < 0:
            raise ValueError
        return decode_prefix(self._content[begin:end].decode(), 0)[0]


def _elements_of_list(text: str) -> list[tuple[int, int]] | None:
    """Return where the elements of the only list of a text are; None if it is one record, or another text.

    Not all of them are decoded at once.
    """
    at = after_blanks(text, 0)
    if text[at : at + 1] != "[":
        return None
    places = [(begin, end) for _, _, begin, end in members(text, at)]
    last = places[-1][1] if places else at + 1
    end = after_blanks(text, last) + 1
    if after_blanks(text, end) < len(text):
        return None
    first = [decode_prefix(text, begin)[0] for begin, _ in places[:_CELLS_MAX]]
    if _is_one_record(first):
        return None
    return places


def _values_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each of the values of a text begins and ends."""
    at = after_blanks(text, 0)
    while at < len(text):
        _, end = decode_prefix(text, at)
        yield at, end
        at = after_blanks(text, end)


def path_in(value: Any, column: str | None) -> JsonPath | None:
    """Return the path to the records of a value, or of several, by the first one that has a puzzle."""
    names = column.split(".") if column else []
    with suppress(RecursionError):  # the reader of a line says why
        found = _search(value, names)
        if found is not None:
            return found.path
    return None


def lines_of(text: str, path: JsonPath) -> Iterator[tuple[int, str]]:
    """Yield where the records of a JSON value begin, and each as JSON."""
    yield from _records_along(text, whole_value(text)[0], len(text.rstrip()), path, Enclosing())


def whole_value(text: str) -> tuple[int, Any]:
    """Return where the only value of a text begins, and itself."""
    at = after_blanks(text, 0)
    value, end = decode_prefix(text, at)
    if (end := after_blanks(text, end)) < len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return at, value


def is_cells(value: object) -> bool:
    """Return whether a text or a list is a puzzle, perhaps a damaged one."""
    if isinstance(value, str):
        return _is_text_of_cells(value)
    if not isinstance(value, list) or not value:
        return False
    if is_conversation(value):
        return puzzle_in(value).cells != ""
    if all(map(_is_short, value)):
        return _SHORT <= len(value) <= _CELLS_MAX
    if not all(isinstance(row, list | str) for row in value):
        return False
    return _are_rows(value)


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
    if not isinstance(value, str):
        return not re.search(rf'null|"[ ]?"|[{re.escape("".join(EMPTY_SYMBOLS))}]', json.dumps(value))
    if not value:
        return False
    cells = cells_in(value) or value
    return not any(sign in EMPTY_SYMBOLS for sign in cells)


def _search(value: Any, names: Sequence[str], *, in_list: bool = False) -> FoundRecords | None:
    """Return the path to the first record; `names` are names of the puzzles, or the last names of them."""
    if not names and (lone := _lone_record(value, in_list=in_list)):
        return lone
    if isinstance(value, dict):
        return _search_object(value, names)
    if isinstance(value, str):
        return None
    if not hasattr(value, "__iter__"):
        return None
    return _first_found(_search(element, names, in_list=True) for element in value)


def _first_found(several: Iterator[FoundRecords | None]) -> FoundRecords | None:
    """Return the path to the first puzzle in a list; full grids count if the first values have only those."""
    full: FoundRecords | None = None
    for number, found in enumerate(several):
        if full is not None and number >= _CELLS_MAX:
            break
        if found is None:
            continue
        if not found.is_full:
            return found._replace(path=(EVERY_VALUE, *found.path))
        full = full or found
    return full and full._replace(path=(EVERY_VALUE, *full.path))


def _lone_record(value: Any, *, in_list: bool) -> FoundRecords | None:
    """Return a value that is a puzzle, or a list that is a puzzle and other values, as a record."""
    if is_cells(value):
        return FoundRecords((), _is_full(value), is_puzzle=True)
    if isinstance(value, list) and _is_row(value, in_list=in_list):
        return FoundRecords((LIST_AS_RECORD,))
    return None


def _is_one_record(values: list[Any]) -> bool:
    """Return whether a whole document that is a list is one record, and not a list of records."""
    return is_cells(values) or _is_row(values)


def _is_row(values: list[Any], *, in_list: bool = False) -> bool:
    """Return whether a list is a puzzle and its solution; in a list, a puzzle and other values."""
    cells = [*filter(is_cells, values)]
    puzzles = [value for value in cells if not _is_full(value)]
    if len(puzzles) != 1:
        return False
    if len(values) < 2:
        return False
    if in_list:
        return True
    return len(cells) == len(values) == 2


def _search_object(value: dict[str, Any], names: Sequence[str]) -> FoundRecords | None:
    """Return the path to the records of an object: itself, one of its values, or each."""
    dotted = ".".join(names)
    if dotted in value:
        names = [dotted]
    if names and names[0] in value:
        rest, inner = names[1:], value[names[0]]
        if not rest and _is_leaf(inner):
            return FoundRecords(())
        found = {names[0]: _search(inner, rest)}
    elif not names and _has_known_puzzle(value):
        return FoundRecords(())
    else:
        found = {name: _search(inner, names) for name, inner in value.items()}
    paths = {name: one for name, one in found.items() if one is not None}
    if not paths:
        return None
    return _Object(value, paths).records()


def _is_leaf(value: object) -> bool:
    """Return whether a value under the name of puzzles is one, or no list or object that may have some."""
    if not isinstance(value, dict | list):
        return True
    return is_cells(value)


def _has_known_puzzle(value: dict[str, Any]) -> bool:
    """Return whether a member with a name of puzzles is a puzzle; then the object is a record."""
    known = [inner for name, inner in value.items() if name.lower() in PUZZLE_NAMES]
    return not all(map(_is_full, filter(is_cells, known)))


class _Object:
    """An object with values that are puzzles, or that have puzzles on a path."""

    def __init__(self, value: dict[str, Any], paths: dict[str, FoundRecords]) -> None:
        self.value, self.paths = value, paths
        self.puzzles = [name for name in paths if not paths[name].is_full] or [*paths]
        """The names of values with puzzles, or if there are none the names of values with full grids."""
        self.known = [name for name in paths if name.lower() in PUZZLE_NAMES]
        """The names that a column of puzzles usually has."""

    def records(self) -> FoundRecords:
        """Return the path to the records."""
        if leaves := [*filter(self._is_leaf, self.puzzles)]:
            return self._among_leaves(leaves)
        names = self.known if len(self.known) == 1 else self.puzzles
        if len(names) == 1:
            return self._in_value(names[0])
        are_levels = all(map(self._has_several, names))
        if not are_levels and _is_one(self.value, names):
            return FoundRecords(())
        return self._in_each(names)

    def _is_leaf(self, name: str) -> bool:
        """Return whether a value is a puzzle."""
        return self.paths[name].is_puzzle and not self.paths[name].path

    def _has_several(self, name: str) -> bool:
        """Return whether a value may have several puzzles, as the levels of a game have."""
        return bool(self.paths[name].id) or EVERY_VALUE in self.paths[name].path

    def _among_leaves(self, leaves: list[str]) -> FoundRecords:
        """Return the object as a record, or each of its values as a puzzle."""
        first = self.puzzles[0]
        is_full = self.paths[first].is_full
        if self._is_record(leaves):
            return FoundRecords((), is_full, id=self._id_of(first))
        return FoundRecords((EVERY_VALUE,), is_full, is_puzzle=True, id=self._id_of(first))

    def _is_record(self, leaves: list[str]) -> bool:
        """Return whether the names or the other values say that the object has one puzzle."""
        if len(self.puzzles) == 1:
            return True
        if any(name in leaves for name in self.known):
            return True
        roles = {*map(role_of, self.value)}
        if roles - {"", "solution"}:  # an answer or a conversation; "a" may be the id of a puzzle
            return True
        if len(leaves) > 1 and not any(map(self._has_words, leaves)):
            return False
        return _is_one(self.value, self.puzzles)

    def _has_words(self, name: str) -> bool:
        """Return whether a puzzle is among words or in messages."""
        value = self.value[name]
        if is_conversation(value):
            return True
        return not cells_of_field(puzzle_in(value).text)

    def _id_of(self, name: str) -> str:
        """Return the name of the object's only puzzle if the name is not a known one."""
        if len(self.value) > 1 or self.known:
            return ""
        if is_conversation(self.value[name]):
            return ""
        return name

    def _in_each(self, names: list[str]) -> FoundRecords:
        """Return the path to the records of all these values; they must be equally deep."""
        found = [self.paths[name] for name in names]
        if len({(len(one.path), one.id) for one in found}) > 1:  # an object may have one id
            found = [*map(_with_id_as_name, found)]
        paths = [one.path for one in found]
        if len({*map(len, paths)}) > 1:
            listed = ", ".join(_dotted((name, *path)) for name, path in zip(names, paths, strict=True))
            text = "there are puzzles at {paths}; choose one with --column (or column)"
            raise FormatError(Message(text, paths=listed))
        steps = ({*steps} for steps in zip(*paths, strict=True))
        common = (step.pop() if len(step) == 1 else EVERY_VALUE for step in steps)
        return found[0]._replace(path=(EVERY_VALUE, *common))

    def _in_value(self, name: str) -> FoundRecords:
        """Return the path to the records of one value: a column among columns, or a path inside it."""
        value, found = self.value[name], self.paths[name]
        others = [_keys_of(other) for key, other in self.value.items() if key != name]
        are_columns = _keys_of(value) in others
        if len(value) == 1:  # lists of one item, unlike longer ones, are often next to other values
            are_columns = {*map(str, others)} == {str(_keys_of(value))}
        if _is_column(value, found) and are_columns:
            return FoundRecords((Columns(name),), found.is_full)
        return found._replace(path=(name, *found.path))


def _is_one(value: dict[str, Any], names: list[str]) -> bool:
    """Return whether an object has one puzzle, under all these names."""
    if not puzzle_in(value).cells:
        return False
    return all(puzzle_in(value[name]).cells for name in names)


def _is_column(value: list[Any] | dict[str, Any], found: FoundRecords) -> bool:
    """Return whether all values of a list or an object are puzzles."""
    if found.is_puzzle:
        return found.path == (EVERY_VALUE,)
    return not found.path and len(value) == 1


def _with_id_as_name(found: FoundRecords) -> FoundRecords:
    """Return the path to an object with one puzzle, as one step further if the puzzle has its id as name."""
    if not found.id:
        return found
    return found._replace(path=(*found.path, EVERY_VALUE), is_puzzle=True)


def _keys_of(column: object) -> object:
    """Return the names or the numbers of the rows of a column; None for another value."""
    if isinstance(column, dict):
        return column.keys()
    return range(len(column)) if isinstance(column, list) else None


def _dotted(path: JsonPath) -> str:
    """Return the names of a path, as an option has them."""
    return ".".join(step for step in path if isinstance(step, str))


def _records_along(
    text: str, begin: int, end: int, path: JsonPath, enclosing: Enclosing | None
) -> Iterator[tuple[int, str]]:
    """Yield the records on a path: where each begins, and its text with the levels above it.

    Up to the first list, values next to the path belong to the document and not to its records: there is no
    `enclosing`.
    """
    if path[:1] == (LIST_AS_RECORD,) and text[begin] == "{":  # a document after a list that is a record
        path = ()
    if not path:
        yield begin, _record(text, begin, end, enclosing)
        return
    if text[begin] not in "[{":
        if end - begin > _SHORT or text[begin] == "n":  # a null is a record, a number between levels is none
            yield begin, _record(text, begin, end, enclosing)
        return
    step, rest = path[0], path[1:]
    if step is EVERY_VALUE:
        yield from _records_in_each(text, begin, rest, enclosing or Enclosing())
    elif step is LIST_AS_RECORD:
        yield begin, _object_of(_row_at(text, begin), enclosing)
    else:
        yield from _records_at_name(text, begin, end, path, enclosing)


def _records_in_each(
    text: str, begin: int, path: JsonPath, enclosing: Enclosing
) -> Iterator[tuple[int, str]]:
    """Yield the records on a path in each value of a list or an object."""
    for name, _, at, stop in members(text, begin):
        above = enclosing._replace(keys=(*enclosing.keys, name)) if isinstance(name, str) else enclosing
        yield from _records_along(text, at, stop, path, above)


def _row_at(text: str, begin: int) -> dict[str, str]:
    """Return the values of a list that is a record, under the numbers of its columns."""
    return {f"column{int(name) + 1}": text[at:stop] for name, _, at, stop in members(text, begin)}


def _records_at_name(
    text: str, begin: int, end: int, path: JsonPath, enclosing: Enclosing | None
) -> Iterator[tuple[int, str]]:
    """Yield the records on a path that begins with a name or with columns."""
    step, rest = path[0], path[1:]
    values = {str(name): (value, at, stop) for name, value, at, stop in members(text, begin)}
    places = {name: (at, stop) for name, (_, at, stop) in values.items()}
    name = step.puzzles if isinstance(step, Columns) else str(step)
    if name not in places:  # another object than the first one
        yield begin, _record(text, begin, end, enclosing)
    elif not isinstance(step, Columns):
        place = places.pop(name)
        are_several = not _has_one_record(values[name][0], rest)
        inner = enclosing and _with_values(text, places, enclosing, are_several=are_several)
        yield from _records_along(text, *place, rest, inner)
    elif text[places[name][0]] in "[{":
        yield from _rows(text, places, name, enclosing)
    else:
        yield begin, _record(text, begin, end, enclosing)


def _has_one_record(value: Any, path: JsonPath) -> bool:
    """Return whether each list on a path has one item."""
    for step in path:
        if step is EVERY_VALUE:
            if not isinstance(value, list | dict) or len(value) != 1:
                return False
            [value] = value.values() if isinstance(value, dict) else value
        elif isinstance(value, dict):
            value = value.get(str(step))
    return True


def _with_values(
    text: str, places: dict[str, tuple[int, int]], enclosing: Enclosing, *, are_several: bool
) -> Enclosing:
    """Add the values at some places to those above a record; above several records no lists or objects."""
    if are_several:
        places = {name: place for name, place in places.items() if text[place[0]] not in "[{"}
    values = {name: text[at:stop] for name, (at, stop) in places.items()}
    return enclosing._replace(values=enclosing.values | values)


def _rows(
    text: str, places: dict[str, tuple[int, int]], puzzles: str, enclosing: Enclosing | None
) -> Iterator[tuple[int, str]]:
    """Yield the rows of columns at some places."""
    columns = {
        name: {key: (at, stop) for key, _, at, stop in members(text, begin)}
        for name, (begin, _) in places.items()
        if text[begin] in "[{"
    }
    enclosing = enclosing or Enclosing()
    for number, (key, (at, _)) in enumerate(columns[puzzles].items()):
        row = {name: text[slice(*cells[key])] for name, cells in columns.items() if key in cells}
        keys = enclosing.keys if str(key) == str(number) else (*enclosing.keys, str(key))
        yield at, _object_of(row, enclosing._replace(keys=keys))


def _record(text: str, begin: int, end: int, enclosing: Enclosing | None) -> str:
    """Return a record as JSON, on one line."""
    if not any(enclosing or ()):
        return text[begin:end]
    own = {"puzzle": text[begin:end]}
    if text[begin] == "{":
        own = {str(name): text[at:stop] for name, _, at, stop in members(text, begin)}
    return _object_of(own, enclosing)


def _object_of(values: dict[str, str], enclosing: Enclosing | None) -> str:
    """Return values and those above as an object."""
    keys, outer = enclosing or Enclosing()
    above = dict[str, str]()
    if keys:
        above["key"] = json.dumps(".".join(keys))
    above |= outer
    shown = {f"outer_{name}" if name in values else name: value for name, value in above.items()} | values
    items = (f"{json.dumps(name)}: {value}" for name, value in shown.items())
    return f"{{{', '.join(items)}}}"
