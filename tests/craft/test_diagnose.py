"""Diagnoses, checked by counting solutions."""

from __future__ import annotations

import random
from importlib import import_module
from itertools import combinations

import pytest
from example_puzzles import OVERFULL, UNIQUE, changed, spread

import unidoku
from unidoku import Grid, count
from unidoku.cell import candidate_of, cell_name
from unidoku.craft._diagnosis import Typo, diagnose


def clues_of(puzzle: str) -> list[int]:
    """The cells with a clue."""
    return [cell for cell in range(81) if puzzle[cell] != "."]


def with_clues(clues: tuple[str, ...]) -> dict[int, str]:
    return {cell: str(digit) for cell, digit in map(candidate_of, clues)}


def check_claims(puzzle: str) -> str:
    """Every claim of the diagnosis of a puzzle holds."""
    diagnosis = diagnose(puzzle)
    solutions = count(puzzle, limit=3)
    if diagnosis.verdict == "unique":
        assert solutions == 1
        spare = [cell for cell in clues_of(puzzle) if count(changed(puzzle, {cell: "."}), limit=2) == 1]
        assert diagnosis.redundant == tuple(f"{cell_name(cell)}={puzzle[cell]}" for cell in spare)
        assert diagnosis.minimal == (not spare)
    elif diagnosis.verdict == "multiple":
        assert solutions > 1
        grid, other_grid = diagnosis.solutions
        for solution in diagnosis.solutions:
            assert Grid(solution).is_solved()
            assert all(p in {".", s} for p, s in zip(puzzle, solution, strict=True))
        differing = [cell_name(cell) for cell in range(81) if grid[cell] != other_grid[cell]]
        assert list(diagnosis.differing_cells) == differing != []
        if diagnosis.count_is_exact:
            assert diagnosis.count == count(puzzle)
        clues = with_clues(diagnosis.deciding_clues)
        assert count(changed(puzzle, clues), limit=2) == 1
        for cell in clues:
            clues_but_one = {c: s for c, s in clues.items() if c != cell}
            assert count(changed(puzzle, clues_but_one), limit=2) == 2
    else:
        assert solutions == 0
        conflict = diagnosis.conflict_puzzle().line
        assert all(a in {".", p} for a, p in zip(conflict, puzzle, strict=True))
        assert count(conflict, limit=1) == 0
        for cell in with_clues(diagnosis.conflict):
            assert count(changed(conflict, {cell: "."}), limit=1) == 1
        assert not diagnosis.minimal
    return diagnosis.verdict


def typos_of(puzzle: str) -> list[Typo]:
    """All changes of one clue after which there is one solution, by counting."""

    def proper(cell: int, symbol: str) -> bool:
        return count(changed(puzzle, {cell: symbol}), limit=2) == 1

    return [
        Typo(cell_name(cell), int(puzzle[cell]), int(digit), proper(cell, "."))
        for cell in clues_of(puzzle)
        for digit in "123456789"
        if proper(cell, digit)
    ]


def test_the_typos_of_mistyped_puzzles_by_counting(puzzles17):
    draw = random.Random(8)
    puzzles = [*spread(puzzles17, 12), *unidoku.lines(unidoku.generate(24, seed=2, clues=(22, 30)))]
    verdicts = []
    for puzzle in puzzles:
        cell = draw.choice(clues_of(puzzle))
        digit = draw.choice([digit for digit in "123456789" if digit != puzzle[cell]])
        mistyped = changed(puzzle, {cell: digit})
        diagnosis = diagnose(mistyped)
        if diagnosis.verdict == "unique":
            continue
        typos = typos_of(mistyped)
        assert diagnosis.typos == tuple(typos[:5])
        assert diagnosis.typo_count == len(typos)
        assert (cell_name(cell), int(puzzle[cell])) in [(typo.cell, typo.digit) for typo in typos]
        verdicts.append(diagnosis.verdict)
    assert min(verdicts.count("none"), verdicts.count("multiple")) > 5


def test_the_typo_in_a_clash():
    diagnosis = diagnose(changed(UNIQUE, {1: "5"}))
    assert diagnosis.conflict == ("r1c1=5", "r1c2=5")
    assert diagnosis.typos == (Typo("r1c2", clue=5, digit=3, removable=True),)
    assert "With 3 instead of 5 in cell r1c2, or without a clue there, there is" in str(diagnosis)


def test_a_diagnosis_has_five_typos_and_the_number_of_all():
    diagnosis = diagnose("..6......2..8..437.....5.2...21.87..5.3.2.1...8.4.325.95.2...76..8.74...7.....54.")
    assert (len(diagnosis.typos), diagnosis.typo_count) == (5, 13)
    assert "Further changes of one clue that leave exactly one solution: 8." in str(diagnosis)


def samples(puzzles: list[str], seed: int) -> list[str]:
    """Puzzles unchanged, with clues removed, with clues of the solution added, and made unsolvable."""
    draw = random.Random(seed)
    variants = []
    for puzzle in puzzles:
        clues = clues_of(puzzle)
        variants += [changed(puzzle, dict.fromkeys(draw.sample(clues, number), ".")) for number in (1, 2)]
        solution = diagnose(puzzle).solutions[0]
        empty = [cell for cell in range(81) if cell not in clues]
        variants.append(changed(puzzle, {cell: solution[cell] for cell in draw.sample(empty, 3)}))
        cell = draw.choice(empty)
        wrong_digits = [d for d in Grid(puzzle).candidates(cell) if str(d) != solution[cell]]
        if wrong_digits:
            variants.append(changed(puzzle, {cell: str(draw.choice(wrong_digits))}))
        variants.append(puzzle)
    return variants


def test_claims_on_hundreds_of_puzzles(top1465, puzzles17):
    puzzles = samples([*spread(top1465, 10), *spread(puzzles17, 10)], seed=5)
    verdicts = [check_claims(puzzle) for puzzle in puzzles]
    assert len(puzzles) > 75
    for verdict in ("none", "unique", "multiple"):
        assert verdicts.count(verdict) > 12


def test_one_clue_is_found_where_one_is_enough():
    """After the removal of one clue of a minimal puzzle, one clue decides."""
    for puzzle in unidoku.lines(unidoku.generate(20, seed=1, minimal=True)):
        cell = next(cell for cell in range(81) if puzzle[cell] != ".")
        diagnosis = diagnose(changed(puzzle, {cell: "."}))
        assert diagnosis.verdict == "multiple"
        assert len(diagnosis.deciding_clues) == 1


@pytest.mark.parametrize(
    ("puzzle", "size"),
    [
        ("5...7....6..1.5....98....6.8...6...34.......17...2...6.6....28....4.9..5....8...9", 1),
        (".....5.7.....8...4.1.79.26.1..3467.............4129..3.41.37.8.9...5.....8.4.....", 2),
    ],
)
def test_the_sets_that_decide_and_those_that_keep_the_symmetry(puzzle, size):
    """All of them by the list of solutions; the clues have a half turn."""
    diagnosis, solutions = diagnose(puzzle), [grid.cells for grid in unidoku.solutions(puzzle)]
    clues = sorted({(cell, one[cell]) for one in solutions for cell in range(81) if puzzle[cell] == "."})
    owners = {
        clue: {number for number, one in enumerate(solutions) if one[clue[0]] == clue[1]} for clue in clues
    }
    groups = [
        group for group in combinations(clues, size) if len(set.intersection(*map(owners.get, group))) == 1
    ]
    assert (len(diagnosis.deciding_clues), diagnosis.deciding_sets) == (size, len(groups))
    pairs = [pair for pair in combinations(clues, 2) if pair[0][0] + pair[1][0] == 80]
    assert diagnosis.symmetric_sets == sum(len(owners[one] & owners[other]) == 1 for one, other in pairs)
    for group in diagnosis.symmetric_clues:
        repaired = Grid(changed(puzzle, with_clues(group)))
        assert (unidoku.check(repaired), repaired.clue_symmetry) == ("unique", "180")


def test_no_deciding_clue_is_redundant():
    """The clues after the first make it redundant here."""
    assert (
        check_claims("....8765..7..4..32...2......6.8..4.....5..3.......6...79....8............12.6....")
        == "multiple"
    )


def test_open_grids():
    assert check_claims("." * 81) == "multiple"
    assert check_claims("123456789" + "." * 72) == "multiple"
    assert check_claims(OVERFULL) == "none"
    assert not diagnose("." * 81).count_is_exact


def test_a_count_that_a_budget_ended_is_a_lower_bound():
    diagnosis = diagnose(
        ".....5.8....6.1.4...........1.5........1.6...3.......5.3.....61........4.........", limit=10
    )
    assert diagnosis.count < 10
    assert not diagnosis.count_is_exact
    assert f"{diagnosis.count} or more" in str(diagnosis)


def test_typos_are_found_whatever_the_budget(monkeypatch):
    module = import_module("unidoku.craft._diagnosis")
    puzzle = "......7...581.....7.294.5.....2.....9.5.8..6..8...3.......2..78.....9...6.9..14.1"
    typos = diagnose(puzzle).typos
    monkeypatch.setattr(module, "_BUDGET", 1)
    monkeypatch.setattr(module, "_CHECK", 1)
    assert diagnose(puzzle).typos == typos != ()
