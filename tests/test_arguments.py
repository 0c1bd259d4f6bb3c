"""Numbers out of range are errors that name them, before anything is done; numbers of NumPy are numbers."""

import inspect
from dataclasses import fields

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import method, tasks
from unidoku.craft.request import Request
from unidoku.stepper import Session
from unidoku.tasks import Check, Convert, Generate, Rate


@pytest.mark.parametrize("value", [-1, 2**64, 10**30])
def test_steps_modes_and_presets(value):
    session = Session(PUZZLE)
    calls = {
        "steps": lambda: session.run_until(value),
        "solutions": lambda: list(session.stream(solutions=value)),
        "units": lambda: list(session.stream(units=value)),
        "mode": lambda: Session(PUZZLE, mode=value),
        "presets": lambda: method.classify_many([PUZZLE], presets=value),
    }
    for name, call in calls.items():
        with pytest.raises(ValueError, match=f"{name} must be"):
            call()
    with pytest.raises(ValueError, match="presets must be"):
        method.explain(PUZZLE, presets=value)


GIVEN = {
    "run": {"task": Check(), "inputs": "in.txt", "output": "out.csv"},
    "run_many": {"task": Check(), "puzzles": [PUZZLE]},
    "generate": {"count": 1, "seed": 1},
    "split_file": {"inputs": "in.txt", "outputs": ["a.txt", "b.txt"], "seed": 1},
    "transform": {"puzzle": PUZZLE, "transformation": unidoku.Transformation.rotation(90)},
    "transform_many": {"puzzles": [PUZZLE], "transformations": unidoku.Transformation.rotation(90)},
    "cells": {"puzzles": [PUZZLE]},
    "lines": {"puzzles": [PUZZLE]},
    "audit_files": {"inputs": "in.txt"},
    "verify": {"puzzle": PUZZLE, "prediction": PUZZLE},
    "verify_many": {"puzzles": [PUZZLE], "predictions": [PUZZLE]},
}
"""The arguments of functions that need more than a puzzle, puzzles or files."""


def given_to(name):
    """The arguments of a call that gives a result."""
    usual = {"many": {"puzzles": [PUZZLE]}, "file": {"inputs": "in.txt", "output": "out.csv"}}
    return GIVEN.get(name, usual.get(name.rpartition("_")[2], {"puzzle": PUZZLE}))


def options_of(name):
    """Keyword arguments that a signature does not list, for some of the functions over files."""
    return OPTIONS if name in {"run", "check_file", "audit_files"} else ()


OPTIONS = ("threads",)
FUNCTIONS = [name for name in unidoku.__all__ if inspect.isfunction(inspect.unwrap(getattr(unidoku, name)))]


def test_a_number_of_numpy_is_a_number(tmp_path):
    made = []
    for count in (2, np.int64(2)):
        unidoku.run(Generate(Request(), seed=1, count=count), [range(10**6)], tmp_path / "out.txt")
        made.append((tmp_path / "out.txt").read_text())
    assert made[0] == made[1]


@pytest.mark.parametrize("number", [np.uint8(255), np.int16(255), np.array(255, np.uint8)])
def test_a_small_number_of_numpy_counts_beyond_its_type(number):
    """It is a whole number like any other, which nothing is added to before that."""
    assert len(unidoku.generate(number, seed=1)) == 255
    two = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    assert unidoku.count(two, limit=number) == unidoku.diagnose(two, limit=number).count == 2
    assert unidoku.check(PUZZLE, budget=number) == unidoku.check(PUZZLE)
    one = np.uint8(1)
    assert [*unidoku.neighbours(PUZZLE, remove=one, add=one)] == [*unidoku.neighbours(PUZZLE)]


def test_budgets_are_numbers_of_64_bits():
    assert unidoku.solve(PUZZLE, budget=2**64 - 1) == unidoku.solve(PUZZLE)


OUT_OF_RANGE = {
    "below": [1, 30],
    "budget": [0, -1, 2**64],
    "count": [-1],
    "errors": ["ignore"],
    "images": [1, 10_001],
    "lang": ["fr", ""],
    "limit": [0, -1],
    "seed": [-1, 2**64],
    "threads": [0, -1, 4097],
}
"""What a parameter with this name never takes."""


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name in FUNCTIONS
        for parameter in (*inspect.signature(getattr(unidoku, name)).parameters, *options_of(name))
        if parameter in OUT_OF_RANGE
    ],
)
def test_a_value_out_of_range_is_named_before_anything_is_done(name, parameter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for value in OUT_OF_RANGE[parameter]:
        with pytest.raises(ValueError, match=f"{parameter}|language"):
            getattr(unidoku, name)(**given_to(name) | {parameter: value})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", tasks.__all__)
def test_a_parameter_of_a_task_out_of_range_is_named(name):
    kind, given = getattr(tasks, name), {"request": Request()} if name == "Generate" else {}
    for each in fields(kind):
        for value in OUT_OF_RANGE.get(each.name, []):
            with pytest.raises(ValueError, match=f"{each.name}|language"):
                kind(**given | {each.name: value})


def test_options_are_scalars_of_numpy_too(tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,id\n{PUZZLE},7\n")
    task = Rate(below=np.float32(4.5))
    unidoku.run(task, tmp_path / "in.csv", tmp_path / "out.csv", columns=["id", "er"], threads=np.int8(1))
    assert (tmp_path / "out.csv").read_text() == f"id,er\n7,{unidoku.rate(PUZZLE, below=4.5).er}\n"
    assert unidoku.rate(PUZZLE, below=np.float32(4.5)) == unidoku.rate(PUZZLE, below=4.5)
    assert unidoku.check_many([PUZZLE], solutions=np.bool_(True)).solution.any()


def test_an_input_or_output_without_a_name_is_not_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(f"{PUZZLE}\n")
    with pytest.raises(unidoku.InputError, match="No such file"):
        unidoku.check_file("")
    with pytest.raises(unidoku.UnidokuError, match="the name of the output is empty"):
        unidoku.run(Convert(), "a.txt", "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
