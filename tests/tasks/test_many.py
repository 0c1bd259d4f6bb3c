"""Functions over many puzzles: results of the rows, or reasons for missing results."""

from __future__ import annotations

import html
import pickle
import tracemalloc
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from cases import in_turn
from example_puzzles import CLASH, SOLUTION, UNIQUE

import unidoku
from unidoku import Grid, InvalidPuzzleError, Transformation, cells, generate
from unidoku._table.forms import read_cells
from unidoku.rating._columns import RATINGS
from unidoku.tasks import Canonical, Convert, Rate

SECOND = Transformation.random(7)(UNIQUE).line
SHORT = UNIQUE[:80]
WRONG = UNIQUE[:80] + "!"
LONG = "1" + "." * 728
ROWS = [SHORT, UNIQUE, WRONG, SECOND, LONG, CLASH]
GOOD = [1, 3]
REASONS = {
    0: "expected 81 cells, found 80",
    2: "expected a digit or an empty cell (. 0 * _ - x X ?), found '!' in r9c9",
    4: "the text has candidates that do not follow from its clues; use hint or explain, which read them",
}
ELEMENTS = [Transformation.random(seed) for seed in range(len(ROWS))]


def digits(line: str) -> bytes:
    """Return the cells of a line as numbers."""
    return Grid(line).cells


ITEMS: dict[str, Callable[[str], Any]] = {
    "text": str,
    "bytes": str.encode,
    "numbers in bytes": digits,
    "NumPy text": np.str_,
    "NumPy bytes": lambda line: np.bytes_(line.encode()),
    "numbers": lambda line: list(digits(line)),
    "characters": list,
    "array": lambda line: np.frombuffer(digits(line), np.uint8),
    "array of characters": lambda line: np.array(list(line)),
    "array of rows": lambda line: np.array(list(digits(line))).reshape(9, 9),
    "array without a dimension": np.array,
    "array of text without a dimension": lambda line: np.array(line.encode()),
    "object without a dimension": lambda line: np.array(line, object),
    "view": lambda line: memoryview(digits(line)),
    "view of text": lambda line: memoryview(line.encode()),
    "view of rows": lambda line: memoryview(np.array(list(digits(line))).reshape(9, 9)),
    "array of Python": lambda line: array("i", [*digits(line)]),
    "grid": Grid,
}
"""The forms of a puzzle."""
ITEMS |= {
    "Arrow scalar": pa.scalar,
    "Arrow scalar of bytes": lambda line: pa.scalar(line.encode()),
    "Arrow scalar of a dictionary": lambda line: pa.array([line]).dictionary_encode()[0],
    "Arrow scalar of cells": lambda line: pa.scalar(list(digits(line))),
    "Arrow cells": lambda line: pa.array(list(digits(line))),
    "Arrow cells with nulls": lambda line: pa.array([digit or None for digit in digits(line)]),
    "chunked Arrow cells": lambda line: pa.chunked_array([list(digits(line))[:9], list(digits(line))[9:]]),
}

FUNCTIONS = {
    "transform_many": (
        lambda rows, **options: unidoku.craft.transform_many(rows, ELEMENTS[: len(rows)], **options),
        None,
    ),
    "canonical_many": (unidoku.craft.canonical_many, "no canonical form: two clues clash"),
    "minimize_many": (
        lambda rows, **options: unidoku.craft.minimize_many(rows, seed=3, **options),
        "not a proper puzzle, so it cannot be minimized",
    ),
}


@in_turn
@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_without_a_result_are_empty_and_have_a_reason(name: str) -> None:
    (function, reason), threads = FUNCTIONS[name], 2
    result = function(ROWS, errors="invalid", threads=threads)
    rows, reasons = result.puzzle, result.reasons
    assert isinstance(reasons, Mapping)
    assert reasons == REASONS | ({5: reason} if reason else {})
    assert list(reasons) == sorted(reasons)
    assert rows.shape == (len(ROWS), 81)
    assert not rows[list(reasons)].any()
    for row, text in reasons.items():
        with pytest.raises(InvalidPuzzleError) as caught:
            function([UNIQUE, SECOND, ROWS[row]], threads=threads)
        assert (caught.value.index, caught.value.reason) == (2, text)
    # the random choices of a row do not depend on the other rows
    plain = [row if k in GOOD else "." * 81 for k, row in enumerate(ROWS)]
    if name in {"transform_many", "canonical_many"}:
        assert np.array_equal(rows[GOOD], function(plain).puzzle[GOOD])
    else:
        proper = [UNIQUE if row == "." * 81 else row for row in plain]
        assert np.array_equal(rows[GOOD], function(proper).puzzle[GOOD])


def test_many_rows_without_a_form() -> None:
    """Several in a slice, at its ends, next to each other."""
    rows = [CLASH if k % 5 < 2 or k > 2990 else UNIQUE for k in range(3000)]
    result = unidoku.craft.canonical_many(rows, errors="invalid")
    forms, reasons = result.puzzle, result.reasons
    assert list(reasons) == [k for k, row in enumerate(rows) if row == CLASH]
    assert (forms[[k for k in range(3000) if k not in reasons]] == forms[2]).all()
    puzzles = len(result), result[0].puzzle, result[2].puzzle
    assert puzzles == (len(rows), None, unidoku.canonical(UNIQUE).line)
    assert not forms[list(reasons)].any()


@in_turn
@pytest.mark.parametrize("name", ITEMS)
def test_one_puzzle_of_any_form(name: str) -> None:
    puzzle = ITEMS[name](UNIQUE)
    assert Grid(puzzle) == Grid(UNIQUE)
    assert unidoku.solve(puzzle) == unidoku.solve(UNIQUE)
    assert unidoku.rate(puzzle) == unidoku.rate(UNIQUE)
    for puzzles in ([puzzle], [puzzle, puzzle], (puzzle for _ in range(2))):
        assert {*unidoku.lines(puzzles)} == {UNIQUE}
    verification = unidoku.verify("." * 81, puzzle)
    assert (verification.reason, verification.filled) == (None, 30)
    assert unidoku.verify_many(["." * 81, UNIQUE], [puzzle, SOLUTION]).filled.tolist() == [30, 51]


def test_measures_and_classes() -> None:
    measures = RESULTS["measure"](ROWS)
    assert measures.book_class.tolist() == [0, 1, 0, 1, 0, 0]
    assert measures.search_complete.tolist() == [False, True, False, True, False, True]


RESULTS = {
    "check": lambda rows: unidoku.check_many(rows, errors="invalid", second_solutions=True),
    "solve": lambda rows: unidoku.solve_many(rows, errors="invalid"),
    "count": lambda rows: unidoku.count_many(rows, errors="invalid"),
    "verify": lambda rows: unidoku.verify_many(rows, [SOLUTION] * len(rows), errors="invalid"),
    "rate": lambda rows: unidoku.rate_many(rows, errors="invalid"),
    "measure": lambda rows: unidoku.run_many(
        Rate(), rows, columns=["search_first_steps", "book_class", "search_complete"], errors="invalid"
    ),
    "canonical": lambda rows: unidoku.craft.canonical_many(rows, symmetries=True, errors="invalid"),
}


def table_of(result: Any) -> dict[str, list[Any]]:
    """The columns of a result, and the reasons, as lists."""
    return dict(pa.table(result).to_pydict())


@in_turn
@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_rows_with_reasons(name: str) -> None:
    result = RESULTS[name](ROWS)
    assert isinstance(result, unidoku.Result)
    assert len(result) == len(ROWS) == len(result.source_rows)
    further_reasons = result.reasons.items() - REASONS.items()
    assert {row: result.reasons[row] for row in (0, 2)} == {row: REASONS[row] for row in (0, 2)}
    assert {row for row, _ in further_reasons} <= {1, 3, 4, 5}  # of a puzzle that is its own answer, too
    assert [record.reason for record in result] == [result.reasons.get(row) for row in range(len(result))]
    copy = pickle.loads(pickle.dumps(result))
    assert table_of(result) == table_of(copy)
    page = result._repr_html_()
    assert page.count("<tr>") == 1 + len(ROWS)
    assert html.escape(result.reasons[0]) in page


@in_turn
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_that_nobody_has_looked_at_is_pickled(name: str) -> None:
    result = RESULTS[name](ROWS)
    copy = pickle.loads(pickle.dumps(result))
    assert table_of(copy) == table_of(result)


def test_an_array_of_numbers_is_not_changed() -> None:
    rows = np.array([list(Grid(row).cells) for row in (UNIQUE, SECOND)], np.uint8)
    original = rows.copy()
    assert np.shares_memory(read_cells(rows)[0], rows)
    rows[1, 3] = 200
    values, reasons = read_cells(rows, errors="invalid")
    assert np.array_equal(values, [original[0], np.zeros(81)])
    assert list(reasons) == [1]
    rows[1, 3] = original[1, 3]
    unidoku.craft.minimize_many(rows, seed=1)
    unidoku.verify_many(rows, rows, errors="invalid")
    assert np.array_equal(rows, original)


LARGE = 20_000
"""Rows whose text is much larger than what a call takes for its parts and for the answers without grids."""


def arrow_column(lines: list[str]) -> Any:
    return pa.array(lines)


@in_turn
@pytest.mark.parametrize(
    ("form", "share"),
    [
        (lambda lines: np.frombuffer("".join(lines).encode(), np.uint8).reshape(-1, 81), 0.5),
        (lambda lines: np.array([list(line) for line in lines], "S1"), 0.5),
        (lambda lines: np.array(lines, "S81"), 0.5),
        (lambda lines: "\n".join(lines).encode(), 0.5),
        (lambda lines: "\r\n".join(lines).encode(), 0.5),
        (arrow_column, 0.5),
        (list, 1.5),
    ],
    ids=["codes", "characters", "S81", "lines", "CRLF", "Arrow", "list"],
)
def test_no_form_is_copied_as_a_whole(form: Callable[[list[str]], Any], share: float) -> None:
    """Only a list becomes one array; no form has several temporaries of the size of the input."""
    puzzles = form([UNIQUE, SECOND] * (LARGE // 2))
    unidoku.check_many(puzzles, solutions=False, threads=1)  # loads what it needs
    tracemalloc.start()
    try:
        result = unidoku.check_many(puzzles, solutions=False, threads=1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.unique == LARGE
    assert peak < share * 81 * LARGE


def test_a_run_in_memory_computes_the_columns_of_a_run_over_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search steps take most of the time of all columns of a rating."""
    every = unidoku.run_many(Rate(), [UNIQUE, SECOND], columns=Rate.columns)
    assert set(Rate.columns) <= {*dir(every)}
    monkeypatch.setattr("unidoku.rating._measure.measure", None)  # a call fails
    ratings = unidoku.run_many(Rate(), [UNIQUE, CLASH, SECOND])
    assert {*dir(ratings)} & {*Rate.columns} == {*RATINGS}
    assert ratings.er.tolist()[::2] == every.er.tolist()
    assert list(ratings.reasons) == [1]
    assert [*unidoku.run_many(Rate(), [UNIQUE], columns=["ed"])[0]] == [1.2, None]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_memory_of_a_task_ends_with_the_run(tmp_path: Path, threads: int) -> None:
    puzzles = [Transformation.random(seed)(UNIQUE).line for seed in range(450)]
    rows = [*puzzles, *puzzles]
    task = Convert(unique="text")
    file = tmp_path / "puzzles.txt"
    file.write_text("\n".join(rows))
    for turn in range(2):
        assert unidoku.run_many(task, rows, threads=threads).source_rows.tolist() == [*range(450)]
        unidoku.run(task, file, tmp_path / f"{turn}.txt", threads=threads)
        assert (tmp_path / f"{turn}.txt").read_text().split() == puzzles


def test_cells_and_lines():
    lines = [Grid(row).line for row in generate(5, seed=1)]
    numbers = cells(lines)
    assert numbers.dtype == np.uint8
    assert numbers.tolist() == [[*Grid(line).cells] for line in lines]
    assert unidoku.lines(numbers) == unidoku.lines("\n".join(lines).encode()) == lines
    numbers[0, 0] = 0  # the array is a copy
    array = np.zeros((2, 81), np.uint8)
    assert not np.shares_memory(cells(array), array)
    assert cells([]).shape == (0, 81)
    with pytest.raises(InvalidPuzzleError, match="row 1"):
        cells([lines[0], "x"])


@pytest.mark.parametrize("function", [unidoku.rate_many, unidoku.steps_many])
def test_after_a_cancel_every_row_has_a_reason(function):
    cancel = unidoku.Cancel()
    cancel.set()
    result = function([UNIQUE, SOLUTION, "." * 81, SECOND], errors="invalid", cancel=cancel)
    assert list(result.reasons.items()) == [(row, "cancelled") for row in range(4)]


@in_turn
@pytest.mark.parametrize("task", [unidoku.tasks.Check(), unidoku.tasks.Solve(), unidoku.tasks.Count()])
def test_after_a_cancel_a_puzzle_is_unknown_and_not_without_solution(task):
    cancel = unidoku.Cancel()
    cancel.set()
    result = unidoku.run_many(task, [UNIQUE, "." * 81], cancel=cancel)
    assert (result.none, result.unknown) == (0, 2)
    assert "2 unknown" in repr(result)


def test_a_long_list_has_right_row_bits():
    count = 66_000  # it is converted in several steps
    rows = [UNIQUE] * count
    for row, puzzle in {5: SHORT, 60_000: None, 65_700: WRONG, 65_800: SHORT}.items():
        rows[row] = puzzle
    result = unidoku.check_many(rows, errors="invalid")
    assert list(result.reasons) == [5, 60_000, 65_700, 65_800]
    assert np.flatnonzero(result.verdict == "invalid").tolist() == [*result.reasons]
    assert result.unique == count - 4
    with pytest.raises(InvalidPuzzleError, match="row 65700: expected a digit"):
        unidoku.check_many([*[UNIQUE] * 65_700, WRONG, LONG])
    with pytest.raises(InvalidPuzzleError, match="row 1: expected a digit"):
        unidoku.craft.transform_many([UNIQUE, WRONG, LONG], ELEMENTS[0])


def test_a_masked_array_is_refused() -> None:
    masked = np.ma.masked_array(unidoku.cells([SOLUTION] * 100), False)
    with pytest.raises(InvalidPuzzleError, match="masked array"):
        unidoku.lines(masked)
    with pytest.raises(InvalidPuzzleError, match="masked array"):
        unidoku.check_many(masked)
    hidden = np.ma.masked_array(UNIQUE, True)
    for puzzles in (hidden, [UNIQUE, hidden], [UNIQUE, np.ma.masked]):
        with pytest.raises(InvalidPuzzleError, match="masked array"):
            unidoku.check_many(puzzles)
    result = unidoku.check_many([UNIQUE, hidden, SECOND], errors="invalid")
    assert [*result.reasons] == [1]
    assert result.unique == 2


def test_the_error_of_a_task_names_the_row_among_all() -> None:
    for number in (3, 5000):  # in the first piece of the work, in a later one
        with pytest.raises(InvalidPuzzleError) as caught:
            unidoku.run_many(Canonical(), [UNIQUE] * number + [CLASH, UNIQUE])
        assert caught.value.index == number
