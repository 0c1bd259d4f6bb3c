"""Wrong arguments: calls, each with its class of error and what the message names, before any work."""

import inspect
import io
import re
from dataclasses import fields

import numpy as np
import pytest
from cases import in_turn
from example_puzzles import UNIQUE as PUZZLE
from public import FUNCTIONS

import unidoku
from unidoku import Transformation, UnidokuError, method, tasks
from unidoku._options import Options
from unidoku.counting import Solutions
from unidoku.craft._request import Request, RequestFields
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
    "read": {"inputs": "in.txt"},
}
"""The arguments of functions that need more than a puzzle or puzzles."""

CALLS = [
    (name, parameter)
    for name, function in FUNCTIONS.items()
    for parameter in (*inspect.signature(function).parameters, "threads")
    if parameter in OUT_OF_RANGE and (parameter != "threads" or name in {"run", "check_file", "count"})
]


def call(name, /, **values):
    """Call a public function with usual arguments but for some; take the first item of an iterator."""
    usual = {"puzzles": [PUZZLE]} if name.endswith("_many") else {"puzzle": PUZZLE}
    result = FUNCTIONS[name](**ARGUMENTS.get(name, usual) | values)
    return next(result, None) if hasattr(result, "__next__") else result


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with an input, which a wrong call leaves as it is."""
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@in_turn
@pytest.mark.parametrize(("name", "parameter"), CALLS)
def test_an_error_names_the_parameter_and_leaves_no_file(name, parameter, folder):
    for value in OUT_OF_RANGE[parameter]:
        with pytest.raises(ValueError, match=f"{parameter}|language"):
            call(name, **{parameter: value})
    assert [path.name for path in folder.iterdir()] == ["in.txt"]


@in_turn
@pytest.mark.parametrize("name", tasks.__all__)
def test_a_parameter_of_a_task_out_of_range_is_named(name):
    kind, arguments = getattr(tasks, name), {"request": Request()} if name == "Generate" else {}
    for field in fields(kind):
        for value in OUT_OF_RANGE.get(field.name, []):
            with pytest.raises(ValueError, match=f"{field.name}|language"):
                kind(**arguments | {field.name: value})


def literals():
    """The parameters of public functions that take one of some words, with the words."""
    for name, function in FUNCTIONS.items():
        for parameter, text in inspect.unwrap(function).__annotations__.items():
            kinds = {"Language": ("en", "zh")}
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


@in_turn
@pytest.mark.parametrize(("name", "parameter", "choices"), WORDS)
def test_a_wrong_word_is_a_value_error_that_names_the_choices(name, parameter, choices):
    with pytest.raises(ValueError, match="nonsense") as error:
        call(name, **{parameter: "nonsense"})
    named = re.findall(r"[\w-]+", str(error.value))
    assert len(named) > 3
    assert set(choices) <= set(named)


@in_turn
@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (lambda: unidoku.check_many([PUZZLE], errors=3), "errors must be 'raise' or 'invalid', not 3"),
        (lambda: unidoku.hint(PUZZLE, lang=3), "language must be 'en' or 'zh', not 3"),
        (lambda: unidoku.generate(symmetry=90), "symmetry must be the text '90', not 90"),
        (lambda: Convert(unique=True), "unique must be 'text' or 'canonical', not True"),
    ],
)
def test_another_value_than_a_word_is_a_type_error(wrong, named):
    with pytest.raises(TypeError, match=re.escape(named)):
        wrong()


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


@in_turn
@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name, parameters in WRONG_TYPES.items()
        for parameter in parameters
        if parameter
        not in {"format", "column", "to", "rejects", "cluster", "solution", "minimal", "symmetry"}
    ],
)
def test_a_value_of_a_wrong_type_is_a_type_error_with_a_sentence(name, parameter, folder):
    with pytest.raises(TypeError, match=rf"{parameter}.* must be (a|an|True) .*, not <\S*Nothing object"):
        call(name, **{parameter: Nothing()})
    assert [path.name for path in folder.iterdir()] == ["in.txt"]


def run(**values):
    return unidoku.run(**{"task": Rate(), "inputs": io.BytesIO(PUZZLE.encode())} | values)


@in_turn
@pytest.mark.parametrize(
    ("call", "kind", "named"),
    [
        # parameters of a run
        (lambda: run(where=["er=7-9"]), TypeError, "where must be a text such as 'er=7-9' or a dict"),
        (lambda: run(where={"id": {1: 2}}), TypeError, "where"),
        (lambda: run(where={"er": (float("nan"), 2)}), ValueError, "'NaN-2' is not"),
        (lambda: run(resume=2), TypeError, "resume must be True or False, not 2"),
        (lambda: run(columns=[3]), TypeError, "columns must be a word or an iterable of words"),
        (lambda: run(task=Check), TypeError, "task must be a task such as unidoku.tasks.Check"),
        (lambda: run(output=["out.csv"]), TypeError, "output must be a path or a Writer"),
        (lambda: run(inputs=[range(5)]), UnidokuError, "found range"),
        (lambda: unidoku.check_file(""), unidoku.InputError, "No such file"),
        (
            lambda: unidoku.run(Convert(), "in.txt", ""),
            UnidokuError,
            "the name of the output is empty; write a path",
        ),
        # one text is no list of names
        (lambda: unidoku.run_many(Rate(), [PUZZLE], columns="er"), TypeError, "columns must be an iterable"),
        (
            lambda: unidoku.learning.split_file("in.txt", "ab"),
            TypeError,
            "outputs must be an iterable of paths",
        ),
        (
            lambda: unidoku.learning.split_file("in.txt", []),
            UnidokuError,
            "outputs is empty; give at least one path",
        ),
        # numbers
        (lambda: unidoku.neighbours(PUZZLE, add=2.5), TypeError, "add must be an integer"),  # took for ever
        (lambda: Session(PUZZLE).run_until(-1), ValueError, "steps must be"),
        (lambda: list(Session(PUZZLE).stream(solutions=2**64)), ValueError, "solutions must be"),
        (lambda: Session(PUZZLE, mode=-1), ValueError, "mode must be"),
        (lambda: method.explain(PUZZLE, presets=-1), ValueError, "presets must be"),
        (lambda: svg(PUZZLE, size=0), UnidokuError, "size must be 1 to"),
        (lambda: Rate(below="x"), UnidokuError, "below: 'x' is not a valid number"),
        (lambda: unidoku.generate(1, clues=(20,)), TypeError, "clues must be a number, or the lowest and"),
        (
            lambda: unidoku.generate(1, pattern=[*range(20), 99]),
            UnidokuError,
            "pattern must be 0 to 80, not 99",
        ),
        (lambda: Solutions("." * 81).take([1.5]), TypeError, "must be an integer, not 1.5"),
        # words of objects
        (lambda: method.Order(units=("row", "column", "nonsense")), ValueError, "box"),
        (lambda: method.explain(PUZZLE, method.Order(units=("row", "row", "box"))), ValueError, "once"),
        (lambda: method.explain(PUZZLE, order=3), TypeError, "order must be an Order"),
        (lambda: svg(PUZZLE, fill=["green"]), TypeError, "fill must be a mapping of cells to colors"),
        # transformations
        (lambda: Transformation.reflection("nonsense"), ValueError, "antidiagonal"),
        (lambda: Transformation(rows=1), TypeError, "rows must be a sequence of integers"),
        (lambda: Transformation.bands([0, 1, 2.5]), TypeError, "order must be an integer, not 2.5"),
        (lambda: Transformation.from_index(2**63), UnidokuError, "must be 0 to 1218998108159"),
        (
            lambda: unidoku.craft.transform_many([PUZZLE], np.array([1.5])),
            TypeError,
            "transformations must be",
        ),
        # what is beside puzzles
        (
            lambda: unidoku.verify_many([PUZZLE], 3),
            unidoku.InvalidPuzzleError,
            "predictions must be a sequence",
        ),
        (lambda: unidoku.run_many(tasks.Verify(), [PUZZLE]), UnidokuError, "the puzzles have no answers"),
        (
            lambda: unidoku.generate(1, seed=1, accept=lambda _: "no"),
            TypeError,
            "accept returns must be bool",
        ),
        (lambda: unidoku.check_many([PUZZLE])["verdict"], TypeError, "row of a result must be an integer"),
        (lambda: unidoku.check_many([PUZZLE])[1], IndexError, "there is no row 1; the result has 1"),
    ],
)
def test_a_wrong_call(call, kind, named):
    with pytest.raises(kind) as error:
        call()
    assert named in str(error.value)


@in_turn
@pytest.mark.parametrize("number", [np.uint8(255), np.int16(255), np.array(255, np.uint8)])
def test_a_small_number_of_numpy_counts_beyond_its_type(number):
    assert len(unidoku.generate(number, seed=1)) == 255
    puzzle = "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........"
    assert unidoku.count(puzzle, limit=number) == unidoku.diagnose(puzzle, limit=number).count == 2
    size = np.uint8(1)
    assert [*unidoku.neighbours(PUZZLE, remove=size, add=size)] == [*unidoku.neighbours(PUZZLE)]


@in_turn
@pytest.mark.parametrize("number", [float, np.float64, np.float32, int, np.uint8])
def test_a_pair_of_numbers_is_a_range_whatever_their_type(number):
    """As two values it would lose rows; a pair of words is two."""
    assert run(output="o.csv", where={"er": (number(1), number(2))}).written == 1
    assert run(output="o.csv", where={"er": (number(2), None)}).written == 0
    for verdicts, count in ((["none", "multiple"], 0), (["none", "unique"], 1)):
        pair = tuple(map(unidoku.Verdict, verdicts))
        assert run(task=Check(), output="o.csv", where={"verdict": pair}).written == count


def test_options_are_scalars_and_texts_of_numpy_too(folder):
    task, names = Rate(below=np.float32(4.5)), np.array(["line", "er"])
    unidoku.run(task, "in.txt", "out.csv", columns=names, threads=np.int8(1))
    assert (folder / "out.csv").read_text() == f"line,er\n1,{unidoku.rate(PUZZLE, below=4.5).er}\n"


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
def test_numbers_with_an_exponent_choose_rows_of_the_input(values, ids, folder):
    lines = ["puzzle,id", *(f"{PUZZLE},{number}" for number in "1e-06 1 100000000000000000000 -2".split())]
    (folder / "in.csv").write_text("\n".join(lines))
    unidoku.run(Convert(), "in.csv", "o.csv", where={"id": values}, columns=["id"])
    assert (folder / "o.csv").read_text().split() == ["id", *ids.split()]
