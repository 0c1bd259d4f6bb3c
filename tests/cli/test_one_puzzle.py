"""One puzzle in a file or on standard input, used as if typed; solved without a command."""

from __future__ import annotations

import os
import subprocess

import pytest
from command import run, run_process, started

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BOARD = "".join(f"{' '.join(PUZZLE[9 * row : 9 * row + 9])}\n" for row in range(9))


COMMANDS = ["check", "solve", "count", "rate", "hint", "explain", "canonical", "link"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("text", [f"{PUZZLE}\n", BOARD])
def test_a_file_with_one_puzzle_gives_the_same_as_the_puzzle(command, text, tmp_path):
    (tmp_path / "paper.txt").write_text(text)
    assert run(command, "paper.txt", cwd=tmp_path, code=0) == run(command, PUZZLE, cwd=tmp_path, code=0)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("text", [f"{PUZZLE}\n", BOARD])
def test_standard_input_with_one_puzzle_gives_the_same_as_the_puzzle(command, text):
    assert run(command, stdin=text, code=0) == run(command, PUZZLE, code=0)


@pytest.mark.skipif(os.name != "posix", reason="pipes as on POSIX")
def test_a_pipe_with_one_puzzle_gives_the_same_as_the_puzzle():
    reading, writing = os.pipe()
    os.write(writing, BOARD.encode())
    os.close(writing)
    name = f"/dev/fd/{reading}"
    assert run_process("hint", name, pass_fds=[reading], code=0) == run("hint", PUZZLE, code=0)
    os.close(reading)


def test_a_column_of_a_file_with_one_puzzle(tmp_path):
    (tmp_path / "one.csv").write_text(f"id,first,second\n1,{SOLUTION},{PUZZLE}\n")
    result = run("hint", "one.csv", "--column", "second", cwd=tmp_path, code=0)
    assert result == run("hint", PUZZLE, code=0)


def rows(text):
    """Return the rows below the header of a table of hints."""
    header, *lines = text.splitlines()
    assert header.split("\t")[:2] == ["puzzle", "technique"]
    return lines


@pytest.mark.parametrize("count", [2, 1000])
def test_several_puzzles_are_a_table(count, tmp_path):
    text = f"{PUZZLE}\n" * count
    (tmp_path / "several.txt").write_text(text)
    assert len(rows(run("hint", tmp_path / "several.txt", code=0).stdout)) == count
    assert len(rows(run("hint", stdin=text, code=0).stdout)) == count


@pytest.mark.skipif(os.name != "posix", reason="descriptors as on POSIX")
def test_a_file_that_is_read_and_written_is_an_error(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{PUZZLE}\n" * 2)
    with (
        path.open("rb") as stdin,
        path.open("ab") as stdout,
        started("solve", stdin=stdin, stdout=stdout, stderr=subprocess.PIPE) as process,
    ):
        assert b"is an input" in process.stderr.read()
        assert process.wait(300) == 2


def test_standard_input_without_a_command_is_solved():
    assert run_process(stdin=BOARD, code=0).stdout == f"{SOLUTION}\n"
