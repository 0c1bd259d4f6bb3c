"""The published SudokuSolver 2.6 sessions, line by line; ``sessions/own`` has others, of orders it lacks.

In a file of ``sessions``, ``> `` begins an order and ``? `` an answer to a guess; the lines after it are the
console's answer. ``...`` stands for lines that the transcript leaves out, ``#`` for a number of
milliseconds.
"""

import io
import re
from pathlib import Path

import pytest
from example_puzzles import QUIZ

from unidoku.stepper._console import Console

SESSIONS = Path(__file__).parent / "sessions"


def inputs_and_answers(session):
    """The input lines, and the expected lines after each order (answers to guesses belong to their order)."""
    inputs, answers = [], []
    for line in session.splitlines():
        if line.startswith(">"):
            inputs.append(line[1:].strip())
            answers.append([])
        elif line.startswith("?"):
            inputs.append(line[1:].strip())
        else:
            answers[-1].append(line)
    return inputs, answers


def fits(lines, template):
    """Whether ``template``, with ``...`` for any number of lines, describes all the lines."""
    reach = {0}  # numbers of lines that the template may have matched so far
    for pattern in template:
        if pattern == "...":
            reach = set(range(min(reach), len(lines) + 1)) if reach else set()
        else:
            reach = {at + 1 for at in reach if at < len(lines) and lines[at] == pattern}
    return len(lines) in reach


def split_by_prompt(output):
    """The answers, one list of lines for each order; nothing may come before the first prompt."""
    output = re.sub(r"Run time: \d+ ", "Run time: # ", output)
    parts = output.split("Order please:\n")
    assert parts[0] == ""
    return [part.splitlines() for part in parts[1:]]


def check(output, session):
    inputs, templates = inputs_and_answers(session)
    answers = split_by_prompt(output)
    if inputs[-1] not in {"bye", "quit"}:
        assert answers.pop() == []  # the prompt that met the end of input
    assert len(answers) == len(templates)
    for lines, template in zip(answers, templates, strict=True):
        assert fits(lines, template), "\n".join(["expected", *template, "", "got", *lines])


@pytest.fixture
def quiz_folder(tmp_path, monkeypatch):
    rows = (QUIZ[k : k + 9] for k in range(0, 81, 9))
    (tmp_path / "s.txt").write_text("".join(f"{row[:3]} {row[3:6]} {row[6:]}\n" for row in rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", sorted(SESSIONS.rglob("*.txt")), ids=lambda path: path.stem)
def test_session(path, quiz_folder):
    session = path.read_text()
    inputs, _ = inputs_and_answers(session)
    sink = io.StringIO()
    Console(io.StringIO("".join(f"{line}\n" for line in inputs)), sink).run()
    check(sink.getvalue(), session)
