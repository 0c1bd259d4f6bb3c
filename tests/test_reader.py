"""The one reader of texts: positions, answers and faults, over layouts and surroundings."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path

import pytest
from example_puzzles import SEVERAL, SOLUTION, UNIQUE as A

import unidoku
from unidoku import InvalidPuzzleError
from unidoku.files.inputs import read_puzzles
from unidoku.parse.boards import read

LAYOUTS = {
    "line": lambda cells: cells,
    "rows": lambda cells: "\n".join(rows_of(cells)),
    "spaced": lambda cells: "\n".join(map(" ".join, rows_of(cells))),
    "labels": lambda cells: "\n".join(f"Row {k}: {row}" for k, row in enumerate(rows_of(cells), 1)),
    "list": lambda cells: json.dumps([[*map(int, row.replace(".", "0"))] for row in rows_of(cells)]),
    "strings": lambda cells: json.dumps(rows_of(cells), indent=1),
    "table": lambda cells: "\n".join(f"| {' | '.join(row)} |" for row in rows_of(cells)),
    "slashes": lambda cells: "/".join(rows_of(cells)),
    "commas": lambda cells: "\n".join(map(",".join, rows_of(cells))),
    # of sites, programs and languages
    "elements of the look": lambda cells: in_elements(
        cells, "<td><span><b>{1}</b></span></td>", "<tr>{}</tr>"
    ),
    "calls": lambda cells: ",\n".join(f"  intArrayOf({', '.join(row)})" for row in rows_of(zeros(cells))),
    "names of cells": lambda cells: ", ".join(
        f"'{'ABCDEFGHI'[k // 9]}{k % 9 + 1}': '{cell}'" for k, cell in enumerate(cells)
    ),
    "a string of JSON": lambda cells: '{"size": 9, "grid": "' + "\n".join(rows_of(cells)) + '", "n": 9}',
    # frames and separators
    "brackets around cells": lambda cells: "\n".join(
        "".join(f"[{cell}]" for cell in row.replace(".", " ")) for row in rows_of(cells)
    ),
    "labels of another script": lambda cells: "\n".join(
        f"第{k}行:{' '.join(row)}" for k, row in enumerate(rows_of(cells), 1)
    ),
    "squares": lambda cells: "\n".join(rows_of(cells.replace(".", "\u2610"))),
    "short rules of Markdown": lambda cells: (
        f"{'| ' * 9}|\n{'|-' * 9}|\n"
        + "\n".join(f"|{'|'.join(row)}|" for row in rows_of(cells.replace(".", " ")))
    ),
    "rows of MediaWiki": lambda cells: "\n".join(
        f"|-\n| {' || '.join(row)}" for row in rows_of(cells.replace(".", " "))
    ),
    "a log": lambda cells: "\n".join(
        f"2026-11-26T08:12:0{k}Z DEBUG [main] {' '.join(row)}" for k, row in enumerate(rows_of(cells))
    ),
    "counts in brackets": lambda cells: "\n".join(
        f"Row {k}: {row} ({9 - row.count('.')} given)" for k, row in enumerate(rows_of(cells), 1)
    ),
    "arrows": lambda cells: "\n".join(f"➡️ {' '.join(row)}" for row in rows_of(cells)),
    "lines of MATLAB": lambda cells: (
        "A = [" + "; ...\n     ".join(map(" ".join, rows_of(zeros(cells)))) + "];"
    ),
    "a log of containers": lambda cells: "\n".join(f"solver-1  | {' '.join(row)}" for row in rows_of(cells)),
    "a margin": lambda cells: "\n".join(f"E       {row}" for row in rows_of(cells)),
    "a string that is split": lambda cells: "const g = '" + "\\n".join(rows_of(cells)) + "'.split('\\n');",
    "rows in braces": lambda cells: "\n".join(f"{{{' '.join(row)}}}" for row in rows_of(zeros(cells))),
    # frames and edges
    "double bars": lambda cells: "\n".join(f"‖ {' ‖ '.join(boxes_of(row))} ‖" for row in rows_of(cells)),
    "corners of letters": lambda cells: "\n".join(
        [RULE, *(f"| {' | '.join(boxes_of(row))} |" for row in rows_of(blanks(cells))), RULE]
    ),
    "an edge of underscores": lambda cells: "\n".join(
        [" _" * 9, *(f"|{'|'.join(row)}|" for row in rows_of(cells.replace(".", "_")))]
    ),
    "an outer frame": lambda cells: "\n".join(f"|{row}|" for row in rows_of(blanks(cells))),
    "labels of framed cells": lambda cells: "\n".join(
        f"{k} | {' | '.join(row)} |" for k, row in enumerate(rows_of(blanks(cells)), 1)
    ),
    "signs at the ends": lambda cells: "\n".join(f"{row}$" for row in rows_of(cells)),
    # labels, names, prefixes
    "a name and a time": lambda cells: "Ann, 08:12: " + "\n".join(rows_of(cells)),
    "names with digits": lambda cells: "\n".join(
        f"solver-7d9f-x2k9 {' '.join(row)}" for row in rows_of(cells)
    ),
    "digits that are missing": lambda cells: "\n".join(
        f"Row {k} (missing 1, 2, 3): {' '.join(row)}" for k, row in enumerate(rows_of(cells), 1)
    ),
    "rows, and a column that checks them": lambda cells: (
        r" \\\\ ".join(map(" & ".join, rows_of(cells))).replace(r"\\\\", "\\\\\n")
        + "\nColumn 1 = 1, 2, 3, 4, 5, 6, 7, 8, 9"
    ),
    "letters without I": lambda cells: "\n".join(
        f"{label} {' '.join(row)}" for label, row in zip("ABCDEFGHJ", rows_of(cells), strict=True)
    ),
    "a name like a label": lambda cells: (
        "def b1 = [\n" + ",\n".join(f"  [{', '.join(row)}]" for row in rows_of(zeros(cells))) + "\n]"
    ),
    # separators
    "nothing between bars": lambda cells: "\n".join("|".join(row).replace(".", "") for row in rows_of(cells)),
    # elements, strings, commands
    "fields on lines of their own": lambda cells: in_elements(
        cells, "<td>\n      {1}\n    </td>", "<tr>{}</tr>"
    ),
    "words of NumPy": lambda cells: "\n".join(
        f"[{', '.join(row).replace('.', 'np.nan')}]," for row in rows_of(cells)
    ),
    "words in braces": lambda cells: ", ".join(
        f"{{{', '.join(row).replace('.', 'nil')}}}" for row in rows_of(cells)
    ),
    "a link of a terminal": lambda cells: f"\x1b]8;;https://example.org/9\x1b\\{cells}\x1b]8;;\x1b\\",
    "strings of JSON within a string": lambda cells: json.dumps(
        {"name": "submit", "arguments": json.dumps({"grid": rows_of(cells)})}
    ),
    "groups in strings": lambda cells: json.dumps(
        [f"{row[:3]} {row[3:6]} {row[6:]}" for row in rows_of(cells)]
    ),
}
RULE = "o-------o-------o-------o"
BEFORE = ["", "Solved in 12 steps (hard):\n", "Step 3: r4c2 = 7, so r9c9 is 9.\n\n", "Answer 2:\n\n"]
AFTER = ["", "\nDone at 12:34.", "\n\nThe last cell is 9.", "\n\n[1] checked"]


def zeros(cells: str) -> str:
    return cells.replace(".", "0")


def blanks(cells: str) -> str:
    return cells.replace(".", " ")


def boxes_of(row: str) -> list[str]:
    return [" ".join(row[k : k + 3]) for k in (0, 3, 6)]


def in_elements(cells: str, cell: str, row: str) -> str:
    signs = [cell.format(place, sign.replace(".", "")) for place, sign in enumerate(cells)]
    return f"<div>{''.join(row.format(''.join(signs[k : k + 9])) for k in range(0, 81, 9))}</div>"


def rows_of(cells: str) -> list[str]:
    return [cells[k : k + 9] for k in range(0, 81, 9)]


def boards_in(text: str) -> list[str]:
    return [board.cells for board in read(text).boards]


def reads(text: str) -> bool:
    try:
        unidoku.Grid(text)
    except InvalidPuzzleError:
        return False
    return True


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_grid_is_read_whatever_stands_around_it(name: str) -> None:
    for before, after in product(BEFORE, AFTER):
        text = before + LAYOUTS[name](SOLUTION) + after
        assert unidoku.verify(A, text).solved, text
        assert unidoku.Grid(before + LAYOUTS[name](A) + after).line == A


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028"])
def test_lines_may_end_in_any_way(end: str) -> None:
    drawn = {
        **LAYOUTS,
        "blanks": lambda cells: "\n".join(rows_of(blanks(cells))),
        "blanks, a frame": lambda cells: "\n".join(
            f"| {' | '.join(boxes_of(row))} |" for row in rows_of(blanks(cells))
        ),
        "quoted": lambda cells: (
            "\ufeff"
            + "\n".join(";".join(f'"{cell}"' for cell in row) for row in rows_of(cells)).replace(".", "")
        ),
    }
    for name, layout in drawn.items():
        assert unidoku.Grid(layout(A).replace("\n", end)).line == A, name


@pytest.mark.parametrize(("first", "last"), [*product(LAYOUTS, ["rows", "list", "table"])])
def test_the_last_full_grid_is_the_answer(first: str, last: str) -> None:
    wrong = f"{SOLUTION[1]}{SOLUTION[0]}{SOLUTION[2:]}"
    texts = [
        f"First:\n{LAYOUTS[first](one)}\n\nNo, wait:\n{LAYOUTS[last](two)}\n"
        for one, two in ((wrong, SOLUTION), (SOLUTION, wrong), (A, SOLUTION))
    ]
    answers = unidoku.verify_many([A] * 3, texts)
    assert answers.solved.tolist() == [True, False, True]
    assert [unidoku.verify(A, text).solved for text in texts] == [True, False, True]


NO_SOURCE = {
    "hyphens between boxes": (
        lambda cells: "\n".join(f"{row[:3]}-{row[3:6]}-{row[6:]}" for row in rows_of(zeros(cells))),
        "row 1 has 11 cells, expected 9: ",
    ),
    "rows in a sentence": (
        lambda cells: " and ".join([", ".join(rows_of(zeros(cells))[:8]), rows_of(zeros(cells))[8]]),
        "expected 81 cells, found 72",
    ),
}


@pytest.mark.parametrize("name", NO_SOURCE)
def test_a_layout_that_no_program_and_no_person_writes_is_refused(name: str) -> None:
    layout, message = NO_SOURCE[name]
    for cells in (A, SOLUTION):
        with pytest.raises(InvalidPuzzleError, match=message):
            unidoku.Grid(layout(cells))
        assert unidoku.verify(A, layout(cells)).reason


@pytest.mark.parametrize("name", [name for name in LAYOUTS if name != "line"])
def test_a_damaged_board_is_never_another_one(name: str) -> None:
    pick = random.Random(56)
    text = LAYOUTS[name](A)
    places = [place for place, sign in enumerate(text) if sign in "123456789" and "Row" not in text]
    for place in pick.sample(places, min(20, len(places))):
        for sign in ("", text[place] * 2, "O"):
            damaged = text[:place] + sign + text[place + 1 :]
            try:
                cells = unidoku.Grid(damaged).line
            except InvalidPuzzleError:
                continue
            assert sum(a != b for a, b in zip(cells, A, strict=True)) <= 1, damaged  # an empty field


def test_a_sign_lost_or_added_between_blanks_is_no_shift() -> None:
    """Blanks for empty cells are cut off at the ends of rows: nobody sees that the rest of a row moved.

    But for a proper puzzle, it is refused.
    """
    rows = [row.replace(".", " ").rstrip() for row in rows_of(A)]
    assert unidoku.Grid("\n".join(rows)).line == A
    count = 0
    for number, row in enumerate(rows):
        for place in [place for place, sign in enumerate(row[:-1]) if sign != " "]:
            for sign in ("", row[place] * 2):
                damaged = [*rows[:number], row[:place] + sign + row[place + 1 :], *rows[number + 1 :]]
                refused = not reads("\n".join(damaged))
                assert refused or unidoku.check("\n".join(damaged)) is unidoku.Verdict.UNIQUE
                count += refused
    assert count > 30


@pytest.mark.parametrize("count", [4, 7])
def test_a_full_grid_is_no_puzzle_beside_a_cut_one(count: int) -> None:
    drawn = "\n".join(f"| {' | '.join(boxes_of(row))} |" for row in rows_of(A.replace(".", " "))[:count])
    with pytest.raises(InvalidPuzzleError):
        unidoku.Grid("\n".join(rows_of(SOLUTION)) + "\n\nPuzzle:\n" + drawn)


SEPARATE = ["/", ", ", " ", " | ", ";", "\n\n"]


@pytest.mark.parametrize("separator", SEPARATE)
@pytest.mark.parametrize("place", [0, 1, 5, 9])
def test_a_tenth_row_is_never_left_out(separator: str, place: int) -> None:
    rows = rows_of(A)
    assert boards_in(separator.join(rows)) == [A]
    rows.insert(place, "1...5.7..")
    for drawn in (
        rows,
        [f"<bob> {' '.join(row)}" for row in rows],
        [rf"{' & '.join(row)} \\" for row in rows],
    ):
        assert boards_in(separator.join(drawn)) == []


@pytest.mark.parametrize("separator", SEPARATE)
def test_two_boards_in_a_sentence_are_never_mixed(separator: str) -> None:
    for first, second in ((A, A), (A, SEVERAL), (SEVERAL, A)):
        for groups in (rows_of, list):
            text = separator.join([*groups(first), *groups(second)])
            assert {*boards_in(text)} <= {first, second}


@pytest.mark.parametrize("end", ["", "\n\n"])
def test_a_solution_right_below_its_puzzle_is_a_board_of_its_own(end: str) -> None:
    rule = "+-------+-------+-------+\n"
    puzzle, solution = (
        rule + "".join(f"| {' | '.join(map(' '.join, boxes_of(row)))} |\n" for row in rows_of(cells)) + rule
        for cells in (A.replace(".", " "), SOLUTION)
    )
    assert boards_in(puzzle + end + solution) == [A, SOLUTION]
    assert boards_in(solution + end + puzzle) == [SOLUTION, A]


@pytest.mark.parametrize("rule", ["|-|-|-|-|-|-|-|-|-|", "| - | - | - | - | - | - | - | - | - |"])
def test_the_rule_of_a_table_is_no_row(rule: str) -> None:
    table = [f"| {' | '.join(row)} |" for row in rows_of(A)]
    assert boards_in("\n".join([table[0], rule, *table[1:]])) == [A]
    assert boards_in("\n".join([f"| {' | '.join('ABCDEFGHI')} |", rule, *table])) == [A]
    assert boards_in("\n".join([f"| {' | '.join('ABCDEFGHI')} |", rule, *table[1:]])) == []


@pytest.mark.parametrize("lost", [r" +", r"^ +", r"(?<=\d) +"])
@pytest.mark.parametrize("joint", ["", " "])
def test_blanks_that_were_lost_are_no_shift(lost: str, joint: str) -> None:
    rows = [joint.join(row).rstrip() for row in rows_of(A.replace(".", " "))]
    assert boards_in("\n".join(rows)) == [A]
    assert not reads("\n".join(re.sub(lost, " " if lost[0] != "^" else "", row) for row in rows))


def test_a_blank_line_within_nine_rows_ends_a_board_but_between_boxes_and_all_rows() -> None:
    for text in (
        "\n".join(";".join(row).replace(".", "") for row in rows_of(A)),
        "\n".join(blanks(row) for row in rows_of(A)),
        "\n".join(f"| {' | '.join(boxes_of(row))} |" for row in rows_of(A.replace(".", "-"))),
    ):
        lines = text.split("\n")
        assert boards_in("\n".join([*lines[:4], "", *lines[4:]])) == []
        assert boards_in("\n".join([*lines[:3], "", *lines[3:6], "", *lines[6:]])) == [A]
        assert boards_in("\n\n".join(lines)) == [A]


def test_blanks_cut_off_need_a_proper_puzzle() -> None:
    """The one place where the solver is asked: another place of a digit would nearly always be seen."""
    cells = f"{A[:20]}.{A[21:]}"
    assert unidoku.check(cells) is unidoku.Verdict.MULTIPLE
    assert unidoku.Grid("\n".join(blanks(row) for row in rows_of(cells))).line == cells
    with pytest.raises(InvalidPuzzleError, match="write \\. for an empty cell"):
        unidoku.Grid("\n".join(blanks(row).rstrip() for row in rows_of(cells)))


TABLE = "|1|2|3|4|5|6|7|8|9|\n|---|---|---|---|---|---|---|---|---|\n"


@pytest.mark.parametrize(
    "text",
    [
        TABLE + "\n".join(f"|{'|'.join(row.replace('.', ' '))}|" for row in rows_of(A)[1:]),
        "\n".join(f"- {' '.join(row)}" for row in rows_of(zeros(A)))[:-2],  # bullets, and one row of eight
        "\n".join([f"Row {k} - {row}" for k, row in enumerate(rows_of(A), 1)]).replace("- 6..", "- .."),
        "\n".join([f"0{rows_of(A)[0]}", *rows_of(A)[1:]]),  # a row of ten that ends with a dot
        "\n".join(map(" ".join, rows_of(SOLUTION)))[:-6],  # a cut row, no blanks
        # ten rows, of which one has no digit
        *(
            "\n".join(
                draw(row)
                for row in [*rows_of(SEVERAL)[:4], "." * 9, rows_of(A)[0], *rows_of(A)[5:], rows_of(A)[8]]
            )
            for draw in (
                lambda row: f"| {' | '.join(blanks(row))} |",
                lambda row: ";".join(row).replace(".", ""),
                lambda row: "".join(f"[{cell}]" for cell in blanks(row)),
                lambda row: " ".join(blanks(row)),
                lambda row: f"\t{blanks(row)}",
            )
        ),
        # a letter at the end of one row is no label; a number in the last field of a list is no remark
        "\n".join(f"\u2022 {' '.join(row)}" for row in rows_of(SOLUTION)).replace("2\n", "I\n", 1),
        json.dumps([list(map(int, row)) for row in rows_of(SOLUTION)], indent=1).replace(
            "2\n ]", "22\n ]", 1
        ),
        "\n".join(f"{' '.join(row)}   <- row" for row in rows_of(A)).replace("8 .   <-", "8 8 .   <-", 1),
        str([[*map(int, row)] for row in rows_of(SOLUTION)]).replace(", 2]", ",\n]", 1),  # eight, and a comma
        json.dumps([",".join(row).replace(".", "") for row in rows_of(A)]).replace('"8', '"a', 1),
        "\n".join(
            rf"{' & '.join(blanks(row))} \\" for row in [f"{'.' * 9}", *rows_of(SEVERAL)[:4], *rows_of(A)[4:]]
        ),
        "\n".join(["_" * 9, *rows_of(A.replace(".", "_"))]),
        # rows joined by dots, of which one is cut
        *(f"{text[:7]} {text[8:]}" for text in (joint.join(rows_of(zeros(A))) for joint in ".-_")),
        # one number is no set of candidates
        json.dumps([list(row.replace(".", "_")) for row in rows_of(A)]).replace('"8"', '"45', 1),
        "\n".join(map(",".join, [rows_of(SOLUTION)[0][1:], *rows_of(SOLUTION)[1:]])),  # a field is missing
        "\n".join(f"Row {k}: {row}" for k, row in enumerate([*rows_of(SOLUTION), "123456789"], 1)),
        "\n".join(map(" ".join, rows_of(SOLUTION)[:8])) + "\n\nThanks!",
        "\n".join(f"{k:>6}\t{row}" for k, row in enumerate(rows_of(A), 1))[:-9],  # lines of 10 that make 81
        # a heading, and a row that is lost
        "\n".join(map(" ".join, ["123456789", *rows_of(A)[1:]])),
        "\n".join(
            [
                "".join(f"  [,{k}]" for k in range(1, 10)),
                *(f"[{k},]  {'    '.join(row)}" for k, row in enumerate(rows_of(SOLUTION)[1:], 2)),
            ]
        ),
        "\n".join(
            [
                "   0  1  2  3  4  5  6  7  8",
                *(f"{k}  {'  '.join(row)}" for k, row in enumerate(rows_of(SOLUTION)[1:], 1)),
            ]
        ),
        # the last row is cut
        "\n".join(f"[{', '.join(row).replace('.', '-1')}]," for row in rows_of(A))[:-22],
        "\n".join(f"| *{'* | *'.join(row)}* |" for row in rows_of(SOLUTION))[:-37],
        "\n".join(f"[{', '.join(f'{cell}.' for cell in row)}]," for row in rows_of(SOLUTION))[:-18],
        ">>> a = [\n" + "\n".join(f"... [{', '.join(row)}]," for row in rows_of(SOLUTION))[:-11],
        "\n".join(f"{row}        "[:12] for row in rows_of(A.replace(".", " ")))[:-9],
        # a comma is no digit
        "\n".join(f"| {' | '.join(boxes_of(row))} |" for row in rows_of(A.replace(".", " "))).replace(
            "8", ",", 1
        ),
        # no bullet
        "\n".join(f"| {' | '.join(boxes_of(row))} |" for row in rows_of(A.replace(".", "-"))).replace(
            "8", "88", 1
        ),
    ],
)
def test_what_is_a_cell_in_one_row_is_one_in_all(text: str) -> None:
    with pytest.raises(InvalidPuzzleError):
        unidoku.Grid(text)
    assert unidoku.verify(A, text).reason


TITLED = {
    "a title above a sheet": "Sudoku;;;;;;;;\n"
    + "\n".join(";".join(row).replace(".", "") for row in rows_of(A)),
    "a title above rows": "Sudoku\n\n" + "\n".join(rows_of(A)),
}


@pytest.mark.parametrize("name", ["rows in braces", "strings", *TITLED])
def test_a_board_in_a_file_is_no_record_of_its_lines(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_text(LAYOUTS[name](A) if name in LAYOUTS else TITLED[name])
    (batch,) = unidoku.read(tmp_path / "a.txt")
    assert (len(batch), batch.reasons) == (1, {})


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
@pytest.mark.parametrize("puzzle", [f"{A[:80]}é", A[:40], A[:80], "a" * 81])
def test_the_solution_of_a_damaged_puzzle_is_no_puzzle(tmp_path: Path, name: str, puzzle: str) -> None:
    (tmp_path / name).write_text(json.dumps({"puzzle": puzzle, "solution": SOLUTION}, ensure_ascii=False))
    (batch,) = unidoku.read(tmp_path / name)
    assert not batch.cells.any()
    assert len(batch.reasons) == 1


@pytest.mark.parametrize(
    ("head", "line", "end"),
    [
        ("var p = []string{", '\t"{}",', "}"),
        ("static const char *p[] = {", '  "{}",', "};"),
        ("puzzles:", '  - "{}"', ""),
        ("| n | puzzle |\n|---|:---:|", "| 1 | {} |", ""),
    ],
)
def test_what_stands_around_lines_is_no_record(tmp_path: Path, head: str, line: str, end: str) -> None:
    (tmp_path / "a.txt").write_text("\n".join([head, line.format(A), line.format(SEVERAL), end]))
    (batch,) = unidoku.read(tmp_path / "a.txt")
    assert ([unidoku.Grid(cells).line for cells in batch.cells], batch.reasons) == ([A, SEVERAL], {})


def test_two_bad_lines_are_two_records(tmp_path: Path) -> None:
    rows = "\n".join(rows_of(A))
    (tmp_path / "a.txt").write_text(f"{rows}\n\n{A[:80]}\n{A[:79]}\n\n{rows}\n")
    (batch,) = unidoku.read(tmp_path / "a.txt")
    assert (batch.lines.tolist(), [*batch.reasons]) == ([1, 14], [11, 12])


@pytest.mark.parametrize("sign", ["a", "1", "\0", "\x1b", "\x7f"])
def test_what_touches_81_cells_is_a_part_of_them(sign: str) -> None:
    for text in (f"{A}{sign}", f"{sign}{A}"):
        with pytest.raises(InvalidPuzzleError):
            unidoku.Grid(text)


def test_a_sign_twice_is_no_other_board_beside_an_empty_column() -> None:
    """Lines are cut behind their last clue; the columns of the longest are nine also with the sign twice."""
    lines = "  6 2 5|  3     4|   745 2|    91|  4 28|  1  7| 1      2| 5 8  7|  2    48".split("|")
    lines[1] += "4"
    with pytest.raises(InvalidPuzzleError, match="different lengths"):
        unidoku.Grid("\n".join(lines))


@pytest.mark.parametrize("form", ["r{row}c{column} = {sign}", "{letter}{column}: {sign}"])
def test_cells_in_a_sentence_before_a_list_of_cells_are_none_of_it(form: str) -> None:
    names = [
        form.format(row=k // 9 + 1, column=k % 9 + 1, letter="ABCDEFGHI"[k // 9], sign=sign)
        for k, sign in enumerate(SOLUTION)
    ]
    text = ", ".join(names)
    assert unidoku.Grid(text).line == SOLUTION
    before = form.format(row=9, column=9, letter="I", sign=1)
    assert unidoku.verify(A, f"So {before}.\n{text}").solved
    assert unidoku.verify(A, f"{text}. And {before}").solved  # a board is complete before it
    with pytest.raises(InvalidPuzzleError):
        unidoku.Grid(f"{before}, {', '.join(names[:40] + names[41:])}")


@pytest.mark.parametrize(
    ("name", "head", "line"),
    [
        ("a.csv", "id,puzzle\n", f'7,"{A[:80]}é"'),
        ("a.jsonl", "", json.dumps({"id": 7, "puzzle": f"{A[:80]}O"})),
        ("a.jsonl", "", json.dumps({"id": 7, "puzzle": "\n".join(rows_of(f"{A[:80]}O"))})),
        ("a.txt", f"{A}\n", f"{A[:80]}O"),
    ],
)
def test_a_fault_of_a_file_has_its_column(tmp_path: Path, name: str, head: str, line: str) -> None:
    (tmp_path / name).write_text(f"{head}{line}\n", encoding="utf-8")
    [error] = [str(item) for item in read_puzzles([tmp_path / name]) if isinstance(item, InvalidPuzzleError)]
    assert f"{name}:{1 + head.count(chr(10))}:{max(map(line.rfind, 'Oé')) + 1}: " in error
    assert ("in 'puzzle', found" in error) is (name == "a.csv")


def test_faults_have_a_place() -> None:
    rows = rows_of(A)
    for text, place in (
        ("\n".join([*rows[:3], rows[3][:8], f"1{rows[4]}", *rows[5:]]), (4, None, None)),
        ("\n".join(rows).replace("8", "B", 1), (3, 3, "B")),
        (f"{A[:80]}O", (9, 9, "O")),
        (json.dumps([rows[0].replace("7", "\u00b6"), *rows[1:]]), (1, 5, "\u00b6")),
        ("\n".join(rows).translate({48 + k: 0x6F0 + k for k in range(10)}), (1, 1, "\u06f5")),
        ("\n".join(rows).replace(".", "e"), (1, 3, "e")),
        ("\n".join(rows).replace(".", "#"), (1, 3, "#")),
        (
            "\n".join(
                f"{k} {' '.join(row)}"
                for k, row in zip("ABCDEFGHI", [*rows[:6], f"{rows[6]}1", *rows[7:]], strict=True)
            ),
            (7, None, None),
        ),
        ("\n\n".join([*rows[:6], f"{rows[6]}1", *rows[7:]]), (7, None, None)),
        ("\n".join(f"* {' '.join(row)}" for row in [*rows[:6], rows[6][:8], *rows[7:]]), (7, None, None)),
        ("\n".join(f"08:12 <ann> {row}" for row in [*rows[:6], rows[6][:8], *rows[7:]]), (7, None, None)),
        ("\n".join(f"| {' | '.join(row)} |" for row in rows).replace("8", "\u03a9", 1), (3, 3, "\u03a9")),
        ("\n".join(map(" ".join, rows)).replace(".", "#"), (1, 3, "#")),
        (str([[*map(int, row)] for row in rows_of(zeros(A))]).replace("8", "True", 1), (3, 3, "T")),
        ("\n".join(map(";".join, rows)).replace("8", "12", 1), (3, 3, "12")),
        ("\n".join(f"| {' | '.join(blanks(row))} |" for row in rows).replace("8", "53", 1), (3, 3, "53")),
        ("\n".join(f"| {' | '.join(blanks(row))} |" for row in rows).replace("8", "w", 1), (3, 3, "w")),
    ):
        with pytest.raises(InvalidPuzzleError) as caught:
            unidoku.Grid(text)
        assert (caught.value.row, caught.value.column, caught.value.found) == place


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 8181\n", "Git LFS"),
        ("\n".join(" ".join(str((k + j) % 16 + 1) for j in range(16)) for k in range(16)), "found 256"),
        (
            "\n".join(
                f"{' '.join(one)}     {' '.join(two)}"
                for one, two in zip(rows_of(A), rows_of(SEVERAL), strict=True)
            ),
            "two boards side by side",
        ),
    ],
)
def test_what_is_no_board_is_named(text: str, reason: str) -> None:
    with pytest.raises(InvalidPuzzleError, match=reason):
        unidoku.Grid(text)


def test_a_frame_without_clues_is_a_board() -> None:
    rule = "+---" * 9 + "+\n"
    assert unidoku.Grid(rule + ("|   " * 9 + "|\n" + rule) * 9).line == "." * 81


@pytest.mark.parametrize("column", range(9))
@pytest.mark.parametrize("form", ["{} {}", "{}: {}", "{} | {} |", "{}{}"])
def test_a_label_beside_a_drawing_is_no_column(form: str, column: int) -> None:
    board = "".join("." if place % 9 == column else sign for place, sign in enumerate(A))
    rows = [" ".join(row).replace(".", " ") for row in rows_of(board)]
    text = "\n".join(form.format(name, row) for name, row in zip("ABCDEFGHI", rows, strict=True))
    for drawing in (text, f"  1 2 3 4 5 6 7 8 9\n{text}", re.sub(" +$", "", text, flags=re.MULTILINE)):
        try:
            assert unidoku.Grid(drawing).line == board
        except InvalidPuzzleError:
            continue


def test_a_puzzle_and_its_state_are_one_position(tmp_path: Path) -> None:
    """SadMan: the clues, and the digits entered since."""

    def sections(state: str) -> str:
        parts = [("Puzzle", A), ("State", state)]
        return "\n".join(f"[{name}]\n" + "\n".join(rows_of(cells)) for name, cells in parts)

    state = f"{SOLUTION[:54]}{A[54:]}"
    text = sections(f"{state}\n[PencilMarks]\n")
    assert unidoku.hint(text) == unidoku.hint(A, filled=state) != unidoku.hint(A)
    assert unidoku.steps(text).steps[0].before == state
    assert (unidoku.Grid(text).line, unidoku.solve(text).line) == (A, SOLUTION)
    wrong = A[:2] + SOLUTION[3] + A[3:]
    with pytest.raises(unidoku.InvalidPuzzleError, match="hint and explain read them"):
        unidoku.Grid(sections(wrong))
    assert unidoku.hint(sections(wrong)) == unidoku.hint(A, filled=wrong)
    with pytest.raises(unidoku.InvalidPuzzleError, match="two different puzzles"):
        unidoku.Grid(sections(f"4{SOLUTION[1:54]}{A[54:]}"))  # another clue
    assert unidoku.hint(sections(A)) == unidoku.hint(A)
    for name, cells in (("in.sdk", state), ("in.txt", state), ("wrong.sdk", wrong)):
        (tmp_path / name).write_text(sections(cells))
        summary = unidoku.check_file(tmp_path / name)
        assert (summary.unique, summary.invalid) == ((1, 0) if cells == state else (0, 1))


def test_a_position_is_never_dropped() -> None:
    steps = unidoku.steps(A)
    text = steps[10].marks  # 729 characters
    assert unidoku.check(text) is unidoku.Verdict.UNIQUE
    assert unidoku.hint(text).placements == steps[10].placements
    full = "123456789" * 81
    for function in (unidoku.check, unidoku.solve, unidoku.count, unidoku.rate):
        with pytest.raises(InvalidPuzzleError, match="candidates that its clues do not give"):
            function(full)


@pytest.mark.parametrize("width", [80, 81])
def test_candidates_in_lines_of_a_row_are_one_position(width: int, tmp_path: Path) -> None:
    marks = unidoku.steps(A)[3].marks
    groups = [marks[k : k + 9] for k in range(0, 729, 9)]
    rows = [groups[k : k + 9] for k in range(0, 81, 9)]
    text = {
        80: json.dumps([[group.replace(".", "") for group in row] for row in rows]),
        81: "\n".join("".join(row) for row in rows),
    }[width]
    assert unidoku.hint(text) == unidoku.hint(marks)
    (tmp_path / "a.txt").write_text(text)
    assert unidoku.check_file(tmp_path / "a.txt").puzzles == 1


@pytest.mark.parametrize("bar", [" ", "|"])
def test_signs_among_groups_of_candidates(bar: str) -> None:
    """An empty sign is a cell with any digit; another one (SudoCue's u9, a digit entered) is named."""
    marks = unidoku.steps(A)[3].marks
    groups = [marks[k : k + 9].replace(".", "") for k in range(0, 729, 9)]
    place = max(range(81), key=lambda cell: len(groups[cell]))

    def drawn(group: str) -> str:
        cells = [*groups[:place], group, *groups[place + 1 :]]
        boxes = [" ".join(cells[k : k + 3]) for k in range(0, 81, 3)]
        return "\n".join(f" {bar} ".join(boxes[k : k + 3]) for k in range(0, 27, 3))

    for sign in ".0*_":
        assert unidoku.hint(drawn(sign)) == unidoku.hint(drawn("123456789"))
    cell = f"r{place // 9 + 1}c{place % 9 + 1}"
    for sign in "ue~":
        with pytest.raises(InvalidPuzzleError, match=f"found '{sign}' in {cell}"):
            unidoku.hint(drawn(f"{sign}9"))


def test_solutions_within_candidates_are_those_of_a_plain_search() -> None:
    pick = random.Random(5)
    for _ in range(20):
        masks = [1 << int(digit) - 1 | pick.getrandbits(9) & pick.getrandbits(9) for digit in SOLUTION]
        found = unidoku.kernel.solution_search(bytes(81), masks=masks).chunk(200)
        grids = {found[k : k + 81] for k in range(0, len(found), 81)}
        assert bytes(map(int, SOLUTION)) in grids
        assert all(masks[cell] >> grid[cell] - 1 & 1 for grid in grids for cell in range(81))
        assert all(unidoku.Grid(grid).is_solved() for grid in grids)


OTHER = unidoku.solve(unidoku.generate(seed=3)).line
OTHER_ROWS = [OTHER[k : k + 9] for k in range(0, 81, 9)]
DAMAGED = {
    "eight rows": "\n".join(OTHER_ROWS[:8]),
    "rows with blanks": "\n".join(" ".join(row) for row in OTHER_ROWS[1:]),
    "a letter": "\n".join(["S" + OTHER_ROWS[0][1:], *OTHER_ROWS[1:]]),
    "eight cells": "\n".join([*OTHER_ROWS[:8], OTHER_ROWS[8][:8]]),
    "80 cells": OTHER[:80],
    "82 cells": OTHER + "1",
    "tag": f"<answer>{OTHER[:80]}</answer>",
}


@pytest.mark.parametrize("name", [*DAMAGED])
def test_an_answer_whose_last_grid_is_damaged_is_none(name: str) -> None:
    for grid in (SOLUTION, "\n".join(SOLUTION[k : k + 9] for k in range(0, 81, 9))):
        assert unidoku.verify(A, f"{DAMAGED[name]}\n\nNo, I was wrong:\n{grid}").solved
        verdict = unidoku.verify(A, f"{grid}\n\nNo, I was wrong:\n{DAMAGED[name]}\n")
        assert not verdict.solved
        assert "the last grid of the answer is damaged" in str(verdict.reason)


def test_parts_of_the_last_grid_below_it_are_no_other_grid() -> None:
    rows, columns = ([SOLUTION[k : k + 9] for k in range(0, 81, 9)], [SOLUTION[k::9] for k in range(9)])
    puzzle = [A[k : k + 9] for k in range(0, 81, 9)]
    parts = [rows[:8], columns[:8], [f"Column {k}: {' '.join(own)}" for k, own in enumerate(columns, 1)]]
    parts += [puzzle[:8], ["S" + puzzle[0][1:], *puzzle[1:]], [SOLUTION[:80]], [A[:80]]]
    parts += [[f"Row {k}: {{1,2,3,4,5,6,7,8,9}}" for k in range(1, 10)]]
    for part in parts:
        text = "\n".join([*rows, "", "Check:", *part])
        assert unidoku.verify(A, text).solved, text
