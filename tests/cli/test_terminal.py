"""Terminals: the progress bar, the note about standard input."""

from __future__ import annotations

import re
import signal
import subprocess

import pytest
from example_puzzles import HARD, MULTIPLE, UNIQUE

pytest.importorskip("pty", reason="no pseudo-terminals here")
from command import in_terminal, on_terminal, run

import unidoku

NOTE = b"reading standard input; press Ctrl-D to end it"


def slow_file(tmp_path):
    """Write a file whose solutions take minutes to count."""
    path = tmp_path / "a.txt"
    path.write_text(f"{UNIQUE}\n" * 2000 + f"{MULTIPLE}\n" * 5000)
    return path


def interrupt(process):
    process.send_signal(signal.SIGINT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "environment"),
    [
        (["check", "--limit", "all"], {}),
        (["count"], {"NO_COLOR": "1"}),
        (["check", "--limit", "all"], {"COLUMNS": "50"}),
    ],
)
def test_a_progress_bar_on_a_terminal(command, environment, tmp_path):
    text, code = in_terminal(
        *(*command, "--threads", "1", slow_file(tmp_path)),
        stdout=subprocess.DEVNULL,
        environment=environment,
        until=lambda screen: b" puzzles" in screen,
        after=interrupt,
    )
    assert code == 130
    assert b"stopped: " in text
    colours = re.findall(rb"\x1b\[(?:\d+;)*3\d(?:;\d+)*m", text)
    assert bool(colours) == ("NO_COLOR" not in environment)


# 442,032,434,455,564 solutions: seconds of counting
LONG = "4..................7..8.9...............6.......5......2........................9"


def test_a_progress_bar_while_one_puzzle_is_counted():
    text, code = in_terminal(
        *("count", LONG, "--threads", "1"),
        stdout=subprocess.DEVNULL,
        until=lambda screen: re.search(rb"counting.* \d+%", screen) is not None,
        after=interrupt,
    )
    assert code == 130
    assert b"stopped: not all solutions were counted" in text


@pytest.mark.parametrize("command", ["check", "trace"])
def test_a_command_without_inputs_says_that_it_reads_standard_input(command):
    text, code = in_terminal(
        command,
        stdout=subprocess.DEVNULL,
        until=lambda screen: NOTE in screen,
        after=interrupt,
    )
    assert NOTE in text
    assert code == 130
    assert b"Traceback" not in text


def test_explain_is_short_on_a_terminal():
    lines = on_terminal("explain", UNIQUE, "--method", "book")[0].decode().splitlines()
    conversions = [line for line in lines if ". cell " in line]
    assert len(conversions) == UNIQUE.count(".")
    assert all(len(line) < 80 for line in conversions)
    assert not any("zeroes" in line for line in lines)
    for option in ("--full", "--show=marks"):
        assert b"zeroes" in on_terminal("explain", UNIQUE, "--method", "book", option)[0]


@pytest.mark.parametrize(
    "words", ["convert in.csv --to csv", "check in.csv --columns x", "check in.csv --json"]
)
def test_escape_sequences_in_rows_are_shown(words, tmp_path):
    """A terminal obeys them; in a file or a pipe they are as they were."""
    (tmp_path / "in.csv").write_text(f"puzzle,x\n{UNIQUE},\x1b[31mred\x9b31m\u202etxt\nb\x1bad,\x07ä\tb\n")
    arguments = [word.replace("in.csv", str(tmp_path / "in.csv")) for word in words.split()]
    text, _ = on_terminal(*arguments)
    assert not any(code in text for code in (b"\x1b[31m", b"\x07", b"\x9b", "\u202e".encode()))
    for shown in (rb"\x1b[31mred\x9b31m\u202etxt", rb"\u001b[31mred"):
        if ("json" in words) == (b"u001b" in shown):
            assert shown in text
    assert "ä".encode() in text
    assert "\u202e" in run(*arguments, code=1).stdout


def test_steps_are_sentences_on_a_terminal():
    text, code = on_terminal("steps", UNIQUE)
    lines = [line.split(maxsplit=1)[1].strip() for line in text.decode().splitlines()]
    assert (lines, code) == ([step.sentence for step in unidoku.steps(UNIQUE)], 0)
    text, code = on_terminal("steps", HARD, "--techniques", "singles")
    assert (text.strip(), code) == (b"The chosen techniques find no further step.", 0)
