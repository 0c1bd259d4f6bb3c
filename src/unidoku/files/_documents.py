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
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from unidoku._native.text.columns import usual_cells
from unidoku._native.text.objects import element_places, member_places
from unidoku._table.json_values import JsonLiteral, json_text
from unidoku.cell import EMPTY_SYMBOLS
from unidoku.errors import Reason
from unidoku.files._column_names import PUZZLE_NAMES, declares_no_rows, declares_puzzle, role_of
from unidoku.files._paths import cells_in, is_conversation, is_in_words, puzzle_in
from unidoku.files._records import is_damaged_puzzle, reading_of_value, remember_short, without_separators
from unidoku.files._roles import columns_with_puzzles

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
_NOTHING, FULL, WORDS, DAMAGED, PUZZLE = range(5)
"""The rank of a value: nothing, a full grid, a puzzle among words or in a talk, a damaged one, a puzzle."""
_SEARCHES = (DAMAGED, WORDS, FULL)
"""The least rank that each search finds: a damaged puzzle counts next to a whole one."""
_NESTED = (list, dict)
_MOST_FIELDS = 1024  # of a row
_FEW = 16  # items of a list, of which one has a puzzle
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
    rivals: Sequence[str] = ()
    """The names of its puzzles; if there are several, the user has to choose one."""

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
        return self._replace(value=named | own, name=name, keys=keys + self.keys)

    @property
    def puzzle_name(self) -> str:
        """The name of its puzzle, or the name of puzzles that has none."""
        return self.name or next(filter(declares_puzzle, self.members), "")

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


def records_on(value: Any, steps: Sequence[str] = (), place: Place = ()) -> list[FoundRecord]:
    """Return the records of a line, or of an item of a list; the value is an invalid one if it has none.

    `steps` are the steps of the path that the user named.
    """
    return _records_in(value, place, steps, in_list=True) or [FoundRecord(value, place)]


def records_of_document(
    text: str, steps: Sequence[str], decoder: Decoder
) -> Iterator[tuple[int, FoundRecord]]:
    """Yield the records of a document, and where each begins; each item of a list has at least one."""
    at = after_blanks(text, 0)
    while at < len(text):
        value, end = decoder.prefix(text, at)
        begins, values = _Begins(text, at), {Place(): value}
        if isinstance(value, list) and not _own_of(value, (), FULL):  # no puzzle, perhaps with its solution
            values = {(number,): one for number, one in enumerate(value)}
        for place, one in values.items():
            records = _records_in(one, place, steps, in_list=bool(place)) or [FoundRecord(one, place)]
            yield from ((begins[record.place], record) for record in records)
        at = after_blanks(text, end)


class LongList(NamedTuple):
    """A list whose items are the records of a document, with what is around it."""

    places: memoryview[int]
    """Where the items begin, as `element_places`."""
    above: dict[str, Any]
    """The single values around it, which are columns of all records."""
    beside: dict[int, FoundRecord]
    """Other members that are invalid records, by where they begin."""


def long_list(content: bytearray, steps: Sequence[str]) -> LongList | None:
    """Return the longest list of a document, if its items are its only records with a puzzle.

    None if they are few, perhaps rows of a board, or the first items, or records around, say otherwise.
    """
    begin, end, depth, around, begins = 0, len(content), 0, dict[str, Any](), list[int]()
    while found := member_places(content, begin, end):
        *others, (*_, begin, end) = sorted(zip(*[iter(found)] * 4, strict=True), key=_length)
        members = (content[name:last] + b":" + content[at:to] for name, last, at, to in sorted(others))
        around |= Decoder().whole(f"{{{b','.join(members).decode()}}}")
        begins += [at for _, _, at, _ in sorted(others)]
        depth += 1
    places = element_places(content, begin, end)
    if places is None or len(places) < _BOARD.stop or len(steps) > 1:
        return None
    if len(around) < len(begins) or _records_in(around, (), steps):
        return None
    members_around = zip(begins, around.items(), strict=True)
    beside = {at: FoundRecord(one) for at, (name, one) in members_around if _is_lost(name, one)}
    few = content[places[0] : places[min(_FEW, len(places) - 1)]].decode().rstrip().removesuffix(",")
    if (beside and depth > 1) or not _records_in(Decoder().whole(f"[{few}]"), (), steps):
        return None
    return LongList(places, _singles(around), beside)


def _length(span: tuple[int, ...]) -> int:
    """Return the length of a member's value from the places of its name and its value."""
    return span[3] - span[2]


def _best(records: Sequence[FoundRecord]) -> int:
    """Return the best rank of some records."""
    return max((record.rank for record in records), default=_NOTHING)


def _records_in(
    value: Any, place: Place, steps: Sequence[str] = (), *, in_list: bool = False
) -> list[FoundRecord]:
    """Return the records in a value; none if it has no puzzle, or nothing on the path of the user."""
    if steps:
        return _on_path(value, place, steps)
    searches = (_found(value, place, least, in_list=in_list) for least in _SEARCHES)
    return next(filter(None, searches), [])


def _found(value: Any, place: Place, least: int, *, in_list: bool = False) -> list[FoundRecord]:
    """Return the records in a value, if one of them has at least this rank."""
    if isinstance(value, dict):
        return _in_object(value, place, least)
    if own := _own_of(value, place, least, in_list=in_list):
        return [own]
    if not isinstance(value, list) or is_conversation(value):
        return []
    found = [_found(one, (*place, number), least, in_list=True) for number, one in enumerate(value)]
    if not any(found):
        return []
    items = enumerate(zip(found, value, strict=True))
    return [
        *chain.from_iterable(own or records_on(one, (), (*place, number)) for number, (own, one) in items)
    ]


def _on_path(value: Any, place: Place, steps: Sequence[str]) -> list[FoundRecord]:
    """Return the records on a path: objects with its last name; names in front of the path may be missing."""
    if isinstance(value, list):
        is_number = steps[0].startswith("[")
        number, items = steps[0].strip("[]") * is_number, [*enumerate(value)]
        if number:
            items = items[int(number) :][:1]
        found = [records_on(one, steps[is_number:], (*place, number)) for number, one in items]
        return [*chain.from_iterable(found)] if any(map(_best, found)) else []
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


def _in_object(value: dict[str, Any], place: Place, least: int) -> list[FoundRecord]:
    """Return the records in an object: itself, the rows of its columns, or the records of its members.

    A name of puzzles says which puzzle is the object's, even if it is none.
    """
    declared = {name: rank_of(one) for name, one in value.items() if declares_puzzle(name)}
    if best := max(declared.values(), default=_NOTHING):
        rivals = _earliest_of([name for name, rank in declared.items() if rank >= best - 1], value)
        return [FoundRecord(value, place, best, rivals[0], rivals=rivals)] * (best >= least)
    members = {name: one for name, one in value.items() if not _is_answer(name, one)}
    own = {name: rank for name, one in members.items() if (rank := rank_of(one, least))}
    lost = [name for name in declared if not isinstance(value[name], _NESTED)]
    if own and (names := _own_names(members, own, least)):
        return [FoundRecord(value, place, max(own.values()), [*lost, *names][0], rivals=names)]
    found = {
        key: records
        for key, one in members.items()
        if (key in own or isinstance(one, _NESTED)) and (records := _found(one, (*place, key), least))
    }
    if not found or (lost and least == FULL):
        return []
    records = [*chain.from_iterable(found.values())]
    best = _best(records)
    if best == DAMAGED == least:
        return _in_object(value, place, WORDS)
    if rows := _rows(value, place, found):
        return rows
    puzzles = [record for record in records if record.rank]
    if len(puzzles) == len(found) and _have_one_puzzle(puzzles, own, len(place)):
        return [FoundRecord(value, place, best, [*lost[: len(own)], *found][0])]
    if len(records) > 1 or _has_another(value, records[0]):
        are_ids = len(found) > 1
        found |= {
            key: _beside(FoundRecord(one, (*place, key)), key, are_ids=are_ids)
            for key, one in members.items()
            if key not in found
        }
    return _below(value, found)


def _own_names(members: dict[str, Any], own: dict[str, int], least: int) -> list[str]:
    """Return the names of the puzzles that make an object a record; none if its members are looked at.

    The same cells as columns or boxes do not count.  A conversation may have the same puzzle.
    """
    names = [name for name in own if not declares_no_rows(name)] or [*own][:1]
    lists = [name for name, one in members.items() if isinstance(one, list)]
    if talks := [name for name in lists if rank_of(members[name]) == WORDS]:
        return _earliest_of([*dict.fromkeys([*names, *talks])], members)
    return names if len(names) == 1 and not max(own.values()) == DAMAGED == least else []


def _has_another(value: dict[str, Any], record: FoundRecord) -> bool:
    """Return whether another member of an object has the name of the only puzzle in its members."""
    return sum(isinstance(one, dict) and record.name in one for one in value.values()) > 1


def _have_one_puzzle(puzzles: list[FoundRecord], own: Container[str], depth: int) -> bool:
    """Return whether members have the same puzzle, at different paths: logs repeat it, ids have one path."""
    paths = {(record.place[depth + (record.place[depth] not in own) :], record.name) for record in puzzles}
    if not len(paths) == len(puzzles) > 1:
        return False
    cells = {puzzle_in(record.value).cells for record in puzzles}
    return len(cells) == 1 and "" not in cells


def _beside(member: FoundRecord, name: str, *, are_ids: bool) -> list[FoundRecord]:
    """Return the records of a member next to members with records, or the member as an invalid record."""
    records = _records_in(member.value, member.place)
    if best := _best(records):
        return records if best > FULL or not role_of(name) else []
    return [member] * _is_lost(name, member.value, are_ids=are_ids)


def _is_lost(name: str, value: Any, *, are_ids: bool = False) -> bool:
    """Return whether a member without records is an invalid record next to one with records.

    An empty list has no records.  A single value is a column, but nothing is an invalid record among ids.
    """
    if value in (None, "", {}):
        return are_ids
    return isinstance(value, _NESTED) and value != [] and name not in ABOUT_RECORDS


def _singles(value: dict[str, Any]) -> dict[str, Any]:
    """Return the single values of an object."""
    return {name: one for name, one in value.items() if not isinstance(one, _NESTED)}


def _below(value: dict[str, Any], found: dict[str, list[FoundRecord]]) -> list[FoundRecord]:
    """Return the records of members, with the members' names, and other values of the object as columns.

    Lists and objects are columns only of a single record.
    """
    records = [(key, record) for key in value for record in found.get(key, ())]
    holders, above = dict(records), value if len(records) == 1 else _singles(value)
    above = {key: one for key, one in above.items() if key not in holders}
    with_puzzle = {key for key, record in records if record.rank}
    return [record.below(above, *[key] * (len(with_puzzle) > 1)) for key, record in records]


def _rows(value: dict[str, Any], place: Place, found: dict[str, list[FoundRecord]]) -> list[FoundRecord]:
    """Return the rows of an object of columns: lists or objects with the same keys.

    One column has the puzzles, each by itself.  A single row has a name of puzzles, as objects by id also
    have the same keys.
    """
    columns = {
        name: one if isinstance(one, dict) else dict(enumerate(one))
        for name, one in value.items()
        if isinstance(one, _NESTED)
    }
    names = [*filter(declares_puzzle, columns)] or [*found]
    if len(names) != 1 or len(columns) < 2 or len({*map(frozenset, columns.values())}) > 1:
        return []
    [name], items = names, columns.get(names[0], {})
    if len(items) + declares_puzzle(name) < 2 or _has_deeper(items.values()):
        return []
    rows = list[FoundRecord]()
    for number, (key, one) in enumerate(items.items()):
        row = value | {name: column[key] for name, column in columns.items()}
        names = [str(key)] * (str(key) != str(number))
        rows.append(FoundRecord(row, (*place, name, key), rank_of(one) or FULL, name, (*names,)))
    return rows


def _is_answer(name: str, value: Any) -> bool:
    """Return whether a value is what a model said, perhaps with empty cells: no puzzle next to another."""
    return role_of(name) == "answer" and (
        isinstance(value, str) or (isinstance(value, list) and _is_board(value))
    )


def _earliest_of(names: list[str], value: dict[str, Any]) -> list[str]:
    """Return the name whose puzzle has the other puzzles as its states; all names if none has."""
    puzzles = columns_with_puzzles(range(len(names)), [value[name] for name in names]) if names[1:] else []
    return [names[puzzles[0]]] if len(puzzles) == 1 else names


def _own_of(value: Any, place: Place, least: int, *, in_list: bool = False) -> FoundRecord | None:
    """Return a text or a list that is a record by itself: a puzzle, a puzzle and its solution, or a row.

    A row is a list in a list; it has one puzzle, and other single values.
    """
    if rank := rank_of(value, least):
        return FoundRecord(value, place, rank, "puzzle")
    if not isinstance(value, list) or not 1 < len(value) < _MOST_FIELDS:
        return None
    ranks = [*map(rank_of, value)]
    *others, best = sorted(ranks)
    is_row = in_list and len(value) - value.count(None) - value.count("") > 1
    if not others[-1] < WORDS <= best >= least or not (is_row or others == [FULL]) or _has_deeper(value):
        return None
    row = {f"column{number}": one for number, one in enumerate(value, 1)}
    return FoundRecord(row, place, best, f"column{ranks.index(best) + 1}")


def _has_deeper(values: Iterable[Any]) -> bool:
    """Return whether a list or an object among values is not a puzzle or grid by itself."""
    return any(isinstance(one, _NESTED) and not rank_of(one) for one in values)


def rank_of(value: object, least: int = FULL) -> int:
    """Return the rank of a text or a list; 0 if it is lower than `least`."""
    if not isinstance(value, str | list):
        return _NOTHING
    if (cells := usual_cells(value)) is not None:
        rank = PUZZLE if 0 in cells else FULL
    elif isinstance(value, str):
        rank = _rank_of_text(value, least) if len(value) >= _SHORTEST else _NOTHING
    else:
        rank = _rank_of_list(value, least)
    return rank if rank >= least else _NOTHING


@remember_short(256)  # each level of a record asks
def _rank_of_text(text: str, least: int) -> int:
    """Return the rank of a text that is a puzzle in any form, perhaps a damaged one."""
    rank = WORDS if is_in_words(text) else PUZZLE
    if rank < least:
        return _NOTHING
    cells = cells_in(text)
    if not cells and is_damaged_puzzle(text):
        rank, cells = DAMAGED, text
    if _SIGNS.isdisjoint(cells):
        return FULL if cells else _NOTHING
    return rank


def _rank_of_list(values: list[Any], least: int) -> int:
    """Return the rank of a list that is a conversation or a board."""
    if least <= WORDS and is_conversation(values):
        return WORDS if puzzle_in(values).cells else _NOTHING
    if not _is_board(values):
        return _NOTHING
    if not _EMPTY.search(json.dumps(values)):
        return FULL
    return DAMAGED if isinstance(reading_of_value(values), Reason) else PUZZLE


def _is_board(values: list[Any]) -> bool:
    """Return whether a list has the cells or the rows of a board, perhaps of a damaged or a larger one."""
    if len(values) not in _BOARD:
        return False
    cells = values
    if all(isinstance(row, list | str) for row in values):
        rows = [*map(without_separators, values)]
        if sum(len(row) in (9, len(rows)) for row in rows) >= _LEAST_ROWS:
            cells = [*chain.from_iterable(rows)]
    if len(cells) < _SHORTEST:
        return False
    return max(map(len, map(str, cells))) <= len("False")
