"""A file with one puzzle is used as the puzzle itself; an input without a command is solved."""

from __future__ import annotations

import pytest
from command import run, run_process

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BOARD = "".join(f"{' '.join(PUZZLE[9 * row : 9 * row + 9])}\n" for row in range(9))


@pytest.mark.parametrize(
    "command", ["check", "solve", "count", "rate", "hint", "explain", "canonical", "link"]
)
@pytest.mark.parametrize("text", [f"{PUZZLE}\n", BOARD])
def test_a_file_with_one_puzzle_gives_the_same_as_the_puzzle(command, text, tmp_path):
    (tmp_path / "paper.txt").write_text(text)
    assert run(command, "paper.txt", cwd=tmp_path, code=0) == run(command, PUZZLE, cwd=tmp_path, code=0)


def test_two_puzzles_are_a_table(tmp_path):
    (tmp_path / "two.txt").write_text(f"{PUZZLE}\n" * 2)
    header, *rows = run("hint", tmp_path / "two.txt", code=0).stdout.splitlines()
    assert header.split("\t")[:2] == ["puzzle", "technique"]
    assert len(rows) == 2


def test_an_output_gets_a_row(tmp_path):
    (tmp_path / "paper.txt").write_text(BOARD)
    run("hint", "paper.txt", "-o", "hint.csv", cwd=tmp_path, code=0)
    assert (tmp_path / "hint.csv").read_text().count("\n") == 2


def test_a_file_without_a_command_is_solved(tmp_path):
    (tmp_path / "paper.txt").write_text(BOARD)
    assert run_process("paper.txt", cwd=tmp_path, code=0).stdout == f"{SOLUTION}\n"


def test_standard_input_without_a_command_is_solved():
    assert run_process(stdin=BOARD, code=0).stdout == f"{SOLUTION}\n"


def test_standard_input_with_one_puzzle_has_one_verdict():
    assert run_process("check", stdin=BOARD, code=0).stdout == "unique\n"
