"""The records of JSON, by a rule that looks at each value by itself.

- A puzzle is a record.
- An object is a record if it has a puzzle under a name of puzzles, or exactly one puzzle among its members.
- An object of columns, as pandas writes it, has a record for each row.  A list inside a list is such a row if
  it has one puzzle and other single values.
- In any other object each member is looked at in the same way, and in any other list each item.  If one of
  them has a record, each value without one is an invalid record; a single value of an object is a column.

Puzzles among words and full grids count if nothing is a puzzle by itself, and a single value under a name of
answers if nothing else in its object is one.  The object around a single record is the record itself, and so
is one around the same puzzle at several paths.

If several members of an object have records, their names are the ``key`` of the records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from unidoku._native.text.columns import usual_cells
from unidoku._native.text.objects import element_places, member_places
from unidoku._table.json_values import JsonLiteral, json_text
from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import FormatError, Reason
from unidoku.files._chunks import with_usual_ends
from unidoku.files._column_names import PUZZLE_NAMES, declares_no_rows, declares_puzzle, role_of
from unidoku.files._paths import cells_in, is_conversation, is_in_words, puzzle_in
from unidoku.files._records import is_damaged_puzzle, reading_of_value, without_separators
from unidoku.files._roles import columns_with_puzzles, several_puzzles

Place: TypeAlias = tuple[str | int, ...]
"""The names and numbers that lead to a value."""

ABOUT_RECORDS = (
    "columns",
    "index",
    "schema",
    "features",
    "prompts",
    "stats",
)
"""Names of members next to records that describe them all, as well-known programs write them."""
_BOARD = range(7, 131)  # values of a list of rows or cells, perhaps a damaged one
_LEAST_ROWS = 5  # of nine cells in a damaged board
_SHORTEST = 40  # cells of a damaged puzzle
_BLANKS, _BETWEEN = re.compile(r"[ \t\r\n]*"), re.compile(r"[ \t\r\n,:]*")
_EMPTY = re.compile(rf'null|"[ ]?"|[{re.escape("".join(EMPTY_SYMBOLS))}]')
_NUMBER = re.compile(r"\[-?\d")  # of an item of a list
_SIGNS = frozenset(EMPTY_SYMBOLS)
_NOTHING, FULL, _TALK, _WORDS, _DAMAGED, PUZZLE = 0, 4, 8, 10, 11, 12
"""The rank of a value: nothing, a full grid, a conversation, a puzzle among words, a damaged one, a puzzle.

In an object, neighbours in the order of numbers count next to each other.  A puzzle in an inner object needs
a higher quarter than the object's own.
"""
_NESTED, _INNER = (list, dict), (str, list, dict)  # kinds of values; that may have a puzzle
_MOST_FIELDS = 1024  # of a row
_MINUS_ZERO = re.compile(r"-0(?![0-9.eE])")
_MOST_DIGITS = 640  # of an integer that Python reads whatever its limit


class FoundRecord(NamedTuple):
    """A record: its value with the values above it, and where it is."""

    value: Any
    place: Place = ()
    rank: int = _NOTHING
    name: str = ""
    """The name of its puzzle; empty if it has none."""
    keys: tuple[str, ...] = ()
    """The names of the members that lead to it."""

    def below(self, above: Mapping[str, Any], *keys: str) -> FoundRecord:
        """Return the record with the values, and perhaps the name, of a level above it.

        No name of puzzles from above hides the puzzle.
        """
        if not above and not keys:
            return self
        is_object = isinstance(self.value, dict)
        own, name = (self.value, self.name) if is_object else ({"puzzle": self.value}, "puzzle")
        taken = own.keys() if any(map(declares_puzzle, own)) else {*own, *PUZZLE_NAMES}
        named = {f"outer_{key}" if key in taken else key: value for key, value in above.items()}
        return FoundRecord(named | own, self.place, self.rank, name, keys + self.keys)

    @property
    def members(self) -> dict[str, Any]:
        """The values of the record by name."""
        whole = self.whole
        return whole if isinstance(whole, dict) else {"puzzle": whole}

    @property
    def whole(self) -> Any:
        """The record with its key."""
        if not self.keys:
            return self.value
        return {"key": ".".join(self.keys), **self.value}


class _WrittenNumber(float):
    """A number that Python may write in another way, with its text."""

    text = ""


class Decoder:
    """Decodes JSON, and says whether any value had numbers that Python may write otherwise."""

    has_written = False

    def __init__(self) -> None:
        self._decode = json.JSONDecoder(parse_float=self._number).raw_decode
        self._decode_slowly = json.JSONDecoder(parse_float=self._number, parse_int=self._integer).raw_decode

    def _integer(self, text: str) -> float:
        return self._number(text) if text == "-0" or len(text) > _MOST_DIGITS else int(text)

    def _number(self, text: str) -> float:
        value = _WrittenNumber(text)
        if float.__repr__(value) == text:
            return float(value)
        value.text, self.has_written = text, True
        return value

    def prefix(self, text: str, at: int) -> tuple[Any, int]:
        """Return the value that begins here, and where it ends."""
        if _MINUS_ZERO.search(text) is None:
            with suppress(ValueError):  # a number has more digits than Python reads, or the text is damaged
                return self._decode(text, at)
        return self._decode_slowly(text, at)

    def whole(self, text: str) -> Any:
        """Return the only value of a text."""
        value, end = self.prefix(text, after_blanks(text, 0))
        if (end := after_blanks(text, end)) < len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return value


_decode = json.JSONDecoder(parse_int=len).raw_decode  # only the ends of values matter


def after_blanks(text: str, at: int) -> int:
    """Return the place of the next character that is not blank."""
    return _BLANKS.match(text, at).end()  # type: ignore[union-attr]


class _Begins(dict[Place, int]):
    """Where values in a value of a text begin; all of a list or an object are found once one is asked for.

    In a text of one line it does not matter.
    """

    def __init__(self, text: str, at: int) -> None:
        super().__init__({(): at})
        self._text, self._has_lines = text, "\n" in text

    def __missing__(self, place: Place) -> int:
        if not self._has_lines:
            return 0
        above, text = place[:-1], self._text
        at = self[above]
        is_object, number = text[at] == "{", 0
        at = _BETWEEN.match(text, at + 1).end()  # type: ignore[union-attr]
        while text[at] not in "]}":
            name: str | int = number
            if is_object:
                name, at = _decode(text, at)
                at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
            self[*above, name] = at
            _, at = _decode(text, at)
            at, number = _BETWEEN.match(text, at).end(), number + 1  # type: ignore[union-attr]
        return self[place]


def as_written(value: Any) -> str:
    """Return a value as JSON, with each number as it is written."""
    if isinstance(value, _WrittenNumber):
        return value.text
    if isinstance(value, list):
        return f"[{', '.join(map(as_written, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {as_written(one)}" for name, one in value.items()) + "}"
    return json_text([value])[1:-1]


def literals_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a record, with each number as it is written."""
    kinds = (_WrittenNumber, list, dict)
    return {
        name: JsonLiteral(as_written(one)) if isinstance(one, kinds) else one for name, one in record.items()
    }


def records_on(value: Any, steps: Sequence[str] = ()) -> list[FoundRecord]:
    """Return the records of a line, or of an item of a list; the value is an invalid one if it has none.

    `steps` are the steps of the path that the user named.
    """
    return _records_in(value, (), steps, in_list=True) or [FoundRecord(value)]


def records_of_document(
    text: str, steps: Sequence[str], decoder: Decoder
) -> Iterator[tuple[int, FoundRecord]]:
    """Yield the records of a document, and where each begins; each item of a list has at least one."""
    at = after_blanks(text, 0)
    while at < len(text):
        value, end = decoder.prefix(text, at)
        begins, values = _Begins(text, at), [(Place(), value)]
        if isinstance(value, list) and not _own_of(value, ()):  # no puzzle, perhaps with its solution
            values = [((number,), one) for number, one in enumerate(value)]
        for place, one in values:
            try:
                records = _records_in(one, place, steps, in_list=bool(place))
            except FormatError as error:
                error.line = text.count("\n", 0, begins[place]) + 1
                raise
            yield from ((begins[record.place], record) for record in records or [FoundRecord(one, place)])
        at = after_blanks(text, end)


class LongList(NamedTuple):
    """A list whose items are the records of a document, with the few other records around it."""

    places: memoryview[int]
    """Where the items begin, as `element_places`."""
    above: Mapping[str, Any] = MappingProxyType({})
    """The values around the list that are columns of its records."""
    text: str = ""
    """The document with only two items of the list, and its other line ends."""
    before: Sequence[tuple[int, FoundRecord]] = ()
    """The records in front of the list, as `records_of_document`."""
    after: Sequence[tuple[int, FoundRecord]] = ()


def long_list(content: bytearray, steps: Sequence[str], decoder: Decoder) -> LongList | None:
    """Return the longest list of a document, if its items are records, as the first two say.

    None if they are few, perhaps rows of a board, or not records by themselves.
    """
    begin, end, path = 0, len(content), list[str]()
    while found := member_places(content, begin, end):
        name, last, begin, end = max(zip(*[iter(found)] * 4, strict=True), key=lambda span: span[3] - span[2])
        path.append(json.loads(content[name:last]))
    places = element_places(content, begin, end)
    if places is None or len(places) < _BOARD.stop:
        return None
    if not path:
        return LongList(places)
    head, close = content[: places[2]].rstrip().removesuffix(b","), places[-1]
    line_ends = b"\n" * max(content.count(end, len(head), close) for end in (b"\n", b"\r"))
    text = with_usual_ends((head + line_ends + content[close:]).decode())
    records = [*records_of_document(text, steps, decoder)]
    for name in path:
        steps = steps[steps[:1] == [name] :]
    firsts = decoder.whole(f"[{head[places[0] :].decode()}]")
    own = [record.members for item in firsts for record in records_on(item, steps)]
    first = next((k for k, (_, one) in enumerate(records) if [*one.place[: len(path)]] == path), 0)
    listed = [record for _, record in records[first : first + len(own)]]
    above = {name: one for record in listed[:1] for name, one in record.members.items() if name not in own[0]}
    if [record.members for record in listed] != [above | one for one in own]:
        return None
    if len(records) > len(own) and _best(listed) < PUZZLE:
        return None
    return LongList(places, above, text, records[:first], records[first + len(own) :])


def _best(records: Sequence[FoundRecord]) -> int:
    """Return the best rank of some records."""
    return max([record.rank for record in records], default=_NOTHING)


def _records_in(
    value: Any, place: Place, steps: Sequence[str] = (), *, in_list: bool = False
) -> list[FoundRecord]:
    """Return the records in a value; none if it has no puzzle, or nothing on the path of the user."""
    if steps:
        return _on_path(value, place, steps)
    if isinstance(value, dict):
        return _in_object(value, place)
    if own := _own_of(value, place, in_list=in_list):
        return [own]
    if not isinstance(value, list) or is_conversation(value):
        return []
    return _in_items(enumerate(value), place, ())


def _in_items(items: Iterable[tuple[int, Any]], place: Place, steps: Sequence[str]) -> list[FoundRecord]:
    """Return the records in items of a list; if one of them has any, each other one is an invalid record."""
    lost = {k: FoundRecord(one, (*place, k)) for k, one in items}
    found = [_records_in(one.value, one.place, steps, in_list=True) or [one] for one in lost.values()]
    records = [*chain(*found)]
    return records if any(record.rank for record in records) else []


def _on_path(value: Any, place: Place, steps: Sequence[str]) -> list[FoundRecord]:
    """Return the records on a path: objects with its last name; names in front of the path may be missing."""
    if isinstance(value, list):
        is_number = steps[0].startswith("[")
        number, items = steps[0].strip("[]") * is_number, [*enumerate(value)]
        return _in_items(items[int(number) :][:1] if number else items, place, steps[is_number:])
    if not isinstance(value, dict):
        return []
    heads = [k for k in range(len(steps), 0, -1) if ".".join(steps[:k]) in value]  # a name may have dots
    if not heads:
        return _below(value, {key: _records_in(one, (*place, key), steps) for key, one in value.items()})
    name, rest = ".".join(steps[: heads[0]]), steps[heads[0] :]
    is_single = not isinstance(value[name], _NESTED) or rank_of(value[name]) > _NOTHING
    if _NUMBER.match(rest[0]) if rest else is_single:
        return [FoundRecord(value, place, PUZZLE, name)]
    return _below(value, {name: _records_in(value[name], (*place, name), rest)})


def _in_object(value: dict[str, Any], place: Place) -> list[FoundRecord]:
    """Return the records in an object: itself, the rows of its columns, or the records of its members."""
    rank, name = _puzzle_of(value)
    whole = FoundRecord(value, place, rank, name)
    if rank == PUZZLE or (declares_puzzle(name) and rank_of(value[name])):
        return [whole]
    if rows := _rows(value, place):
        return rows
    found = {
        key: _records_in(one, (*place, key))
        for key, one in value.items()
        if isinstance(one, _INNER) and not _is_answer(key, one)
    }
    ranks = {key: _best(records) for key, records in found.items()}
    own = max(rank, FULL * bool(name))  # a name of puzzles may have lost its own
    if max(ranks.values(), default=_NOTHING) // 4 <= own // 4:
        return [whole] * bool(rank or name)
    holders = _puzzles(ranks)
    records = [record for key in holders for record in found[key]]
    names = {*holders}
    others = {key: one for key, one in value.items() if key not in names}
    named = [one for one in others.values() if isinstance(one, dict) and records[0].name in one]
    if len(records) == 1 and not named:
        return _below(value, {holders[0]: records})
    puzzles = [record for record in records if record.rank]
    paths = {(record.place[len(place) + 1 :], record.name) for record in puzzles}
    if len(paths) == len(puzzles) == len(holders) > 1 and _have_one_puzzle(puzzles):  # as logs repeat it
        return [FoundRecord(value, place, _best(puzzles), holders[0])]
    are_ids = len(holders) > 1
    for key, one in others.items():
        found[key] = _beside(FoundRecord(one, (*place, key)), found.get(key, []), key, are_ids=are_ids)
    return _below(value, found)


def _have_one_puzzle(records: list[FoundRecord]) -> bool:
    """Return whether all records have the same puzzle."""
    cells = {puzzle_in(record.value).cells for record in records}
    return len(cells) == 1 and "" not in cells


def _puzzles(ranks: dict[str, int]) -> list[str]:
    """Return the names of puzzles, or else of full grids."""
    least = max(1, max(ranks.values(), default=_NOTHING) - 1)
    return [name for name, rank in ranks.items() if rank >= least]


def _beside(
    member: FoundRecord, records: list[FoundRecord], name: str, *, are_ids: bool
) -> list[FoundRecord]:
    """Return the records of a member next to members with records, or the member as an invalid record.

    An empty list has no records.  A single value is a column, but nothing is an invalid record among ids.
    """
    value = member.value
    if _is_answer(name, value):
        return []
    if best := _best(records):
        return records if best > FULL or not role_of(name) else []
    is_lost = isinstance(value, _NESTED) and value not in ([], {}) and name not in ABOUT_RECORDS
    return [member] * (is_lost or (are_ids and value in (None, "", {})))


def _singles(value: dict[str, Any], others: Container[str]) -> dict[str, Any]:
    """Return the single values of an object, apart from those under some names."""
    return {name: one for name, one in value.items() if name not in others and not isinstance(one, _NESTED)}


def _below(value: dict[str, Any], found: dict[str, list[FoundRecord]]) -> list[FoundRecord]:
    """Return the records of members, with the members' names, and other values of the object as columns.

    Lists and objects are columns only of a single record.
    """
    records = [(key, record) for key in value for record in found.get(key, ())]
    holders = dict(records)
    if len(records) == 1:
        above = {key: one for key, one in value.items() if key not in holders}
    else:
        above = _singles(value, holders)
    with_puzzle = {key for key, record in records if record.rank}
    return [record.below(above, *[key] * (len(with_puzzle) > 1)) for key, record in records]


def _rows(value: dict[str, Any], place: Place) -> list[FoundRecord]:
    """Return the rows of an object of columns: lists or objects with the same keys.

    Each row has a single value under a name of puzzles, or one puzzle and no records in its other values.
    A single row has a name of puzzles, as objects by id also have the same keys.
    """
    columns = {name: one for name, one in value.items() if isinstance(one, _NESTED)}
    keys = {tuple(one) if isinstance(one, dict) else range(len(one)) for one in columns.values()}
    if len(columns) < 2 or len(keys) > 1:
        return []
    above, rows = _singles(value, ()), list[FoundRecord]()
    first = next(iter(columns))
    for number, key in enumerate(keys.pop()):
        row = {name: one[key] for name, one in columns.items()}
        rank, name = _puzzle_of(row)
        if not name or (not declares_puzzle(name) and any(map(_has_records, row.values()))):
            return []
        names = () if str(key) == str(number) else (str(key),)
        rows.append(FoundRecord(above | row, (*place, first, key), rank, name, names))
    is_table = len(rows) > 1 or any(map(declares_puzzle, columns))
    return rows if is_table else []


def _has_records(value: object) -> bool:
    """Return whether a list or an object has records in it and is not a puzzle itself."""
    return isinstance(value, _NESTED) and not rank_of(value) and bool(_records_in(value, ()))


def _puzzle_of(value: dict[str, Any]) -> tuple[int, str]:
    """Return the rank of an object that is a record, and the name of its puzzle; 0 for another object.

    It has a puzzle under a name of puzzles, or exactly one, perhaps at several names.  A single value under
    such a name declares the puzzle, even if it is none.  Different puzzles under two such names are an error,
    and so is a conversation about another puzzle.  The same cells as columns or boxes do not count.
    """
    ranks = {
        name: FULL if _is_answer(name, one) else rank for name, one in value.items() if (rank := rank_of(one))
    }
    declared = [name for name in value if declares_puzzle(name)]
    if known := _puzzles({name: ranks[name] for name in declared if name in ranks}):
        name = _earliest_of(known, value)
        return ranks[name], name
    declared = [name for name in declared if not isinstance(value[name], _NESTED)]
    names = _puzzles(ranks)
    names = [name for name in names if not declares_no_rows(name)] or names[:1]
    if len(names) > 1:  # as logs repeat the question in a conversation
        names = [name for name in names if role_of(name) != "answer"]
        names = [*{puzzle_in(value[name]).cells or name: name for name in reversed(names)}.values()]
    if len(names) != 1:
        return _NOTHING, [*declared, ""][0]
    talks = [name for name, rank in ranks.items() if rank == _TALK]
    name = _earliest_of([*dict.fromkeys([*names, *talks])], value)
    return ranks[name], [*declared, name][0]


def _is_answer(name: str, value: Any) -> bool:
    """Return whether a value is what a model said, perhaps with empty cells: no puzzle next to another."""
    return role_of(name) == "answer" and (isinstance(value, str) or rank_of(value) not in (_NOTHING, _TALK))


def _earliest_of(names: list[str], value: dict[str, Any]) -> str:
    """Return the name whose puzzle has the other puzzles as its states; if none has, the user chooses one."""
    if len(names) == 1:
        return names[0]
    puzzles = columns_with_puzzles(range(len(names)), [value[name] for name in names])
    if len(puzzles) != 1:
        raise several_puzzles(names)
    return names[puzzles[0]]


def _own_of(value: Any, place: Place, *, in_list: bool = False) -> FoundRecord | None:
    """Return a text or a list that is a record by itself: a puzzle, a puzzle and its solution, or a row.

    A row is a list in a list; it has one puzzle, and other single values.
    """
    if rank := rank_of(value):
        return FoundRecord(value, place, rank, "puzzle")
    if not isinstance(value, list) or not 1 < len(value) < _MOST_FIELDS:
        return None
    ranks = [*map(rank_of, value)]
    *others, best = sorted(ranks)
    is_row = in_list and len(value) - value.count(None) - value.count("") > 1
    nested = {rank for one, rank in zip(value, ranks, strict=True) if isinstance(one, _NESTED)}
    if not others[-1] < _DAMAGED <= best or not (is_row or others == [FULL]) or not nested <= {FULL, best}:
        return None
    row = {f"column{k}": one for k, one in enumerate(value, 1)}
    return FoundRecord(row, place, best, f"column{ranks.index(best) + 1}")


def rank_of(value: object) -> int:
    """Return the rank of a text or a list."""
    if not isinstance(value, str | list):
        return _NOTHING
    if (cells := usual_cells(value)) is not None:
        return PUZZLE if 0 in cells else FULL
    if isinstance(value, str):
        return _rank_of_text(value) if len(value) >= _SHORTEST else _NOTHING
    if is_conversation(value):
        return _TALK if puzzle_in(value).cells else _NOTHING
    if len(value) not in _BOARD or not _is_board(value):
        return _NOTHING
    if not _EMPTY.search(json.dumps(value)):
        return FULL
    return _DAMAGED if isinstance(reading_of_value(value), Reason) else PUZZLE


@lru_cache(256)  # each level of a record asks
def _rank_of_text(text: str) -> int:
    """Return the rank of a text that is a puzzle in any form, perhaps a damaged one."""
    is_words, cells = is_in_words(text), cells_in(text)
    rank = _WORDS if is_words else PUZZLE
    if not cells and is_damaged_puzzle(text):
        rank, cells = _DAMAGED, text
    if _SIGNS.isdisjoint(cells):
        return FULL if cells else _NOTHING
    return rank


def _is_board(values: list[Any]) -> bool:
    """Return whether a list has the cells or the rows of a board, perhaps of a damaged or a larger one."""
    cells = values
    if all(isinstance(row, list | str) for row in values):
        rows = [*map(without_separators, values)]
        if sum(len(row) in (9, len(rows)) for row in rows) >= _LEAST_ROWS:
            cells = [*chain.from_iterable(rows)]
    if len(cells) < _SHORTEST:
        return False
    return max(map(len, map(str, cells))) <= len("False")
