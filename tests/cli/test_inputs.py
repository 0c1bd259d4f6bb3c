"""Every command takes puzzles on the command line, files, standard input and every format."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
COMMANDS = (
    "check",
    "solve",
    "count",
    "solutions",
    "trace",
    "explain",
    "diagnose",
    "rate",
    "convert",
    "dedupe",
)
DRAWN = "\n".join(UNIQUE[i : i + 9] for i in range(0, 81, 9))
FORMS = {
    "dots": UNIQUE,
    "zeros": UNIQUE.replace(".", "0"),
    "hyphens": "." + UNIQUE[1:].replace(".", "-"),
    "drawn": DRAWN,
    "spaces": " ".join(UNIQUE),
    "commas": ",".join(UNIQUE.replace(".", "0")),
    "json": json.dumps([[int(c) if c != "." else 0 for c in UNIQUE[i : i + 9]] for i in range(0, 81, 9)]),
}


def run(*arguments, stdin="", **more):
    return subprocess.run(
        [sys.executable, "-m", "unidoku", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **more,
    )


def more(command, tmp_path):
    return [tmp_path / "out.txt"] if command in {"convert", "dedupe"} else []


@pytest.mark.parametrize("command", COMMANDS)
def test_puzzle_file_and_standard_input_give_the_same(command, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"id,puzzle\n7,{UNIQUE}\n")
    rest = more(command, tmp_path)
    option = ["--quiet"] if command in {"check", "convert", "dedupe"} else []
    outputs = []
    for argument, stdin in ((UNIQUE, ""), (path, ""), ("-", path.read_text()), ("-", DRAWN)):
        done = run(command, *option, argument, *rest, stdin=stdin)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout if not rest else rest[0].read_text()[:81])
    if command == "rate":  # the line number differs
        outputs = [output.splitlines()[1].split("\t", 1)[1] for output in outputs]
    assert len(set(outputs)) == 1
    if not rest:
        assert outputs[0] or command == "check"


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_a_puzzle(form):
    assert run("solve", FORMS[form]).stdout == f"{SOLUTION}\n"


def test_a_puzzle_that_begins_with_a_hyphen_is_no_option():
    puzzle = "-" * 81
    done = run("count", "--limit", 3, puzzle)
    assert (done.stdout, done.returncode) == ("3\n", 0)


@pytest.mark.parametrize(
    "command", ["check", "solve", "count", "solutions", "trace", "explain", "diagnose", "rate"]
)
def test_several_inputs(command, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n{UNIQUE.replace('.', '0')}\n")
    done = run(command, UNIQUE, path, "-", stdin=f"{UNIQUE}\n")
    assert done.returncode == 0, done.stderr
    if command in {"solve", "solutions"}:
        assert done.stdout == f"{SOLUTION}\n" * 4
    elif command == "count":
        assert done.stdout == "1\n" * 4
    elif command in {"trace", "explain", "diagnose"}:
        headings = [line for line in done.stdout.splitlines() if line.startswith("# ")]
        places = ["<argument 1>:1", f"{path}:1", f"{path}:2", "<stdin>:1"]
        assert headings == [f"# {place} {UNIQUE}" for place in places]


@pytest.mark.parametrize("command", COMMANDS[1:8])
def test_a_record_that_is_no_puzzle(command, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n# comment\nbad\n{UNIQUE}\n")
    done = run(command, path)
    assert done.returncode == 1
    assert f"{path}:3:1: expected a digit or an empty cell" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("gone.txt", "gone.txt: No such file or directory"),
        (UNIQUE[1:], "is neither a file nor a puzzle: a puzzle has 81 cells, this has 80"),
        (UNIQUE[:80] + "y", "is neither a file nor a puzzle: expected a digit or an empty cell"),
        ("1" + "." * 255, "a puzzle of size 16 x 16 is not supported, only 9 x 9"),
        ("A" + "." * 255, "a puzzle of size 16 x 16 is not supported, only 9 x 9"),
        ("12341234" * 2, "a puzzle of size 4 x 4 is not supported, only 9 x 9"),
    ],
)
def test_what_is_neither_a_file_nor_a_puzzle(command, argument, words, tmp_path):
    done = run(command, argument, *more(command, tmp_path))
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.count("\n") <= 11  # at most an empty summary
    assert not list(tmp_path.iterdir())


def test_a_file_has_priority_over_a_puzzle(tmp_path):
    path = tmp_path / UNIQUE
    path.write_text("." * 81 + "\n")
    assert run("count", "--limit", 5, UNIQUE, cwd=tmp_path).stdout == "5\n"
    os.remove(path)
    assert run("count", "--limit", 5, UNIQUE, cwd=tmp_path).stdout == "1\n"


def test_a_quoted_pattern(tmp_path):
    for name in ("b.txt", "a.txt", "c.csv"):
        (tmp_path / name).write_text(f"{UNIQUE}\n")
    done = run("check", "--json", "*.txt", cwd=tmp_path)
    assert [each["file"] for each in json.loads(done.stdout)["files"]] == ["a.txt", "b.txt"]
    done = run("check", "*.none", cwd=tmp_path)
    assert done.returncode == 2
    assert "*.none: no file matches the pattern" in done.stderr


def test_pencil_marks():
    marks = "".join("123456789" if c == "." else c.rjust(int(c), ".").ljust(9, ".") for c in UNIQUE)
    assert run("solve", marks).stdout == f"{SOLUTION}\n"
    done = run("explain", marks)
    assert done.returncode == 2
    assert "this command takes puzzles of 81 cells, not pencil marks" in done.stderr
