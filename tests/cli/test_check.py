"""``unidoku check``: summary, exit codes, streams, signals."""

import gzip
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import command
import pytest
from command import UNIDOKU, end_by, started, wait_for
from example_puzzles import MULTIPLE, NONE, SOLUTION, UNIQUE

from unidoku import kernel
from unidoku.threads import default_threads

KEYS = "puzzles unique multiple none invalid unknown seconds puzzles_per_second isa threads".split()

COMMAND = [*UNIDOKU, "check"]
run = partial(command.run, "check", stdin=b"")


@pytest.fixture
def file(tmp_path):
    """Writes lines into a file of the test's own."""

    def write(*lines, name="in.txt"):
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("lines", "code", "counts"),
    [
        ([UNIQUE, UNIQUE], 0, (2, 2, 0, 0, 0, 0)),
        ([UNIQUE, NONE], 1, (2, 1, 0, 1, 0, 0)),
        ([MULTIPLE], 1, (1, 0, 1, 0, 0, 0)),
        ([UNIQUE, "bad", "# no"], 1, (2, 1, 0, 0, 1, 0)),
    ],
)
def test_summary_and_exit_code(file, lines, code, counts):
    path = file(*lines)
    done = run("--json", path)
    summary = json.loads(done.stdout)
    assert list(summary) == [*KEYS, "complete", "files"]
    assert summary["complete"] is True
    assert summary["files"] == [{"file": str(path), **dict(zip(KEYS[:6], counts, strict=True))}]
    assert tuple(summary[key] for key in KEYS[:6]) == counts
    assert summary["isa"] == kernel.isa()
    assert summary["threads"] == default_threads()
    assert done.returncode == code
    done = run("--threads", 3, path)
    assert done.returncode == code
    text = done.stdout.decode().splitlines()
    assert [line.rsplit(None, 1)[0].replace(" ", "_") for line in text] == KEYS
    assert text[-1].split() == ["threads", "3"]


def test_standard_input_by_default_and_by_name(file):
    for arguments in ([], ["-"], ["--json", "-"]):
        done = run(*arguments, stdin=gzip.compress(f"{UNIQUE}\n".encode()))
        assert done.returncode == 0
        assert done.stderr == b""
    assert json.loads(run("--json", file(NONE), "-", stdin=UNIQUE.encode()).stdout)["puzzles"] == 2


def test_unknown_verdicts():
    done = run("--json", "--budget", 1, "--limit", "all", stdin=f"{MULTIPLE}\n{UNIQUE}".encode(), code=1)
    summary = json.loads(done.stdout)
    assert (summary["unknown"], summary["unique"]) == (1, 1)


def test_the_first_twenty_invalid_lines_are_shown(file, tmp_path):
    path = file(*(f"bad {i}" for i in range(25)), UNIQUE)
    done = run("--invalid", tmp_path / "all.txt", path)
    shown = done.stderr.decode().splitlines()
    assert done.returncode == 1
    assert len(shown) == 21
    assert shown[19].startswith(f"invalid: {path}:20:1: expected a digit or an empty cell")
    assert shown[20] == "invalid: 5 more lines (--invalid PATH writes all of them)"
    assert len((tmp_path / "all.txt").read_text().splitlines()) == 25
    done = run("--quiet", path)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone.txt"], "error: gone.txt: No such file or directory"),
        (["--output", "no/such/x.txt", "IN"], "x.txt: cannot write: No such file or directory"),
        (
            ["--only", "some", "IN"],
            "invalid verdict 'some'; choose from: none, unique, multiple, unknown, invalid",
        ),
        (["--from", "nonsense", "IN"], "unknown format 'nonsense'"),
        (["--column", "x", "--from", "lines", "IN"], "a field number from 1"),
        (["--nonsense"], "No such option"),
        (["--sample", "IN"], "--sample takes no inputs"),
    ],
)
def test_usage_and_file_errors_exit_with_two(file, arguments, words):
    path = str(file(UNIQUE))
    done = run(*(path if argument == "IN" else argument for argument in arguments))
    assert done.returncode == 2
    assert words in done.stderr.decode().replace("\n", " ")
    assert b"Traceback" not in done.stderr


def test_rows_on_standard_output(file):
    path = file(UNIQUE, NONE)
    done = run("--output", "-", path)
    assert done.stdout.decode() == f"{UNIQUE}\tunique\t1\t{SOLUTION}\n{NONE}\tnone\t0\t\n"
    assert b"puzzles per second" in done.stderr
    assert run("--only", "none", path).stdout.decode() == f"{NONE}\tnone\t0\t\n"
    assert run("--output", "-", "--quiet", path).stdout == done.stdout
    # The summary object alone is on standard output.
    done = run("--only", "none,invalid", "--json", path)
    assert json.loads(done.stdout)["puzzles"] == 2
    assert b"note: " in done.stderr


UNKNOWN_COLUMN = "no column 'verdct'; choose from: "


@pytest.mark.parametrize(
    ("name", "to"),
    [("check", "csv"), ("rate", "tsv"), ("hint", "txt"), ("guesses", "jsonl"), ("check", "arrows")],
)
@pytest.mark.parametrize(
    "content", ["id,puzzle\n7,{}\n", "id,puzzle\n7,none\n", "id,puzzle\n7,none\n8,{}\n", "{}\n"]
)
def test_nothing_is_written_where_a_column_is_unknown(name, to, content, tmp_path):
    source = "in.csv" if content.startswith("id") else "in.txt"
    (tmp_path / source).write_text(content.format(UNIQUE))
    given = name, source, "--columns", "puzzle,verdct", "--to", to
    done = command.run(*given, "-o", "-", stdin=b"", code=2, cwd=tmp_path)
    assert done.stdout == b""
    assert UNKNOWN_COLUMN in done.stderr.decode()
    (tmp_path / "o").write_text("before")
    command.run(*given, "-o", "o", code=2, cwd=tmp_path)
    assert (tmp_path / "o").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source, "o"])


@pytest.mark.parametrize("name", ["check", "rate", "canonical"])
def test_nothing_is_written_where_no_input_can_be_read(name, tmp_path):
    (tmp_path / "in.csv").write_bytes(bytes(range(256)))
    done = command.run(name, "in.csv", "--to", "csv", "-o", "-", stdin=b"", code=2, cwd=tmp_path)
    assert done.stdout == b""


def test_chosen_columns(file, tmp_path):
    path = file("id,puzzle,solution", f"a,{UNIQUE},{SOLUTION}", f"b,{NONE},", name="in.csv")
    done = run("--columns", "verdict, puzzle", path)
    assert done.stdout.decode() == f"unique\t{UNIQUE}\nnone\t{NONE}\n"
    assert b"puzzles per second" in done.stderr
    run("--columns", "id,count", "--only", "none", "-o", tmp_path / "o.csv", path)
    assert (tmp_path / "o.csv").read_text() == "id,count\nb,0\n"
    assert run("--columns", "id,solved", "--verify", path).stdout == b"a\ttrue\nb\tfalse\n"
    assert b"no column 'x'; choose from: line, puzzle, verdict," in run("--columns", "x", path, code=2).stderr
    assert json.loads(run("--columns", "id", "--json", path).stdout)["puzzles"] == 2
    assert b"--sample takes no inputs and writes no rows" in run("--sample", "--columns", "id", code=2).stderr


def test_options_reach_the_pipeline(file, tmp_path):
    path = file(f"id {UNIQUE} x", f"id {UNIQUE.replace('.', '0', 1)} y")
    out = tmp_path / "o.csv"
    assert run("--keep", "all", "--output", out, path).returncode == 0
    assert out.read_text().splitlines()[2].endswith(",id ,y")
    assert json.loads(run("--strict", "--json", path).stdout)["invalid"] == 1
    assert json.loads(run("--column", 1, "--json", path).stdout)["invalid"] == 2
    assert run("--limit", 3, "--output", tmp_path / "o.txt", stdin=MULTIPLE.encode()).returncode == 1
    assert (tmp_path / "o.txt").read_text().split("\t")[2] == "3"


def test_sample():
    done = run("--sample", "--json")
    summary = json.loads(done.stdout)
    assert done.returncode == 0
    assert summary["verified"] == {"right": summary["puzzles"], "wrong": 0, "absent": 0}
    assert summary["puzzles"] == summary["unique"] + summary["multiple"] + summary["none"]
    assert min(summary["unique"], summary["multiple"], summary["none"]) > 100


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
class TestPosix:
    """Ctrl-C."""

    def test_ctrl_c_while_solving_leaves_whole_rows(self, tmp_path, file):
        # Easy ones, then some whose solutions take minutes to count.
        path = file(*[UNIQUE] * 3000, *[MULTIPLE] * 5000)
        out = tmp_path / "o.txt"
        with started(
            *("check", "--limit", "all", "--json", "--output", out, path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            wait_for(
                lambda: any(part.stat().st_size > 100_000 for part in tmp_path.glob(".unidoku-*-o.txt")),
                process,
            )
            assert end_by(signal.SIGINT, process) == 130
            stdout, stderr = process.communicate()
        done = json.loads(stdout)["puzzles"]
        rows = Path(f"{out}.partial").read_text().splitlines()
        assert rows == [f"{UNIQUE}\tunique\t1\t{SOLUTION}"] * done
        assert not out.exists()
        assert 500 < done <= 3000
        assert f"up to {path}, line {done}" in stderr.decode()
        assert b"Traceback" not in stderr

    def test_ctrl_c_while_waiting_for_input(self):
        pipes = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.PIPE)
        with started("check", "--json", **pipes) as process:
            process.stdin.write((f"{UNIQUE}\n" * 20_000).encode())
            process.stdin.flush()
            wait_for(lambda: unread(process.stdin) == 0, process)
            assert end_by(signal.SIGINT, process) == 130
            summary = json.loads(process.stdout.read())
            errors = process.stderr.read()
        assert summary["unique"] == summary["puzzles"] > 0
        assert b"stopped: " in errors
        assert b"Traceback" not in errors


def unread(pipe):
    """Number of bytes in a pipe."""
    import fcntl  # not on Windows
    import termios

    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@pytest.mark.parametrize("output", [None, "o.csv"])
def test_verify_counts_right_wrong_and_absent_answers(file, tmp_path, output):
    wrong = "1" + SOLUTION[1:]
    one = file(
        "puzzle,solution", *[f"{UNIQUE},{answer}" for answer in (SOLUTION, SOLUTION, "", "")], name="a.csv"
    )
    two = file("puzzle,solution", f"{UNIQUE},{wrong}", "bad,", f"{UNIQUE},{SOLUTION}", name="b.csv")
    more = [] if output is None else ["--output", tmp_path / output]
    done = run("--verify", "--json", one, *more)
    assert done.returncode == 1  # an absent answer is not right
    summary = json.loads(done.stdout)
    assert summary["verified"] == {"right": 2, "wrong": 0, "absent": 2}
    done = run("--verify", "--json", one, two, *more)
    assert done.returncode == 1
    summary = json.loads(done.stdout)
    assert summary["verified"] == {"right": 3, "wrong": 1, "absent": 2}
    counted = [
        (each["file"], each["puzzles"], each["invalid"], each["verified"]) for each in summary["files"]
    ]
    assert counted == [
        (str(one), 4, 0, {"right": 2, "wrong": 0, "absent": 2}),
        (str(two), 3, 1, {"right": 1, "wrong": 1, "absent": 0}),
    ]
    text = dict(
        line.rsplit(None, 1) for line in run("--verify", one, two, *more).stdout.decode().splitlines()
    )
    assert [text[f"{name} answers"] for name in ("right", "wrong", "absent")] == ["3", "1", "2"]


def test_an_answer_is_right_by_the_rules_where_the_verdict_is_unknown(file):
    path = file("puzzle,solution", f"{UNIQUE},{SOLUTION}", name="a.csv")
    done = run("--verify", "--limit", 1, "--json", path)
    assert json.loads(done.stdout)["verified"] == {"right": 1, "wrong": 0, "absent": 0}


@pytest.mark.parametrize("output", [None, "o.csv"])
def test_counts_that_the_budget_cut_off(file, tmp_path, output):
    path = file(UNIQUE, MULTIPLE)
    arguments = ["--limit", 100_000, "--budget", 50, path]
    arguments += [] if output is None else ["--output", tmp_path / output]
    assert json.loads(run("--json", *arguments).stdout)["complete"] is False
    text = dict(line.rsplit(None, 1) for line in run(*arguments).stdout.decode().splitlines())
    assert text["counts cut off"] == "1"
    assert json.loads(run("--json", "--limit", 2, path).stdout)["complete"] is True


def test_nothing_heavy_is_imported(file):
    code = (
        "import sys; from unidoku.cli import cli\n"
        f"try: cli.main(['check', '--quiet', {str(file(UNIQUE))!r}])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'rich', 'asyncio', 'concurrent', 'logging', 'json', 'csv'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_no_search_for_cycles_at_exit(file):
    code = (
        "import atexit, gc, sys; from unidoku.cli import main\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 10_000))\n"
        f"sys.argv = ['unidoku', 'check', '--quiet', {str(file(UNIQUE))!r}]; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
