"""The records of JSON, by a rule that looks at each value by itself.

- A puzzle is a record.
- An object is a record if it has a puzzle under a name of puzzles, or exactly one puzzle among its members.
- An object of columns, as pandas writes it, has a record for each row.  A list inside a list is such a row if
  it has one puzzle and other single values.
- In any other object each member is looked at in the same way, and in any other list each item.  If one of
  them has a record, each value without one is an invalid record; a single value of an object is a column.

Puzzles among words count if there are none that are only cells, and full grids if there are no puzzles.  An
object around a single record, or around the same puzzle several times, is the record itself.

If several members of an object have records, their names are the ``key`` of the records.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import inf
from typing import Any, NamedTuple, TypeAlias

from unidoku.cell import EMPTY_SYMBOLS
from unidoku.files.column_names import PUZZLE_NAMES, role_of
from unidoku.files.paths import is_conversation, is_in_words, puzzle_in
from unidoku.files.records import is_damaged_puzzle, reading_of, usual_line, without_separators
from unidoku.native.text.objects import element_places, member_places

Place: TypeAlias = tuple[str | int, ...]
"""The names and numbers that lead to a value."""
Columns: TypeAlias = Mapping[str, tuple[Place, str | int, Any]]
"""Values by the names of columns, each with its list or object and its name there."""
Member: TypeAlias = tuple[str | int, Any, int, int]
"""A value in a list or an object: its name or number, itself, and where it begins and ends."""

ABOUT_RECORDS = (
    "columns",
    "index",
    "schema",
    "features",
    "config",
    "info",
    "meta",
    "metadata",
    "prompts",
    "stats",
)
"""Names of members next to records that describe them all, as well-known programs write them."""
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
_NAMES = frozenset(PUZZLE_NAMES)
_NOTHING, _FULL, PUZZLE = 0, 1, 2
"""The rank of a record, from the least: it is invalid, has a full grid, or a puzzle with empty cells."""


class FoundRecord(NamedTuple):
    """A record: where it is in a value, and its value there."""

    place: Place
    value: Any
    rank: int = _NOTHING
    name: str = ""
    """The name of its puzzle; empty if the puzzle is deeper."""
    keys: tuple[str, ...] = ()
    """The names of the members that lead to it."""
    columns: Columns | None = None
    """Where its values are, and the values, if it is more than the value at its place."""

    @property
    def own(self) -> Columns:
        """Its columns; a puzzle by itself has the name of one."""
        if self.columns is not None:
            return self.columns
        if not isinstance(self.value, dict):
            return {"puzzle": (self.place[:-1], self.place[-1], self.value)}
        return {name: (self.place, name, value) for name, value in self.value.items()}

    def below(self, columns: Columns, *keys: str) -> FoundRecord:
        """Return the record with the values, and perhaps the name, of a level above it.

        No name of puzzles from above hides the puzzle.
        """
        own = self.own
        taken = own.keys() if any(name.lower() in _NAMES for name in own) else {*own, *PUZZLE_NAMES}
        above = {f"outer_{name}" if name in taken else name: value for name, value in columns.items()}
        return self._replace(keys=keys + self.keys, columns={**above, **own})

    @property
    def whole(self) -> Any:
        """The record as a value: an object if it has columns."""
        if self.columns is None:
            return self.value
        key = {"key": ".".join(self.keys)} if self.keys else {}
        return key | {name: value for name, (_, _, value) in self.columns.items()}


class TextPlaces:
    """Where the values of a text are."""

    def __init__(self, text: str, begin: int = 0) -> None:
        self._text, self._begin = text, begin
        self._members: dict[Place, dict[str | int, tuple[int, int]]] = {}

    def begin(self, record: FoundRecord) -> int:
        """Return where a record begins."""
        return self.span(record.place)[0]

    def span(self, place: Place) -> tuple[int, int]:
        """Return where the value at a place begins and ends."""
        if not place:
            return self._begin, len(self._text.rstrip())
        *_, last = place
        return self._of_members(place[:-1])[last]

    def _of_members(self, place: Place) -> dict[str | int, tuple[int, int]]:
        """Return where the members of the value at a place are."""
        if place not in self._members:
            found = members(self._text, self.span(place)[0])
            self._members[place] = {name: (begin, end) for name, _, begin, end in found}
        return self._members[place]

    def json(self, record: FoundRecord) -> str:
        """Return a record as JSON, in which each value is as it is written."""
        if record.columns is None:
            return self._text[slice(*self.span(record.place))]
        texts = {"key": json.dumps(".".join(record.keys))} if record.keys else {}
        for name, (place, last, _) in record.columns.items():
            texts[name] = self._text[slice(*self._of_members(place)[last])]
        return "{" + ", ".join(f"{json.dumps(name)}: {text}" for name, text in texts.items()) + "}"


def _whole_number(digits: str) -> float:
    """Return a whole number; one that is too long for Python only has to be kept as it is written."""
    if len(digits) >= _MOST_DIGITS:
        return inf
    return int(digits)


decode_prefix: Callable[..., tuple[Any, int]] = json.JSONDecoder(parse_int=_whole_number).raw_decode


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


def records_on(value: Any, steps: Sequence[str] = ()) -> list[FoundRecord]:
    """Return the records of a line, or of an item of a list; the value is an invalid one if it has none."""
    return _found_in(value, (), steps, in_list=True) or [FoundRecord((), value)]


def lines_of(text: str, steps: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield where the records of a document begin, and each as JSON: those in an object, or items of a list.

    `steps` are the steps of the path that the user named.
    """
    at = after_blanks(text, 0)
    while at < len(text):
        value, end = decode_prefix(text, at)
        if isinstance(value, list) and not is_record(value):
            for _, _, begin, stop in members(text, at):
                yield begin, text[begin:stop]
        else:
            places = TextPlaces(text[:end], at)
            for record in _found_in(value, (), steps) or [FoundRecord((), value)]:
                yield places.begin(record), places.json(record)
        at = after_blanks(text, end)


def places_of_records(content: bytearray, steps: Sequence[str]) -> tuple[memoryview, dict[str, Any]] | None:
    """Return where the records of a document begin, as `element_places`, and the values next to their list.

    The records are the items of its longest list.  None if they have another form or place.
    """
    begin, end = 0, len(content)
    path = list[str]()
    while found := member_places(content, begin, end):
        name, last, begin, end = max(zip(*[iter(found)] * 4, strict=True), key=lambda span: span[3] - span[2])
        path.append(json.loads(content[name:last]))
    places = element_places(content, begin, end)
    if places is None or len(content) - (places[-1] - places[0]) > _SAMPLE_BYTES:
        return None
    count = len(places) - 1
    most = max(min(2, count), bisect_left(places, places[0] + _SAMPLE_BYTES, 0, count))
    cut = content[: places[most]].rstrip().removesuffix(b",") + b"]" + content[places[-1] + 1 :]
    values = decode_prefix(cut.decode().strip(), 0)[0]
    if not path:
        return None if is_record(values) else (places, {})
    records = _found_in(values, (), steps)
    for name in path:
        values, steps = values[name], steps[steps[:1] == [name] :]
    items = [*chain.from_iterable(records_on(item, steps) for item in values)]
    if [(one.keys, one.value) for one in records] != [(one.keys, one.value) for one in items]:
        return None
    columns = records[0].columns or {}
    columns = {name: one for name, one in columns.items() if len(one[0]) < len(path)}
    return places, {name.removeprefix("outer_"): value for name, (*_, value) in columns.items()}


def is_record(value: Any) -> bool:
    """Return whether a whole list or object is one record: a puzzle, or a puzzle and its solution."""
    return [record.place for record in _found_in(value, (), ())] == [()]


def _found_in(value: Any, place: Place, steps: Sequence[str], *, in_list: bool = False) -> list[FoundRecord]:
    """Return the records in a value; none if it has no puzzle, or nothing on the path of the user."""
    if steps:
        return _on_path(value, place, steps)
    plain = _records_in(value, place, in_list=in_list)
    return plain if _have_puzzles(plain) else _records_in(value, place, words=True, in_list=in_list)


def _have_puzzles(records: list[FoundRecord]) -> bool:
    """Return whether one of some records has a puzzle with empty cells."""
    return any(record.rank == PUZZLE for record in records)


def _records_in(value: Any, place: Place, *, words: bool = False, in_list: bool = False) -> list[FoundRecord]:
    """Return the records in a value; with `words` also puzzles among words."""
    rank = rank_of(value, words=words)
    if rank:
        return [FoundRecord(place, value, rank, "puzzle")]
    if isinstance(value, dict):
        return _in_object(value, place, words=words)
    if not isinstance(value, list) or is_conversation(value):
        return []
    if row := _row_of(value, place, in_list=in_list):
        return [row]
    found = [_records_in(one, (*place, k), words=words, in_list=True) for k, one in enumerate(value)]
    if not any(found if words else map(_have_puzzles, found)):
        return []
    several = (
        records if _have_puzzles(records) else _at_least_one(value[k], (*place, k))
        for k, records in enumerate(found)
    )
    return [*chain.from_iterable(several)]


def _at_least_one(value: Any, place: Place) -> list[FoundRecord]:
    """Return the records in a value, also among words, or the value as an invalid one."""
    return _records_in(value, place, words=True, in_list=True) or [FoundRecord(place, value)]


def _in_object(value: dict[str, Any], place: Place, *, words: bool) -> list[FoundRecord]:
    """Return the records in an object: itself, the rows of its columns, or the records of its members."""
    rank, name = puzzle_of(value, words=words)
    if rank and not (_is_damaged(name, value[name]) and _has_records_below(value, place)):
        return [FoundRecord(place, value, rank, name)]
    rows = _rows(value, place)
    if rows:
        return rows
    found = {
        name: records
        for name, one in value.items()
        if isinstance(one, str | list | dict) and (records := _records_in(one, (*place, name), words=words))
    }
    if not found:
        return []
    best = max(record.rank for record in chain(*found.values()))
    main = {name: found[name] for name in found if any(one.rank == best for one in found[name])}
    if best != PUZZLE and (not words or any(name.lower() in _NAMES for name in value)):
        return []
    if _is_one(value, main):
        return [FoundRecord(place, value, best, next(iter(main)))]
    records = [*chain(*main.values())]
    if len(records) == 1 and not _has_another_like(value, main, records[0]):
        return [
            records[0].below({name: (place, name, one) for name, one in value.items() if name not in main})
        ]
    are_ids = len(main) > 1
    for name, one in value.items():
        if name not in main:
            main[name] = _of_another(name, one, (*place, name), are_ids=are_ids)
    return _below(value, place, main)


def _is_damaged(name: str, puzzle: object) -> bool:
    """Return whether a member is only perhaps a puzzle: a damaged one, without a name of puzzles."""
    return name.lower() not in _NAMES and isinstance(puzzle, str) and usual_line(puzzle) is None


def _has_records_below(value: dict[str, Any], place: Place) -> bool:
    """Return whether a list or an object in an object has records with puzzles."""
    below = (_records_in(one, (*place, name)) for name, one in value.items() if isinstance(one, list | dict))
    return any(map(_have_puzzles, below))


def _below(value: dict[str, Any], place: Place, found: dict[str, list[FoundRecord]]) -> list[FoundRecord]:
    """Return the records of members, with the members' names, and single values of the object as columns."""
    columns = {
        name: (place, name, one)
        for name, one in value.items()
        if not isinstance(one, list | dict) and not found.get(name)
    }
    has_keys = sum(map(bool, found.values())) > 1
    if not columns and not has_keys:
        return [*chain(*found.values())]
    return [one.below(columns, *[name] * has_keys) for name in value for one in found.get(name, ())]


def _of_another(name: str, value: Any, place: Place, *, are_ids: bool) -> list[FoundRecord]:
    """Return the records of a member that has only full grids, words or no puzzle, next to puzzles.

    An empty list has no records.  A single value is a column, but nothing is an invalid record among ids.
    """
    if records := _records_in(value, place, words=True):
        return records if _have_puzzles(records) or not role_of(name) else []
    if value in (None, "", {}):
        return [FoundRecord(place, value)] * are_ids
    is_lost = isinstance(value, list | dict) and value != [] and name not in ABOUT_RECORDS
    return [FoundRecord(place, value)] * is_lost


def _has_another_like(value: dict[str, Any], main: Container[str], record: FoundRecord) -> bool:
    """Return whether another member of an object lacks a puzzle, but has the record's name of a puzzle."""
    if not isinstance(record.value, dict):
        return False
    others = (one for name, one in value.items() if name not in main and isinstance(one, dict))
    return any(record.name in one for one in others)


def _is_one(value: dict[str, Any], found: dict[str, list[FoundRecord]]) -> bool:
    """Return whether an object is a record: by its only full grid, or by one puzzle in several objects."""
    if len(found) == 1:
        return not isinstance(value[next(iter(found))], list | dict)
    if sum(map(len, found.values())) > _FEW:
        return False
    if not all(isinstance(value[name], dict) and not records[0].keys for name, records in found.items()):
        return False
    return all(puzzle_in(one).cells for one in (value, *map(value.get, found)))


def _rows(value: dict[str, Any], place: Place) -> list[FoundRecord]:
    """Return the rows of an object of columns: lists or objects with the same keys, one named as puzzles.

    Without such a name each of several rows has one puzzle.  No row that is no record has records in it.
    """
    columns = {name: one for name, one in value.items() if isinstance(one, list | dict)}
    if len(columns) < 2 or len({*map(len, columns.values())}) > 1:
        return []
    columns = {name: one for name, one in columns.items() if not rank_of(one)}
    keys = {tuple(one) if isinstance(one, dict) else range(len(one)) for one in columns.values()}
    if len(columns) < 2 or len(keys) > 1:
        return []
    [names] = keys
    is_named = any(name.lower() in _NAMES for name in columns)
    rows = [{name: one[key] for name, one in columns.items()} for key in names]
    others = [row for row in rows if not puzzle_of(row)[0]]
    least = 1 if is_named else max(2, len(rows))
    if len(rows) - len(others) < least or any(_records_in(row, place) for row in others):
        return []
    above = {name: (place, name, one) for name, one in value.items() if name not in columns}
    return [
        FoundRecord(
            (*place, next(iter(columns)), key),
            row,
            PUZZLE,
            puzzle_of(row)[1],
            () if str(key) == str(number) else (str(key),),
            above | {name: ((*place, name), key, one) for name, one in row.items()},
        )
        for number, (key, row) in enumerate(zip(names, rows, strict=True))
    ]


def _on_path(value: Any, place: Place, steps: Sequence[str]) -> list[FoundRecord]:
    """Return the records on a path: objects with its last name; names in front of the path may be missing."""
    if isinstance(value, list):
        items = [*enumerate(value)]
        if steps[0].startswith("["):
            number, steps = steps[0].strip("[]"), steps[1:]
            items = items[int(number) :][:1] if number else items
        found = [_found_in(one, (*place, k), steps, in_list=True) for k, one in items]
        if not any(found):
            return []
        pairs = zip(items, found, strict=True)
        return [one for (k, item), records in pairs for one in records or [FoundRecord((*place, k), item)]]
    if not isinstance(value, dict):
        return []
    heads = (k for k in range(len(steps), 0, -1) if ".".join(steps[:k]) in value)
    head = next(heads, 0)
    name, rest = ".".join(steps[:head]), steps[head:]
    if head and _is_column(value[name], rest):
        return [FoundRecord(place, value, PUZZLE, name)]
    searched = [name] if head else [*value]
    records = {name: _found_in(value[name], (*place, name), rest) for name in searched}
    if sum(map(len, records.values())) == 1:
        [[one]] = filter(None, records.values())
        return [
            one.below({name: (place, name, inner) for name, inner in value.items() if not records.get(name)})
        ]
    return _below(value, place, records)


def _is_column(value: Any, steps: Sequence[str]) -> bool:
    """Return whether the value under a name of the path belongs to a column: the rest leads into it."""
    if steps:
        return steps[0] not in ("[]",) and steps[0].startswith("[")
    return not isinstance(value, list | dict) or rank_of(value, words=True) > 0


def puzzle_of(value: dict[str, Any], *, words: bool = False) -> tuple[int, str]:
    """Return the rank of an object that is a record, and the name of its puzzle; 0 for another object.

    It has a puzzle under a name of puzzles, or exactly one.  A single value under such a name declares the
    puzzle, even if it is none.
    """
    ranks = {
        name: rank
        for name, one in value.items()
        if isinstance(one, str | list) and (rank := rank_of(one, words=words or name.lower() in _NAMES))
    }
    names = [name for name in value if name.lower() in _NAMES]
    named = [name for name in names if name in ranks]
    if named:
        best = max(named, key=ranks.__getitem__)
        return ranks[best], best
    puzzles = [name for name, rank in ranks.items() if rank == PUZZLE]
    if not puzzles or (len(puzzles) > 1 and not _is_one_log(value, words=words)):
        return _NOTHING, ""
    return PUZZLE, next((name for name in names if not isinstance(value[name], list | dict)), puzzles[0])


def _is_one_log(value: dict[str, Any], *, words: bool) -> bool:
    """Return whether an object with puzzles is one record: it has an answer, or the same puzzle in words."""
    if any(role_of(name) not in ("", "solution") for name in value):
        return True
    return words and puzzle_in(value).cells != ""


def _row_of(values: list[Any], place: Place, *, in_list: bool) -> FoundRecord | None:
    """Return a list that is a puzzle and its solution; in a list, a puzzle and other single values."""
    if len(values) < 2:
        return None
    at, others = -1, list[Any]()
    for k, one in enumerate(values):
        rank = rank_of(one)
        if rank == PUZZLE and at < 0:
            at = k
        elif rank == PUZZLE or (not rank and isinstance(one, list | dict)):
            return None
        elif not rank:
            others.append(one)
    is_pair = len(values) == 2 and not others
    has_others = in_list and (len(values) > len(others) + 1 or any(one not in (None, "") for one in others))
    if at < 0 or not (is_pair or has_others):
        return None
    columns = {f"column{k + 1}": (place, k, one) for k, one in enumerate(values)}
    return FoundRecord(place, values, PUZZLE, f"column{at + 1}", columns=columns)


def rank_of(value: object, *, words: bool = False) -> int:
    """Return whether a text or a list is a puzzle or a full grid, perhaps a damaged one; or 0."""
    if isinstance(value, str):
        return _rank_of_text(value, words) if len(value) >= _SHORTEST else _NOTHING
    if not isinstance(value, list):
        return _NOTHING
    if words and is_conversation(value):
        return PUZZLE if puzzle_in(value).cells else _NOTHING
    if len(value) < _ROW[0] or isinstance(value[0], dict):
        return _NOTHING
    if not (_SHORTEST <= len(value) <= _CELLS_MAX if all(map(_is_short, value)) else _are_rows(value)):
        return _NOTHING
    return PUZZLE if _EMPTY.search(json.dumps(value)) else _FULL


@lru_cache(256)  # each level of a record asks
def _rank_of_text(text: str, words: bool) -> int:
    """Return the rank of a text that is a puzzle in any form, perhaps a damaged one."""
    cells = usual_line(text)
    if cells is None and (words or not is_in_words(text)):
        cells = reading_of(text)[0]
    if cells is None and is_damaged_puzzle(text):
        cells = text
    if cells is None:
        return _NOTHING
    return _FULL if _SIGNS.isdisjoint(cells) else PUZZLE


def _are_rows(rows: list[Any]) -> bool:
    """Return whether lists or texts are the rows of a board, perhaps of a damaged or a larger one."""
    if not all(isinstance(row, list | str) for row in rows):
        return False
    size = len(rows)
    rows = [*map(without_separators, rows)]
    if size in _ROW:
        is_board = sum(len(row) == 9 for row in rows) >= _LEAST_ROWS
    else:  # the record of a larger board says its size
        is_board = size > _ROW[-1] and all(len(row) == size for row in rows)
    return is_board and all(map(_is_cell, chain.from_iterable(rows)))


def _is_short(value: object) -> bool:
    """Return whether a value is neither a list nor an object nor a text of several characters."""
    if isinstance(value, str):
        return len(value) < 2
    return not isinstance(value, list | dict)


def _is_cell(value: object) -> bool:
    """Return whether a value in a row may be a cell."""
    return not isinstance(value, list | dict) and len(str(value)) <= len("False")
