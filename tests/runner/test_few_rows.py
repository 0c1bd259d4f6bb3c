"""Few rows of a search, which are made without NumPy: the same bytes as in an output with many."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_puzzles import MULTIPLE, TEN, UNIQUE, changed

import unidoku
from unidoku.tasks import Check, Solve

FEW = [UNIQUE, MULTIPLE, changed(UNIQUE, {2: "5"}), TEN, UNIQUE.replace(".", "0")]
"""Puzzles with one, several, no and ten solutions."""
TASKS = {
    "check": Check(),
    "all": Check(limit=None),
    "budget": Check(limit=1000, budget=3),
    "solve": Solve(),
}


def written(folder: Path, task: Check | Solve, name: str, lines: list[str], **options: object) -> list[str]:
    """Return the lines of an output."""
    (folder / "in.txt").write_text("\n".join(lines))
    unidoku.run(task, folder / "in.txt", folder / name, **options)
    return (folder / name).read_text().splitlines()


@pytest.mark.parametrize("name", ["o.txt", "o.csv", "o.tsv", "o.jsonl"])
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_few_rows_and_many(tmp_path: Path, task: Check | Solve, name: str) -> None:
    many = FEW + [UNIQUE] * 300
    for columns in (None, ("line", "file", *task.columns, "reason", "puzzle")):
        few = written(tmp_path, task, name, FEW, columns=columns)
        assert len(few) == len(FEW) + name.endswith("sv")
        assert few == written(tmp_path, task, name, many, columns=columns)[: len(few)]


def test_other_records_and_columns_of_the_input_are_written_too(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle,id\n{UNIQUE},a\n")
    unidoku.run(Check(), tmp_path / "in.csv", tmp_path / "o.csv", columns=("verdict", "id"))
    assert (tmp_path / "o.csv").read_text() == "verdict,id\nunique,a\n"
    rows = written(tmp_path, Check(), "o.csv", [UNIQUE, "?"], columns=("verdict", "reason"))
    assert rows == ["verdict,reason", "unique,", 'invalid,"expected 81 cells, found 1"']
    assert written(tmp_path, Check(), "o.txt", FEW, columns=("verdict",), only=("none",)) == ["none"]
    rows = written(tmp_path, Check(), "o.csv", FEW, columns=("verdict",), where="count=1,clues=30")
    assert rows == ["verdict", "unique", "unique"]
