"""Columns, rows and frames that are cut off or moved so that a person sees it: never another board."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from example_puzzles import SOLUTION, UNIQUE
from text_shapes import is_refused

from unidoku import Grid, InvalidPuzzleError, verify
from unidoku.parse.board import Board
from unidoku.parse.uses import records_in

ROWS = [UNIQUE[begin : begin + 9] for begin in range(0, 81, 9)]
LABELS = {"a number": "{}", "from 0": "{z}", "brackets": "[{}]", "a word": "R{}"}
GAPS = {"blank": (" ", " "), "tab": ("\t", "\t"), "comma": (",", ","), "bar": (" | ", " | ")}


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


LISTS = {
    "a call": ("m <- matrix(c(", "              ", ",", "), nrow=9, byrow=TRUE)"),
    "an array of OCaml": ("let b = [|[|", "         [|", "|];", "|]|]"),
    "a text over lines": ('s = "', "    \\", "\\n\\", '"'),
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("rows", [ROWS, [SOLUTION[begin : begin + 9] for begin in range(0, 81, 9)]])
def test_a_row_that_is_twice_or_lost_between_lines_of_words(name: str, rows: list[str]) -> None:
    head, begin, end, tail = LISTS[name]
    joint = "" if "text" in name else "; " if "OCaml" in name else ","
    for place in range(9):
        for damaged in ([*rows[:place], *rows[place + 1 :]], [*rows[: place + 1], *rows[place:]]):
            texts = [joint.join(row.replace(".", "0")) for row in damaged]
            assert is_refused(head + f"{end}\n{begin}".join(texts) + tail)
        texts = [joint.join(row.replace(".", "0")) for row in rows]
        text = head + f"{end}\n{begin}".join(texts) + tail
        assert is_refused(text.replace("\n", "\n9\n", 1))
    assert "text" in name or Grid(text).line == "".join(rows)


@pytest.mark.parametrize(
    "head", ["0  1  2  3  4  5  6  7  8", "1  2  3  4  5  6  7  8  9", "0,1,2,3,4,5,6,7,8"]
)
def test_a_row_that_is_lost_below_the_numbers_of_the_columns(head: str) -> None:
    gap = "," if "," in head else "  "
    for board in (UNIQUE, SOLUTION):
        lines = [gap.join(board[begin : begin + 9].replace(".", "0")) for begin in range(0, 81, 9)]
        assert Grid("\n".join([head, *lines])).line == board
        for lost in range(9):
            assert is_refused("\n".join([head, *lines[:lost], *lines[lost + 1 :]]))


ENDS = {"comma": ",", "tab": "\t", "semicolon": ";", "bar": " | ", "blank": " "}


@pytest.mark.parametrize("gap", ENDS.values(), ids=ENDS)
def test_a_column_or_a_row_that_is_blank_in_a_full_grid(gap: str) -> None:
    rows = [SOLUTION[begin : begin + 9] for begin in range(0, 81, 9)]
    for place in range(9):
        column = [gap.join(f"{row[:place]} {row[place + 1 :]}") for row in rows]
        assert is_refused("\n".join(column))
        lines = [gap.join(row if k != place else " " * 9) for k, row in enumerate(rows)]
        assert is_refused("\n".join(lines))
        hole = [
            gap.join(row if k != place else f"{row[:place]} {row[place + 1 :]}") for k, row in enumerate(rows)
        ]
        assert is_refused("\n".join(hole))
    assert is_refused("\n".join(f"{', '.join(row[:8])}, ." for row in rows))  # a full stop


@pytest.mark.parametrize("gap", "\t;,")
@pytest.mark.parametrize("head", ["", "ABCDEFGHI"])
def test_a_blank_in_an_empty_field_of_a_sheet(gap: str, head: str) -> None:
    rows = [[sign.replace(".", "") for sign in row] for row in ROWS]
    lines = [
        *([gap + gap.join(head)] if head else []),
        *(gap.join(["x"[:0], *row][not head :]) for row in rows),
    ]
    if head:
        lines = [lines[0], *(f"{k}{line}" for k, line in enumerate(lines[1:], 1))]
    assert Grid("\n".join(lines)).line == UNIQUE
    for row, cells in enumerate(rows):
        place = next(k for k in range(1, 8) if cells[k])
        spoiled = [*cells[:place], " ", *cells[place + 1 :]]
        line = lines[row + bool(head)].replace(gap.join(cells), gap.join(spoiled))
        changed = [*lines[: row + bool(head)], line, *lines[row + bool(head) + 1 :]]
        assert is_refused("\n".join(changed))
        assert is_refused("\n".join(text.rstrip(gap) for text in changed))


@pytest.mark.parametrize("gap", [",", ", ", ";", "\t", "  "])
def test_a_digit_without_its_point_among_floats(gap: str) -> None:
    empty = "NaN" if gap == "  " else ""
    floats = [[f"{sign}.0" if sign != "." else empty for sign in row] for row in ROWS]
    lines = [gap.join(row) for row in floats]
    assert Grid("\n".join(lines)).line == UNIQUE
    for row, cells in enumerate(floats):
        place = cells.index(empty)
        spoiled = [*cells[:place], "7", *cells[place + 1 :]]
        assert is_refused("\n".join([*lines[:row], gap.join(spoiled), *lines[row + 1 :]]))


def test_a_half_of_the_signs_around_a_bold_digit() -> None:
    lines = [f"| {' | '.join(f'**{sign}**' if sign != '.' else ' ' for sign in row)} |" for row in ROWS]
    text = "\n".join(["|" + "   |" * 9, "|" + "---|" * 9, *lines])
    assert Grid(text).line == UNIQUE
    assert is_refused(text.replace("**5**", "**5*", 1))
    assert is_refused(text.replace("**5**", "***5**", 1))


def test_quotes_without_a_cell_before_a_digit() -> None:
    lines = [",".join(f'"{sign.replace(".", "")}"' for sign in row) for row in ROWS]
    assert Grid("\n".join(lines)).line == UNIQUE
    assert is_refused("\n".join(f'""7{line[2:]}' if line.startswith('""') else line for line in lines))


def test_a_blank_of_half_the_width_among_wide_ones() -> None:
    wide = str.maketrans("123456789.", "１２３４５６７８９\u3000")
    text = "\n".join(row.translate(wide) for row in ROWS)
    assert Grid(text).line == UNIQUE
    places = [place for place, sign in enumerate(text) if sign != "\n"]
    assert all(is_refused(f"{text[:place]} {text[place + 1 :]}") for place in places)


@pytest.mark.parametrize("bars", [["|", "|"], ["|", "||"], ["│", "║"]])
def test_a_blank_column_that_is_narrower_between_bars(bars: list[str]) -> None:
    thin, thick = bars
    for column in range(9):
        rows = [row[:column] + "." + row[column + 1 :] for row in ROWS]

        def drawn(row: str, lost: int) -> str:
            cells = [f" {sign} ".replace(".", " ")[k == lost :] for k, sign in enumerate(row)]
            return f"|{thick.join(thin.join(cells[k : k + 3]) for k in (0, 3, 6))}|"

        assert Grid("\n".join(drawn(row, -1) for row in rows)).line == "".join(rows)
        assert is_refused("\n".join(drawn(row, column) for row in rows))


@pytest.mark.parametrize("gap", ["\t", ",", " | "])
@pytest.mark.parametrize("first", [0, 1])
def test_a_label_that_is_lost_beside_a_blank_last_column(gap: str, first: int) -> None:
    rows = [f"{row[:8]}." for row in ROWS]
    lines = [gap.join([str(k), *row]).replace(".", "") for k, row in enumerate(rows, first)]
    for place in range(9):
        lost = [line[1:] if k == place else line for k, line in enumerate(lines)]
        for text in (lost, [f"{gap}{gap.join('ABCDEFGHI')}", *lost]):
            assert is_refused("\n".join(text)) or Grid("\n".join(text)).line == "".join(rows)


def test_a_row_that_is_doubled_below_a_blank_first_row_as_long_as_the_others() -> None:
    rows = [" " * 9, *(row.replace(".", " ") for row in ROWS[1:])]
    lines = [" ".join(row) for row in rows]
    assert Grid("\n".join(lines)).line == "".join(rows).replace(" ", ".")
    for place in range(1, 9):
        assert is_refused("\n".join([*lines[: place + 1], *lines[place:]]))


def test_a_table_of_psql_whose_last_fields_may_be_blank() -> None:
    """psql writes no bar at the ends, and a blank behind each field."""
    for empty in ("", "."):
        rows = [[str(k), *row.replace(".", empty or " ")] for k, row in enumerate(ROWS, 1)]
        lines = [" " + " | ".join(row) + " " for row in rows]
        assert (
            Grid("\n".join([" r | a | b | c | d | e | f | g | h | i ", "---+" * 9 + "---", *lines])).line
            == UNIQUE
        )
        cut = [" " + " | ".join(row[:9]) + " | " for row in rows]
        assert is_refused("\n".join(cut))


@pytest.mark.parametrize("rows", range(1, 10))
@pytest.mark.parametrize("end", [", ", " | ", ";", "\t"])
def test_ends_that_are_cut_off_in_some_rows_of_a_full_grid(rows: int, end: str) -> None:
    lines = [end.join(SOLUTION[begin : begin + 9]) for begin in range(0, 81, 9)]
    cut = [line[:-1] if number < rows else line for number, line in enumerate(lines)]
    assert is_refused("\n".join(cut))


def test_marks_of_all_columns_but_one_are_no_clues() -> None:
    rows = [SOLUTION[begin : begin + 9] for begin in range(0, 81, 9)]
    for place in range(9):
        lines = ["".join(sign if k == place else f"[{sign}]" for k, sign in enumerate(row)) for row in rows]
        assert is_refused("\n".join(lines))


def test_a_drawing_whose_right_columns_are_cut_off_behind_gaps_between_boxes() -> None:
    lines = ["   ".join(" ".join(row[k : k + 3]) for k in (0, 3, 6)).replace(".", " ") for row in ROWS]
    assert Grid("\n".join(lines)).line == UNIQUE
    for width in range(9, len(lines[0])):
        cut = [line[:width] for line in lines]
        assert is_refused("\n".join(cut)) or "".join(cut).replace(" ", "") == "".join(lines).replace(" ", "")


def test_a_point_that_lost_its_digit_among_floats_of_numpy() -> None:
    rows = [[f"{sign}." for sign in SOLUTION[begin : begin + 9]] for begin in range(0, 81, 9)]
    for place in range(81):
        cells = [row[:] for row in rows]
        cells[place // 9][place % 9] = " ."
        assert is_refused("[[" + "]\n [".join(" ".join(row) for row in cells) + "]]")
    assert Grid("[[" + "]\n [".join(" ".join(row) for row in rows) + "]]").line == SOLUTION


@pytest.mark.parametrize("form", ["'{}': '{}'", "{}: {}", "{}={}"])
def test_a_digit_too_many_at_a_named_cell(form: str) -> None:
    names = [f"{row}{column}" for row in "ABCDEFGHI" for column in range(1, 10)]
    cells = [form.format(name, sign.replace(".", "0")) for name, sign in zip(names, UNIQUE, strict=True)]
    assert Grid(", ".join(cells)).line == UNIQUE
    for place in (0, 40, 80):
        digit = cells[place].replace(": ", ":7 ").replace("=", "=7 ")
        assert is_refused(", ".join([*cells[:place], digit, *cells[place + 1 :]]))


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


LISTED = {
    "strings of Python": ('  "', "", '",', "rows = [\n", "\n]"),
    "one string over lines": ("    '", "", "'", "p = (\n", "\n)"),
    "numpy": (" [", " ", "]", "[", "]"),
    "lists of Lisp": (" (", " ", ")", "(defvar *b* '(\n", "))"),
    "an answer to a mail": ("> ", " ", "", "", ""),
    "lists with commas": ("    [", ", ", "],", "grid = [\n", "\n]"),
}


@pytest.mark.parametrize("name", LISTED)
@pytest.mark.parametrize("row", ["123456789", "." * 9, SOLUTION[:9]])
def test_a_bare_row_among_the_rows_of_a_list(name: str, row: str) -> None:
    begin, gap, end, head, tail = LISTED[name]
    lines = [begin + gap.join(cells.replace(".", "0")) + end for cells in ROWS]
    assert Grid(head + "\n".join(lines) + tail).line == UNIQUE
    for place in range(1, 9):
        bare = [*lines[:place], gap.join(row.replace(".", "0")), *lines[place + 1 :]]
        with pytest.raises(InvalidPuzzleError, match=f"row {place + 1} "):
            Grid(head + "\n".join(bare) + tail)


@pytest.mark.parametrize("empty", ".0_*-x")
@pytest.mark.parametrize("size", [1, 2, 3, 8, 10])
def test_a_lone_line_of_the_empty_sign_beside_rows(empty: str, size: int) -> None:
    for gap in ("", " "):
        rows = [gap.join(row).replace(".", empty) for row in ROWS]
        lone = gap.join(empty * size)
        for lines in ([lone, *rows], [*rows, lone], [*rows[:3], lone, *rows[3:]]):
            assert is_refused("\n".join(lines))


def test_a_rule_of_another_sign_beside_rows_is_none_of_them() -> None:
    for rule in ("---", "=" * 9, "-" * 17):
        assert Grid("\n".join([rule, *ROWS, rule])).line == UNIQUE
    spaced = [" ".join(row).replace(".", "-") for row in ROWS]
    assert Grid("\n".join(["-" * 17, *spaced, "-" * 17])).line == UNIQUE


SHEET = [row[:8] + "." for row in ROWS]
DAMAGED_LABELS: dict[str, Callable[[list[list[str]]], list[list[str]]]] = {
    "a missing one": lambda rows: [*rows[:3], ["", *rows[3][1:]], *rows[4:]],
    "two exchanged": lambda rows: [["2", *rows[0][1:]], ["1", *rows[1][1:]], *rows[2:]],
    "lines exchanged": lambda rows: [*rows[:2], rows[3], rows[2], *rows[4:]],
    "lines reversed": lambda rows: rows[::-1],
    "one twice": lambda rows: [*rows[:4], ["4", *rows[4][1:]], *rows[5:]],
    "all alike": lambda rows: [["9", *row[1:]] for row in rows],
    "all missing": lambda rows: [["", *row[1:]] for row in rows],
}


@pytest.mark.parametrize("damage", DAMAGED_LABELS)
@pytest.mark.parametrize("gap", ["\t", ",", ";", " | ", " & "])
def test_damaged_labels_of_a_sheet_whose_last_column_is_empty(damage: str, gap: str) -> None:
    rows = [[str(k), *(cell.replace(".", "") for cell in row)] for k, row in enumerate(SHEET, 1)]
    for head in ([], [gap.join(["", *"ABCDEFGHI"])]):
        intact = "\n".join([*head, *map(gap.join, rows)])
        assert is_refused(intact) or Grid(intact).line == "".join(SHEET)
        damaged = "\n".join([*head, *map(gap.join, DAMAGED_LABELS[damage](rows))])
        assert is_refused(damaged)
        if gap in "\t,;" and damage != "one twice":
            with pytest.raises(InvalidPuzzleError, match="labels"):
                Grid(damaged)


@pytest.mark.parametrize("gap", "\t,;")
@pytest.mark.parametrize("empty", ["", "0", "."])
def test_a_separator_behind_the_last_field(gap: str, empty: str) -> None:
    lines = [gap.join(sign.replace(".", empty) for sign in row) + gap for row in ROWS]
    assert Grid("\n".join(lines)).line == UNIQUE


@pytest.mark.parametrize("form", ["r{row}c{column}", "{letter}{column}"])
def test_a_cell_that_is_named_twice_with_two_digits(form: str) -> None:
    names = [form.format(row=k // 9 + 1, column=k % 9 + 1, letter="ABCDEFGHI"[k // 9]) for k in range(81)]
    cells = [f"{name}={sign}" for name, sign in zip(names, UNIQUE, strict=True)]
    text = ", ".join(cells)
    assert Grid(f"{text}.").line == UNIQUE
    for cell in range(0, 81, 8):
        assert Grid(f"{text}, {cells[cell]}").line == UNIQUE
        other = f"{names[cell]}={9 if UNIQUE[cell] != '9' else 1}"
        for damaged in (f"{text}, {other}", f"{other}\n{text}"):
            with pytest.raises(InvalidPuzzleError, match=f"{names[cell]} is there twice"):
                Grid(damaged)
        solved = ", ".join(f"{name}={digit}" for name, digit in zip(names, SOLUTION, strict=True))
        assert verify(UNIQUE, solved).solved
        assert not verify(UNIQUE, f"{solved}, {names[cell]}={int(SOLUTION[cell]) % 9 + 1}").solved
    with pytest.raises(InvalidPuzzleError, match=f"{names[2]} has two signs: 4."):
        Grid(text.replace(cells[2], f"{names[2]}=4."))
    damaged = ", ".join([*cells[:40], *cells[41:]])
    records = [record for _, _, record in records_in(f"{text}\n{damaged}\n{text}")]
    assert [record.cells for record in records if isinstance(record, Board)] == [UNIQUE, UNIQUE]
    assert not any(isinstance(record, Board) and record.doubt for record in records)


CODE = {
    "a list of Python": ("board = [[", "[", ",", "],\n", "]]"),
    "numpy": ("array([[", "       [", ", ", "],\n", "]])"),
    "a list of Haskell": ("puzzle = [[", "         ,[", ",", "]\n", "]]"),
    "a list of Lisp": ("(defvar *b* '((", "  (", " ", ")\n", "))"),
    "JSON": ('{"board": [[', "[", ",", "],\n", "]]}"),
}


@pytest.mark.parametrize("name", CODE)
@pytest.mark.parametrize("damage", ["short", "long", "strange"])
@pytest.mark.parametrize("place", range(1, 9))
def test_the_row_that_is_wrong_is_named_below_a_line_of_code(name: str, damage: str, place: int) -> None:
    head, begin, gap, joint, tail = CODE[name]
    rows = [[*row.replace(".", "0")] for row in ROWS]
    rows[place][4:5] = {"short": [], "long": ["0", "0"], "strange": ["S"]}[damage]
    text = head + f"{joint}{begin}".join(map(gap.join, rows)) + tail
    with pytest.raises(InvalidPuzzleError, match=rf"row {place + 1}\b|r{place + 1}c5"):
        Grid(text)


def bars(row: str, gap: str) -> str:
    """Return a row with bars around the boxes."""
    return "|" + "|".join(f"{gap}{gap.join(row[k : k + 3])}{gap}" for k in (0, 3, 6)) + "|"


FRAMES: dict[str, Callable[[str], str]] = {
    "boxes": lambda row: bars(row, " "),
    "boxes without gaps": lambda row: bars(row, ""),
    "cells": lambda row: "|" + "|".join(f" {cell} " for cell in row) + "|",
    "columns": " ".join,
}
LENGTHS: dict[str, Callable[[str], str]] = {
    "short": lambda line: line[:3] + line[5:],
    "long": lambda line: line[:3] + "  " + line[3:],
    "without a closing bar": lambda line: line[:-1],
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("damage", LENGTHS)
@pytest.mark.parametrize("place", range(9))
def test_the_row_of_a_drawing_that_is_wrong_is_named(frame: str, damage: str, place: int) -> None:
    lines = [FRAMES[frame](row.replace(".", " ")) for row in ROWS]
    rule = "+" + "-" * (len(lines[0]) - 2) + "+"
    edge = [] if frame == "columns" else [rule]
    assert Grid("\n".join([*edge, *lines, *edge])).line == UNIQUE
    if frame == "columns" and damage == "without a closing bar":
        damage = "short"
    lines[place] = LENGTHS[damage](lines[place])
    with pytest.raises(InvalidPuzzleError, match=rf"row {place + 1}\b"):
        Grid("\n".join([*edge, *lines, *edge]))


@pytest.mark.parametrize("label", ["     {}\t", "{}  "])
def test_a_short_row_behind_numbers(label: str) -> None:
    for first, place in product((0, 1), range(9)):
        lines = [label.format(k) + row.replace(".", "0") for k, row in enumerate(ROWS, first)]
        lines[place] = lines[place][:-1]
        with pytest.raises(InvalidPuzzleError, match=f"row {place + 1} has 8 cells"):
            Grid("\n".join(lines))


def test_81_named_cells_that_are_not_row_by_row() -> None:
    cells = [f"r{k % 9 + 1}c{k // 9 + 1}={UNIQUE[k % 9 * 9 + k // 9]}" for k in range(81)]
    with pytest.raises(InvalidPuzzleError, match="81 named cells, not row by row"):
        Grid(", ".join(cells))


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
@pytest.mark.parametrize("count", [4, 8])
def test_a_heading_that_names_fewer_columns_is_of_lines_that_were_cut(separator: str, count: int) -> None:
    cells = ["" if cell == "." else cell for cell in UNIQUE]
    rows = [separator.join(cells[row : row + 9]) for row in range(0, 81, 9)]
    for names in ("ABCDEFGHI", [f"c{column}" for column in range(1, 10)]):
        whole = "\n".join([separator.join(names), *rows])
        assert Grid(whole).line == UNIQUE
        cut = "\n".join([separator.join(names[:count]) + separator, *rows])
        with pytest.raises(InvalidPuzzleError, match=f"the heading names {count} columns of 9"):
            Grid(cut)
