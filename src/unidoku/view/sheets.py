"""Puzzles on paper: sheets to print, on request with the form of the numerical-analysis method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import Literal, NamedTuple

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
    difficulty : str or None
        The word above it; by default that of its rating.
    steps : sequence of str
        Printed after the solutions, a line each.
    """

    grid: Grid
    name: str = ""
    rating: Rating | None = None
    solution: Grid | None = None
    number: int | None = None
    group: str = ""
    difficulty: str | None = None
    steps: Sequence[str] = ()


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
    chapters: bool = False,
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
    heading : {"rating", "effort", "technique", "difficulty", "number", "none"}
        Above each puzzle: its number, title, difficulty and rating, or its effort too if it has no title; its
        effort in place of the rating; the technique of its hardest step too; all but its rating; the number
        alone, if the puzzles have no titles and ratings; or nothing.
    answers : str, optional
        The name of the solutions at the end; by default solutions, in the language.
    chapters : bool
        Begin a page with each difficulty, under its name; they are in order.
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
    difficulties = {**table(lang)["difficulties"], "beginner": words["beginner"]}
    order = Order(units=units)
    form = blank or worked is not None
    answered: list[PrintedPuzzle] = []
    explained: list[PrintedPuzzle] = []

    def numbered() -> Iterator[PrintedPuzzle]:
        for place, printed in enumerate(puzzles, 1):
            puzzle = printed if printed.number is not None else printed._replace(number=place)
            if chapters and puzzle.difficulty:
                puzzle = puzzle._replace(group=difficulties[puzzle.difficulty])
            if heading == "technique" and puzzle.rating is not None and puzzle.rating.name:
                technique = table(lang)["names"][puzzle.rating.name]
                puzzle = puzzle._replace(name=" · ".join(filter(None, [puzzle.name, technique])))
            if puzzle.solution is not None:
                answered.append(puzzle)
            if puzzle.steps:
                explained.append(puzzle)
            yield puzzle

    def draw(puzzle: PrintedPuzzle) -> str:
        name = words["puzzle"].format(number=puzzle.number)
        if not form:
            return svg(puzzle.grid, candidates=candidates, black=True, size=None, title=name, lang=lang)
        state = puzzle.grid if worked is None else _replay_at(puzzle.grid, worked, order)
        return expansion_form(state, arrangement=arrangement, digits=digits, title=name)

    def draw_solution(puzzle: PrintedPuzzle) -> str:
        name = words["solution"].format(number=puzzle.number)
        return svg(puzzle.solution, givens=puzzle.grid, black=True, size=None, title=name, lang=lang)

    width, height = (side - 2 * _MARGIN for side in PAPERS[paper])
    height -= _TITLE + 1  # rounding must not begin another page
    boards = _Boards.on(width, height, *PER_PAGE[per_page or (1 if form else 6)])
    extent = width - (width - (boards.columns - 1) * _GAP) / boards.columns + boards.width
    solutions = _Boards.on(extent, height, int((extent + _GAP) / _ANSWER), _ANSWER_ROWS)  # the same margins
    yield from template("sheets.html").generate(
        lang=lang,
        words=words,
        difficulties=difficulties,
        names=table(lang)["rating"]["names"],
        title=words["title"] if title is None else title,
        answers=words["answers"] if answers is None else answers,
        lines=_lines,
        heading_size=lambda text: _font_size(text, width, _TITLE, _TITLE_SIZES),
        heading_kind=heading,
        boards=_pages(numbered(), boards),
        draw=draw,
        name_size=boards.name_size,
        solutions=_pages(answered, solutions),
        draw_solution=draw_solution,
        explained=explained,
        paper={
            "name": paper,
            "width": extent,
            "height": height,
            "margin": _MARGIN,
            "gap": _GAP,
            "heading": _TITLE,
            "caption": _CAPTION - _BELOW_CAPTION,
        },
        puzzle=boards,
        answer=solutions,
    )


class _Boards(NamedTuple):
    """The boards on a page: columns, rows, and the width of a board in millimetres."""

    columns: int
    rows: int
    width: float

    @classmethod
    def on(cls, width: float, height: float, columns: int, rows: int) -> _Boards:
        """Lay out so many columns and rows of boards, with captions, on a page."""
        across = (width - (columns - 1) * _GAP) / columns
        down = (height - (rows - 1) * _GAP) / rows - _CAPTION
        return cls(columns, rows, min(across, down) - 0.1)  # rounding must not make it wider than its place

    def name_size(self, puzzle: PrintedPuzzle) -> float:
        """Return the size of the font for the name of a puzzle."""
        room = max(self.width - _NUMBER - _RATING * bool(puzzle.rating), self.width / 3)
        return _font_size(puzzle.name, room, _CAPTION - _BELOW_CAPTION, _NAME_SIZES)


def _replay_at(grid: Grid, step: int | Literal["first", "end"], order: Order) -> Replay:
    """Return the state of the method that a form shows."""
    record = explain(grid, order)
    if step == "first":
        return record.first_table()
    return record.after(-1 if step == "end" else step)


def _pages(puzzles: Iterable[PrintedPuzzle], boards: _Boards) -> Iterator[tuple[str, list[PrintedPuzzle]]]:
    """Yield the puzzles of each page with their group."""
    for group, members in groupby(puzzles, attrgetter("group")):
        while page := list(islice(members, boards.columns * boards.rows)):
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
