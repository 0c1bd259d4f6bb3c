"""JSON documents: the records at the one path with puzzles, whatever the shape, whole and cut."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import Any

import pytest
from cases import in_turn
from example_puzzles import UNIQUE

import unidoku
from unidoku.errors import FormatError, UnidokuError

DIGITS = ("123456789", "456789123", "789123456", "987654321")
PUZZLES = [UNIQUE.translate(str.maketrans(DIGITS[0], digits)) for digits in DIGITS]
SOLUTIONS = [unidoku.solve(puzzle).line for puzzle in PUZZLES]


def _rows(cells: str) -> list[str]:
    return [cells[k : k + 9] for k in range(0, 81, 9)]


FORMS: dict[str, Callable[[str], Any]] = {
    "text": str,
    "lines": lambda cells: "\n".join(_rows(cells)),
    "numbers": lambda cells: [int(cell) for cell in cells.replace(".", "0")],
    "lists": lambda cells: [[None if cell == "." else int(cell) for cell in row] for row in _rows(cells)],
    "signs": lambda cells: [[cell.replace(".", "") for cell in row] for row in _rows(cells)],
    "rows": _rows,
}
RECORDS: dict[str, Callable[[int, Any, Any], Any]] = {
    "itself": lambda k, p, s: p,
    "well known": lambda k, p, s: {"quizzes": p, "solutions": s},
    "names of a kind": lambda k, p, s: {"题目": p, 'an "answer"': s},
    "few": lambda k, p, s: {"n": k, "puzzle": p, "rating": None, "tags": [], "steps": [{"cell": 3}]},
    "pair": lambda k, p, s: [p, s],
    "row": lambda k, p, s: [k, p, 2.5, "easy"],
    "server": lambda k, p, s: {"row_idx": k, "row": {"puzzle": p, "solution": s}, "truncated_cells": []},
    "sample": lambda k, p, s: {"doc_id": k, "doc": {"puzzle": p}, "target": s, "resps": [["I give up"]]},
    "metadata": lambda k, p, s: {"question": "Solve it!", "metadata": {"puzzle": p, "source": {"n": k}}},
}
PLACES: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "name": lambda records: {"version": 2, "puzzles": records, "total": 4},
    "deeper": lambda records: {"status": "ok", "data": {"rows": records, "next": None}},
    "ids": lambda records: {f"id {k}": record for k, record in enumerate(records)},
    "levels": lambda records: {"easy": records[:1], "medium": [], "hard": records[1:]},
    "levels of ids": lambda records: {
        "easy": {"1": records[0], "2": records[1]},
        "hard": {"3": records[2], "4": records[3]},
    },
    "sets": lambda records: [{"level": k, "puzzles": [record]} for k, record in enumerate(records)],
}
COLUMNS: dict[str, Callable[[list[Any], list[Any]], Any]] = {
    "columns": lambda p, s: {"x": p, "y": s, "rating": [1.5] * 4},
    "of a set": lambda p, s: {
        "train": {"puzzle": p[:2], "solution": s[:2]},
        "test": {"puzzle": p[2:], "solution": s[2:]},
    },
    "pandas": lambda p, s: {
        name: {f"r{k}": v for k, v in enumerate(values)} for name, values in [("x", p), ("y", s)]
    },
    "split": lambda p, s: {"columns": ["x", "y"], "index": [0, 1, 2, 3], "data": [*zip(p, s, strict=True)]},
    "table": lambda p, s: {
        "schema": {"fields": [{"name": "x", "type": "string"}], "primaryKey": ["index"]},
        "data": [{"index": k, "x": a, "y": b} for k, (a, b) in enumerate(zip(p, s, strict=True))],
    },
}


def documents(form: str) -> Iterator[tuple[str, Any]]:
    """Yield documents with the four puzzles in a form, in each shape."""
    pairs = [(FORMS[form](cells), FORMS[form](grid)) for cells, grid in zip(PUZZLES, SOLUTIONS, strict=True)]
    for (place, hold), (kind, record) in product(PLACES.items(), RECORDS.items()):
        if not (kind == "row" and "ids" in place):  # a list in an object is no row
            yield f"{place}: {kind}", hold([record(k, *pair) for k, pair in enumerate(pairs)])
    for name, columns in COLUMNS.items():
        yield name, columns([cells for cells, _ in pairs], [grid for _, grid in pairs])


def read(text: str, **options: Any) -> tuple[list[str], int, list[Any]]:
    """Return the puzzles of a JSON text, how many records are invalid, and the columns."""
    batches = [*unidoku.read(io.BytesIO(text.encode()), format="jsonl", **options)]
    puzzles = [unidoku.Grid(cells).line for batch in batches for cells in batch.cells]
    return puzzles, sum(len(batch.reasons) for batch in batches), [batch.columns for batch in batches]


@in_turn
@pytest.mark.parametrize("form", FORMS)
def test_the_shape_of_a_document_does_not_matter(form: str) -> None:
    for number, (name, value) in enumerate(documents(form)):
        compact = read(json.dumps(value))
        assert compact[:2] == (PUZZLES, 0), name
        if number % 3 == 0:
            assert read(json.dumps(value, indent=number % 2)) == compact, name


def test_a_document_that_is_cut_is_an_error_or_has_all_records() -> None:
    pick = random.Random(8)
    for form, indent in (("text", None), ("lists", 1)):
        for name, value in [*documents(form)][pick.randrange(16) :: 16]:
            text = json.dumps(value, indent=indent)
            for size in range(pick.randrange(1, 80), len(text), 80):
                try:
                    puzzles, invalid, _ = read(text[:size])
                except UnidokuError:
                    continue
                assert invalid or puzzles == PUZZLES, (name, text[:size])


def test_a_column_is_named_by_its_path() -> None:
    text = json.dumps({"sets": [{"grid": a, "other": {"grid": b}} for a, b in [PUZZLES[:2], PUZZLES[1::-1]]]})
    assert read(text, column="sets.grid")[:2] == (PUZZLES[:2], 0)
    assert read(text, column="other.grid")[:2] == (PUZZLES[1::-1], 0)
    assert read(json.dumps(FORMS["lists"](PUZZLES[0])), column="grid")[:2] == (PUZZLES[:1], 0)  # has no name
    for inner in ({"x": PUZZLES[0]}, [{"x": PUZZLES[0]}], [7, PUZZLES[0]]):  # or of the value with records
        assert read(json.dumps([{"doc": inner, "n": 1}]), column="doc")[0] == PUZZLES[:1]


@in_turn
@pytest.mark.parametrize("prompt", [PUZZLES[0], f"Solve it:\n{PUZZLES[0]}", FORMS["lists"](PUZZLES[0])])
@pytest.mark.parametrize("names", [("problem", "prompt"), ("prompt", "problem")])
def test_the_same_puzzle_at_two_unknown_names_is_one_record(names: tuple[str, str], prompt: Any) -> None:
    record = dict(zip(names, (PUZZLES[0], prompt), strict=True)) | {"gpt": SOLUTIONS[0], "model": "x"}
    for text in (json.dumps(record), json.dumps([record] * 2), f"{json.dumps(record)}\n" * 2):
        summary = unidoku.run(unidoku.tasks.Verify(prediction="gpt"), io.BytesIO(text.encode()))
        assert (summary.right, summary.puzzles - summary.right, summary.invalid) in {(1, 0, 0), (2, 0, 0)}
    other = json.dumps(record | {"problem": PUZZLES[1], "prompt": PUZZLES[2]})
    assert {*PUZZLES[1:3]} <= {*read(other)[0]}


def test_a_path_leads_to_its_last_name_only() -> None:
    records = [{"puzzle": {"puzzle": PUZZLES[0], "x": PUZZLES[1][:k]}} for k in (81, 80)]
    assert read("\n".join(map(json.dumps, records)), column="puzzle.x")[:2] == ([PUZZLES[1]], 1)


def test_puzzles_at_several_places_are_all_read() -> None:
    """Where they are depends on each value, not on the first record."""
    text = json.dumps({"a": PUZZLES, "b": {"c": [{"puzzle": PUZZLES[0], "id": 7}]}})
    puzzles, invalid, [columns] = read(text)
    assert (puzzles, invalid) == ([*PUZZLES, PUZZLES[0]], 0)
    assert columns == {"key": ["a"] * 4 + ["b"], "id": [None] * 4 + [7]}
    text = json.dumps([{"easy": PUZZLES[:1]}, {"easy": PUZZLES[1:2], "hard": PUZZLES[2:]}])
    assert read(text)[:2] == (PUZZLES, 0)


def test_the_same_puzzle_in_two_objects_is_one_record() -> None:
    """As logs write the question and what it was made of; next to other records it is not lost."""
    question = "Solve this puzzle: {}"
    for write in (str, question.format):
        records = [
            {"prompt": {"raw": write(p)}, "vars": {"puzzle": p}, "n": k} for k, p in enumerate(PUZZLES)
        ]
        calls = [
            {"doc": {"puzzle": p}, "arguments": [[write(p), {"until": []}]], "resps": [["no"]]}
            for p in PUZZLES
        ]
        assert read(json.dumps(records))[:2] == read(json.dumps(calls))[:2] == (PUZZLES, 0)
    puzzles, invalid, _ = read(json.dumps({"results": records, "tests": [{"puzzle": p} for p in PUZZLES]}))
    assert (puzzles, invalid) == (2 * PUZZLES, 0)


def test_the_same_puzzle_under_two_ids_is_two_records() -> None:
    assert read(json.dumps({"1": {"grid": UNIQUE}, "2": {"grid": UNIQUE}}))[:2] == ([UNIQUE] * 2, 0)


def test_a_line_has_more_ids_than_a_table_has_columns() -> None:
    line = json.dumps({f"id {k}": puzzle for k, puzzle in enumerate(PUZZLES * 300)})
    puzzles, invalid, columns = read(f"{line}\n{line}")
    assert (puzzles, invalid) == (PUZZLES * 600, 0)
    assert [*columns[0]] == ["key"]


@pytest.mark.parametrize("order", [1, -1])
def test_an_answer_beside_a_puzzle_is_no_puzzle(order: int) -> None:
    """A model may stop before its grid is full; which of the two is first does not matter."""
    said = SOLUTIONS[0][:40] + "." * 41
    members = [("prompt", UNIQUE), ("response", said)][::order]
    text = f"{json.dumps({'prompt': UNIQUE})}\n{json.dumps(dict(members))}"
    assert read(text)[:2] == ([UNIQUE] * 2, 0)


@pytest.mark.parametrize("order", [1, -1])
def test_an_answer_beside_a_puzzle_in_words_is_no_puzzle(order: int) -> None:
    """A model may stop before its grid is full."""
    members = [("prompt", f"Solve this puzzle: {UNIQUE}"), ("response", SOLUTIONS[0][:40] + "." * 41)]
    lines = [json.dumps(dict(members[::order])), json.dumps({"prompt": UNIQUE})]
    for text in ("\n".join(lines[::order]), f"[{','.join(lines[::order])}]"):
        assert read(text)[:2] == ([UNIQUE] * 2, 0)


def test_different_puzzles_under_two_names_are_an_error_with_its_line() -> None:
    record = {"puzzle": UNIQUE, "grid": PUZZLES[1]}
    for values in ([{"puzzle": UNIQUE}] * 2 + [record], [{"puzzle": UNIQUE}] * 2000 + [record]):
        for text in ("\n".join(map(json.dumps, values)), json.dumps(values, indent=0)):
            line = text[: text.rindex("{")].count("\n") + 1
            with pytest.raises(FormatError) as error:
                read(text)
            assert error.value.line == line


def test_a_document_in_the_notation_of_python_has_its_records() -> None:
    records = [{"puzzle": PUZZLES[0], "id": None}, {"puzzle": PUZZLES[1], "id": (True, 2)}]
    for text in (str(records), str({"rows": records}), f'{{"rows": {records[:1]}, "more": {records[1:]}}}'):
        puzzles, invalid, [columns] = read(text)
        assert (puzzles, invalid, columns["id"]) == (PUZZLES[:2], 0, [None, [True, 2]])


@in_turn
@pytest.mark.parametrize("lost", [None, {}, [], "x"])
@pytest.mark.parametrize("kind", ["itself", "few", "row", "server", "sample"])
def test_an_item_without_a_puzzle_is_an_invalid_record(kind: str, lost: Any) -> None:
    records = [RECORDS[kind](k, *pair) for k, pair in enumerate(zip(PUZZLES, SOLUTIONS, strict=True))]
    for at in (0, 1, 4):
        values = [*records[:at], lost, *records[at:]]
        assert read(json.dumps(values))[:2] == (PUZZLES, 1)
        assert read(json.dumps({"data": {"rows": values}, "n": 5}))[:2] == (PUZZLES, 1)
        assert read("\n".join(map(json.dumps, values)))[:2] == (PUZZLES, 1)


@in_turn
@pytest.mark.parametrize("size", [70_000, 1_000_000])
@pytest.mark.parametrize("write", [lambda records: "\n".join(map(json.dumps, records)), json.dumps])
def test_long_records_are_read(write: Callable[[Any], str], size: int) -> None:
    """The thoughts of a model are longer than 64 KiB."""
    for order in (1, -1):
        records = [{"puzzle": p, "text": "x" * n} for p, n in zip(PUZZLES[:3], (size, 3, size), strict=True)]
        puzzles, invalid, columns = read(write(records[::order]))
        assert (puzzles, invalid) == (PUZZLES[:3][::order], 0)
        assert [len(text) for batch in columns for text in batch["text"]] == [size, 3, size]


def test_a_long_line_that_is_damaged_has_a_short_reason() -> None:
    lines = [json.dumps({"puzzle": PUZZLES[0], "text": "x" * 70_000})] * 2
    [batch] = unidoku.read(io.BytesIO("\n".join([lines[0], lines[1][:-1]]).encode()), format="jsonl")
    assert batch.reasons == {2: "expected a JSON object or a JSON array of cells, found the end of the line"}


@pytest.mark.parametrize("name", ["messages", "response"])
def test_an_object_with_a_conversation_or_an_answer_is_one_record(name: str) -> None:
    """Its puzzles are not puzzles by id, even if they differ."""
    records = [
        {"prompt": a, name: [{"role": "user", "content": b}]} for a, b in (PUZZLES[:2], PUZZLES[1::-1])
    ]
    with pytest.raises(FormatError, match=rf"several columns could be the puzzle: 'prompt', '{name}'"):
        read(json.dumps(records))


def test_a_damaged_puzzle_of_a_document_is_a_record() -> None:
    assert read(json.dumps({"a": PUZZLES[0], "b": PUZZLES[1][:80]}))[:2] == (PUZZLES[:1], 1)
    assert read(json.dumps({"easy": [None, *PUZZLES], "hard": [PUZZLES[0][:79]]}))[:2] == (PUZZLES, 2)


def test_a_damaged_puzzle_hides_no_deeper_one() -> None:
    damaged = PUZZLES[0][:80]
    assert read(json.dumps({"x": damaged, "y": {"z": {"puzzle": PUZZLES[1]}}}))[:2] == ([PUZZLES[1]], 1)


def test_an_object_after_a_list_of_puzzles_is_an_invalid_record() -> None:
    rows = [[int(cell) for cell in puzzle.replace(".", "0")] for puzzle in PUZZLES[:2]]
    text = f'[{rows[0]},\n{rows[1]}]\n{{"a":\n1}}'
    puzzles, invalid, _ = read(text)
    assert (len(puzzles), invalid) == (2, 1)


def test_values_above_a_record_stand_beside_it() -> None:
    text = json.dumps(
        [
            {
                "level": 1,
                "id": 7,
                "sets": {k: {"puzzle": p, "id": "p"} for k, p in zip("xy", PUZZLES[:2], strict=True)},
            }
        ]
    )
    [batch] = unidoku.read(io.BytesIO(text.encode()))
    assert batch.columns == {
        "key": ["x", "y"],
        "level": [1, 1],
        "outer_id": [7, 7],
        "id": ["p", "p"],
    }


def _lines(*values: Any) -> io.BytesIO:
    file = io.BytesIO("\n".join(map(json.dumps, values)).encode())
    file.name = "log.jsonl"
    return file


@in_turn
@pytest.mark.parametrize("lost", [[], {}, None, 0, "no", [[]], {"list": []}])
@pytest.mark.parametrize("deep", [lambda p: [{"a": [{"grid": p}]}], lambda p: {"list": [p]}, lambda p: [[p]]])
def test_each_line_has_a_record_in_any_order(deep: Callable[[Any], Any], lost: Any) -> None:
    """The path to the puzzles of the first line decides; a line that has nothing there is not lost."""
    values = [{"rows": deep([None] * 81), "id": 1}, {"rows": deep(UNIQUE), "id": 2}, {"rows": lost, "id": 3}]
    for order in permutations(values):
        summary = unidoku.check_file(_lines(*order))
        assert (summary.puzzles, summary.invalid) == (3, 1)


def test_a_full_grid_in_another_list_of_the_first_line_is_no_puzzle() -> None:
    """Its own puzzle is damaged, and the next lines say where the puzzles are."""
    said = [SOLUTIONS[0], None]
    summary = unidoku.check_file(_lines({"puzzle": "x", "said": said}, {"puzzle": UNIQUE, "said": said}))
    assert (summary.puzzles, summary.unique, summary.invalid) == (2, 1, 1)
    assert unidoku.check_file(_lines({"all": SOLUTIONS}, {"all": SOLUTIONS[:2]})).unique == 6


def test_an_object_without_a_puzzle_among_lines_of_puzzles_is_invalid() -> None:
    for values in ([UNIQUE, {"note": "x"}], [{"note": "x"}, UNIQUE], [{"a": [UNIQUE]}, {"note": "x"}]):
        summary = unidoku.check_file(_lines(*values))
        assert (summary.unique, summary.invalid) == (1, 1)


def test_lists_of_one_item_keep_what_is_next_to_them() -> None:
    """Only with several puzzles would a list be copied for each; texts next to lists are not columns."""
    for items in ([{"puzzle": UNIQUE}], [[UNIQUE]]):
        [batch] = unidoku.read(_lines(*[{"in": {"list": items}, "tags": ["a", "b"], "said": "no"}] * 2))
        assert {"tags", "said"} <= batch.columns.keys()
    [batch] = unidoku.read(_lines(*[{"question": [UNIQUE], "tags": ["a"], "said": "no"}] * 2))
    assert batch.columns["said"] == ["no", "no"]
    [batch] = unidoku.read(_lines(*[{"question": [UNIQUE], "tags": ["a"]}] * 2))
    assert batch.columns["tags"] == ["a", "a"]


@pytest.mark.parametrize("order", [1, -1])
def test_a_conversation_is_read_next_to_records_of_another_kind(order: int) -> None:
    """No record has the name of another record's puzzle, and its own name is that of an answer."""
    talks = [{"messages": [{"role": "user", "content": f"Solve {puzzle}"}]} for puzzle in PUZZLES[:2]]
    records = [*talks, {"prompt": f"Solve {PUZZLES[2]}"}, {"a": PUZZLES[3], "n": 1}][::order]
    for text in ("\n".join(map(json.dumps, records)), json.dumps({"rows": records}, indent=1)):
        assert read(text)[:2] == (PUZZLES[::order], 0)


def test_a_conversation_about_another_puzzle_is_an_error_in_any_record() -> None:
    """A puzzle under a name of puzzles decides, and one by itself comes before one among words."""
    prompts = [f"Solve this: {puzzle}" for puzzle in PUZZLES]
    talks = [[{"role": "user", "content": prompt}] for prompt in prompts]
    first, second = PUZZLES[:2]
    others = [{"prompt": prompts[2], "messages": talks[2]}, {"x": PUZZLES[2]}]
    asked = [{"prompt": prompts[0], "messages": talks[1]}, {"messages": talks[1], "x": first}]
    for record, other in product(asked, others):
        for records in ([record], [record, other], [other, record]):
            with pytest.raises(FormatError, match=f":{1 + records.index(record)}: several columns could"):
                read("\n".join(map(json.dumps, [*records, other])))
    several = {"prompt": prompts[0], "other": prompts[1]}
    records = [
        {"x": first, "prompt": prompts[1]},
        {"puzzle": first, "messages": talks[1]},
        {"question": prompts[0], "messages": talks[1]},
        {"prompt": prompts[0], "messages": talks[0]},
    ]
    for record, other in product([several, *records], others):
        found = [first, second] if record is several else [first]
        assert read("\n".join(map(json.dumps, [record, other])))[:2] == ([*found, PUZZLES[2]], 0)
        assert read("\n".join(map(json.dumps, [other, record])))[:2] == ([PUZZLES[2], *found], 0)
