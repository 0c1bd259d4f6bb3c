"""The law of records in JSON: a naive reading of it, and what unidoku reads, in documents and lines."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku.errors import FormatError
from unidoku.tasks import Verify

DIGITS = "123456789"
NAMES = ("grid", "Board", "a", "b", "easy", "hard", "data", "1", "2", "note")
PUZZLE_NAMES = ("grid", "Board")


class SeveralNamesError(Exception):
    """An object has puzzles under two names of puzzles."""


def puzzle(pick: random.Random) -> str:
    """Return a puzzle that no other one of a document equals."""
    digits = [*DIGITS]
    pick.shuffle(digits)
    return UNIQUE.translate(str.maketrans(DIGITS, "".join(digits)))


def single(pick: random.Random) -> Any:
    return pick.choice([5, 2.5, True, "x", "some words"])


def value(pick: random.Random, depth: int) -> Any:
    """Return a random value: a puzzle, nothing, a single value, a list or an object."""
    kind = pick.random()
    if kind < 0.35:
        return puzzle(pick)
    if kind < 0.45:
        return pick.choice([None, "", {}, []])
    if kind < 0.6 or not depth:
        return single(pick)
    count = pick.randrange(1, 4)
    if kind < 0.8:
        return [value(pick, depth - 1) for _ in range(count)]
    return {name: value(pick, depth - 1) for name in pick.sample(NAMES, count)}


def is_puzzle(one: Any) -> bool:
    return isinstance(one, str) and len(one) == 81


def is_row(one: Any) -> bool:
    """Return whether a list inside a list is a puzzle and other single values, one of them not empty."""
    others = [item for item in one if not is_puzzle(item)]
    if len(one) != len(others) + 1 or any(isinstance(item, list | dict) for item in others):
        return False
    return any(item not in (None, "") for item in others)


def is_table(one: dict[str, Any]) -> bool:
    """Return whether an object has columns: lists, or objects, of the same keys, whose rows are records.

    A row without a name of puzzles has no record in a value.
    """
    columns = {name: inner for name, inner in one.items() if isinstance(inner, list | dict)}
    keys = [range(len(inner)) if isinstance(inner, list) else tuple(inner) for inner in columns.values()]
    if len(columns) < 2 or any(other != keys[0] for other in keys):
        return False
    rows = [{name: inner[key] for name, inner in columns.items()} for key in keys[0]]
    if not all(is_record(row) or declared(row) for row in rows) or not any(map(is_record, rows)):
        return False
    if any(law(cell) for row in rows if not is_named(row) for cell in row.values() if not is_puzzle(cell)):
        return False
    return len(rows) > 1 or any(name in PUZZLE_NAMES for name in columns)


def declared(one: dict[str, Any]) -> list[str]:
    """Return the names of puzzles with a single value."""
    return [name for name in one if name in PUZZLE_NAMES and not isinstance(one[name], list | dict)]


def is_named(one: dict[str, Any]) -> bool:
    """Return whether a name of puzzles has a puzzle or a single value."""
    return bool(declared(one)) or any(is_puzzle(one.get(name)) for name in PUZZLE_NAMES)


def is_record(one: dict[str, Any]) -> bool:
    """Return whether an object has a puzzle under a name of puzzles, or exactly one puzzle."""
    named = sum(is_puzzle(one.get(name)) for name in PUZZLE_NAMES)
    if named > 1:
        raise SeveralNamesError
    if named:
        return True
    return sum(map(is_puzzle, one.values())) == 1


def law(one: Any, *, in_list: bool = False) -> list[str | None]:
    """Return the puzzles of the records in a value, None for an invalid one; nothing without any puzzle."""
    if is_puzzle(one):
        return [one]
    if isinstance(one, list):
        if in_list and is_row(one):
            return [item for item in one if is_puzzle(item)]
        found = [law(item, in_list=True) for item in one]
        return [record for records in found for record in records or [None]] if any(found) else []
    if not isinstance(one, dict):
        return []
    if is_record(one):
        return [record_of(one)]
    if is_table(one):
        columns = {name: inner for name, inner in one.items() if isinstance(inner, list | dict)}
        first = next(iter(columns.values()))
        keys = range(len(first)) if isinstance(first, list) else [*first]
        return [record_of({name: inner[key] for name, inner in columns.items()}) for key in keys]
    return in_members(one)


def record_of(one: dict[str, Any]) -> str | None:
    """Return the puzzle of a record: a name of puzzles with a single value says which it is."""
    names = declared(one)
    if names:
        return next((one[name] for name in names if is_puzzle(one[name])), None)
    puzzles = [*filter(is_puzzle, one.values())]
    return puzzles[0] if len(puzzles) == 1 else None


def in_members(one: dict[str, Any]) -> list[str | None]:
    """Return the records in the members of an object; one without any next to them is an invalid record."""
    found = {name: law(inner) for name, inner in one.items()}
    with_records = [name for name in found if found[name]]
    records = [record for name in with_records for record in found[name]]
    if not records:
        return []
    if len(records) == 1 and not like_record(one, with_records[0]):
        return records  # the object around a record has its other values
    result = list[str | None]()
    for name, inner in one.items():
        is_lost = isinstance(inner, list | dict) and inner not in ([], {})
        is_lost |= len(with_records) > 1 and inner in (None, "", {})
        result += found[name] or [None] * is_lost
    return result


def like_record(one: dict[str, Any], name: str) -> bool:
    """Return whether a member has the name of the puzzle that is in the object next to it."""
    path: Any = one[name]
    while isinstance(path, list | dict) and not (isinstance(path, dict) and is_record(path)):
        path = next(inner for inner in (path.values() if isinstance(path, dict) else path) if law(inner))
    if not isinstance(path, dict):
        return False
    key = next(iter([*declared(path), *(key for key in path if is_puzzle(path[key]))]))
    return any(other != name and isinstance(inner, dict) and key in inner for other, inner in one.items())


def read(text: str) -> tuple[list[str], int]:
    """Return the puzzles that unidoku reads, in their order, and the number of invalid records."""
    content = text.encode()
    puzzles = [
        unidoku.Grid(cells).line
        for batch in unidoku.read(io.BytesIO(content), format="jsonl")
        for cells in batch.cells
    ]
    summary = unidoku.check_file(io.BytesIO(content), format="jsonl")
    assert summary.puzzles == len(puzzles) + summary.invalid
    return puzzles, summary.invalid


def counted(records: list[str | None]) -> tuple[list[str], int]:
    puzzles = [record for record in records if record is not None]
    return puzzles, len(records) - len(puzzles) if puzzles else 0


def expected_of(one: Any) -> tuple[list[str], int] | None:
    """Return what a document, or the list of the values of lines, has by the law; None for an error."""
    try:
        return counted(in_lines(one) if isinstance(one, list) else law(one))
    except SeveralNamesError:
        return None


def check(text: str, expected: tuple[list[str], int] | None) -> None:
    """Check what unidoku reads."""
    if expected is None:
        with pytest.raises(FormatError, match="several columns could be the puzzle"):
            read(text)
    elif expected[0]:
        assert read(text) == expected, text


def in_lines(values: list[Any]) -> list[str | None]:
    return [record for one in values for record in law(one, in_list=True) or [None]]


@in_turn
@pytest.mark.parametrize("seed", range(3))
def test_a_document_has_the_records_of_the_law(seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(100):
        one = value(pick, 3)
        if not isinstance(one, list | dict):
            continue
        check(json.dumps(one, indent=pick.choice([None, 1])), expected_of(one))


@in_turn
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_lines_changes_nothing_but_the_order(seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(15):
        values = [value(pick, 3) for _ in range(pick.randrange(2, 5))]
        for _ in range(2):
            check("\n".join(map(json.dumps, values)), expected_of(values))
            pick.shuffle(values)


@pytest.mark.parametrize("other", [UNIQUE[::-1], [*UNIQUE[::-1]]], ids=["text", "list"])
def test_two_puzzles_without_names_of_puzzles_are_two_records(other: str | list[str]) -> None:
    lines = [{"a": UNIQUE, "n": 1}, {"a": UNIQUE, "b": other}]
    expected = [UNIQUE, UNIQUE, UNIQUE[::-1]]
    for values in (lines, lines[::-1]):
        puzzles, invalid = read("\n".join(map(json.dumps, values)))
        assert (sorted(puzzles), invalid) == (sorted(expected), 0)


@in_turn
@pytest.mark.parametrize("count", [1, 1500])
@pytest.mark.parametrize("name", ["puzzle", "thing"])
def test_puzzles_under_two_names_of_puzzles_are_an_error_in_any_line(name: str, count: int) -> None:
    """Also below the first 64 KiB, whichever columns are wanted; states of a puzzle are no other puzzle."""
    lines = [json.dumps({name: UNIQUE, "note": "x"})] * count
    other = {"quiz": UNIQUE, "Grid": UNIQUE[::-1]}
    for order in (1, -1):
        check("\n".join([*lines, json.dumps(other)][::order]), None)
        check("\n".join([*lines, json.dumps(dict([*other.items()][::-1]))][::order]), None)
        state = {"quiz": UNIQUE, "Grid": f"534{UNIQUE[3:]}"}
        check("\n".join([*lines, json.dumps(state)][::order]), ([UNIQUE] * (count + 1), 0))


@in_turn
@pytest.mark.parametrize("count", [1, 1500])
@pytest.mark.parametrize("rival", ["quiz", "GRID", "gRid", "Initial_Board"])
def test_a_name_of_puzzles_counts_in_any_case_in_any_line(rival: str, count: int) -> None:
    lines = [json.dumps({"puzzle": UNIQUE, "note": "x"})] * count
    check("\n".join([*lines, json.dumps({"puzzle": UNIQUE, rival: UNIQUE[::-1]})]), None)


@in_turn
@pytest.mark.parametrize("lost", [None, "x", "", 5])
def test_an_id_without_a_puzzle_is_an_invalid_record(lost: Any) -> None:
    """Two objects of ids are no columns of a single row."""
    members = {"id 0": {"x": UNIQUE}, "id 1": {"x": lost}}
    for value in (members, dict([*members.items()][::-1])):
        for text in (json.dumps(value), json.dumps([value, value])):
            count = text.count("id 0")
            assert read(text) == ([UNIQUE] * count, count)


@in_turn
@pytest.mark.parametrize("places", [(0, 1), (0, 3), (1, 2), (2, 3)])
@pytest.mark.parametrize(
    "record",
    [
        lambda one: {"puzzle": one},
        lambda one: {"id": 4, "a": one},
        lambda one: {"doc": {"a": one}},
        lambda one: [{"a": one}],
        lambda one: [one],
        lambda one: [4, one],
    ],
)
def test_lists_with_records_among_puzzles_are_no_columns(places: tuple[int, int], record: Any) -> None:
    """In each row a record would be a value next to a puzzle, and be lost."""
    pick = random.Random(sum(places))
    puzzles = [puzzle(pick) for _ in range(4)]
    values = [record(one) if place in places else one for place, one in enumerate(puzzles)]
    lists = {"train": values[:2], "test": values[2:], "level": "hard"}
    for text in (json.dumps(lists), json.dumps([lists, lists]), json.dumps({"data": lists})):
        assert read(text) == (puzzles * text.count("train"), 0), text


def test_columns_under_a_name_of_puzzles_may_have_records_in_other_columns() -> None:
    columns = {"puzzle": [UNIQUE] * 2, "source": [{"a": UNIQUE[::-1]}] * 2}
    assert read(json.dumps(columns)) == ([UNIQUE] * 2, 0)


@in_turn
@pytest.mark.parametrize("lost", [UNIQUE[:80], [1] * 80, [1] * 79 + [0], [0, 1] * 41, [[0, 1] * 4] * 9])
def test_a_damaged_puzzle_hides_no_records_in_other_members(lost: Any) -> None:
    value = {"easy": [{"a": UNIQUE}], "medium": lost, "hard": [{"a": UNIQUE}]}
    assert read(json.dumps(value)) == ([UNIQUE] * 2, 1)


def test_members_are_one_record_only_if_all_have_the_same_puzzle() -> None:
    grid = unidoku.solve(UNIQUE).line
    talk = [{"role": "user", "content": f"Solve {UNIQUE}"}]
    assert read(json.dumps({"doc": {"a": UNIQUE}, "arguments": [talk]})) == ([UNIQUE], 0)
    lists = {"doc": {"a": UNIQUE}, "more": [grid, "some words", UNIQUE[:80]]}
    assert read(json.dumps(lists)) == ([UNIQUE, grid], 2)


@in_turn
@pytest.mark.parametrize("name", ["columns", "Boxes", "nonets"])
@pytest.mark.parametrize("around", [lambda one: one, lambda one: {"puzzle": one}, lambda one: [one, one]])
def test_a_name_of_columns_or_boxes_is_asked_about(name: str, around: Any) -> None:
    """Their cells are another board if they are read as rows."""
    text = json.dumps(around({"id": 1, name: [[*UNIQUE[k::9]] for k in range(9)]}))
    with pytest.raises(FormatError, match=f"{name}' may be columns or boxes"):
        read(text)
    assert list(unidoku.read(io.BytesIO(text.encode()), format="jsonl", column=name))


@in_turn
@pytest.mark.parametrize("names", [["rows", "columns", "boxes"], ["columns", "rows"], ["Boxes", "start"]])
def test_columns_or_boxes_next_to_a_puzzle_are_no_puzzle(names: list[str]) -> None:
    puzzle = UNIQUE
    forms = {"rows": [[*puzzle[k : k + 9]] for k in range(0, 81, 9)], "start": puzzle}
    value = {name: forms.get(name, [[*puzzle[k::9]] for k in range(9)]) for name in names}
    for text in (json.dumps(value), json.dumps([value, value]), json.dumps({"id 0": value})):
        count = text.count(names[0])
        assert read(text) == ([puzzle] * count, 0)
    del value[next(name for name in names if name in forms)]
    with pytest.raises(FormatError, match="may be columns or boxes"):
        read(json.dumps(value | {"squares": value[next(iter(value))]}))


@in_turn
@pytest.mark.parametrize(
    "damaged",
    ["[" * 100_000, '{"a": 1,,}', "[1,", "{", '{"a": [', "]", '"x', "words", '[{"a": 4},' + " " * 70_000],
    ids=range(9),
)
def test_a_damaged_line_is_one_invalid_record_wherever_it_is(damaged: str) -> None:
    pick = random.Random(1)
    for count in (2, 3):  # two lines may be a list that is cut off
        puzzles = [puzzle(pick) for _ in range(count)]
        for place in range(count + 1):
            lines = [json.dumps({"a": cells}) for cells in puzzles]
            lines.insert(place, damaged)
            assert read("\n".join(lines)) == (puzzles, 1)


def test_a_single_whole_line_is_read_among_damaged_ones() -> None:
    for place in range(4):
        lines = ['{"a"', '{"a', '[{"a" 5']
        lines.insert(place, json.dumps({"a": UNIQUE}))
        assert read("\n".join(lines)) == ([UNIQUE], 3)


def test_each_line_of_another_format_is_an_invalid_record() -> None:
    assert read(f"a,b\n{UNIQUE},{UNIQUE}\n" * 2) == ([], 4)


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
@pytest.mark.parametrize("answer", ["response", "solution", "gpt4_output"])
@pytest.mark.parametrize("puzzle", ["prompt", "puzzle"])
def test_the_answer_of_a_record_without_a_puzzle_is_no_puzzle(
    tmp_path: Path, puzzle: str, answer: str, suffix: str
) -> None:
    wrong = f"{SOLUTION[:-1]}1"
    records: list[dict[str, Any]] = [
        {puzzle: UNIQUE, answer: SOLUTION},
        {puzzle: None, answer: wrong},
        {answer: SOLUTION},
        {answer: f"The grid is {SOLUTION}"},
    ]
    path = tmp_path / f"log{suffix}"
    for shown in (records, records[::-1]):
        path.write_text(
            json.dumps(shown, indent=1) if suffix == ".json" else "\n".join(map(json.dumps, shown))
        )
        found = unidoku.run(Verify(prediction=answer), path)
        assert (found.puzzles, found.right, found.invalid, found.missing) == (4, 1, 3, 0)


@in_turn
@pytest.mark.parametrize("members", [{"about": {"author": "x"}}, {"title": "t", "more": [1, 2]}])
@pytest.mark.parametrize("first", [{"puzzle": UNIQUE}, {"note": "x"}, None])
def test_what_is_around_a_long_list_and_its_first_item_change_no_other_record(
    members: dict[str, Any], first: Any
) -> None:
    puzzles = [first, *({"puzzle": puzzle(random.Random(k)), "id": k} for k in range(400))]
    for order in ({**members, "puzzles": puzzles}, {"puzzles": puzzles, **members}):
        found, invalid = read(json.dumps(order, indent=1))
        assert found == [one["puzzle"] for one in puzzles if one and "puzzle" in one]
        assert invalid == 1 + (first is None or "puzzle" not in first)
