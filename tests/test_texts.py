"""Texts as people and programs write them: one table, each row a text and what is read of it.

A row is never another board: it is read as it says, or refused. `texts/table.txt` has the rows; one
begins with ``===``, the kind (a puzzle, an answer, or a file by its suffix) and what is read: cells, with
``A`` and ``S`` for a well-known puzzle and its solution, or ``refused``; of a file its records by lines.
Signs that nobody sees are written as escapes of Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku import InvalidPuzzleError, UnidokuError
from unidoku.craft.verification import read_answer
from unidoku.files import grids
from unidoku.parse.board import Board
from unidoku.parse.puzzle import cells_of

NAMES = {UNIQUE: "A", SOLUTION: "S"}
TABLE = Path(__file__).parent / "texts" / "table.txt"


class Row(NamedTuple):
    """A row of the table."""

    line: int
    kind: str
    meaning: str
    text: str

    @property
    def cells(self) -> str:
        """The cells that are read; nothing if the text is refused."""
        names = {name: cells for cells, name in NAMES.items()}
        return "" if self.meaning == "refused" else names.get(self.meaning, self.meaning)


def rows_of(table: str) -> list[Row]:
    """The rows of a table."""
    rows = []
    for match in re.finditer(r"(?ms)^=== (\S+) (.*?)\n(.*?)\n(?=^===|\Z)", table):
        text = match[3].encode("latin-1", "backslashreplace").decode("unicode_escape")
        rows.append(Row(table.count("\n", 0, match.start()) + 1, match[1], match[2], text))
    return rows


ROWS = rows_of(TABLE.read_text(encoding="utf-8"))


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    """The rows of some kinds, each by the line where it begins."""
    rows = [row for row in ROWS if row.kind in kinds]
    return pytest.mark.parametrize("row", rows, ids=[f"line {row.line}" for row in rows])


def read(text: str) -> str:
    """The cells of a text; nothing if it is refused."""
    try:
        board = cells_of(text)
    except InvalidPuzzleError:
        return ""
    return board.cells if isinstance(board, Board) else unidoku.Grid(board).line


@of_kind("puzzle")
def test_a_text_is_read_as_its_row_says(row: Row) -> None:
    assert read(row.text) == row.cells


ROW_WORDS = (
    "Row Line R Zeile Reihe Ligne Rangée Fila Riga Linha Rij Rad Række Wiersz Řádek Satır Строка Ряд".split()
)


@pytest.mark.parametrize("label", [*ROW_WORDS, "**Row", "- Row", "(", ""])
def test_rows_are_labelled_in_many_languages(label: str) -> None:
    rows = [UNIQUE[k : k + 9] for k in range(0, 81, 9)]
    lines = [f"{label} {k}: {row}" for k, row in enumerate(rows, 1)]
    for ends in (":", ")" if label == "(" else " is"):
        assert read("\n".join(lines).replace(":", ends).replace("( ", "(")) == UNIQUE
    assert read("\n".join(lines).replace(" 9:", " 8:")) == ""


@pytest.mark.parametrize("label", ["Column", "Spalte", "Colonne", "Box", "Block", "列", "宫"])
def test_other_labels_may_be_columns_or_boxes(label: str) -> None:
    assert read("\n".join(f"{label} {k}: {UNIQUE[9 * k - 9 : 9 * k]}" for k in range(1, 10))) == ""


@of_kind("answer")
def test_an_answer_is_read_as_its_row_says(row: Row) -> None:
    cells, reason = read_answer(row.text)
    assert bool(reason) == (not row.cells)
    assert unidoku.Grid(cells).line == (row.cells or "." * 81)


@of_kind("txt", "csv", "tsv", "jsonl", "json", "md", "py", "sdk", "ss", "sdm", "html")
def test_a_file_is_read_as_its_row_says(row: Row, tmp_path: Path) -> None:
    path = tmp_path / f"in.{row.kind}"
    path.write_bytes(row.text.encode())
    assert records(path) == row.meaning


@pytest.mark.parametrize("size", [50, 333])
@of_kind("txt", "md", "py", "sdk", "ss", "html")
def test_a_file_is_read_alike_in_pieces_of_any_size(
    row: Row, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grids, "_PIECE", size)
    path = tmp_path / f"in.{row.kind}"
    path.write_bytes(6 * (row.text.encode() + b"\n"))
    found = records(path)
    monkeypatch.undo()
    assert found == records(path)


def records(path: Path) -> str:
    """The records of a file by their lines, ``-`` for one that is no puzzle; ``refused`` if it is no file."""
    found: dict[int, str] = {}
    try:
        for batch in unidoku.read(path):
            lines = unidoku.lines(batch.cells)
            found |= {
                int(line): NAMES.get(cells, cells) for line, cells in zip(batch.lines, lines, strict=True)
            }
            found |= dict.fromkeys(batch.reasons, "-")
    except UnidokuError:
        return "refused"
    return " ".join(f"{line}:{found[line]}" for line in sorted(found)) or "nothing"


def with_line(lines: list[str], at: int, line: str) -> list[str]:
    return [*lines[:at], line, *lines[at + 1 :]]


DAMAGE: dict[str, Callable[[list[str], int], list[str]]] = {
    "a row lost": lambda lines, at: lines[:at] + lines[at + 1 :],
    "a row twice": lambda lines, at: lines[: at + 1] + lines[at:],
    "a digit lost": lambda lines, at: with_line(lines, at, re.sub(r"\d", "", lines[at], count=1)),
    "a letter": lambda lines, at: with_line(lines, at, re.sub(r"\d", "O", lines[at], count=1)),
    "a line cut": lambda lines, at: with_line(lines, at, lines[at][: len(lines[at]) // 2]),
}
"""What a person sees is wrong; the text is another board only if nobody can see it."""


def shows_all_cells(row: Row) -> bool:
    """Whether a sign stands in each empty cell, so that a person sees a digit that is lost."""
    return any(row.text.count(sign) >= row.cells.count(".") for sign in ".0_*-xX?")


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_never_another_board(kind: str) -> None:
    """Of all rows that are read as boards of nine lines or more and show all cells: in any line."""
    wrong = []
    for row in ROWS:
        lines = row.text.split("\n")
        if row.kind == "puzzle" and row.cells and len(lines) > 8 and shows_all_cells(row):
            found = {at: read("\n".join(DAMAGE[kind](lines, at))) for at in range(len(lines))}
            wrong += [(row.line, at, cells) for at, cells in found.items() if cells not in {"", row.cells}]
    assert wrong == []
