"""Boards as people paste them: as a text, and as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from example_puzzles import UNIQUE as A

import unidoku

ROWS = [A[i : i + 9] for i in range(0, 81, 9)]


def framed(row: str, empty: str, bar: str = "|") -> str:
    bands = (" ".join(row[i : i + 3].replace(".", empty)) for i in (0, 3, 6))
    return f"{bar} " + f" {bar} ".join(bands) + f" {bar}"


def in_frame(empty: str, bar: str, top: str, middle: str) -> str:
    lines = [framed(row, empty, bar) for row in ROWS]
    return "\n".join([top, *lines[:3], middle, *lines[3:6], middle, *lines[6:], top]) + "\n"


def sheet(separator: str, empty: str = "", quote: str = "") -> str:
    fields = (separator.join(f"{quote}{c.replace('.', empty)}{quote}" for c in row) for row in ROWS)
    return "\n".join(fields) + "\n"


def every_cell_framed() -> str:
    lines = ["╔═══╤═══╤═══╦═══╤═══╤═══╦═══╤═══╤═══╗"]
    for number, row in enumerate(ROWS, 1):
        cells = [f" {cell.replace('.', ' ')} " for cell in row]
        lines.append("║" + "║".join("│".join(cells[i : i + 3]) for i in (0, 3, 6)) + "║")
        lines.append(
            "╠═══╪═══╪═══╬═══╪═══╪═══╬═══╪═══╪═══╣"
            if number % 3 == 0
            else "╟───┼───┼───╫───┼───┼───╫───┼───┼───╢"
        )
    return "\n".join(lines)


BOARDS: dict[str, Callable[[], str]] = {
    "blanks": lambda: "\n".join(row.replace(".", " ") for row in ROWS),
    "blanks at the end cut off": lambda: "\n".join(row.replace(".", " ").rstrip() for row in ROWS),
    "blanks between blanks": lambda: "\n".join(" ".join(row.replace(".", " ")) for row in ROWS),
    "no-break spaces": lambda: "\n".join(row.replace(".", "\u00a0") for row in ROWS),
    "dots as drawn here": lambda: "\n".join(row.replace(".", "·") for row in ROWS),
    "dots in a line": lambda: A.replace(".", "·"),
    "semicolons": lambda: sheet(";"),
    "tabs": lambda: sheet("\t"),
    "commas": lambda: sheet(","),
    "quoted fields": lambda: sheet(";", quote='"'),
    "zeros": lambda: sheet(";", "0"),
    "frame with dots": lambda: in_frame("·", "|", "+-------+-------+-------+", "+-------+-------+-------+"),
    "frame with blanks": lambda: in_frame(" ", "|", "+-------+-------+-------+", "|-------+-------+-------|"),
    "box drawing": lambda: in_frame(" ", "│", "┌───────┬───────┬───────┐", "├───────┼───────┼───────┤"),
    "every cell framed": every_cell_framed,
    "Markdown": lambda: (
        "\n".join([f"| {' | '.join(ROWS[0].replace('.', ' '))} |", "|---" * 9 + "|"])
        + "".join(f"\n| {' | '.join(row.replace('.', ' '))} |" for row in ROWS[1:])
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_pasted_board_is_the_puzzle(name: str, tmp_path: Path) -> None:
    text = BOARDS[name]()
    assert str(unidoku.Grid(text)) == str(unidoku.Grid(A))
    for suffix in (
        (".txt", ".csv") if name in ("semicolons", "commas", "quoted fields", "zeros") else (".txt",)
    ):
        path = tmp_path / f"in{suffix}"
        path.write_text(text, encoding="utf-8")
        (batch,) = unidoku.read(path)
        assert batch.cells.tolist() == [list(map(int, A.replace(".", "0")))]
        assert not batch.reasons


def test_a_first_row_without_clues(tmp_path: Path) -> None:
    lines = ["", *(row.replace(".", " ").rstrip() for row in ROWS[1:])]
    (tmp_path / "in.txt").write_text("\n".join(lines))
    (batch,) = unidoku.read(tmp_path / "in.txt")
    assert str(unidoku.Grid("\n".join(lines))) == str(unidoku.Grid(batch.cells[0]))
    assert batch.cells[0].tolist() == list(map(int, ("." * 9 + A[9:]).replace(".", "0")))


def test_several_boards_with_blanks(tmp_path: Path) -> None:
    board = BOARDS["blanks at the end cut off"]()
    (tmp_path / "in.txt").write_text(f"\n{board}\n\n\n{board.replace('53', 'xx')}\n\n{board}\n12\n")
    (batch,) = unidoku.read(tmp_path / "in.txt")
    assert (batch.lines.tolist(), sorted(batch.reasons)) == ([2, 23], [13, 32])


def test_a_european_csv_file(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"name;er;sudoku\na,b;1,5;{A}\nc;2,0;{A}\n")
    (batch,) = unidoku.read(tmp_path / "in.csv")
    assert batch.columns == {"name": ["a,b", "c"], "er": ["1,5", "2,0"]}


def test_lines_that_are_no_boards_stay_lines(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("5\n53\n\n" * 4)
    assert unidoku.check_file(tmp_path / "in.txt").invalid == 8
