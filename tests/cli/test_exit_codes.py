"""Exit codes: 0 if the command can use every record, 1 if it cannot use some, 2 for another error."""

from __future__ import annotations

import pytest
from command import run
from example_puzzles import CLASH, SEVERAL, SOLUTION, UNIQUE

from unidoku.cli import COMMANDS

WRONG = UNIQUE[:2] + "1" + UNIQUE[3:]  # no solution, though no clues clash

ANY = ["count", "canonical", "transform", "convert", "print", "link", "trace"]
"""Commands that take a puzzle with any number of solutions."""
OPTIONS = {"transform": ["-n", "1"]}
"""Options without which a command is a usage error."""
NEED_ONE = ["check", "diagnose", "rate", "steps", "hint", "explain", "minimize"]
"""Commands that need a proper puzzle."""


@pytest.mark.parametrize("puzzle", [CLASH, WRONG, SEVERAL])
@pytest.mark.parametrize("command", NEED_ONE)
def test_a_puzzle_that_is_not_proper(command, puzzle):
    run(command, puzzle, code=1)


@pytest.mark.parametrize("command", NEED_ONE)
def test_a_puzzle_of_a_file_that_is_not_proper(command, tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{CLASH}\n{UNIQUE}\n")
    run(command, tmp_path / "in.txt", code=1)


@pytest.mark.parametrize("command", ANY)
def test_the_number_of_solutions_does_not_matter(command):
    run(command, *OPTIONS.get(command, ()), WRONG, code=0)
    run(command, *OPTIONS.get(command, ()), SEVERAL, code=0)


WITHOUT_INPUTS = {"generate", "info"}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_and_a_file_that_is_not_there(command, tmp_path):
    run(command, "--no-such-option", code=2)
    if command not in WITHOUT_INPUTS:
        run(command, tmp_path / "absent.txt", code=2)


@pytest.mark.parametrize("command", ["canonical", "trace", "neighbours"])
def test_clues_that_clash_are_no_position(command):
    run(command, CLASH, code=1)


@pytest.mark.parametrize("command", ["verify", "audit"])
@pytest.mark.parametrize(("answer", "code"), [(SOLUTION, 0), (SOLUTION[::-1], 1), ("", 1)])
def test_answers(command, answer, code, tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,solution\n{UNIQUE},{answer}\n")
    run(command, tmp_path / "in.csv", code=code)


@pytest.mark.parametrize(("text", "code"), [(f"{UNIQUE}\n", 0), (f"{UNIQUE}\nhello\n", 1)])
def test_split(text, code, tmp_path):
    (tmp_path / "in.txt").write_text(text)
    run("split", "in.txt", "-o", "a.txt", "-o", "b.txt", cwd=tmp_path, code=code)


QUIET = ["rate", "steps", "hint", "verify", "canonical", "solve", "convert"]
"""Commands whose output with -q has no times and seeds."""


@pytest.mark.parametrize(
    "command", [*NEED_ONE, "verify", "audit", "canonical", "neighbours", "solve", "convert"]
)
def test_findings_are_no_failure_with_exit_zero(command, tmp_path):
    """For makefiles: the output is the same, and so are errors."""
    lines = [UNIQUE, "no puzzle", *([] if command in ("canonical", "neighbours", "minimize") else [CLASH])]
    rows = "".join(f"{line},{SOLUTION[::-1]}\n" for line in lines)
    (tmp_path / "in.csv").write_text(f"puzzle,solution\n{rows}")
    before = run(command, "in.csv", "-q", cwd=tmp_path, code=1) if command in QUIET else None
    after = run(command, "in.csv", "--exit-zero", *(["-q"] if before else []), cwd=tmp_path, code=0)
    assert before is None or before == after._replace(returncode=1)
    run(command, "absent.csv", "--exit-zero", cwd=tmp_path, code=2)
    run(command, "in.csv", "absent.csv", "--exit-zero", cwd=tmp_path, code=2)


def test_one_puzzle_with_exit_zero():
    for command in {*NEED_ONE} - {"minimize"}:
        assert run(command, CLASH, "--exit-zero", code=0).stderr == run(command, CLASH, code=1).stderr


def test_a_puzzle_that_is_left_out_is_a_finding(tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{CLASH}\n")
    run("canonical", "in.txt", "-o", "o.txt", "--exit-zero", cwd=tmp_path, code=0)
    assert (tmp_path / "o.txt").read_text().count("\n") == 1
