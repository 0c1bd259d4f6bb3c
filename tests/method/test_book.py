"""The facts that the book gives about its worked puzzle (tables 2.2-A and 2.2-B), on a puzzle that has them.

The book's own puzzle is not in the text that came down to us. This one has 24 givens as well, none of them in
cells 1, 2, 3 and 9, and was found by search.
"""

import pytest
from example_puzzles import BOOK as PUZZLE

import unidoku
from unidoku import method
from unidoku.method.state import UNITS


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
    assert method.check(PUZZLE, [event.as_dict() for event in record.events]) == record.solution.line


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (1, (8, "theorem3", 19, "⊙G")),
        (9, (7, "theorem3", 21, "⊙G")),
        (2, (5, "theorem3", 1, "⊙I")),
        (3, (6, "theorem2", 0, "⊙")),
    ],
)
def test_the_conversions(record, cell, expected):
    event, replay = conversion(record, cell)
    assert (event.digit, event.rule, event.unit, event.mark) == expected
    digit, rule, unit, _ = expected
    if rule == "theorem3":
        assert [other for other in UNITS[unit - 1] if replay.state.NAK[digit - 1, other - 1]] == [cell]
        assert replay.state.places(unit, digit) == (cell,)
        assert len(replay.state.components(cell)) > 1
    else:
        assert replay.state.components(cell) == (digit,)


@pytest.mark.parametrize(
    ("cell", "digit", "mark", "value"), [(3, 1, "J39", 1), (3, 3, "I7", 3), (2, 4, "G12", 4)]
)
def test_the_marks(record, cell, digit, mark, value):
    _, replay = conversion(record, cell)
    assert replay.mark(cell, digit) == mark
    assert replay.state.NA[int(mark[1:]) - 1] == value


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
