"""Texts with a board by shapes: what stands before, between and behind cells; and damages of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from text_table import ROWS, Row


class Shape(NamedTuple):
    """How the nine lines of a board are written."""

    label: str  # {k} counts from 1, {letter} from A
    gap: str
    box_gap: str
    end: str
    empty: str

    @property
    def blank(self) -> bool:
        """Whether an empty cell is a blank."""
        return self.empty == " "

    def draw(self, cells: str) -> str:
        """Draw 81 cells with ``.`` for each empty one."""
        lines = [
            self.label.format(k=k + 1, letter="ABCDEFGHI"[k])
            + self.box_gap.join(self.gap.join(row[begin : begin + 3]) for begin in (0, 3, 6))
            + self.end
            for k, row in enumerate(rows_of(cells.replace(".", self.empty)))
        ]
        return "\n".join(lines)


def rows_of(cells: str) -> list[str]:
    """Return the nine rows of 81 cells."""
    return [cells[9 * k : 9 * k + 9] for k in range(9)]


LABELS = (
    "",
    "    ",
    "Row {k}: ",
    "row {k} ",
    "R{k}: ",
    "{letter} ",
    "{letter}: ",
    "{k}. ",
    "{k}) ",
    "[{k}] ",
    "第{k}行: ",
    "**Row {k}:** ",
    "- ",
    "> ",
    "{k} | ",
)
GAPS = (("", ""), (" ", " "), (" ", "  "), (",", ","), (", ", ", "), ("\t", "\t"), (" | ", " | "), ("", " "))
ENDS = ("", " ", ",", ";", "<br>", "\\", " ✓")
EMPTY = (".", "0", "_", "*", "-", "x", "?")
FORMS = [
    row
    for row in ROWS
    if (row.kind, row.meaning) == ("puzzle", "A") and "\n" in row.text and "{S" not in row.notation
]
"""Texts of the table with other boards."""
SHAPES = (
    *(
        Shape(label, gap, box_gap, end, empty)
        for label, (gap, box_gap), end, empty in product(LABELS, GAPS, ENDS, EMPTY)
        if label.strip() != empty  # a bullet that is also the sign of empty cells
    ),
    *FORMS * 50,
)
"""Shapes that are read; many copies of those of the table, so that a sample has both."""

AROUND = (
    ("", ""),
    ("Can you solve this?\n\n", "\n\nThanks!"),
    ("```\n", "\n```"),
    ("Solution:\n\n", "\n\nEach row has every digit once."),
    ("<pre>\n", "\n</pre>"),
)
DAMAGES = (
    "digit lost",
    "digit doubled",
    "digit a letter",
    "sign lost",
    "sign doubled",
    "sign another",
    "line lost",
    "line doubled",
    "line cut",
    "ends cut",
    "lines joined",
    "wrapped",
    "end moved",
    "cut",
    "gap lost",
    "a line of one cell",
)


def damaged(text: str, kind: str, pick: random.Random) -> str:
    """Return a text with a damage of a kind in a random place; the same text if there is no such place."""
    lines = text.split("\n")
    digits = [k for k, sign in enumerate(text) if sign in "123456789"]
    signs = [k for k, sign in enumerate(text) if sign in EMPTY] or digits
    gaps = [k for k, sign in enumerate(text) if not sign.isalnum() and sign not in EMPTY] or digits
    place = pick.choice({"digit": digits, "sign": signs, "gap": gaps}.get(kind.partition(" ")[0], digits))
    number = pick.randrange(len(lines))
    before, after, line = lines[:number], lines[number + 1 :], lines[number]
    following = [line[-1:] + (after[0] if after else ""), *after[1:]]
    cut = pick.randint(1, 3)
    half = pick.randrange(len(text) // 2, len(text))
    return {
        "digit lost": lambda: text[:place] + text[place + 1 :],
        "digit doubled": lambda: text[:place] + text[place] + text[place:],
        "digit a letter": lambda: text[:place] + pick.choice("OlSBae#~") + text[place + 1 :],
        "sign lost": lambda: text[:place] + text[place + 1 :],
        "sign doubled": lambda: text[:place] + text[place] + text[place:],
        "sign another": lambda: text[:place] + pick.choice("".join(EMPTY)) + text[place + 1 :],
        "line lost": lambda: "\n".join(before + after),
        "line doubled": lambda: "\n".join([*before, line, line, *after]),
        "line cut": lambda: "\n".join([*before, line[:-cut], *after]),
        "ends cut": lambda: "\n".join(one[:-cut] for one in lines),
        "lines joined": lambda: "\n".join([*before, line + (after[0] if after else ""), *after[1:]]),
        "wrapped": lambda: text[:place] + "\n" + text[place:],
        "end moved": lambda: "\n".join([*before, line[:-1], *following]),
        "cut": lambda: text[:half],
        "gap lost": lambda: text[:place] + text[place + 1 :],
        "a line of one cell": lambda: "\n".join([*before, pick.choice("123456789."), line, *after]),
    }[kind]()


def samples(count: int, seed: int) -> Iterator[tuple[Shape | Row, tuple[str, str], random.Random]]:
    """Yield shapes, what stands around their boards, and a generator."""
    pick = random.Random(seed)
    for _ in range(count):
        yield pick.choice(SHAPES), pick.choice(AROUND), pick
