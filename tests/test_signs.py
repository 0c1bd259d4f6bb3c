"""One sign for empty cells in a puzzle, whichever way it comes; and 81 signs without a digit."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku import Grid, InvalidPuzzleError
from unidoku.cell import EMPTY_SYMBOLS

PAIRS = [*permutations(EMPTY_SYMBOLS, 2)]
RULES = [sign * 81 for sign in EMPTY_SYMBOLS if sign not in ".0"]


def mixed(usual: str, other: str, place: int) -> str:
    """Return the puzzle with one sign, and another one in one of its empty cells."""
    empty = [cell for cell, sign in enumerate(UNIQUE) if sign == "."][place]
    cells = UNIQUE.replace(".", usual)
    return cells[:empty] + other + cells[empty + 1 :]


def in_file(path: Path, content: str) -> list[str]:
    """Return the puzzles of a file, and why its other records are none."""
    path.write_text(content)
    found = list[tuple[int, str]]()
    for batch in unidoku.read(path):
        found += [(int(line), Grid(cells).line) for line, cells in zip(batch.lines, batch.cells, strict=True)]
        found += batch.reasons.items()
    return [what for _, what in sorted(found)]


FILES: dict[str, tuple[str, Callable[[str], str]]] = {
    "a line": ("a.txt", "{}\n".format),
    "a line and its rest": ("a.txt", "{},1.5\n".format),
    "a field": ("a.csv", "id,puzzle\n1,{}\n".format),
    "an object": ("a.jsonl", '{{"puzzle": "{}"}}\n'.format),
    "an object in Python": ("a.jsonl", '{{"puzzle": "{}", "other": "\\u0041"}}\n'.format),
    "a list": ("a.jsonl", lambda cells: json.dumps({"puzzle": [*cells]}) + "\n"),
}
CALLS: dict[str, Callable[[str], Any]] = {
    "Grid": Grid,
    "bytes": lambda text: Grid(text.encode()),
    "a sentence": lambda text: Grid(f"Solve {text} for me."),
    "cells apart": lambda text: Grid(" ".join(text)),
    "nine lines": lambda text: Grid("\n".join(text[row : row + 9] for row in range(0, 81, 9))),
    "a list": lambda text: Grid([*text]),
    "characters": lambda text: Grid(np.array([*text])),
    "codes": lambda text: Grid(np.frombuffer(text.encode(), np.uint8)),
    "objects": lambda text: Grid(np.array([*text], object)),
    "check": unidoku.check,
    "count": unidoku.count,
}
MANY: dict[str, Callable[[str], Any]] = {
    "strings": lambda text: [UNIQUE, text],
    "lines": lambda text: f"{UNIQUE}\n{text}".encode(),
    "bytes": lambda text: np.frombuffer((UNIQUE + text).encode(), np.uint8).reshape(2, 81),
    "characters": lambda text: np.array([[*UNIQUE], [*text]]),
    "objects": lambda text: np.array([[*UNIQUE], [*text]], object),
    "lists": lambda text: [[*UNIQUE], [*text]],
    "Arrow": lambda text: pa.array([UNIQUE, text]),
}


@pytest.mark.parametrize("way", CALLS)
def test_a_second_sign_is_an_error_that_names_its_cell(way: str) -> None:
    for number, (usual, other) in enumerate(PAIRS):
        text = mixed(usual, other, number % 51)
        cell = text.index(other)
        name = f"'{other}' in r{cell // 9 + 1}c{cell % 9 + 1}"
        with pytest.raises(InvalidPuzzleError, match="one sign for empty cells") as caught:
            CALLS[way](text)
        assert name in str(caught.value)


@pytest.mark.parametrize("form", MANY)
def test_a_second_sign_in_one_of_many_puzzles(form: str) -> None:
    for number, (usual, other) in enumerate(PAIRS):
        text = mixed(usual, other, number % 51)
        with pytest.raises(InvalidPuzzleError, match="one sign for empty cells"):
            unidoku.check_many(MANY[form](text))
        result = unidoku.check_many(MANY[form](UNIQUE.replace(".", usual)))
        assert [*result.count] == [1, 1]


@pytest.mark.parametrize("form", FILES)
def test_a_second_sign_in_a_file(form: str, tmp_path: Path) -> None:
    name, record = FILES[form]
    head, _, line = record("{}").rpartition("\n")[0].rpartition("\n")
    for number, (usual, other) in enumerate(PAIRS):
        cells = [UNIQUE, mixed(usual, other, number % 51), SOLUTION, UNIQUE.replace(".", other), UNIQUE]
        lines = [record(text).splitlines()[-1] for text in cells]
        found = in_file(tmp_path / name, "\n".join([*filter(None, [head]), *lines]) + "\n")
        assert [found[0], *found[2:]] == [UNIQUE, SOLUTION, UNIQUE, UNIQUE], line
        assert "one sign for empty cells" in found[1]
        assert "in r" in found[1]


@pytest.mark.parametrize("nothing", ["", None])
def test_nothing_beside_dots_in_a_list_of_json_is_a_second_sign(nothing: object, tmp_path: Path) -> None:
    cells: list[object] = [*UNIQUE]
    empty = [nothing if cell == "." else cell for cell in cells]
    cells[2] = nothing
    content = "\n".join(json.dumps({"puzzle": values}) for values in (empty, cells, [*UNIQUE]))
    found = in_file(tmp_path / "a.jsonl", content + "\n")
    assert [found[0], *found[2:]] == [UNIQUE, UNIQUE]
    assert "one sign for empty cells" in found[1]


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_no_puzzle(rule: str, tmp_path: Path) -> None:
    for call in (Grid, unidoku.check, lambda text: unidoku.check_many([text])):
        with pytest.raises(InvalidPuzzleError):
            call(rule)
    for name, record in FILES.values():
        shown = UNIQUE.replace(".", rule[0])
        lines = [record(text).splitlines()[-1] for text in (shown, rule, shown)]
        head = record("").splitlines()[:-1]
        found = in_file(tmp_path / name, "\n".join([*head, *lines]) + "\n")
        assert [text == UNIQUE for text in found] in ([True, False, True], [True, True])


@pytest.mark.parametrize("sign", ".0")
def test_an_empty_puzzle_is_one(sign: str, tmp_path: Path) -> None:
    assert Grid(sign * 81).line == "." * 81
    for name, record in FILES.values():
        assert in_file(tmp_path / name, record(sign * 81)) == ["." * 81]


EMPTY = [0, None, "", "0", ".", "?", b".", float("nan"), " ", "x", np.int64(0), np.str_("."), 0.0, -1]


@pytest.mark.parametrize("digit", [int, str, str.encode, float], ids=["int", "str", "bytes", "float"])
def test_a_list_of_mixed_objects_has_one_meaning(digit: Callable[[str], object]) -> None:
    """NumPy makes texts of numbers beside texts: 0 became the sign '0' for `Grid` alone."""
    for pair in product(EMPTY, repeat=2):
        signs = cycle(pair)
        row = [next(signs) if sign == "." else digit(sign) for sign in UNIQUE]
        objects = np.empty(81, object)
        objects[:] = row
        rows = [row[k : k + 9] for k in range(0, 81, 9)]
        found = {line_of(form) for form in (row, tuple(row), objects, rows)}
        assert len(found) == 1
        invalid = unidoku.check_many([row], errors="invalid").verdict[0] == unidoku.Verdict.INVALID
        assert invalid == ("" in found)


def line_of(puzzle: Any) -> str:
    """Return the line of a puzzle; nothing if it is refused."""
    try:
        return Grid(puzzle).line
    except InvalidPuzzleError:
        return ""


ROWS: dict[str, Callable[[list[str]], str]] = {
    "nine lines": "\n".join,
    "boxes": lambda rows: "\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in rows),
    "a frame": lambda rows: "\n".join(f"| {row[:3]} | {row[3:6]} | {row[6:]} |" for row in rows),
    "labels": lambda rows: "\n".join(f"Row {number}: {row}" for number, row in enumerate(rows, 1)),
    "numbers": lambda rows: "\n".join(f"{number} {row}" for number, row in enumerate(rows, 1)),
    "quotes": lambda rows: "\n".join(f"> {row}" for row in rows),
    "strings": lambda rows: "rows = [\n" + ",\n".join(f'    "{row}"' for row in rows) + "\n]",
    "slashes": "/".join,
    "one line": " ".join,
}


@pytest.mark.parametrize("form", ROWS)
@pytest.mark.parametrize("sign", EMPTY_SYMBOLS)
def test_signs_at_both_ends_of_a_row_are_empty_cells(sign: str, form: str) -> None:
    """Two stars before and behind a text are the bold type of Markdown, but cells in a row of nine."""
    for row in range(9):
        digits = range(9 * row + 2, 9 * row + 7)
        cells = [c if k in digits or (k % 3 == 1 and k // 9 != row) else "." for k, c in enumerate(SOLUTION)]
        line = "".join(cells)
        rows = [line[begin : begin + 9].replace(".", sign) for begin in range(0, 81, 9)]
        assert Grid(ROWS[form](rows)).line == line
