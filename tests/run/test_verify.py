"""Given answers compared with the ones found."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import run
from example_puzzles import SOLUTION as SA, UNIQUE as A

import unidoku
from unidoku.errors import FormatError

WRONG = "1" + SA[1:]
EMPTY = "." * 81
HEADER = (
    "line,puzzle,verdict,count,complete,solution,"
    "solved,wrong_cells,broken_houses,changed_clues,empty_cells,reason,given_solution"
)


def test_solutions_in_csv(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text(
        f"puzzle,solution\n{A},{SA}\n{A},{WRONG}\n{A},\n{EMPTY},{WRONG}\n{A}, {SA} \n{EMPTY},{SA}\n"
    )
    summary = unidoku.check_file(path, output=out, verify=True)
    assert (summary.right, summary.wrong, summary.absent) == (3, 2, 1)
    assert [error.line for error in summary.mismatches] == [3, 5]
    assert "in.csv:3: the given answer is wrong: a clue is changed" in str(summary.mismatches[0])
    assert "in.csv:5: the given answer is wrong: a digit is twice in a house" in str(summary.mismatches[1])
    header, *rows = out.read_text().splitlines()
    assert header == HEADER
    assert [row.split(",")[6] for row in rows] == ["true", "false", "false", "false", "true", "true"]
    assert [row.split(",")[7] for row in rows] == ["0", "1", "", "-1", "0", "0"]  # wrong cells


def test_numbers_of_solutions(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(f"{A}:1:{SA}\n{EMPTY}:100000\n{A}:2\n{A}:1:{WRONG}\n{EMPTY}:1\n")
    summary = unidoku.check_file(path, format="tdoku", verify=True, limit=100)
    assert [error.line for error in summary.mismatches] == [3, 4, 5]
    out = tmp_path / "out.txt"
    assert unidoku.check_file(path, verify=True, output=out).wrong == 3
    assert out.read_text().splitlines()[0].split("\t") == [A, "unique", "1", SA, "true", *"0000", ""]


def test_counting_to_the_end(tmp_path: Path) -> None:
    """A number above what was counted is right only where counting stopped."""
    two = SA.replace("1", ".").replace("2", ".")
    path = tmp_path / "in.txt"
    path.write_text(f"{two}:2\n{two}:3\n")
    assert unidoku.check_file(path, format="tdoku", verify=True, limit=None).wrong == 1
    assert unidoku.check_file(path, format="tdoku", verify=True, limit=2).wrong == 0


def test_a_count_that_the_budget_cuts_off_proves_only_smaller_numbers_wrong(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(f"{EMPTY}:3\n{EMPTY}:1000000\n{A}:1\n")
    summary = unidoku.check_file(path, format="tdoku", verify=True, limit=None, budget=1000)
    assert (summary.right, summary.wrong, summary.absent) == (1, 1, 1)
    assert "the number of solutions is " in str(summary.mismatches[0])
    assert " or more" in str(summary.mismatches[0])


def test_parquet(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    import pyarrow as pa

    pq.write_table(pa.table({"question": [A, A, A], "answer": [SA, WRONG, None]}), tmp_path / "in.parquet")
    summary = unidoku.check_file(tmp_path / "in.parquet", verify=True, output=tmp_path / "out.parquet")
    assert summary.wrong == 1
    found = pq.read_table(tmp_path / "out.parquet")
    assert found["solved"].to_pylist() == [True, False, False]
    assert found["wrong_cells"].to_pylist() == [0, 1, None]
    assert found["reason"].to_pylist()[::2] == [None, "no answer"]
    assert found["answer"].to_pylist() == [SA, WRONG, None]


def test_nothing_to_verify(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle,other\n{A},1\n")
    with pytest.raises(FormatError, match=r"expected a column .*, expected_count, found other"):
        unidoku.check_file(tmp_path / "in.csv", verify=True)


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"puzzle,solution\n{A},{SA}\n")
    run("check", path, "--verify", code=0)
    path.write_text(f"puzzle,solution\n{A},{WRONG}\n")
    assert "wrong: " in run("check", path, "--verify", code=1).stderr
