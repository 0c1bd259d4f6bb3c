"""Puzzles in other shapes: separated cells, JSON arrays, the symbol ``?``; other sizes."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from example_puzzles import UNIQUE as A
from readback import read_all, rows_of

import unidoku
from unidoku.tasks import Convert

B = "." + A[1:]
BLANK = [cell if cell != "." else "" for cell in A]


@pytest.mark.parametrize("separator", [" ", "   ", ",", ", ", " ,", ";", "\t", "\t "])
def test_cells_apart_on_a_line(separator: str) -> None:
    for tail, end in product(["", " ", " # remark", separator], ["\n", "\r\n", "\r"]):
        before = "  " * (separator == " ")
        lines = [A, separator.join(A) + tail, before + separator.join(B) + tail, A.replace(".", "x")]
        records = read_all(end.join(lines).encode() + end.encode(), target=100)
        assert records.puzzles == [(1, A), (2, A), (3, B), (4, lines[3])]
        assert records.rejects == []


@pytest.mark.parametrize("separator", [",", "\t", ", "])
def test_absent_cells_between_separators_are_empty(separator: str) -> None:
    content = f"{separator.join(BLANK)}\n{separator.join(['', *BLANK[1:]])}\n".encode()
    assert read_all(content).puzzles == [(1, A), (2, B)]


VALUES = [int(cell) if cell != "." else 0 for cell in A]
ARRAYS = [
    VALUES,
    [VALUES[i : i + 9] for i in range(0, 81, 9)],
    [value or None for value in VALUES],
    [[value or "" for value in VALUES[i : i + 9]] for i in range(0, 81, 9)],
    list(A),
    [A[i : i + 9] for i in range(0, 81, 9)],
]


@pytest.mark.parametrize("array", ARRAYS)
def test_json_arrays(array: list[object]) -> None:
    for value in (array, {"id": 7, "puzzle": array}):
        lines = f"{json.dumps(value)}\n" * 2
        for text in (lines, json.dumps([value] * 2), json.dumps([value] * 2, indent=2)):
            records = read_all(text.encode())
            assert [cells for _, cells in records.puzzles] == [A, A]
            assert [line for line, _ in records.puzzles] == ([1, 2] if "\n " not in text else _starts(text))
            assert records.extra[0] == ({} if isinstance(value, list) else {"id": "7"})
        assert read_all(json.dumps(value, indent=2).encode()).puzzles == [(1, A)]


def _starts(text: str) -> list[int]:
    """Return the lines of an indented array where its elements begin."""
    return [number for number, line in enumerate(text.split("\n"), 1) if line in {"  {", "  ["}]


@pytest.mark.parametrize("text", [json.dumps({"puzzle": A}), json.dumps(A), json.dumps(A)[:-1], f"[{A}]", ""])
def test_json_between_other_characters(text: str) -> None:
    for before, after in product(["", " ", "\t "], ["", "  ", "\t", "x", " }", " ]"]):
        line = before + text + after
        wrong = []
        try:
            json.loads(line)
        except json.JSONDecodeError as error:
            wrong = [(1, error.pos + 1)]
        records = read_all(f"{line}\n{json.dumps(A)}\n".encode(), "jsonl")
        assert records.puzzles == ([(2, A)] if wrong else [(1, A), (2, A)])
        assert [reject[:2] for reject in records.rejects] == (wrong if line.strip() else [])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_lacks_are_null_in_json(tmp_path: Path, number: float) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"puzzle": cells, "x": number, "y": [1.5, number], "z": {"a": [number]}} for cells in (A, "bad")]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    unidoku.run(Convert(), source, output)
    objects = [json.loads(line, parse_constant=pytest.fail) for line in output.read_text().splitlines()]
    assert objects == [
        {"puzzle": cells, "x": None, "y": [1.5, None], "z": {"a": [None]}} for cells in (A, "bad")
    ]
    unidoku.check_file(source, tmp_path / "out.csv")
    unidoku.check_file(source, tmp_path / "out.txt", columns=["x", "y", "z"])
    texts = [json.dumps(number), "[1.5, null]", '{"a": [null]}']
    assert [[row["x"], row["y"], row["z"]] for row in rows_of(tmp_path / "out.csv")] == [texts] * 2
    assert (tmp_path / "out.txt").read_text().count("\t".join(texts)) == 2
