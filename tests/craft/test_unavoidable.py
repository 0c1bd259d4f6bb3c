"""Unavoidable sets: all of them up to a size against all solutions, and each one by the solver."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from example_puzzles import SOLUTION, SYMMETRIC, UNIQUE

import unidoku
from unidoku import kernel
from unidoku.craft.generate import random_grids
from unidoku.craft.unavoidable import exchange_set, unavoidable_sets
from unidoku.errors import InvalidPuzzleError
from unidoku.kernel import are_proper, solve_rows
from unidoku.native.clues.unavoidable import find


def differences(grid, emptied, size=81):
    """Where other full grids differ, in at most size cells and only within the emptied ones."""
    search = kernel.solution_search(np.where(emptied, 0, grid).astype(np.uint8).tobytes())
    found = [np.empty((0, 81), np.bool_)]
    while chunk := search.chunk(4096):
        differing = np.frombuffer(chunk, np.uint8).reshape(-1, 81) != grid
        counts = np.count_nonzero(differing, axis=1)
        found.append(differing[(counts > 0) & (counts <= size)])
    return np.concatenate(found)


def minimal(sets):
    """The sets, as integers, that contain no other one."""
    kept = []
    for cells in sorted(sets, key=int.bit_count):
        if not any(other & cells == other for other in kept):
            kept.append(cells)
    return set(kept)


def as_integers(rows):
    return [int.from_bytes(row.tobytes(), "big") for row in np.packbits(rows, axis=-1)]


FIRST, SECOND = random_grids(2, 5)
GRID, ROUND = unidoku.cells([SOLUTION, SYMMETRIC])


@pytest.mark.parametrize(
    "grid",
    [FIRST, *(pytest.param(grid, marks=pytest.mark.slow) for grid in (SECOND, ROUND))],
)
def test_all_sets_up_to_twelve_cells(grid):
    """A set has two cells or more in each of its rows and columns, so 12 cells are in six of each."""
    found = set()
    for rows in combinations(range(9), 6):
        for columns in combinations(range(9), 6):
            emptied = np.zeros((9, 9), np.bool_)
            emptied[np.ix_(rows, columns)] = True
            found.update(as_integers(differences(grid, emptied.reshape(81), 12)))
    sets = as_integers(unavoidable_sets(grid))
    assert len(sets) == len(set(sets)) > 100
    assert set(sets) == minimal(found)


def test_larger_sets_within_bands_and_digits():
    """Sets of up to 16 cells that are in one band, in one stack, or of four digits."""
    grid = random_grids(1, 8)[0]
    sets = unavoidable_sets(grid, size=16)
    cells = np.arange(81)
    regions = [cells // 27 == band for band in range(3)]
    regions += [cells % 9 // 3 == stack for stack in range(3)]
    regions += [np.isin(grid, digits) for digits in combinations(range(1, 10), 4)]
    largest = 0
    for region in regions:
        inside = sets[~sets[:, ~region].any(axis=1)]
        assert set(as_integers(inside)) == minimal(set(as_integers(differences(grid, region, 16))))
        largest = max(largest, inside.sum(axis=1).max(initial=0))
    assert largest > 12


def test_each_set_is_unavoidable_and_minimal():
    grid = random_grids(1, 9)[0]
    sets = unavoidable_sets(grid, size=15)
    rows = np.where(sets, 0, grid).astype(np.uint8)
    found = solve_rows(rows)
    solutions, witnesses = found.solutions, found.witnesses
    other = np.where((solutions == grid).all(axis=1)[:, None], witnesses, solutions)
    assert ((other != grid) == sets).all()
    assert unidoku.check_many(other).unique == len(sets)
    for cells, row in zip(sets, rows, strict=True):
        places = np.flatnonzero(cells)
        hit = np.repeat(row[None, :], len(places), axis=0)
        hit[np.arange(len(places)), places] = grid[places]
        assert are_proper(hit).all()


def test_order_and_size():
    sets = unavoidable_sets(SOLUTION)
    keys = [(int(row.sum()), np.flatnonzero(row).tolist()) for row in sets]
    assert keys == sorted(keys)
    assert keys[0][0] == 4
    assert keys[-1][0] == 12
    for size in (1, 3, 4, 7, 9):
        assert (unavoidable_sets(SOLUTION, size=size) == sets[sets.sum(axis=1) <= size]).all()


def test_sets_of_an_image_are_the_images_of_the_sets():
    turn = unidoku.Transformation.random(4)
    cells = turn(unidoku.Grid(SOLUTION))
    assert len(unavoidable_sets(cells)) == len(unavoidable_sets(SOLUTION))


def test_proper_puzzles_have_a_clue_in_all_sets(puzzles17):
    for puzzle in [UNIQUE, *puzzles17[::2000]]:
        sets = unavoidable_sets(unidoku.solve(puzzle))
        clues = unidoku.Grid(puzzle).to_array().reshape(81) != 0
        assert (sets & clues).any(axis=1).all()


def test_a_set_without_a_clue_shows_further_solutions():
    sets = unavoidable_sets(SOLUTION)
    cells = next(row for row in sets if row.sum() == 6)
    puzzle = GRID.copy()
    puzzle[cells] = 0
    without = ~(sets & (puzzle != 0)).any(axis=1)
    assert sets[without].tolist() == [cells.tolist()]
    assert unidoku.count(puzzle) == 2


def test_exchange_set_is_minimal_and_within_the_differences():
    grids = random_grids(8, 2)
    sizes = []
    for first, second in zip(grids[::2], grids[1::2], strict=True):
        cells = exchange_set(first, second)
        assert not (cells & (first == second)).any()
        sizes.append(int(cells.sum()))
        assert minimal(set(as_integers(differences(first, cells)))) == set(as_integers([cells]))
    assert max(sizes) <= 12
    # few cells differ, and only together
    large = unavoidable_sets(SOLUTION, size=16)[-1]
    emptied = np.where(large, 0, GRID).astype(np.uint8)
    found = solve_rows(emptied[None, :])
    first, second = found.solutions, found.witnesses
    assert (exchange_set(first[0], second[0]) == large).all()


def test_exchange_set_beyond_the_small_ones():
    """If two exchanges of more than 12 cells exclude each other, one of them is enough."""
    large = [row for row in unavoidable_sets(SOLUTION, size=16) if row.sum() > 12]
    tried = 0
    for one, two in combinations(large[:200], 2):
        union = one | two
        if (one & two).any() or find(GRID, union.view(np.uint8), 12):
            continue
        first, second = (exchanged(GRID, cells) for cells in (one, two))
        both = np.where(one, first, second)
        if unidoku.check(both) is not unidoku.Verdict.UNIQUE:
            continue
        found = exchange_set(GRID, both)
        assert any((found == row).all() for row in large)
        assert (found <= union).all()
        tried += 1
        if tried == 5:
            break
    assert tried


def exchanged(grid, cells):
    """The grid with the digits of an unavoidable set exchanged."""
    found = solve_rows(np.where(cells, 0, grid).astype(np.uint8)[None, :])
    pair = found.solutions, found.witnesses
    return next(rows[0] for rows in pair if (rows[0] != grid).any())


def test_wrong_arguments():
    with pytest.raises(InvalidPuzzleError, match="not a full and correct grid"):
        unavoidable_sets(UNIQUE)
    with pytest.raises(InvalidPuzzleError, match="not a full and correct grid"):
        unavoidable_sets("1" * 81)
    for size in (0, 19):
        with pytest.raises(ValueError, match="size must be"):
            unavoidable_sets(SOLUTION, size=size)
    with pytest.raises(ValueError, match="81 items"):
        find(bytes(80), bytes(81), 12)
    with pytest.raises(ValueError, match="1 to 9"):
        find(bytes(81), bytes(81), 12)
