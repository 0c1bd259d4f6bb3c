"""Columns and boxes that a heading, a name, a call or a class gives: refused, as they are Sudokus too."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from itertools import product

import pytest
from example_puzzles import UNIQUE as A

import unidoku
from unidoku.parse import order
from unidoku.parse.boards import read as reader
from unidoku.parse.shapes import Label

ROWS = [A[k : k + 9] for k in range(0, 81, 9)]
NUMBERS = [", ".join(row.replace(".", "0")) for row in ROWS]
BLANK_ROWS = "\n".join(map(" ".join, ROWS))
LISTS = ",\n".join(f"  [{row}]" for row in NUMBERS)
ONE_LINE = ", ".join(f"[{row}]" for row in NUMBERS)
VALUES = ", ".join(NUMBERS)
VECTORS = ",\n".join(f"  c({row})" for row in NUMBERS)
BARE = ",\n".join(f"  {row}" for row in NUMBERS)
NAMES = ["columns", "cols", "Boxes", "subgrids", "nonets", "Spalten", "colonnes", "columnas", "столбцы", "列"]
PLACES = [
    "{name}:\n" + BLANK_ROWS,
    "{name}\n\n" + BLANK_ROWS,
    "Here are the {name} of the puzzle:\n\n" + BLANK_ROWS,
    "Puzzle (as {name})\n" + BLANK_ROWS,
    "{name}:\n```\n" + BLANK_ROWS + "\n```",
    "{name}: " + " ".join(ROWS),
    '{{"{name}": [' + ONE_LINE + "]}}",
    '{{"{name}": [\n' + LISTS + "\n]}}",
    "{name} = [\n" + LISTS + "\n]",
    "my_{name} = [\n" + LISTS + "\n]",
    "int[][] {name} = {{\n" + LISTS.replace("[", "{{").replace("]", "}}") + "\n}};",
    "// {name}\nint[][] g = {{\n" + LISTS.replace("[", "{{").replace("]", "}}") + "\n}};",
]


def read(text: str) -> str:
    """The board of a text, by `Grid` as from a file; of a refusal the reason."""
    count = 0
    with suppress(unidoku.FormatError):
        count = sum(len(batch.cells) for batch in unidoku.read(BytesIO(text.encode())))
    try:
        line = unidoku.Grid(text).line
    except unidoku.InvalidPuzzleError as error:
        assert count == 0, text
        return str(error)
    assert count == 1, text
    return line


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_columns_or_boxes_is_refused_at_any_place(name: str) -> None:
    for place in PLACES:
        text = place.format(name=name)
        assert "may be columns or boxes" in read(text), text
        for rows in ("rows", "Zeilen", "grid"):
            assert read(place.format(name=rows)) == A, place


@pytest.mark.parametrize(
    "phrase",
    [
        *("Column by column", "box-by-box", "by columns", "column-major", "columnwise", "transposed"),
        *("one box per line", "each line is a column", "columns, not rows"),
    ],
)
def test_a_phrase_about_the_order_is_refused_above_and_below(phrase: str) -> None:
    for text in (
        f"{phrase}:\n{BLANK_ROWS}",
        f"{BLANK_ROWS}\n({phrase})",
        f"Sudoku, {phrase}\n\n{BLANK_ROWS}",
    ):
        assert "may be columns or boxes" in read(text), text


@pytest.mark.parametrize(
    "text",
    [
        f"m <- matrix(c(\n{BARE}\n), nrow = 9)",
        f"matrix(c({VALUES}), 9, 9)",
        f"matrix(data = c({VALUES}), ncol = 9, byrow = FALSE)",
        f"array(c({VALUES}), dim = c(9, 9))",
        f"structure(c({VALUES}), dim = c(9L, 9L))",
        f"structure(c({VALUES.replace('0', 'NA')}), dim = c(9L, 9L))",
        f"m <- cbind(\n{VECTORS}\n)",
        f"reshape([{VALUES}], 9, 9)",
        f"A = reshape([{VALUES.replace(',', '')}], 9, 9);",
        f"hcat(\n{LISTS}\n)",
        f"data grid / &\n{BARE.replace(chr(10), ' &' + chr(10))} /",
        f"np.array([{VALUES}]).reshape(9, 9, order='F')",
        f"np.array([{VALUES}]).reshape((9, 9), order='F')",
        f"np.array([\n{LISTS}\n]).T",
        f"np.array([{ONE_LINE}]).transpose()",
        f"np.array([{VALUES}]).reshape(9, 9).T",
        f"np.array([\n{LISTS}\n]).swapaxes(0, 1)",
        f"np.reshape([{VALUES}], (9, 9), order='F')",
        f"puzzleColumns = [\n{LISTS}\n]",
        "\n".join(f"<column>{row}</column>" for row in ROWS),
        f"np.transpose([\n{LISTS}\n])",
        f"list(zip(*[\n{LISTS}\n]))",
        "pd.DataFrame({" + ",\n".join(f"{k}: [{row}]" for k, row in enumerate(NUMBERS)) + "})",
        "pd.DataFrame({\n"
        + ",\n".join(f"'{k}': [{row}]" for k, row in zip("ABCDEFGHI", NUMBERS, strict=True))
        + "})",
        f"t(matrix(c({VALUES}), nrow = 9, byrow = TRUE))",
        f"A = [{'; '.join(NUMBERS)}]';",
    ],
)
def test_calls_that_take_columns_are_refused(text: str) -> None:
    """By the definitions of R, MATLAB, Julia, Fortran, NumPy and pandas."""
    assert "may be columns or boxes" in read(text)


@pytest.mark.parametrize(
    "text",
    [
        f"m <- matrix(c(\n{BARE}\n), nrow = 9, byrow = TRUE)",
        f"m <- matrix(c({VALUES}), 9, 9, byrow=T)",
        f"m <- rbind(\n{VECTORS}\n)",
        f"t(matrix(c({VALUES}), nrow = 9))",
        f"A = reshape([{VALUES}], 9, 9)';",
        f"A = [{'; '.join(NUMBERS)}];",
        f"np.array([{VALUES}]).reshape(9, 9)",
        f"np.reshape([{VALUES}], (9, 9))",
        f"np.array([\n{LISTS}\n], order='F')",
        f"pd.DataFrame([\n{LISTS}\n], columns=list('ABCDEFGHI'))",
        f"echo '[{ONE_LINE}]'",
        f'{{"rows": 9, "columns": 9, "grid": [{ONE_LINE}]}}',
        f"pd.DataFrame(columns=['a', 'b', 'c'], data=[\n{LISTS}\n])",
        f'frame(columns=list("ABCDEFGHI"), data=[\n{LISTS}\n])',
        '[cols="9*"]\n|===\n' + "\n".join(f"| {' | '.join(row)}" for row in ROWS) + "\n|===",
        f"Sudoku with 3x3 boxes.\n{BLANK_ROWS}",
        f"Format: 9 lines of 9 columns\n{BLANK_ROWS}",
        "int grid[9][COLS] = {\n" + LISTS.replace("[", "{").replace("]", "}") + "\n};",
        f"9 rows and 9 columns:\n{BLANK_ROWS}",
        f"Each row, column and box has 1 to 9.\n{BLANK_ROWS}",
        f"The columns have blanks between them:\n{BLANK_ROWS}",
        f"Empty boxes are dots.\n{BLANK_ROWS}",
        f"  Columns 1 through 9:\n\n{BLANK_ROWS}",
        f"请解九宫格：\n{BLANK_ROWS}",
        f"Columns:\n\nno, rows\n{BLANK_ROWS}",
        "Columns and boxes below.\n" + "\n".join(f"Row {k}: {row}" for k, row in enumerate(ROWS, 1)),
    ],
)
def test_rows_beside_such_words_are_read(text: str) -> None:
    assert read(text) == A


@pytest.mark.parametrize("name", ["box", "sudoku-block", "col", "column c1", "region"])
def test_the_class_of_nine_elements_says_what_they_are(name: str) -> None:
    """Of 81 elements it is a cell; nine in elements of rows are columns of these."""
    cells = [f'<div class="cell">{cell}</div>' for cell in A.replace(".", "0")]
    for joint, first in product(("", "\n"), ("", '<div class="grid">\n')):
        houses = [joint.join(cells[k : k + 9]) for k in range(0, 81, 9)]
        page = first + "\n".join(f'<div class="{name}">{joint}{house}</div>' for house in houses)
        assert "may be columns or boxes" in read(page), page
        assert read(page.replace(name, "row")) == A, page
        assert read(page.replace(name, "row").replace("cell", name)) == A, page


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_27_lines_of_three_cells_are_boxes(gap: str) -> None:
    for joint in ("", " "):
        lines = [joint.join(A[k : k + 3]) for k in range(0, 81, 3)]
        blocks = ["\n".join(lines[k : k + 3]) for k in range(0, 27, 3)]
        assert "81 in other groups" in read(gap.join(blocks))
    assert "another form" in read("\n".join("/".join((row[:3], row[3:6], row[6:])) for row in ROWS))


@pytest.mark.parametrize("count", [9, 27])
def test_rows_columns_and_values_of_clues_are_no_grid(count: int) -> None:
    clues = [f"{k // 9 + 1}{k % 9 + 1}{A[k]}" for k in range(81) if A[k] != "."]
    clues = sorted([*clues, *(f"{k // 9 + 1}{k % 9 + 1}5" for k in range(81) if A[k] == ".")][:count])
    text = " ".join(clues)
    with pytest.raises(unidoku.InvalidPuzzleError):
        unidoku.Grid(text)
    with pytest.raises(unidoku.InvalidPuzzleError):
        unidoku.Grid([[*map(int, clue)] for clue in clues])
    assert unidoku.Grid(" ".join([A[k : k + 3] for k in range(0, 81, 3)])).line == A


@pytest.mark.parametrize("first", range(4))
def test_rows_with_letters_that_do_not_follow_are_refused(first: int) -> None:
    rows = [f"{chr(65 + first + k)} {' '.join(row)}" for k, row in enumerate(ROWS)]
    for count, lost in product(range(5, 9), range(1, 4)):
        with pytest.raises(unidoku.InvalidPuzzleError):
            unidoku.Grid("\n".join(row for k, row in enumerate(rows[:count]) if k != lost))
    broken = (
        "B * 6 *|2 * *|* 9 *\nC * * 2|* 8 4|* * * +-+-------+\nD * 1 9|* * 6|* 7 *\nE 7 * 8|* 1 *|* * *\n"
        "F * * *|* * *|* * 5\nG * * 7|* * 3|* * *"
    )
    with pytest.raises(unidoku.InvalidPuzzleError, match="row 3 is missing"):
        unidoku.Grid(broken)


@pytest.mark.parametrize("separator", [",", ", ", ";", '","', " | ", " and "])
def test_the_order_of_boards_on_a_line_looks_at_each_sign_a_few_times(
    monkeypatch: pytest.MonkeyPatch, separator: str
) -> None:
    sizes: list[int] = []
    label_of = order.label_of

    def label_with_size(line: str) -> Label:
        sizes.append(len(line))
        return label_of(line)

    monkeypatch.setattr(order, "label_of", label_with_size)
    text = separator.join([A] * 300)
    assert len(reader(text).boards) == 300
    assert 300 <= sum(sizes) <= 2 * len(text)
