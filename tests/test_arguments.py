"""Arguments out of range: errors with the name of the parameter, before any work."""

import inspect
import io
import re
from dataclasses import fields
from functools import partial

import numpy as np
import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import method, tasks
from unidoku.counting import Solutions
from unidoku.craft.request import Request, RequestFields
from unidoku.options import Options
from unidoku.stepper import Session
from unidoku.tasks import Check, Convert, Rate
from unidoku.view import svg

OUT_OF_RANGE = {
    "below": [1, 30],
    "budget": [0, -1, 2**64],
    "count": [-1],
    "errors": ["ignore"],
    "lang": ["xx", ""],
    "limit": [0, -1],
    "seed": [-1, 2**64],
    "threads": [0, -1, 4097],
}
"""Wrong values of a parameter with this name."""

ARGUMENTS = {
    "run": {"task": Check(), "inputs": "in.txt", "output": "out.csv"},
    "run_many": {"task": Check(), "puzzles": [PUZZLE]},
    "generate": {"count": 1, "seed": 1},
    "split_file": {"inputs": "in.txt", "outputs": ["a.txt", "b.txt"], "seed": 1},
    "transform": {"puzzle": PUZZLE, "transformation": unidoku.Transformation.rotation(90)},
    "transform_many": {"puzzles": [PUZZLE], "transformations": unidoku.Transformation.rotation(90)},
    "cells": {"puzzles": [PUZZLE]},
    "lines": {"puzzles": [PUZZLE]},
    "audit_files": {"inputs": "in.txt"},
    "check_file": {"inputs": "in.txt", "output": "out.csv"},
    "verify": {"puzzle": PUZZLE, "prediction": PUZZLE},
    "verify_many": {"puzzles": [PUZZLE], "predictions": [PUZZLE]},
}
"""The arguments of functions that need more than a puzzle or puzzles."""

CALLS = [
    (name, parameter)
    for name in unidoku.__all__
    if inspect.isfunction(inspect.unwrap(getattr(unidoku, name)))
    for parameter in (*inspect.signature(getattr(unidoku, name)).parameters, "threads")
    if parameter in OUT_OF_RANGE and (parameter != "threads" or name in {"run", "check_file", "count"})
]


@pytest.mark.parametrize(("name", "parameter"), CALLS)
def test_an_error_names_the_parameter_and_leaves_no_file(name, parameter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    usual = {"puzzles": [PUZZLE]} if name.endswith("_many") else {"puzzle": PUZZLE}
    for value in OUT_OF_RANGE[parameter]:
        with pytest.raises(ValueError, match=f"{parameter}|language"):
            getattr(unidoku, name)(**ARGUMENTS.get(name, usual) | {parameter: value})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", tasks.__all__)
def test_a_parameter_of_a_task_out_of_range_is_named(name):
    kind, arguments = getattr(tasks, name), {"request": Request()} if name == "Generate" else {}
    for field in fields(kind):
        for value in OUT_OF_RANGE.get(field.name, []):
            with pytest.raises(ValueError, match=f"{field.name}|language"):
                kind(**arguments | {field.name: value})


@pytest.mark.parametrize("value", [-1, 2**64])
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("steps", lambda value: Session(PUZZLE).run_until(value)),
        ("solutions", lambda value: list(Session(PUZZLE).stream(solutions=value))),
        ("units", lambda value: list(Session(PUZZLE).stream(units=value))),
        ("mode", lambda value: Session(PUZZLE, mode=value)),
        ("presets", lambda value: method.classify_many([PUZZLE], presets=value)),
        ("presets", lambda value: method.explain(PUZZLE, presets=value)),
    ],
)
def test_steps_modes_and_presets(name, call, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        call(value)


@pytest.mark.parametrize("number", [np.uint8(255), np.int16(255), np.array(255, np.uint8)])
def test_a_small_number_of_numpy_counts_beyond_its_type(number):
    assert len(unidoku.generate(number, seed=1)) == 255
    puzzle = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    assert unidoku.count(puzzle, limit=number) == unidoku.diagnose(puzzle, limit=number).count == 2
    assert unidoku.check(PUZZLE, budget=number) == unidoku.check(PUZZLE, budget=2**64 - 1)
    size = np.uint8(1)
    assert [*unidoku.neighbours(PUZZLE, remove=size, add=size)] == [*unidoku.neighbours(PUZZLE)]


def test_options_are_scalars_of_numpy_too(tmp_path):
    (tmp_path / "in.csv").write_text(f"puzzle,id\n{PUZZLE},7\n")
    task = Rate(below=np.float32(4.5))
    unidoku.run(task, tmp_path / "in.csv", tmp_path / "out.csv", columns=["id", "er"], threads=np.int8(1))
    assert (tmp_path / "out.csv").read_text() == f"id,er\n7,{unidoku.rate(PUZZLE, below=4.5).er}\n"
    assert unidoku.rate(PUZZLE, below=np.float32(4.5)) == unidoku.rate(PUZZLE, below=4.5)


def test_an_input_or_output_without_a_name_is_not_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(f"{PUZZLE}\n")
    with pytest.raises(unidoku.InputError, match="No such file"):
        unidoku.check_file("")
    with pytest.raises(unidoku.UnidokuError, match="the name of the output is empty"):
        unidoku.run(Convert(), "a.txt", "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def literals():
    """The parameters of public functions that take one of some words, with the words."""
    for name in unidoku.__all__:
        function = inspect.unwrap(getattr(unidoku, name))
        if not inspect.isfunction(function):
            continue
        for parameter, text in function.__annotations__.items():
            kinds = {"Language": ("en", "zh"), "Form": ("minlex", "solution")}
            if "Literal" in text:
                yield name, parameter, tuple(re.findall(r"['\"](\w+)['\"]", text))
            elif text in kinds:
                yield name, parameter, kinds[text]


WORDS = [
    *(word for word in literals() if word[1] != "keep"),  # also names of columns
    *[("generate", name, ()) for name in ("difficulty", "symmetry", "technique")],
    ("link", "site", ("sudokuwiki",)),
    ("read", "format", ("csv", "parquet")),
    ("check_file", "to", ("csv", "parquet")),
]


@pytest.mark.parametrize(("name", "parameter", "choices"), WORDS)
def test_a_wrong_word_is_a_value_error_that_names_the_choices(
    name, parameter, choices, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    usual = {"puzzles": [PUZZLE]} if name.endswith("_many") else {"puzzle": PUZZLE}
    arguments = ARGUMENTS | {"read": {"inputs": io.BytesIO(PUZZLE.encode())}}
    call = partial(getattr(unidoku, name), **arguments.get(name, usual) | {parameter: "nonsense"})
    with pytest.raises(ValueError, match="nonsense") as error:
        list(call())  # it may be an iterator
    named = re.findall(r"[\w-]+", str(error.value))
    assert len(named) > 3
    assert set(choices) <= set(named)


@pytest.mark.parametrize(
    ("make", "choices"),
    [
        (lambda: method.Order(units=("row", "column", "nonsense")), {"row", "column", "box"}),
        (lambda: method.Order(theorems=(2, 3, "nonsense")), {"2", "3", "4"}),
        (lambda: unidoku.Verdict("nonsense"), {"none", "unique", "multiple", "unknown", "invalid"}),
        (lambda: unidoku.Transformation.reflection("nonsense"), {"horizontal", "antidiagonal"}),
        (lambda: Request(difficulty="nonsense"), {"beginner", "easy", "extreme"}),
        (lambda: tasks.Canonical(form="nonsense"), {"minlex", "solution"}),
        (lambda: method.explain(PUZZLE, method.Order(units=("row", "row", "box"))), {"row", "column", "box"}),
    ],
)
def test_a_wrong_word_of_an_object_is_an_error_that_names_the_choices(make, choices):
    with pytest.raises(ValueError, match=r"nonsense|once") as error:
        make()
    assert choices <= set(re.findall(r"\w+", str(error.value)))


class Nothing:
    """A value of a wrong type for every parameter."""


WRONG_TYPES = {
    "run": ("task", "inputs", "output", *(field.name for field in fields(Options))),
    "run_many": ("task", "columns", "threads", "cancel"),
    "read": ("inputs", "on_failure", "keep"),
    "split_file": ("inputs", "outputs", "fractions", "seed", "threads", "progress"),
    "audit_files": ("inputs", "threads", "cancel", "on_failure"),
    "check_file": ("inputs", "output", "limit", "columns", "where", "resume", "threads"),
    "generate": ("count", "seed", "attempts", "threads", "cancel", *RequestFields.__annotations__),
    "rate": ("below", "cancel"),
    "rate_many": ("below", "threads", "cancel"),
    "count": ("limit", "budget", "threads", "cancel", "progress"),
    "neighbours": ("remove", "add", "cancel"),
    "transform": ("transformation", "cancel"),
    "transform_many": ("transformations", "threads", "cancel"),
    "canonical": ("cancel",),
    "diagnose": ("limit", "cancel"),
    "explain": ("cancel",),
    "minimize": ("seed", "cancel"),
    "trace": ("mode", "steps"),
}
"""Parameters of functions that take values of few types."""


def consume(result):
    """Take the first item of a generator, which begins to work then."""
    return next(result)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name, parameters in WRONG_TYPES.items()
        for parameter in parameters
        if parameter not in {"format", "column", "to", "cluster", "solution", "minimal", "symmetry"}
    ],
)
def test_a_value_of_a_wrong_type_is_a_type_error_with_a_sentence(name, parameter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    usual = {"puzzles": [PUZZLE]} if name.endswith("_many") else {"puzzle": PUZZLE}
    arguments = {**ARGUMENTS, "read": {"inputs": "in.txt"}, "trace": usual}.get(name, usual)
    sentence = rf"{parameter}.* must be (a|an|True) .*, not <\S*Nothing object"
    with pytest.raises(TypeError, match=sentence):
        consume(getattr(unidoku, name)(**arguments | {parameter: Nothing()}))
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [
        ("where", ["er=7-9"], r"where must be a text such as 'er=7-9' or a dict .*, not \['er=7-9'\]"),
        ("where", 3, "where must be a text .*, not 3"),
        ("resume", 2, "resume must be True or False, not 2"),
        ("columns", [3], r"columns must be a word or an iterable of words, not \[3\]"),
        ("threads", "2", "threads must be an integer, not '2'"),
        ("task", Check, r"task must be a task such as unidoku.tasks.Check\(\), not <class"),
        ("task", "rate", "task must be a task such as .*, not 'rate'"),
        ("output", ["out.csv"], r"output must be a path or a Writer, not \['out.csv'\]"),
        ("cancel", True, "cancel must be a Cancel, not True"),
    ],
)
def test_what_a_run_expects_and_what_it_was_given(parameter, value, expected):
    with pytest.raises(TypeError, match=expected):
        unidoku.run(**{"task": Rate(), "inputs": io.BytesIO(PUZZLE.encode()), parameter: value})


def test_one_text_is_no_list_of_names():
    with pytest.raises(TypeError, match="columns must be an iterable of names, not 'er'"):
        unidoku.run_many(Rate(), [PUZZLE], columns="er")
    with pytest.raises(TypeError, match="outputs must be an iterable of paths, not 'ab'"):
        unidoku.split_file(io.BytesIO(PUZZLE.encode()), "ab")


@pytest.mark.parametrize("value", [2.5, "1"])
def test_part_of_a_clue_is_not_added(value):
    """2.5 clues took for ever."""
    with pytest.raises(TypeError, match="add must be an integer"):
        unidoku.neighbours(PUZZLE, add=value)


@pytest.mark.parametrize("predictions", [3, "3", Nothing()])
def test_what_is_no_sequence_has_no_predictions(predictions):
    with pytest.raises(unidoku.InvalidPuzzleError, match="predictions are a sequence or an array"):
        unidoku.verify_many([PUZZLE], predictions)


@pytest.mark.parametrize("solutions", [3, [PUZZLE], [[1.5] * 81], np.zeros((2, 81), np.uint8)])
def test_solutions_of_another_shape_or_type(solutions):
    with pytest.raises(unidoku.UnidokuError, match=r"solutions must be integers of shape \(1, 81\)"):
        unidoku.canonical_many([PUZZLE], form="solution", solutions=solutions)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: unidoku.check_many([PUZZLE])["verdict"],
            "row of a result must be an integer, not 'verdict'",
        ),
        (lambda: unidoku.Transformation.rotation("90"), "degrees must be an integer, not '90'"),
        (lambda: unidoku.Transformation(rows=1), "rows must be a sequence of integers, not 1"),
        (lambda: unidoku.Transformation.bands([0, 1, 2.5]), "order must be an integer, not 2.5"),
        (
            lambda: unidoku.transform_many([PUZZLE], np.array([1.5])),
            r"transformations must be .*, not array\(\[",
        ),
        (
            lambda: unidoku.transform_many([PUZZLE], np.array(["x"])),
            "transformations must be a Transformation",
        ),
        (lambda: unidoku.generate(1, seed=1, accept=lambda _: "no"), r"accept returns must be bool\[1\]"),
        (lambda: unidoku.generate(1, seed=1, accept=lambda rows: rows), r"accept returns must be bool\[1\]"),
        (
            lambda: unidoku.generate(1, clues=(20,)),
            r"clues must be a number, or the lowest and .* not \(20,\)",
        ),
        (lambda: svg(PUZZLE, size="x"), "size must be an integer, not 'x'"),
        (lambda: svg(PUZZLE, fill=["green"]), "fill must be a mapping of cells to colors"),
        (lambda: svg(PUZZLE, title=3), "title must be a text, not 3"),
        (lambda: method.explain(PUZZLE, order=3), "order must be an Order, not 3"),
        (lambda: Solutions("." * 81).take([1.5]), "must be an integer, not 1.5"),
    ],
)
def test_a_wrong_type_deep_in_a_call_is_named_too(call, message):
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: unidoku.split_file("in.txt", []), "outputs has no path"),
        (lambda: unidoku.Transformation.from_index(2**63), "must be 0 to 1218998108159, not"),
        (lambda: svg(PUZZLE, size=0), "size must be 1 to"),
        (lambda: Rate(below="x"), "below: 'x' is not a valid number"),
        (lambda: unidoku.generate(1, pattern=[*range(20), 99]), "pattern must be 0 to 80, not 99"),
    ],
)
def test_a_wrong_value_deep_in_a_call_is_named_too(call, message):
    with pytest.raises(unidoku.UnidokuError, match=message):
        call()


@pytest.mark.parametrize("row", [1, -2])
def test_a_row_that_a_result_has_not(row):
    result = unidoku.check_many([PUZZLE])
    assert result[np.int64(0)] == result[-1]
    with pytest.raises(IndexError, match=f"there is no row {row}; the result has 1"):
        result[row]


@pytest.mark.parametrize("number", [float, np.float64, np.float32, int, np.int64, np.uint8])
def test_a_pair_of_numbers_is_a_range_whatever_their_type(number, tmp_path):
    """As two values it would lose rows."""
    rows = unidoku.run(
        Rate(), io.BytesIO(PUZZLE.encode()), tmp_path / "o.csv", where={"er": (number(1), number(2))}
    )
    assert rows.written == 1
    other = unidoku.run(
        Rate(), io.BytesIO(PUZZLE.encode()), tmp_path / "o.csv", where={"er": (number(2), None)}
    )
    assert other.written == 0


def test_a_pair_of_verdicts_is_no_range(tmp_path):
    pair = (unidoku.Verdict.NONE, unidoku.Verdict.MULTIPLE)
    for verdicts, count in ((pair, 0), ((*pair, unidoku.Verdict.UNIQUE), 1)):
        rows = unidoku.run(
            Check(), io.BytesIO(PUZZLE.encode()), tmp_path / "o.csv", where={"verdict": verdicts}
        )
        assert rows.written == count


def test_names_are_texts_of_numpy_too(tmp_path):
    names = np.array(["verdict", "count"])
    unidoku.run(Check(), io.BytesIO(PUZZLE.encode()), tmp_path / "o.csv", columns=names)
    assert (tmp_path / "o.csv").read_text() == "verdict,count\nunique,1\n"


def test_ranges_are_for_tasks_that_make_puzzles():
    with pytest.raises(unidoku.UnidokuError, match="task check reads files, and makes nothing from ranges"):
        unidoku.run(Check(), [range(5)])
    with pytest.raises(unidoku.UnidokuError, match=r"^expected a column prediction, answer"):
        unidoku.run_many(tasks.Verify(), [PUZZLE])


@pytest.mark.parametrize(
    ("values", "ids"),
    [
        ((1e-7, 2), "1e-06 1"),
        ((1, float("inf")), "1 100000000000000000000"),
        ((-3, -1), "-2"),
        (1e20, "100000000000000000000"),
        ([1e-6, np.float32(1)], "1e-06 1"),
    ],
)
def test_numbers_with_an_exponent_choose_rows_of_the_input(values, ids, tmp_path):
    numbers = ["1e-06", "1", "100000000000000000000", "-2"]
    lines = ["puzzle,id", *(f"{PUZZLE},{number}" for number in numbers)]
    (tmp_path / "in.csv").write_text("\n".join(lines))
    unidoku.run(Convert(), tmp_path / "in.csv", tmp_path / "o.csv", where={"id": values}, columns=["id"])
    assert (tmp_path / "o.csv").read_text().split() == ["id", *ids.split()]


@pytest.mark.parametrize(
    ("values", "error"),
    [((float("nan"), 2), ValueError), (float("-inf"), ValueError), (b"17", TypeError), ({1: 2}, TypeError)],
)
def test_what_chooses_no_rows_is_refused(values, error):
    with pytest.raises(error, match=r"where: nan is not|where: -inf is not|where must be a text"):
        unidoku.run(Convert(), io.BytesIO(PUZZLE.encode()), where={"id": values})
