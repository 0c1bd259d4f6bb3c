"""``unidoku console`` and ``unidoku trace`` as processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import unidoku
from unidoku.stepper import Session, from_json

QUIZ = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"


def run(*arguments, given="", code=0):
    done = subprocess.run(
        [sys.executable, "-m", "unidoku", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_trace_as_text_is_what_the_console_prints():
    traced = run("trace", QUIZ).stdout.splitlines()
    console = run("console", "--no-time", given=f"load-quiz {QUIZ}\nrunrun 9\n").stdout.splitlines()
    # the console also shows the state at the end of the run
    assert traced == console[console.index("Quiz loaded.") + 2 : -12]
    (solution,) = unidoku.solutions(QUIZ)
    fine = traced.index("Fine [steps:131, solution sum:1].")
    assert "".join(traced[fine - 9 : fine]).replace(" ", "") == solution.line
    assert traced[0] == "2) row 2 complete shrunken by group"
    assert traced[-1] == "284) No more solution (solution sum is 1)."


def test_trace_as_json_lines_is_read_back(tmp_path):
    path = tmp_path / "run.jsonl"
    assert run("trace", "-", "--format", "jsonl", "--output", str(path), given=QUIZ).stdout == ""
    plain = [json.loads(line) for line in path.read_text().splitlines()]
    assert all(list(event)[:3] == ["step", "kind", "level"] for event in plain)
    assert [from_json(event) for event in plain] == list(Session(QUIZ).stream(solutions=None, display=False))
    assert plain[-1] == {"step": 284, "kind": "no_more_solution", "level": 0, "solution_sum": 1}


def test_trace_stops_at_steps_and_modes():
    assert run("trace", QUIZ, "--steps", "2").stdout == "2) row 2 complete shrunken by group\n"
    assert (
        run("trace", QUIZ, "--steps", "3", "--mode", "2").stdout == "3) Guess [6,2] level 1 at 1 out of 2\n"
    )


def test_trace_as_a_page(tmp_path):
    path = tmp_path / "trace.html"
    run("trace", QUIZ, "--format", "html", "-o", str(path))
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_trace_of_what_is_no_puzzle(tmp_path):
    assert "81 cells" in run("trace", "123", code=2).stderr
    assert "both hold 5 in row 1" in run("trace", "55" + "." * 79, code=2).stderr
    assert "No such file" in run("trace", QUIZ, "--output", str(tmp_path / "no" / "x"), code=2).stderr


def test_console_loads_the_file_it_is_given(tmp_path):
    path = tmp_path / "a quiz.txt"
    path.write_text("\n".join(QUIZ[i : i + 9] for i in range(0, 81, 9)))
    lines = run("console", str(path), given="run\nbye\nrun\n").stdout.splitlines()
    assert lines[:3] == ["Quiz loaded.", "Order please:", "2) row 2 complete shrunken by group"]
    assert lines[-2:] == ["Biggest level on this run(til): 11", "Order please:"]
    missing = run("console", str(tmp_path / "nothing")).stdout.splitlines()
    assert missing[0].startswith("Fail to open quiz file ")
    assert missing[1:] == ["Order please:"]


def test_console_survives_any_bytes():
    done = subprocess.run(
        [sys.executable, "-m", "unidoku", "console"],
        input=b"\xff\xfe\x00\nload-quiz \xc3\x28\nguess-mode \xf0\n\x1b[A\n",
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.count(b"Order please:") == 5
