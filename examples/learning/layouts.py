"""Puzzles as text for a prompt, in three common layouts, and the grid in the text of an answer."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

import unidoku

Layout: TypeAlias = Literal["line", "rows", "boxes"]

LAYOUTS: tuple[Layout, ...] = ("line", "rows", "boxes")

RULES = "Fill the empty cells (.) so that every row, every column and every 3x3 box has the digits 1 to 9."


def drawn(puzzle: unidoku.Grid, layout: Layout = "rows") -> str:
    """Return the 81 cells in one line, in nine rows with spaces, or with lines between the boxes."""
    if layout == "line":
        return puzzle.line
    if layout == "boxes":
        return str(puzzle)
    line = puzzle.line
    return "\n".join(" ".join(line[start : start + 9]) for start in range(0, 81, 9))


def prompt(puzzle: unidoku.Grid, layout: Layout = "rows") -> str:
    """Return the rules, the puzzle, and how to answer."""
    answer = "Give the full grid in the same layout between <answer> and </answer>."
    return f"{RULES}\n\n{drawn(puzzle, layout)}\n\n{answer}"


def grid_of(answer: str) -> str | None:
    """Return the 81 cells of the last grid in an answer in any of the layouts; None without one.

    A text between <answer> and </answer> is preferred.  An empty cell is a dot.  To score an answer this
    is not needed: `unidoku.verify` takes the whole text.
    """
    marked = re.findall(r"<answer>(.*?)</answer>", answer, re.DOTALL)
    text = marked[-1] if marked else answer
    rows: list[str] = []
    found = None
    for line in text.splitlines():
        cells = re.sub(r"[\s|]", "", line)
        if re.fullmatch(r"[1-9.]{81}", cells):
            found, rows = cells, []
        elif re.fullmatch(r"[1-9.]{9}", cells):
            rows.append(cells)
            if len(rows) == 9:
                found, rows = "".join(rows), []
        elif not re.fullmatch(r"[-+=|\s]+", line):  # but a line between boxes, or an empty one
            rows = rows if not line.strip() else []
    return found
