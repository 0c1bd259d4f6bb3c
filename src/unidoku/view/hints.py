"""Hints on a terminal, and as a page: the board with the cells of the hint marked, and the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from unidoku.cell import HOUSES, candidate_of, cell_number
from unidoku.rating.step import Hint, deduction_from
from unidoku.view.step import look, picture
from unidoku.views import Line
from unidoku.words import table

_SIGNS = {"placed": "><", "pattern": "[]", "removed": "//", "wrong": "!!", "house": "::"}
"""What stands left and right of the symbol of a cell, in the order of the legend."""
_BOARD = 31  # columns of the drawn board
_NARROW = 72  # columns of a terminal below which the sentence stands under the board


def hint_page(hint: Hint, *, lang: str = "en") -> str:
    """Write a hint as one self-contained HTML page: its picture with its sentence."""
    from unidoku.view.pages import template  # not at the top: a terminal needs no pages

    return template("hint.html").render(
        lang=lang,
        title=hint.sentence,
        board=picture(hint, size=None),
        lines=[hint.sentence, *hint.details],
    )


def drawn_hint(hint: Hint, depth: str, lines: Sequence[str], *, width: int, lang: str = "en") -> list[Line]:
    """Draw a hint for a terminal: the board with marked cells, and the sentences beside or below it.

    Parameters
    ----------
    hint : Hint
    depth : {"where", "what", "pattern", "step"}
        Which cells are marked: those of the house to look at, of the pattern, or of the step.
    lines : sequence of str
        The sentences.
    width : int
        The columns of the terminal.
    lang : {"en", "zh"}
    """
    kinds = _kinds(hint, depth)
    board, places = _board(hint, kinds)
    words = table(lang)["drawn"]
    legend = [
        f"{signs[0]} {signs[1]} {words[kind]}" for kind, signs in _SIGNS.items() if kind in kinds.values()
    ]
    if width < _NARROW:
        below = [line for text in ["  ".join(legend), *lines] for line in _wrapped(text, width)]
        return _pictures([*board, *below], places)
    beside = [
        line
        for text in [*lines, *([""] if legend else []), *legend]
        for line in _wrapped(text, width - _BOARD - 3)
    ]
    rows = [f"{row:<{_BOARD}}   {text}".rstrip() for row, text in zip_longest(board, beside, fillvalue="")]
    return _pictures(rows, places)


def _pictures(rows: Sequence[str], places: Sequence[tuple[int, ...]]) -> list[Line]:
    """Return the rows of a drawing, with the marked cells emphasized."""
    return [Line("picture", row, emphasis) for row, emphasis in zip_longest(rows, places, fillvalue=())]  # type: ignore[arg-type]


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of a width, in which a Chinese character takes two columns."""
    from rich.console import Console
    from rich.text import Text

    return [line.plain.rstrip() for line in Text(text).wrap(Console(width=width), width)] or [""]


def _kinds(hint: Hint, depth: str) -> dict[int, str]:
    """Return how the cells of a hint are marked, as far as a depth says."""
    if hint.technique is None:
        cells = [*(candidate_of(name)[0] for name in hint.wrong_digits), *map(cell_number, hint.wrong_marks)]
        return dict.fromkeys(cells, "wrong") if depth == "step" else {}
    step = deduction_from(hint)
    if depth in {"where", "what"}:
        return dict.fromkeys(HOUSES[step.area], "house")
    if depth == "pattern":
        fills = dict.fromkeys(HOUSES[step.area], "gray") if not step.pattern else {}
        fills |= dict.fromkeys(step.pattern, "blue")
    else:
        fills, _, _ = look(step)
    kinds = {cell: "house" if color in {"gray", "yellow"} else "pattern" for cell, color in fills.items()}
    if step.chains and depth == "step":
        kinds |= dict.fromkeys((cell for end in step.links for cell, _ in (end.start, end.end)), "pattern")
    if depth == "step":
        kinds |= dict.fromkeys((cell for cell, _ in step.eliminations), "removed")
        kinds |= dict.fromkeys((cell for cell, _ in step.placements), "placed")
    return kinds


def _board(hint: Hint, kinds: dict[int, str]) -> tuple[list[str], list[tuple[int, ...]]]:
    """Return the rows of the board, and the places of the marked cells in them."""
    shown = dict(map(candidate_of, hint.placements))
    removed: dict[int, list[int]] = {}
    for cell, digit in map(candidate_of, hint.eliminations):
        removed.setdefault(cell, []).append(digit)
    shown |= {cell: digits[0] for cell, digits in removed.items() if len(digits) == 1}
    rows = [f"  {' '.join(_groups([f' {column} ' for column in range(1, 10)]))}"]
    places: list[tuple[int, ...]] = [()]
    for row in range(9):
        if row in {3, 6}:
            rows.append("  " + "+".join(["-" * 9] * 3))
            places.append(())
        texts: list[str] = []
        marked: list[int] = []
        for column in range(9):
            cell = 9 * row + column
            kind = kinds.get(cell, "")
            symbol = str(shown.get(cell, ".")) if kind in {"placed", "removed"} else hint.before[cell]
            signs = _SIGNS.get(kind, "  ")
            texts.append(signs[0] + symbol + signs[1])
            if kind:
                begin = 2 + 3 * column + column // 3
                marked += range(begin, begin + 3)
        rows.append(f"{row + 1} {'|'.join(_groups(texts))}")
        places.append(tuple(marked))
    return rows, places


def _groups(texts: list[str]) -> list[str]:
    """Join the cells of a row by box."""
    return ["".join(texts[k : k + 3]) for k in (0, 3, 6)]
