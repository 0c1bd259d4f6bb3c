"""The records of JSON, by a rule that looks at each value by itself.

- A puzzle is a record.
- An object is a record if it has a puzzle under a name of puzzles, or exactly one puzzle among its members.
- An object of columns, as pandas writes it, has a record for each row.  A list inside a list is such a row if
  it has one puzzle and other single values.
- In any other object each member is looked at in the same way, and in any other list each item.  If one of
  them has a record, each value without one is an invalid record; a single value of an object is a column.

Puzzles among words count if there are none that are only cells, and full grids if there are no puzzles.  An
object around a single record is the record itself, unless another object in it has the record's name of a
puzzle.  So is an object around one puzzle at several paths, or with several puzzles and a name of answers.

If several members of an object have records, their names are the ``key`` of the records.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import inf
from typing import Any, NamedTuple, TypeAlias

from unidoku._native.text.objects import element_places, member_places
from unidoku.cell import EMPTY_SYMBOLS
from unidoku.files._column_names import PUZZLE_NAMES, declares_puzzle, role_of
from unidoku.files._paths import cells_in, is_conversation, is_in_words, puzzle_in
from unidoku.files._records import is_damaged_puzzle, without_separators
from unidoku.files._roles import columns_with_puzzles, several_puzzles

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
    "prompts",
    "stats",
)
"""Names of members next to records that describe them all, as well-known programs write them."""
_MOST_DIGITS = 4300  # of a whole number that Python reads
_BOARD = range(7, 131)  # values of a list of rows or cells, perhaps a damaged one
_LEAST_ROWS = 5  # of nine cells in a damaged board
_SAMPLE_BYTES = 1 << 16  # of a document that say whether its records are in one list
_SHORTEST = 40  # cells of a damaged puzzle
_BLANKS, _COMMA = re.compile(r"[ \t\r\n]*"), re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_EMPTY = re.compile(rf'null|"[ ]?"|[{re.escape("".join(EMPTY_SYMBOLS))}]')
_SIGNS = frozenset(EMPTY_SYMBOLS)
_NOTHING, FULL, _WORDS, _DAMAGED, PUZZLE = range(5)
"""The rank of a value, from the least: nothing, a full grid, a puzzle in words, a damaged one, a puzzle."""
_RANKS = (PUZZLE, _WORDS, FULL)
"""Ranks of records, the best first: a value has the records of the first that any has."""
_ROW_SIZES = range(2, 1024)  # values of a row
_INNER = (str, list, dict)  # kinds of values that may have a puzzle


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
        if not columns and not keys:
            return self
        own = self.own
        taken = own.keys() if any(map(declares_puzzle, own)) else {*own, *PUZZLE_NAMES}
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

    def __init__(self, text: str, begin: int, end: int, *, may_change: bool) -> None:
        self._text, self._may_change = text, may_change
        has_escapes = "\\u" in text  # perhaps half a pair of surrogates
        self._encode = json.JSONEncoder(ensure_ascii=has_escapes).encode
        self._spans: dict[Place, tuple[int, int]] = {(): (begin, end)}

    def span(self, place: Place) -> tuple[int, int]:
        """Return where the value at a place begins and ends."""
        if place not in self._spans:
            above = place[:-1]
            for name, _, begin, end in members(self._text, self.span(above)[0]):
                self._spans[(*above, name)] = begin, end
        return self._spans[place]

    def json(self, record: FoundRecord) -> str:
        """Return a record as JSON, in which each value is as it is written if Python may change a number."""
        if record.columns is None:
            return self._text[slice(*self.span(record.place))]
        if not self._may_change:
            return self._encode(record.whole)
        texts = {"key": json.dumps(".".join(record.keys))} if record.keys else {}
        for name, (place, last, _) in record.columns.items():
            texts[name] = self._text[slice(*self.span((*place, last)))]
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


class Decoder:
    """Decodes JSON, and says of the last value whether Python may write a number of it in another way."""

    may_change = False

    def __init__(self) -> None:
        self._decode = json.JSONDecoder(parse_float=self._number).raw_decode

    def _number(self, text: str) -> float:
        value = float(text)
        self.may_change |= float.__repr__(value) != text
        return value

    def prefix(self, text: str, at: int) -> tuple[Any, int]:
        """Return the value that begins here, and where it ends."""
        self.may_change = "-0" in text
        try:
            return self._decode(text, at)
        except ValueError:  # a number has more digits than Python reads, or the text is damaged
            self.may_change = True
            return decode_prefix(text, at)

    def whole(self, text: str) -> Any:
        """Return the only value of a text."""
        value, end = self.prefix(text, after_blanks(text, 0))
        if (end := after_blanks(text, end)) < len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return value


def records_on(value: Any, steps: Sequence[str] = ()) -> list[FoundRecord]:
    """Return the records of a line, or of an item of a list; the value is an invalid one if it has none."""
    return _found_in(value, (), steps, in_list=True) or [FoundRecord((), value)]


def lines_of(text: str, steps: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield where the records of a document begin, and each as JSON: those in an object, or items of a list.

    `steps` are the steps of the path that the user named.
    """
    decoder = Decoder()
    at = after_blanks(text, 0)
    while at < len(text):
        value, end = decoder.prefix(text, at)
        if isinstance(value, list) and not is_record(value):
            for _, _, begin, stop in members(text, at):
                yield begin, text[begin:stop]
        else:
            places = TextPlaces(text, at, end, may_change=decoder.may_change)
            for record in _found_in(value, (), steps) or [FoundRecord((), value)]:
                yield places.span(record.place)[0], places.json(record)
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
    columns = {name: one for name, one in records[0].own.items() if len(one[0]) < len(path)}
    return places, {name.removeprefix("outer_"): value for name, (*_, value) in columns.items()}


def is_record(value: Any) -> bool:
    """Return whether a whole list or object is one record: a puzzle, or a puzzle and its solution."""
    return [record.place for record in _found_in(value, (), ())] == [()]


def _found_in(value: Any, place: Place, steps: Sequence[str], *, in_list: bool = False) -> list[FoundRecord]:
    """Return the records in a value; none if it has no puzzle, or nothing on the path of the user."""
    return _on_path(value, place, steps) if steps else _best_in(value, place, _RANKS, in_list=in_list)


def _best_in(value: Any, place: Place, ranks: Sequence[int], *, in_list: bool = False) -> list[FoundRecord]:
    """Return the records in a value, of the first of some ranks that it has."""
    for k in range(len(ranks)):
        if found := _records_in(value, place, ranks[k:], in_list=in_list):
            return found
    return []


def _records_in(
    value: Any, place: Place, ranks: Sequence[int], *, in_list: bool = False
) -> list[FoundRecord]:
    """Return the records in a value, of at least the first rank; records next to them may have less."""
    if isinstance(value, dict):
        return _in_object(value, place, ranks)
    rank = rank_of(value, ranks[0])
    if rank >= ranks[0]:
        return [FoundRecord(place, value, rank, "puzzle")]
    if not isinstance(value, list):
        return []
    row = _row_of(value, place, in_list=in_list)
    if row and row.rank >= ranks[0]:
        return [row]
    if is_conversation(value):
        return []
    found = [_records_in(one, (*place, k), ranks, in_list=True) for k, one in enumerate(value)]
    if not any(found):
        return []
    for k, one in enumerate(value):
        if not found[k]:
            found[k] = _best_in(one, (*place, k), ranks[1:], in_list=True) or [FoundRecord((*place, k), one)]
    return [*chain(*found)]


def _in_object(value: dict[str, Any], place: Place, ranks: Sequence[int]) -> list[FoundRecord]:
    """Return the records in an object: itself, the rows of its columns, or the records of its members.

    A name of puzzles without one says that a full grid elsewhere is not a puzzle.
    """
    least = ranks[0]
    rank, name = puzzle_of(value, least)
    if rank:
        return [FoundRecord(place, value, rank, name)] * (rank >= min(least, _WORDS))
    if rows := _rows(value, place, least):
        return rows
    found = {
        key: _records_in(one, (*place, key), ranks) for key, one in value.items() if isinstance(one, _INNER)
    }
    holders = [*filter(found.get, found)]
    if not holders or (least == FULL and name):
        return []
    records = [*chain(*found.values())]
    are_ids = len(holders) > 1
    if are_ids and len(records) == len(holders) and _is_log(records, place, least) and puzzle_in(value).cells:
        return [FoundRecord(place, value, least, holders[0])]
    if len(records) > 1 or any(_is_like(records[0], value[key]) for key in found if not found[key]):
        for key, one in value.items():
            found[key] = found.get(key) or _beside(key, one, (*place, key), ranks[1:], are_ids=are_ids)
    return _below(value, place, found)


def _is_like(record: FoundRecord, value: Any) -> bool:
    """Return whether a value is another record: an object with the same name, or with a damaged puzzle."""
    if isinstance(value, dict) and record.name in value:
        return True
    return _records_in(value, (), (_DAMAGED,)) != []


def _is_log(records: list[FoundRecord], place: Place, least: int) -> bool:
    """Return whether records of several members may be one, as logs write a puzzle at several paths.

    Members with the same path are ids.
    """
    paths = {(*one.place[len(place) + isinstance(one.value, dict) :], one.name) for one in records}
    return len(paths) == len(records) and (
        least == _WORDS or all(isinstance(one.value, dict) for one in records)
    )


def _beside(name: str, value: Any, place: Place, ranks: Sequence[int], *, are_ids: bool) -> list[FoundRecord]:
    """Return the records of a member next to members with records, or the member as an invalid record.

    An empty list has no records.  A single value is a column, but nothing is an invalid record among ids.
    """
    if records := _best_in(value, place, ranks):
        has_puzzles = any(one.rank > FULL for one in records)
        return records if has_puzzles or not role_of(name) else []
    is_lost = isinstance(value, list | dict) and value not in ([], {}) and name not in ABOUT_RECORDS
    return [FoundRecord(place, value)] * (is_lost or (are_ids and value in (None, "", {})))


def _below(value: dict[str, Any], place: Place, found: dict[str, list[FoundRecord]]) -> list[FoundRecord]:
    """Return the records of members, with the members' names, and other values of the object as columns.

    Lists and objects are columns only of a single record.
    """
    is_one = sum(map(len, found.values())) == 1
    columns = {
        name: (place, name, one)
        for name, one in value.items()
        if not found.get(name) and (is_one or not isinstance(one, list | dict))
    }
    has_keys = sum(map(bool, found.values())) > 1
    return [one.below(columns, *[name] * has_keys) for name in value for one in found.get(name, ())]


def _rows(value: dict[str, Any], place: Place, least: int) -> list[FoundRecord]:
    """Return the rows of an object of columns: lists or objects with the same keys.

    Each row has one puzzle, or a single value under a name of puzzles.  A single row has a name of puzzles,
    as objects by id also have the same keys.
    """
    columns = {name: one for name, one in value.items() if isinstance(one, list | dict)}
    keys = {tuple(one) if isinstance(one, dict) else range(len(one)) for one in columns.values()}
    if len(columns) < 2 or len(keys) > 1:
        return []
    above = {name: (place, name, one) for name, one in value.items() if name not in columns}
    places = {name: (*place, name) for name in columns}
    first, rows = next(iter(columns)), list[FoundRecord]()
    for number, key in enumerate(keys.pop()):
        rank, name = puzzle_of({name: one[key] for name, one in columns.items()}, least)
        if not name:
            return []
        own = {name: (places[name], key, one[key]) for name, one in columns.items()}
        keys_of_row = () if str(key) == str(number) else (str(key),)
        rows.append(FoundRecord((*place, first, key), value, rank, name, keys_of_row, above | own))
    is_named = any(map(declares_puzzle, columns))
    return rows if len(rows) > 1 - is_named and any(row.rank for row in rows) else []


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
    return _below(value, place, records)


def _is_column(value: Any, steps: Sequence[str]) -> bool:
    """Return whether the value under a name of the path belongs to a column: the rest leads into it."""
    if steps:
        return steps[0] not in ("[]",) and steps[0].startswith("[")
    return not isinstance(value, list | dict) or rank_of(value, FULL) > 0


def puzzle_of(value: dict[str, Any], least: int) -> tuple[int, str]:
    """Return the rank of an object that is a record, and the name of its puzzle; 0 for another object.

    It has a puzzle under a name of puzzles, or exactly one.  A single value under such a name declares the
    puzzle, even if it is none.  Different puzzles under two such names are an error.
    """
    named = [*filter(declares_puzzle, value)]
    ranks = {name: rank_of(value[name], FULL) for name in named}
    if rank := max(ranks.values(), default=_NOTHING):
        names = [name for name in named if ranks[name] == rank]
        return rank, names[0] if len(names) == 1 else _earliest_of(names, value)
    declared = next((name for name in named if not isinstance(value[name], list | dict)), "")
    ranks = {
        name: rank for name, one in value.items() if (rank := rank_of(one, least)) >= min(least, _DAMAGED)
    }
    if len(ranks) > 1 and any(role_of(name) == "answer" for name in value):
        first = next((name for name in ranks if not role_of(name)), next(iter(ranks)))
        return ranks[first], declared or first
    for name, rank in ranks.items():
        if len(ranks) == 1 and rank >= least:
            return rank, declared or name
    return _NOTHING, declared


def _earliest_of(names: list[str], value: dict[str, Any]) -> str:
    """Return the name whose puzzle has the other puzzles as its states; if none has, the user chooses one."""
    puzzles = columns_with_puzzles(range(len(names)), [value[name] for name in names])
    if len(puzzles) != 1:
        raise several_puzzles(names)
    return names[puzzles[0]]


def _row_of(values: list[Any], place: Place, *, in_list: bool) -> FoundRecord | None:
    """Return a list that is a puzzle and its solution; in a list, a puzzle and other single values."""
    if len(values) not in _ROW_SIZES:
        return None
    ranks = [*map(rank_of, values)]
    *others, best = sorted(ranks)
    has_others = in_list and len(values) - values.count(None) - values.count("") > 1
    if not others[-1] < _DAMAGED <= best or not (has_others or others == [FULL]):
        return None
    if any(isinstance(one, list | dict) for one, rank in zip(values, ranks, strict=True) if not rank):
        return None
    at = ranks.index(best)
    columns = {f"column{k + 1}": (place, k, one) for k, one in enumerate(values)}
    return FoundRecord(place, values, best, f"column{at + 1}", columns=columns)


def rank_of(value: object, least: int = PUZZLE) -> int:
    """Return the rank of a text or a list; texts are read for puzzles among words if these are enough."""
    if isinstance(value, str):
        return _rank_of_text(value, least <= _WORDS) if len(value) >= _SHORTEST else _NOTHING
    if not isinstance(value, list):
        return _NOTHING
    if least <= _WORDS and is_conversation(value):
        return _WORDS if puzzle_in(value).cells else _NOTHING
    if len(value) not in _BOARD or isinstance(value[0], dict):
        return _NOTHING
    are_cells = len(value) >= _SHORTEST and all(map(_is_cell, value))
    if not are_cells and not _are_rows(value):
        return _NOTHING
    return PUZZLE if _EMPTY.search(json.dumps(value)) else FULL


@lru_cache(256)  # each level of a record asks
def _rank_of_text(text: str, words: bool) -> int:
    """Return the rank of a text that is a puzzle in any form, perhaps a damaged one."""
    is_words = is_in_words(text)
    cells, rank = "" if is_words and not words else cells_in(text), _WORDS if is_words else PUZZLE
    if not cells and is_damaged_puzzle(text):
        cells, rank = text, _DAMAGED
    if _SIGNS.isdisjoint(cells):
        return FULL if cells else _NOTHING
    return rank


def _are_rows(rows: list[Any]) -> bool:
    """Return whether lists or texts are the rows of a board, perhaps of a damaged or a larger one."""
    if not all(isinstance(row, list | str) for row in rows):
        return False
    rows = [*map(without_separators, rows)]
    whole = sum(len(row) in (9, len(rows)) for row in rows)
    return whole >= _LEAST_ROWS and all(map(_is_cell, chain.from_iterable(rows)))


def _is_cell(value: object) -> bool:
    """Return whether a value may be a cell: a single value of a few characters."""
    return not isinstance(value, list | dict) and len(str(value)) <= len("False")
