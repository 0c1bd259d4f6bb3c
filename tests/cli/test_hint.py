"""``unidoku hint`` and ``unidoku explain``: hints in words and as rows, the two methods."""

from __future__ import annotations

import json
import os
from dataclasses import asdict

import pytest
from command import run, run_process
from example_puzzles import CHAIN, MULTIPLE, UNIQUE

import unidoku
from unidoku.rating.sentences import Sentences
from unidoku.rating.steps import path_of
from unidoku.tasks.hint import Hint

FIRST = UNIQUE.index(".")
SOLUTION = unidoku.solve(UNIQUE).line
BEGINS_WITH_A_CHAIN = "4..6..3...1..2..6...8..7..19..8..5...4..5..1......2..75.....6...3..8..4......9..5"


@pytest.mark.parametrize(
    ("depth", "hint"),
    [
        ("where", "Look at box 2.\n"),
        ("what", "Hidden single (rated 1.2): look at box 2.\n"),
        ("pattern", "Hidden single (rated 1.2): where does 8 fit in box 2?\n"),
        ("step", "Hidden single: in box 2 the digit 8 fits only in r1c6.\n"),
    ],
)
def test_a_hint_at_each_depth(depth, hint):
    assert run("hint", UNIQUE, "--depth", depth, code=0).stdout == hint


def test_mistakes():
    wrong = str(int(SOLUTION[FIRST]) % 9 + 1)
    board = UNIQUE[:FIRST] + wrong + UNIQUE[FIRST + 1 :]
    assert run("hint", UNIQUE, "--filled", board, code=0).stdout == f"These digits are wrong: r1c3={wrong}.\n"
    marks = ["........."] * 81
    marks[FIRST] = f"{wrong:>{wrong}}".replace(" ", ".").ljust(9, ".")
    result = run("hint", UNIQUE, "--pencil-marks", "".join(marks), code=0)
    assert result.stdout == "These cells lack the pencil mark of their digit: r1c3.\n"
    assert run("hint", UNIQUE, "--filled", SOLUTION, code=0).stdout == "The grid is full and right.\n"


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        ([UNIQUE, "--pencil-marks", "12"], "--pencil-marks: expected 729 pencil marks, found 2", 2),
        ([UNIQUE, "--filled", "1"], "--filled: expected 81 cells, found 1", 2),
        ([UNIQUE, "--filled", SOLUTION, "--to", "csv"], "--filled is for one PUZZLE", 2),
    ],
)
def test_bad_input(arguments, message, code):
    assert message in run("hint", *arguments, code=code).stderr


def test_the_rows_of_a_file_are_the_first_steps(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{UNIQUE}\nnonsense\n{MULTIPLE}\n{CHAIN}\n{SOLUTION}\n")
    result = run("hint", path, "--columns", "line,rating,placements,sentence,reason", "--to", "jsonl", code=1)
    rows = [tuple(json.loads(line).values()) for line in result.stdout.splitlines()]
    steps = [unidoku.steps(puzzle)[0] for puzzle in (UNIQUE, CHAIN)]
    assert [rows[0], rows[3]] == [
        (line, step.rating, step.placements, step.sentence, None)
        for line, step in zip((1, 4), steps, strict=True)
    ]
    assert [row[-1] for row in (rows[2], rows[4])] == ["several solutions", "no cell is empty"]
    assert f"{path}:2" in result.stderr


@pytest.mark.parametrize("depth", ["where", "what", "pattern"])
def test_the_text_of_rows_has_the_same_depths(depth):
    text = unidoku.run_many(Hint(depth=depth, lang="zh"), [CHAIN]).sentence
    assert list(text) == [getattr(unidoku.hint(CHAIN, lang="zh"), depth)]


def in_ascii(*arguments: str) -> str:
    """Run a command whose standard output is ASCII; return its text."""
    only_ascii = {**os.environ, "PYTHONIOENCODING": "ascii"}
    text: str = run_process(*arguments, code=0, env=only_ascii).stdout
    assert text.isascii()
    return text


def test_the_signs_of_a_hint_in_ascii():
    chain = next(step for step in unidoku.steps(CHAIN) if step.links)
    position = "--filled", chain.before, "--pencil-marks", chain.marks
    assert not run("hint", CHAIN, *position, code=0).stdout.isascii()
    assert "≠" not in in_ascii("hint", CHAIN, *position)


def test_explain_shows_the_steps():
    path = unidoku.steps(CHAIN)
    result = run("explain", CHAIN, "--short", code=0)
    names, *sentences, note, ratings = result.stdout.splitlines()
    assert names == Sentences().reading(path_of(CHAIN).deductions)
    assert sentences == [step.sentence for step in path]
    assert note == f"Expert: {len(path)} steps, the hardest a Continuous Nice Loop ({path.er})."
    assert f"ER {path.er} for the hardest step, EP {path.ep} for" in ratings
    assert len(run("explain", CHAIN, code=0).stdout.splitlines()) >= len(sentences)
    assert "<>" in in_ascii("explain", CHAIN)
    chinese = run("explain", CHAIN, "--lang", "zh", "--short", code=0).stdout.splitlines()
    assert chinese[1:-2] == [step.sentence for step in unidoku.steps(CHAIN, lang="zh")]


def test_the_suffix_selects_the_form_of_a_report(tmp_path):
    run("explain", CHAIN, "-o", tmp_path / "a.json", code=0)
    assert json.loads((tmp_path / "a.json").read_text()) == json.loads(
        json.dumps(asdict(unidoku.steps(CHAIN)))
    )
    run("diagnose", MULTIPLE, "-o", tmp_path / "a.html", code=1)
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")


def test_explain_in_python():
    explanation = unidoku.explain(CHAIN)
    assert str(explanation).splitlines()[1] == unidoku.steps(CHAIN)[0].sentence
    assert 'sandbox="allow-scripts"' in explanation._repr_html_()
    assert "Numerical-analysis" in unidoku.explain(UNIQUE, method="book").title
    with pytest.raises(ValueError, match="invalid method 'x'; choose from: steps, book"):
        unidoku.explain(UNIQUE, method="x")
