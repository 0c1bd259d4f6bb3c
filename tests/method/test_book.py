"""The facts that the book gives about its worked puzzle (tables 2.2-A and 2.2-B), on a puzzle that has them.

The book's own puzzle is not in the text that came down to us. This one has 24 givens as well, none of them in
cells 1, 2, 3 and 9, and was found by search.
"""

from __future__ import annotations

import numpy as np
import pytest

import unidoku
from unidoku import method

PUZZLE = ".....9.....4...1.82..7..4.55.......3..15...7.4........12..53..9...9..2...38.6...."


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


def test_cell_1_takes_8_by_theorem_3_in_box_1(record):
    event, replay = conversion(record, 1)
    assert (event.digit, event.rule, event.unit, event.mark) == (8, "theorem3", 19, "⊙G")
    assert [cell for cell in (2, 3, 10, 11, 12, 19, 20, 21) if replay.state.NAK[7, cell - 1]] == []
    assert replay.state.places(19, 8) == (1,)
    assert len(replay.state.components(1)) > 1
    others = [digit for digit in replay.state.components(1) if digit != 8]
    replay.seek(len(record.events))
    assert [replay.mark(1, digit) for digit in others] == ["*"] * len(others)


def test_cell_9_takes_7_by_theorem_3_in_box_3(record):
    event, replay = conversion(record, 9)
    assert (event.digit, event.rule, event.unit, event.mark) == (7, "theorem3", 21, "⊙G")
    assert [cell for cell in (7, 8, 16, 17, 18, 25, 26, 27) if replay.state.NAK[6, cell - 1]] == []


def test_cell_3_takes_6_by_theorem_2(record):
    event, replay = conversion(record, 3)
    assert (event.digit, event.rule, event.unit, event.mark) == (6, "theorem2", 0, "⊙")
    assert replay.state.components(3) == (6,)
    assert (replay.mark(3, 1), replay.mark(3, 3)) == ("J39", "I7")
    assert (replay.state.NA[38], replay.state.NA[6]) == (1, 3)


def test_cell_2_takes_5_by_theorem_3_in_row_1(record):
    event, replay = conversion(record, 2)
    assert (event.digit, event.rule, event.unit, event.mark) == (5, "theorem3", 1, "⊙I")
    assert replay.mark(2, 4) == "G12"
    assert replay.state.NA[11] == 4
    assert [cell for cell in (1, 3, 4, 5, 6, 7, 8, 9) if replay.state.NAK[4, cell - 1]] == []


def test_theorem_3_acts_first(record):
    """The book: theorem 3 early, theorem 2 in the middle and later, theorem 4 late."""
    order = [event.rule for event in record.events if event.kind == "convert"]
    assert order[0] == "theorem3"
    middle = {
        rule: np.mean([place for place, each in enumerate(order) if each == rule]) for rule in set(order)
    }
    assert sorted(middle, key=middle.__getitem__) == ["theorem3", "theorem2", "theorem4"]


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
