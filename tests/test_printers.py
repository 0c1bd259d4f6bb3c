"""Boards as programs print them: read as themselves; where a person sees damage never as another board."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from example_puzzles import SOLUTION, UNIQUE
from text_shapes import is_refused

import unidoku
from unidoku import Grid, InvalidPuzzleError, verify
from unidoku.parse.board import Board
from unidoku.parse.uses import records_in

ROWS = [UNIQUE[begin : begin + 9] for begin in range(0, 81, 9)]
FULL = [SOLUTION[begin : begin + 9] for begin in range(0, 81, 9)]


Printer = Callable[[list[str]], str]


def zeros(row: str) -> str:
    """Return a row with zeros for its empty cells."""
    return row.replace(".", "0")


def of_node(rows: list[str]) -> str:
    """Return what `console.table` of Node.js prints."""
    head = "│ (index) │ " + " │ ".join("012345678") + " │"
    body = [f"│    {k}    │ " + " │ ".join(zeros(row)) + " │" for k, row in enumerate(rows)]
    edges = ["┌─────────┬" + "┬".join(["───"] * 9) + "┐", "└─────────┴" + "┴".join(["───"] * 9) + "┘"]
    return "\n".join([edges[0], head, edges[0], *body, edges[1]])


def of_glpk(rows: list[str]) -> str:
    """Return the data section of a model of GLPK or AMPL."""
    body = "\n".join(f"  {k}  " + " ".join(row) for k, row in enumerate(rows, 1))
    return f"data;\n\nparam givens : 1 2 3 4 5 6 7 8 9 :=\n{body} ;\n\nend;"


def of_go(rows: list[str]) -> str:
    """Return what `fmt.Println` of Go prints."""
    return "[[" + "] [".join(" ".join(zeros(row)) for row in rows) + "]]"


def of_lisp(rows: list[str]) -> str:
    """Return a list of lists as Lisp prints it."""
    return "((" + ") (".join(" ".join(zeros(row)) for row in rows) + "))"


def of_nl(rows: list[str]) -> str:
    """Return rows with the numbers of `nl`."""
    return "\n".join(f"     {k}\t" + " ".join(row) for k, row in enumerate(rows, 1))


def of_basic(rows: list[str]) -> str:
    """Return the lines of a program in BASIC."""
    return "\n".join(f"{1000 + 10 * k} DATA " + ",".join(zeros(row)) for k, row in enumerate(rows))


def of_array(rows: list[str]) -> str:
    """Return rows of -1 for empty cells as NumPy prints them."""
    texts = [" ".join(cell.replace(".", "-1").rjust(2) for cell in row) for row in rows]
    return "[[" + "]\n [".join(texts) + "]]"


def of_letters(rows: list[str]) -> str:
    """Return a frame with the letters of its rows, in which a row may be blank."""
    lines = ["    1 2 3   4 5 6   7 8 9"]
    for k, row in enumerate(rows):
        lines += ["  +-------+-------+-------+"] * (k % 3 == 0)
        boxes = [" ".join(row[begin : begin + 3]).replace(".", " ") for begin in (0, 3, 6)]
        lines.append(f"{'ABCDEFGHI'[k]} | {' | '.join(boxes)} |")
    return "\n".join([*lines, "  +-------+-------+-------+"])


def of_latex(rows: list[str]) -> str:
    r"""Return an array of LaTeX with ``\cdot`` for empty cells."""
    body = "\n".join(" & ".join(row).replace(".", r"\cdot") + r" \\" for row in rows)
    return "\\begin{array}{ccc|ccc|ccc}\n" + body + "\n\\end{array}"


PRINTERS = [of_node, of_glpk, of_go, of_lisp, of_nl, of_basic, of_array, of_letters, of_latex]


@pytest.mark.parametrize("printer", PRINTERS)
@pytest.mark.parametrize("blank", [None, 0, 4, 8])
def test_what_programs_print_is_read(printer: Printer, blank: int | None) -> None:
    rows = [("." * 9 if place == blank else row) for place, row in enumerate(ROWS)]
    assert Grid(printer(rows)).line == "".join(rows)
    assert verify(UNIQUE, printer(FULL)).solved


@pytest.mark.parametrize(("printer", "place"), [*product([of_node, of_glpk, of_nl, of_basic], range(8))])
def test_rows_with_numbers_that_are_exchanged_or_there_twice(printer: Printer, place: int) -> None:
    lines = printer(ROWS).split("\n")
    first = {of_node: 3, of_glpk: 3}.get(printer, 0) + place
    other = [*lines]
    other[first], other[first + 1] = lines[first + 1], lines[first]
    assert is_refused("\n".join(other))
    other[first] = other[first + 1]
    assert is_refused("\n".join(other))


@pytest.mark.parametrize("quote", "'\"")
def test_an_empty_text_and_a_blank_are_two_signs(quote: str) -> None:
    rows = [[cell.strip(".") for cell in row] for row in ROWS]
    texts = ["[" + ", ".join(f"{quote}{cell}{quote}" for cell in row) + "]" for row in rows]
    assert Grid(f"[{', '.join(texts)}]").line == UNIQUE
    blanks = [text.replace(2 * quote, f"{quote} {quote}") for text in texts]
    assert Grid(f"[{', '.join(blanks)}]").line == UNIQUE
    for place, row in enumerate(texts):
        odd = row.replace(2 * quote, f"{quote} {quote}", 1)
        text = f"[{', '.join([*texts[:place], odd, *texts[place + 1 :]])}]"
        with pytest.raises(InvalidPuzzleError, match="expected one sign"):
            Grid(text)


@pytest.mark.parametrize(("label", "end"), [*product(["{k}", "{d}", "{z}"], [" ", "  ", " | ", "\t"])])
def test_a_column_that_is_lost_before_labels_behind_rows(label: str, end: str) -> None:
    for lost in range(9):
        lines = [
            " ".join(row[:lost] + row[lost + 1 :]) + end + label.format(k=k, d=10 - k, z=k - 1)
            for k, row in enumerate(ROWS, 1)
        ]
        assert is_refused("\n".join(lines))


def test_a_minus_that_is_lost() -> None:
    text = of_array(ROWS)
    for place in (place for place, sign in enumerate(text) if sign == "-"):
        assert is_refused(text[:place] + text[place + 1 :])


def test_a_row_there_twice_below_what_may_be_a_heading() -> None:
    rows = ["123456789", *(row.replace("1", ".") for row in ROWS[1:])]
    for gap, place in product(("\n", "\n\n"), range(1, 9)):
        lines = [" ".join(row) for row in (*rows[: place + 1], *rows[place:])]
        with pytest.raises(InvalidPuzzleError, match="is there twice"):
            Grid(gap.join(lines))


def test_a_row_that_is_blank_below_a_heading() -> None:
    for place in range(9):
        lines = ["1 2 3 4 5 6 7 8 9", *(" ".join(row) for row in ROWS)]
        lines[place + 1] = ""
        assert is_refused("\n".join(lines))


def test_two_boards_side_by_side_of_which_a_row_is_blank_or_too_many() -> None:
    rows = [("." * 9 if place == 8 else row) for place, row in enumerate(ROWS)]
    lines = [" ".join(row) + "    " + " ".join(full) for row, full in zip(rows, FULL, strict=True)]
    assert Grid("\n".join(lines)).line == "".join(rows)
    for place in range(9):
        assert is_refused("\n".join([*lines[: place + 1], *lines[place:]]))
    assert is_refused("\n".join([*lines[:4], lines[4].replace("    ", " => "), *lines[5:], "123456789"]))


def test_names_of_columns_in_another_order() -> None:
    body = [",".join(row).replace(".", "") for row in ROWS]
    names = [f"c{k}" for k in range(1, 10)]
    assert Grid("\n".join([",".join(names), *body])).line == UNIQUE
    for place in range(8):
        other = [*names[:place], names[place + 1], names[place], *names[place + 2 :]]
        assert is_refused("\n".join([",".join(other), *body]))


@pytest.mark.parametrize("title", ["## Puzzle {k}", "Grid {k:02}", "Sudoku #{k}, hard", "**Puzzle No. {k}**"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_title_without_a_board_is_an_invalid_record(title: str, gap: str, tmp_path: Path) -> None:
    board = "\n".join(ROWS)
    for place, lost in product(range(4), ["", "N/A", "123456789", "53..7", "not yet"]):
        texts = [lost if k == place else board for k in range(4)]
        parts = [title.format(k=k) + gap + text for k, text in enumerate(texts, 1)]
        path = tmp_path / "boards.txt"
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        batches = [*unidoku.read(path)]
        reasons = {line: reason for batch in batches for line, reason in batch.reasons.items()}
        assert sum(len(batch.cells) for batch in batches) == 3
        assert len(reasons) == 1
        assert str(place + 1) in next(iter(reasons.values()))


def test_a_list_of_contents_is_no_title() -> None:
    names = [f"Puzzle {k}" for k in range(1, 4)]
    board = "\n".join(ROWS)
    text = "\n".join(names) + "\n\n" + "\n\n".join(f"{name}\n{board}" for name in names)
    assert [isinstance(record, Board) for _, _, record in records_in(text)] == [True] * 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n".join(f'    grid({k}) = "{row}"' for k, row in enumerate(ROWS, 1)), "labelled grid 1 to 9"),
        (of_basic(ROWS).replace("1030", "1080", 1), "lines may be exchanged"),
        (of_array(ROWS).replace("-1", "1", 1), "row 1"),
    ],
)
def test_messages(text: str, message: str) -> None:
    with pytest.raises(InvalidPuzzleError, match=message):
        Grid(text)
