"""The command `bench --with`: another program in the same table, its answers checked."""

from __future__ import annotations

import json
import shlex
import sys

import pytest
from command import run
from example_puzzles import UNIQUE

COUNTS = "import sys, unidoku\nfor line in sys.stdin: print(unidoku.count(line.strip(), limit=2))"
SOLUTIONS = "import sys, unidoku\nfor line in sys.stdin: print(unidoku.solve(line.strip()).line)"
WRONG = "import sys\nfor line in sys.stdin: print(2)"
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
        "0.2",
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
    ("code", "words"),
    [
        (WRONG, "wrong answer to the puzzle"),
        (SHORT, "print one line for each"),
        (FAILING, "exit code 1 no license"),
    ],
)
def test_a_wrong_program_is_an_error(tmp_path, code, words):
    assert words in bench(tmp_path, code, exit_code=2).stderr


def test_a_run_that_was_cut_off_after_one_puzzle_has_no_ratio(tmp_path):
    report = json.loads(bench(tmp_path, SLOW, "--json").stdout)
    (row,) = [row for row in report["rows"] if "solver.py" in row["solver"]]
    assert (row["puzzles"], row["cut_off"], row["ratio"]) == (1, 1, None)


def test_a_program_that_is_not_there_is_an_error(tmp_path):
    (tmp_path / "puzzles.txt").write_text(f"{UNIQUE}\n")
    result = run("bench", "puzzles.txt", "--with", "./nope", "--seconds", "0.1", cwd=tmp_path, code=2)
    assert result.stderr.startswith("error: ./nope: No such file")
