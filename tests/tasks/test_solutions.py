"""`unidoku solve --all`: a row for each solution of the puzzles of files, in every format."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from command import run
from example_puzzles import CLASH, EIGHT as FEW, NONE, SOLUTION, UNIQUE
from readback import rows_of

import unidoku
from unidoku.tasks.solutions import Solutions

WIDE = "123456789" + "." * 72

MANY = "12......." + "." * 72
PUZZLES = [NONE, UNIQUE, MANY, CLASH, FEW, WIDE, SOLUTION, NONE]


def iterator_rows(puzzle: str, limit: int) -> list[tuple[int, bool, str]]:
    """The rows of a puzzle, by `unidoku.solutions`."""
    lines = [grid.line for grid in islice(unidoku.solutions(puzzle), limit + 1)]
    rows = enumerate(lines[:limit], 1)
    return [(number, number == len(lines), line) for number, line in rows]


@pytest.mark.parametrize("limit", [1, 2, 64, 65, 1024, 1025])
def test_rows_in_memory_agree_with_the_iterator(limit):
    table = unidoku.run_many(Solutions(limit), PUZZLES)
    rows = [
        (int(of), row.number, row.last, row.solution)
        for of, row in zip(table.source_rows, table, strict=True)
    ]
    model_rows: list[tuple[Any, ...]] = []
    for number, puzzle in enumerate(PUZZLES):
        puzzle_rows: list[tuple[Any, ...]] = [*iterator_rows(puzzle, limit)] or [(None, None, None)]
        model_rows += [(number, *row) for row in puzzle_rows]
    assert rows == model_rows
    assert table.reasons == dict.fromkeys([0, 3, 7], "no solution")
    assert [*table] == [*unidoku.run_many(Solutions(limit), PUZZLES, threads=1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Puzzles, and a record without a puzzle."""
    file = tmp_path / "in.csv"
    rows = [*PUZZLES[:3], "bad", *PUZZLES[3:]]
    file.write_text("id,puzzle\n" + "".join(f"{number},{row}\n" for number, row in enumerate(rows)))
    return file


def test_all_rows_of_a_file(path, tmp_path):
    run("solve", path, "--all", "-n", "1500", "-o", tmp_path / "o.csv", code=1)
    rows = rows_of(tmp_path / "o.csv")
    model_rows: list[tuple[str, ...]] = []
    for number, puzzle in enumerate([*PUZZLES[:3], "bad", *PUZZLES[3:]]):
        puzzle_rows = [] if puzzle == "bad" else iterator_rows(puzzle, 1500)
        model_rows += [
            (str(number), puzzle, str(k), str(is_last).lower(), line) for k, is_last, line in puzzle_rows
        ]
        if not puzzle_rows:
            model_rows.append((str(number), puzzle, "", "", ""))
    names = ("id", "puzzle", "number", "last", "solution")
    assert [tuple(row[name] for name in names) for row in rows] == model_rows
    reasons = [row["reason"] for row in rows if not row["number"]]
    assert [reason.partition(",")[0] for reason in reasons] == [
        "no solution",
        "expected 81 cells in 'puzzle'",
        "no solution",
        "no solution",
    ]


def test_lines_have_the_solutions_alone(path, tmp_path):
    lines = [line for puzzle in PUZZLES for *_, line in iterator_rows(puzzle, 100)]
    process = run("solve", path, "--all", "-n", "100", code=1)
    assert process.stdout.splitlines() == lines
    run("solve", path, "--all", "-n", "100", "-o", tmp_path / "o.txt.gz", code=1)
    assert run("solve", tmp_path / "o.txt.gz", code=0).stdout.splitlines() == lines
