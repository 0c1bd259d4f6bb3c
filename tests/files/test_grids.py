"""Messages of the readers of small formats about malformed texts."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from command import run
from example_puzzles import SOLUTION as SOLVED, UNIQUE as A
from readback import read_all

import unidoku
from unidoku.errors import FormatError
from unidoku.files import grids
from unidoku.files.chunks import Reading
from unidoku.files.recognition import open_reader
from unidoku.files.source import open_source
from unidoku.parse.boards import read
from unidoku.view.svg import text

ROWS = [A[i : i + 9] for i in range(0, 81, 9)]
BAR = "---------"


def rows_of(puzzle: str) -> list[str]:
    return [puzzle[i : i + 9] for i in range(0, 81, 9)]


def grid(rows: list[str]) -> bytes:
    return "\n".join(rows).encode() + b"\n"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ([*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:], "", *ROWS], [1, 13]),
        ([*ROWS[:3], BAR, *ROWS[3:6], BAR, *ROWS[6:]], [1]),
        ([line for row in (*ROWS, *ROWS) for line in (row, "")], [1, 19]),
        ([BAR, "", *ROWS], [3]),
        (["/".join(ROWS)], [1]),
    ],
)
def test_grids_with_lines_between(rows, lines) -> None:
    records = read_all(grid(rows), "grid")
    assert (records.puzzles, records.rejects) == ([(line, A) for line in lines], [])


STATE = A[:2] + "4" + A[3:]
MORE = STATE[:3] + "6" + STATE[4:]
CANDIDATES = text(A, candidates=True)


@pytest.mark.parametrize(
    ("name", "grids", "puzzles"),
    [
        ("ss", [A, STATE], [A]),
        ("ss", [A, STATE, MORE], [A, MORE]),
        ("ss", [A, A], [A, A]),
        ("grid", [A, STATE], [A, STATE]),
        ("ss", [A, "a puzzle", STATE], [A, STATE]),
        ("grid", [A, CANDIDATES, CANDIDATES], [A, A]),
        ("ss", [A, STATE, text(STATE, candidates=True)], [A]),
    ],
)
def test_a_state_of_the_puzzle_before_is_left_out(name, grids, puzzles) -> None:
    content = "\n\n".join(text(puzzle) if len(puzzle) == 81 else puzzle for puzzle in grids).encode()
    assert [cells for _, cells in read_all(content, name).puzzles] == puzzles


@pytest.mark.parametrize("bar", ["|", " | "])
def test_blanks_between_bars_are_empty_cells(bar: str) -> None:
    thirds = [[" ".join(row[i : i + 3]) for i in (0, 3, 6)] for row in ROWS]
    rows = [f"{bar}{bar.join(third)}{bar}".replace(".", " ") for third in thirds]
    assert read_all(grid(rows), "grid").puzzles == [(1, A)]


def test_naked_single_is_not_a_clue() -> None:
    """A lone candidate that a peer still has is not set (HoDoKu's rule)."""
    groups = [["1234"] * 9 for _ in range(9)]
    groups[0][0] = "1"
    board = grid([" ".join(row) for row in groups])
    assert read(board.decode()).boards[0].cells == "." * 81
    assert "candidates" in read_all(board, "grid").rejects[0][2]
    for row in range(9):
        for column in range(9):
            if (row or column) and (not row or not column or (row < 3 and column < 3)):
                groups[row][column] = "23456789"
    for empty in ("23456789", "123456789"):
        groups[0][1] = empty
        board = grid([" ".join(row) for row in groups])
        assert read(board.decode()).boards[0].cells == "1" + "." * 80


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("<html></html>", "root element opensudoku"),
        ("<opensudoku><game", "expected XML"),
        ("", "expected XML"),
        (
            '<?xml version="1.0" encoding="shift_jis"?><opensudoku/>',
            "expected XML, found: multi-byte encodings",
        ),
        ('<?xml version="1.0" encoding="none"?><opensudoku/>', "expected XML"),
        (f"<opensudoku>{'<a>' * 100}{'</a>' * 100}</opensudoku>", "at most 100 elements within one another"),
    ],
)
def test_xml_that_is_refused(document: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read_all(document.encode(), "opensudoku")
    assert caught.value.line is not None


def test_grids_that_follow_each_other() -> None:
    assert [cells for _, cells in read_all(grid([A, A, *ROWS, *ROWS])).puzzles] == [A] * 4


@pytest.mark.parametrize("name", ["lines", "grid", "sdk", "ss", "jsonl", "csv"])
@pytest.mark.parametrize("encoding", ["UTF-16-le", "UTF-16-be", "UTF-32"])
def test_characters_of_several_bytes_are_refused(name: str, encoding: str) -> None:
    with pytest.raises(FormatError, match=r"^<stream>: expected UTF-8 .* found UTF-16, UTF-32 or"):
        read_all("\n".join(ROWS).encode(encoding), name)


def test_utf_16_is_read_in_xml() -> None:
    document = '<?xml version="1.0" encoding="UTF-16"?><opensudoku><game data="{}"/></opensudoku>'
    records = read_all(document.format(A.replace(".", "0")).encode("utf-16"), "opensudoku")
    assert [cells for _, cells in records.puzzles] == [A]


def test_bare_lines_among_lines_with_answers() -> None:
    text = "\n".join([f"{A}:1"] * 120 + [A])
    records = read_all(text.encode())
    assert (len(records.puzzles), records.rejects) == (121, [])


@pytest.mark.parametrize("damage", ["<broken", "</broken>"])
def test_games_before_the_damage_are_read(damage: str) -> None:
    """The document is parsed in large pieces; an error in one leaves the games before it."""
    content = f'<opensudoku><game data="{A}"/><game data="{A}"/>{damage}'.encode()
    with open_source(io.BytesIO(content)) as source:
        chunks = open_reader(source, Reading()).chunks(lambda: 1 << 16)
        assert list(next(next(chunks)()).lines) == [1, 1]
        with pytest.raises(FormatError, match="expected XML"):
            next(chunks)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("suffix", "separator"), [("csv", ","), ("tsv", "\t"), ("txt", "\t")])
def test_a_sheet_of_nine_by_nine_fields_with_empty_ones_is_a_grid(tmp_path, suffix, separator, end) -> None:
    """The second puzzle begins with a row without a clue."""
    for puzzle in (A, "." * 9 + A[9:]):
        rows = [separator.join(puzzle[i : i + 9].replace(".", " ")).replace(" ", "") for i in range(0, 81, 9)]
        path = tmp_path / f"sheet.{suffix}"
        path.write_bytes(end.join([*rows, ""]).encode())
        records = read_all(path)
        assert ([cells for _, cells in records.puzzles], records.rejects) == ([puzzle], [])


def test_a_game_of_opensudoku_in_progress_is_a_position(tmp_path):
    """Entered digits and notes count for a hint, the clues for a check; notes are a list, or bits."""
    for version, notes in ((1, "3,5,"), (2, "20")):
        cells = [
            f"{clue}|0|0|" if clue != "." else f"{digit}|0|1|" if place < 54 else "0|0|1|"
            for place, (clue, digit) in enumerate(zip(A, SOLVED, strict=True))
        ]
        cells[58] = f"0|{notes}|1|"  # the 5 stands in its column
        path = tmp_path / "game.opensudoku"
        data = f"version: {version}&#10;{''.join(cells)}"
        path.write_text(f'<opensudoku version="2"><game data="{data}"/></opensudoku>')
        assert run("hint", path, code=0).stdout.startswith("Full house: in column 8 only r8c8 is empty")
        assert run("check", path, code=0).stdout.strip() == "unique"
        assert run("solve", path, code=0).stdout.strip() == SOLVED
    wrong = data.replace("4|0|1|", "1|0|1|", 1)
    path.write_text(f'<opensudoku version="2"><game data="{wrong}"/></opensudoku>')
    assert run("hint", path, code=None).stdout.startswith("These digits are wrong: r1c3=1.")


DAMAGED_ROWS: dict[str, Callable[[str], str]] = {
    "a cell less": lambda row: row[:8],
    "a cell more": lambda row: row + "1",
    "a letter": lambda row: "a" + row[1:],
}


@pytest.mark.parametrize(("damage", "gap"), [*product(DAMAGED_ROWS, [1, 2, 3])])
def test_one_damaged_board_among_others_in_bands_is_one_reject(damage: str, gap: int, tmp_path: Path) -> None:
    """Blank lines stand between the bands of three rows, too."""
    for place, row in product(range(4), (1, 4, 7)):
        boards = [[*ROWS] for _ in range(4)]
        boards[place][row] = DAMAGED_ROWS[damage](ROWS[row])
        bands = ["\n\n".join("\n".join(board[begin : begin + 3]) for begin in (0, 3, 6)) for board in boards]
        (tmp_path / "a.txt").write_text(("\n" * (gap + 1)).join(bands) + "\n")
        [batch] = unidoku.read(tmp_path / "a.txt")
        assert (batch.cells.tolist(), len(batch.reasons)) == ([[*unidoku.Grid(A).cells]] * 3, 1)


@pytest.mark.parametrize("joint", ["", " "])
@pytest.mark.parametrize("gap", ["", "\n"])
def test_boards_with_nothing_between_them_are_read_as_a_whole(joint: str, gap: str) -> None:
    """They are read whole; where a row is missing, those behind it would be of other boards."""
    boards = [A, A[::-1]] * (500 if gap else 800)
    rows = [joint.join(board[row : row + 9]) for board in boards for row in range(0, 81, 9)]
    lines = [row + gap * (number % 3 == 2) for number, row in enumerate(rows)]
    puzzles = read_all(grid(lines)).puzzles
    assert [cells for _, cells in puzzles] == boards
    assert puzzles[-1][0] == (len(boards) - 1) * (12 if gap else 9) + 1
    for number in (20, len(lines) - 30):
        records = read_all(grid(lines[:number] + lines[number + 1 :]))
        assert records.puzzles == []
        assert records.rejects


def test_rows_that_do_not_end_are_one_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows behind a blank line is read."""
    monkeypatch.setattr(grids, "_LONGEST", 1 << 18)
    records = read_all(grid(ROWS) * 6000 + b"\n" + grid(ROWS) + b"\n" + grid(ROWS))
    assert [cells for _, cells in records.puzzles] == [A, A]
    [(line, _, reason)] = records.rejects
    assert (line, reason.partition(":")[0]) == (1, "more than 4 MB of rows with nothing between boards")


@pytest.mark.parametrize("damage", DAMAGED_ROWS)
def test_a_damaged_board_where_a_text_is_cut_is_one_reject(damage: str) -> None:
    """Each piece of a text begins with a whole board, whatever was wrong before."""
    wrong = [*ROWS[:3], DAMAGED_ROWS[damage](ROWS[3]), *ROWS[4:]]
    boards = [grid(ROWS)] * 3000
    for place in range(1270, 1280):
        boards[place] = grid(wrong)
    records = read_all(b"\n".join(boards))
    assert ({cells for _, cells in records.puzzles}, len(records.puzzles)) == ({A}, 2990)
    assert len(records.rejects) == 10


def test_boards_of_a_line_each_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "_LONGEST", 1 << 18)
    line = f"{[*map(int, A.replace('.', '0'))]},\n".encode()
    assert [cells for _, cells in read_all(line * 1500, "grid").puzzles] == [A] * 1500


def test_tables_of_html_are_read_in_pieces() -> None:
    """The end of a table parts boards, and a piece begins behind the last line of one."""
    cells = [f"<td>{sign.strip('.')}</td>" for sign in A]
    for joint in ("", "\n"):
        rows = [f"<tr>{joint}{joint.join(cells[row : row + 9])}{joint}</tr>" for row in range(0, 81, 9)]
        table = "\n".join(["<table>", *rows, "</table>"])
        records = read_all(f"{table}\n".encode() * 300)
        assert ([cells for _, cells in records.puzzles], records.rejects) == ([A] * 300, [])


def table(rows: list[str]) -> str:
    cells = ("".join(f"<td>{cell.strip('.')}</td>" for cell in row) for row in rows)
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


SWAPPED = A.translate(str.maketrans("123456789", "234567891"))


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n<p>and</p>\n", ""])
@pytest.mark.parametrize("damage", ["none", "sign", "cell lost", "cell more", "row lost", "row twice"])
def test_a_table_a_line_is_a_record_of_its_line(gap: str, damage: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    tables = [rows_of(A), rows_of(A), rows_of(SWAPPED), rows_of(SWAPPED), rows_of(A)]
    for rows in tables[1::2]:
        if damage == "sign":
            rows[0] = "S" + rows[0][1:]
        elif damage.startswith("cell"):
            rows[3] = rows[3][1:] if damage == "cell lost" else rows[3] + "."
        elif damage.startswith("row"):
            rows[5:6] = [] if damage == "row lost" else [rows[5]] * 2
    path.write_text(gap.join(map(table, tables)) + "\n", encoding="utf-8")
    lines = [1 + number * gap.count("\n") for number in range(5)]
    records = read_all(path)
    whole = range(5) if damage == "none" else range(0, 5, 2)
    assert records.puzzles == [(lines[number], "".join(tables[number])) for number in whole]
    rejected = [line for line, _, _ in records.rejects]
    if gap:  # on one line all have its number, and a page may name one
        assert rejected == [lines[number] for number in range(5) if number not in whole]
    assert bool(rejected) == (damage != "none")


def code(puzzle: str) -> str:
    rows = [f"    [{', '.join(row)}]," for row in rows_of(puzzle.replace(".", "0"))]
    return "\n".join(["board = [", *rows, "]"])


def markdown(puzzle: str) -> str:
    lines = [f"| {' | '.join(row)} |" for row in ("abcdefghi", *rows_of(puzzle))]
    return "\n".join([lines[0], "|---" * 9 + "|", *lines[1:]])


RULE = "+---" * 9 + "+"
DRAWINGS: dict[str, Callable[[str], str]] = {
    "rows": lambda puzzle: "\n".join(rows_of(puzzle)),
    "fence": lambda puzzle: "\n".join(["```", *rows_of(puzzle), "```"]),
    "frame": text,
    "code": code,
    "markdown": markdown,
    "table": lambda puzzle: f"{RULE}\n{markdown(puzzle).replace('|---' * 9 + '|', RULE)}\n{RULE}",
    "line": str,
}
OTHER = A.translate(str.maketrans("123456789", "912345678"))
OTHER_SOLVED = SOLVED.translate(str.maketrans("123456789", "912345678"))


@pytest.mark.parametrize(
    "heading", ["Solution:", "## Answer", "The solution is:", "Solution 1", "解答", "Solved\n"]
)
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_a_grid_below_the_name_of_a_solution_is_no_puzzle(drawing: str, heading: str, tmp_path: Path) -> None:
    """Lines of its frame stand between; below a damaged puzzle, or none, it is an invalid record."""
    draw = DRAWINGS[drawing]
    pairs = [(draw(A), draw(SOLVED)), (draw(OTHER), draw(OTHER_SOLVED))]
    lost = pairs[0][0].rindex(A.rstrip(".")[-1])
    damaged = f"{pairs[0][0][:lost]}{pairs[0][0][lost + 1 :]}"
    for first, puzzles in ((pairs[0][0], [A, OTHER]), (damaged, [OTHER]), ("", [OTHER])):
        parts = [
            f"Puzzle 1:\n{first}\n\n{heading}\n{pairs[0][1]}",
            f"Puzzle 2:\n{pairs[1][0]}\n\n{heading}\n{pairs[1][1]}",
        ]
        (tmp_path / "a.txt").write_text("\n\n".join(parts) + "\n")
        records = read_all(tmp_path / "a.txt")
        assert [cells for _, cells in records.puzzles] == puzzles
        assert bool(records.rejects) == (len(puzzles) < 2)


@pytest.mark.parametrize("drawing", [name for name in DRAWINGS if name != "line"])
@pytest.mark.parametrize("name", ["", "Output\n", "No {}\n\n", "Puzzle {}\n"])
def test_solutions_below_the_puzzles_of_a_file_are_none(drawing: str, name: str) -> None:
    draw = DRAWINGS[drawing]
    puzzles = [draw(A), draw(OTHER)]
    solutions = [name.format(number) + draw(grid) for number, grid in enumerate([SOLVED, OTHER_SOLVED], 1)]
    for boards in ([*puzzles, *solutions], [puzzles[0], solutions[0], puzzles[1], solutions[1]]):
        assert [cells for _, cells in read_all("\n\n".join(boards).encode()).puzzles] == [A, OTHER]
    assert len(read_all("\n\n".join(solutions).encode()).puzzles) == 2


def test_solutions_where_a_text_is_cut_are_none() -> None:
    pair = f"{text(A)}\n\nSolution\n{text(SOLVED)}\n\n".encode()
    assert [cells for _, cells in read_all(pair * 900).puzzles] == [A] * 900


FILLED = "".join(
    max(pair) if place % 3 == 0 else pair[0] for place, pair in enumerate(zip(A, SOLVED, strict=True))
)
MARKS = "\n".join([",".join(["123"] * 9)] * 9)


@pytest.mark.parametrize(
    ("sections", "puzzles", "rejects"),
    [
        ([("Puzzle", A), ("State", FILLED)], [A], 0),
        ([("Puzzle", A), ("State", FILLED), ("Solution", SOLVED)], [A], 0),
        ([("State", FILLED), ("Puzzle", A)], [A], 0),
        ([("Puzzle", A), ("State", FILLED), ("Puzzle", OTHER)], [A, OTHER], 0),
        ([("Puzzle", A[:72]), ("State", FILLED)], [], 1),
        ([("Puzzle", ""), ("State", FILLED)], [], 1),
        ([("Puzzle", ""), ("Solution", SOLVED)], [], 1),
        ([("Puzzle", A[:72]), ("State", FILLED), ("Puzzle", OTHER)], [OTHER], 1),
        ([("Puzzle", A), ("PencilMarks", MARKS)], [A], 0),
    ],
)
def test_the_other_sections_of_a_puzzle_are_no_puzzles(
    sections: list[tuple[str, str]], puzzles: list[str], rejects: int, tmp_path: Path
) -> None:
    """Neither where the puzzle is damaged or empty, nor in another order; `Grid` refuses what is damaged."""
    bodies = [
        cells if "," in cells else "\n".join(cells[k : k + 9] for k in range(0, len(cells), 9))
        for _, cells in sections
    ]
    content = "".join(f"[{name}]\n{body}\n" for (name, _), body in zip(sections, bodies, strict=True))
    for name in ("a.sdk", "a.txt", "a.ss"):
        (tmp_path / name).write_text(content)
        records = read_all(tmp_path / name)
        assert [cells for _, cells in records.puzzles] == puzzles
        assert len(records.rejects) == rejects
    if len(puzzles) == 1 and not rejects:
        assert unidoku.Grid(content).line == puzzles[0]
    else:
        with pytest.raises(unidoku.InvalidPuzzleError):
            unidoku.Grid(content)


def test_states_below_their_puzzle_in_ss_are_none(tmp_path: Path) -> None:
    """Several, the last of which may be the solution; nor is that of a puzzle that is damaged."""
    draw = DRAWINGS["frame"]
    lost = draw(A).splitlines()[5:]
    for parts, puzzles, rejects in (
        ([draw(A), draw(FILLED), draw(SOLVED), draw(OTHER)], [A, OTHER], 0),
        (["\n".join(lost), draw(FILLED), draw(OTHER)], [OTHER], 2),
        (["\n".join(lost), draw(OTHER)], [OTHER], 1),
    ):
        (tmp_path / "a.ss").write_text("\n\n".join(parts) + "\n")
        records = read_all(tmp_path / "a.ss")
        assert [cells for _, cells in records.puzzles] == puzzles
        assert len(records.rejects) == rejects


WORDS = [
    "INFO:root:{}",
    "[12:34] bob: {}",
    "    .byte {}",
    "DATA {}",
    "    listOf({}),",
    'printf("{}\\n");',
    "board.append([{}])",
    "    {{{}}}, // row",
]


@pytest.mark.parametrize("damage", ["cell lost", "sign", "row lost", "line cut", "column lost"])
@pytest.mark.parametrize("joint", ["", ", "])
@pytest.mark.parametrize("form", WORDS)
def test_a_damaged_board_with_words_beside_its_cells_is_a_reject(form: str, joint: str, damage: str) -> None:
    """Grid alone refuses it; among others it vanished."""
    boards = [[*rows_of(A)] for _ in range(3)]
    rows = boards[1]
    if damage == "column lost":
        rows[:] = [row[1:] for row in rows]
    elif damage == "row lost":
        del rows[4]
    else:
        rows[4] = {"cell lost": rows[4][1:], "sign": f"{rows[4][:4]}q{rows[4][5:]}"}.get(damage, rows[4][:3])
    lines = ["\n".join(form.format(joint.join(row)) for row in board) for board in boards]
    records = read_all("\n\n".join(lines).encode())
    assert [cells for _, cells in records.puzzles] == [A, A]
    begin = lines[0].count("\n") + 3
    assert records.rejects
    assert all(begin <= line < begin + len(boards[1]) * 2 for line, _, _ in records.rejects)


def test_lines_of_words_and_numbers_are_no_board() -> None:
    log = "\n".join(f"2024-05-{day:02} 10:0{day}:00 INFO took 1, 2, 3, 4, 5 steps" for day in range(1, 9))
    rows = "\n".join(f"INFO:root:{row}" for row in rows_of(A))
    records = read_all(f"{rows}\n\n{log}\n\n{rows}".encode())
    assert (len(records.puzzles), records.rejects) == (2, [])
