"""Every step of the plain model is proved by the checker of steps, and the checker finds false steps."""

from __future__ import annotations

import random

import pytest
import rating_model
import step_checker
from known_ratings import ONE_OF_EACH, TABLE
from rating_board import Board, Step

import unidoku


def solution(puzzle: str) -> list[int]:
    found = unidoku.solve(puzzle)
    assert found is not None
    return list(found.cells)


def conclusions(step: Step) -> list[tuple[int, int]]:
    return [(cell, digit) for cell, digits in step.removed.items() for digit in sorted(digits)]


def walk(puzzle: str):
    """The steps of a puzzle, each with the candidates before it and the solution."""
    full = solution(puzzle)
    board = Board(puzzle)
    while not board.filled and (step := rating_model.next_step(board)):
        yield [set(own) for own in board.candidates], full, step
        board.apply(step)


def check(puzzle: str) -> set[str]:
    """Prove the steps of a puzzle; their techniques."""
    seen = set()
    for before, full, step in walk(puzzle):
        wrong = step_checker.faults(before, full, step.technique, step.place, conclusions(step))
        assert wrong == [], (puzzle, step)
        seen.add(step.technique)
    return seen


def test_steps_are_proved():
    seen = set().union(*(check(puzzle) for puzzle, row in ONE_OF_EACH.items() if row[0] < 70))
    assert len(seen) > 22


@pytest.mark.slow
def test_steps_of_long_chains_are_proved():
    some = [puzzle for puzzle, row in ONE_OF_EACH.items() if 70 <= row[0] < 90][1::2]
    seen = set().union(*map(check, some))
    assert {
        "Nishio",
        "multiple forcing chains",
        "dynamic forcing chains",
        "aligned triplet exclusion",
    } <= seen


def test_false_conclusions_are_found():
    rng = random.Random(5)
    unproved = proved = 0
    for puzzle, (er, _, _) in ONE_OF_EACH.items():
        if er > 60:
            continue
        for before, full, step in walk(puzzle):
            cell = rng.choice([cell for cell in range(81) if len(before[cell]) > 1] or [-1])
            if cell < 0:
                continue
            right, wrong = full[cell], rng.choice(sorted(before[cell] - {full[cell]}))
            technique = step.technique
            assert step_checker.faults(before, full, technique, None, [(cell, right)])
            assert step_checker.faults(before, full, technique, (cell, wrong), [])
            if step.place is None and (cell, wrong) not in conclusions(step):
                if step_checker.faults(before, full, technique, None, [(cell, wrong)]):
                    unproved += 1
                else:
                    proved += 1  # another instance of the technique
    assert unproved > 50
    assert unproved > 10 * proved


def test_what_is_no_candidate_is_found():
    puzzle = next(iter(TABLE))
    before = Board(puzzle).candidates
    full = solution(puzzle)
    cell = next(cell for cell in range(81) if not before[cell])
    assert step_checker.faults(before, full, "hidden single", (cell, full[cell]), [])
    assert step_checker.faults(before, full, "hidden single", None, [])
    assert step_checker.faults(before, full, "magic", None, [(0, 1)])
