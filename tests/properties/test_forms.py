"""A form is judged once, and no reading depends on which texts came before."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from example_puzzles import SOLUTION, UNIQUE
from moving import moved
from text_shapes import DAMAGES, Shape, damages, samples

import unidoku
from unidoku import InvalidPuzzleError
from unidoku._answers import grid as answers
from unidoku._parse import contents, puzzle
from unidoku._parse.forms import SeenLayouts


def reading(text: str) -> str:
    """The board of a text, or why there is none."""
    try:
        return unidoku.Grid(text).line
    except InvalidPuzzleError as error:
        return str(error)


def texts_of(count: int, seed: int) -> list[str]:
    """Texts of random shapes, some of them damages, with boards that count or have full rows."""
    texts = []
    for shape, (before, after), pick in samples(count, seed):
        cells = [*pick.choice([UNIQUE, SOLUTION])]
        for place in pick.sample(range(81), pick.choice([0, 3, 40])):
            cells[place] = pick.choice("123456789.")
        if pick.random() < 0.1:
            row = 9 * pick.randrange(9)
            cells[row : row + 9] = "123456789"
        text = shape.draw("".join(cells))
        text = damages(text, pick)[pick.choice(DAMAGES)] if pick.random() < 0.3 else text
        texts.append(before + text + after)
    return texts


def taught() -> list[str]:
    """Pairs of texts of one skeleton, of which the first is a board and the second none, or another one."""
    rows, grid = ([line[k : k + 9] for k in range(0, 81, 9)] for line in (UNIQUE, SOLUTION))
    wrong = [grid[0].translate({ord("4"): "6", ord("6"): "4"}), *grid[1:]]
    again = ["", "Corrected:", *map("/".join, wrong)]
    blanks = [row.replace(".", " ") for row in rows]
    others = [row.translate(str.maketrans("123456789", "912345678")) for row in rows]
    zeros, dashes = ([row.replace(".", sign) for row in others] for sign in "0-")
    labels = [f"{k}{row[1:]}" for k, row in enumerate(rows, 1)]
    return [
        *("\n".join(["I say:", *lines]) for lines in (rows, others, [*grid[:8], f"{grid[8][:8]}."])),
        *("\n".join(lines) for lines in (rows, others, labels, [*rows[:4], rows[1], *rows[5:]])),
        *("\n".join(lines) for lines in (zeros, ["012345678", *zeros[1:]], [*rows[:4], *zeros[4:]])),
        *("\n".join(lines) for lines in (dashes, [*dashes[:3], "-" * 9, *dashes[4:]])),
        *("\n".join([*lines, "", *grid]) for lines in (rows, [f"{rows[0][:8]}1", *rows[1:]])),
        *(",".join("".join(lines)) for lines in (rows, others, [f"{rows[0][:8]}0", *rows[1:]])),
        *("\n".join(blanks), "\n".join(f" {row[:8]}" for row in blanks)),
        *(
            "\n".join([f"I see {words}", *rows])
            for words in ("5 3 . and . 7 . and . . .", "5 2 . and . 4 . and . . .")
        ),
        *("\n".join([*lines, *again]) for lines in (wrong, grid)),
    ]


@pytest.mark.parametrize(("count", "seed"), [(40, 1), pytest.param(250, 2, marks=pytest.mark.slow)])
def test_any_order_of_texts_has_the_same_readings(
    monkeypatch: pytest.MonkeyPatch, count: int, seed: int
) -> None:
    texts = texts_of(count, seed) + taught()
    alone = []
    for text in texts:
        known = SeenLayouts()
        for room in (contents, puzzle):
            monkeypatch.setattr(room, "PUZZLES", known)
        monkeypatch.setattr(answers, "_SEEN", SeenLayouts())
        alone.append((reading(text), unidoku.verify(UNIQUE, text)))
    orders = [
        [*range(len(texts))],
        *(random.Random(k).sample(range(len(texts)), len(texts)) for k in range(2)),
    ]

    def read_all(order: list[int]) -> None:
        for k in order:
            assert (reading(texts[k]), unidoku.verify(UNIQUE, texts[k])) == alone[k], texts[k]

    with ThreadPoolExecutor(3) as pool:
        for result in [pool.submit(read_all, order) for order in orders]:
            result.result()


COUNTS = ("123456789", "987654321", ".12345678")
FRAMES = [
    *(
        Shape(*parts, " ")
        for parts in (("| ", " ", " | ", " |"), ("|", "|", "|", "|"), ("[", "][", "][", "]"))
    ),
    *(Shape("", gap, wide, "", " ") for gap, wide in ((" ", "  "), (" ", " | "), ("", ""))),
    Shape("[", ". ", ". ", ".]", "0"),
]
"""And rows without a frame, and numbers with a point."""


def odd_boards(pick: random.Random) -> list[str]:
    """Return boards that could be something else, or could have lost cells."""
    cells, grid = moved(UNIQUE, pick), moved(SOLUTION, pick)
    row, side, holes = 9 * pick.randrange(9), pick.choice([0, 8]), {*pick.sample(range(81), 19)}
    return [
        *(grid, f"{grid[:80]}.", "".join("." if k in holes else digit for k, digit in enumerate(grid))),
        *("".join("." if k % 9 == side else sign for k, sign in enumerate(board)) for board in (cells, grid)),
        *(cells[:row] + other + cells[row + 9 :] for other in ("." * 9, cells[:9], *COUNTS)),
        *(
            "".join(count[k // 9] if k % 9 == side else sign for k, sign in enumerate(cells))
            for count in ("555555555", *COUNTS)
        ),
    ]


def variants(text: str, pick: random.Random) -> Iterator[str]:
    """Yield a text, and texts with one or two other cells, signs or numbers in the same places."""
    yield text
    places = [k for k, sign in enumerate(text) if sign in "123456789.0_*?xX-"]
    for count in (1, 2):
        changed = [*text]
        for place in pick.sample(places, min(count, len(places))):
            changed[place] = pick.choice("123456789123456789..00_*?x- ")
        yield "".join(changed)


@pytest.mark.parametrize(("count", "seed"), [(40, 4), pytest.param(400, 3, marks=pytest.mark.slow)])
def test_a_known_form_is_read_as_a_text_that_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, count: int, seed: int
) -> None:
    """The first board of a shape tells its size, and the second one its form."""
    known, refused = 0, 0
    for shape, (before, after), pick in samples(count, seed):
        drawn = pick.choice([*[shape] * 7, *FRAMES]) if "\n" in shape.draw(UNIQUE) else shape
        above = pick.choice([before, before, "Puzzle 12 of 30:\n\n", "I see 5 3 . and . 7 . and 9\n\n"])
        unknown, forms = SeenLayouts(), SeenLayouts()
        monkeypatch.setattr(unknown, "cells_in", lambda text: "")
        monkeypatch.setattr(puzzle, "PUZZLES", unknown)
        monkeypatch.setattr(contents, "PUZZLES", forms)
        odd = odd_boards(pick)
        usual = [moved(UNIQUE, pick) for _ in range(3)]
        for cells in [*pick.sample(odd, 2), *usual, *odd]:
            for text in variants(above + drawn.draw(cells) + after, pick):
                seen, looked_at = forms.cells_in(text), reading(text)
                is_board = re.fullmatch("[.1-9]{81}", looked_at) is not None
                assert not is_board or seen in ("", looked_at), text
                known += seen != ""
                refused += seen != "" and not is_board
    assert known > 2 * count, known  # a text with tags or letters beside cells is looked at
    assert refused * 300 <= known, (refused, known)  # bullets before a board with an empty last column


@pytest.mark.parametrize(
    ("head", "row", "gap", "empty"),
    [
        *(("", "{}", gap, empty) for gap in ("", " ") for empty in ".0_?*xX"),
        *(("", "{}", ", ", empty) for empty in ".0-"),
        *(("  1 2 3 4 5 6 7 8 9\n", "A {}", " ", "."), ("Puzzle 12 of 30\n", "{}", " ", "·")),
        ("+---------------------------+\n", "| {} |", "  ", " "),
    ],
)
def test_the_third_text_of_a_form_is_not_looked_at(head: str, row: str, gap: str, empty: str) -> None:
    """A form takes two texts, and is kept for each kind of empty cells."""
    forms = SeenLayouts()
    for number, cells in enumerate([moved(UNIQUE, random.Random(k)) for k in range(3)]):
        lines = (row.format(gap.join(cells[k : k + 9].replace(".", empty))) for k in range(0, 81, 9))
        text = head + "\n".join(lines)
        if number == 2:
            assert forms.cells_in(text) == cells
            board = forms.board_in(text)
            assert board
            assert board.cells == cells
        forms.learn(text, cells)


def test_usual_forms_are_known_at_first() -> None:
    for gap, empty, end in product(("", " "), ".0", ("", "\n")):
        for cells in (UNIQUE, SOLUTION):
            text = "\n".join(gap.join(cells[k : k + 9]) for k in range(0, 81, 9)) + end
            assert SeenLayouts().cells_in(text.replace(".", empty)) == cells


def test_forms_are_few_and_short() -> None:
    forms = SeenLayouts()
    rows = "\n".join(UNIQUE[k : k + 9] for k in range(0, 81, 9))
    for size in (*range(1, 700), 5000):
        for _ in range(2):
            forms.learn("a" * size + "\n" + rows, UNIQUE)
    assert not forms.cells_in("a" * 5000 + "\n" + rows)
    assert sum(map(len, forms._kinds.values())) < 520


def test_a_column_that_is_empty_teaches_no_form() -> None:
    """The point of its label is no empty cell."""
    forms = SeenLayouts()
    for _ in range(3):
        rows = [f"{k + 1}. -{SOLUTION[9 * k + 1 : 9 * k + 9]}" for k in range(9)]
        forms.learn("\n".join(rows), "".join(f".{SOLUTION[9 * k + 1 : 9 * k + 9]}" for k in range(9)))
    assert not forms.cells_in("\n".join(rows).replace("4. -", "49 -"))


def test_the_last_cell_is_not_the_end_of_a_sentence() -> None:
    """A board whose only empty cell is the last one teaches no form: a full stop could be that cell."""
    forms, grid = SeenLayouts(), [SOLUTION[k : k + 9] for k in range(0, 81, 9)]
    text = "\n".join([*grid[:8], f"{grid[8][:8]}-", "", "Each digit once."])
    for _ in range(3):
        forms.learn(text, f"{SOLUTION[:80]}.")
    assert not forms.cells_in(text.replace(grid[0], f".{grid[0][1:]}"))
    assert not forms.cells_in(text)
