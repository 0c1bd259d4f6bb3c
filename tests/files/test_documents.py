"""JSON documents: the records at the one path with puzzles, whatever the shape, whole and cut."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from example_puzzles import UNIQUE

import unidoku
from unidoku.errors import FormatError, UnidokuError

PUZZLES = [UNIQUE.translate(str.maketrans("123456789", digits)) for digits in ("123456789", "456789123")]
SOLUTIONS = [unidoku.solve(puzzle).line for puzzle in PUZZLES]
FORMS: dict[str, Callable[[str], Any]] = {
    "text": str,
    "lists": lambda cells: [
        [int(cell) if cell != "." else 0 for cell in cells[k : k + 9]] for k in range(0, 81, 9)
    ],
    "signs": lambda cells: [[cell.replace(".", "") for cell in cells[k : k + 9]] for k in range(0, 81, 9)],
    "rows": lambda cells: [cells[k : k + 9] for k in range(0, 81, 9)],
}


def shapes(puzzle: str, solution: str, form: Callable[[str], Any]) -> dict[str, Any]:
    """Return documents with the two puzzles under a name, most of them with the solutions under another."""
    pairs = [(form(cells), form(grid)) for cells, grid in zip(PUZZLES, SOLUTIONS, strict=True)]
    rows = [{puzzle: cells, solution: grid} for cells, grid in pairs]
    cells, grids = map(list, zip(*pairs, strict=True))
    return {
        "list": cells,
        "records": rows,
        "name": {"puzzles": cells},
        "records under a name": {"version": 1, "puzzles": rows, "count": 2},
        "records deeper": {"data": {"rows": rows}},
        "ids": {"a": cells[0], "b": cells[1]},
        "ids of records": {"a": rows[0], "b": rows[1]},
        "levels": {"easy": cells[:1], "hard": cells[1:]},
        "levels of ids": {"easy": {"1": rows[0]}, "hard": {"2": rows[1]}},
        "columns of pandas": {
            puzzle: {"0": cells[0], "1": cells[1]},
            solution: {"0": grids[0], "1": grids[1]},
        },
        "columns": {puzzle: cells, solution: grids},
        "rows of pandas": {"columns": [puzzle, solution], "index": [0, 1], "data": pairs},
        "values": pairs,
        "table": {"schema": {"fields": [{"name": puzzle}]}, "data": rows},
        "server": {"features": [puzzle], "rows": [{"row_idx": k, "row": row} for k, row in enumerate(rows)]},
        "samples": [{"doc": {puzzle: cells}, "target": grid} for cells, grid in pairs],
        "techniques": [{"technique": "x", "puzzles": [row]} for row in rows],
    }


def read(text: str, **options: Any) -> tuple[list[str], int]:
    """Return the puzzles of a JSON text, and how many records are invalid."""
    batches = [*unidoku.read(io.BytesIO(text.encode()), format="jsonl", **options)]
    puzzles = [unidoku.Grid(cells).line for batch in batches for cells in batch.cells]
    return puzzles, sum(len(batch.reasons) for batch in batches)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("names", [("quizzes", "solutions"), ("start", "end")])
def test_the_shape_of_a_document_does_not_matter(names: tuple[str, str], form: str) -> None:
    for name, value in shapes(*names, FORMS[form]).items():
        for indent in (None, 0, 2):
            assert read(json.dumps(value, indent=indent)) == (PUZZLES, 0), (name, indent)


def test_a_document_that_is_cut_is_an_error_or_has_all_records() -> None:
    for name, value in shapes("puzzle", "solution", str).items():
        for indent in (None, 1):
            text = json.dumps(value, indent=indent)
            for size in range(1, len(text), 10):
                try:
                    puzzles, invalid = read(text[:size])
                except UnidokuError:
                    continue
                assert invalid or puzzles == PUZZLES, (name, text[:size])


def test_a_column_is_named_by_its_path() -> None:
    text = json.dumps({"sets": [{"grid": a, "other": {"grid": b}} for a, b in [PUZZLES, PUZZLES[::-1]]]})
    assert read(text, column="sets.grid") == (PUZZLES, 0)
    assert read(text, column="other.grid") == (PUZZLES[::-1], 0)


def test_puzzles_at_several_paths_are_listed() -> None:
    text = json.dumps({"a": PUZZLES, "b": {"c": [{"puzzle": PUZZLES[0]}]}})
    with pytest.raises(FormatError, match=r"any of a, b\.c; say which with --column"):
        read(text)


def test_a_damaged_puzzle_of_a_document_is_a_record() -> None:
    assert read(json.dumps({"a": PUZZLES[0], "b": PUZZLES[1][:80]})) == (PUZZLES[:1], 1)
    assert read(json.dumps({"easy": [None, *PUZZLES], "hard": [PUZZLES[0][:79]]})) == (PUZZLES, 2)


def test_values_above_a_record_stand_beside_it() -> None:
    text = json.dumps(
        [
            {
                "level": 1,
                "id": 7,
                "sets": {k: {"puzzle": p, "id": "p"} for k, p in zip("xy", PUZZLES, strict=True)},
            }
        ]
    )
    [batch] = unidoku.read(io.BytesIO(text.encode()))
    assert batch.columns == {
        "key": ["x", "y"],
        "level": [1, 1],
        "outer_id": [7, 7],
        "id": ["p", "p"],
    }
