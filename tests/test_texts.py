"""Texts as people and programs write them: one table, each row a text and what is read of it.

A row is never another board: it is read as it says, or refused. `texts/table.txt` has the rows, and
`helpers/text_table.py` their notation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from cases import in_turn
from example_puzzles import SOLUTION, UNIQUE
from text_table import BOARDS, ROWS, Row

import unidoku
from unidoku import InvalidPuzzleError, UnidokuError
from unidoku._parse.board import Board
from unidoku._parse.puzzle import cells_of
from unidoku.cell import rows_of
from unidoku.craft._verification import read_answer
from unidoku.files import _grids as grids

NAMES = {cells: name for name, cells in BOARDS.items()}


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    """The rows of some kinds, each by the line where it begins."""
    rows = [row for row in ROWS if row.kind in kinds]
    return pytest.mark.parametrize("row", rows, ids=[f"line {row.line}" for row in rows])


def named(cells: str) -> str:
    """What a row says of cells."""
    return NAMES.get(cells, cells or "refused")


def read(text: str) -> str:
    """The cells of a text; nothing if it is refused."""
    try:
        board = cells_of(text)
    except InvalidPuzzleError:
        return ""
    return board.cells if isinstance(board, Board) else unidoku.Grid(board).line


@in_turn
@of_kind("puzzle")
def test_a_text_is_read_as_its_row_says(row: Row) -> None:
    assert named(read(row.text)) == row.meaning


def test_a_row_of_blanks_is_a_row() -> None:
    cells = "5...78912.........1983..567.597.142....8.3...7139.48.69.1..7..428.4.963...52.6..9"
    for gap in ("", " "):
        assert read("\n".join(map(gap.join, rows_of(cells))).replace(".", " ")) == cells


def test_words_next_to_a_board_that_say_something_of_its_lines() -> None:
    board = "\n".join(rows_of(UNIQUE))
    assert read(f"{board}\nIn order of difficulty: 3") == UNIQUE
    assert not read(f"Columns of the grid, one a line:\n{board}")


PAGE = (Path(__file__).parents[1] / "docs/texts.md").read_text("utf-8")
AROUND = re.findall(r"(?m)^\| [^|]+ \| `+ ?(.+?) ?`+ \| (yes|an invalid record) \|$", PAGE)


@pytest.mark.parametrize(("line", "is_read"), AROUND)
def test_what_the_page_names_may_stand_around_a_board(line: str, is_read: str, tmp_path: Path) -> None:
    """Above it or below it, in a text and in a file of boards."""
    board = "\n".join(UNIQUE[k : k + 9] for k in range(0, 81, 9))
    for text in (f"{line}\n\n{board}\n", f"{board}\n\n{line}\n"):
        assert read(text) == UNIQUE
        (tmp_path / "in.txt").write_text(f"{text}\n" * 2)
        [batch] = unidoku.read(tmp_path / "in.txt")
        assert unidoku.lines(batch.cells) == [UNIQUE] * 2
        assert len(batch.reasons) == (0 if is_read == "yes" else 2)


def test_the_page_has_an_example_of_all_that_may_stand_around_a_board() -> None:
    assert len(AROUND) == PAGE.partition("| such as |")[2].partition("\n\n")[0].count("\n") - 1


HEAD = "|" + " |" * 9 + "\n|" + "---|" * 9 + "\n"
DRAWINGS = [
    *[("", "{}", ".", ""), ("", "{}", ".", " "), ("", "{}", "", ","), (HEAD, "| {} |", " ", " | ")],
    *[("", "[{}]", ".", "]["), ("", "{}", ".", ":")],
]


@in_turn
@pytest.mark.parametrize(("head", "row", "empty", "gap"), DRAWINGS)
def test_the_row_of_an_error_is_the_row_at_fault(head: str, row: str, empty: str, gap: str) -> None:
    """Empty fields are cells, and the heading of a table is no row."""
    rows = [UNIQUE[k : k + 9] for k in range(0, 81, 9)]
    for wrong, says in [
        (rows[4][:8], "row 5 has 8 cells"),
        (rows[4][:6], "row 5 has 6 cells"),
        (rows[4] + "7", "row 5 has 10 cells"),
        (rows[4][:3] + "A" + rows[4][4:], "found 'A' in r5c4"),
        (rows[1], "row 5 repeats row 2; correct one of them"),
    ]:
        cells = [[empty if cell == "." else cell for cell in line] for line in (*rows[:4], wrong, *rows[5:])]
        text = head + "\n".join(row.format(gap.join(line)) for line in cells)
        with pytest.raises(InvalidPuzzleError, match=says) as caught:
            cells_of(text)
        assert (caught.value.row, caught.value.line) == (5, 5 + head.count("\n"))


@in_turn
@pytest.mark.parametrize("width", range(2, 13))
@pytest.mark.parametrize("cells", [SOLUTION, SOLUTION.replace("34", "3.")])
def test_columns_are_of_any_width(width: int, cells: str) -> None:
    rows = ("".join(cell.rjust(width) for cell in cells[k : k + 9]) for k in range(0, 81, 9))
    assert read("\n".join(rows)) == cells


@in_turn
@pytest.mark.parametrize("arguments", ["nrow = 9", "9, 9", "nrow = 9, byrow = FALSE"])
def test_a_matrix_of_r_is_refused_with_its_reason_unless_it_is_by_rows(arguments: str) -> None:
    vector = ",".join(UNIQUE.replace(".", "0"))
    lines = ",\n".join(",".join(row) for row in rows_of(UNIQUE.replace(".", "0")))
    for text in (
        f"matrix(c({vector}), ARGUMENTS)",
        f"b <- c({vector})\nm <- matrix(b, ARGUMENTS)",
        f"m <- matrix(c(\n{lines}\n), ARGUMENTS)",
        f"structure(c({lines}), ARGUMENTS)",
    ):
        with pytest.raises(InvalidPuzzleError, match="R fills this matrix by columns"):
            cells_of(text.replace("ARGUMENTS", arguments))
        assert read(text.replace("ARGUMENTS", "9, 9, byrow = TRUE")) == UNIQUE


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        *[("grid = ", end) for end in (".T", ".reverse();", ".transpose(1, 0)", " // Transpose", "^T", "ᵀ")],
        *[
            (begin, ")")
            for begin in (
                *("np.rot90(", "np.flipud(", "list(zip(*", "A = stack(", "Transpose@("),
                *("t(", "cbind(", "data.frame(", "hcat("),
            )
        ],
        *[(begin, "") for begin in ("grid_T = ", "Spalten: ", "flipped: ", "reversed: ", "reverse order: ")],
    ],
)
def test_lines_that_a_call_turns_round_are_refused(before: str, behind: str, tmp_path: Path) -> None:
    rows = ",\n".join(f"  [{', '.join(row)}]" for row in rows_of(UNIQUE.replace(".", "0")))
    with pytest.raises(InvalidPuzzleError):
        cells_of(f"{before}[\n{rows}\n]{behind}")
    (tmp_path / "x.txt").write_text(f"{before}[\n{rows}\n]{behind}\n")
    assert not sum(map(len, unidoku.read(tmp_path / "x.txt")))


_ROWS = rows_of(UNIQUE)
_BULLETS = "\n".join(f"  • {' '.join(row[1:])}" for row in _ROWS)  # eight cells a row
_SEVERAL = [*rows_of("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7"), "...7...3."]


@in_turn
@pytest.mark.parametrize(
    "text",
    [
        _BULLETS,
        "\n".join(";".join(row.replace(".", "0")) for row in _ROWS) + "\n;;3",
        *[UNIQUE.replace(".", "0") + end for end in ("...5", "...9 8 7", "...00")],
        *["\n".join(map(" ".join, _SEVERAL)) + end for end in (" .", ", .", "  .\nThanks")],
        "A = [" + "\n".join(map(" ".join, rows_of(UNIQUE.replace(".", "0")))) + "]\n';",
    ],
)
def test_a_damaged_text_is_no_other_board(text: str) -> None:
    """A bullet is no cell, signs behind 81 cells are not lost, and a tenth one may be a cell."""
    with pytest.raises(InvalidPuzzleError):
        cells_of(text)


@in_turn
@pytest.mark.parametrize("sign", "_?x*")
def test_a_later_grid_with_empty_cells_is_the_answer(sign: str) -> None:
    later = "\n".join(
        f"Row {number}: {row[:4]}{sign}{row[5:]}" for number, row in enumerate(rows_of(SOLUTION), 1)
    )
    rows = "\n".join(map(" ".join, rows_of(SOLUTION)))
    assert not unidoku.verify(UNIQUE, f"{rows}\n\nWait, that is wrong. The right grid:\n{later}").solved


@in_turn
@pytest.mark.parametrize("end", [".T", "'", ".reshape(9, 9, order='F')"])
def test_a_later_grid_of_floats_that_is_turned_is_the_answer(end: str) -> None:
    rows = [" ".join(f"{cell}." for cell in row) for row in rows_of(SOLUTION)]
    plain_rows = "\n".join(rows_of(SOLUTION))
    floats = "]\n [".join(rows)
    answer = f"{plain_rows}\nWait:\n[[{floats}]]{end}"
    assert not unidoku.verify(UNIQUE, answer).solved


def test_a_row_of_nothing_but_quotes_is_a_row() -> None:
    cells = UNIQUE[:72] + "." * 9
    fields = (";".join(f'"{cell.strip(".")}"' for cell in row) for row in rows_of(cells))
    assert read("\n".join(fields)) == cells


LISTS = [  # open, open a row, between cells, close a row, between rows, close
    ("[", "[", ",", "]", ",", "]"),  # JSON, Python
    ("(", "(", ",", ")", ",", ")"),
    ("{", "{", ",", "}", ",", "}"),  # C
    ("[", "[", " ", "]", " ", "]"),  # NumPy
    ("(", "(", " ", ")", " ", ")"),  # Lisp
    ("[|", "[|", ";", "|]", ";", "|]"),  # OCaml
    ("[", "[", ";", "]", ";", "]"),  # F#
    ("[|", "", ",", "", "|", "|]"),  # MiniZinc
    ("[", "", ",", "", ";", "]"),  # MATLAB
    ("[", "", " ", "", ";", "]"),
    ("[", "", ",", "", ",", "]"),
    ("[", "", ",", "", ",", ",]"),
    ("[", '"', "", '"', ",", "]"),
    ("", "'", "", "'", "+", ""),
    ("{", '"row{n}":"', "", '"', ",", "}"),
    ("{", '"r_{n}":[', ",", "]", ",", "}"),
]


@in_turn
@pytest.mark.parametrize("gap", ["", " ", "\t", "\n  "])
@pytest.mark.parametrize("signs", LISTS, ids=" ".join)
def test_between_the_signs_of_a_list_may_be_blanks_and_line_ends(signs: Sequence[str], gap: str) -> None:
    """Where a blank is itself between cells or rows, it is one or more."""
    opens, opens_row, cell, closes_row, row, closes = signs
    joint = (gap or " ") if cell == " " else f"{gap}{cell}{gap}" if cell else ""
    around = gap if cell else ""  # the cells of a string have no blanks
    texts = [
        f"{opens_row.replace('{n}', str(k // 9 + 1))}{around}"
        f"{joint.join(UNIQUE.replace('.', '0')[k : k + 9])}{around}{closes_row}"
        for k in range(0, 81, 9)
    ]
    assert read(f"{opens}{gap}{(f'{gap}{row}{gap}').join(texts)}{gap}{closes}") == UNIQUE


CALLS = (
    "array matrix tensor list vector tuple rows grid board sudoku puzzle solve print check valid verify json"
)


@in_turn
@pytest.mark.parametrize("name", [*CALLS.split(), "vec!"])
def test_the_name_of_a_call_says_that_a_list_is_one_of_rows(name: str) -> None:
    rows = str([[*map(int, UNIQUE.replace(".", "0")[k : k + 9])] for k in range(0, 81, 9)])
    assert read(f"{name}({rows})") == UNIQUE
    assert read(f"columns_of({rows})") == ""


TAGS = "b i u em code mark span strong font sub sup small del ins kbd".split()


@in_turn
@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_around_a_digit_is_formatting(tag: str) -> None:
    assert read("\n".join(re.sub("([1-9])", rf"<{tag}>\1</{tag}>", row) for row in rows_of(UNIQUE))) == UNIQUE


@in_turn
@pytest.mark.parametrize("tag", ["code", "pre", "quote", "tt", "size=4", "INST"])
def test_a_tag_of_a_forum_around_a_board_is_no_line_of_it(tag: str) -> None:
    board = "\n".join(map(" ".join, rows_of(UNIQUE)))
    for end in ("", "\n"):
        assert read(f"[{tag}]{end}{board}{end}[/{tag.partition('=')[0]}]") == UNIQUE
    assert read(f"[{tag}]{board[2:]}[/{tag}]") == ""


@in_turn
@pytest.mark.parametrize("blank", ["\n  ", "&nbsp;", "&#160;", " "])
def test_a_cell_of_a_table_of_a_page_may_have_blanks(blank: str) -> None:
    rows = (
        "".join(f"<td>{blank}{cell}{blank}</td>" for cell in row.replace(".", " ")) for row in rows_of(UNIQUE)
    )
    table = "".join(f"<tr>{row}</tr>\n" for row in rows)
    assert read(f"<table><thead></thead><tbody>\n{table}</tbody></table>") == UNIQUE


NAMES_OF_GRIDS = (
    "the my a here is so final complete completed solved solution answer grid board sudoku result"
)


@in_turn
@pytest.mark.parametrize("name", NAMES_OF_GRIDS.split())
def test_a_full_grid_below_its_name_is_a_puzzle(name: str) -> None:
    assert read(f"{name.title()}:\n{SOLUTION}") == SOLUTION
    assert read(f"{name} by Ann:\n{SOLUTION}") == ""


@in_turn
@pytest.mark.parametrize("name", "grid board sudoku puzzle solution solved answer field".split())
def test_a_full_grid_of_a_variable_is_a_puzzle(name: str) -> None:
    rows = str([[*map(int, SOLUTION[k : k + 9])] for k in range(0, 81, 9)])
    for text in (f"int {name}_1[9][9] = {rows}", f"let my_{name} = {rows}", f"{name}[] := {rows}"):
        assert read(text) == SOLUTION
    assert read(f"other = {rows}") == ""


@in_turn
@pytest.mark.parametrize("column", [0, 8])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_an_outer_column_may_be_empty(sign: str, column: int) -> None:
    """Of ten fields one end is none, if it is clear which."""
    rows = [[*UNIQUE[k : k + 9]] for k in range(0, 81, 9)]
    for row in rows:
        row[column] = "."
    fields = [sign.join(row).replace(".", "") for row in rows]
    assert read("\n".join(fields)) == "".join(map("".join, rows))
    assert read("\n".join(f"{sign.join(row)}{sign}" for row in rows)) == "".join(map("".join, rows))
    assert read("\n".join(f"{sign}{sign.join(SOLUTION[k : k + 8])}{sign}" for k in range(0, 81, 9))) == ""


@in_turn
@pytest.mark.parametrize("word", ["None", "Nothing", "null", "NULL", "nil", "NaN", "nan", "NA", "<NA>"])
def test_words_of_programs_are_empty_cells(word: str) -> None:
    rows = ("[" + ", ".join(word if cell == "." else cell for cell in row) + "]" for row in rows_of(UNIQUE))
    assert read(f"[{', '.join(rows)}]") == UNIQUE


@in_turn
@pytest.mark.parametrize("word", ["Colour", "color", "Boxed", "vstack", "row_stack"])
def test_a_word_that_begins_like_columns_or_boxes_is_any_word(word: str) -> None:
    assert read(f"{word}:\n\n" + "\n".join(map(" ".join, rows_of(UNIQUE)))) == UNIQUE


@in_turn
@pytest.mark.parametrize("brackets", ["{}", "[]", "  "])
def test_groups_of_candidates_may_be_in_brackets(brackets: str) -> None:
    groups = [cell if cell != "." else f"{brackets[0]}123456789{brackets[1]}" for cell in UNIQUE]
    text = "\n".join(" ".join(groups[k : k + 9]) for k in range(0, 81, 9))
    assert read(text) == UNIQUE
    assert read(text.replace("123456789", "132456789", 1)) == ""
    assert brackets == "  " or read(text.replace("123456789", "", 1)) == ""


@in_turn
@pytest.mark.parametrize("end", ["", " ", " \t"])
def test_blanks_behind_the_name_of_a_state_mean_nothing(end: str) -> None:
    filled = "\n".join(rows_of(f"{UNIQUE[:2]}4{UNIQUE[3:]}"))
    text = "\n".join(("[Puzzle]", *rows_of(UNIQUE), f"[State]{end}", filled))
    assert unidoku.Grid(text).line == UNIQUE


def test_a_long_line_of_prose_is_text() -> None:
    prose = "I look at each row, and then at each column of it. " * 100
    assert read(f"{prose}\n\n" + "\n".join(UNIQUE[k : k + 9] for k in range(0, 81, 9))) == UNIQUE


ROW_WORDS = (
    "Row Line R Zeile Reihe Ligne Rangée Fila Riga Linha Rij Rad Række Wiersz Řádek Satır Строка Ряд".split()
)


@in_turn
@pytest.mark.parametrize("label", [*ROW_WORDS, "- Row", "(", ""])
def test_rows_are_labelled_in_many_languages(label: str) -> None:
    rows = [UNIQUE[k : k + 9] for k in range(0, 81, 9)]
    lines = [f"{label} {k}: {row}" for k, row in enumerate(rows, 1)]
    for ends in (":", ")" if label == "(" else " is"):
        assert read("\n".join(lines).replace(":", ends).replace("( ", "(")) == UNIQUE
    assert read("\n".join(lines).replace(" 9:", " 8:")) == ""


OTHERS = "Column Spalte Colonne Box Block Region Squares Subgrid Nonet Cages 列 宫".split()


@in_turn
@pytest.mark.parametrize("label", OTHERS)
def test_other_labels_may_be_columns_or_boxes(label: str) -> None:
    assert read("\n".join(f"{label} {k}: {UNIQUE[9 * k - 9 : 9 * k]}" for k in range(1, 10))) == ""


@in_turn
@pytest.mark.parametrize("label", ["Columns:", "# Boxes", "Spalte 1-9:"])
def test_a_label_of_columns_or_boxes_is_the_only_word_of_its_line(label: str) -> None:
    """A sentence about a column is no label."""
    board = "\n".join("|".join(f" {cell} " for cell in row) + "|." for row in rows_of(UNIQUE))
    for line, expected in (
        (label, "labelled"),
        (f"but {label} has two 7s.", "other groups"),
        (f"{label} 5 needs 1, 7, 9.", "other groups"),
        ("\\begin{sudoku-block}", "other groups"),
    ):
        with pytest.raises(InvalidPuzzleError, match=expected):
            cells_of(f"{line}\n{board}")


def test_cells_in_a_line_and_in_rows_below_are_refused_with_a_reason() -> None:
    with pytest.raises(InvalidPuzzleError, match="same mark for all empty cells"):
        cells_of(f"{'0' * 40}{'.' * 41}\n123456789")


@in_turn
@of_kind("answer")
def test_an_answer_is_read_as_its_row_says(row: Row) -> None:
    cells, reason = read_answer(row.text)
    assert named("" if reason else unidoku.Grid(cells).line) == row.meaning


@in_turn
@of_kind("txt", "csv", "tsv", "jsonl", "json", "md", "py", "sdk", "ss", "sdm", "html")
def test_a_file_is_read_as_its_row_says(row: Row, tmp_path: Path) -> None:
    path = tmp_path / f"in.{row.kind}"
    path.write_bytes(row.text.encode())
    assert records(path) == row.meaning


@in_turn
@of_kind("txt", "md", "py", "sdk", "ss", "html")
def test_a_file_is_read_alike_in_pieces_of_any_size(
    row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grids, "_PIECE", 50 + len(row.text) % 283)
    path = tmp_path / f"in.{row.kind}"
    path.write_bytes(6 * (row.text.encode() + b"\n"))
    found = records(path)
    monkeypatch.undo()
    assert found == records(path)


def records(path: Path) -> str:
    """The records of a file by their lines, ``-`` for one that is no puzzle; ``refused`` if it is no file."""
    found = list[tuple[int, str]]()
    try:
        for batch in unidoku.read(path):
            lines = unidoku.lines(batch.cells)
            found += [(int(line), named(cells)) for line, cells in zip(batch.lines, lines, strict=True)]
            found += [(line, "-") for line in batch.reasons]
    except UnidokuError:
        return "refused"
    found.sort(key=lambda record: record[0])
    return " ".join(f"{line}:{name}" for line, name in found) or "nothing"


def test_a_reading_does_not_depend_on_earlier_texts() -> None:
    """A row without clues before a full stop does not say which of ten signs are cells."""
    rows = [UNIQUE[k : k + 9] for k in range(0, 81, 9)]
    text = "\n".join(rows) + "."
    for other in range(3):  # a form is learned from its second text
        read("\n".join((*rows[:7], rows[7][:8] + str(other + 1), "." * 10)))
    assert read(text) == UNIQUE


def test_the_rows_below_an_answer_count_whatever_was_read_before() -> None:
    """A sum is no line of cells, but may correct a row."""
    sums = "\n".join(f"Row {k}: {'+'.join(row)} = 45" for k, row in enumerate(rows_of(SOLUTION), 1))
    corrected = f"{SOLUTION}\nThe rows again:\n" + sums.replace("5+3+4", "5+4+3")
    for _ in range(3):
        assert read_answer(corrected)[1]
        assert not read_answer(SOLUTION)[1]


@in_turn
@pytest.mark.parametrize("opening", ["A: ", "q:", "-> ", "=> "])
@pytest.mark.parametrize(
    "above",
    [
        "+-------+-------+-------+\n",
        "=====================\n",
        "| C1 | C2 | C3 | C4 | C5 | C6 | C7 | C8 | C9 |\n",
    ],
)
def test_an_opening_above_the_first_row_is_text(opening: str, above: str) -> None:
    rows = "\n".join(
        "| " + " | ".join(" ".join(row[k : k + 3]) for k in (0, 3, 6)) + " |" for row in rows_of(UNIQUE)
    )
    assert read(f"{opening}{above}{rows}") == UNIQUE


@in_turn
@pytest.mark.parametrize(("gap", "box_gap"), [(" ", " | "), ("", "|"), (" ", " || "), (" ", "  "), ("", " ")])
def test_blanks_are_cells_without_a_frame(gap: str, box_gap: str) -> None:
    cells = UNIQUE.replace(".", " ")
    rows = [box_gap.join(gap.join(row[k : k + 3]) for k in (0, 3, 6)) for row in rows_of(cells)]
    assert read("\n".join(rows)) == UNIQUE


def test_blank_columns_between_boxes_are_no_cells() -> None:
    rows = [
        "|".join(("", *row[:3], "", *row[3:6], "", *row[6:], "")) for row in rows_of(UNIQUE.replace(".", " "))
    ]
    assert read("\n".join(rows)) == UNIQUE


def test_a_tall_drawing_with_two_signs_for_empty_cells_is_refused() -> None:
    rule, blank = "+---" * 9 + "+", "|   " * 9 + "|"
    rows = ["| " + " | ".join(row) + " |" for row in rows_of(UNIQUE)]
    tall = "\n".join(line for row in rows for line in (rule, blank, row)) + f"\n{rule}"
    assert read(tall) == UNIQUE
    assert read(tall.replace(".", "*", 1)) == ""


@in_turn
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", "a Git LFS pointer"),
        ("%PDF-1.7\n1 0 obj\n", "a PDF"),
        ("<!DOCTYPE html>\n<title>Sudoku</title>\n", "a web page"),
    ],
)
def test_an_error_names_a_file_that_is_no_text(text: str, name: str) -> None:
    with pytest.raises(InvalidPuzzleError, match=name):
        unidoku.Grid(text)
