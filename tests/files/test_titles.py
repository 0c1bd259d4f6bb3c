"""Titles of boards in a file: one whose board is missing is a reject, and no other line with a number is."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from example_puzzles import UNIQUE
from readback import read_all

DIGITS = "123456789"
BOARDS = [
    "".join(f"{row}\n" for row in map("".join, zip(*[iter(UNIQUE.translate(names))] * 9, strict=True)))
    for names in (str.maketrans(DIGITS, DIGITS[n:] + DIGITS[:n]) for n in range(9))
]
TITLES = [
    "Puzzle {n}",
    "## Sudoku {n}",
    "Grid 0{n}",
    "第{n}题",
    "# {n}",
    "No. {n}",
    "Nr. {n} (schwer)",
    "Game #{n} (rating 1.5)",
    "Level {n}: easy",
    "2024-05-0{n}",
    "{n}/5/2024",
    "Easy {n}",
    "=== {n} ===",
    "Aufgabe {n}",
    "問題{n}",
    "p{n}",
    "{n}.",
    "({n})",
    "[{n}]",
    "{n}",
]


def read(path: Path, text: str) -> tuple[list[int], list[int]]:
    """Return the lines of the puzzles of a text, and those of its rejects."""
    (path / "a.txt").write_text(text, encoding="utf-8")
    records = read_all(path / "a.txt")
    return [line for line, _ in records.puzzles], [line for line, _, _ in records.rejects]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("below", ["", "N/A\n", "not yet found\n\n"])
def test_a_title_without_its_board_is_a_reject(title: str, below: str, tmp_path: Path) -> None:
    for count, lost in ((3, 1), (4, 0), (5, 4), (9, 4)):
        text, titles, boards = "", [], []
        for number in range(count):
            titles.append(text.count("\n") + 1)
            text += title.format(n=number + 1) + "\n\n"
            boards.append(text.count("\n") + 1)
            text += f"{below if number == lost else BOARDS[number]}\n"
        expected = [line for number, line in enumerate(boards) if number != lost], [titles[lost]]
        assert read(tmp_path, text) == expected


@pytest.mark.parametrize("title", [title for title in TITLES if title.strip("#{n}.()[] ")])
def test_titles_right_above_their_boards(title: str, tmp_path: Path) -> None:
    if title == "=== {n} ===":
        pytest.skip("a rule stands above a board as part of its frame")
    parts = [f"{title.format(n=k + 1)}\n{BOARDS[k] if k != 2 else ''}\n" for k in range(5)]
    assert len(read(tmp_path, "".join(parts))[0]) == 4
    assert read(tmp_path, "".join(parts))[1] == [23]


OTHERS = ["Solved in {n} s", "{n} clues", "Rating: {n}.5", "- {n} -", "Page {n}", "(c) 200{n}"]


@pytest.mark.parametrize("line", OTHERS)
def test_a_line_with_a_number_below_boards_is_no_title(line: str, tmp_path: Path) -> None:
    for blank, title in product(["", "\n"], ["", "Puzzle {n}\n\n"]):
        parts = [f"{title.format(n=k + 1)}{BOARDS[k]}{blank}{line.format(n=k + 1)}\n\n" for k in range(5)]
        puzzles, rejects = read(tmp_path, "".join(parts))
        if len(puzzles) == 5:  # a line of signs directly below a board is a fault of it
            assert rejects == []
        else:
            assert len(puzzles) + len(rejects) == 5


def test_a_list_of_contents_and_steps_have_no_boards(tmp_path: Path) -> None:
    contents = "".join(f"Puzzle {k + 1}\n" for k in range(5))
    parts = "".join(f"Puzzle {k + 1}\n\n{BOARDS[k]}\n" for k in range(5))
    assert read(tmp_path, f"{contents}\n{parts}")[1] == []
    steps = "".join(f"Step {k}: r1c{k} is {k}\n" for k in range(1, 9))
    assert read(tmp_path, f"{steps}\n{BOARDS[0]}\nStep 9: r9c9 is 1\n")[1] == []


@pytest.mark.parametrize("word", ["N/A", "null", "None", "nan"])
def test_a_value_for_nothing_in_the_place_of_a_board_is_a_reject(word: str, tmp_path: Path) -> None:
    text = f"{BOARDS[0]}\n{word}\n\n{BOARDS[1]}\n"
    assert read(tmp_path, text) == ([1, 13], [11])
