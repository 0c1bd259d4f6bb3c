"""Puzzles on paper: sheets to print, on request with the form of the numerical-analysis method."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import groupby, islice
from math import inf
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from unidoku._compat import cached_property
from unidoku._guesses import Keywords
from unidoku._words import table
from unidoku.errors import FormatError, Message
from unidoku.grid import Grid
from unidoku.kernel import solution_of
from unidoku.method import Order, Replay, expansion_form, explain
from unidoku.rating._scale import Rating
from unidoku.view._ink import one_ink
from unidoku.view._pages import template
from unidoku.view._svg import svg

PAPERS = {"a4": (210.0, 297.0), "a5": (148.0, 210.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

_INSIDE = ((150, 9.6), (300, 12.7), (500, 15.9), (700, 19.1), (inf, 22.3))
"""The smallest inner margins in millimetres of books with so many pages at most, as Amazon's KDP has them."""
_ROOM_INSIDE = 3  # millimetres more than these, for the eye

_ANSWER = 40  # millimetres that a solution takes across the page, about
_LEAST = 15  # millimetres of a board that can be read
_ANSWER_ROWS = 5
_FOOT_ANSWER, _FOOT_GAP = 27.0, 4  # millimetres of a solution at the foot of a page: six on a4
_EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_GAP, _TITLE, _CAPTION, _BELOW_CAPTION, _FOOT = 6, 12, 5.5, 1, 6  # millimetres
_NAME_LINE = 9  # millimetres of the lines for a name and a date
_NAMES = 6.6  # more for names below the numbers, in two lines
_NUMBER, _RATING = 12, 25  # the number next to a name; the difficulty and the rating
_TITLE_SIZES, _NAME_SIZE, _SIZE_BELOW = (15, 13, 9, 7), 9, 8  # points
_LARGE, _LARGE_NAME = 120, 11  # from this width of a board in millimetres on, in points
_POINT, _INCH = 0.3528, 25.4  # millimetres
_UNITS = {"mm": 1, "cm": 10, "in": _INCH}
_UNIT = f"({'|'.join(_UNITS)})?"
_LENGTH = r"(\d+(?:\.\d+)?|\.\d+)"
_MOST_INCHES = 20  # sides without a unit are inches up to here
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
        The word above it; by default the word of its rating.
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


@dataclass(eq=False)
class Sheets(Keywords):
    """Puzzles on pages, their solutions at the end; iterating over them yields the pages.

    Parameters
    ----------
    puzzles : iterable of PrintedPuzzle
        They are numbered from 1, unless they have numbers.
    per_page : int, optional
        By default 6; 1 for the expansion form, because with more its small cells are too small to write in.
    candidates : bool
        Print the candidates of the empty cells.
    blank : bool
        Print the expansion form of the numerical-analysis method, to work by hand.
    worked : int, "first" or "end", optional
        Print this form filled in, at one of these states:

        - ``first``: the book's table 2.2-A, see `unidoku.method.Record.first_table`
        - ``end``: table 2.2-B, after the last step
        - a number: after this step, see `unidoku.method.Record.step_ends`

        A puzzle with fewer steps is shown at its end.
    units
        The order of units, see `unidoku.method.Order`.
    paper : {"a4", "a5", "letter"} or tuple of float
        Or width and height in millimetres.
    margin : float
        Millimetres on all sides.
    title : str, optional
        The text at the top of every page; by default Sudoku, in the language.
    name_line : bool
        Print lines for a name and a date on each page of puzzles.
    heading : {"difficulty", "rating", "effort", "technique", "number", "none"}
        The text above each puzzle, by default ``difficulty``:

        - ``rating``: its number, title, difficulty and rating, and without a title its effort
        - ``effort``: its effort in place of the rating
        - ``technique``: the same as ``rating``, and the technique of its hardest step
        - ``difficulty``: all but its rating
        - ``number``: only the number, if the puzzles have no titles and ratings
        - ``none``: nothing
    answers_per_page : int, optional
        By default as many as are 40 mm wide, in five rows.
    answers_at_foot : bool
        Print the solutions of a page upside down at its foot, and no pages of solutions.
    chapters : bool
        Begin a page with each difficulty, under its name; they are in order.
    book : bool
        Lay out facing pages: a title page with the contents, page numbers, and inner margins that are wide
        enough for so many pages. Only for a PDF.
    rules : bool
        Begin a book with a page of the rules.
    author : str
        The author, on the title page of a book and in the properties of the PDF.
    pdf : bool
    lang : {"en", "zh"}

    Yields
    ------
    str or bytes
        Pieces of one self-contained HTML page, as text; or a PDF, with its fonts, as one piece, and nothing
        now and then while it is made.

    Raises
    ------
    FormatError
        No board fits between the margins.
    MissingExtraError
        Typst is not there, which makes the PDF.
    """

    puzzles: Iterable[PrintedPuzzle]
    _: KW_ONLY
    per_page: int | None = None
    candidates: bool = False
    blank: bool = False
    worked: int | Literal["first", "end"] | None = None
    units: tuple[str, ...] = ("row", "column", "box")
    paper: str | tuple[float, float] = "a4"
    margin: float = 12.0
    title: str | None = None
    name_line: bool = False
    heading: str = "difficulty"
    answers_per_page: int | None = None
    answers_at_foot: bool = False
    chapters: bool = False
    book: bool = False
    rules: bool = False
    author: str | None = None
    pdf: bool = False
    lang: str = "en"

    def __post_init__(self) -> None:
        self._order = Order(units=self.units)

    def __iter__(self) -> Iterator[Any]:
        printed = list[PrintedPuzzle]()
        for place, puzzle in enumerate(self.puzzles, 1):
            group, name, rating = puzzle.group, puzzle.name, puzzle.rating
            if self.chapters and puzzle.difficulty:
                group = self._difficulties[puzzle.difficulty]
            if self.heading == "technique" and rating and rating.name:
                name = " · ".join(filter(None, [name, table(self.lang)["names"][rating.name]]))
            number = place if puzzle.number is None else puzzle.number
            printed.append(puzzle._replace(number=number, group=group, name=name))
        layout = self._layout_of(printed)
        pages = self._all_pages(printed, layout)
        if self.pdf:
            from unidoku.view._pdf import typeset  # not at the top: HTML needs no PDF

            contents = self._words["contents"] if self.book else ""
            values = {**self._values(layout), "pages": [*pages], "contents": contents}
            yield from typeset("sheets.typ", values)
        else:
            boards = {"puzzle": layout.boards, "answer": layout.solutions}
            yield from template("sheets.html").generate(
                **self._values(layout), **boards, pages=pages, lines=_lines
            )

    @cached_property
    def _words(self) -> Mapping[str, str]:
        """The words of the pages in the language."""
        return table(self.lang)["sheets"]

    @cached_property
    def _difficulties(self) -> Mapping[str, str]:
        """The difficulties in the language."""
        return {**table(self.lang)["difficulties"], "beginner": self._words["beginner"]}

    @property
    def _title(self) -> str:
        if self.title is None:
            return self._words["title"]
        return self.title

    @property
    def _heading(self) -> float:
        """The millimetres above the boards."""
        return _TITLE + _NAME_LINE * self.name_line

    @property
    def _has_form(self) -> bool:
        """Whether the expansion form is printed."""
        return self.blank or self.worked is not None

    @property
    def _count(self) -> int:
        """The number of puzzles on a page."""
        return self.per_page or (1 if self._has_form else 6)

    @property
    def _look(self) -> dict[str, Any]:
        """The look of a board."""
        return {"black": True, "size": None, "lang": self.lang}

    def _figure(self, puzzle: PrintedPuzzle) -> dict[str, Any]:
        """Return the number, the name and the picture of a puzzle, or its clues for a PDF."""
        note, rating = list[str](), puzzle.rating
        if rating is not None:
            note.append(self._difficulties[puzzle.difficulty or rating.difficulty].lower())
            if self.heading not in {"difficulty", "effort"}:
                note.append(f"ER {rating.er}{'+' * rating.at_least}")
            shows_effort = self.heading == "effort" or (self.heading == "rating" and not puzzle.name)
            if rating.effort and shows_effort:  # next to a name there is no room for both
                note.append(self._words["effort"].format(effort=rating.effort))
        figure: dict[str, Any] = {"number": puzzle.number, "name": puzzle.name, "note": " · ".join(note)}
        name = self._words["puzzle"].format(number=puzzle.number)
        if self._has_form:
            state: Grid | Replay = puzzle.grid
            if self.worked == "first":
                state = explain(puzzle.grid, self._order).first_table()
            elif self.worked is not None:  # of a shorter work, its end
                record = explain(puzzle.grid, self._order)
                last = len(record.step_ends) - 1
                state = record.after(last if self.worked == "end" else min(self.worked, last))
            form = expansion_form(state, title=name)
            return figure | ({"form": one_ink(form)} if self.pdf else {"svg": form})
        if not self.pdf:
            return figure | {"svg": svg(puzzle.grid, candidates=self.candidates, title=name, **self._look)}
        figure["clues"] = puzzle.grid.line
        if self.candidates:  # 81 cells for each digit, with a dot for a cell without it
            cells = [*map(puzzle.grid.candidates, range(81))]
            marks = ((str(digit) if digit in cell else "." for cell in cells) for digit in range(1, 10))
            figure["marks"] = [*map("".join, marks)]
        return figure

    def _figure_of_solution(self, puzzle: PrintedPuzzle) -> dict[str, Any]:
        """Return the number and the picture of a solution, or its cells for a PDF."""
        assert puzzle.solution is not None
        solution, figure = Grid(puzzle.solution), {"number": puzzle.number}
        if self.pdf:
            return figure | {"clues": puzzle.grid.line, "solution": solution.line}
        name = self._words["solution"].format(number=puzzle.number)
        return figure | {"svg": svg(solution, givens=puzzle.grid, title=name, **self._look)}

    def _all_pages(self, printed: Sequence[PrintedPuzzle], layout: _PageLayout) -> Iterator[dict[str, Any]]:
        """Yield the pages: rules, puzzles, solutions, and at last steps."""
        answers = self._words["answers"]
        if self.rules:
            example, words = Grid(_EXAMPLE), self._words
            solved = self._figure_of_solution(
                PrintedPuzzle(example, solution=Grid(solution_of(example.cells)), number=0)
            )
            page = self._page(
                words["rules"], layout, layout.boards, [{**solved, "solution": _EXAMPLE}, solved]
            )
            yield page | {"rules": [words[rule] for rule in ("rule", "rule of one", "rule example")]}
        for group, members in _pages(printed, layout.boards.number):
            page = self._page(group, layout, layout.boards, [*map(self._figure, members)])
            if self.name_line:
                page["blanks"] = [self._words["name"], self._words["date"]]
            if self.answers_at_foot:
                page["foot"] = [*map(self._figure_of_solution, _answered(members))]
            yield page
        for group, members in (
            () if self.answers_at_foot else _pages(_answered(printed), layout.solutions.number)
        ):
            if group:
                part = self._words["of_group"].format(answers=answers, group=group)
            else:
                part = answers
            figures = [*map(self._figure_of_solution, members)]
            yield {**self._page(part, layout, layout.solutions, figures), "answers": True}
        if explained := _explained(printed):
            steps = [{"number": puzzle.number, "steps": puzzle.steps} for puzzle in explained]
            yield {**self._page(self._words["steps"], layout, layout.boards, []), "steps": steps}

    def _page(
        self, part: str, layout: _PageLayout, boards: _Boards, figures: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Return the values of a page of boards, under the title and the name of its part."""
        if part:
            text = self._words["headed"].format(title=self._title, part=part)
        else:
            text = self._title
        sizes = (size for size in _TITLE_SIZES if _fits(text, layout.width, size, _lines(size, _TITLE)))
        return {
            "part": part or self._words["puzzles"],
            "heading": text,
            "size": next(sizes, _TITLE_SIZES[-1]),
            "boards": boards._asdict(),
            "figures": figures,
            "blanks": [],
            "foot": [],
        }

    def _layout_of(self, printed: Sequence[PrintedPuzzle]) -> _PageLayout:
        """Lay out the boards on the paper; refuse boards that are too small to read."""
        sides = PAPERS[self.paper] if isinstance(self.paper, str) else self.paper
        inside, foot = self.margin, 0
        if self.book:  # the inner margin depends on the number of pages
            answers_at_once = self.answers_per_page or 2 * _ANSWER_ROWS
            pages = [*_pages(printed, self._count), *_pages(_answered(printed), answers_at_once)]
            number = 2 + self.rules + len(pages) + len(_explained(printed))
            least = next(width for most, width in _INSIDE if number <= most)
            inside, foot = max(inside, least + _ROOM_INSIDE), _FOOT
        width, height = sides[0] - self.margin - inside, sides[1] - 2 * self.margin - foot
        height -= self._heading + 1  # rounding must not begin another page
        answers = _Boards.at_foot(width, self._count)
        if self.answers_at_foot:
            height -= answers.rows * (answers.width + answers.caption + _FOOT_GAP)
        boards = _Boards.most(width, height, self._count)
        names_below = not all(map(boards.has_room_beside, printed))
        if names_below:
            boards = _Boards.most(width, height, self._count, _CAPTION + _NAMES)
        columns = boards.columns
        extent = width - (width - (columns - 1) * _GAP) / columns + boards.width  # the margins of solutions
        room = extent if columns > 1 else width
        if self.answers_per_page:
            solutions = _Boards.most(room, height, self.answers_per_page)
        else:
            columns_of_answers = max(1, int((room + _GAP) / _ANSWER))
            most_rows = int((height + _GAP) / (_LEAST + 1 + _CAPTION + _BELOW_CAPTION + _GAP))
            solutions = _Boards.on(room, height, columns_of_answers, max(1, min(_ANSWER_ROWS, most_rows)))
        if min(boards.width, solutions.width) < _LEAST:
            raise FormatError(
                Message(
                    "the boards do not fit on this paper with these margins; put fewer on a page, or use "
                    "larger paper"
                )
            )
        return _PageLayout(
            sides, inside, foot, width, height, boards, solutions, answers, names_below, extent, room
        )

    def _values(self, layout: _PageLayout) -> dict[str, Any]:
        """Return the values of the template."""
        is_large = layout.boards.width >= _LARGE  # large print has large names
        size = _SIZE_BELOW if layout.names_below else _NAME_SIZE
        return {
            "lang": self.lang,
            "title": self._title,
            "author": self.author or "",
            "foot": layout.answers_at_foot._asdict() | {"gap": _FOOT_GAP},
            "names": table(self.lang)["rating"]["names"],
            "has_captions": self.heading != "none",
            "below": _NAMES * layout.names_below,
            "name_size": _LARGE_NAME if is_large else size,
            "note_size": _LARGE_NAME if is_large else _NAME_SIZE,
            "paper": {
                "sides": layout.sides,
                "width": layout.extent,
                "room": layout.room,
                "height": layout.height,
                "margin": self.margin,
                "inside": layout.inside,
                "foot": layout.foot,
                "gap": _GAP,
                "heading": self._heading,
                "name_line": _NAME_LINE,
            },
        }


class _PageLayout(NamedTuple):
    """Where boards are on the paper; lengths are in millimetres."""

    sides: tuple[float, float]
    inside: float
    foot: float
    width: float
    height: float
    boards: _Boards
    solutions: _Boards
    answers_at_foot: _Boards
    names_below: bool
    """Whether names are below the numbers, because some do not fit next to them."""
    extent: float
    """The width of the boards, without the space next to the last column."""
    room: float
    """The width for solutions."""


def _answered(puzzles: Sequence[PrintedPuzzle]) -> list[PrintedPuzzle]:
    """Return the puzzles whose solutions are printed."""
    return [puzzle for puzzle in puzzles if puzzle.solution is not None]


def _explained(puzzles: Sequence[PrintedPuzzle]) -> list[PrintedPuzzle]:
    """Return the puzzles whose steps are printed."""
    return [puzzle for puzzle in puzzles if puzzle.steps]


def paper_of(text: str) -> tuple[float, float]:
    """Return the width and height in millimetres of a paper: a4, a5, letter, or such as 6x9in.

    Raises
    ------
    FormatError
        `text` is not the size of a paper.
    """
    sides = PAPERS.get(text.lower(), (0, 0))
    if match := re.fullmatch(f"{_LENGTH} *x *{_LENGTH} *{_UNIT}", text.strip().lower()):
        sizes = float(match[1]), float(match[2])
        unit = _UNITS[match[3] or ("in" if max(sizes) <= _MOST_INCHES else "mm")]
        sides = round(sizes[0] * unit, 2), round(sizes[1] * unit, 2)
    if 50 <= min(sides) <= max(sides) <= 1200:
        return sides
    message = Message(
        "unknown paper {text}; choose {names}, or a size such as 6x9in, 15x23cm or 148x210mm",
        text=repr(text[:40]),
        names=", ".join(PAPERS),
    )
    raise FormatError(message)


def length_of(text: str | float) -> float:
    """Return a length in millimetres: a number, perhaps with mm, cm or in; else it is a `FormatError`."""
    if match := re.fullmatch(f"{_LENGTH} *{_UNIT}", str(text).strip().lower()):
        return round(float(match[1]) * _UNITS[match[2] or "mm"], 2)
    raise FormatError(
        Message(
            "{text} is not a length; write a length such as 12mm, 1.2cm or 0.5in", text=repr(str(text)[:40])
        )
    )


class _Boards(NamedTuple):
    """Boards on a page: columns, rows, millimetres of a board's width and its caption's height, how many."""

    columns: int
    rows: int
    width: float
    caption: float
    number: int

    @classmethod
    def most(cls, width: float, height: float, number: int, caption: float = _CAPTION) -> _Boards:
        """Lay out so many boards as large as they can be."""
        ways = range(1, min(number, 99) + 1)
        each = (cls.on(width, height, k, -(-number // k), caption=caption) for k in ways)
        return max(each, key=attrgetter("width"))._replace(number=number)

    @classmethod
    def on(
        cls, width: float, height: float, columns: int, rows: int, *, caption: float = _CAPTION
    ) -> _Boards:
        """Lay out so many columns and rows of boards, with captions, on a page."""
        across = (width - (columns - 1) * _GAP) / columns
        down = (height - (rows - 1) * _GAP) / rows - caption - _BELOW_CAPTION
        side = min(across, down) - 0.1  # rounding must not make it wider than its place
        return cls(columns, rows, side, caption, columns * rows)

    @classmethod
    def at_foot(cls, width: float, number: int) -> _Boards:
        """Lay out so many solutions at the foot of a page."""
        side = min(_FOOT_ANSWER, width)
        columns = min(number, int((width + _FOOT_GAP) / (side + _FOOT_GAP)))
        return cls(columns, -(-number // columns), side, _CAPTION, number)

    def has_room_beside(self, puzzle: PrintedPuzzle) -> bool:
        """Return whether the name of a puzzle fits next to its number."""
        room = self.width - _NUMBER - _RATING * bool(puzzle.rating)
        return _fits(puzzle.name, room, _NAME_SIZE, lines=1)


def _pages(puzzles: Iterable[PrintedPuzzle], number: int) -> Iterator[tuple[str, list[PrintedPuzzle]]]:
    """Yield so many puzzles for each page with their group."""
    for group, members in groupby(puzzles, attrgetter("group")):
        while page := list(islice(members, number)):
            yield group, page


def _fits(text: str, width: float, size: float, lines: int) -> bool:
    """Return whether a text fits into some lines in a size of the font."""
    from rich.cells import cell_len

    letters = width / (_WIDTH_OF_LETTER * _POINT * size)
    return cell_len(text) <= (letters if lines == 1 else lines * (letters - 6))  # a word does not end a line


def _lines(size: float, height: float) -> int:
    """Return how many lines of a font size fit into a height."""
    return int(height / (_HEIGHT_OF_LINE * _POINT * size))
