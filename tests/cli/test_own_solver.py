"""The command `bench --with`: another program in the same table, its answers checked."""

from __future__ import annotations

import json
import re
import shlex
import sys

import pytest
from command import run
from example_puzzles import UNIQUE

COUNTS = "import sys\nfor line in sys.stdin: print(1)"
SOLUTIONS = "import sys, unidoku\nfor line in sys.stdin: print(unidoku.solve(line.strip()).line)"
WRONG = "import sys\nfor line in sys.stdin: print(2)"
WRONG_GRID = "import sys\nfor line in sys.stdin: print(81 * '1')"
SHORT = "print(1)"
SLOW = "import sys, time\nfor line in sys.stdin: pass\ntime.sleep(100)"
FAILING = "import sys; sys.exit('no license')"


def bench(tmp_path, code, *arguments, exit_code=0):
    """Run the benchmark with a program of these lines."""
    (tmp_path / "puzzles.txt").write_text(f"{UNIQUE}\n")
    (tmp_path / "solver.py").write_text(code)
    command = shlex.join([sys.executable, str(tmp_path / "solver.py")])
    return run(
        "bench",
        "puzzles.txt",
        "--with",
        command,
        "--seconds",
        "0.03",
        *arguments,
        cwd=tmp_path,
        code=exit_code,
    )


@pytest.mark.parametrize("code", [COUNTS, SOLUTIONS])
def test_a_program_is_in_the_table_with_a_ratio(tmp_path, code):
    report = json.loads(bench(tmp_path, code, "--json").stdout)
    (row,) = [row for row in report["rows"] if "solver.py" in row["solver"]]
    assert row["puzzles"] > 1
    assert row["ratio"] is not None
    assert row["call"] == "batch"


@pytest.mark.parametrize(
    ("code", "remark"),
    [
        (WRONG, r".*solver.py, batch: wrong answer to the puzzle [1-9.]{81}: expected 1, found 2"),
        (
            WRONG_GRID,
            r".*solver.py, batch: wrong answer to the puzzle [1-9.]{81}: expected [1-9]{81}, found 1{81}",
        ),
        (SHORT, r".*: 1 lines for 4 puzzles; print one line for each"),
    ],
)
def test_a_wrong_program_has_a_remark_and_the_others_figures(tmp_path, code, remark):
    report = json.loads(bench(tmp_path, code, "--json", exit_code=1).stdout)
    (row,) = [row for row in report["rows"] if row["remark"]]
    assert re.fullmatch(remark, row["remark"])
    assert (row["seconds"], row["ratio"]) == (None, None)
    assert all(other["seconds"] for other in report["rows"] if other != row)
    if code is SHORT:
        text = bench(tmp_path, code, exit_code=1).stdout
        assert re.search(rf"(?m)^{remark}$", text)
        assert "naive" in text


def test_a_program_that_fails_is_an_error(tmp_path):
    assert "exit code 1 no license" in bench(tmp_path, FAILING, exit_code=2).stderr


def test_a_run_that_was_cut_off_after_one_puzzle_has_no_ratio(tmp_path):
    report = json.loads(bench(tmp_path, SLOW, "--json").stdout)
    (row,) = [row for row in report["rows"] if "solver.py" in row["solver"]]
    assert (row["puzzles"], row["cut_off"], row["ratio"]) == (1, 1, None)


def test_a_program_that_is_not_there_is_an_error(tmp_path):
    (tmp_path / "puzzles.txt").write_text(f"{UNIQUE}\n")
    result = run("bench", "puzzles.txt", "--with", "./nope", "--seconds", "0.03", cwd=tmp_path, code=2)
    assert result.stderr.startswith("error: ./nope: No such file")
