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


def expected(puzzle: str, most: int) -> list[tuple[int, bool, str]]:
    """The rows of a puzzle, by `unidoku.solutions`."""
    found = [grid.line for grid in islice(unidoku.solutions(puzzle), most + 1)]
    rows = enumerate(found[:most], 1)
    return [(number, number == len(found), line) for number, line in rows]


@pytest.mark.parametrize("most", [1, 2, 64, 65, 1024, 1025])
def test_rows_in_memory_are_those_of_the_iterator(most):
    found = unidoku.run_many(Solutions(most), PUZZLES)
    rows = [
        (int(of), row.number, row.last, row.solution)
        for of, row in zip(found.source_rows, found, strict=True)
    ]
    every: list[tuple[Any, ...]] = []
    for number, puzzle in enumerate(PUZZLES):
        given: list[tuple[Any, ...]] = [*expected(puzzle, most)] or [(None, None, None)]
        every += [(number, *each) for each in given]
    assert rows == every
    assert found.reasons == dict.fromkeys([0, 3, 7], "no solution")
    assert [*found] == [*unidoku.run_many(Solutions(most), PUZZLES, threads=1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Puzzles and a record that is none."""
    made = tmp_path / "in.csv"
    rows = [*PUZZLES[:3], "bad", *PUZZLES[3:]]
    made.write_text("id,puzzle\n" + "".join(f"{number},{row}\n" for number, row in enumerate(rows)))
    return made


def test_all_rows_of_a_file(path, tmp_path):
    run("solve", path, "--all", "-n", "1500", "-o", tmp_path / "o.csv", code=1)
    rows = rows_of(tmp_path / "o.csv")
    every: list[tuple[str, ...]] = []
    for number, puzzle in enumerate([*PUZZLES[:3], "bad", *PUZZLES[3:]]):
        given = [] if puzzle == "bad" else expected(puzzle, 1500)
        every += [(str(number), puzzle, str(k), str(last).lower(), line) for k, last, line in given]
        if not given:
            every.append((str(number), puzzle, "", "", ""))
    names = ("id", "puzzle", "number", "last", "solution")
    assert [tuple(row[name] for name in names) for row in rows] == every
    reasons = [row["reason"] for row in rows if not row["number"]]
    assert [reason.partition(",")[0] for reason in reasons] == [
        "no solution",
        "expected 81 cells in 'puzzle'",
        "no solution",
        "no solution",
    ]


def test_lines_have_the_solutions_alone(path, tmp_path):
    lines = [line for puzzle in PUZZLES for *_, line in expected(puzzle, 100)]
    done = run("solve", path, "--all", "-n", "100", code=1)
    assert done.stdout.splitlines() == lines
    run("solve", path, "--all", "-n", "100", "-o", tmp_path / "o.txt.gz", code=1)
    assert run("solve", tmp_path / "o.txt.gz", code=0).stdout.splitlines() == lines
