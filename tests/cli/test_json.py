"""``--json`` of every command: the result of one puzzle; rows and a summary of files."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from command import run, summary_of
from example_puzzles import SEVERAL, SOLUTION, UNIQUE as PUZZLE

import unidoku
from unidoku.cli import COMMANDS
from unidoku.stepper.events import QuizLoaded

ROW = f"puzzle,answer\n{PUZZLE},{SOLUTION}\n"

OPTIONS = {
    "generate": ["--seed", "1"],
    "minimize": ["--seed", "1"],
    "transform": ["-n", "1", "--seed", "1"],
    "series": ["--seed", "1", "--number", "1"],
    "trace": ["--steps", "20"],
    "bench": ["--seconds", "0.01"],
}
WITHOUT_PUZZLES = ["generate", "series", "info", "bench"]
TO_FILES = ["print", "split"]
"""Commands whose results are never on standard output with ``--json``."""
OUTPUTS = {"print": "o.html", **dict.fromkeys(["count", "diagnose", "explain", "trace", "link"], "o.txt")}
"""The outputs of commands that do not write CSV."""
WITHOUT_ROWS = [*WITHOUT_PUZZLES, *TO_FILES, "console"]
OF_ROWS = [name for name in COMMANDS if name not in WITHOUT_ROWS]


def objects(result: Any) -> list[Any]:
    """Parse the lines of standard output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def call(name: str, *arguments: object, **options: Any) -> Any:
    return run(name, *OPTIONS.get(name, ()), *arguments, "--json", **options)


@pytest.mark.parametrize("name", [*OF_ROWS, "generate", "series", "info", "bench"])
def test_the_result_of_one_puzzle_is_all_that_is_printed(name, tmp_path):
    (tmp_path / "in.csv").write_text(ROW)
    inputs = [] if name in WITHOUT_PUZZLES else ["in.csv"]
    lines = objects(call(name, *inputs, code=0, cwd=tmp_path))
    if name == "audit":  # its last line is about files
        lines.pop()
    assert all(isinstance(line, dict) and "summary" not in line for line in lines)
    assert len(lines) == 1 or name in {"audit", "trace", "neighbours"}


@pytest.mark.parametrize("name", [name for name in OF_ROWS if name not in {"verify", "audit", "minimize"}])
def test_a_puzzle_a_file_and_standard_input_give_the_same(name, tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    text = call(name, PUZZLE, code=0).stdout
    assert call(name, "in.txt", cwd=tmp_path, code=0).stdout == text
    assert call(name, stdin=f"{PUZZLE}\n", code=0).stdout == text


@pytest.mark.parametrize("name", OF_ROWS)
@pytest.mark.parametrize("puzzle", [SOLUTION, "." * 81, SEVERAL])
def test_a_result_without_a_step_and_a_puzzle_without_a_result_are_json_too(name, puzzle, tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,answer\n{puzzle},{SOLUTION}\n")
    result = call(name, "in.csv", *(["--seed", "1"] if name == "minimize" else ()), cwd=tmp_path)
    assert result.returncode in {0, 1}
    assert objects(result) or result.returncode == 1 or name == "neighbours"  # a full grid may have none


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("check", unidoku.examine),
        ("solve", unidoku.examine),
        ("count", unidoku.examine),
        ("rate", unidoku.rate),
        ("hint", unidoku.hint),
        ("steps", unidoku.steps),
        ("explain", unidoku.steps),
        ("diagnose", unidoku.diagnose),
    ],
)
def test_the_object_has_the_fields_of_the_python_result(name, result):
    assert objects(call(name, PUZZLE)) == [json.loads(json.dumps(asdict(result(PUZZLE))))]


@pytest.mark.parametrize(("name", "code"), [("check", 1), ("solve", 0), ("count", 0)])
def test_an_answer_has_a_second_solution(name, code):
    [answer] = objects(call(name, SEVERAL, code=code))
    assert answer["verdict"] == "multiple"
    assert answer["solution"] != answer["second_solution"]


@pytest.mark.parametrize("name", ["rate", "hint", "steps"])
def test_a_puzzle_that_is_not_proper_has_no_result(name):
    result = call(name, SEVERAL, code=1)
    assert (result.stdout, result.stderr.count("several solutions")) == ("", 1)


def test_a_full_grid_has_no_hint():
    assert objects(call("hint", SOLUTION, code=0)) == [None]


@pytest.mark.parametrize("name", [name for name in OF_ROWS if name != "audit"])
def test_rows_of_several_puzzles_stand_before_the_summary(name, tmp_path):
    (tmp_path / "in.csv").write_text(f"{ROW}{PUZZLE},{SOLUTION}\n")
    result = call(name, "in.csv", code=0, cwd=tmp_path)
    rows = objects(result)[:-1]
    assert len(rows) >= 2
    assert all("summary" not in row for row in rows)
    assert summary_of(result)["puzzles"] == 2


def test_findings_stand_before_the_summary_of_an_audit(tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n{PUZZLE}\n")
    result = call("audit", "in.txt", code=1, cwd=tmp_path)
    assert objects(result)[0]["kind"] == "equal"
    assert summary_of(result)["files"][0]["equal"] == 1


@pytest.mark.parametrize(
    "name", [*(name for name in OF_ROWS if name != "audit"), "generate", "series", "print"]
)
def test_rows_in_a_file_leave_the_summary_alone(name, tmp_path):
    (tmp_path / "in.csv").write_text(ROW)
    inputs = [] if name in WITHOUT_PUZZLES else ["in.csv"]
    output = OUTPUTS.get(name, "o.csv")
    result = call(name, *inputs, "-o", output, code=0, cwd=tmp_path)
    assert [list(line) for line in objects(result)] == [["summary"]]
    assert (tmp_path / output).stat().st_size


NUMBERS = ["puzzles", "invalid", "without_result", "written"]
"""Counts of every summary, and of each of its files."""
OF_RUNS = ["seconds", "puzzles_per_second", "threads", "isa", "complete", "files"]
VERDICT_COUNTS = ["unique", "multiple", "none", "unknown", "cut_off"]
OF_ANSWERS = ["right", "wrong", "no_grid", "missing", "wrong_cells", "broken_houses", "changed_clues"]
FURTHER = {
    **dict.fromkeys(("check", "count", "solve"), VERDICT_COUNTS),
    "verify": OF_ANSWERS,
    "audit": [*VERDICT_COUNTS, *OF_ANSWERS],
    "convert": ["duplicates"],
    "minimize": ["minimal"],
}
"""Counts of a command; after those of the run it may have fields of its own."""
FIELDS = {
    **{name: ["seed"] for name in ("minimize", "transform", "series")},
    "generate": ["attempts", "seed"],
    "split": ["seed", "outputs"],
    "audit": ["pairs"],
    "print": ["improper"],
}


@pytest.mark.parametrize("name", [*OF_ROWS, *TO_FILES, "generate", "series"])
def test_every_summary_has_one_shape(name, tmp_path):
    (tmp_path / "in.csv").write_text(f"{ROW}{PUZZLE},{SOLUTION}\nhello,\n")
    inputs = [] if name in WITHOUT_PUZZLES else ["in.csv"]
    options = {"print": ["-o", "o.html"], "split": ["-o", "o.txt", "--seed", 1], "generate": ["-n", 2]}
    arguments = [*OPTIONS.get(name, ()), *inputs, *options.get(name, ())]
    arguments += ["-o", "o.txt"] if name == "series" else []
    result = run(name, *arguments, "--json", cwd=tmp_path, code=int(bool(inputs)))
    summary, counts = summary_of(result), [*NUMBERS, *FURTHER.get(name, ())]
    assert list(summary) == [*counts, *OF_RUNS, *FIELDS.get(name, ())]
    assert summary["complete"] is True
    if inputs:
        assert (summary["puzzles"], summary["invalid"]) == (3, 1)
        [file] = summary["files"]
        assert list(file)[: 1 + len(counts)] == ["file", *counts]
        assert {key: file[key] for key in NUMBERS} == {key: summary[key] for key in NUMBERS}


def test_the_summary_of_split_has_the_outputs(tmp_path):
    outputs = ["-o", "a.txt", "-o", "b.txt"]
    result = call("split", PUZZLE, "--seed", 1, *outputs, code=0, cwd=tmp_path)
    assert len(objects(result)) == 1
    assert sum(summary_of(result)["outputs"].values()) == 1


def test_new_puzzles_of_a_number_stand_before_the_summary_with_the_seed():
    result = call("generate", "-n", 2, code=0)
    assert len(objects(result)) == 3
    assert summary_of(result)["seed"] == 1


def test_the_place_in_a_series_is_an_object():
    [fifth] = objects(run("series", SOLUTION, "--number", 5, "--seed", 1, "--json", code=0))
    [place] = objects(run("series", SOLUTION, "--find", fifth["puzzle"], "--seed", 1, "--json", code=0))
    assert place == {"number": 5, "group": 5, "place": 1}


@pytest.mark.parametrize("name", ["check", "rate", "solve", "verify"])
def test_an_invalid_record_has_a_row_with_a_reason(name, tmp_path):
    (tmp_path / "in.csv").write_text(f"{ROW}hello,\n")
    result = call(name, "in.csv", code=1, cwd=tmp_path)
    assert "expected" in objects(result)[1]["reason"]
    assert summary_of(result)["invalid"] == 1


@pytest.mark.parametrize("name", ["check", "hint", "convert", "explain", "print", "series"])
def test_another_format_needs_a_file(name, tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    to = "html" if name in {"explain", "print", "series"} else "csv"
    inputs = [] if name == "series" else ["in.txt"]
    assert "--output PATH" in run(name, *inputs, "--to", to, "--json", code=2, cwd=tmp_path).stderr


@pytest.mark.parametrize("name", ["check", "hint"])
def test_an_option_of_rows_makes_rows_of_one_puzzle(name):
    result = call(name, PUZZLE, "--to", "jsonl", code=0)
    assert objects(result)[0]["puzzle"] == PUZZLE
    assert summary_of(result)["puzzles"] == 1


def test_the_console_answers_orders_with_events_and_messages():
    quiz, *answers = objects(
        run("console", PUZZLE, "--json", stdin="run-mode 1\nstep\nnonsense\nbye\n", code=0)
    )
    assert quiz == QuizLoaded(0, 0, PUZZLE).as_dict()
    message, *events, unknown = answers
    assert message["message"].startswith("Working mode:1")
    assert [event["kind"] for event in events][:2] == ["started", "state"]
    assert unknown["message"].startswith("Unknown order: nonsense")
