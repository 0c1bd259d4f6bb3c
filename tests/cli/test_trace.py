"""``unidoku trace``: a search as text, JSON lines and page."""

from __future__ import annotations

import json

from command import run
from example_puzzles import EIGHT, NONE, QUIZ
from readback import rows_of

import unidoku
from unidoku.stepper import Session
from unidoku.stepper.report import grid_lines


def test_the_text_equals_the_console():
    lines = run("trace", QUIZ, code=0).stdout.splitlines()
    console = run("console", "--show", "none", stdin=f"load-quiz {QUIZ}\nrunrun 9\n").stdout.splitlines()
    # the console also shows the state at the end of the run
    assert lines == console[console.index("Quiz loaded.") + 2 : -12]
    assert lines[0] == "2) row 2 complete shrunken by group"
    assert lines[-1] == "284) No more solution (solution sum is 1)."


def test_text_shows_each_solution_when_it_is_found():
    lines = run("trace", EIGHT, code=0).stdout.splitlines()
    fine = [place for place, line in enumerate(lines) if line.startswith("Fine [steps:")]
    sums = [lines[place].rpartition("sum:")[2] for place in fine]
    assert sums == [f"{number}]." for number in range(1, 9)]
    grids = {"".join(lines[place - 9 : place]).replace(" ", "") for place in fine}
    assert grids == {grid.line for grid in unidoku.solutions(EIGHT)}
    (solution,) = unidoku.solutions(QUIZ)
    lines = run("trace", QUIZ).stdout.splitlines()
    end = lines.index("Fine [steps:131, solution sum:1].")
    assert lines[end - 9 : end] == grid_lines(solution.line)


def test_json_lines_are_the_events(tmp_path):
    path = tmp_path / "run.jsonl"
    assert run("trace", "-", "--to", "jsonl", "--output", path, stdin=QUIZ, code=0).stdout == ""
    plain = rows_of(path)
    assert all(list(event)[:3] == ["step", "kind", "level"] for event in plain)
    assert plain == [
        json.loads(json.dumps(event.as_dict()))
        for event in Session(QUIZ).stream(solutions=None, display=False)
    ]
    assert plain[-1] == {"step": 284, "kind": "no_more_solution", "level": 0, "solution_sum": 1}


def test_json_lines_of_several_puzzles_begin_with_the_puzzle():
    result = run("trace", QUIZ, NONE.replace("55", "5."), "--to", "jsonl", "--steps", "3", code=0)
    loads = [event for event in map(json.loads, result.stdout.splitlines()) if event["kind"] == "quiz_loaded"]
    assert [event["grid"] for event in loads] == [QUIZ.replace("0", "."), "5" + "." * 80]


def test_steps_and_modes():
    assert run("trace", QUIZ, "--steps", 2).stdout == "2) row 2 complete shrunken by group\n"
    result = run("trace", QUIZ, "--steps", 3, "--mode", 2)
    assert result.stdout == "3) Guess [6,2] level 1 at 1 out of 2\n"


def test_a_page(tmp_path):
    path = tmp_path / "trace.html"
    run("trace", QUIZ, "--to", "html", "-o", path, code=0)
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "284 steps, 1 solution, highest guess level 11 at step 92." in page
