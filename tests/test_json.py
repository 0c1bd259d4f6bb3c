"""Results as JSON, as FastAPI writes what an endpoint without a declared type returns."""

import dataclasses
import json
import pickle
from collections import deque
from enum import Enum

import pytest
from example_puzzles import SOLUTION as FULL, UNIQUE as PUZZLE

import unidoku
from unidoku import Grid, Verdict
from unidoku.benchmark import run
from unidoku.tasks.canonical import Canonical


def encoded(value):
    """Return what the encoder of FastAPI (0.165) makes of an object."""
    if dataclasses.is_dataclass(value):
        return encoded(dataclasses.asdict(value))
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {encoded(key): encoded(each) for key, each in value.items()}
    if isinstance(value, list | set | frozenset | tuple | deque):
        return [encoded(each) for each in value]
    try:
        return encoded(dict(value))
    except (TypeError, ValueError):
        return encoded(vars(value))


@pytest.fixture(params=["rules", "fastapi"])
def encoder(request):
    """Return the rules of the encoder, or the encoder itself where it is installed."""
    if request.param == "rules":
        return encoded
    return pytest.importorskip("fastapi.encoders").jsonable_encoder


ANSWER = {
    "verdict": "unique",
    "count": 1,
    "complete": True,
    "solution": {"line": FULL},
    "witness": None,
    "reason": None,
}


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: unidoku.check(PUZZLE), "unique"),
        (lambda: unidoku.solve(PUZZLE), {"line": FULL}),
        (lambda: unidoku.examine(PUZZLE), ANSWER),
        (lambda: list(unidoku.check_many([PUZZLE], solutions=True)), [ANSWER]),
        (lambda: unidoku.rate(PUZZLE), {"er": 1.2, "technique": "hidden single", "reason": None}),
        (lambda: unidoku.rate_many([PUZZLE])[0], {"er": 1.2, "at_least": False}),
        (lambda: unidoku.diagnose("." * 81), {"verdict": "multiple", "puzzle": {"line": "." * 81}}),
        (lambda: unidoku.hint(PUZZLE), {}),
        (lambda: unidoku.steps(PUZZLE), {"puzzle": {"line": PUZZLE}}),
        (lambda: run(seconds=0.001), {}),
        (lambda: unidoku.verify(PUZZLE, FULL), [True, 0]),
        (lambda: unidoku.verify(PUZZLE, FULL)._asdict(), {"solved": True, "wrong_cells": 0}),
        (lambda: unidoku.verify_many([PUZZLE], [FULL])[0], [True, 0]),
        (lambda: unidoku.run_many(Canonical(), [PUZZLE])[0], [unidoku.canonical(PUZZLE).line]),
        (lambda: next(iter(unidoku.trace(PUZZLE))), {"step": 1}),
        (lambda: unidoku.Grid("11" + "." * 79).clashes(), [[0, 1, 1, "row 1"]]),
        (lambda: unidoku.explain(PUZZLE), {"puzzle": PUZZLE}),
    ],
)
def test_an_encoder_of_json_takes_every_result_of_one_puzzle(encoder, make, expected):
    found = json.loads(json.dumps(encoder(make())))
    if isinstance(expected, dict):
        assert found | expected == found
    elif isinstance(expected, list):
        assert found[: len(expected)] == expected
    else:
        assert found == expected


@pytest.mark.parametrize(
    "make",
    [
        lambda: unidoku.examine(PUZZLE),
        lambda: unidoku.rate(PUZZLE),
        lambda: unidoku.diagnose("." * 81),
        lambda: unidoku.hint(PUZZLE),
        lambda: unidoku.steps(PUZZLE),
        lambda: unidoku.steps(PUZZLE)[0],
        lambda: unidoku.verify(PUZZLE, FULL),
        lambda: unidoku.solve(PUZZLE),
        lambda: unidoku.check(PUZZLE),
        lambda: next(iter(unidoku.trace(PUZZLE))),
    ],
)
def test_pydantic_writes_every_result_of_one_puzzle_by_its_type(make):
    pydantic = pytest.importorskip("pydantic")
    value = make()
    assert pydantic.TypeAdapter(type(value)).dump_json(value)


def test_an_encoder_of_json_takes_a_summary(encoder, tmp_path):
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\nno puzzle\n")
    found = json.loads(json.dumps(encoder(unidoku.check_file(tmp_path / "in.txt"))))
    assert found["unique"] == 1
    assert found["rejects"][0]["line"] == 2
    assert found["rejects"][0]["message"].startswith("expected")


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_is_found_by_its_code_and_by_its_word(verdict):
    assert Verdict(int(verdict)) is Verdict(str(verdict)) is Verdict(verdict.value) is verdict
    assert pickle.loads(pickle.dumps(verdict)) is verdict
    assert verdict == int(verdict)


@pytest.mark.parametrize("value", [-1, 5, "", "UNIQUE", None])
def test_other_values_are_no_verdict(value):
    with pytest.raises(ValueError, match="not a valid Verdict"):
        Verdict(value)


def test_a_grid_keeps_its_cells_although_it_shows_its_line():
    grid = Grid(PUZZLE)
    assert vars(grid) == {"line": PUZZLE}
    with pytest.raises(AttributeError):
        grid.line = FULL
    with pytest.raises(AttributeError):
        grid.other = 1
