"""`SolutionsTask`: a row for each solution, as the iterator gives them."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from cases import in_turn
from example_puzzles import CLASH, EIGHT as FEW, NONE, SOLUTION, UNIQUE

import unidoku
from unidoku.tasks._solve import SolutionsTask

WIDE = "123456789" + "." * 72

MANY = "12......." + "." * 72
PUZZLES = [NONE, UNIQUE, MANY, CLASH, FEW, WIDE, SOLUTION, NONE]


def iterator_rows(puzzle: str, limit: int) -> list[tuple[int, bool, str]]:
    """The rows of a puzzle, by `unidoku.solutions`."""
    lines = [grid.line for grid in islice(unidoku.solutions(puzzle), limit + 1)]
    rows = enumerate(lines[:limit], 1)
    return [(number, number == len(lines), line) for number, line in rows]


@in_turn
@pytest.mark.parametrize("limit", [1, 2, 64, 65, 1024, 1025])
def test_rows_in_memory_agree_with_the_iterator(limit):
    table = unidoku.run_many(SolutionsTask(limit), PUZZLES)
    rows = [
        (int(of), row.number, row.last, row.solution)
        for of, row in zip(table.source_rows, table, strict=True)
    ]
    model_rows: list[tuple[Any, ...]] = []
    for number, puzzle in enumerate(PUZZLES):
        puzzle_rows: list[tuple[Any, ...]] = [*iterator_rows(puzzle, limit)] or [(None, None, None)]
        model_rows += [(number, *row) for row in puzzle_rows]
    assert rows == model_rows
    assert table.reasons == dict.fromkeys([0, 3, 7], "no solution")
    assert [*table] == [*unidoku.run_many(SolutionsTask(limit), PUZZLES, threads=1)]
