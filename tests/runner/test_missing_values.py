"""Values that a record lacks: a word in lines for people, null in every typed format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import run
from example_puzzles import UNIQUE
from readback import rows_of

import unidoku
from unidoku import tasks
from unidoku.task import type_of_items

NONE = "11" + "." * 79
EMPTY = "." * 81  # 6670903752021072936960 solutions
SEVERAL = "." * 9 + UNIQUE[9:]
LINES = [UNIQUE, "no puzzle", NONE, EMPTY, SEVERAL, UNIQUE, "8" * 81, UNIQUE[:80]]
TASKS = {
    "check": tasks.Check(),
    "check-2": tasks.Check(1000, 1),
    "count": tasks.Count(),
    "count-2": tasks.Count(1000, 1),
    "solve": tasks.Solve(),
    "solve-all": tasks.Solutions(2),
    "rate": tasks.Rate(),
    "hint": tasks.Hint(),
    "steps": tasks.Steps(),
    "verify": tasks.Verify(),
    "canonical": tasks.Canonical(),
    "minimize": tasks.Minimize(1),
    "transform": tasks.Transform(count=2, seed=1),
    "neighbours": tasks.Neighbours(1, 0),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Write puzzles of every verdict, some with answers, and records that are none."""
    rows = [f"{line},{solution}\n" for line, solution in zip(LINES, ["", "x", NONE] * 3, strict=False)]
    path = tmp_path / "in.csv"
    path.write_text("".join(["puzzle,answer\n", *rows]))
    return path


def fits(value: Any, kind: str, is_text: bool) -> bool:
    """Return whether a value of CSV, JSON or Arrow has the declared type, or is missing."""
    if value is None or (is_text and value == ""):
        return True
    item, size = type_of_items(kind)
    if size is not None and not is_text:
        return isinstance(value, list) and all(fits(element, item, is_text=False) for element in value)
    if item in ("cells", "string", "words") or size is not None:
        return isinstance(value, str) and (item != "cells" or len(value) == 81)
    if is_text:
        value = {"true": True, "false": False}.get(value, value)
        value = float(value) if item.startswith("float") and isinstance(value, str) else value
        value = int(value) if isinstance(value, str) else value
    return isinstance(value, {"b": bool, "f": float, "i": int, "u": int}[item[0]])


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("name", TASKS)
def test_a_column_has_values_of_its_type(source, tmp_path, name, suffix):
    if suffix in {"parquet", "arrow"}:
        pytest.importorskip("pyarrow")
    task, path = TASKS[name], tmp_path / f"out.{suffix}"
    unidoku.run(task, source, path)
    rows = rows_of(path)
    assert len(rows) >= 5
    for row in rows:
        for column, kind in task.column_types.items():
            assert fits(row.get(column), kind, suffix in {"csv", "tsv"}) or column == "puzzle", (column, row)
    invalid = [row for row in rows if row["puzzle"] == "no puzzle"]
    assert invalid or name == "verify"
    for row in invalid:
        values = {column: row.get(column) for column in task.columns.keys() - {"puzzle"}}
        assert values.pop("verdict", "invalid") == "invalid"
        solved = values.pop("solved", False)  # of steps there is none, of an answer it is false
        assert solved in (False, "false") or (name == "steps" and solved in (None, ""))
        assert not any(values.values())


@pytest.mark.parametrize("name", TASKS)
def test_arrays_have_zeros_for_missing_values(source, tmp_path, name):
    task = TASKS[name]
    unidoku.run(task, source, tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz") as arrays:
        for column, kind in task.column_types.items():
            array = arrays.get({"puzzle": "puzzles", "solution": "solutions"}.get(column, column))
            if array is None:
                continue
            item, size = type_of_items(kind)
            if item == "cells" or column == "puzzle":
                assert (array.dtype, array.shape[1:]) == (np.uint8, (81,))
            elif item in ("string", "words") or size is not None:
                assert array.dtype.kind in "US" or size
            else:
                assert array.dtype == item
        if name in ("check", "solve", "verify"):
            solutions = arrays.get("solutions", np.zeros((2, 81)))
            assert not solutions[1].any()  # two clues clash


def test_words_stand_in_for_values_in_lines(source, tmp_path):
    unidoku.run(tasks.Count(), source, tmp_path / "out.txt")
    counts = (tmp_path / "out.txt").read_text().splitlines()
    assert counts[:4] == ["1", "invalid", "0", "6670903752021072936960"]
    assert counts[6:] == ["0", "invalid"]
    unidoku.run(tasks.Solve(), source, tmp_path / "out.txt")
    words = (tmp_path / "out.txt").read_text().splitlines()
    assert [word for word in words if len(word) != 81] == ["invalid", "none", "none", "invalid"]
    assert run("count", source, code=1).stdout.splitlines() == counts


def test_a_count_that_is_too_large_is_a_lower_bound_in_a_table(source, tmp_path):
    unidoku.run(tasks.Count(), source, tmp_path / "out.jsonl")
    row = rows_of(tmp_path / "out.jsonl")[3]
    assert (row["count"], row["complete"]) == (2**64 - 1, False)


def test_a_puzzle_without_results_has_no_text_of_another_record(tmp_path):
    lines = [f"{NONE[:40]}{k:02}{NONE[42:]}" if k % 2 else f"no puzzle {k}" for k in range(10, 40)]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle", *lines, ""]))
    unidoku.run(tasks.Neighbours(1, 0), tmp_path / "in.csv", tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert [row["puzzle"] for row in rows] == ["" if k % 2 else f"no puzzle {k}" for k in range(10, 40)]
    assert all("clash" in row["reason"] for row in rows[1::2])
