"""Neighbours of a puzzle, against brute force."""

from itertools import combinations, product

import numpy as np
import pytest
from cases import in_turn

import unidoku
from unidoku.craft import canonical_many
from unidoku.craft._generate import generate
from unidoku.craft._neighbours import neighbours
from unidoku.errors import InvalidPuzzleError
from unidoku.tasks import Neighbours

PUZZLE = unidoku.Grid(generate(1, seed=2)[0]).line


def brute(puzzle, remove, add):
    """Canonical forms of all proper neighbours but the puzzle itself."""
    cells = np.frombuffer(unidoku.Grid(puzzle).cells, np.uint8)
    changed_rows = []
    for removed in combinations(np.flatnonzero(cells).tolist(), remove):
        base = cells.copy()
        base[list(removed)] = 0
        for places in combinations(np.flatnonzero(base == 0).tolist(), add):
            for digits in product(range(1, 10), repeat=add):
                row = base.copy()
                row[list(places)] = digits
                if (row != cells).any():
                    changed_rows.append(row)
    rows = np.array(changed_rows, np.uint8)
    proper = rows[unidoku.check_many(rows).verdict == "unique"]
    return {bytes(row) for row in canonical_many(proper).puzzle}


@in_turn
@pytest.mark.parametrize(("remove", "add"), [(1, 1), (1, 0), (0, 1), (2, 1), (0, 0)])
def test_brute_force(remove, add):
    grids = list(neighbours(PUZZLE, remove=remove, add=add))
    forms = [unidoku.canonical(grid).cells for grid in grids]
    assert len(set(forms)) == len(forms)
    assert set(forms) == (brute(PUZZLE, remove, add) if remove or add else set())


REPAIRED = "5...7....6..1.5....98....6.8...6...34.......17...2...6.6....28....4.9..5....8...9"


def test_symmetric_neighbours():
    """The pairs of clues that decide a symmetric puzzle with 20 solutions and keep its symmetry."""
    puzzles = [grid.line for grid in neighbours(REPAIRED, remove=0, add=2, symmetry="180")]
    assert len(puzzles) == 12
    assert {unidoku.Grid(puzzle).clue_symmetry for puzzle in puzzles} == {"180"}
    (rows,) = neighbours_by_run([REPAIRED], remove=0, add=2, symmetry="180")
    assert [unidoku.Grid(row).line for row in rows] == puzzles
    everything = neighbours(REPAIRED, remove=0, add=2)
    assert sum(grid.clue_symmetry == "180" for grid in everything) == 12
    with pytest.raises(ValueError, match="invalid symmetry '270'; choose from: none, 180, 90"):
        neighbours(REPAIRED, symmetry="270")


def neighbours_by_run(puzzles, **counts):
    """The neighbours of each puzzle, as a run finds them in one batch."""
    result = unidoku.run_many(Neighbours(**counts), puzzles, threads=1)
    rows = unidoku.cells(result.puzzle)
    return [rows[result.source_rows == number] for number in range(len(puzzles))]


@pytest.mark.slow
def test_brute_force_with_two_added():
    """Few empty cells, so that all pairs can be tried; two puzzles have more than one batch of candidates."""
    puzzles = [bytearray(unidoku.solve(PUZZLE).cells) for _ in range(2)]
    for cell in (0, 4, 10, 22, 40, 44, 60, 80):
        puzzles[0][cell] = puzzles[1][80 - cell // 2] = 0
    puzzles = [bytes(puzzle) for puzzle in puzzles]
    for puzzle, rows in zip(puzzles, neighbours_by_run(puzzles, remove=1, add=2), strict=True):
        forms = {bytes(row) for row in canonical_many(rows).puzzle}
        assert len(forms) == len(rows)
        assert forms == brute(puzzle, 1, 2)


def test_a_run_finds_the_neighbours_of_each_puzzle():
    puzzles = [*generate(6, seed=3), *generate(1, seed=3)]  # one is there twice
    for puzzle, rows in zip(puzzles, neighbours_by_run(puzzles), strict=True):
        assert [bytes(row) for row in rows] == [grid.cells for grid in neighbours(puzzle)]


def test_errors():
    clues = unidoku.Grid(PUZZLE).clues
    with pytest.raises(ValueError, match=f"remove must be 0 to {clues}"):
        neighbours(PUZZLE, remove=clues + 1)
    with pytest.raises(ValueError, match="add must be"):
        neighbours(PUZZLE, remove=0, add=82 - clues)
    with pytest.raises(InvalidPuzzleError, match="both hold"):
        neighbours("11" + "." * 79)
