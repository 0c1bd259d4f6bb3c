"""Puzzles on paper: sheets to print, on request with the form of the numerical-analysis method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, Literal, NamedTuple

from unidoku.grid import Grid
from unidoku.method.form import ARRANGEMENT, expansion_form
from unidoku.method.record import UNIT_KINDS, Order, Replay
from unidoku.method.rules import explain
from unidoku.rating.scale import Rating
from unidoku.view.pages import template
from unidoku.view.svg import svg
from unidoku.words import table

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

PER_PAGE = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
"""Puzzles on a page: columns and rows."""

_ANSWER = 40  # millimetres that a solution takes across the page, about
_ANSWER_ROWS = 5
_MARGIN, _GAP, _TITLE, _CAPTION = 12, 6, 12, 6.5  # millimetres
_BELOW_CAPTION = 1
_NUMBER, _RATING = 12, 23  # the number beside a name; the difficulty and the rating
_TITLE_SIZES, _NAME_SIZES = (15, 13, 9, 7), (9, 6.5, 5, 4.5)  # points
_POINT = 0.3528  # millimetres
_WIDTH_OF_LETTER, _HEIGHT_OF_LINE = 0.55, 1.15  # of the size of the font, about


class PrintedPuzzle(NamedTuple):
    """A puzzle to print.

    Attributes
    ----------
    grid : Grid
    name : str
        Shown after its number.
    rating : Rating or None
        As `unidoku.rate` returns it; its difficulty and ER are shown after the name.
    solution : Grid or None
        Printed at the end.
    number : int or None
        By default its position, from 1.
    group : str
        Heading of its pages; each group begins on a new page.
    """

    grid: Grid
    name: str = ""
    rating: Rating | None = None
    solution: Grid | None = None
    number: int | None = None
    group: str = ""


def sheets(
    puzzles: Iterable[PrintedPuzzle],
    *,
    per_page: int | None = None,
    candidates: bool = False,
    blank: bool = False,
    worked: int | Literal["first", "end"] | None = None,
    units: tuple[str, ...] = UNIT_KINDS,
    digits: Literal["all", "few", "none"] = "all",
    arrangement: str = ARRANGEMENT,
    paper: str = "a4",
    title: str | None = None,
    heading: str = "rating",
    answers: str | None = None,
    lang: str = "en",
) -> Iterator[str]:
    """Lay out puzzles on pages, their solutions at the end.

    Parameters
    ----------
    puzzles : iterable of PrintedPuzzle
        They are numbered from 1, unless they have numbers.
    per_page : {1, 2, 4, 6, 12}, optional
        By default 6; 1 for the expansion form, because with more its small cells are too small to write in.
    candidates : bool
        Print the candidates of the empty cells.
    blank : bool
        Print the expansion form of the numerical-analysis method, to work by hand.
    worked : int, "first" or "end", optional
        Print this form filled in: ``first`` as the book's table 2.2-A, see
        `unidoku.method.Record.first_table`;
        ``end`` as table 2.2-B, after the last step; a number after this step, see
        `unidoku.method.Record.step_ends`. A puzzle with fewer steps is shown at its end.
    units
        The order of units, see `unidoku.method.Order`.
    digits, arrangement
        Of the expansion form, see `unidoku.method.expansion_form`.
    paper : {"a4", "letter"}
    title : str, optional
        The text at the top of every page; by default Sudoku, in the language.
    heading : {"rating", "difficulty", "number", "none"}
        Above each puzzle: its number, name, difficulty and rating; all but its rating; the number alone, if
        the puzzles have no names and ratings; or nothing.
    answers : str, optional
        The name of the solutions at the end; by default solutions, in the language.
    lang : {"en", "zh"}

    Yields
    ------
    str
        Pieces of one self-contained HTML page.

    Raises
    ------
    ValueError
        `arrangement` does not have the nine digits.
    """
    words = table(lang)["sheets"]
    title = words["title"] if title is None else title
    form = blank or worked is not None
    if per_page is None:
        per_page = 1 if form else 6
    order = Order(units=units)
    width, height = (side - 2 * _MARGIN for side in PAPERS[paper])
    height -= _TITLE + 1  # rounding must not begin another page
    columns, rows = PER_PAGE[per_page]
    board = _board_width(width, height, columns, rows)
    extent = width - (width - (columns - 1) * _GAP) / columns + board  # solutions have the same margins
    across = int((extent + _GAP) / _ANSWER)
    solved: list[PrintedPuzzle] = []

    def boards() -> Iterator[tuple[PrintedPuzzle, str, float]]:
        for place, printed in enumerate(puzzles, 1):
            puzzle = printed if printed.number is not None else printed._replace(number=place)
            if puzzle.solution is not None:
                solved.append(puzzle)
            name = words["puzzle"].format(number=puzzle.number)
            if form:
                state = puzzle.grid if worked is None else _worked(puzzle.grid, worked, order)
                drawn = expansion_form(state, arrangement=arrangement, digits=digits, title=name)
            else:
                drawn = svg(puzzle.grid, candidates=candidates, black=True, size=None, title=name, lang=lang)
            room = max(board - _NUMBER - _RATING * bool(puzzle.rating), board / 3)
            yield puzzle, drawn, _font_size(puzzle.name, room, _CAPTION - _BELOW_CAPTION, _NAME_SIZES)

    def solutions() -> Iterator[tuple[PrintedPuzzle, str]]:
        for puzzle in solved:
            name = words["solution"].format(number=puzzle.number)
            grid = puzzle.solution
            yield puzzle, svg(grid, givens=puzzle.grid, black=True, size=None, title=name, lang=lang)

    yield from template("sheets.html").generate(
        lang=lang,
        words=words,
        difficulties=table(lang)["difficulties"],
        title=title,
        answers=words["answers"] if answers is None else answers,
        lines=_lines,
        heading_size=lambda text: _font_size(text, width, _TITLE, _TITLE_SIZES),
        heading_kind=heading,
        boards=_pages(boards(), columns * rows),
        solutions=_pages(solutions(), across * _ANSWER_ROWS),
        paper={
            "name": paper,
            "width": extent,
            "height": height,
            "margin": _MARGIN,
            "gap": _GAP,
            "heading": _TITLE,
            "caption": _CAPTION - _BELOW_CAPTION,
        },
        puzzle={"columns": columns, "rows": rows, "width": board},
        answer={
            "columns": across,
            "rows": _ANSWER_ROWS,
            "width": _board_width(extent, height, across, _ANSWER_ROWS),
        },
    )


def _worked(grid: Grid, step: int | Literal["first", "end"], order: Order) -> Replay:
    """Return the state of the method that a form shows."""
    record = explain(grid, order)
    if step == "first":
        return record.first_table()
    return record.after(-1 if step == "end" else step)


def _pages(drawn: Iterable[Any], size: int) -> Iterator[tuple[str, list[Any]]]:
    """Yield the items of each page with the group of its puzzles, which is the first value of each item."""
    for group, members in groupby(drawn, lambda item: item[0].group):
        while page := list(islice(members, size)):
            yield group, page


def _font_size(text: str, width: float, height: float, sizes: tuple[float, ...]) -> float:
    """Return the largest of some font sizes for which a text fits into a place, wrapped; or the smallest."""
    from rich.cells import cell_len

    for size in sizes:
        letters = width / (_WIDTH_OF_LETTER * _POINT * size)
        lines = _lines(size, height)
        if cell_len(text) <= (letters if lines == 1 else lines * (letters - 6)):  # a word does not end a line
            return size
    return sizes[-1]


def _lines(size: float, height: float) -> int:
    """Return how many lines of a font size fit into a height."""
    return int(height / (_HEIGHT_OF_LINE * _POINT * size))


def _board_width(width: float, height: float, columns: int, rows: int) -> float:
    """Return how wide boards can be in so many columns and rows of a page, in millimetres."""
    across = (width - (columns - 1) * _GAP) / columns
    down = (height - (rows - 1) * _GAP) / rows - _CAPTION
    return min(across, down) - 0.1  # rounding must not make it wider than its place
