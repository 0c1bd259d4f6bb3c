"""Exit codes: 0 if the command can use every record, 1 if it cannot use some, 2 for another error."""

from __future__ import annotations

import pytest
from command import run

SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
PROPER = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NONE = "55" + PROPER[2:]  # two equal clues in a row: no solution
WRONG = PROPER[:2] + "1" + PROPER[3:]  # no solution, though no clues clash
SEVERAL = PROPER[:12] + "........." + PROPER[21:]

ANY = ["count", "canonical", "transform", "convert", "print", "link", "trace"]
"""Commands that take a puzzle with any number of solutions."""
OPTIONS = {"transform": ["-n", "1"]}
"""Options without which a command is a usage error."""
NEED_ONE = ["check", "diagnose", "rate", "steps", "hint", "explain", "minimize"]
"""Commands that need a proper puzzle."""


@pytest.mark.parametrize("command", [*ANY, *NEED_ONE, "solve"])
def test_a_proper_puzzle(command):
    run(command, *OPTIONS.get(command, ()), PROPER, code=0)


@pytest.mark.parametrize("puzzle", [NONE, WRONG, SEVERAL])
@pytest.mark.parametrize("command", NEED_ONE)
def test_a_puzzle_that_is_not_proper(command, puzzle):
    run(command, puzzle, code=1)


@pytest.mark.parametrize("command", NEED_ONE)
def test_a_puzzle_of_a_file_that_is_not_proper(command, tmp_path):
    (tmp_path / "in.txt").write_text(f"{PROPER}\n{NONE}\n{PROPER}\n")
    run(command, tmp_path / "in.txt", code=1)


@pytest.mark.parametrize("command", ANY)
def test_the_number_of_solutions_does_not_matter(command):
    run(command, *OPTIONS.get(command, ()), WRONG, code=0)
    run(command, *OPTIONS.get(command, ()), SEVERAL, code=0)


@pytest.mark.parametrize(
    "command", ["check", "count", "solve", "rate", "steps", "hint", "canonical", "transform", "convert"]
)
def test_a_record_that_is_no_puzzle(command, tmp_path):
    (tmp_path / "in.txt").write_text(f"{PROPER}\nhello\n")
    run(command, *OPTIONS.get(command, ()), tmp_path / "in.txt", code=1)


@pytest.mark.parametrize("command", [*ANY, *NEED_ONE, "solve", "verify", "audit", "split", "neighbours"])
def test_an_unknown_option_and_a_file_that_is_not_there(command, tmp_path):
    run(command, "--no-such-option", PROPER, code=2)
    run(command, tmp_path / "absent.txt", code=2)


@pytest.mark.parametrize("command", ["canonical", "trace", "neighbours"])
def test_clues_that_clash_are_no_position(command):
    run(command, NONE, code=1)


@pytest.mark.parametrize("command", ["verify", "audit"])
@pytest.mark.parametrize(("answer", "code"), [(SOLUTION, 0), (SOLUTION[::-1], 1), ("", 1)])
def test_answers(command, answer, code, tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,solution\n{PROPER},{answer}\n")
    run(command, tmp_path / "in.csv", code=code)


@pytest.mark.parametrize(("text", "code"), [(f"{PROPER}\n", 0), (f"{PROPER}\nhello\n", 1)])
def test_split(text, code, tmp_path):
    (tmp_path / "in.txt").write_text(text)
    run("split", "in.txt", "-o", "a.txt", "-o", "b.txt", cwd=tmp_path, code=code)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["generate", "--seed", "1"], 0),
        (["series", SOLUTION], 0),
        (["series", SOLUTION, "--find", PROPER], 1),
        (["neighbours", PROPER], 0),
        (["info"], 0),
        (["bench", "--seconds", "0.01"], 0),
        (["console"], 0),
        (["console", "absent.txt"], 2),
        (["hint", PROPER, "--filled", PROPER[:80]], 2),
    ],
)
def test_commands_without_records(words, code):
    run(*words, code=code)


@pytest.mark.parametrize("command", ["generate", "series", "info", "bench", "console"])
def test_an_unknown_option(command):
    run(command, "--no-such-option", code=2)
