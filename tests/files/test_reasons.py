"""Reasons for invalid records: line, character, message."""

from __future__ import annotations

import json
import re

import pytest
from cases import in_turn
from example_puzzles import UNIQUE as A
from readback import read_all

import unidoku
from unidoku.errors import InvalidPuzzleError

CELL = "expected a digit or an empty cell (. 0 * _ - x X ?), found"
IN_PUZZLE = CELL.replace(", found", " in 'puzzle', found")
LARGE = "123456789ABCDEFG" * 16
NOT_READ = "256 cells (16x16 puzzles are not supported)"
VALUES = [int(cell) if cell != "." else 0 for cell in A]

LINES = [
    ("53..7", 6, "expected 81 cells, found 5"),
    ("  53..7", 8, "expected 81 cells, found 5"),
    ("hello", 1, f"{CELL} 'h'"),
    ("53\0", 3, f"{CELL} a NUL byte"),
    ("53\x1b[2J", 3, f"{CELL} '\\x1b'"),
    ("53é", 3, f"{CELL} 'é'"),
    (b"53\xff1", 3, f"{CELL} 'ÿ'"),
    ("héé", 1, f"{CELL} 'h'"),
    (f"{A}5", 83, "expected 81 cells, found 82"),
    ("1" * 256, 257, f"expected 81 cells, found {NOT_READ}"),
    (A * 10, 731, "expected 81 cells, found 810"),
]
CSV = [
    ("1,2", 1, "expected 3 fields, found 2"),
    (f"1,{A},2,3", 1, "expected 3 fields, found 4"),
    (f'1,"{[LARGE[:16]] * 16}",2', 4, f"expected 81 cells, found {NOT_READ}"),
    (f"1,{A[:-1]},2", 3, "expected 81 cells in 'puzzle', found 80"),
    (f"1,{A[:80]}!,2", 83, f"{IN_PUZZLE} '!'"),
    (f'1,"{A}"?,2', 86, "expected a separator or the end of the record after a quoted field, found '?'"),
    ("1,,2", 3, "expected 81 cells in 'puzzle', found nothing"),
]


@in_turn
@pytest.mark.parametrize(("text", "column", "reason"), LINES)
def test_lines(text: str | bytes, column: int, reason: str) -> None:
    text = text.encode() if isinstance(text, str) else text
    assert read_all(text + f"\n{A}".encode(), "lines").rejects == [(1, column, reason)]


@in_turn
@pytest.mark.parametrize(("record", "column", "reason"), CSV)
def test_csv(record: str, column: int, reason: str) -> None:
    records = read_all(f"id,puzzle,x\n7,{A},8\n{record}\n9,{A},8\n".encode())
    assert [line for line, _ in records.puzzles] == [2, 4]
    assert records.rejects == [(3, column, reason)]


@in_turn
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (VALUES[:80], "found 80"),
        ([*VALUES[:80], 10], "found 10 in r9c9"),
        ([*VALUES[:80], True], "found True in r9c9"),
        ([*VALUES[:80], 1.5], "found 1.5 in r9c9"),
        ({"puzzle": {}}, "found neither a text nor a list"),
        ({"puzzle": None}, "null"),
        ({"puzzle": LARGE}, NOT_READ),
        ({"puzzle": [LARGE[:16]] * 16}, NOT_READ),
        ({"puzzle": json.dumps([LARGE[:16]] * 16)}, NOT_READ),
        ([[1] * 9 + [0] * 7] * 16, NOT_READ),
        (5, "found neither a text nor a list"),
        (None, "null"),
    ],
)
def test_json(value: object, reason: str) -> None:
    ((line, _, message),) = read_all(f"{json.dumps(value)}\n".encode(), "jsonl").rejects
    assert line == 1
    assert reason in message


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("1" * 80, "expected 81 cells, found 80"),
        ("version: 3&#10;" + "0|0|1|" * 80, "expected 81 cells, found 491"),
    ],
)
def test_opensudoku(data: str, reason: str) -> None:
    document = f'<?xml version="1.0"?>\n<opensudoku><game data="{data}"/></opensudoku>'
    ((line, column, message),) = read_all(document.encode(), "opensudoku").rejects
    assert (line, column) == (2, 13)
    assert reason in message


@in_turn
@pytest.mark.parametrize(
    ("form", "content"), [("csv", "puzzle\n{}\n"), ("lines", "{}\n"), ("jsonl", '["{}"]\n')]
)
def test_a_number_that_lost_its_leading_zeros_says_so(form, content):
    """A table program or pandas reads 81 digits as a number, and leaves out the zeros before it."""
    short = A.replace(".", "0")[9:]
    [(_, _, reason)] = read_all(content.format(short).encode(), form).rejects
    assert "leading zeros were lost" in reason


def test_an_element_of_an_array_has_its_line() -> None:
    content = f'[\n  "{A}",\n  "{A[:-1]}!"\n]\n'
    assert [line for line, *_ in read_all(content.encode(), "jsonl").rejects] == [3]


def test_columns_of_which_one_value_has_no_puzzles_are_an_invalid_record() -> None:
    content = f'{{"start": ["{A}"], "id": [1]}}\n{{"id": ["x"]}}\n{{"start": 7, "id": [1]}}\n'
    records = read_all(content.encode(), "jsonl")
    assert (records.puzzles, [line for line, *_ in records.rejects]) == ([(1, A)], [2, 3])


def test_boards_have_their_lines_in_a_large_file() -> None:
    rows = "\n".join(A[k : k + 9] for k in range(0, 81, 9))
    records = read_all(f"{rows}\n\n".encode() * 4000, "grid")
    assert [line for line, _ in records.puzzles] == [*range(1, 40_000, 10)]


@in_turn
@pytest.mark.parametrize("size", [4, 6, 8, 12, 16])
def test_texts_and_lists_of_a_larger_board_have_one_size(size: int) -> None:
    rows = ["." * size] * size
    found = f"{size * size} cells ({size}x{size} puzzles are not supported)"
    for puzzle in (rows, [[*row] for row in rows]):
        with pytest.raises(InvalidPuzzleError, match=re.escape(f"expected 81 cells, found {found}")):
            unidoku.check(puzzle)
        records = read_all(json.dumps([{"puzzle": A}, {"puzzle": puzzle}]).encode())
        assert [reason for *_, reason in records.rejects] == [f"expected 81 cells, found {found}"]


@in_turn
@pytest.mark.parametrize("size", [12, 16, 25])
@pytest.mark.parametrize("gap", ["", " ", ","])
def test_lines_of_a_larger_board_have_its_size(size: int, gap: str) -> None:
    signs = "123456789ABCDEFGHIJKLMNOP"[:size] * 2
    rows = [gap.join(signs[row : row + size]) for row in range(size)]
    text = "\n".join(rows)
    found = f"expected 81 cells, found {size * size} cells ({size}x{size} puzzles are not supported)"
    member = {"puzzle": text}
    forms = [text, json.dumps(member), str({"puzzle": rows}), json.dumps({"puzzle": rows}, indent=1)]
    for form in forms:
        with pytest.raises(InvalidPuzzleError, match=re.escape(found)):
            unidoku.check(form)
    contents = {"grid": text, "jsonl": json.dumps(member), "csv": f'puzzle,n\n{A},1\n"{text}",2\n'}
    for name, content in contents.items():
        assert [reason for *_, reason in read_all(content.encode(), name).rejects] == [found]


@pytest.mark.parametrize("size", [4, 6])
def test_lines_of_a_smaller_board_have_its_size(size: int) -> None:
    text = "\n".join(["1" + "." * (size - 1)] * size)
    found = f"found {size * size} cells ({size}x{size} puzzles are not supported)"
    with pytest.raises(InvalidPuzzleError, match=re.escape(found)):
        unidoku.check(text)
    content = json.dumps([{"puzzle": A}, {"puzzle": text}])
    assert [reason for *_, reason in read_all(content.encode()).rejects] == [f"expected 81 cells, {found}"]
