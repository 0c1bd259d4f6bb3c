"""Values that no function accepts are errors that name them."""

import inspect
import math
import threading
from itertools import islice

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import kernel, method
from unidoku.counting import Solutions
from unidoku.craft.request import Request
from unidoku.craft.series import Series
from unidoku.method.report import report
from unidoku.stepper import Session
from unidoku.tasks.check import Check
from unidoku.view.sheets import sheets
from unidoku.view.svg import svg


@pytest.mark.parametrize("value", [-1, 2.5, float("nan"), True, "2", None, 2**64, 10**30])
def test_steps_modes_and_presets(value):
    session = Session(PUZZLE)
    calls = {
        "steps": lambda: session.run_until(value),
        "solutions": lambda: list(session.stream(solutions=value)),
        "units": lambda: list(session.stream(units=value)),
        "mode": lambda: Session(PUZZLE, mode=value),
        "presets": lambda: (
            method.explain(PUZZLE, presets=value),
            method.classify_many([PUZZLE], presets=value),
        ),
    }
    for name, call in calls.items():
        if value is None and name in {"units", "steps", "solutions"}:
            continue
        with pytest.raises(ValueError, match=f"{name} must be"):
            call()


WRONG = [
    -1,
    1.5,
    math.nan,
    math.inf,
    10**30,
    "nonsense",
    "",
    "\ud800",
    "a\0b",
    b"\xff",
    [],
    {},
    [[]],
    int,
    None,
    2**63,
    [PUZZLE] * 1000,
    np.ones((1000, 81), np.uint8),
    np.array(PUZZLE),
]
"""Values that few parameters accept; a call that accepts one gives a result."""

GIVEN = {
    "generate_file": {"output": "out.csv", "request": Request(), "count": 1, "seed": 1},
    "run_file": {"task": Check(), "inputs": "in.txt", "output": "out.csv"},
    "run_many": {"task": Check(), "puzzles": [PUZZLE]},
    "verify_file": {"inputs": "in.csv", "output": "out.csv"},
    "generate": {"count": 1, "seed": 1},
    "split_file": {"inputs": "in.txt", "outputs": ["a.txt", "b.txt"], "seed": 1},
    "transform": {"puzzle": PUZZLE, "transformation": unidoku.Transformation.rotation(90)},
    "transform_many": {"puzzles": [PUZZLE], "transformations": unidoku.Transformation.rotation(90)},
    "transform_file": {"inputs": "in.txt", "output": "out.csv", "count": 2},
    "variants": {"puzzle": PUZZLE, "count": 2},
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
    return OPTIONS if name in {"check_file", "generate_file", "audit_files"} else ()


OPTIONS = ("format", "column", "max_size", "to", "threads", "part_bytes", "progress", "cancel")
REQUESTS = "clues symmetry pattern minimal solution rating difficulty technique classes steps accept".split()
FUNCTIONS = [
    name
    for name in unidoku.__all__
    if inspect.isfunction(inspect.unwrap(getattr(unidoku, name))) and name not in {"check_table", "option"}
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_wrong_argument_is_an_error_of_unidoku(name, tmp_path, monkeypatch):
    """A wrong value is a `UnidokuError` with a short reason; a wrong task or request is a TypeError."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    (tmp_path / "in.csv").write_text(f"puzzle,solution\n{PUZZLE},{PUZZLE}\n")
    function = getattr(unidoku, name)
    given = given_to(name)
    parameters = inspect.signature(function).parameters.values()
    names = [each.name for each in parameters if each.kind is not each.VAR_KEYWORD]
    names += options_of(name)
    names += REQUESTS if name == "generate" else []
    for parameter in names:
        for value in WRONG:
            if parameter in {"count", "limit"} and isinstance(value, int) and value > 0:
                continue  # a very long run
            if parameter in {"progress", "on_failure", "accept"} and callable(value):
                continue  # its own errors are those of the call
            reason = ""
            try:
                found = function(**given | {parameter: value})
                if hasattr(found, "__next__"):
                    list(islice(found, 2))
            except unidoku.UnidokuError as error:
                reason = str(error)
            except TypeError as error:
                reason = str(error)
                if f"{parameter} must be" not in reason:
                    raise AssertionError(f"{name}({parameter}={value!r})") from error
            except Exception as error:
                raise AssertionError(f"{name}({parameter}={value!r})") from error
            assert len(reason) < 1000, parameter


SERIES = Series.generate(seed=1, count=1)
FULL = Solutions(PUZZLE)
RECORD = method.explain(PUZZLE)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda value: unidoku.Transformation(rows=value), "rows must be"),
        (lambda value: unidoku.Transformation(digits=[value] * 9), "digits must be"),
        (lambda value: unidoku.Transformation.bands([0, 1, value]), "bands must be"),
        (unidoku.Transformation.stacks, "stacks must be"),
        (unidoku.Transformation.rotation, "multiple of 90"),
        (unidoku.Transformation.from_index, "number of a transformation must be"),
        (lambda value: SERIES.number(value, 1), "group must be"),
        (lambda value: SERIES.number(1, value), "place must be"),
        (SERIES.position, "number must be"),
        (SERIES.puzzle, "number must be"),
        (lambda value: Series.generate(seed=1, count=value), "count must be"),
        (lambda value: FULL.sample(count=value, seed=1), "count must be"),
        (lambda value: FULL.sample(count=1, seed=value), "seed must be"),
        (lambda value: RECORD.replay().mark(value, 1), "cell must be"),
        (lambda value: RECORD.replay().mark(1, value), "digit must be"),
        (lambda value: unidoku.link(PUZZLE, candidates={2: value}), "expected digits 1 to 9"),
        (lambda value: unidoku.link(PUZZLE, candidates={2: [value]}), "expected digits 1 to 9"),
        (lambda value: unidoku.hint(PUZZLE, {2: value}), "expected digits 1 to 9"),
    ],
)
@pytest.mark.parametrize("value", [1.5, "1", math.nan, -1, True])
def test_every_wrong_argument_of_a_method_is_an_error_of_unidoku(call, said, value):
    with pytest.raises(unidoku.UnidokuError, match=said):
        call(value)


@pytest.mark.parametrize("call", [lambda value: FULL.take([value]), RECORD.state, RECORD.matrices])
@pytest.mark.parametrize("value", [1.5, "1", math.nan, 10**30])
def test_only_integers_are_places_in_a_sequence(call, value):
    with pytest.raises(IndexError if isinstance(value, int) else TypeError):
        call(value)


def words_of(name):
    """The parameters of a function that are words, and a few others of which one must be known."""
    about = inspect.signature(getattr(unidoku, name)).parameters.values()
    found = {each.name for each in about if "Literal" in str(each.annotation)}
    own = {"generate": ("symmetry", "difficulty"), "link": ("site",)}.get(name, ())
    return sorted({*found, *own, *(("keep", "format", "to") if name.endswith("_file") else ())})


@pytest.mark.parametrize(("name", "word"), [(name, word) for name in FUNCTIONS for word in words_of(name)])
def test_an_array_is_no_word(name, word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    (tmp_path / "in.csv").write_text(f"puzzle,solution\n{PUZZLE},{PUZZLE}\n")
    for value in (np.array(["a", "b"]), np.array([1, 2]), np.array([]), ["en"]):
        with pytest.raises(unidoku.UnidokuError):
            list(getattr(unidoku, name)(**given_to(name) | {word: value}))


@pytest.mark.parametrize(
    "call",
    [
        unidoku.Transformation.reflection,
        lambda value: unidoku.explain(PUZZLE, lang=value),
        lambda value: svg(PUZZLE, labels=value),
        lambda value: unidoku.hint(PUZZLE).text(value),
        lambda value: report(method.explain(PUZZLE), names=value),
        lambda value: list(sheets([PUZZLE], paper=value)),
        lambda value: list(sheets([PUZZLE], lang=value)),
        kernel.form,
    ],
)
def test_an_array_is_no_word_elsewhere(call):
    for value in (np.array(["a", "b"]), np.array([1, 2])):
        with pytest.raises(unidoku.UnidokuError, match="invalid"):
            call(value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        *(
            (lambda value, name=name: svg(PUZZLE, **{name: value}), f"{name} must be a {kind}")
            for name, kind in (
                *(("fill", "mapping"), ("roles", "mapping"), ("colors", "mapping")),
                *(("style", "text"), ("title", "text")),
            )
        ),
        (lambda value: method.explain(PUZZLE, order=value), "order must be an Order"),
        (lambda value: method.classify_many([PUZZLE], order=value), "order must be an Order"),
        (lambda value: unidoku.check_file("a", options=value), "options must be a unidoku.Options"),
    ],
)
def test_a_value_of_another_kind_is_named(call, said):
    for value in (5, [1], np.array([1, 2]), object()):
        with pytest.raises(unidoku.UnidokuError, match=said):
            call(value)


def test_a_table_has_columns_by_name_or_number():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": [1], "b": [PUZZLE]})
    assert unidoku.check_table(table, column=2)["verdict"].to_pylist() == ["unique"]
    for column in (0, 3, b"b", "c"):
        with pytest.raises(unidoku.FormatError, match="expected a column"):
            unidoku.check_table(table, column=column)


def test_a_number_of_numpy_is_a_number(tmp_path):
    made = []
    for first in (2, np.int64(2)):
        unidoku.generate_file(tmp_path / "out.txt", request=Request(), count=2, seed=1, first=first)
        made.append((tmp_path / "out.txt").read_text())
    assert made[0] == made[1]


@pytest.mark.parametrize("number", [np.uint8(255), np.int16(255), np.array(255, np.uint8)])
def test_a_small_number_of_numpy_counts_beyond_its_type(number):
    """It is a whole number like any other, which nothing is added to before that."""
    assert len(unidoku.generate(number, seed=1)) == 255
    two = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    assert unidoku.solutions_many([two], limit=number)[0].shape == (2, 81)
    assert unidoku.count(two, limit=number) == unidoku.diagnose(two, limit=number).count == 2
    assert unidoku.rate(PUZZLE, budget=number) == unidoku.rate(PUZZLE)
    one = np.uint8(1)
    assert [*unidoku.neighbours(PUZZLE, remove=one, add=one)] == [*unidoku.neighbours(PUZZLE)]


def test_budgets_are_numbers_of_64_bits():
    for call in (unidoku.rate, unidoku.hint, unidoku.steps, unidoku.solve):
        assert call(PUZZLE, budget=2**64 - 1) == call(PUZZLE)
    most = 2**64 - 1
    assert unidoku.rate_many([PUZZLE], budget=most) == unidoku.rate_many([PUZZLE])
    assert unidoku.steps_many([PUZZLE], budget=most) == unidoku.steps_many([PUZZLE])


WHOLE = [0, -1, 2.5, 2.0, math.nan, math.inf, True, "2", b"1", [1], 2**64, 10**30]
"""What is not a whole number from 1 to 2**64 - 1."""

OUT_OF_RANGE = {
    "below": [1, 30, "9"],
    "budget": WHOLE,
    "cancel": [1, "now", threading.Event()],
    "count": [-1, 2.5, True, "2"],
    "errors": ["ignore", True],
    "images": [1, 10_001, 2.5],
    "lang": ["fr", "", 1],
    "limit": WHOLE[:-2],  # there are so many solutions of some
    "max_size": WHOLE,
    "part_bytes": WHOLE,
    "seed": [-1, 2**64, 1.5, True, "2"],
    "threads": [*WHOLE, 4097],
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


def test_options_are_scalars_of_numpy_too(tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,id\n{PUZZLE},7\n")
    given = {"strict": np.bool_(False), "columns": np.array(["id", "er"]), "column": np.str_("puzzle")}
    given |= {"threads": np.int8(1), "below": np.float32(4.5), "lang": np.str_("en"), "keep": np.str_("none")}
    unidoku.rate_file(tmp_path / "in.csv", tmp_path / "out.csv", **given)
    assert (tmp_path / "out.csv").read_text() == f"id,er\n7,{unidoku.rate(PUZZLE, below=4.5).er}\n"
    assert unidoku.rate(PUZZLE, below=np.float32(4.5)) == unidoku.rate(PUZZLE, below=4.5)
    assert unidoku.check_many([PUZZLE], solutions=np.bool_(True)).solutions is not None


def test_an_input_or_output_without_a_name_is_not_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(f"{PUZZLE}\n")
    with pytest.raises(unidoku.InputError, match="No such file"):
        unidoku.check_file("")
    with pytest.raises(unidoku.UnidokuError, match="the name of the output is empty"):
        unidoku.convert_file("a.txt", "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
