"""Nine lines of one shape: shapes, surroundings and damage, generated; and three laws that hold for all.

A text is read as itself or refused. Damage is never another board, unless nobody can see it: here a digit
that is lost where nothing is the sign of an empty cell. All ways to read a text agree.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import permutations, product
from pathlib import Path

import pytest
from example_puzzles import SOLUTION, UNIQUE as A

import unidoku
from unidoku import InvalidPuzzleError
from unidoku.parse import nine_lines
from unidoku.parse.board import Board, Fault
from unidoku.parse.boards import read
from unidoku.parse.nine_lines import board_in
from unidoku.parse.uses import _records_in, records_in

ROWS = [A[k : k + 9] for k in range(0, 81, 9)]
FULL = [SOLUTION[k : k + 9] for k in range(0, 81, 9)]
LABELS = [
    *(
        "",
        "> ",
        "[",
        '"',
        "    ",
        "08:12 <ann> ",
        "{k}. ",
        "{k}) ",
        "({k}) ",
        "{k}: ",
        "{k} | ",
        "{L} ",
        "{L}: ",
    ),
    *(
        "Row {k}: ",
        "row {k} = ",
        "- Row {k}: ",
        "**Row {k}:** ",
        "R{k}: ",
        "R{k}: [",
        "Line {k}: ",
        "第{k}行: ",
    ),
]
SEPARATORS = ["", " ", ", ", ",", ";", "\t", " | "]
ENDS = ["", ",", ";", "]", "],", '"', "  # row {k}", " (row {k})", "<br>"]
SHAPES = [
    shape
    for shape in product(LABELS, SEPARATORS, ENDS)
    if (shape[0].endswith("[") == shape[2].startswith("]")) and (shape[0] == '"') == (shape[2] == '"')
]


def text_of(rows: list[str], shape: tuple[str, str, str]) -> str:
    return "\n".join(lines_of(rows, shape))


def lines_of(rows: list[str], shape: tuple[str, str, str]) -> list[str]:
    label, separator, end = shape
    return [
        label.format(k=k, L=" ABCDEFGHIJ"[k]) + separator.join(row) + end.format(k=k)
        for k, row in enumerate(rows, 1)
    ]


def cells_in(text: str) -> str:
    """The board of a text; nothing if it is refused."""
    try:
        return unidoku.Grid(text).line
    except InvalidPuzzleError:
        return ""


def test_a_shape_is_read_as_itself() -> None:
    read = [cells_in(text_of(ROWS, shape)) for shape in SHAPES]
    assert {*read} <= {A, ""}
    assert read.count(A) > 0.9 * len(SHAPES)


def damaged(rows: list[str], shape: tuple[str, str, str], pick: random.Random) -> dict[str, list[str]]:
    """Lines with one row that a person sees is wrong, by the kind of damage."""
    at, place = pick.randrange(9), pick.randrange(9)
    label, _, end = shape
    lines = lines_of(rows, shape)
    own = lines[at]
    head, tail = own[: len(label.format(k=at + 1, L="A"))], end.format(k=at + 1)
    row = rows[at]
    changed = {
        "digit deleted": row[:place] + row[place + 1 :],
        "digit twice": row[:place] + row[place] + row[place:],
        "letter": f"{row[:place]}O{row[place + 1 :]}",
        "sign": f"{row[:place]}~{row[place + 1 :]}",
    }
    texts = {
        kind: [*lines[:at], head + shape[1].join(cells) + tail, *lines[at + 1 :]]
        for kind, cells in changed.items()
    }
    return {
        **texts,
        "digit before": [*lines[:at], f"4{own}", *lines[at + 1 :]],
        "digit behind": [*lines[:at], f"{own} 4", *lines[at + 1 :]],
        "a lone digit below": [*lines, "9"],
        "a lone digit above": ["9", *lines],
        "row twice": [*lines[: at + 1], *lines[at:]],
        "another row": [*lines, shape[1].join(rows[at])],
        "row lost": lines[:at] + lines[at + 1 :],
    }


@pytest.mark.parametrize("label", LABELS)
def test_an_answer_with_one_wrong_row_is_never_solved_or_another_grid(label: str) -> None:
    pick = random.Random(label)
    for shape in pick.sample([shape for shape in SHAPES if shape[0] == label], 6):
        for kind, lines in damaged(FULL, shape, pick).items():
            answer = unidoku.verify(A, "\n".join(lines))
            assert answer.reason == "no grid of 81 cells in the answer", (kind, "\n".join(lines))


@pytest.mark.parametrize("label", LABELS)
def test_a_damaged_puzzle_is_never_another_one(label: str) -> None:
    pick = random.Random(label)
    for shape in pick.sample([shape for shape in SHAPES if shape[0] == label], 6):
        for kind, lines in damaged(ROWS, shape, pick).items():
            assert cells_in("\n".join(lines)) in {A, ""}, (kind, "\n".join(lines))


WORDS = [
    *(
        "Column",
        "column",
        "Col",
        "C",
        "Box",
        "box",
        "B",
        "Block",
        "Region",
        "Section",
        "Square",
        "House",
        "Group",
    ),
    *(
        "Spalte",
        "Zeile",
        "Kolumne",
        "Fila",
        "columna",
        "colonne",
        "bloc",
        "Kasten",
        "столбец",
        "列",
        "宫",
        "열",
    ),
]
FORMS = [
    *("{w} {k}: {c}", "{w}{k}: {c}", "{w} {k} = {c}", "{w}[{k}] = {c}", "{k}. {w}: {c}", "**{w} {k}:** {c}"),
    *('"{w}{k}": [{l}],', "{w}[{k}] = [{l}]", '{{"{w}": {k}, "cells": [{l}]}}', '<{w} id="{k}">{c}</{w}>'),
    *("第{k}{w}: {c}", "{w} {k}: {s}", "- {w} #{k} - {c}"),
]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("rows", [ROWS, FULL])
def test_labelled_columns_and_boxes_are_no_rows(word: str, rows: list[str]) -> None:
    for form in FORMS:
        text = "\n".join(
            form.format(w=word, k=k, c=" ".join(row), s=row, l=", ".join(row.replace(".", "0")))
            for k, row in enumerate(rows, 1)
        )
        assert cells_in(text) == "", text
        assert unidoku.verify(A, text).reason, text


# Labels of rows and others, before the cells or behind; {i} counts from 0, {a} and {b} in threes.
BESIDE = {
    "row": [
        "Row {k}: {c}",
        "{c}  # row {k}",
        "{c} (row {i})",
        "{c} <- row {k}",
        "{c} ; r{k}",
        "{c} {L}",
        "第{k}行: {c}",
    ],
    "other": [
        *("Column {k}: {c}", "Fila {k}: {c}", "c{k}: {c}", "Step {k}: {c}", "g[{i}] = {c}", "p.txt:{k}:{c}"),
        *('<row n="{k}">{c}</row>', "block ({a},{b}): {c}", "box {a},{b} = {c}", "Column: {c}", "Box: {c}"),
        *("{c}  # Column {k}", "{c} (col {k})", "{c} // box {a},{b}", "{c} # column", "{c} (Box {L})"),
        *(
            "1. Block {k}: {c}",
            '["col{k}", "{c}"]',
            "INSERT INTO cells VALUES (1, {k}, '{c}');",
            "第{k}列: {c}",
        ),
    ],
}
ORDERS = {
    "intact": [0, 1, 2, 3, 4, 5, 6, 7, 8],
    "exchanged": [0, 1, 5, 3, 4, 2, 6, 7, 8],
    "beside": [0, 1, 3, 2, 4, 5, 6, 7, 8],
    "reversed": [8, 7, 6, 5, 4, 3, 2, 1, 0],
    "twice": [0, 1, 2, 3, 3, 5, 6, 7, 8],
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("kind", "form"), [(kind, form) for kind, forms in BESIDE.items() for form in forms])
@pytest.mark.parametrize("rows", [ROWS, FULL])
def test_labels_on_either_side_are_of_rows_and_in_order(
    rows: list[str], kind: str, form: str, order: str
) -> None:
    """No other order and no other word is read, by any way and in any style of cells."""
    for style in ("{}", "{} ", "{}, "):
        lines = [
            form.format(
                k=label + 1,
                i=label,
                L="ABCDEFGHI"[label],
                a=label // 3,
                b=label % 3,
                c="".join(style.format(cell) for cell in row).rstrip(", "),
            )
            for label, row in zip(ORDERS[order], rows, strict=True)
        ]
        text = "\n".join(lines)
        is_read = kind == "row" and order == "intact"
        assert cells_in(text) == ("".join(rows) if is_read else ""), text
        assert unidoku.verify(A, text).solved is (is_read and rows is FULL), text
        files = [batch.cells for batch in unidoku.read(BytesIO(text.encode()))]
        assert sum(map(len, files)) == is_read, text


@pytest.mark.parametrize(
    "heading",
    ["Columns:", "Boxes:", "**Columns**", "# The boxes", "By columns:", "Columns, top to bottom:", "列:"],
)
def test_a_heading_of_columns_or_boxes_is_none_of_rows(heading: str) -> None:
    for gap, rows in product(("\n", "\n\n"), (ROWS, [" ".join(row) for row in FULL])):
        assert "columns or boxes" in refusal(heading + gap + "\n".join(rows))
        assert not unidoku.verify(A, heading + gap + "\n".join(rows)).solved
    for above in ("The columns have blanks between them:", "table(columns: 9,", "Rows and boxes are full:"):
        assert cells_in(above + "\n" + "\n".join(ROWS)) == A


def test_times_ascend_and_free_remarks_are_no_labels() -> None:
    for begin in ("[12:{k:02d}] tom: ", "12:{k:02d}: ", "09:59:{k:02d} <ann> "):
        lines = [begin.format(k=k) + " ".join(row) for k, row in enumerate(ROWS, 1)]
        assert cells_in("\n".join(lines)) == A
        assert (
            cells_in("\n".join(lines[::-1]))
            == cells_in("\n".join([*lines[:3], lines[4], lines[3], *lines[5:]]))
            == ""
        )
    remarks = ["  # begin here", "", "  # easy", "", "", "  # a naked pair", "", "", "  # the end"]
    assert cells_in("\n".join(map("".join, zip(ROWS, remarks, strict=True)))) == A


def test_all_ways_to_read_a_text_agree() -> None:
    pick = random.Random(67)
    texts = [text_of(rows, shape) for rows in (ROWS, FULL) for shape in pick.sample(SHAPES, 40)]
    texts += [
        "\n".join(lines) for shape in pick.sample(SHAPES, 8) for lines in damaged(ROWS, shape, pick).values()
    ]
    for text in texts:
        cells = cells_in(text)
        files = [
            unidoku.Grid(row).line for batch in unidoku.read(BytesIO(text.encode())) for row in batch.cells
        ]
        assert files == [cells] * bool(cells), text
        answers = unidoku.verify_many([A, A], [text, text])
        assert [answers.score[0]] * 2 == [unidoku.verify(A, text).score, answers.score[1]]


def test_the_fast_way_reads_as_the_other_does() -> None:
    pick = random.Random(9)
    rule = "+-------+-------+-------+"
    texts = [text_of(rows, shape) for rows in (ROWS, FULL) for shape in SHAPES]
    texts += [
        "\n".join([rule, *lines[:3], rule, *lines[3:], rule]) for lines in map(str.splitlines, [*texts])
    ]
    count = 0
    for text in texts:
        for place in (-1, *pick.sample(range(len(text)), 3)):
            changed = text if place < 0 else text[:place] + pick.choice("\n. 1|-,") + text[place + 1 :]
            board = board_in(changed)
            if board is not None and len(changed) != 81:
                assert [board.cells] == [board.cells for board in read(changed).boards], changed
                count += 1
    assert count > 100


SIDES = ["{p},{s}", "{p};{s}", "{p}\t{s}", "{p} | {s}", "{p} -> {s}", "{p}:{s}", "1,{p},{s},0.5"]
SIDES += [
    '["{p}", "{s}"]',
    "('{p}', '{s}'),",
    '{{"puzzle": "{p}", "solution": "{s}"}}',
    "puzzle: {p} solution: {s}",
]
PARTS = [
    "",
    "null",
    A[:40],
    A[:80],
    f"{A}1",
    f"{A[:40]}O{A[41:]}",
    f"{A[:40]}~{A[41:]}",
    "53..7…",
    "…",
    "53..7....6...",
]


@pytest.mark.parametrize("form", SIDES)
@pytest.mark.parametrize("puzzle", PARTS)
def test_a_full_grid_is_no_puzzle_beside_a_damaged_or_an_empty_one(form: str, puzzle: str) -> None:
    for first, second in ((puzzle, SOLUTION), (SOLUTION, puzzle)):
        text = form.format(p=first, s=second)
        assert cells_in(text) == "", text
    assert cells_in(form.format(p=A, s=SOLUTION)) == A
    assert unidoku.verify(A, form.format(p=puzzle, s=SOLUTION)).solved


@pytest.mark.parametrize("form", [*SIDES, "{p}\t{s}\t", "{s},easy,{p}"])
@pytest.mark.parametrize("suffix", [".txt", ".csv", ".tsv"])
def test_a_full_grid_in_a_file_is_no_puzzle_beside_a_damaged_or_an_empty_one(
    form: str, suffix: str, tmp_path: Path
) -> None:
    pairs = [(A[::step], SOLUTION[::step]) for step in (1, -1)]
    path = tmp_path / f"pairs{suffix}"
    for part, place in product([*PARTS[::2], "....."], range(3)):
        lines = [form.format(p=p, s=s) for p, s in pairs]
        lines.insert(place, form.format(p=part, s=SOLUTION[9:] + SOLUTION[:9]))
        for text in ("\n".join(lines), lines[place], "\n".join(lines) + "\n"):
            path.write_text(text)
            try:
                boards = [unidoku.Grid(row).line for batch in unidoku.read(path) for row in batch.cells]
            except unidoku.UnidokuError:
                boards = []
            assert {*boards} <= {A, A[::-1]}, text


@pytest.mark.parametrize("part", [*PARTS[2:], A[:79]])
def test_a_full_grid_in_a_list_of_chats_is_no_puzzle_beside_a_damaged_one(part: str) -> None:
    questions = [A, part, A[::-1]]
    answers = [SOLUTION, SOLUTION[9:] + SOLUTION[:9], SOLUTION[::-1]]
    chats = [[{"content": f"Solve {p}"}, {"content": s}] for p, s in zip(questions, answers, strict=True)]
    text = json.dumps([{"messages": chat} for chat in chats])
    records = [record for _, _, record in records_in(text)]
    assert [record.cells for record in records if isinstance(record, Board)] == [A, A[::-1]]
    assert sum(isinstance(record, Fault) for record in records) == 1


@pytest.mark.parametrize("separator", ["", " ", ",", " | "])
@pytest.mark.parametrize("size", [8, 9, 10])
def test_a_lone_row_behind_a_blank_line_is_an_invalid_record(separator: str, size: int) -> None:
    """Beside a full grid it may be what is left of its puzzle."""
    row = separator.join((FULL[3] + FULL[4])[:size])
    board, full = (text_of(rows, ("", separator, "")) for rows in (ROWS, FULL))
    for form in ("{board}\n\n{row}\n", "{row}\n\n{board}", "{board}\n\n{row}\n\n{board}\n"):
        text = form.format(board=board, row=row)
        records = [record for _, _, record in records_in(text)]
        boards = [record.cells for record in records if isinstance(record, Board)]
        assert boards == ["".join(ROWS)] * text.count(board)
        faults = [record for record in records if isinstance(record, Fault)]
        assert [fault.message for fault in faults] == [f"expected 81 cells, found {size}"]
        batches = [*unidoku.read(BytesIO(text.encode()))]
        assert sum(len(batch.reasons) for batch in batches) == 1, text
        lone = [record for _, _, record in records_in(form.format(board=full, row=row))]
        assert not any(isinstance(record, Board) for record in lone)


@pytest.mark.parametrize("name", ["Fila:", "Spalte :", "tom:", "列："])
def test_one_word_before_all_lines_may_be_of_columns(name: str) -> None:
    """A time, a quotation and a number beside the word make it a chat, or a label that is looked at."""
    for cells in (str, " ".join):
        lines = [f"{name} {cells(row)}" for row in ROWS]
        with pytest.raises(unidoku.InvalidPuzzleError, match="may be columns or boxes"):
            unidoku.Grid("\n".join(lines))
    for before in ("[12:03] tom: ", "> ", "- ", '"cells": '):
        assert unidoku.Grid("\n".join(before + row for row in ROWS)).line == A


@pytest.mark.parametrize("name", ["Solution", "## Answer", "Solved grid", "解答", "**Solution 1:**"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_grid_that_a_heading_calls_a_solution_is_no_puzzle(name: str, gap: str) -> None:
    """Below its puzzle it is no record; below a damaged one or an empty place it is an invalid record."""
    rows, full = "\n".join(ROWS), "\n".join(FULL)
    other, other_full = rows[::-1], full[::-1]
    text = f"Puzzle 1{gap}{rows}{gap}{name}{gap}{full}{gap}Puzzle 2{gap}{other}{gap}{name}{gap}{other_full}\n"
    assert [getattr(record, "cells", "") for _, _, record in records_in(text)] == [A, A[::-1]]
    damaged = text.replace(rows, rows[:-1], 1)
    assert [type(record) for _, _, record in records_in(damaged)] == [Fault, Fault, Board]
    missing = f"Puzzle:{gap}(image){gap}{name}{gap}{full}\n"
    assert [type(record) for _, _, record in records_in(missing)] == [Fault]
    with pytest.raises(unidoku.InvalidPuzzleError, match="beside what may be the place of its puzzle"):
        unidoku.Grid(missing)
    assert unidoku.verify(A, missing).solved
    page = f"{rows}{gap}{other}{gap}{name}{gap}{full}{gap}{other_full}\n"  # the solutions of a booklet
    found = [getattr(record, "cells", "") for _, _, record in records_in(page)]
    assert found == [A, A[::-1]]
    nameless = [getattr(record, "cells", "") for _, _, record in records_in(f"{rows}\n\n{full}\n")]
    assert nameless == [A]  # it keeps the clues of the puzzle above
    other = [getattr(record, "cells", "") for _, _, record in records_in(f"{rows}\n\n{full[::-1]}\n")]
    assert other == [A, SOLUTION[::-1]]


@pytest.mark.parametrize("begin", ["", "\n", "Grid 01\n", "Here are two boards\n\n"])
@pytest.mark.parametrize(
    "gap", ["\n\n", "\n\n\n\n", "\n \n", "\nand here is one\n", "\nGrid 02\n", "\n\nPuzzle #2:\n"]
)
@pytest.mark.parametrize("damage", [None, "..3", "1234567890", "---------", "and"])
def test_boards_between_blank_lines_are_read_as_each_alone(begin: str, gap: str, damage: str | None) -> None:
    """A short way reads them one by one; the place of each is that of its first row, below a rule."""
    rule = "+---+---+---+"
    plain, spaced = "\n".join(ROWS), "\n".join(map(" ".join, ROWS))
    framed = "\n".join(
        (f"{rule}\n" if n % 3 == 0 else "") + f"|{row[:3]}|{row[3:6]}|{row[6:]}|"
        for n, row in enumerate(ROWS)
    )
    damaged = "\n".join([*FULL[:4], damage, *FULL[5:]]) if damage else "\n".join(FULL[::-1])
    for blocks in permutations([plain, spaced, framed, damaged]):
        text = begin + gap.join(blocks)
        found, place = dict[int, list[str]](), len(begin)
        for start, _, record in records_in(text):
            number = sum(start >= len(begin + gap.join(blocks[:n])) for n in range(1, 4))
            found.setdefault(number, []).append(getattr(record, "cells", ""))
            if isinstance(record, Board) and record.cells == A:
                place = text.index(blocks[number].removeprefix(f"{rule}\n"), place)
                assert start == place
        for number, block in enumerate(blocks):
            alone = [getattr(record, "cells", "") for _, _, record in records_in(block)]
            assert found.get(number, []) == alone, text


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_82_fields_are_no_board_where_nothing_is_an_empty_cell(separator: str) -> None:
    """The last separator may be one too many, or one within the fields."""
    for cells in (A, f"{A[1:]}."):
        text = separator.join(cells).replace(".", "")
        doubled = text.replace(separator * 2, separator * 3, 1)
        for line, board in ((text, cells), (text + separator, ""), (doubled, "")):
            files = [
                unidoku.Grid(row).line
                for batch in unidoku.read(BytesIO(line.encode()))
                for row in batch.cells
            ]
            assert [cells_in(line)] == (files or [""]) == [board], line


@pytest.mark.parametrize("gap", ["", " ", ","])
def test_a_full_grid_that_is_wrapped_once_is_read_in_all_ways(gap: str) -> None:
    text = gap.join(SOLUTION)
    step = 1 + len(gap)
    for cells in (61, 66, 71, 79):
        wrapped = f"{text[: cells * step].rstrip()}\n{text[cells * step :]}"
        assert cells_in(wrapped) in ("", SOLUTION)
        assert unidoku.verify(A, wrapped).solved == (cells_in(wrapped) == SOLUTION)


TABLES = {
    "td": ("<table>", "<tr>", '<td class="c">{}</td>', "", "</tr>\n", "</table>"),
    "td on lines": ("<table>\n", "<tr>\n", "  <td>{}</td>\n", "", "</tr>\n", "</table>"),
    "LaTeX": ("\\begin{tabular}{c}\n", "", "{}", " & ", " \\\\\n", "\\end{tabular}"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_blank_column_of_a_table_is_one(name: str) -> None:
    head, begin, cell, joint, end, tail = TABLES[name]
    for column in range(9):
        board = "".join("." if place % 9 == column else sign for place, sign in enumerate(A))
        cells = [cell.format(sign.replace(".", "")) for sign in board]
        rows = [joint.join(cells[k : k + 9]) for k in range(0, 81, 9)]
        assert cells_in(head + "".join(f"{begin}{row}{end}" for row in rows) + tail) == board
        rows[4] = joint.join(cells[36 + (column == 0) : 45 - (column > 0)])  # a cell is lost
        assert cells_in(head + "".join(f"{begin}{row}{end}" for row in rows) + tail) == ""


@pytest.mark.parametrize("puzzle", ["", A[:40], f"{A[:30]}…", A[:10], f"{A[:7]}...{A[-7:]}", "…"])
@pytest.mark.parametrize("form", ["puzzle: {}\n{}", "puzzle: {}\n\n{}", "{}\n{}"])
def test_a_full_grid_is_no_puzzle_below_or_above_a_part_of_one(puzzle: str, form: str) -> None:
    text = form.format(puzzle, f"solution: {SOLUTION}")
    is_none = not puzzle and form == "{}\n{}"  # a line end alone
    assert cells_in(text) == (SOLUTION if is_none else ""), text
    assert cells_in(f"solution: {SOLUTION}\n{form.format(puzzle, '')}") == (SOLUTION if is_none else "")
    assert cells_in(form.format(A, f"solution: {SOLUTION}")) == A
    assert cells_in(f"Sudoku of 2024-01-15\n\n{SOLUTION}\n----------") == SOLUTION
    assert unidoku.verify(A, text).solved


@pytest.mark.parametrize("mark", ["{}!", "{}*", "{}+", "[{}]", "**{}**", "<b>{}</b>"])
def test_marks_at_some_digits_are_clues_or_refused(mark: str) -> None:
    def drawn(cells: str, marked: str) -> str:
        signs = [
            mark.format(cell) if cell == sign else cell for cell, sign in zip(cells, marked, strict=True)
        ]
        return "\n".join(" ".join(signs[k : k + 9]) for k in range(0, 81, 9))

    others = "".join("." if cell != "." else digit for cell, digit in zip(A, SOLUTION, strict=True))
    assert cells_in(drawn(SOLUTION, A)) == A  # the clues are marked
    assert cells_in(drawn(A, A.replace("5", "."))) == ""
    assert cells_in(drawn(SOLUTION, f"{'.' * 78}179")) == ""
    assert unidoku.verify(A, drawn(SOLUTION, others)).solved


@pytest.mark.parametrize("sign", "-*_")
def test_a_rule_across_a_page_is_no_board(sign: str) -> None:
    assert cells_in(sign * 81) == cells_in(f"A page\n{sign * 81}\n") == ""
    assert cells_in("." * 81) == cells_in("0" * 81) == "." * 81
    assert unidoku.verify(A, sign * 81).reason


def test_81_characters_with_blanks_are_a_board() -> None:
    assert cells_in(A.replace(".", " ")) == A
    assert cells_in(" ".join(FULL)[:81]) == ""  # a row that is cut


# Each of these was read as another board by a draft of the reader.
PITFALLS = {
    "ten cells are not nine": text_of([f"{row}1" for row in FULL], ("", " ", "")),
    "a stop is no cell": "\n".join(f"{row}." for row in FULL).replace("2.", ".", 1),
    "a stop behind a lost cell": "\n".join(f"{' '.join(row)}." for row in FULL).replace("2.\n", ".\n", 1),
    "a blank field lost with its bar": text_of(ROWS, ("| ", " | ", ""))
    .replace(".", " ")
    .replace("|   ", "", 1),
    "one field less in a row that ends with a comma": text_of(FULL, ("", ",", ",")).replace("2,\n", ",\n", 1),
    "a bar less": text_of(ROWS, ("|", "|", "|")).replace(".", " ").replace("|", "", 1),
    "nine of ten rows, the last is empty": text_of(FULL, ("", ",", "")) + "\n,,,,,,,,",
    "a formula": "9 + 9 = 18",
    "a row of hyphens": "\n".join([*ROWS, "---------"]).replace(".", "-"),
    "a heading, and eight rows": "1 2 3 4 5 6 7 8 9\n" + text_of(ROWS[1:], ("", " ", "")),
    "spacer rows": "\n".join([*ROWS[:3], ".........", *ROWS[3:6], ".........", ROWS[6]]).replace(".", "\t"),
    "a digit in brackets": "\n".join(f"[{row}]" for row in FULL).replace("]", "](1)", 1),
    "times": "\n".join(f"08:1{k}: {row}" for k, row in enumerate(["5" + row for row in FULL])),
    "a number before the word": "\n".join(f"{k}. Column: {row}" for k, row in enumerate(FULL, 1)),
    "a cell twice in brackets": "\n".join("".join(f"[{cell}]" for cell in row) for row in FULL).replace(
        "]", "]6]", 1
    ),
    "a column that is cut off": "\n".join(f"|{'|'.join(row[:8])}|".replace(".", " ") for row in ROWS),
    "a frame of three columns": "\n".join(
        f"| {row[0]} | {row[1]} | {row[2]} |".replace(".", " ") for row in ROWS
    ),
    "two signs for empty cells": "\n".join(ROWS).replace(".", "0", 1),
    "nothing beside a dot": text_of(ROWS, ("", ";", "")).replace(".", "", 1),
    "-1 beside 0": text_of(ROWS, ("[", ",", "]")).replace(".", "0").replace("0", "-1", 1),
    "a row of a full grid that is cut": text_of(FULL, ("", " ", ""))[:-8],
    "a blank first row that was cut off": "\n"
    + "\n".join(row.replace(".", " ").rstrip() for row in ROWS[1:]),
    "a blank last row that was cut off": "\n".join(row.replace(".", " ").rstrip() for row in ROWS[:8])
    + "\n\n",
}


@pytest.mark.parametrize("name", PITFALLS)
def test_what_is_no_board_of_one_shape_is_refused(name: str) -> None:
    assert cells_in(PITFALLS[name]) == ""
    assert unidoku.verify(A, PITFALLS[name]).reason


ORDINALS = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth".split()
LABELLED = [f"Row {k}: {row}" for k, row in enumerate(ROWS, 1)]


@pytest.mark.parametrize(
    ("text", "line", "row", "message"),
    [
        ("\n".join(["Hello", "", *ROWS, ROWS[0]]), 12, 10, "row 10 is too many"),
        ("\n".join([*ROWS[:5], ROWS[4], *ROWS[5:]]), 6, 6, "row 5 is there twice"),
        ("\n".join(ROWS[:8]), 1, 9, "row 9 is missing, or one above it"),
        ("\n".join(ROWS[:3] + ROWS[4:]), 1, 9, "row 9 is missing, or one above it"),
        ("\n".join(LABELLED[:4] + LABELLED[5:]), 1, 5, "row 5 is missing"),
        ("\n".join([*LABELLED, LABELLED[8]]), 10, 9, "row 9 is there twice"),
        ("\n".join([*LABELLED[:4], LABELLED[4][:-1], *LABELLED[5:]]), 5, 5, "row 5 has 8 cells, expected 9"),
        ("\n".join(["", *ROWS, "9"]), 11, 10, "row 10 has one cell, expected 9 cells: 9"),
        (text_of([f"{ROWS[0]}12", *ROWS[1:]], ("", ";", "")), 1, 1, "row 1 has 11 fields, expected 9"),
        (", ".join(f"r{k}c{k}=5" for k in range(1, 10)), 1, None, "found 9 named cells"),
        ("1234\n3412\n2143\n4321", 1, None, "16 cells: 4x4 is not read"),
        ("123456\n" * 6, 1, None, "36 cells: 6x6 is not read"),
        ("3x3::k:2817:9987:8476:5639", 1, None, "killer"),
        ("\n".join(ROWS).replace(".", "~"), 1, 1, "found '~' in r1c3"),
        (
            text_of(ROWS, ("", " ", "")).translate(str.maketrans("123456789.", "١٢٣٤٥٦٧٨٩٠")),
            1,
            1,
            "'٥' in r1c1",
        ),
        ("".join(f"[td]{sign}[/td]\n" for sign in A), 1, None, "a table of BBCode"),
        (
            "\n".join(f"{word} row: {row}" for word, row in zip(ORDINALS, ROWS, strict=True)),
            1,
            None,
            "the lines are labelled First row to Ninth row",
        ),
        (str({(k // 9, k % 9): int(A[k].replace(".", "0")) for k in range(81)}), 1, None, "found 243"),
        (
            f'{{"rows": ["{ROWS[0]}"' + "".join(f"\n\\{row}" for row in ROWS[1:]),
            1,
            1,
            "row 1 has another form",
        ),
        (
            "\n".join([f"Row 1 (top): {ROWS[0]}", *LABELLED[1:]]),
            1,
            1,
            f"row 1 has another form than the others: Row 1 (top): {ROWS[0]}",
        ),
        ("r1c1=5, r1c2=3", 1, None, "found 2 named cells"),
        (
            "\n".join(f"{row}  # row {k}" for k, row in zip((1, 2, 4, 3, 5, 6, 7, 8, 9), ROWS, strict=True)),
            3,
            3,
            "row 4 is out of order, expected row 3",
        ),
        (
            "\n".join(f"Box: {row}" for row in ROWS),
            1,
            None,
            "the lines are labelled Box: they may be columns",
        ),
        (
            "\n".join(ROWS).replace(".", "0", 1),
            1,
            1,
            "expected one sign for empty cells, '.', found '0' in r1c3",
        ),
        (
            "\n".join(f"Section {k}: {row}" for k, row in enumerate(ROWS, 1)),
            1,
            None,
            "labelled Section 1 to 9",
        ),
    ],
)
def test_messages_name_the_place(text: str, line: int, row: int | None, message: str) -> None:
    with pytest.raises(InvalidPuzzleError) as caught:
        unidoku.Grid(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.row) == (line, row)


def test_a_last_row_with_a_full_stop_is_nine_digits_and_never_eight() -> None:
    assert cells_in("\n".join(FULL) + ".") == "".join(FULL)
    for cell in range(9):
        short = FULL[8][:cell] + FULL[8][cell + 1 :]
        assert cells_in("\n".join([*FULL[:8], f"{short}."])) == ""


def test_a_sign_that_touches_one_row_is_no_empty_cell() -> None:
    rows = [f"({k}) {row}!" for k, row in enumerate(FULL, 1)]
    assert cells_in("\n".join(rows)) == "".join(FULL)
    rows[6] = f"(7) {FULL[6][:8]}?!!"
    assert cells_in("\n".join(rows)) == ""


CONTROLS = ["\x00", "\x08", "\x1b", "\x7f", "\u202e", "\ufeff", "\U000e0041"]


@pytest.mark.parametrize("symbol", CONTROLS, ids=ascii)
def test_a_reason_that_quotes_a_text_is_printable(symbol: str) -> None:
    """A terminal does what a control character says; a program may show the message to anybody."""
    rows = [" ".join(row) for row in ROWS]
    for row, place in product((0, 4, 8), (0, 1, 8, 17)):
        damaged = rows[row][:place] + symbol + rows[row][place:]
        texts = [[*rows[:row], line, *rows[row + 1 :]] for line in (damaged, damaged[:-2], damaged + " 7")]
        texts.append([*rows[: row + 1], damaged, *rows[row + 1 :]])
        for text in map("\n".join, texts):
            reason = refusal(text)
            assert reason.isprintable()
            assert reason or unidoku.Grid(text).line == A  # a mark of order or of the beginning of a file


def refusal(text: str) -> str:
    """Return why a text is refused; nothing if it is read."""
    try:
        unidoku.Grid(text)
    except InvalidPuzzleError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("begin", "row", "between", "end"),
    [
        ("board = [|", "{}", "|\n  ", "|];"),  # MiniZinc
        ('{"why": "Row 1 needs 4, 6, 8.", "solution": [[', "{}", "], [", ']], "sure": 0.9}'),
        ('{"solution": [[', "{}", "], [", "]]} (1)"),
        ("grid = [\n[", "{}", "],\n[", "]\n]  # 30 clues"),
    ],
    ids=["minizinc", "fields", "number", "comment"],
)
def test_lists_in_brackets_of_a_source(begin: str, row: str, between: str, end: str) -> None:
    for cells, expected in ((A.replace(".", "0"), A), (SOLUTION, SOLUTION)):
        rows = [row.format(", ".join(cells[k : k + 9])) for k in range(0, 81, 9)]
        text = begin + between.join(rows) + end
        assert unidoku.Grid(text).line == expected
    assert unidoku.verify(A, text).solved


RULE = "+---+---+---+"
HEAD_RULE, BLANK_ROW = f"|{'---|' * 9}", f"|{'   |' * 9}"
FORMS: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "plain": lambda rows: [*rows],
    "spaced": lambda rows: [*map(" ".join, rows)],
    "groups": lambda rows: [" ".join((row[:3], row[3:6], row[6:])) for row in rows],
    "frame": lambda rows: [RULE, *(f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in rows), RULE],
    "bars": lambda rows: [f"| {' | '.join(row)} |" for row in rows],
    "fields": lambda rows: [*map(",".join, rows)],
    "labels": lambda rows: [f"Row {number}: {' '.join(row)}" for number, row in enumerate(rows, 1)],
    "table": lambda rows: ["", "| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |", HEAD_RULE, *FORMS["bars"](rows)],
    "drawing": lambda rows: [
        "",
        BLANK_ROW,
        HEAD_RULE,
        *(bar.replace(".", " ") for bar in FORMS["bars"](rows)),
    ],
}
EMPTY = ["." * 9, *ROWS[1:8], "." * 9]
DAMAGES: dict[str, Callable[[list[str], int], list[str]]] = {
    "none": lambda lines, _: lines,
    "missing": lambda lines, k: lines[:k] + lines[k + 1 :],
    "twice": lambda lines, k: lines[: k + 1] + lines[k:],
    "short": lambda lines, k: [*lines[:k], lines[k][1:], *lines[k + 1 :]],
    "other sign": lambda lines, k: [*lines[:k], lines[k].replace(".", "0"), *lines[k + 1 :]],
    "blank line": lambda lines, k: [*lines[:k], "", *lines[k:]],
    "words": lambda lines, k: [*lines[:k], "Another one", *lines[k:]],
    "title": lambda lines, k: [*lines[:k], "Grid 7", "", *lines[k:]],
}


@pytest.mark.parametrize(("form", "damage"), [*product(FORMS, DAMAGES)])
def test_boards_that_follow_each_other_are_read_as_without_the_short_way(
    form: str, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line for rows in (ROWS, EMPTY, ROWS[::-1], EMPTY) for line in FORMS[form](rows)]
    for place in range(len(lines)):
        text = "\n".join(DAMAGES[damage](lines, place)) + "\n"
        short = records_in(text)
        with monkeypatch.context() as patch:
            patch.setattr(nine_lines, "boards_in", lambda text: ([], 0))
            long = records_in(text)
        assert [(start, one.cells) for start, _, one in short if isinstance(one, Board)] == [
            (start, one.cells) for start, _, one in long if isinstance(one, Board)
        ]
        assert len(short) == len(long)


OTHERS = [
    A.translate(str.maketrans("123456789", digits)) for digits in ("234567891", "987654321", "318642975")
]
RUN = [[cells[k : k + 9] for k in range(0, 81, 9)] for cells in (A, OTHERS[0], OTHERS[1][::-1], OTHERS[2])]
UNLABELLED = ["plain", "spaced", "groups", "bars", "fields"]


@pytest.mark.parametrize(("form", "count"), [*product(UNLABELLED, (1, 2))])
def test_boards_with_nothing_between_them_are_never_of_rows_of_two(form: str, count: int) -> None:
    """Whatever is damaged, at two places; intact they are read."""
    lines = [line for rows in RUN for line in FORMS[form](rows)]
    boards = ["".join(rows) for rows in RUN]
    assert [getattr(record, "cells", "") for _, _, record in records_in("\n".join(lines))] == boards
    pick = random.Random(f"{form} {count}")
    for _ in range(200):
        changed = lines
        for damage in pick.choices([*DAMAGES], k=count):
            changed = DAMAGES[damage](changed, pick.randrange(len(changed)))
        records = [record for _, _, record in records_in("\n".join(changed) + "\n")]
        found = {record.cells for record in records if isinstance(record, Board)}
        assert found <= {*boards}, "\n".join(changed)


def test_a_run_of_boards_is_refused_with_what_to_type() -> None:
    rows = [row for own in RUN for row in own]
    twice = [*rows[:20], *rows[19:30], *rows[31:]]
    clash = [*rows[:9], *RUN[1][:8], RUN[1][7], *rows[18:]]
    for lines, line in ((twice, 19), (clash, 10)):
        [(start, _, fault)] = records_in("\n".join(lines))
        assert "write an empty line between them" in fault.message
        assert "\n".join(lines).count("\n", 0, start) + 1 == line
    labelled = "\n".join(f"Row {number % 9 + 1}: {row}" for number, row in enumerate(rows))
    records = [record for _, _, record in records_in(labelled.replace(rows[0], rows[0][1:], 1))]
    assert [getattr(record, "cells", "") for record in records[1:]] == ["".join(own) for own in RUN[1:]]


@pytest.mark.parametrize("cells", [A, "." * 9 + A[9:], A[:9] + "." * 9 + A[18:]])
@pytest.mark.parametrize("row", range(8))
def test_a_first_row_that_may_be_a_heading_is_no_heading_beside_a_row_that_is_there_twice(
    cells: str, row: int
) -> None:
    """Markdown has a heading, so that people write the first row as one."""
    rows = FORMS["bars"]([cells.replace(".", " ")[k : k + 9] for k in range(0, 81, 9)])
    first, *others = rows
    assert refusal("\n".join([first, HEAD_RULE, *others[: row + 1], *others[row:]]))
    if first.strip("| "):
        assert unidoku.Grid("\n".join([first, HEAD_RULE, *others])).line == cells


@pytest.mark.parametrize("ends", [(r"\[", r"\]"), (r"\(", r"\)"), ("$$", "$$"), ("", "")])
@pytest.mark.parametrize("empty", ["", ".", "0", r"\cdot", r"\phantom{0}"])
def test_an_array_of_latex_is_read_in_any_signs_of_a_formula(ends: tuple[str, str], empty: str) -> None:
    rows = [" & ".join(sign.replace(".", empty) for sign in row) + r" \\" for row in ROWS]
    array = "\n".join([r"\begin{array}{|ccc|ccc|ccc|}", r"\hline", *rows, r"\end{array}"])
    assert cells_in("\n".join((ends[0], array, ends[1]))) == A


MARKUPS = {
    "MediaWiki": ('{| class="wikitable"\n', "|-\n{}", "| {}\n"),
    "BBCode": ("[table]\n", "[tr]\n{}[/tr]\n", "[td]{}[/td]\n"),
    "AsciiDoc": ("|===\n", "{}\n", "|{}\n"),
    "XML": ("<sudoku>", "<row>{}</row>\n", "<cell>{}</cell>"),
    "HTML": ("<table>\n", "<tr>{}\n", "<td>{}\n"),
}


@pytest.mark.parametrize(("name", "empty"), [*product(MARKUPS, ["", ".", "0"])])
def test_a_table_that_is_not_read_is_named(name: str, empty: str) -> None:
    begin, row, cell = MARKUPS[name]
    cells = [cell.format(sign.replace(".", empty)) for sign in A]
    text = begin + "".join(row.format("".join(cells[k : k + 9])) for k in range(0, 81, 9))
    reason = refusal(text)
    assert f"a table of {name}" in reason if reason else unidoku.Grid(text).line == A


@pytest.mark.parametrize("joint", ["", " "])
def test_prompts_of_python_and_options_of_rust(joint: str) -> None:
    """The interpreter begins lines with dots; Debug prints Some(5) and None."""
    rows = [joint.join(row) for row in ROWS]
    assert unidoku.Grid("\n... ".join(['>>> grid = """', *rows, '"""'])).line == A
    assert refusal("\n... ".join(['>>> grid = """', *rows[:-1], rows[-1][1:], '"""']))
    cells = ["None" if sign == "." else f"Some({sign})" for sign in A]
    lists = [f"[{', '.join(cells[k : k + 9])}]" for k in range(0, 81, 9)]
    assert unidoku.Grid(f"[{', '.join(lists)}]").line == A


def test_a_row_of_dots_is_counted_where_others_are_wrong() -> None:
    rows = [*ROWS[:2], "." * 9, *ROWS[3:6], f"=> {ROWS[6]}", *ROWS[7:]]
    assert "found '=' in row 7" in refusal("\n".join(rows))
    assert "row 1 has one cell, expected 9 cells" in refusal("\n".join(["5", *ROWS[1:]]))


@pytest.mark.parametrize("row", range(1, 9))
def test_a_rule_elsewhere_than_between_boxes_is_a_fault(row: int) -> None:
    """A row is lost in one box, and one is there twice in another."""
    text = "\n".join([RULE, *ROWS[:row], RULE, *ROWS[row:], RULE])
    for found in (bool(board_in(text)), not refusal(text)):
        assert found is (row in {3, 6})


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_nine_lines_are_read_by_the_short_way(form: str) -> None:
    assert board_in("\n".join(FORMS[form](ROWS)).strip("\n")).cells == A


@pytest.mark.parametrize("heading", ["123456789", "ABCDEFGHI", "         "])
def test_tables_of_markdown_that_follow_each_other_are_boards(heading: str) -> None:
    """The heading of each is no tenth row, whoever reads them."""
    tables = [
        ["", f"| {' | '.join(heading)} |", HEAD_RULE, *FORMS["bars"](rows)] for rows in (ROWS, ROWS[::-1])
    ]
    text = "\n".join(line for table in tables for line in table)
    boards = ["".join(rows) for rows in (ROWS, ROWS[::-1])]
    for way in (records_in, _records_in):
        assert [
            getattr(record, "cells", record) for _, _, record in way(f"{text}\n\nThat is all.\n")
        ] == boards


def test_a_row_of_candidates_of_81_characters_is_no_puzzle() -> None:
    """Of nine or about nine groups of digits that ascend, alone or among rows."""
    groups = ["134579", "13457", "14579", "3589", "1358", "13589", "2", "6", "3789"]
    for count in (8, 9):
        line = "".join(f" {group:8}" for group in groups[:count]).ljust(81)[:81]
        assert not cells_in(line)
        assert not cells_in("\n".join([line, *(f"| {line} |" for _ in range(8))]))
    assert cells_in(A.replace(".", " ")) == A
