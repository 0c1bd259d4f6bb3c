"""HTML pages: templates that extend ``base.html``, and playbacks of records."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unidoku._words import renamed, table
from unidoku.cell import HOUSES, cell_name, digits_of
from unidoku.view._svg import COLORS, INKS, ROLES, TEXTURES, center_of, svg

if TYPE_CHECKING:
    from jinja2 import Environment, Template

    State: TypeAlias = tuple[Sequence[int], Sequence[int], Mapping[int, Collection[int]]]

_MOST_LINES = 2000  # frames up to which a PDF has the lines of each
_VALUE = 512  # added to a value to distinguish it from a set of candidates


def template(name: str) -> Template:
    """Return a template of this package."""
    return environment().get_template(name)


def _source(name: str) -> str:
    """Return the text of a file of this package."""
    return files("unidoku.view").joinpath(name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Return the templates of this package, with the functions they call."""
    from jinja2 import Environment, FunctionLoader

    made = Environment(loader=FunctionLoader(_source), autoescape=True, keep_trailing_newline=True)

    def named(text: str, names: str) -> str:
        """Return a text, escaped; each cell is an element if a script can rename it, or two for a style."""
        return renamed(escape(text), _MARKUP[names]) if names else escape(text)

    made.filters["named"] = named
    made.globals |= {"palette": {**INKS, **COLORS}, "colors": COLORS, "textures": TEXTURES, "roles": ROLES}
    return made


_MARKUP: dict[str, Callable[[int], str]] = {
    "numbers": lambda cell: f"<i>{cell + 1}</i>",
    "rc": lambda cell: f"<i>{cell_name(cell)}</i>",
    "both": lambda cell: f'<span class="number">{cell + 1}</span><span class="rc">{cell_name(cell)}</span>',
}


_CELL_NAMES: dict[str, Callable[[int], str]] = {"numbers": lambda cell: str(cell + 1), "rc": cell_name}


class Frame(NamedTuple):
    """One step of a record on a page.

    An arrow is the paths of its line and its head, on a board of 360 units, its class, and its link in words.
    The question is the text of the page before the step: where, what and pattern, the house to search and the
    cells of the pattern. The legend has texts for colors, in place of the usual texts. The orders say when
    cells got their values.

    The heading is the step in the list of steps; steps of the same run are next to each other there. `step`
    is the number of this step in the texts, or 0 if it has none; with None the steps count from 0. `further`
    are candidates that the step rules out and later steps remove.

    In a document, `told` replaces the heading and the first line by a beginning in bold, and the rest.
    `picture` returns the board of the step with its legend; it is called with ``black``.
    """

    lines: Sequence[str] = ()
    fill: Mapping[int, str] = {}
    marks: Mapping[tuple[int, int], str] = {}
    levels: Sequence[str] = ()
    depth: int = 0
    heading: str = ""
    run: str = ""
    hardest: bool = False
    status: str = ""
    kind: str = ""
    roles: Mapping[tuple[int, int], str] = {}
    arrows: Sequence[tuple[str, str, str, str]] = ()
    question: tuple[Sequence[str], int, Sequence[int]] | None = None
    legend: Mapping[str, str] = {}
    orders: Sequence[int] = ()
    step: int | None = None
    further: Sequence[tuple[int, int]] = ()
    told: tuple[str, str] | None = None
    picture: Callable[..., tuple[str, Sequence[tuple[str, str]]]] | None = None


class Playback:
    """A record with everything that a page shows.

    Parameters
    ----------
    puzzle : str
        81 cells, ``.`` for an empty one.
    title : str
    group : str
        The group of words that replace the words of other pages.
    lang : {"en", "zh"}

    Attributes
    ----------
    frames : list of Frame
    start : int
        The first frame to show.
    note : str
        The line below the title.
    ratings : str
        The ratings, which a word below the title opens.
    names : str
        How the texts name cells and write deductions.
    solution : str
        The 81 digits for a page on which a person plays; empty for one to read.
    has_roles : bool
        Whether candidates have roles and arrows, which the page explains.
    figures : list of tuple of str
        Captions and pictures, as SVG, below the board.
    black : bool
        Whether its page and its PDF are without colours.
    """

    def __init__(self, puzzle: str, title: str, group: str, lang: str = "en") -> None:
        self.puzzle = puzzle
        self.title = title
        self.frames: list[Frame] = []
        self.start = 0
        self.note = self.ratings = self.names = self.solution = ""
        self.has_roles = self.black = False
        self.figures: list[tuple[str, str]] = []
        self.words: dict[str, str] = {**table(lang)["page"], **table(lang)[group]}
        self._names = "numbers" if self.words["row"] else "rc"  # the book numbers the cells
        self._lang = lang
        self._changes: list[dict[str, Any]] = []  # of each frame, so that pages are small
        self._codes = [0] * 81
        self._orders: Sequence[int] = [0] * 81

    def add(self, state: State, frame: Frame) -> None:
        """Add a step, and the state after it, as ``drawn_state`` returns it."""
        values, _, candidates = state
        codes = [
            _VALUE + value if value else sum(1 << digit - 1 for digit in candidates.get(cell, ()))
            for cell, value in enumerate(values)
        ]
        orders = frame.orders or self._orders
        changes: list[list[int]] = []
        losses: list[list[Any]] = []
        for cell, (old, new) in enumerate(zip(self._codes, codes, strict=True)):
            order = [orders[cell]] if orders[cell] != self._orders[cell] else []
            if old != new or order:
                changes.append([cell, new, *order])
            if old < _VALUE:
                mask = 1 << new - _VALUE - 1 if new >= _VALUE else new
                lost = digits_of(old & ~mask)
                losses += ([cell, d, *filter(None, [frame.marks.get((cell, d))])] for d in lost)
        self._codes, self._orders = codes, orders
        optional = {
            "f": {str(cell): color for cell, color in frame.fill.items()},
            "x": losses,
            "v": frame.levels,
            "d": frame.depth,
            "t": frame.status,
            "k": frame.kind,
            "r": [[cell, digit, role] for (cell, digit), role in frame.roles.items()],
            "a": frame.arrows,
            "q": frame.question,
            "g": frame.legend,
            "n": frame.step,
            "e": frame.further,
        }
        self._changes.append({"s": changes, **{key: value for key, value in optional.items() if value}})
        self.frames.append(frame)

    def __repr__(self) -> str:
        return f"<Playback of {self.puzzle}: {len(self.frames)} frames>"

    def __str__(self) -> str:
        return "\n".join(line for frame in self.frames for line in frame.lines)

    def _repr_html_(self) -> str:
        """Return the page for notebooks, in a frame of its own."""
        page = escape(self.page())
        return (
            f'<iframe sandbox="allow-scripts" title="{escape(self.title)}" srcdoc="{page}" '
            'style="width:100%;height:780px;border:0"></iframe>'
        )

    def pdf(self) -> bytes:
        """Return a PDF to read: the board, and the steps in words."""
        from unidoku.view._pdf import document  # not at the top: HTML needs no PDF

        board = self._board(self._names)
        named, is_short = partial(renamed, name=_CELL_NAMES[self._names]), len(self.frames) > _MOST_LINES
        steps = []
        for number, frame in enumerate(self.frames):
            if not frame.heading and not (number and frame.lines):
                continue
            heading, lead, lines, picture = frame.heading, "", frame.lines, None
            if is_short:
                lines = ()
            elif frame.told is not None:
                heading, (lead, rest) = "", frame.told
                lines = (rest, *lines[1:])
                picture = frame.picture and frame.picture(black=self.black)
            step = {"heading": named(heading), "lead": named(lead), "lines": [*map(named, lines)]}
            own_number = str(number if frame.step is None else frame.step or "")
            steps.append({"number": own_number, **step, "picture": picture})
        texts = filter(None, (self.note, self.ratings, self.names))
        blocks = [*texts, [(self.puzzle, board)], {"steps": steps}, *self.figures]
        return document(self.title, blocks, self._lang, black=self.black)

    def _board(self, labels: str) -> str:
        """Return the picture of the puzzle."""
        title = self.words["board"]
        return svg(self.puzzle, labels=labels, size=None, title=title, lang=self._lang, black=self.black)

    def page(self) -> str:
        """Return one self-contained HTML page that plays the record."""
        words = self.words
        labels = "both" if words["numbers"] else "rc"
        record = {
            "shapes": ROLES,
            "textures": TEXTURES,
            "places": [center_of(0, digit, labels) for digit in range(1, 10)],
            "puzzle": self.puzzle,
            "frames": self._changes,
            "start": self.start,
            "houses": HOUSES if self.solution else (),
            "solution": self.solution,
            "words": {key: words[key] for key in table(self._lang)["page"]},
        }
        data = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        script = _source("player.js") + (_source("play.js") if self.solution else "")
        return template("player.html").render(
            lang=self._lang,
            title=f"{self.title}: {self.puzzle}",
            playback=self,
            words=words,
            board=self._board(labels),
            black=self.black,
            cell_names=self._names,
            deepest=max((frame.depth for frame in self.frames), default=0),
            data=data.replace("<", "\\u003c"),
            script=script,
            digest=b64encode(sha256(script.encode()).digest()).decode(),
        )
