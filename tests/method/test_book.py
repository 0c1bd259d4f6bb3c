"""The facts that the book gives about its worked puzzle (tables 2.2-A and 2.2-B), on a puzzle that has them.

The book's own puzzle is not in the text that came down to us. This one has 24 givens as well, none of them in
cells 1, 2, 3 and 9, and was found by search.
"""

import pytest
from example_puzzles import BOOK as PUZZLE
from method_checker import check

import unidoku
from unidoku import method


@pytest.fixture(scope="module")
def record():
    return method.explain(PUZZLE)


def conversion(record, cell):
    """The conversion of a cell and a replay positioned just before it."""
    number = next(n for n, e in enumerate(record.events) if e.kind == "convert" and e.cell == cell)
    replay = record.replay()
    replay.seek(number)
    return record.events[number], replay


def test_24_givens_and_one_solution(record):
    assert record.puzzle.clue_count == 24
    assert unidoku.count(PUZZLE) == 1
    assert record.difficulty == 1
    assert check(PUZZLE, [event.as_dict() for event in record.events]) == record.solution.line


def test_the_components_that_a_conversion_leaves_are_zero(record):
    _, replay = conversion(record, 1)
    others = [digit for digit in replay.state.components(1) if digit != 8]
    replay.seek(len(record.events))
    assert [replay.mark(1, digit) for digit in others] == ["*"] * len(others)


def test_the_theorems_are_used_when_the_book_says(puzzles17):
    """Theorem 3 early, 2 comparatively often in the middle and late part, 4 late (1.6.5)."""
    thirds = {"theorem2": [0, 0, 0], "theorem3": [0, 0, 0], "theorem4": [0, 0, 0]}
    for puzzle in puzzles17[:: len(puzzles17) // 60]:
        order = [event.rule for event in method.explain(puzzle, presets=0).events if event.kind == "convert"]
        for place, rule in enumerate(order):
            thirds[rule][3 * place // len(order)] += 1
    first, middle, last = zip(*thirds.values(), strict=True)
    assert first[1] > max(middle[1], last[1])
    assert middle[0] > first[0]
    assert first[0] / first[1] < middle[0] / middle[1] < last[0] / last[1]
    assert last[2] > middle[2] > first[2]
    assert last[0] > last[1]
