"""Columns, rows and frames that are cut off or moved so that a person sees it: never another board."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from example_puzzles import SOLUTION, UNIQUE

from unidoku import Grid, InvalidPuzzleError

ROWS = [UNIQUE[begin : begin + 9] for begin in range(0, 81, 9)]
LABELS = {"a number": "{}", "from 0": "{z}", "brackets": "[{}]", "a word": "R{}"}
GAPS = {"blank": (" ", " "), "tab": ("\t", "\t"), "comma": (",", ","), "bar": (" | ", " | ")}


def is_refused(text: str) -> bool:
    """Return whether a text is refused."""
    try:
        Grid(text)
    except InvalidPuzzleError:
        return True
    return False


@pytest.mark.parametrize(("label", "gap", "empty"), [*product(LABELS, GAPS, ".0_")])
def test_a_last_column_that_is_lost_behind_labels(label: str, gap: str, empty: str) -> None:
    first, between = GAPS[gap]
    lines = [
        LABELS[label].format(k, z=k - 1) + first + between.join(row[:8].replace(".", empty))
        for k, row in enumerate(ROWS, 1)
    ]
    assert is_refused("\n".join(lines))


def test_a_valid_grid_may_begin_with_1_to_9() -> None:
    grid = "".join(SOLUTION[column::9] for column in range(9))  # its columns as rows
    digits = str.maketrans(grid[::9], "123456789")
    lines = [" ".join(grid[begin : begin + 9].translate(digits)) for begin in range(0, 81, 9)]
    assert Grid("\n".join(lines)).line == "".join("".join(lines).split())


def table(rows: list[str], fields: str = " ") -> list[str]:
    """Return rows as those of a table of Markdown."""
    return ["|" + "|".join(f"{fields}{cell}{fields}" for cell in row) + "|" for row in rows]


@pytest.mark.parametrize(("lost", "fields"), [*product(range(9), ["", " "])])
def test_a_row_that_is_lost_below_the_heading_of_a_table(lost: int, fields: str) -> None:
    rule = "|" + "|".join(["---"] * 9) + "|"
    head, body = table(["123456789"], fields), table(ROWS, fields)
    assert Grid("\n".join([*head, rule, *body])).line == UNIQUE
    assert is_refused("\n".join([*head, rule, *body[:lost], *body[lost + 1 :]]))


@pytest.mark.parametrize("empty", ".0_*")
def test_a_row_of_empty_cells_that_has_eight_or_ten(empty: str) -> None:
    rows = ["123456789", *ROWS[:3], "." * 9, *ROWS[4:8]]
    for size in (8, 10):
        lines = [" ".join(row) for row in rows]
        lines.insert(5, " ".join(empty * size))
        assert is_refused("\n".join(lines).replace(".", empty))


@pytest.mark.parametrize("place", range(0, 81, 10))
def test_a_digit_outside_of_the_cells_of_a_page(place: int) -> None:
    cells = [f"<td>{sign.replace('.', '')}</td>" for sign in UNIQUE]
    page = ["<tr>" + "".join(cells[begin : begin + 9]) + "</tr>" for begin in range(0, 81, 9)]
    assert Grid("<table>" + "\n".join(page) + "</table>").line == UNIQUE
    cells[place] += "7"
    page = ["<tr>" + "".join(cells[begin : begin + 9]) + "</tr>" for begin in range(0, 81, 9)]
    assert is_refused("<table>" + "\n".join(page) + "</table>")


def test_a_row_that_is_doubled_among_strings_with_blanks() -> None:
    rows = [row.replace(".", " ") for row in ROWS]
    rows[4] = " " * 9
    cells = "".join(rows).replace(" ", ".")
    lines = [f'    "{row}",' for row in rows]
    assert Grid("\n".join(["rows = [", *lines, "]"])).line == cells
    for place in (0, 3, 8):
        doubled = [*lines[: place + 1], *lines[place:]]
        assert is_refused("\n".join(["rows = [", *doubled, "]"]))


DRAWINGS: dict[str, Callable[[str], str]] = {
    "a frame of each cell": lambda row: "|" + "|".join(f" {cell} " for cell in row) + "|",
    "columns apart": " ".join,
    "columns with a margin": lambda row: "    " + row,
}


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_drawings_with_blanks_that_are_cut_off_at_the_right(drawing: str) -> None:
    lines = [DRAWINGS[drawing](row.replace(".", " ")) for row in ROWS]
    if "frame" in drawing:
        rule = "+---" * 9 + "+"
        lines = [line for row in lines for line in (rule, row)] + [rule]
    assert Grid("\n".join(lines)).line == UNIQUE
    for width in range(9, len(lines[0])):
        cut = [line[:width] for line in lines]
        assert is_refused("\n".join(cut)) or "".join(cut).replace(" ", "") == "".join(lines).replace(" ", "")


@pytest.mark.parametrize("column", range(9))
def test_a_blank_column_that_is_narrower_behind_labels(column: int) -> None:
    rows = [row[:column] + " " + row[column + 1 :] for row in ROWS]
    lines = [f"| R{k} " + line for k, line in enumerate(table([row.replace(".", " ") for row in rows]), 1)]
    narrow = [line[: 6 + 4 * column] + line[7 + 4 * column :] for line in lines]
    assert Grid("\n".join(lines)).line == "".join(rows).replace(" ", ".")
    assert is_refused("\n".join(narrow))
