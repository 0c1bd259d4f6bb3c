"""Nine lines that are not one board: of two boards, with a heading or a row of other cells among them.

Generated: each form of rows, cut at each row, with each thing that may stand where one board ends and another
begins. What is read is a board that was written whole, or nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku import InvalidPuzzleError

PICK = random.Random(67)
OTHER = UNIQUE.translate(str.maketrans("123456789", "456891237"))[::-1]
ROWS, OTHERS = ([cells[k : k + 9] for k in range(0, 81, 9)] for cells in (UNIQUE, OTHER))
FORMS = {
    "bare": "{}",
    "spaced": "{}",
    "bars": "| {} |",
    "list": "    [{}],",
    "chat": "12:3{k} <ann> {}",
    "log": "INFO:root:{}",
    "code": 'puts("{}");',
    "LaTeX": "{} \\\\",
    "sheet": "{}",
    "MediaWiki": "| {}",
}
GAPS = {
    "bare": "",
    "bars": " | ",
    "list": ", ",
    "log": "",
    "code": "",
    "LaTeX": " & ",
    "sheet": ";",
    "MediaWiki": " || ",
}
BETWEEN = [
    [""],
    ["", ""],
    ["---"],
    ["", "---", ""],
    ["-" * 21],
    ["\\end{array}", "", "\\begin{array}"],
    ["+---+---+---+"] * 2,
    ["+---+---+---+", "", "+---+---+---+"],
    ["|---|---|---|"],
    ["```", "", "```"],
]


def lines_of(rows: list[str], form: str) -> list[str]:
    gap = GAPS.get(form, " ")
    return [FORMS[form].replace("{}", gap.join(row)).replace("{k}", str(k)) for k, row in enumerate(rows)]


def cells_in(lines: list[str]) -> str:
    try:
        return unidoku.Grid("\n".join(lines)).line
    except InvalidPuzzleError:
        return ""


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_two_boards_are_none(form: str) -> None:
    """The end of one board and the beginning of another: of three and six rows they are like bands."""
    first, second = lines_of(ROWS, form), lines_of(OTHERS, form)
    for size, between in product([1, 2, 4, 5, 7, 8], BETWEEN):
        assert cells_in([*first[9 - size :], *between, *second[: 9 - size]]) == "", (size, between)


@pytest.mark.parametrize("form", FORMS)
def test_the_numbers_of_columns_are_no_row(form: str) -> None:
    """They take the place of a row, or stand alone at an end of eight."""
    heading = lines_of(["123456789"], form)
    rows = lines_of(ROWS, form)
    for place, apart in product(range(9), ([], [""], ["", ""])):
        assert cells_in([*rows[:place], *apart, *heading, *apart, *rows[place + 1 :]]) == ""


@pytest.mark.parametrize("form", ["sheet", "bars", "list", "LaTeX"])
@pytest.mark.parametrize("place", range(9))
def test_a_row_of_ten_fields_is_none_of_nine(form: str, place: int) -> None:
    """An empty field before the cells of one row, or two behind them."""
    gap, rows = GAPS[form].strip(), lines_of(ROWS, form)
    begin, cells, end = rows[place].partition(GAPS[form].join(ROWS[place]))
    before = [*rows[:place], f"{begin}  {gap} {cells}{end}", *rows[place + 1 :]]
    behind = [*rows[:place], f"{begin}{cells} {gap}  {gap} {end}", *rows[place + 1 :]]
    assert cells_in(before) == cells_in(behind) == ""


def test_digits_0_to_8_are_no_puzzle_with_nine_empty_cells() -> None:
    cells = SOLUTION.translate(str.maketrans("123456789", "012345678"))
    rows = [cells[k : k + 9] for k in range(0, 81, 9)]
    for form in FORMS:
        with pytest.raises(InvalidPuzzleError, match="write 1 to 9"):
            unidoku.Grid("\n".join(lines_of(rows, form)))
        nines = [row.replace("8", "9") for row in rows]
        assert cells_in(lines_of(nines, form)) == "".join(nines).replace("0", ".")


@pytest.mark.parametrize("empty", ["", " ", "&nbsp;", "."])
def test_80_cells_of_a_table_are_no_board(empty: str) -> None:
    cells = [f"<td>{cell.replace('.', empty)}</td>" for cell in UNIQUE]
    for part in (cells[1:], cells[:80], cells[:40] + cells[41:]):
        for head, joint in product(("", "<p>", "A board: ", "<table>"), ("", "\n")):
            assert cells_in([head + joint.join(part)]) == ""
    joined = "".join(f"| {' | '.join(row.replace('.', ' '))} |" for row in ROWS)
    for begin in range(0, len(joined), 37):  # the length of a row
        assert cells_in([joined[:begin] + joined[begin + 37 :]]) == ""


def test_27_cells_of_three_signs_are_no_81() -> None:
    for drawn in ("_{}_", ".{}."):
        rows = [" ".join("___" if cell == "." else drawn.format(cell) for cell in row) for row in ROWS]
        for first in (0, 3, 6):
            assert cells_in(rows[first : first + 3]) == ""
            assert cells_in([row.replace(" ", "") for row in rows[first : first + 3]]) == ""
    assert cells_in(["".join(ROWS[first : first + 3]) for first in (0, 3, 6)]) == UNIQUE


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_column_of_cells_has_groups_of_nine(gap: str) -> None:
    groups = [*map(gap.join, ROWS)]
    assert cells_in(["\n\n\n".join(groups)] if gap == "\n" else [gap.join(UNIQUE)]) == UNIQUE
    if gap == "\n":
        for place in range(8):
            moved = [*ROWS]
            moved[place], moved[place + 1] = moved[place][:8], moved[place][8] + moved[place + 1]
            assert cells_in(["\n\n".join(map(gap.join, moved))]) == ""


def test_a_blank_line_at_an_end_is_no_row() -> None:
    dense = [
        "".join(" " if PICK.random() < 0.3 else cell for cell in SOLUTION[k : k + 9]) for k in range(0, 81, 9)
    ]
    rule = "  ".join(["-"] * 9)
    rows = ["  ".join(row) for row in dense]
    for head in ([], ["  ".join("abcdefghi"), rule], [rule]):
        assert cells_in([*head, *rows]) in {"", "".join(dense).replace(" ", ".")}
        for end in ([""], ["", ""], ["", "", "Bye."]):
            assert cells_in([*head, *rows[:8], *end]) == ""
            assert cells_in([*end, *head, *rows[1:]]) == ""
            assert cells_in([*head, "", *rows[1:]]) == ""


@pytest.mark.parametrize("label", range(9))
def test_a_column_of_labels_of_which_one_is_wrong(label: int) -> None:
    for other in "123456789":
        rows = [
            f"{other if k == label else k + 1} {' '.join(row[:4] + row[5:])}" for k, row in enumerate(ROWS)
        ]
        assert cells_in(rows) == ""


DAMAGES: dict[str, Callable[[list[str]], list[str]]] = {
    "row lost": lambda lines: lines[:4] + lines[5:],
    "cell lost": lambda lines: [*lines[:4], lines[4].replace("8", "", 1), *lines[5:]],
    "other sign": lambda lines: [*lines[:4], lines[4].replace("8", "e", 1), *lines[5:]],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_board_beside_another_one_is_named(form: str, damage: str) -> None:
    damaged, whole = DAMAGES[damage](lines_of(ROWS, form)), lines_of(OTHERS, form)
    solved = lines_of([SOLUTION[k : k + 9] for k in range(0, 81, 9)], form)
    for between in ([""], ["", "Puzzle 2", ""], ["", "Level 2:"]):
        for lines in ([*damaged, *between, *whole], [*whole, *between, *damaged]):
            assert cells_in(lines) == "", (between, lines)
    assert cells_in([*lines_of(ROWS, form), "", "Solution:", "", *solved]) == UNIQUE
    # a damaged copy of it, or of its solution, is no other board
    assert cells_in([*lines_of(ROWS, form), "", "Again:", "", *damaged]) == UNIQUE
    assert cells_in([*lines_of(ROWS, form), "", "Solution:", "", *DAMAGES[damage](solved)]) == UNIQUE


@pytest.mark.parametrize("sign", "-=")
@pytest.mark.parametrize("width", [8, 9, 10])
def test_rules_below_names_of_columns_are_no_damaged_board(sign: str, width: int) -> None:
    rule = " ".join([sign * width] * 9)
    rows = ["".join(f"{cell:>{width + 1}}" for cell in row) for row in ROWS]
    names = "".join(f"{f'C{column}':>{width + 1}}" for column in range(1, 10))
    for below in ([], [rule]):  # of SQL*Plus
        assert cells_in([names, rule, *rows, *below]) == UNIQUE


@pytest.mark.parametrize("size", [72, 79, 80, 82, 90])
def test_a_line_of_other_cells_beside_81(size: int) -> None:
    line = (OTHER * 2)[:size]
    assert cells_in([UNIQUE, line]) == cells_in([line, "", UNIQUE]) == ""
    assert cells_in([UNIQUE, (UNIQUE * 2)[:size]]) == cells_in([(UNIQUE * 2)[:size], "", UNIQUE]) == UNIQUE


LISTS = {
    "braces": "{{{}}}",
    "vectors": "vec![{}],",
    "calls": "    intArrayOf({}),",
    "Markdown": "- [{}]",
    "Clojure": "#({})",
    "Nim": "@[{}],",
    "XML": "<row>{}</row>",
    "items": "<li>{}</li>",
    "LaTeX": "{} \\\\",
    "assembler": "  db {}",
    "log": "INFO:root:{}",
}


def listed(rows: list[str], name: str) -> list[str]:
    gap = {"XML": "", "items": "", "log": "", "LaTeX": " & "}.get(name, ", ")
    return [LISTS[name].format(gap.join(row.replace(".", "0"))) for row in rows]


@pytest.mark.parametrize("name", LISTS)
def test_two_rows_on_one_line_of_nine(name: str) -> None:
    rows, others = listed(ROWS, name), listed(OTHERS, name)
    for place, joint in product(range(9), (" ", " -> ", "   ")):
        if joint == " -> " and name in {"XML", "items", "LaTeX"}:
            continue  # a row ends there
        for pair in ([rows[place], others[place]], [others[place], rows[place]]):
            assert cells_in([*rows[:place], joint.join(pair), *rows[place + 1 :]]) == ""


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("row", ["94S500007", "94#500007", "94~500007", "94050000", "9405000001"])
def test_a_damaged_tenth_row_is_not_dropped(name: str, row: str) -> None:
    rows, tenth = listed(ROWS, name), listed([row], name)
    solved = listed([SOLUTION[k : k + 9] for k in range(0, 81, 9)], name)
    for lines in ([*rows, *tenth], [*tenth, *rows], [*rows[:8], rows[7], *tenth]):
        assert cells_in(lines) == ""
    for lines in ([*solved, *tenth], [*tenth, *solved]):
        assert not unidoku.verify(UNIQUE, "\n".join(lines)).solved


@pytest.mark.parametrize("form", FORMS)
def test_a_row_that_is_there_twice_in_nine(form: str) -> None:
    for place, lost in product(range(9), range(9)):
        if place != lost and ROWS[place].count(".") < 8:
            rows = [*ROWS[: place + 1], *ROWS[place:]]
            del rows[lost + (lost > place)]
            assert cells_in(lines_of(rows, form)) == ""
            over = [*ROWS]  # a row in the place of another
            over[lost] = over[place]
            assert cells_in(lines_of(over, form)) == ""


@pytest.mark.parametrize(
    "opening", ["rows = {1: [", "data = {1: [", "$g = array(1 => array(", "Puzzle: {1: [", "my %g = (1 => ["]
)
def test_numbers_of_rows_behind_an_opening(opening: str) -> None:
    arrow, begin = (" => ", opening[-1]) if "=>" in opening else (": ", "[")
    begin = "array(" if "array" in opening else begin
    end = ")" if begin != "[" else "]"

    def lines_in(order: list[int], rows: list[int]) -> list[str]:
        cells = [", ".join(ROWS[row - 1].replace(".", "0")) + end for row in rows]
        others = [f"    {k}{arrow}{begin}{own}," for k, own in zip(order[1:], cells[1:], strict=True)]
        return [f"{opening}{cells[0]},", *others, ")" if "(" in opening else "}"]

    count = [*range(1, 10)]
    assert cells_in(lines_in(count, count)) == UNIQUE
    for place in range(1, 8):
        other = [*count]
        other[place], other[place + 1] = other[place + 1], other[place]
        assert cells_in(lines_in(other, other)) == ""
        other[place] = other[place + 1]
        assert cells_in(lines_in(other, other)) == ""


def test_a_list_ends_behind_its_last_row() -> None:
    for begin, end, close in (("[", "],", "]]"), ("", " |", " |];"), ("{", "},", "}};")):
        rows = [f"    {begin}{', '.join(row.replace('.', '0'))}{end}" for row in ROWS]
        last = rows[8].removesuffix(end) + close
        assert cells_in([*rows[:8], last]) == UNIQUE
        for place in range(7):
            assert cells_in([*rows[:place], last, *rows[place + 1 : 8], rows[place]]) == ""


@pytest.mark.parametrize("tenth", [".", "..", "........", "........."])
def test_a_tenth_element_of_empty_cells(tenth: str) -> None:
    for rows in ([*ROWS, tenth], [tenth[:2], *ROWS]):
        quoted = [f'"{row}"' for row in rows]
        assert cells_in([f"[{', '.join(quoted)}]"]) == ""
        assert cells_in([f'{{"puzzle": [{", ".join(quoted)}]}}']) == ""
        assert cells_in(["p = [", *(f"    {row}," for row in quoted), "]"]) == ""


@pytest.mark.parametrize("joint", [["", "---"], [""], ["", ""], ["", "## Two", ""], ["---"]])
def test_a_blank_heading_of_markdown_is_no_row(joint: list[str]) -> None:
    head = ["|   " * 9 + "|", "|---" * 9 + "|"]
    first, second = ([f"| {' | '.join(row)} |".replace(".", " ") for row in rows] for rows in (ROWS, OTHERS))
    assert cells_in([*head, *first]) == UNIQUE
    for lost in range(9):
        damaged = [*head, *second[:lost], *second[lost + 1 :]]
        assert cells_in(damaged) == ""
        assert cells_in([*head, *first, *joint, *damaged]) in {"", UNIQUE}
        assert cells_in([*damaged, *joint, *head, *first]) in {"", UNIQUE}
