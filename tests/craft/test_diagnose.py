"""Diagnoses, checked by counting solutions."""

from __future__ import annotations

import json
import random

import pytest
from command import run
from example_puzzles import OVERFULL as BAND, UNIQUE, changed, spread

import unidoku
from unidoku import Grid, Verdict, count
from unidoku.craft.diagnose import Diagnosis, diagnose
from unidoku.view.diagnose import report


def check_claims(puzzle: str) -> Verdict:
    """Every claim of the diagnosis of a puzzle holds."""
    found = diagnose(puzzle)
    solutions = count(puzzle, limit=3)
    if found.verdict is Verdict.UNIQUE:
        assert solutions == 1
        clues = [cell for cell in range(81) if puzzle[cell] != "."]
        spare = [cell for cell in clues if count(changed(puzzle, {cell: "."}), limit=2) == 1]
        assert list(found.redundant) == spare
        assert found.minimal == (not spare)
    elif found.verdict is Verdict.MULTIPLE:
        assert solutions > 1
        first, second = found.solutions
        for solution in found.solutions:
            assert solution.is_solved()
            assert all(p in {".", s} for p, s in zip(puzzle, solution.line, strict=True))
        differing = [cell for cell in range(81) if first[cell] != second[cell]]
        assert list(found.differing_cells) == differing != []
        check_unavoidable_set(puzzle, found)
        if found.count_is_exact:
            assert found.count == count(puzzle)
        clues = {cell: str(digit) for cell, digit in found.deciding_clues}
        assert count(changed(puzzle, clues), limit=2) == 1
        for cell in clues:
            rest = {c: s for c, s in clues.items() if c != cell}
            assert count(changed(puzzle, rest), limit=2) == 2
    else:
        assert solutions == 0
        alone = found.conflict_puzzle().line
        assert all(a in {".", p} for a, p in zip(alone, puzzle, strict=True))
        assert count(alone, limit=1) == 0
        for cell in found.conflict:
            assert count(changed(alone, {cell: "."}), limit=1) == 1
        assert not found.minimal
    return found.verdict


def check_unavoidable_set(puzzle: str, found: Diagnosis) -> None:
    """The first solution without these cells has other solutions, and none with any one of the cells."""
    cells = found.unavoidable_set
    assert set(cells) <= set(found.differing_cells)
    assert all(puzzle[cell] == "." for cell in cells)
    first = found.solutions[0].line
    without = changed(first, dict.fromkeys(cells, "."))
    assert count(without, limit=2) == 2
    for cell in cells:
        assert count(changed(without, {cell: first[cell]}), limit=2) == 1


def test_the_unavoidable_set_is_a_smallest_one() -> None:
    for puzzle in samples([UNIQUE], 3):
        found = diagnose(puzzle)
        if found.verdict is Verdict.MULTIPLE:
            first = found.solutions[0].line
            without = changed(first, dict.fromkeys(found.differing_cells, "."))
            sizes = [sum(map(str.__ne__, first, each.line)) for each in unidoku.solutions(without)]
            assert len(found.unavoidable_set) == min(size for size in sizes if size)


def samples(puzzles: list[str], seed: int) -> list[str]:
    """Puzzles unchanged, with clues removed, with clues of the solution added, and made unsolvable."""
    draw = random.Random(seed)
    out = []
    for puzzle in puzzles:
        clues = [cell for cell in range(81) if puzzle[cell] != "."]
        out += [changed(puzzle, dict.fromkeys(draw.sample(clues, taken), ".")) for taken in (1, 2)]
        solution = diagnose(puzzle).solutions[0]
        empty = [cell for cell in range(81) if cell not in clues]
        out.append(changed(puzzle, {cell: solution.line[cell] for cell in draw.sample(empty, 3)}))
        cell = draw.choice(empty)
        others = [d for d in Grid(puzzle).candidates(cell) if d != solution[cell]]
        if others:
            out.append(changed(puzzle, {cell: str(draw.choice(others))}))
        out.append(puzzle)
    return out


def test_claims_on_hundreds_of_puzzles(top1465, puzzles17):
    puzzles = samples([*spread(top1465, 40), *spread(puzzles17, 40)], seed=5)
    verdicts = [check_claims(puzzle) for puzzle in puzzles]
    assert len(puzzles) > 350
    for verdict in (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE):
        assert verdicts.count(verdict) > 60


def test_one_clue_is_found_where_one_is_enough():
    """A minimal puzzle without one clue is decided by one clue, such as the removed one."""
    for puzzle in unidoku.lines(unidoku.generate(20, seed=1, minimal=True)):
        cell = next(cell for cell in range(81) if puzzle[cell] != ".")
        found = diagnose(changed(puzzle, {cell: "."}))
        assert found.verdict is Verdict.MULTIPLE
        assert len(found.deciding_clues) == 1


def test_open_grids():
    assert check_claims("." * 81) is Verdict.MULTIPLE
    assert check_claims("123456789" + "." * 72) is Verdict.MULTIPLE
    assert check_claims(BAND) is Verdict.NONE
    assert not diagnose("." * 81).count_is_exact


def test_limit():
    assert diagnose("." * 81, limit=5).count == 5
    with pytest.raises(ValueError, match="at least 2"):
        diagnose("." * 81, limit=1)


def test_json_keys(top1465):
    def answer(puzzle, code):
        return json.loads(run("diagnose", "--to", "json", puzzle, code=code).stdout)

    proper = answer(top1465[0], 0)
    assert list(proper) == ["verdict", "solutions", "count", "count_is_exact", "redundant", "minimal"]
    several = answer(changed(top1465[0], {next(i for i, s in enumerate(top1465[0]) if s != "."): "."}), 1)
    assert list(several) == [
        "verdict",
        "solutions",
        "count",
        "count_is_exact",
        "differing_cells",
        "unavoidable_set",
        "deciding_clues",
    ]
    assert set(several["deciding_clues"][0]) == {"cell", "digit"}
    none = answer("11" + "." * 79, 1)
    assert none == {"verdict": "none", "count": 0, "count_is_exact": True, "conflict": ["r1c1", "r1c2"]}


def test_words():
    assert "Cells r1c1 and r1c2 both hold 1 in row 1." in run("diagnose", "11" + "." * 79).stdout
    assert "Contradiction at level 0" in run("diagnose", BAND).stdout
    assert "作业结果" in run("diagnose", "--lang", "zh", "." * 81).stdout
    assert "不可避免集" in run("diagnose", "--lang", "zh", "." * 81).stdout
    assert "No clue is in this unavoidable set of 6 cells" in run("diagnose", "." * 81).stdout
    assert "1000 or more" in run("diagnose", "." * 81).stdout


def test_words_for_python_users():
    """The command prints the lines of the report, which needs no command."""
    for puzzle in ("11" + "." * 79, "." * 81, BAND):
        found = diagnose(puzzle)
        assert run("diagnose", puzzle).stdout.rstrip() == str(found)
    two = diagnose("." * 81)
    pictures = [line for line in report(two) if line.kind == "picture"]
    digits = ["".join(line.text[place] for line in pictures for place in line.emphasis)]
    assert len(digits[0]) == 2 * len(two.differing_cells)
    assert set(digits[0]) <= set("123456789")
    assert next(report(diagnose(two.solutions[0]))).text == "Exactly one solution."
