"""``unidoku solve``, ``count``, ``solutions`` and ``info``."""

import gzip
import json
import re

import pytest
from command import run
from example_puzzles import EIGHT, NONE, SOLUTION, UNIQUE

import unidoku
from unidoku import kernel
from unidoku.threads import default_threads


def test_solve_puzzles_files_and_standard_input(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n# c\n{NONE}\nbad\n{UNIQUE}\n")
    result = run("solve", UNIQUE, path, "-", NONE, stdin=UNIQUE.replace(".", "0"))
    assert result.stdout.splitlines() == [SOLUTION, SOLUTION, "none", "invalid", SOLUTION, SOLUTION, "none"]
    assert result.returncode == 1
    assert f"invalid: {path}:4:1: expected a digit" in result.stderr
    result = run("solve", stdin=f"{UNIQUE}\n{EIGHT}")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0] == SOLUTION
    assert lines[1] in {grid.line for grid in unidoku.solutions(EIGHT)}


WHY = "unidoku diagnose shows why"


def test_a_grid_that_is_one_of_several_is_called_that(tmp_path):
    note = f"note: this is one of several solutions; {WHY}\n"
    result = run("solve", EIGHT, code=0)
    assert (len(result.stdout), result.stderr) == (82, note)
    assert run("solve", EIGHT, "--quiet", code=0).stderr == run("solve", UNIQUE, code=0).stderr == ""


CLASH = ": r1c1 and r1c2 both hold 5 in row 1"
"""What is wrong with NONE."""


@pytest.mark.parametrize(("puzzle", "reason"), [(EIGHT, "several solutions"), (NONE, "no solution")])
def test_commands_for_proper_puzzles_point_to_diagnose(puzzle, reason, tmp_path):
    path, page = tmp_path / "a.txt", tmp_path / "a.html"
    path.write_text(f"{puzzle}\n{UNIQUE}\n")
    for name in ("hint", "explain"):
        error = run(name, puzzle, code=1).stderr
        assert error.startswith(f"error: {reason}")
        assert error.endswith(f"; {WHY}\n")
    error = run("explain", path, code=1).stderr
    assert error.startswith(f"error: {path}:1: {reason}")
    assert error.endswith(f"; {WHY}\n")
    for options in ([], ["--heading", "number"], ["--solutions"]):
        result = run("print", path, "-o", page, *options, code=0)
        assert result.stderr == f"note: {path}:1: {reason}{CLASH if puzzle == NONE else ''}; {WHY}\n"


@pytest.mark.parametrize(
    ("puzzle", "options", "count"),
    [(UNIQUE, (), 1), (NONE, (), 0), (EIGHT, (), 8), (EIGHT, ("--limit", 5), 5)],
)
def test_count(puzzle, options, count):
    result = run("count", puzzle, *options)
    assert (result.stdout, result.stderr, result.returncode) == (f"{count}\n", "", 0)
    assert run("count", "-", *options, stdin=puzzle).stdout == f"{count}\n"


def test_info():
    facts = json.loads(run("info", "--json").stdout)
    assert facts["version"] == unidoku.__version__
    assert facts["isa"] == kernel.isa()
    assert facts["usable"] == list(kernel.usable())
    assert facts["compiled"] == list(kernel.compiled_sets())
    assert facts["threads"] == default_threads()
    assert re.fullmatch(r"(GCC|(Apple )?Clang) \d+\.\d+", facts["compiler"])
    assert facts["formats"] == unidoku.formats()
    text = run("info").stdout
    assert [line.split()[0] for line in text.splitlines()] == [name for name in facts if name != "formats"]
    for name in ("version", "processor", "isa", "compiler", "threads", "python"):
        assert str(facts[name]) in text


def test_a_count_that_the_budget_cut_off():
    assert run("count", "." * 81, "--budget", 1, "--limit", 10**6).stdout.endswith("+\n")
    assert run("count", EIGHT, "--budget", 10**6).stdout == "8\n"
    assert run("count", "." * 81, "--limit", 10**6).stdout == "1000000\n"


def test_counts_of_more_than_64_bits_are_exact_in_the_rows_of_count(tmp_path):
    (tmp_path / "in.txt").write_text(f"{'.' * 81}\n{UNIQUE}\n")
    result = run("count", tmp_path / "in.txt", code=0)
    assert [line.split()[-1] for line in result.stdout.splitlines()] == ["6670903752021072936960", "1"]
    run("count", tmp_path / "in.txt", "-o", tmp_path / "o.txt.gz", code=0)
    assert gzip.decompress((tmp_path / "o.txt.gz").read_bytes()).decode() == result.stdout
