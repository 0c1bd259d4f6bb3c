"""Inputs of every command: puzzles as arguments, files, standard input, all formats."""

from __future__ import annotations

import json
import os
import re
import sys

import numpy as np
import pytest
from command import run, run_process, summary_of
from example_puzzles import CLASH, EIGHT, SOLUTION, UNIQUE

COMMANDS = "check solve count trace explain diagnose rate convert".split()
DRAWN = "\n".join(UNIQUE[i : i + 9] for i in range(0, 81, 9))


def output_option(command, tmp_path):
    return ["-o", tmp_path / "out.txt"] if command.startswith("convert") else []


FILES = {"one.txt": f"{UNIQUE}\n", "board.txt": DRAWN, "one.csv": f"id,puzzle\n7,{UNIQUE}\n"}
"""Names and contents of files with one puzzle."""


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", [*COMMANDS[:7], "hint", "canonical", "link"])
def test_one_puzzle_of_a_file_or_of_standard_input_is_as_if_typed(command, name, tmp_path):
    (tmp_path / name).write_text(FILES[name])
    result = run(command, UNIQUE, code=0)
    assert run(command, name, cwd=tmp_path) == result
    assert run(command, stdin=FILES[name]) == run(command, "-", stdin=FILES[name]) == result


@pytest.mark.skipif(os.name != "posix", reason="pipes as on POSIX")
def test_a_pipe_with_one_puzzle_is_as_if_typed():
    reading, writing = os.pipe()
    os.write(writing, DRAWN.encode())
    os.close(writing)
    name = f"/dev/fd/{reading}"
    assert run_process("hint", name, pass_fds=[reading], code=0) == run("hint", UNIQUE, code=0)
    os.close(reading)


def test_the_column_of_one_puzzle(tmp_path):
    (tmp_path / "one.csv").write_text(f"id,first,second\n1,{SOLUTION},{UNIQUE}\n")
    assert run("hint", "one.csv", "--column", "second", cwd=tmp_path) == run("hint", UNIQUE, code=0)


@pytest.mark.parametrize("count", [2, 1000])
def test_several_puzzles_are_a_table(count, tmp_path):
    text = f"{UNIQUE}\n" * count
    (tmp_path / "several.txt").write_text(text)
    for result in (run("hint", "several.txt", cwd=tmp_path, code=0), run("hint", stdin=text, code=0)):
        header, *rows = result.stdout.splitlines()
        assert (header.split("\t")[:2], len(rows)) == (["puzzle", "technique"], count)


def test_standard_input_without_a_command_is_solved():
    assert run_process(stdin=DRAWN, code=0).stdout == f"{SOLUTION}\n"


def test_a_puzzle_that_begins_with_a_hyphen_is_not_an_option():
    assert run("count", "--limit", 3, "-" * 81, code=0).stdout == "3\n"


LINES = {"solve": f"{SOLUTION}\n", "count": "1\n"}


@pytest.mark.parametrize("command", COMMANDS[:7])
def test_several_inputs(command, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n{UNIQUE.replace('.', '0')}\n")
    result = run(command, UNIQUE, path, "-", stdin=f"{UNIQUE}\n", code=0)
    if command in LINES:
        assert result.stdout == LINES[command] * 4
    elif command in {"trace", "explain", "diagnose"}:
        headings = [line for line in result.stdout.splitlines() if line.startswith("# ")]
        places = ["<argument 1>:1", f"{path}:1", f"{path}:2", "<stdin>:1"]
        assert headings == [f"# {place} {UNIQUE}" for place in places]


@pytest.mark.parametrize("words", [*COMMANDS, "steps", "hint", "canonical", "transform -n 1"])
def test_a_record_that_is_not_a_puzzle(words, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n# comment\nbad\n{UNIQUE}\n")
    result = run(*words.split(), path, code=1)
    assert f"{path}:3:1: expected a digit or an empty cell" in result.stderr


NEITHER = {
    "gone.txt": "gone.txt: No such file or directory",
    UNIQUE[1:]: "is neither a file nor a puzzle: expected 81 cells, found 80",
    UNIQUE[:80] + "y": "is neither a file nor a puzzle: expected a digit or an empty cell",
    "1" + "." * 255: "expected 81 cells, found 256 cells: 16x16 is not read",
    "A" + "." * 255: "expected 81 cells, found 256 cells: 16x16 is not read",
    "12341234" * 2: "is neither a file nor a puzzle: expected 81 cells, found 16",
}


def paper(rows: list[str]) -> str:
    """The layout of docs/puzzle.md."""
    lines = [" ".join([*row[:2], row[2:3] + " ", *row[3:5], row[5:6] + " ", *row[6:]]) for row in rows]
    return "\n\n".join("\n".join(band) for band in (lines[:3], lines[3:6], lines[6:]))


LAYOUTS = {
    "paper": paper,
    "rows": "\n".join,
    "commas": lambda rows: "\n".join(map(",".join, rows)),
    "frame": lambda rows: "\n".join(
        ("------+-------+------\n" if k in {3, 6} else "")
        + " | ".join(" ".join(box) for box in (row[:3], row[3:6], row[6:]))
        for k, row in enumerate(rows)
    ),
}
ROWS = DRAWN.split("\n")
DAMAGES = {
    "a missing cell": [ROWS[0], ROWS[1][:2] + ROWS[1][3:], *ROWS[2:]],
    "one cell more": [*ROWS[:4], ROWS[4][:2] + "." + ROWS[4][2:], *ROWS[5:]],
    "a letter": [*ROWS[:7], ROWS[7].replace("4", "A"), ROWS[8]],
    "a missing row": [*ROWS[:5], *ROWS[6:]],
    "one row more": [*ROWS, ROWS[8]],
    "half of it": ROWS[:4],
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_file_with_one_damaged_board_is_one_error_in_every_command(layout, damage, tmp_path):
    """One line says why, for people; a board of the same layout that is not damaged is read."""
    (tmp_path / "whole.txt").write_text(LAYOUTS[layout](ROWS) + "\n")
    assert run("solve", "whole.txt", cwd=tmp_path, code=0).stdout == f"{SOLUTION}\n"
    (tmp_path / "short.txt").write_text(LAYOUTS[layout](DAMAGES[damage]) + "\n")
    for words in (
        *(
            ["hint"],
            ["rate"],
            ["solve"],
            ["explain"],
            ["diagnose"],
            ["print"],
            ["check"],
            ["count"],
            ["steps"],
        ),
        *(["hint", "-o", "x.svg"], ["print", "-o", "x.html"], ["explain", "-o", "x.html"]),
    ):
        result = run(*words, "short.txt", cwd=tmp_path, code=1)
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1, (words, result.stderr)
        assert result.stderr.startswith("error: short.txt:")
        assert {path.name for path in tmp_path.iterdir()} == {"whole.txt", "short.txt"}


def test_rejects_alone_are_an_error_for_people_and_rows_for_programs(tmp_path):
    """A file of several says how many there are; JSON, columns and files have every record as before."""
    (tmp_path / "bad.txt").write_text("x\nx\n")
    for command in ("hint", "solve", "check", "explain"):
        assert run(command, "bad.txt", cwd=tmp_path, code=1) == (
            *(1, ""),
            "error: bad.txt:1: expected 81 cells, found 1; none of the 2 records is a puzzle\n",
        )
    for command in ("check", "rate", "hint"):
        rows = [
            json.loads(line)
            for line in run(command, "bad.txt", "--json", cwd=tmp_path, code=1).stdout.splitlines()
        ]
        assert [row["reason"] for row in rows[:2]] == ["expected 81 cells, found 1"] * 2
        assert rows[2]["summary"]["invalid"] == 2
        assert run(command, "bad.txt", "--to", "csv", cwd=tmp_path, code=1).stdout.count("\n") == 3
        run(command, "bad.txt", "-o", "out.csv", cwd=tmp_path, code=1)
        assert (tmp_path / "out.csv").read_text().count("\n") == 3
    assert run("solve", "-q", "bad.txt", cwd=tmp_path, code=1) == (1, "invalid\ninvalid\n", "")
    (tmp_path / "bad.txt").write_text(f"x\n{UNIQUE}\n")
    assert run("solve", "bad.txt", cwd=tmp_path, code=1).stdout == f"invalid\n{SOLUTION}\n"
    assert "error: bad.txt:1:2: expected 81" in run("explain", "bad.txt", cwd=tmp_path, code=1).stderr


@pytest.mark.parametrize("command", ["solve", "rate", "hint", "explain"])
def test_a_board_that_is_not_proper_is_a_sentence(command):
    """It names diagnose; rows and solutions are as they were."""
    for puzzle, words in ((CLASH, "no solution"), (EIGHT, "several solutions")):
        result = run(command, puzzle)
        assert (words in result.stderr, "unidoku diagnose shows why" in result.stderr) == (True, True)
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_an_argument_that_is_neither_a_file_nor_a_puzzle(command, tmp_path):
    for argument, words in NEITHER.items():
        result = run(command, argument, *output_option(command, tmp_path), code=2)
        assert words in result.stderr
        assert result.stdout == ""
        assert not list(tmp_path.iterdir())


def test_a_file_has_priority_over_a_puzzle(tmp_path):
    path = tmp_path / UNIQUE
    path.write_text("." * 81 + "\n")
    assert run("count", "--limit", 5, UNIQUE, cwd=tmp_path).stdout == "5\n"
    os.remove(path)
    assert run("count", "--limit", 5, UNIQUE, cwd=tmp_path).stdout == "1\n"


@pytest.mark.parametrize("command", ["check", "solve", "convert"])
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "txt"])
def test_formats_of_standard_output(command, form):
    result = run(command, UNIQUE, "--to", form, code=0)
    *header, row = result.stdout.splitlines()
    assert len(header) == (form in {"csv", "tsv"})
    assert (SOLUTION if (command, form) == ("solve", "txt") else UNIQUE) in row
    if form == "jsonl":
        assert json.loads(row)["puzzle"] == UNIQUE
    if form == "tsv" and command in {"check", "solve"}:
        assert row.split("\t")[1:4] == [UNIQUE, "unique", "1"]
    assert run(command, "--to", form, stdin=UNIQUE).stdout == result.stdout
    assert "unknown format 'nonsense'" in run(command, UNIQUE, "--to", "nonsense", code=2).stderr


READING = """
check --json; check -o out.csv; link; print; canonical; minimize; transform --index 1;
neighbours; split -o one.txt -o two.txt; verify
"""


@pytest.mark.parametrize("words", [*COMMANDS, *READING.strip().split(";")])
def test_no_puzzle_at_all_is_an_error(words, tmp_path):
    command = words.split()
    (tmp_path / "in.txt").write_text("# nothing\n\n")
    result = run(*command, "in.txt", cwd=tmp_path, code=2)
    assert "error: in.txt: no puzzle in the inputs; type 81 characters" in result.stderr
    assert "0" not in result.stdout or command[0] == "print"
    result = run(*command, stdin="", cwd=tmp_path, code=2)
    assert "error: <stdin>: no puzzle in the inputs; type 81 characters" in result.stderr


@pytest.mark.parametrize("command", ["check", "check --json", "convert --json", "rate --json"])
def test_after_an_error_there_are_no_counts_of_nothing(command, tmp_path):
    result = run(*command.split(), "missing.txt", cwd=tmp_path, code=2)
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n")
    result = run(*command.split(), "missing.txt", "in.txt", cwd=tmp_path, code=2)
    assert "puzzles" in result.stdout
    if command in {"convert --json", "rate --json"}:  # of a check it tells whether a budget cut off counts
        assert summary_of(result)["complete"] is False


@pytest.mark.parametrize("command", COMMANDS)
def test_a_binary_file_is_one_error(command, tmp_path):
    random = bytes(np.random.default_rng(1).integers(0, 256, 5000, np.uint8))
    kinds = (b"\x7fELF\x02\x01\x01" + bytes(500), b"\x89PNG\r\n\x1a\n" + random, random)
    for number, name in enumerate(("in", "in.txt", "in.sdk", "in.csv"), COMMANDS.index(command)):
        (tmp_path / name).write_bytes(kinds[number % 3])
        result = run(command, name, cwd=tmp_path, code=2)
        assert result.stdout == ""  # not even a header
        [error] = result.stderr.splitlines()
        assert error.startswith(f"error: {name}: expected UTF-8 or ASCII text, found ")


@pytest.mark.skipif(sys.platform == "win32", reason="such names are not allowed")
def test_no_name_reaches_the_terminal_raw(tmp_path):
    """Names of files, members and columns, and arguments, may have any character."""
    name = "a\x1b[2J\x07\nb"
    lines, table = f"{name}.txt", f"{name}.csv"
    (tmp_path / lines).write_text(f"{UNIQUE}\nbad\n{UNIQUE}\n")
    (tmp_path / table).write_text('"x\x1b[31m","y"\n1,2\n')
    for words in (
        ["check", lines],
        ["check", f"{name}none"],
        ["check", UNIQUE, "--column", name],
        ["check", table],
        ["check", lines, "--columns", name],
        ["check", lines, "-o", lines],
        ["explain", lines],
        ["trace", lines, "--steps", 1],
        ["hint", lines],
        ["print", lines, "-o", f"{name}.html"],
        ["split", lines, "-o", f"{name}1.txt", "-o", f"{name}2.txt"],
        ["convert", lines, "-o", f"{name}.xyz"],
        ["check", f"--{name}"],
        ["diagnose", lines, "--to", name],
        [name],
    ):
        result = run(*words, cwd=tmp_path)
        assert not {*result.stdout, *result.stderr} & {"\x1b", "\x07"}, words
        assert "\nb.txt" not in result.stdout + result.stderr, words


@pytest.mark.parametrize(
    "text", ["[[0,0,1,0],[0,4,0,0],[0,0,0,2],[0,2,0,0]]", "[1, 2, 3]", "{{1,2},{3,4}}", "(1,.)"]
)
def test_a_list_that_is_no_puzzle_is_no_pattern(text: str) -> None:
    assert "is neither a file nor a puzzle: expected 81 cells, found " in run("check", text, code=2).stderr
    assert "no file matches the pattern" in run("check", f"{text[:1]}ab]*.csv", code=2).stderr


def test_a_pattern_after_a_file_is_an_input(tmp_path):
    for name in ("one.csv", "b1.csv", "b2.csv"):
        (tmp_path / name).write_text(FILES["one.csv"])
    counts = summary_of(run("check", "one.csv", "b*.csv", "--json", cwd=tmp_path, code=0))
    assert counts["unique"] == 3


def test_a_name_near_that_of_a_file_is_named(tmp_path):
    (tmp_path / "puzzles.csv").write_text(f"puzzle\n{UNIQUE}\n")
    (tmp_path / "paper.txt").write_text(UNIQUE)
    for word, meant in (("puzles.csv", "puzzles.csv"), ("PAPER.TX", "paper.txt"), ("paper", "paper.txt")):
        result = run("check", word, cwd=tmp_path, code=2)
        assert result.stderr == f"error: {word}: No such file or directory; did you mean {meant}?\n"
        assert f"Did you mean {meant}?" in run(word, cwd=tmp_path, code=2).stderr
    assert run("check", "other.csv", cwd=tmp_path, code=2).stderr.endswith("No such file or directory\n")


@pytest.mark.parametrize(
    ("word", "meant"), [("-sample", "--sample"), ("-only", "--only"), ("-json", "--json")]
)
def test_one_dash_before_a_long_name(word, meant):
    """As short options these would mean something else, such as a file named nly."""
    error = run("check", UNIQUE, word, code=2).stderr
    assert re.search(rf"No such option:? '?{word}'?\.? Did you mean '?{meant}'?", error)
