"""The page of a diagnosis: its boards, its words, and what it must not contain."""

from __future__ import annotations

import re
from html import unescape

from drawing import colored, digits
from example_puzzles import CLASH, NOTHING as CHAIN, SEVERAL, UNIQUE as REDUNDANT

from unidoku.cell import candidate_of, cell_number
from unidoku.craft.diagnose import diagnose
from unidoku.view.diagnose import boards, diagnose_page, report

MINIMAL = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EVERY = [SEVERAL, CHAIN, CLASH, REDUNDANT, MINIMAL, "." * 81]


def read(page, names="numbers"):
    """The text of a page with one of the two names of its cells."""
    shown, hidden = ("number", "rc") if names == "numbers" else ("rc", "number")
    text = re.sub(f'<span class="{hidden}">.*?</span>', "", page)
    return unescape(re.sub(f'<span class="{shown}">(.*?)</span>', r"\1", text))


def clues_of(puzzle):
    return {cell: int(symbol) for cell, symbol in enumerate(puzzle) if symbol in "123456789"}


def cells_of(names):
    """The cells of some names of cells or of clues."""
    return {cell_number(name.partition("=")[0]) for name in names}


def test_two_solutions_and_the_clues_that_decide():
    found = diagnose(SEVERAL)
    first, second, added, _ = (board for _, board in boards(found))
    for svg, solution in zip((first, second), found.solutions, strict=True):
        assert colored(svg)["yellow"] == cells_of(found.differing_cells) != set()
        assert digits(svg, "given") == clues_of(SEVERAL)
        assert digits(svg, "given") | digits(svg, "found") == clues_of(solution)
    assert digits(added, "found") == dict(map(candidate_of, found.deciding_clues)) != {}
    assert colored(added)["green"] == set(digits(added, "found"))


def test_the_text_emphasizes_the_cells_that_differ():
    diagnosis = diagnose(SEVERAL)
    pairs = []
    for line in report(diagnosis):
        half = len(line.emphasis) // 2
        pairs += zip(line.emphasis[:half], line.emphasis[half:], [line.text] * half, strict=True)
    assert len(pairs) == len(diagnosis.differing_cells)
    assert all(text[one] != text[other] for one, other, text in pairs)


def test_contradictory_clues_and_the_chain():
    found = diagnose(CHAIN)
    puzzle, _, last = (board for _, board in boards(found))
    assert colored(puzzle)["red"] == cells_of(found.conflict)
    assert digits(puzzle, "given") == clues_of(CHAIN)
    assert digits(last, "given") == clues_of(found.conflict_puzzle().line)
    assert colored(last)["red"] == {38}  # it has no component left
    page = diagnose_page(found)
    steps = [line for line in report(found) if line.kind in {"zero", "convert", "contradiction"}]
    assert page.count("<li") == len(steps)
    assert all(line.text.strip() in read(page, "rc") for line in steps)
    for line in report(found, names="numbers"):
        assert line.kind == "picture" or line.text.strip() in read(page)


def test_equal_clues_need_no_chain():
    found = diagnose(CLASH)
    (puzzle,) = (board for _, board in boards(found))
    assert found.chain is None
    assert colored(puzzle)["red"] == {0, 1}
    assert "Cells r1c1 and r1c2 both hold 1 in row 1." in read(diagnose_page(found), "rc")


def test_the_first_correction_is_marked():
    wrong = REDUNDANT.replace("7", "5", 1)
    diagnosis = diagnose(wrong)
    typo = diagnosis.typos[0]
    corrected = next(board for _, board in boards(diagnosis) if "green" in colored(board))
    assert colored(corrected)["green"] == cells_of([typo.cell])
    assert digits(corrected, "given") == clues_of(wrong) | {cell_number(typo.cell): typo.digit}


def test_redundant_clues():
    found = diagnose(REDUNDANT)
    puzzle, solution = (board for _, board in boards(found))
    assert colored(puzzle)["yellow"] == cells_of(found.redundant) != set()
    assert digits(solution, "given") | digits(solution, "found") == clues_of(found.solutions[0])
    assert "yellow" not in colored(next(boards(diagnose(MINIMAL)))[1])


def test_in_a_notebook():
    for puzzle in EVERY:
        found = diagnose(puzzle)
        shown = found._repr_html_()
        assert shown.count("<svg") == len(list(boards(found)))
        assert next(report(found)).text in shown
