"""Rows of puzzles alone, which are made without NumPy: the same bytes as beside records that are none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from example_puzzles import CHAINS, MULTIPLE, TEN, UNIQUE, changed

import unidoku
from unidoku._task import Task
from unidoku.craft._request import Request
from unidoku.tasks import Canonical, Check, Generate, Minimize, Rate, Solve, StepsTask

FEW = [UNIQUE, MULTIPLE, changed(UNIQUE, {2: "5"}), TEN, UNIQUE.replace(".", "0")]
"""Puzzles with one, several, no and ten solutions."""
CASES = {
    "budget": (Check(limit=1000, budget=3), ("line", "file", *Check.columns, "reason", "puzzle")),
    "solve": (Solve(), ("solution", "count", "line")),
    "rate": (Rate(), ("at_least", "card", "er", "line", "file", "reason")),
    "below": (Rate(below=1.5), ("er", "name", "at_least", "reason")),
    "steps": (StepsTask(), ("line", "step", "sentence", "reason", "eliminations")),
    "singles": (StepsTask(techniques="full-house"), None),
    "zh": (StepsTask(lang="zh"), ("sentence",)),
    "canonical": (Canonical(), ("original", "symmetry", "automorphisms", "reason")),
    "minimize": (Minimize(seed=3), ("er", "name", "removed", "puzzle")),
}
"""Tasks that make rows without arrays, and some of their columns."""

REQUESTS = [Request(), Request(clues=(23, 24)), Request(symmetry="180", clues=30)]
PROPER = [UNIQUE, UNIQUE.replace(".", "0"), CHAINS]


def written(folder: Path, task: Task, name: str, lines: list[str], **options: object) -> list[str]:
    """Return the lines of an output."""
    (folder / "in.txt").write_text("\n".join(lines))
    unidoku.run(task, folder / "in.txt", folder / name, **options)
    return (folder / name).read_text().splitlines()


@pytest.mark.parametrize("name", ["o.txt", "o.csv", "o.jsonl"])
@pytest.mark.parametrize("case", CASES)
def test_few_rows_and_many(tmp_path: Path, name: str, case: str) -> None:
    task, columns = CASES[case]
    others = [*FEW[:3], unidoku.solve(UNIQUE).line, CHAINS]
    for lines in (PROPER[:1], others):
        for chosen in {"o.txt": (None,), "o.csv": (columns,)}.get(name, (None, columns)):
            few = written(tmp_path, task, name, lines, columns=chosen)
            many = written(tmp_path, task, name, [*lines, "?"] * 3, columns=chosen)
            assert few
            assert few == many[: len(few)]


def test_rows_are_written_without_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; import test_few_rows; test_few_rows.write_all(sys.argv[1])"
    )
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    command = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=True)
    without = {path: path.read_bytes() for path in tmp_path.iterdir()}
    write_all(tmp_path)
    assert len(without) > 2 * len(CASES)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == without


def write_all(folder: str | Path) -> None:
    """Write some rows of each case."""
    for case, (task, columns) in CASES.items():
        for suffix in (".csv", ".jsonl"):
            written(Path(folder), task, f"{case}{suffix}", PROPER, columns=columns)
    for number, request in enumerate(REQUESTS):
        made = Generate(request, seed=7, count=20, solutions=True, ratings=True)
        unidoku.run(made, made.puzzles(), Path(folder, f"generate-{number}.csv"))


def test_other_records_and_columns_of_the_input_are_written_too(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle,id\n{UNIQUE},a\n")
    unidoku.run(Check(), tmp_path / "in.csv", tmp_path / "o.csv", columns=("verdict", "id"))
    assert (tmp_path / "o.csv").read_text() == "verdict,id\nunique,a\n"
    rows = written(tmp_path, Check(), "o.csv", [UNIQUE, "?"], columns=("verdict", "reason"))
    assert rows == ["verdict,reason", "unique,", 'invalid,"expected 81 cells, found 1"']
    assert written(tmp_path, Check(), "o.txt", FEW, columns=("verdict",), only=("none",)) == ["none"]
    assert written(tmp_path, Solve(), "o.csv", FEW[2:3], columns=("verdict", "solution"))[1] == "none,"
    rows = written(tmp_path, Check(), "o.csv", FEW, columns=("verdict",), where="count=1,clues=30")
    assert rows == ["verdict", "unique", "unique"]


WITHOUT_ARRAYS = {
    "page": ["print", UNIQUE, "-o", "page.html"],
    "picture": ["print", UNIQUE, "-o", "picture.svg"],
    "several solutions": ["print", MULTIPLE, "-o", "several.html"],
    "audit": ["audit", UNIQUE],
    "neighbours": ["neighbours", UNIQUE, "-o", "near.csv"],
    "neighbours by two": ["neighbours", UNIQUE, "--remove", "0", "--add", "2", "-o", "near.jsonl"],
    "unique": ["convert", UNIQUE, UNIQUE, "--unique", "canonical", "-o", "unique.txt"],
}
"""Commands of one puzzle that start without NumPy."""


def test_commands_of_one_puzzle_need_no_numpy(tmp_path: Path) -> None:
    """One after the other in one process."""
    code = f"""
import sys
sys.modules['numpy'] = None
import unidoku._cli
for words in {[*WITHOUT_ARRAYS.values()]}:
    sys.argv[1:] = words
    try:
        unidoku._cli.main()
    except SystemExit as end:
        assert not end.code, words
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    written = {words[-1] for words in WITHOUT_ARRAYS.values() if "-o" in words}
    assert {path.name for path in tmp_path.iterdir()} == written
