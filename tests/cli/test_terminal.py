"""On a terminal: the progress bar, and the note that standard input is read."""

from __future__ import annotations

import re
import signal
import subprocess

import pytest
from example_puzzles import MULTIPLE, UNIQUE

pytest.importorskip("pty", reason="no pseudo-terminals here")
from command import UNIDOKU, in_terminal

NOTE = b"reading standard input; Ctrl-D ends it"


def endless(tmp_path):
    """A file with some easy puzzles and one whose search does not end."""
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n" * 2000 + f"{MULTIPLE}\n")
    return path


def interrupt(process):
    process.send_signal(signal.SIGINT)


@pytest.mark.parametrize(("command", "limit"), [("check", ["--limit", "0"]), ("count", [])])
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"COLUMNS": "50"}])
def test_a_progress_bar_on_a_terminal(command, limit, environment, tmp_path):
    text, code = in_terminal(
        command,
        *limit,
        endless(tmp_path),
        stdout=subprocess.DEVNULL,
        environment=environment,
        until=lambda shown: b" puzzles" in shown,
        after=interrupt,
    )
    assert code == 130
    assert (b"per second" in text) == ("COLUMNS" not in environment)
    assert b"stopped: " in text
    colours = re.findall(rb"\x1b\[(?:\d+;)*3\d(?:;\d+)*m", text)
    assert bool(colours) == ("NO_COLOR" not in environment)


@pytest.mark.parametrize("option", ["--quiet", None])
def test_no_bar_in_a_pipe_and_with_quiet(option, tmp_path):
    arguments = [*UNIDOKU, "check", "--limit", "0", str(endless(tmp_path))]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        interrupt(process)
        assert b"\x1b" not in process.stderr.read()


@pytest.mark.parametrize(
    "command", ["check", "solve", "count", "solutions", "trace", "explain", "diagnose", "rate"]
)
def test_a_command_without_inputs_says_that_it_reads_standard_input(command):
    text, code = in_terminal(
        command,
        stdout=subprocess.DEVNULL,
        until=lambda shown: NOTE in shown,
        after=lambda process: process.send_signal(signal.SIGINT),
    )
    assert NOTE in text
    assert code == 130
    assert b"Traceback" not in text


def test_typed_puzzles_are_read():
    text, code = in_terminal("solve", keys=UNIQUE.encode() + b"\n\x04", stdout=subprocess.DEVNULL)
    assert NOTE in text
    assert code == 0


def test_no_note_where_standard_input_is_no_terminal():
    done = subprocess.run([*UNIDOKU, "check"], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert done.stderr == b""
