"""The grid in an answer."""

from __future__ import annotations

import json

import pytest
from example_puzzles import SOLUTION, UNIQUE

from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.run.verify import answer_cells

CELLS = [int(cell) for cell in SOLUTION]
ROWS = [CELLS[k : k + 9] for k in range(0, 81, 9)]
LINES = [SOLUTION[k : k + 9] for k in range(0, 81, 9)]
NINE = "\n".join(LINES)
PUZZLE = "\n".join(UNIQUE[k : k + 9] for k in range(0, 81, 9))
SPACED = "\n".join(" ".join(line) for line in LINES)
FRAMED = str(Grid(SOLUTION))
BOX = "┌───────┐\n" + "\n".join(f"│ {' '.join(line)} │" for line in LINES) + "\n└───────┘"
MARKDOWN = "\n".join(f"| {' | '.join(line)} |" for line in LINES)
LATEX = (
    "\\begin{array}{ccc}\n"
    + "\n\\hline\n".join(" & ".join(line) + " \\\\" for line in LINES)
    + "\n\\end{array}"
)


@pytest.mark.parametrize(
    "text",
    [
        SOLUTION,
        f"  {SOLUTION}\r\n",
        json.dumps(CELLS),
        json.dumps(ROWS),
        json.dumps(LINES),
        json.dumps([str(cell) for cell in CELLS]),
        json.dumps(SOLUTION),
        json.dumps(f"It is:\n{NINE}"),
        repr(tuple(CELLS)),
        repr([tuple(row) for row in ROWS]),
        str(ROWS).replace("], ", "]\n").replace(",", ""),  # as NumPy prints it
        f"```json\n{json.dumps(ROWS, indent=1)}\n```",
        ",".join(SOLUTION),
        " ".join(SOLUTION),
        NINE,
        SPACED,
        FRAMED,
        BOX,
        MARKDOWN,
        LATEX,
        f"The solution is {SOLUTION}.",
        f"The puzzle is {UNIQUE}, its solution {SOLUTION}.",
        f"Step 1: r1c3 is 4.\nStep 2: box 5 has a 5.\n\n**Answer:**\n\n{SPACED}\n\nThere are 81 cells in it.",
        f"<answer>\n{NINE}\n</answer>",
        f"```\n{FRAMED}\n```\nI hope this is right. 9 of 9 boxes are!",
        f"You gave\n\n{PUZZLE}\n\nand I found\n\n{FRAMED}\n",
        f"{PUZZLE}\n\n{NINE}",
        "\n".join(f"Row {k}: {' '.join(line)}" for k, line in enumerate(LINES, 1)),
        "\n".join(f"{k}. {line}" for k, line in enumerate(LINES, 1)),
        "   1 2 3 4 5 6 7 8 9\n"
        + "\n".join(f"{'ABCDEFGHI'[k]} | {' '.join(line)}" for k, line in enumerate(LINES)),
        "\\boxed{" + SOLUTION + "}",
        "\n\n".join(["\n".join(LINES[k : k + 3]) for k in (0, 3, 6)]),
        "/".join(LINES),
    ],
)
def test_a_grid_is_found(text):
    assert list(answer_cells(text)) == CELLS


@pytest.mark.parametrize("text", [UNIQUE, PUZZLE, UNIQUE.replace(".", "0"), f"I only have\n{PUZZLE}\nso far"])
def test_cells_may_be_empty(text):
    assert answer_cells(text) == Grid(UNIQUE).cells


@pytest.mark.parametrize("text", ["", "  ", "null", "None", "nan", "N/A"])
def test_no_answer(text):
    with pytest.raises(InvalidPuzzleError, match=r"^no answer$"):
        answer_cells(text)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot solve it.",
        SOLUTION[:80],
        SOLUTION + "1",
        json.dumps(CELLS[:80]),
        json.dumps([10, *CELLS[1:]]),
        json.dumps({"rows": 9}),
        json.dumps([True, *CELLS[1:]]),
        "[" * 100_000,
        "\n".join(LINES[:8]),
        "\n".join([*LINES[:4], "and then", *LINES[4:]]),
        f"a{SOLUTION}b",
        "#" * 81,
        "1" * 100_000,
        f"{' ' * 1_000_000}x",
        "1 " * 500_000,
    ],
)
def test_no_grid(text):
    with pytest.raises(InvalidPuzzleError, match=r"^no grid of 81 cells in the answer$"):
        answer_cells(text)
