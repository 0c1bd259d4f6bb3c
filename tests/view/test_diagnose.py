"""The page of a diagnosis: its boards and its text."""

from __future__ import annotations

import re
from html import unescape

import pytest
from drawing import colored, digits
from example_puzzles import CLASH, NOTHING as CHAIN, SEVERAL, UNIQUE as REDUNDANT

from unidoku.cell import candidate_of, cell_number
from unidoku.craft._diagnosis import diagnose
from unidoku.view._diagnose import boards, diagnose_page, diagnosis_lines

MINIMAL = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
PUZZLES = [SEVERAL, CHAIN, CLASH, REDUNDANT, MINIMAL, "." * 81]


def text_of(page, names="numbers"):
    """The text of a page with one of the two names of its cells."""
    visible_class, hidden_class = ("number", "rc") if names == "numbers" else ("rc", "number")
    text = re.sub(f'<span class="{hidden_class}">.*?</span>', "", page)
    return unescape(re.sub(f'<span class="{visible_class}">(.*?)</span>', r"\1", text))


def clues_of(puzzle):
    return {cell: int(symbol) for cell, symbol in enumerate(puzzle) if symbol in "123456789"}


def cells_of(names):
    """The cells of some names of cells or of clues."""
    return {cell_number(name.partition("=")[0]) for name in names}


def test_two_solutions_and_the_clues_that_decide():
    diagnosis = diagnose(SEVERAL)
    board_1, board_2, unique_board, _ = (board for _, board in boards(diagnosis))
    for svg, solution in zip((board_1, board_2), diagnosis.solutions, strict=True):
        assert colored(svg)["yellow"] == cells_of(diagnosis.differing_cells) != set()
        assert digits(svg, "given") == clues_of(SEVERAL)
        assert digits(svg, "given") | digits(svg, "found") == clues_of(solution)
    assert digits(unique_board, "found") == dict(map(candidate_of, diagnosis.deciding_clues)) != {}
    assert colored(unique_board)["green"] == set(digits(unique_board, "found"))


@pytest.mark.parametrize("puzzle", [SEVERAL, SEVERAL[::-1]])
def test_the_text_emphasizes_the_cells_that_differ(puzzle):
    diagnosis = diagnose(puzzle)
    pairs = []
    for line in diagnosis_lines(diagnosis):
        half = len(line.emphasis) // 2
        places = zip(line.emphasis[:half], line.emphasis[half:], strict=True)
        pairs += [(line.text[place], line.text[other_place]) for place, other_place in places]
    grid_1, grid_2 = diagnosis.solutions
    differing = map(cell_number, diagnosis.differing_cells)
    assert pairs == [(grid_1[cell], grid_2[cell]) for cell in differing]


def test_contradictory_clues_and_the_chain():
    diagnosis = diagnose(CHAIN)
    puzzle, _, last_board = (board for _, board in boards(diagnosis))
    changes = cells_of(typo.cell for typo in diagnosis.typos)
    assert colored(puzzle)["red"] == cells_of(diagnosis.conflict) - changes
    assert colored(puzzle)["yellow"] == changes != set()
    assert digits(puzzle, "given") == clues_of(CHAIN)
    assert digits(last_board, "given") == clues_of(diagnosis.conflict_puzzle().line)
    assert colored(last_board)["red"] == {38}  # it has no component left
    page = diagnose_page(diagnosis)
    steps = [
        line
        for line in diagnosis_lines(diagnosis, proof=True)
        if line.kind in {"zero", "convert", "contradiction"}
    ]
    assert page.count("<li") == len(steps)
    assert all(line.text.strip() in text_of(page, "rc") for line in steps)
    for line in diagnosis_lines(diagnosis, names="numbers", proof=True):
        assert line.kind == "picture" or line.text.strip() in text_of(page)


def test_equal_clues_need_no_chain_and_all_of_them_are_named():
    diagnosis = diagnose(CLASH)
    (puzzle,) = (board for _, board in boards(diagnosis))
    assert diagnosis.chain is None
    assert colored(puzzle)["red"] == {0, 1}
    assert "Cells r1c1 and r1c2 both hold 1 in row 1." in text_of(diagnose_page(diagnosis), "rc")
    twice = diagnose(CLASH[:79] + "99")
    assert colored(next(board for _, board in boards(twice)))["red"] == {0, 1, 79, 80}
    assert str(twice).splitlines()[-2:] == [
        "Cells r1c1 and r1c2 both hold 1 in row 1.",
        "Cells r9c8 and r9c9 both hold 9 in row 9.",
    ]


def test_the_first_correction_is_marked():
    wrong = REDUNDANT.replace("7", "5", 1)
    diagnosis = diagnose(wrong)
    typo = diagnosis.typos[0]
    corrected = next(board for _, board in boards(diagnosis) if "green" in colored(board))
    assert colored(corrected)["green"] == cells_of([typo.cell])
    assert digits(corrected, "given") == clues_of(wrong) | {cell_number(typo.cell): typo.digit}


def test_redundant_clues():
    diagnosis = diagnose(REDUNDANT)
    puzzle, solution = (board for _, board in boards(diagnosis))
    assert colored(puzzle)["yellow"] == cells_of(diagnosis.redundant) != set()
    assert digits(solution, "given") | digits(solution, "found") == clues_of(diagnosis.solutions[0])
    assert "yellow" not in colored(next(boards(diagnose(MINIMAL)))[1])


def test_in_a_notebook():
    for puzzle in PUZZLES:
        diagnosis = diagnose(puzzle)
        page = diagnosis._repr_html_()
        assert page.count("<svg") == len(list(boards(diagnosis)))
        assert next(diagnosis_lines(diagnosis)).text in page
