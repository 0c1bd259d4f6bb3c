"""Verification of answers: the grid in a text, the comparison with the puzzle."""

from __future__ import annotations

import json
import re
from dataclasses import astuple

import numpy as np
import pytest
from cases import in_turn
from command import run, summary_of
from example_puzzles import SOLUTION as SA, UNIQUE as A
from readback import rows_of

import unidoku
from unidoku._answers.values import LONGEST_ANSWER as LONGEST
from unidoku.errors import FormatError
from unidoku.grid import Grid
from unidoku.tasks import Verify

WRONG = "1" + SA[1:]
EMPTY = "." * 81
CELLS = [int(cell) for cell in SA]
PUZZLE = "\n".join(A[k : k + 9] for k in range(0, 81, 9))


TWO = SA.replace("1", ".").replace("2", ".")
NUMBERS = [f"{A},1", f"{EMPTY},100000", f"{A},2", f"{EMPTY},1"]
"""Puzzles and numbers of solutions."""


@pytest.mark.parametrize(
    ("answers", "options", "outcome"),
    [
        (NUMBERS, ["--limit", 100], (2, [4, 5])),
        (NUMBERS, [], (2, [4, 5])),
        ([f"{TWO},2", f"{TWO},3"], ["--limit", "all"], (1, [3])),
        ([f"{TWO},2", f"{TWO},3"], ["--limit", 2], (2, [])),  # the count stopped there
        ([f"{EMPTY},3", f"{EMPTY},1000000", f"{A},1"], ["--limit", "all", "--budget", 1000], (1, [2])),
    ],
)
def test_numbers_of_solutions(tmp_path, monkeypatch, answers, options, outcome):
    """A number above the counted one is right, or not known, only if the count stopped there."""
    right, wrong = outcome
    path = tmp_path / "in.txt"
    path.write_text("\n".join(["puzzle,expected_count", *answers, ""]))
    monkeypatch.setattr("unidoku.tasks._check.SAMPLE", str(path))
    result = run("check", "--sample", "--json", *options, code=int(right < len(answers)))
    counts = summary_of(result)
    assert counts["right"] == right
    assert [
        int(line) for line in re.findall(r"in.txt:(\d+): the given answer is wrong", result.stderr)
    ] == wrong
    if "--budget" in options:
        assert counts["missing"] == 1
        assert "the number of solutions is " in result.stderr


def test_nothing_to_verify(tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,other,more\n{A},1,2\n")
    with pytest.raises(FormatError, match=r"no column name .*: 'other' \(1\), 'more' \(2\)$"):
        unidoku.run(Verify(), tmp_path / "in.csv")
    (tmp_path / "in.csv").write_text(f"puzzle,other,more\n{A},,\n")
    with pytest.raises(FormatError, match=r"no column name .*: 'other' \(''\), 'more' \(''\)$"):
        unidoku.run(Verify(), tmp_path / "in.csv")


@in_turn
@pytest.mark.parametrize(
    "copy", [A, PUZZLE, A.replace(".", "0"), f"I only have\n{PUZZLE}\nso far", bytes(Grid(A).cells), Grid(A)]
)
def test_a_copy_of_the_puzzle_is_no_answer(copy):
    assert unidoku.verify(A, copy).reason == "the answer has no grid except a copy of the puzzle"
    assert unidoku.verify_many([A, A], [SA, copy]).empty_cells.tolist() == [0, 81]


NOTHING = [None, float("nan"), b"", np.array(None), "", "  ", "null", "None", "nan", "N/A", [], [[]] * 9]
NO_GRIDS = [
    "[" * 100_000,
    "1" * 100_000,
    f"{' ' * 300_000}x",
    "1 " * 140_000,
    bytes(81 * 2),
    ["#"] * 81,
    [10**400] * 81,
    [0.5, *CELLS[1:]],
    {"grid": "no"},
    3,
    object(),
    np.zeros((9, 8)),
    memoryview(np.zeros((9, 9, 9))),
]


@in_turn
@pytest.mark.parametrize("number", range(len(NOTHING) + len(NO_GRIDS)))
def test_an_answer_never_raises(number):
    answer = [*NOTHING, *NO_GRIDS][number]
    verification = unidoku.verify(A, answer)
    assert (verification.solved, verification.filled, verification.empty_cells, verification.score) == (
        False,
        0,
        81,
        0.0,
    )
    assert verification.reason
    assert (verification.reason == "no answer") == (number < len(NOTHING))
    many = unidoku.verify_many([A, A], [SA, answer])
    assert (many.solved.tolist(), dict(many.reasons)) == ([True, False], {1: verification.reason})
    assert many[1] == astuple(verification)


@in_turn
@pytest.mark.parametrize(
    "answer", [[None] * 81, [float("nan")] * 81, np.full(81, np.nan), "." * 81, json.dumps([None] * 81)]
)
def test_a_grid_of_nothing_is_an_empty_grid_in_each_form(answer):
    verification = unidoku.verify(A, answer)
    assert (verification.solved, verification.filled, verification.reason) == (False, 0, None)


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["1", "1 ", "\n", "123456789\n", "1a ", ".", "[", "[1,", '"', "---\n", "x"])
def test_long_texts_are_read_from_their_end(piece):
    """Reading is bounded and starts at the end, where the answer is."""
    text = piece * (2_000_000 // len(piece))
    assert not unidoku.verify(A, text)
    assert unidoku.verify(A, f"{text}\n\nThe solution:\n{SA}").solved
    assert not unidoku.verify(A, f"{SA}{'x' * LONGEST}")


def test_refusals_are_apart_from_wrong_grids(tmp_path):
    """All counts together are the puzzles; the reason of a row tells which it is, and so does the reward."""
    answers = [
        SA,
        SA[::-1],
        "I cannot solve this.",
        "",
        "null",
        "The answer is 42.",
        "." * 81,
        42,
    ]
    rows = [json.dumps({"puzzle": A, "answer": answer}) for answer in answers]
    (tmp_path / "in.jsonl").write_text("\n".join(rows) + "\n")
    counts = summary_of(run("verify", tmp_path / "in.jsonl", "--json", code=1))
    expected = {"right": 1, "wrong": 2, "no_grid": 3, "missing": 2}
    assert {name: counts[name] for name in expected} == expected
    assert sum(expected.values()) == len(answers)
    summary = unidoku.run(
        Verify(),
        tmp_path / "in.jsonl",
        tmp_path / "o.csv",
        where={"reason": "no grid of 81 cells in the answer"},
    )
    assert [row["line"] for row in rows_of(tmp_path / "o.csv")] == ["3", "6", "8"]
    assert (summary.wrong, summary.no_grid) == (2, 3)
    grids = unidoku.learning.reward_function("grid")([], answers, puzzle=[A] * len(answers))
    assert [int(value) for value in grids] == [1, 1, 0, 0, 0, 0, 1, 0]
