"""Signals that end a command: its exit code, and no incomplete output."""

from __future__ import annotations

import array
import contextlib
import json
import os
import signal
import subprocess

import pytest
from cases import in_turn
from command import end_by, started, wait_for
from example_puzzles import QUIZ, UNIQUE

fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")

EMPTY = "." * 81  # a search without end
# Commands that wait for more input or work without end -> their outputs.
COMMANDS: dict[str, tuple[list[str], set[str]]] = {
    "trace": (["trace", EMPTY, "-o", "o.txt"], {"o.txt"}),
    "convert": (["convert", "-", "-o", "o.csv.gz"], {"o.csv.gz"}),
    "split": (["split", "-", "-o", "o.txt", "-o", "p.txt", "--quiet"], {"o.txt", "p.txt"}),
    "generate": (["generate", "-n", "100000000", "--threads", "1", "-o", "o.txt"], {"o.txt"}),
}


def has_read(process):
    """Return whether a command has read its whole input so far."""
    unread = array.array("i", [0])
    fcntl.ioctl(process.stdin, termios.FIONREAD, unread)
    return unread[0] == 0


def at_work(process, folder):
    """Return whether a command has opened its output and read its input or written a byte."""
    files = list(folder.glob("*.partial"))
    return files and (has_read(process) or any(file.stat().st_size for file in files))


@contextlib.contextmanager
def waiting(*arguments, **options):
    """Start a command that has read one puzzle and waits for more."""
    with started(*arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        process.stdin.write(f"{QUIZ}\n".encode())
        process.stdin.flush()  # and never closed
        yield process


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *((name, signal.SIGINT) for name in COMMANDS),
        ("convert", signal.SIGTERM),
        ("convert", signal.SIGHUP),
    ],
)
def test_a_signal_ends_a_command_and_keeps_the_partial_output(tmp_path, name, number):
    arguments, outputs = COMMANDS[name]
    for output in outputs:
        (tmp_path / output).write_text("before")
    with waiting(*arguments, cwd=tmp_path) as process:
        wait_for(lambda: at_work(process, tmp_path), process)
        assert end_by(number, process) == 128 + number
        errors = process.stderr.read()
    assert b"Traceback" not in errors
    assert all((tmp_path / output).read_text() == "before" for output in outputs)
    partials = {*os.listdir(tmp_path)} - outputs
    assert partials <= {f"{output}.partial" for output in outputs}
    assert all(file.encode() in errors for file in partials)


def test_ctrl_c_while_waiting_for_input_gives_the_summary(tmp_path):
    with (
        (tmp_path / "rows.jsonl").open("wb") as rows,
        waiting("check", "--json", stdout=rows) as process,
    ):
        process.stdin.write(f"{QUIZ}\n".encode() * 20_000)
        process.stdin.flush()
        wait_for(lambda: has_read(process), process)
        assert end_by(signal.SIGINT, process) == 130
        errors = process.stderr.read()
    lines = (tmp_path / "rows.jsonl").read_text().splitlines()
    summary = json.loads(lines[-1])["summary"]
    assert summary["unique"] == summary["puzzles"] == len(lines) - 1 > 0
    assert b"stopped: " in errors
    assert f"up to line {summary['puzzles']} of <stdin>".encode() in errors
    assert b"Traceback" not in errors


@in_turn
@pytest.mark.parametrize("command", ["check", "hint", "solve"])
def test_ctrl_c_while_waiting_for_a_second_puzzle(command):
    with waiting(command, stdout=subprocess.PIPE) as process:
        wait_for(lambda: has_read(process), process)
        assert end_by(signal.SIGINT, process) == 130
        assert process.stderr.read().strip() == b"interrupted"


@pytest.mark.parametrize(
    ("command", "number"),
    [
        *((command, signal.SIGINT) for command in ("explain", "diagnose", "print")),
        ("trace", signal.SIGTERM),
    ],
)
def test_a_signal_ends_a_report_with_its_counts(tmp_path, command, number):
    """`print` reads all puzzles before it writes any; the others write each when it is done."""
    (tmp_path / "before.txt").write_text(f"{UNIQUE}\n" * 20)
    os.mkfifo(tmp_path / "more.txt")
    inputs = ["before.txt", "more.txt", "-o", "o.html" if command == "print" else "o.json", "--json"]
    to = {"explain": "json", "trace": "jsonl", "print": "html"}.get(command, "json")
    with waiting(command, *inputs, "--to", to, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        writer = (tmp_path / "more.txt").open("wb")  # once the command has come to it
        assert end_by(number, process) == 128 + number
        writer.close()
        summary, errors = json.loads(process.stdout.read())["summary"], process.stderr.read().decode()
    assert not summary["complete"]
    assert summary["puzzles"] == summary["files"][0]["puzzles"] == 20
    is_page = command == "print"
    done = "the pages are incomplete" if is_page else "20 puzzles done, up to line 20 of before.txt"
    assert f"stopped: {done}" in errors
    assert "interrupted" not in errors
    if not is_page:
        assert (tmp_path / "o.json.partial").read_text().count("\n") >= 20


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_in_parts_ends_in_good_order(tmp_path, number):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n" * 200_000)  # four parts
    arguments = ["rate", "in.txt", "--output", "o/", "--to", "csv", "--part-size", "4", "--resume"]
    with waiting(*arguments, cwd=tmp_path) as process:
        wait_for(lambda: list(tmp_path.glob("o/part-0000-000000.json")), process)
        assert end_by(number, process) == 128 + number
        errors = process.stderr.read().decode()
    assert "stopped: " in errors
    assert "--resume" in errors
    assert {path.name for path in tmp_path.iterdir()} == {"in.txt", "o"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_console(tmp_path, number):
    with waiting("console", cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout.read(1)  # it is ready
        assert end_by(number, process) == 128 + number


def test_an_ignored_signal_stays_ignored(tmp_path):
    """As under nohup."""
    path = tmp_path / "o.txt"
    with waiting(
        *("convert", "-", "-o", path),
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as process:
        wait_for(lambda: at_work(process, tmp_path), process)
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
        assert process.wait(300) == 0
    assert path.read_text().replace(".", "0") == f"{QUIZ}\n"
