"""The classes of errors: what `except` catches."""

from __future__ import annotations

import ast
import copy
import io
import pickle
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import in_turn
from example_puzzles import UNIQUE

import unidoku
from unidoku import tasks
from unidoku.craft import AttemptsError
from unidoku.errors import CODES, InvalidPuzzleError, Reason, UnidokuError
from unidoku.stepper import GuessError
from unidoku.tasks import _verify as verify

PAGE = Path(__file__).parents[1] / "docs/python.md"
PUZZLE = "." * 81


def rows_of_page() -> list[list[str]]:
    """Return the cells of the table of errors."""
    table = PAGE.read_text(encoding="utf-8").partition("| exception | also a |")[2].partition("\n\n")[0]
    return [[cell.strip("` ") for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def subclasses(kind: type[UnidokuError]) -> list[type[UnidokuError]]:
    """Return a class and the classes below it, without those that tests have made."""
    found = [kind, *(each for child in kind.__subclasses__() for each in subclasses(child))]
    return [each for each in found if each.__module__.startswith("unidoku")]


NOTES = {"ArchiveNote", "LateKeysNote", "NoPuzzlesError"}
"""What only the notes and failures of a summary have; each is a `FormatError`."""


def public_names() -> dict[str, type[UnidokuError]]:
    """Return the errors of the package as the page names them."""
    names, _ = {}, (unidoku.craft.AttemptsError, unidoku.stepper.GuessError)  # now they are imported
    for kind in subclasses(UnidokuError):
        package = kind.__module__.removeprefix("unidoku.")
        place = f"{package}." if package in {"craft", "stepper"} else "errors."
        if kind.__name__ not in NOTES:
            names["" if kind.__name__ in unidoku.__all__ else place, kind.__name__] = kind
    return {"".join(parts): kind for parts, kind in names.items()}


def test_the_page_has_every_error_before_its_base_classes():
    names, public = [name for name, *_ in rows_of_page() if name], public_names()
    assert {*names} == {*public}
    errors = [public[name] for name in names]
    assert all(not issubclass(later, error) for k, error in enumerate(errors) for later in errors[k + 1 :])


def test_a_traceback_names_the_module_that_has_the_error():
    modules = {"unidoku", *(f"unidoku.{name}" for name in unidoku._MODULES)}
    assert {kind.__module__ for kind in public_names().values()} <= modules


def test_the_page_has_the_builtin_base_of_every_error():
    bases = (ValueError, TypeError, TimeoutError, OSError, ImportError)
    for name, also, *_ in rows_of_page():
        if name:
            base = next((base for base in bases if issubclass(public_names()[name], base)), None)
            assert (name, also.split("`")[0]) == (name, base.__name__ if base else "")


def test_a_search_that_stopped_is_among_the_errors_of_the_system():
    """As the page says: Python makes it so."""
    assert issubclass(unidoku.SearchStoppedError, OSError)
    assert "`TimeoutError`, and so an `OSError`" in PAGE.read_text(encoding="utf-8")


@in_turn
@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        (lambda: unidoku.count(PUZZLE, timeout=0), {TimeoutError, OSError}),  # a TimeoutError is an OSError
        (lambda: unidoku.count(PUZZLE, budget=5), {TimeoutError, OSError}),
        (lambda: unidoku.check("53..7"), {ValueError}),
        (lambda: unidoku.rate(PUZZLE), {ValueError}),
        (lambda: unidoku.generate(clues=90), {ValueError}),
        (lambda: unidoku.check_file("missing.txt"), {OSError}),
    ],
)
def test_a_call_raises_one_of_pythons_errors(call, kinds):
    with pytest.raises(UnidokuError) as caught:
        call()
    assert {kind for kind in (ValueError, TimeoutError, OSError) if isinstance(caught.value, kind)} == kinds


ERRORS = [kind for kind in subclasses(UnidokuError) if kind.__module__ == "unidoku.errors"]


@in_turn
@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_is_copied_as_it_is(kind):
    error = kind(5) if kind is unidoku.SearchStoppedError else kind("a reason")
    error.file, error.line = "in.csv", 3
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(other), str(other), vars(other)) == (kind, str(error), vars(error))
    assert re.match(r"in\.csv:3: ", str(error))


REASONS = [
    ("53..7", "wrong_length"),
    ("." * 40 + "g" + "." * 40, "wrong_symbol"),
    ("", "no_puzzle"),
    ("<html><body>news</body></html>", "no_puzzle"),
    (f"{'1' + '.' * 80}\n\n{'2' + '.' * 80}", "two_boards"),
    ("1" * 70_000, "too_long"),
    ("https://sudokupad.app/clover/dec-7", "unsupported"),
    ("\n".join(["1 2 3 4 5 6 7 8 9", *["1 . . . . . . . 9"] * 8]), "unclear"),
    (5, "wrong_type"),
    ({}, "wrong_type"),
    (None, "no_puzzle"),
    ([[1, 2], [3]], "wrong_length"),
    ([0.5] * 81, "wrong_symbol"),
]


@in_turn
@pytest.mark.parametrize(("text", "code"), REASONS, ids=lambda value: str(value)[:12])
def test_a_text_that_is_no_puzzle_has_a_code(text, code):
    with pytest.raises(unidoku.InvalidPuzzleError) as caught:
        unidoku.check(text)
    assert (caught.value.code, caught.value.reason.code) == (code, code)


@in_turn
@pytest.mark.parametrize(
    "call",
    [
        lambda: unidoku.check(UNIQUE, budgt=1),
        lambda: unidoku.generate(n=5),
        lambda: tasks.Rate(bellow=3),
        lambda: unidoku.Cancel(limit=3),
        lambda: unidoku.check_many([UNIQUE])["verdict"],
        lambda: [*next(unidoku.read(io.BytesIO(UNIQUE.encode())))],
    ],
)
def test_a_wrong_type_and_an_unknown_option_have_a_code(call):
    with pytest.raises(TypeError) as caught:
        call()
    assert caught.value.code == "wrong_type"


def codes_of(reasons: Iterable[Any]) -> list[str]:
    return [reason.code for reason in reasons]


def test_puzzles_and_answers_have_codes():
    cancel = unidoku.Cancel()
    cancel.set()
    reasons = {
        **unidoku.rate_many(["11" + "." * 79, PUZZLE]).reasons,
        2: unidoku.rate_many([UNIQUE], cancel=cancel).reasons[0],
    }
    assert codes_of(reasons.values()) == ["no_solution", "several_solutions", "cancelled"]
    reasons = [row.reason for row in unidoku.verify_many([UNIQUE] * 2, ["", "I give up"])] + [
        *verify._REASONS
    ]
    assert codes_of(reasons) == ["no_answer", "no_grid", *["wrong_answer"] * 3]
    answers = [{"first": "2" * 81, "second": "1" * 81}, UNIQUE[:-3]]
    reasons = [row.reason for row in unidoku.verify_many([UNIQUE] * 2, answers)]
    assert codes_of(reasons) == ["several_answers", "no_grid"]


def test_rows_have_codes_next_to_reasons(tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{UNIQUE[:9]}\n{'g' * 81}\n")
    options = {"columns": ["line", "reason_code"], "where": "reason_code=wrong_length,wrong_symbol"}
    unidoku.run(
        tasks.Rate(), tmp_path / "in.txt", tmp_path / "out.csv", rejects=tmp_path / "bad.csv", **options
    )
    assert (tmp_path / "out.csv").read_text().split() == [
        "line,reason_code",
        "2,wrong_length",
        "3,wrong_symbol",
    ]
    assert [line.rpartition(",")[2] for line in (tmp_path / "bad.csv").read_text().split("\n")[1:3]] == [
        "wrong_length",
        "wrong_symbol",
    ]


def test_a_summary_counts_reasons_by_code(tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{UNIQUE[:9]}\n{'g' * 81}\n{UNIQUE[:8]}\n{'.' * 81}\n")
    counts = {"wrong_length": 2, "wrong_symbol": 1, "several_solutions": 1}
    for _ in range(2):  # the second run keeps the part of the first
        summary = unidoku.run(tasks.Rate(), tmp_path / "in.txt", f"{tmp_path}/rows/", to="csv", resume=True)
        assert summary.reasons == summary.files[0].reasons == summary.as_dict()["reasons"] == counts
    assert summary.earlier == summary.puzzles == 5
    assert "reasons" not in unidoku.check_file(io.BytesIO(UNIQUE.encode())).as_dict()


def calls_in_sources() -> Iterator[tuple[str, str, list[ast.expr]]]:
    """Yield the place, the name and the arguments of each call in the package."""
    for path in Path(unidoku.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                yield f"{path.name}:{node.lineno}", name, node.args


def test_the_page_has_every_code_in_the_order_of_the_table():
    table = PAGE.read_text("utf-8").split("| of | codes |")[1]
    assert re.findall(r"`(\w+)`", table) == [*unidoku.errors.CODES]


def test_every_code_is_given_and_every_given_code_is_known():
    given = {kind.code for kind in (*subclasses(UnidokuError), AttemptsError, GuessError)}
    for place, name, arguments in calls_in_sources():
        if name in {"Reason", "fault"} and arguments:
            values = {getattr(node, "value", None) for node in ast.walk(arguments[0])}
            codes = {value for value in values if isinstance(value, str)}
            assert codes <= {*CODES}, place
            given |= codes
    assert {*CODES} - given == set()


def test_a_reason_that_is_only_a_text_has_the_code_of_its_class():
    assert InvalidPuzzleError("too dull").code == "other"
    assert unidoku.FormatError("too dull").reason.code == "wrong_format"


@pytest.mark.parametrize("reason", [Reason("stuck", "{n} steps", n=3), Reason("stuck", "a {brace")])
def test_a_reason_is_copied_with_its_code(reason):
    for other in (copy.copy(reason), pickle.loads(pickle.dumps(reason))):
        assert (other, type(other), other.code) == (reason, Reason, "stuck")
    advised = reason.with_advice("go on")
    assert (advised, advised.code) == (f"{reason}; go on", "stuck")
