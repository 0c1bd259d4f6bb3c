"""Boards as people paste them: as a text, and as a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from command import run
from example_puzzles import SOLUTION, UNIQUE as A

import unidoku

ROWS = [A[i : i + 9] for i in range(0, 81, 9)]
NUMBERS = [[int(cell) for cell in row.replace(".", "0")] for row in ROWS]
KEYCAP = "\ufe0f\u20e3"
WIDE = str.maketrans("123456789", "１２３４５６７８９")
RULE = "+-------+-------+-------+"


def rows(empty: str) -> list[str]:
    return [row.replace(".", empty) for row in ROWS]


def spaced(empty: str) -> list[str]:
    return [" ".join(row) for row in rows(empty)]


def framed(empty: str, bar: str = "|") -> list[str]:
    """Rows with bars around the boxes."""
    bands = ([" ".join(row[i : i + 3]) for i in (0, 3, 6)] for row in rows(empty))
    return [f"{bar} {f' {bar} '.join(band)} {bar}" for band in bands]


def banded(lines: Iterable[str], middle: str = "", ends: str | None = None) -> str:
    """Lines with a rule between the bands, and perhaps around them."""
    lines = list(lines)
    frame = [] if ends is None else [ends]
    return "\n".join([*frame, *lines[:3], middle, *lines[3:6], middle, *lines[6:], *frame])


def sheet(separator: str, empty: str = "", quote: str = "") -> list[str]:
    return [separator.join(f"{quote}{c.replace('.', empty)}{quote}" for c in row) for row in ROWS]


def labelled(lines: Iterable[str], labels: Iterable[str], after: str = " ") -> list[str]:
    return [f"{label}{after}{line}" for label, line in zip(labels, lines, strict=True)]


def trimmed(lines: Iterable[str]) -> list[str]:
    return [line.rstrip() for line in lines]


def in_lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def every_cell_framed() -> str:
    lines = ["╔═══╤═══╤═══╦═══╤═══╤═══╦═══╤═══╤═══╗"]
    for number, row in enumerate(rows(" "), 1):
        cells = [f" {cell} " for cell in row]
        lines.append("║" + "║".join("│".join(cells[i : i + 3]) for i in (0, 3, 6)) + "║")
        lines.append(
            "╠═══╪═══╪═══╬═══╪═══╪═══╬═══╪═══╪═══╣"
            if number % 3 == 0
            else "╟───┼───┼───╫───┼───┼───╫───┼───┼───╢"
        )
    return in_lines(lines)


PASTES: dict[str, str] = {
    # typed from a newspaper
    "blanks": in_lines(rows(" ")),
    "blanks at the end cut off": in_lines(trimmed(rows(" "))),
    "blanks between blanks": in_lines(spaced(" ")),
    "no-break spaces": in_lines(rows("\u00a0")),
    "blanks in an indented text": in_lines(f"    {row}".rstrip() for row in rows(" ")),
    "blanks between blanks in an indented text": in_lines(f"\t{row}".expandtabs() for row in spaced(" ")),
    "blanks and empty lines between bands": banded(trimmed(rows(" "))),
    "blanks between boxes too": banded(trimmed(f"{r[:3]} {r[3:6]} {r[6:]}" for r in rows(" "))),
    "blanks in a letter": in_lines(["Stuck on this one, from the Times:", "", *rows(" "), "", "Any help?"]),
    # other signs for empty cells, and for digits
    "dots as drawn here": in_lines(rows("·")),
    "dots in a line": A.replace(".", "·"),
    "bullets": in_lines(spaced("•")),
    "squares": in_lines(rows("□")),
    "full-width digits": in_lines(row.translate(WIDE) for row in rows("．")),
    "full-width digits and blanks": in_lines(row.translate(WIDE) for row in rows("\u3000")),
    "emoji": in_lines("".join("⬜" if c == "." else c + KEYCAP for c in row) for row in ROWS),
    # spreadsheets, and tables of web pages
    "semicolons": in_lines(sheet(";")),
    "semicolons at the end cut off": in_lines(line.rstrip(";") for line in sheet(";")),
    "semicolons at the end of lines": in_lines(f"{line};" for line in sheet(";")),
    "tabs": in_lines(sheet("\t")),
    "tabs at the end cut off": in_lines(trimmed(sheet("\t"))),
    "tabs and no-break spaces": in_lines(trimmed(sheet("\t", "\u00a0"))),
    "commas": in_lines(sheet(",")),
    "quoted fields": in_lines(sheet(";", quote='"')),
    "zeros": in_lines(sheet(";", "0")),
    "a sheet with headings": in_lines(
        [f"\t{chr(9).join('ABCDEFGHI')}", *labelled(sheet("\t"), "123456789", "\t")]
    ),
    "81 fields in a line": ",".join(sheet(",")),
    "a cell in each line": in_lines(A),
    # frames, headings and labels
    "frame with dots": banded(framed("·"), RULE, RULE),
    "frame with blanks": banded(framed(" "), "|-------+-------+-------|", RULE),
    "box drawing": banded(framed(" ", "│"), "├───────┼───────┼───────┤", "┌───────┬───────┬───────┐"),
    "every cell framed": every_cell_framed(),
    "bars between blanks": in_lines("|".join(row) for row in rows(" ")),
    "numbers of columns": in_lines(["1 2 3 4 5 6 7 8 9", *spaced(".")]),
    "numbers of columns and rows": in_lines(["  1 2 3 4 5 6 7 8 9", *labelled(spaced("."), "123456789")]),
    "letters of columns, numbers of rows": in_lines(["  ABC DEF GHI", *labelled(rows("."), "123456789")]),
    "letters of rows beside blanks": in_lines(["  1 2 3 4 5 6 7 8 9", *labelled(spaced(" "), "ABCDEFGHI")]),
    "labels beside a frame": banded(labelled(framed(" "), "ABCDEFGHI"), f"  {RULE}", f"  {RULE}"),
    "R1:": in_lines(labelled(spaced("."), (f"R{k}:" for k in range(1, 10)))),
    "Row 1:": in_lines(labelled(rows("."), (f"Row {k}:" for k in range(1, 10)))),
    "a numbered list": in_lines(labelled(rows("_"), (f"{k})" for k in range(1, 10)))),
    "a name before the line": f"Puzzle 12 (hard): {A}",
    # forums and mail
    "[code]": in_lines(
        ["Can anyone solve this? It is rated 9.2.", "", "[code]", *ROWS, "[/code]", "Ann (2 posts)"]
    ),
    "a quotation": in_lines(f"> {row}" for row in framed(".")),
    "Markdown": in_lines(["|" * 10, "|---" * 9 + "|", *(f"| {' | '.join(row)} |" for row in rows(" "))]),
    "Markdown with headings": in_lines(
        [
            "|   | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |",
            "|---" * 10 + "|",
            *labelled(
                (f"{' | '.join(row)} |" for row in rows(" ")),
                "| A,| B,| C,| D,| E,| F,| G,| H,| I".split(","),
                " | ",
            ),
        ]
    ),
    "Markdown code": in_lines(["```", *ROWS, "```"]),
    "LaTeX sudoku": in_lines(
        [r"\begin{sudoku}", *(f"|{'|'.join(row)}|." for row in rows(" ")), r"\end{sudoku}"]
    ),
    "LaTeX tabular": in_lines(
        [
            r"\begin{tabular}{|c|c|c|c|c|c|c|c|c|} \hline",
            *(rf"{' & '.join(row)} \\ \hline" for row in rows(" ")),
            r"\end{tabular}",
        ]
    ),
    # programs
    "Python numbers": f"grid = {NUMBERS}",
    "Python numbers over lines": in_lines(["grid = [", *(f"    {row}," for row in NUMBERS), "]"]),
    "Python None": f"board = {[[cell or None for cell in row] for row in NUMBERS]}",
    "Python strings": in_lines(["rows = [", *(f'    "{row}",' for row in ROWS), "]"]),
    "Python strings with blanks": in_lines(["rows = [", *(f'    "{row}",' for row in rows(" ")), "]"]),
    "a long Python string": in_lines(['puzzle = """', *ROWS, '"""']),
    "the repr of a string": repr(in_lines(ROWS)),
    "a NumPy array": str(np.array(NUMBERS)),
    "the repr of a NumPy array": repr(np.array(NUMBERS, np.uint8)),
    "a pandas table": in_lines(
        ["   0  1  2  3  4  5  6  7  8", *("  ".join(f"{k}{row}") for k, row in enumerate(rows("0")))]
    ),
    "JSON numbers": json.dumps(NUMBERS),
    "JSON numbers over lines": json.dumps(NUMBERS, indent=2),
    "JSON null": json.dumps([[cell or None for cell in row] for row in NUMBERS], indent=2),
    "JSON strings": json.dumps(ROWS, indent=4),
    "JSON empty strings": json.dumps([[cell.strip(".") for cell in row] for row in ROWS]),
    "JSON object": json.dumps({"board": NUMBERS}, indent=1),
    "Java": in_lines(["int[][] grid = {", *(f"    {{{str(row)[1:-1]}}}," for row in NUMBERS), "};"]),
    # outputs of the program
    "a board of the console": str(unidoku.Grid(A)),
    "the terminal": in_lines(
        ["$ unidoku print paper.txt --lang zh", *str(unidoku.Grid(A)).splitlines(), "$ "]
    ),
}

REFUSED: dict[str, tuple[str, str]] = {
    "nothing": ("", "expected 81 cells, found 0"),
    "80 cells": (A[:80], "expected 81 cells, found 80"),
    "82 cells": (f"{A}1", "expected 81 cells, found 82"),
    "a letter": (
        f"{A[:40]}b{A[41:]}",
        "expected a digit or an empty cell (. 0 * _ - x X ?), found 'b' in r5c5",
    ),
    "3 rows": (in_lines(ROWS[:3]), "expected 9 rows of 9 cells, found 3 rows"),
    "10 rows": (in_lines([*ROWS, ROWS[0]]), "expected 9 rows of 9 cells, found 10 rows"),
    "a short row": (
        in_lines([*ROWS[:2], ROWS[2][:-1], *ROWS[3:]]),
        "row 3 has 8 cells, expected 9: .98....6",
    ),
    "a short row of a sheet": (
        in_lines(sheet(";")).replace("9;5;;;", "9;5;;"),
        "row 2 has",
    ),
    "a short row of JSON": (json.dumps([*NUMBERS[:8], [0] * 8]), "row 9 has 8 cells"),
    "rows of 8 and 10": (in_lines([*ROWS[:3], ROWS[3][:8], f"3{ROWS[4]}", *ROWS[5:]]), "row 4 has 8 cells"),
    "prose": ("Fill in the digits 1 to 9.", "expected 81 cells, found 2"),
    "O for an empty cell": (in_lines(rows("O")), "found 'O' in r1c3"),
    "l for 1": (in_lines(["1 2 3 4 5 6 7 8 9", *spaced(" ")]).replace("6     1", "6     l"), "found 'l'"),
    "two boards": (in_lines([*ROWS, "", *ROWS[::-1]]), "two different puzzles, at line 1 and at line 11"),
    "two boards side by side": (
        in_lines(f"{row}   {other}" for row, other in zip(framed("."), framed(".")[::-1], strict=True)),
        "two boards side by side",
    ),
    "80 cells and a field": (f"{A[:80]}:1", "found 81 in other groups"),
    "79 cells and two fields": (f"{A[:79]},1,1", "found 81 in other groups"),
    "80 cells and a solution": (f"{A[:80]},{SOLUTION}", "expected 81 cells, found 80"),
    "16 x 16": ("." * 256, "16x16 is not read"),
    "a table of four columns": (in_lines("1;2;3;4" for _ in range(9)), "row 1 has 4 cells"),
    "an indent, or a column without clues": (
        in_lines(f"     {row[1:]}".rstrip() for row in rows(" ")),
        "the text may be any of 2 different puzzles",
    ),
}
UNLIKE = {"nothing", "prose"}
ADVICE = "; type 81 characters, row by row: 1-9, and . for an empty cell"


@pytest.mark.parametrize("name", PASTES)
def test_a_pasted_board_is_the_puzzle(name: str) -> None:
    assert unidoku.Grid(PASTES[name]).line == A


@pytest.mark.parametrize("name", PASTES)
def test_a_file_with_a_pasted_board_is_the_puzzle(name: str) -> None:
    (batch,) = unidoku.read(BytesIO(PASTES[name].encode()))
    assert batch.cells.reshape(-1, 9).tolist() == NUMBERS
    assert not batch.reasons


@pytest.mark.parametrize(
    "name", ["semicolons", "semicolons at the end cut off", "commas", "quoted fields", "zeros"]
)
def test_a_sheet_in_a_csv_file(name: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(PASTES[name])
    (batch,) = unidoku.read(tmp_path / "in.csv")
    assert batch.cells.reshape(-1, 9).tolist() == NUMBERS


def test_a_first_row_without_clues(tmp_path: Path) -> None:
    """A blank row that was cut off is an empty line: nobody sees whether it is a row."""
    puzzle = "." * 9 + A[9:]
    rows = ["|       |       |       |", *framed(" ")[1:]]
    (tmp_path / "in.txt").write_text("\n".join(rows))
    (batch,) = unidoku.read(tmp_path / "in.txt")
    assert (unidoku.Grid("\n".join(rows)).line, len(batch)) == (puzzle, 1)
    with pytest.raises(unidoku.InvalidPuzzleError):
        unidoku.Grid("\n".join(["", *(row.replace(".", " ").rstrip() for row in ROWS[1:])]))


def test_several_boards_with_blanks(tmp_path: Path) -> None:
    board = PASTES["blanks at the end cut off"]
    (tmp_path / "in.txt").write_text(f"\n{board}\n\n\n{board.replace('53', '!3')}\n\n{board}\n\n12\n")
    (batch,) = unidoku.read(tmp_path / "in.txt")
    assert (batch.lines.tolist(), sorted(batch.reasons)) == ([2, 23], [13])


def test_a_european_csv_file(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"name;er;sudoku\na,b;1,5;{A}\nc;2,0;{A}\n")
    (batch,) = unidoku.read(tmp_path / "in.csv")
    assert batch.columns == {"name": ["a,b", "c"], "er": ["1,5", "2,0"]}


def test_lines_that_are_no_boards_stay_lines(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("5\n53\n\n" * 4)
    assert unidoku.check_file(tmp_path / "in.txt").invalid == 8


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_board_is_refused_and_what_is_like_none_with_advice(name: str) -> None:
    text, reason = REFUSED[name]
    with pytest.raises(unidoku.InvalidPuzzleError) as caught:
        unidoku.check(text)
    assert reason in caught.value.reason
    assert str(caught.value) == caught.value.reason + (ADVICE if name in UNLIKE else "")


@pytest.mark.parametrize(
    "name", ["80 cells", "80 cells and a field", "3 rows", "a short row", "O for an empty cell"]
)
@pytest.mark.parametrize("command", ["check", "explain"])
def test_a_file_without_a_board_is_refused_in_one_line(command: str, name: str) -> None:
    """It says why; nothing else is printed."""
    text, reason = REFUSED[name][0], None
    try:
        unidoku.Grid(text)
    except unidoku.InvalidPuzzleError as error:
        reason = error.reason
    assert run(command, stdin=text, code=1) == (1, "", f"error: <stdin>: {reason}\n")


def test_an_argument_that_is_no_board_is_refused() -> None:
    assert run("check", A[:80], code=2).stderr.endswith(": expected 81 cells, found 80\n")
    assert run("check", "", code=2).stderr.endswith(f": expected 81 cells, found 0{ADVICE}\n")


def test_many_puzzles_have_reasons_without_advice(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{A}\n{A[:80]}\n")
    assert unidoku.check_many([A, A[:80]], errors="invalid").reasons == {1: "expected 81 cells, found 80"}
    assert "type" not in run("check", tmp_path / "in.txt", code=1).stderr


def test_an_argument_is_read_as_a_text() -> None:
    for name in ("JSON null", "Python numbers", "blanks", "labels beside a frame", "[code]"):
        assert run("convert", PASTES[name], code=0).stdout == f"{A}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{A}\nbad\n",
        f"id;note\n{A};\n",
        json.dumps({"puzzle": A}) + '\n{"puzzle": "no"}\n',
        json.dumps({"puzzle": NUMBERS}) + '\n{"puzzle": "no"}\n',
    ],
)
def test_a_file_with_a_puzzle_among_others_keeps_its_invalid_records(text: str) -> None:
    (batch,) = unidoku.read(BytesIO(text.encode()))
    assert batch.cells.reshape(-1, 9).tolist() == NUMBERS
    assert batch.reasons
