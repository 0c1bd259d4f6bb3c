"""Boards as SVG and text: puzzles, solutions, states of searches, steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unidoku.arguments import one_of, positive
from unidoku.cell import candidate_of, cell_number, digits_of
from unidoku.errors import UnidokuError
from unidoku.grid import Grid, PuzzleLike
from unidoku.view.arrows import RADIUS, arrow
from unidoku.words import table

if TYPE_CHECKING:
    from unidoku.cell import Candidate, Cell
    from unidoku.rating.deduction import Marks  # it loads the kernels

    Fill: TypeAlias = Mapping[int, str] | Mapping[str, str] | Mapping[Cell | Candidate, str]

CELL = 40  # units of the view box
_SIDE = 9 * CELL
_INSET = 2.5  # between the edge of a cell and its pencil marks
_NUMBER = 8  # the same above, where the cell has its number
_MARK = (CELL - 2 * _INSET) / 3
_EDGE = 2
_LABELS = 20

#: Named colors of fills and links: light, dark.
COLORS = {
    "green": ("#bfe6c4", "#24512c"),
    "blue": ("#cfe2ff", "#223f6b"),
    "yellow": ("#ffe9b0", "#5c440c"),
    "orange": ("#ffcb94", "#6b3d14"),
    "red": ("#f8c4c0", "#702823"),
    "purple": ("#e3d0f5", "#4b2d6b"),
    "gray": ("#e4e7ea", "#333a42"),
}

#: Colors of paper, lines and digits: light, dark.
INKS = {
    "paper": ("#ffffff", "#171b20"),
    "line": ("#b8c0c8", "#48515a"),
    "ink": ("#1d2733", "#e4e8ec"),
    "found": ("#0a4fbd", "#a8c7fa"),
    "faint": ("#4d5661", "#b4bdc6"),
    "gone": ("#a0211a", "#ffa79d"),
}

LINK = INKS["gone"]
"""The colors of links."""

#: Colors for paper, which is white.
BLACK = {"paper": "#fff", "line": "#999", "ink": "#000", "found": "#333", "faint": "#999", "gone": "#000"}

#: The roles of candidates in a step: the shape around each and its color.
ROLES = {
    "pattern": ("square", "blue"),
    "extra": ("diamond", "purple"),
    "on": ("circle", "green"),
    "off": ("ring", "yellow"),
    "placed": ("double", "green"),
}

_CSS = (
    (".paper", "fill", "paper"),
    (".thin", "stroke", "line"),
    (".thick", "stroke", "ink"),
    (".given", "fill", "ink"),
    (".found", "fill", "found"),
    (".mark", "fill", "faint"),
    (".removed", "fill", "gone"),
    (".strike", "stroke", "gone"),
    (".outline", "stroke", "faint"),
    (".label", "fill", "faint"),
)


class Link(NamedTuple):
    """An arrow from one candidate, a cell and a digit, to another."""

    start: tuple[int, int]
    end: tuple[int, int]
    color: str = "link"
    dashed: bool = False


def svg(
    grid: PuzzleLike | Any,
    *,
    givens: PuzzleLike | None = None,
    candidates: bool | Marks | None = None,
    fill: Fill | None = None,
    roles: Mapping[tuple[int, int], str] | Mapping[Candidate, str] | None = None,
    removed: Iterable[Candidate] = (),
    links: Iterable[tuple[Any, ...]] = (),
    labels: str | None = None,
    size: int | None = 400,
    black: bool = False,
    title: str | None = None,
    lang: str = "en",
) -> str:
    """Draw a puzzle, a solution or a state of a search.

    A *cell* is a number 0 to 80 or a name such as ``"r4c2"``. A *candidate* is a pair (cell, digit) or a name
    such as ``"r4c2=7"``. `roles` are shapes around candidates: pattern, extra, on, off or placed. `lang` is
    the language of the texts for screen readers. With `black` there are no colors, for paper.
    """
    words = table(lang)["board"]
    one_of("labels", labels, (None, "rc", "numbers", "both"))
    positive("size", size)
    values, clues, marks = _state_of(grid)
    if givens is not None:
        clues = Grid(givens).cells
    if candidates is not None and candidates is not False:
        marks = _marks_of(values, candidates)
    shapes = {candidate_of(place): role for place, role in (roles or {}).items()}
    if unknown := sorted({*shapes.values()} - ROLES.keys()):
        raise UnidokuError(f"invalid role {unknown[0]!r}; choose from: {', '.join(ROLES)}")
    arrows = [Link(candidate_of(link[0]), candidate_of(link[1]), *link[2:]) for link in links]
    for link in arrows:
        one_of("color", link.color, ("link", *COLORS))
    fills = {_place(place): one_of("color", color, COLORS) for place, color in (fill or {}).items()}
    struck = {candidate_of(place) for place in removed}
    shown = {cell: {*marks.get(cell, ()), *(d for c, d in struck if c == cell)} for cell in range(81)}
    margin = _LABELS if labels in {"rc", "both"} else _EDGE
    top = _top(labels)
    extent = _SIDE + margin + _EDGE
    pixels = "" if size is None else f' width="{size}" height="{size}"'
    used = {*fills.values(), *(link.color for link in arrows), *(ROLES[role][1] for role in shapes.values())}
    title = title or words["title"].format(number=sum(map(bool, clues)))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku-board" role="img"{pixels} '
        f'viewBox="{-margin} {-margin} {extent} {extent}">',
        f"<title>{escape(title)}</title><desc>{_spoken(values, words)}</desc>",
        f"<style>{_style_sheet(sorted(used), black=black)}</style>",
        f'<rect class="paper" x="{-margin}" y="{-margin}" width="{extent}" height="{extent}"/>',
    ]
    for place, color in fills.items():
        cell, digit = place if isinstance(place, tuple) else (place, 0)
        x, y, width, height = (*_corner(cell), CELL, CELL) if not digit else _mark_box(cell, digit, top)
        box = f'x="{x:g}" y="{y:g}" width="{width:.4g}" height="{height:.4g}"'
        out.append(f'<rect data-color="{color}" {box}/>')
    out += grid_lines(CELL)
    for place, role in shapes.items():
        shape, color = ROLES[role]
        out.append(f'<g class="role" data-color="{color}">{shape_of(shape, *_center(*place, top))}</g>')
    for cell, value in enumerate(values):
        x, y = _corner(cell)
        if top == _NUMBER:
            out.append(f'<text class="label" x="{x + 3}" y="{y + 7}">{cell + 1}</text>')
        if value:
            kind = "given" if clues[cell] else "found"
            out.append(f'<text class="{kind}" x="{x + CELL / 2:g}" y="{y + 29}">{value}</text>')
            continue
        out += [_mark(cell, digit, top, gone=(cell, digit) in struck) for digit in sorted(shown[cell])]
    for link, line, head in arrows_of(arrows, top):
        dash = ' stroke-dasharray="4 3"' if link.dashed else ""
        paths = f'<path d="{line}"{dash}/><path class="head" d="{head}"/>'
        out.append(f'<g class="link" data-color="{link.color}">{paths}</g>')
    if margin == _LABELS:
        for k in range(9):
            middle = CELL * k + CELL // 2
            out.append(f'<text class="label side" x="{middle}" y="-7">{k + 1}</text>')
            out.append(f'<text class="label side" x="-10" y="{middle + 5}">{k + 1}</text>')
    return "".join([*out, "</svg>"])


def text(grid: PuzzleLike | Any, *, candidates: bool | Marks | None = None) -> str:
    """Draw the board of `svg` as text, perhaps with the candidates of the empty cells.

    Parameters
    ----------
    grid, candidates
        As for `svg`.

    Returns
    -------
    str
        Eleven lines, with lines between the boxes. With candidates, a cell is all its digits without blanks
        between them; functions and commands read the single digits of this text.

    Raises
    ------
    InvalidPuzzleError, ValueError
        As for `svg`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(text(puzzle, candidates=True).splitlines()[0])
    5      3      124    | 26     7      2468   | 1489   1249   248
    """
    values, _, marks = _state_of(grid)
    if candidates is not None and candidates is not False:
        marks = _marks_of(values, candidates)
    cells = [
        str(value or "".join(map(str, sorted(marks.get(cell, ())))) or ".")
        for cell, value in enumerate(values)
    ]
    width = max(map(len, cells))
    boxes = [" ".join(each.ljust(width) for each in cells[k : k + 3]) for k in range(0, 81, 3)]
    rows = [" | ".join(boxes[k : k + 3]).rstrip() for k in range(0, 27, 3)]
    stroke = "-" * (3 * width + 3)
    rule = f"{stroke}+-{stroke}+{stroke}"
    return "\n".join([*rows[:3], rule, *rows[3:6], rule, *rows[6:]])


def _state_of(grid: Any) -> tuple[Sequence[int], Sequence[int], dict[int, Collection[int]]]:
    """Return the values, clues and pencil marks of an object."""
    if not hasattr(grid, "drawn_state"):
        cells = Grid(grid).cells
        return cells, cells, {}
    values, clues, marks = grid.drawn_state()
    return values, clues, marks


def _marks_of(values: Sequence[int], candidates: bool | Marks) -> dict[int, Collection[int]]:
    if isinstance(candidates, bool):
        grid = Grid(bytes(values))
        return {cell: grid.candidates(cell) for cell in range(81)}
    from unidoku.rating.deduction import masks_of

    masks = masks_of(candidates)
    return {cell: digits_of(mask) for cell, mask in enumerate(masks)}


def _place(place: Cell | Candidate) -> int | tuple[int, int]:
    """Parse a cell or a candidate."""
    if isinstance(place, tuple) or (isinstance(place, str) and "=" in place):
        return candidate_of(place)
    return cell_number(place)


def _corner(cell: int) -> tuple[int, int]:
    return cell % 9 * CELL, cell // 9 * CELL


def _top(labels: str | None) -> float:
    """Return where the pencil marks of a cell begin."""
    return _NUMBER if labels in {"numbers", "both"} else _INSET


def center_of(cell: int, digit: int, *, labels: str | None = None) -> tuple[float, float]:
    """Return the center of a pencil mark on a board with such labels, in units of which a cell has 40."""
    return _center(cell, digit, _top(labels))


def _mark_box(cell: int, digit: int, top: float) -> tuple[float, float, float, float]:
    """Return the corner, width and height of the place of a pencil mark; the marks begin at ``top``."""
    x, y = _corner(cell)
    height = (CELL - _INSET - top) / 3
    return x + _INSET + (digit - 1) % 3 * _MARK, y + top + (digit - 1) // 3 * height, _MARK, height


def grid_lines(cell: int) -> Iterator[str]:
    """Yield the thin and the thick lines of a board of cells of a size."""
    for kind, places in (("thin", range(1, 9)), ("thick", range(0, 10, 3))):
        lines = "".join(f"M{cell * k} 0V{9 * cell}M0 {cell * k}H{9 * cell}" for k in places)
        yield f'<path class="{kind}" d="{lines}"/>'


def _mark(cell: int, digit: int, top: float, *, gone: bool) -> str:
    x, y = _center(cell, digit, top)
    text = f'<text class="{"removed" if gone else "mark"}" x="{x:.4g}" y="{y + 3.8:.4g}">{digit}</text>'
    if not gone:
        return text
    across = f"M{x - 4:.4g} {y + 4:.4g}L{x + 4:.4g} {y - 4:.4g}"
    return f'{text}<path class="strike" d="{across}"/>'


def arrows_of(links: Iterable[Link], top: float = _INSET) -> Iterator[tuple[Link, str, str]]:
    """Yield each link with the paths of its arrow, line and head; a link to itself has none."""
    for link in links:
        if link.start != link.end:
            yield link, *arrow(_center(*link.start, top), _center(*link.end, top))


def _center(cell: int, digit: int, top: float) -> tuple[float, float]:
    """Return the center of a pencil mark."""
    x, y, width, height = _mark_box(cell, digit, top)
    return x + width / 2, y + height / 2


def shape_of(shape: str, x: float, y: float) -> str:
    """Return the elements of a shape around a point."""
    r = RADIUS
    if shape == "square":
        r -= 0.5
        size = f'width="{2 * r:g}" height="{2 * r:g}"'
        return f'<rect class="outline" x="{x - r:.4g}" y="{y - r:.4g}" {size}/>'
    if shape == "diamond":
        r += 0.8
        return f'<path class="outline" d="M{x:.4g} {y - r:.4g}l{r} {r}l{-r} {r}l{-r} {-r}Z"/>'
    kind = {"circle": "", "ring": " ring", "double": " thick-line"}[shape]
    return f'<circle class="outline{kind}" cx="{x:.4g}" cy="{y:.4g}" r="{r}"/>'


def _style_sheet(used: Collection[str], *, black: bool) -> str:
    """Return the style sheet with light and dark colors, or black and white ones."""
    light = [
        "text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;font-size:24px;text-anchor:middle}",
        ".given{font-weight:700}.thin{stroke-width:1;fill:none}.thick{stroke-width:2.4;stroke-linecap:square;fill:none}",
        ".mark{font-size:10.5px}.removed{font-size:10.5px}.strike{stroke-width:1.2}.label{font-size:7.5px;text-anchor:start}",
        "text.side{font-size:12px;text-anchor:middle}",
        ".link path{stroke-width:1.4;fill:none}.link .head{stroke-width:0;fill:inherit}",
        ".outline{stroke-width:1.1;fill:inherit}.ring{stroke-dasharray:2 1.4}.thick-line{stroke-width:2}",
    ]
    if black:
        inks = [f"{selector}{{{attribute}:{BLACK[ink]}}}" for selector, attribute, ink in _CSS]
        return _scoped([*light, *inks])
    dark = []
    for selector, attribute, ink in _CSS:
        by_day, by_night = INKS[ink]
        light.append(f"{selector}{{{attribute}:{by_day}}}")
        dark.append(f"{selector}{{{attribute}:{by_night}}}")
    for name in used:
        rule = f'rect[data-color="{name}"]{{fill:%s}}g[data-color="{name}"]{{fill:%s;stroke:%s}}'
        by_day, by_night = LINK if name == "link" else COLORS[name]
        light.append(rule % (by_day, by_day, by_day))
        dark.append(rule % (by_night, by_night, by_night))
    return f"{_scoped(light)}@media (prefers-color-scheme:dark){{{_scoped(dark)}}}"


def _scoped(rules: list[str]) -> str:
    """Restrict rules to the inside of a board."""
    return "".join(f".unidoku-board {rule}}}" for rule in "".join(rules).split("}")[:-1])


def _spoken(values: Sequence[int], words: Mapping[str, str]) -> str:
    """Return the rows as text for screen readers."""
    cells = [str(value or words["empty"]) for value in values]
    rows = (" ".join(cells[start : start + 9]) for start in range(0, 81, 9))
    return " ".join(words["row"].format(row=number, cells=cells) for number, cells in enumerate(rows, 1))
