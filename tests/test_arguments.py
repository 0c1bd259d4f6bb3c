"""Numbers that no function accepts are ValueErrors everywhere."""

import inspect
import math
from itertools import islice

import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku
from unidoku import method
from unidoku.stepper import Session

ABSURD = [0, -1, 2.5, 2.0, float("nan"), float("inf"), True, "2", 2**64, 10**30, b"1", [1]]


@pytest.mark.parametrize("name", ["limit", "budget", "threads", "max_size", "part_bytes"])
def test_check_file_refuses_them_before_it_reads(name):
    for value in ABSURD:
        with pytest.raises(ValueError, match=f"{name} must be"):
            unidoku.check_file("there is no such file", **{name: value})


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
    if value is not None:
        with pytest.raises(ValueError, match="steps must be"):
            session.back_to(value)


WRONG = [-1, 1.5, math.nan, math.inf, 10**30, "nonsense", "", "\ud800", b"\xff", [], {}, [[]], int, None]
"""Values that few parameters accept; a call that accepts one gives a result."""

GIVEN = {
    "generate": {"count": 1, "seed": 1},
    "split_file": {"inputs": "in.txt", "outputs": ["a.txt", "b.txt"], "seed": 1},
    "transform": {"puzzle": PUZZLE, "transformation": unidoku.Transformation.rotation(90)},
    "transform_many": {"puzzles": [PUZZLE], "transformations": unidoku.Transformation.rotation(90)},
    "variants": {"puzzle": PUZZLE, "count": 2},
    "verify": {"puzzle": PUZZLE, "prediction": PUZZLE},
    "verify_many": {"puzzles": [PUZZLE], "predictions": [PUZZLE]},
}
"""The arguments of functions that need more than a puzzle, puzzles or files."""

OPTIONS = ("format", "column", "max_size", "to", "threads", "part_bytes", "progress", "cancel")
REQUESTS = "clues symmetry pattern solution rating difficulty technique classes steps".split()
FUNCTIONS = [
    name
    for name in unidoku.__all__
    if inspect.isfunction(inspect.unwrap(getattr(unidoku, name)))
    and name not in {"check_table", "generate_file", "option", "run_file", "run_many", "verify_file"}
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_wrong_argument_is_an_error_of_unidoku(name, tmp_path, monkeypatch):
    """A wrong value is a `UnidokuError`, a wrong type a `UnidokuError` or a TypeError, and nothing else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text(f"{PUZZLE}\n")
    function = getattr(unidoku, name)
    kind = name.rpartition("_")[2]
    usual = {"many": {"puzzles": [PUZZLE]}, "file": {"inputs": "in.txt", "output": "out.csv"}}
    given = GIVEN.get(name, usual.get(kind, {"puzzle": PUZZLE}))
    names = [each.name for each in inspect.signature(function).parameters.values()]
    names += {"generate": REQUESTS}.get(name, OPTIONS if kind == "file" else [])
    for parameter in names:
        for value in WRONG:
            if parameter in {"count", "limit"} and value == 10**30:
                continue  # a very long run
            try:
                found = function(**given | {parameter: value})
                if hasattr(found, "__next__"):
                    list(islice(found, 2))
            except (unidoku.UnidokuError, TypeError):
                pass
            except Exception as error:
                raise AssertionError(f"{name}({parameter}={value!r})") from error


def test_a_flag_that_is_none_is_refused_before_anything_is_done(tmp_path):
    for call in (
        lambda: unidoku.check(PUZZLE, cancel=1),
        lambda: unidoku.solutions(PUZZLE, cancel=1),
        lambda: unidoku.count("." * 81, cancel=1),
        lambda: unidoku.check_many([PUZZLE], cancel=1),
        lambda: unidoku.rate(PUZZLE, cancel=1),
        lambda: unidoku.convert_file(tmp_path, tmp_path / "out.txt", cancel=1),
    ):
        with pytest.raises(unidoku.UnidokuError, match=r"cancel must be a unidoku\.Cancel, not 1"):
            call()
    assert not list(tmp_path.iterdir())


def test_an_input_or_output_without_a_name_is_not_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(f"{PUZZLE}\n")
    with pytest.raises(unidoku.InputError, match="No such file"):
        unidoku.check_file("")
    with pytest.raises(unidoku.UnidokuError, match="the name of the output is empty"):
        unidoku.convert_file("a.txt", "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
