"""Every chain of a path is proved by a checker of its own, which only fills in singles."""

from __future__ import annotations

import numpy as np
import pytest
from known_ratings import TABLE

import unidoku
from unidoku.native.rating import base
from unidoku.rating.path import steps

CHAINS = {
    "X-cycle",
    "Y-cycle",
    "XY-cycle",
    "forcing X-chain",
    "forcing chain",
    "Nishio",
    "multiple forcing chains",
    "dynamic forcing chains",
}

HOUSES = [
    *([9 * row + column for column in range(9)] for row in range(9)),
    *([9 * row + column for row in range(9)] for column in range(9)),
    *([27 * (box // 3) + 3 * (box % 3) + 9 * i + j for i in range(3) for j in range(3)] for box in range(9)),
]
PEERS = [{b for house in HOUSES if a in house for b in house} - {a} for a in range(81)]


def fails(candidates, assumed, removed=()):
    """Whether an assumption and its singles leave a cell, or a digit in a house, without a candidate."""
    cells = [set(digits) for digits in candidates]
    for cell, digit in removed:
        cells[cell].discard(digit)
    for cell, digit in assumed:
        if digit not in cells[cell]:
            return True
        cells[cell] = {digit}
    done = set()
    while True:
        for cell in range(81):
            if len(cells[cell]) == 1 and cell not in done:
                done.add(cell)
                for peer in PEERS[cell]:
                    cells[peer] -= cells[cell]
                break
        else:
            if not all(cells):
                return True
            for house in HOUSES:
                for digit in range(1, 10):
                    places = [cell for cell in house if digit in cells[cell]]
                    if not places:
                        return True
                    if len(places) == 1 and len(cells[places[0]]) > 1:
                        cells[places[0]] = {digit}
                        break
                else:
                    continue
                break
            else:
                return False
        if not all(cells):
            return True


def proved(candidates, wrong, removed):
    """Whether the opposite of a conclusion fails, alone or in all cases of a cell, a house or a candidate."""
    if fails(candidates, wrong, removed):
        return True
    cases = [[(cell, digit) for digit in candidates[cell]] for cell in range(81)]
    for house in HOUSES:
        cases += [[(cell, digit) for cell in house if digit in candidates[cell]] for digit in range(1, 10)]
    for branches in cases:
        if len(branches) > 1 and all(fails(candidates, [*wrong, branch], removed) for branch in branches):
            return True
    for cell in range(81):
        for digit in candidates[cell]:
            if len(candidates[cell]) > 2 and (
                fails(candidates, [*wrong, (cell, digit)], removed)
                and fails(candidates, wrong, [*removed, (cell, digit)])
            ):
                return True
    return False


def positions(puzzle):
    """The steps of a path, each with the candidates before it; a filled cell has one."""
    cells = unidoku.Grid(puzzle).cells
    candidates = [{cell} if cell else set(range(1, 10)) for cell in cells]
    for a in range(81):
        if not cells[a]:
            candidates[a] -= {cells[b] for b in PEERS[a]}
    for step in steps(puzzle):
        yield [set(digits) for digits in candidates], step
        for cell, digit in step.eliminations:
            candidates[cell].discard(digit)
        for cell, digit in step.placements:
            candidates[cell] = {digit}
            for peer in PEERS[cell]:
                candidates[peer].discard(digit)


def test_every_chain_is_proved_by_singles_alone():
    seen = set()
    puzzles = [puzzle for puzzle, rating in TABLE.items() if rating[0] >= 65]
    for puzzle in puzzles[:: max(1, len(puzzles) // 24)]:
        for candidates, step in positions(puzzle):
            if step.technique not in CHAINS:
                continue
            seen.add(step.technique)
            for placed in step.placements:
                assert proved(candidates, [], [placed]), (puzzle, step)
            for removed in step.eliminations:
                assert proved(candidates, [removed], []), (puzzle, step)
    assert seen >= CHAINS - {"Nishio", "Y-cycle"}


def test_the_checker_can_refuse():
    puzzle = next(puzzle for puzzle, rating in TABLE.items() if rating[0] >= 65)
    solution = unidoku.solve(puzzle).cells
    candidates, _ = next(positions(puzzle))
    assert not any(proved(candidates, [(cell, solution[cell])], []) for cell in range(0, 81, 9))


@pytest.mark.parametrize("budget", [1, 40])
def test_a_budget_ends_the_search(budget):
    puzzle = max(TABLE, key=TABLE.__getitem__)
    er, ep, ed = np.zeros((3, 1), np.int16)
    techniques, outcomes, groups = np.zeros((3, 1), np.uint8)
    base.rate_cells(
        puzzle.encode(),
        np.zeros(1, np.int64),
        zero=48,
        er=er,
        ep=ep,
        ed=ed,
        techniques=techniques,
        outcomes=outcomes,
        groups=groups,
        budget=budget,
    )
    assert outcomes.tolist() == [4]
    assert er[0] < TABLE[puzzle][0]
