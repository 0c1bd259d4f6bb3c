"""Boards as SVG and text: puzzles, solutions, states of searches, steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unidoku._arguments import one_of, string, whole_number, wrong_type
from unidoku._lazy import public
from unidoku._parse.links import SITES, link_to
from unidoku._words import table, wrap
from unidoku.cell import candidate_of, cell_number, digits_of, rows_of, thirds_of
from unidoku.grid import Grid, PuzzleLike

if TYPE_CHECKING:
    from unidoku.cell import Candidate, Cell
    from unidoku.rating._deduction import Marks  # it loads the kernels

    Fill: TypeAlias = Mapping[int, str] | Mapping[str, str] | Mapping[Cell | Candidate, str]

_CELL = 40  # units of the view box
_SIDE = 9 * _CELL
_INSET = 2.5  # between the edge of a cell and its pencil marks
_NUMBER = 8  # the same above, where the cell has its number
_MARK = (_CELL - 2 * _INSET) / 3
_EDGE = 2
_LABELS = 20
_RADIUS = 5.5  # from the center of a small digit to where arrows begin and end
_BEND = 8.0  # from the middle between two digits to the point towards which an arrow leaves the first one
_HEAD = 4.0
_HALF_HEAD = 2.0
_SIGN = 13  # the side of a sign in a legend
_LEGEND_GAP = 8  # between the board and its legend
_LEGEND_COLUMNS = 60  # of a text in a legend, which is 340 units wide
_GRID_LINES = "".join(
    f'<path class="{kind}" d="{"".join(f"M{_CELL * k} 0V{_SIDE}M0 {_CELL * k}H{_SIDE}" for k in places)}"/>'
    for kind, places in (("thin", range(1, 9)), ("thick", range(0, 10, 3)))
)
_LINE_NUMBERS = "".join(
    f'<text class="label side" x="{_CELL * k + _CELL // 2}" y="-7">{k + 1}</text>'
    f'<text class="label side" x="-10" y="{_CELL * k + _CELL // 2 + 5}">{k + 1}</text>'
    for k in range(9)
)
"""The numbers of the columns and rows outside the board."""

#: Named colors of fills and links: light, dark, and for printing on paper, where textures tell most apart.
COLORS = {
    "green": ("#abe5b0", "#1b5530", "#fff"),
    "blue": ("#b3d3ff", "#1d4a88", "#ccc"),
    "yellow": ("#fff3c2", "#4d4112", "#fff"),
    "orange": ("#ffbe74", "#71400f", "#fff"),
    "red": ("#fbb8be", "#7d2434", "#fff"),
    "purple": ("#f4dff0", "#553050", "#fff"),
    "gray": ("#e4e7ea", "#333a42", "#eee"),
}

#: What is drawn in a cell of a color, so that it is seen on a copy without colors: the style, and the path in
#: 40 units.
TEXTURES = {
    "green": ("frame", "M3 3h34v34h-34Z"),
    "yellow": ("hatch", "M0 10L10 0M0 20L20 0M0 30L30 0M0 40L40 0M10 40L40 10M20 40L40 20M30 40L40 30"),
    "orange": (
        "ring",
        "M4 20C4 11.2 11.2 4 20 4C28.8 4 36 11.2 36 20C36 28.8 28.8 36 20 36C11.2 36 4 28.8 4 20Z",
    ),
    "red": ("hatch", "M2 2L38 38M38 2L2 38"),
    "purple": ("frame", "M3 12V3H12M28 3H37V12M37 28V37H28M12 37H3V28"),
}

#: Colors of paper, lines and digits: light, dark, and for printing on paper.
INKS = {
    "paper": ("#ffffff", "#171b20", "#fff"),
    "line": ("#b8c0c8", "#48515a", "#999"),
    "ink": ("#1d2733", "#e4e8ec", "#000"),
    "found": ("#0a4db8", "#a8c7fa", "#333"),
    "faint": ("#4d5661", "#b4bdc6", "#999"),
    "gone": ("#a0211a", "#ffa79d", "#000"),
}

_LINKS = {"link": INKS["gone"], **COLORS}

#: The roles of candidates in a step: the shape around the center of each, and its color.
ROLES = {
    "pattern": ('<rect class="outline" x="-5" y="-5" width="10" height="10"/>', "blue"),
    "end": ('<rect class="outline thick-line" x="-5.5" y="-5.5" width="11" height="11"/>', "blue"),
    "extra": ('<path class="outline" d="M0 -6.3l6.3 6.3l-6.3 6.3l-6.3 -6.3Z"/>', "purple"),
    "on": ('<circle class="outline" r="5.5"/>', "green"),
    "off": ('<circle class="outline dashes" r="5.5"/>', "yellow"),
    "placed": ('<circle class="outline thick-line" r="5.5"/>', "green"),
}

_STYLE = (
    "text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;font-size:24px;text-anchor:middle}"
    ".given{font-weight:700}.thin{stroke-width:1;fill:none}"
    ".thick{stroke-width:2.4;stroke-linecap:square;fill:none}"
    ".mark{font-size:10.5px}.removed{font-size:10.5px}.strike{stroke-width:1.6}"
    ".label{font-size:7.5px;text-anchor:start}text.side{font-size:12px;text-anchor:middle}"
    "text.key{font-size:11px;text-anchor:start}"
    ".link path{stroke-width:1.4;fill:none}.link .head{stroke-width:0;fill:inherit}"
    ".texture{fill:none}.frame{stroke-width:2}.ring{stroke-width:1.4}.hatch{stroke-width:.7}"
    ".outline{stroke-width:1.1;fill:inherit}.dashes{stroke-dasharray:2 1.4}.thick-line{stroke-width:2}"
)
_INK_STYLE = Template(
    ".paper{fill:$paper}.thin{stroke:$line}.thick{stroke:$ink}.given{fill:$ink}.found{fill:$found}"
    ".mark{fill:$faint}.removed{fill:$gone}.strike{stroke:$gone}.outline,.texture{stroke:$faint}.label{fill:$faint}.key{fill:$ink}"
)


_BLACK = (
    ".outline,.texture{stroke:#333}g.role[data-color]{fill:#fff}g.link[data-color]{fill:#000;stroke:#000}"
)
"""The rules of black pictures for what colors tell apart elsewhere."""
_BLACK_MARKS = ".mark{fill:#666}"
"""The rule of black pictures of steps, where pencil marks are also on gray."""


class Arrow(NamedTuple):
    """An arrow from one candidate, a cell and a digit, to another; a line if it has no head."""

    start: tuple[int, int]
    end: tuple[int, int]
    color: str = "link"
    dashed: bool = False
    head: bool = True


@public
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
    such as ``"r4c2=7"``.

    Parameters
    ----------
    grid : Grid, str, bytes, array, nested list or object with ``drawn_state``
        As `Grid` accepts it; or an object such as `unidoku.stepper.Session`, which has clues and candidates.
    givens : Grid, str, bytes, array or nested list, optional
        The clues, which are bold. By default these are the clues of the object, or all digits of the grid.
    candidates : bool, str, array or mapping, optional
        Pencil marks of the empty cells. By default these are the marks of the object. With True they are all
        digits that the houses of a cell do not have; or give marks as `unidoku.hint` accepts them.
    fill : mapping, optional
        The colors of cells or candidates: green, blue, yellow, orange, red, purple or gray.
    roles : mapping, optional
        The shapes around candidates: pattern, end, extra, on, off or placed.
    removed : iterable of candidates
        Candidates that are struck out.
    links : iterable of tuple
        Arrows: from a candidate, to a candidate, the color as for `fill` (or ``link``, the default),
        whether the line is dashed, and whether it has a head.
    labels : {"rc", "numbers", "both"}, optional
        Number the rows and columns, the cells from 1 to 81 as the book does, or both.
    size : int or None
        Width and height in pixels; None: as wide as its container.
    black : bool
        Draw without colors, for paper.
    title : str, optional
        The title for screen readers; by default it says how many clues there are.
    lang : {"en", "zh"}
        The language of the texts for screen readers.

    Returns
    -------
    str
        One ``<svg>`` element, with light and dark colors.

    Raises
    ------
    InvalidPuzzleError
        `grid`, `givens` or the pencil marks cannot be read.
    ValueError
        A cell, candidate, color, role, kind of labels or language is unknown.

    Examples
    --------
    >>> svg("." * 81, fill={"r4c2": "green"}, links=[("r1c1=5", "r1c9=5")])[:5]
    '<svg '
    """
    words = table(lang)["board"]
    one_of("labels", labels, (None, "rc", "numbers", "both"))
    values, clues, marks = _state_of(grid, candidates)
    if givens is not None:
        clues = Grid(givens).cells
    if not isinstance(fill, Mapping | None):
        raise wrong_type("fill", "a mapping of cells to colors", fill)
    fills = {_place(place): one_of("color", color, COLORS) for place, color in (fill or {}).items()}
    shapes = {candidate_of(place): one_of("role", role, ROLES) for place, role in (roles or {}).items()}
    arrows = [Arrow(candidate_of(link[0]), candidate_of(link[1]), *link[2:]) for link in links]
    colors = {*fills.values(), *(ROLES[role][1] for role in shapes.values())}
    colors |= {one_of("color", arrow.color, _LINKS) for arrow in arrows}
    struck = {*map(candidate_of, removed)}
    margin, line_numbers = (_LABELS, _LINE_NUMBERS) if labels in {"rc", "both"} else (_EDGE, "")
    extent = _SIDE + margin + _EDGE
    pixels = "" if size is None else ' width="{0}" height="{0}"'.format(whole_number("size", size, 1))
    drawn_roles = list[str]()
    for (cell, digit), role in shapes.items():
        x, y = center_of(cell, digit, labels)
        shape, color = ROLES[role]
        move = f'transform="translate({x:.4g} {y:.4g})"'
        drawn_roles.append(f'<g class="role" data-color="{color}" {move}>{shape}</g>')
    drawn_links = [
        _drawn_link(*arrow_of(arrow, labels), arrow.color, dashed=arrow.dashed)
        for arrow in arrows
        if arrow.start != arrow.end
    ]
    title = string("title", title or "") or words["title"].format(number=sum(map(bool, clues)))
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku-board" role="img"{pixels} '
            f'viewBox="{-margin} {-margin} {extent} {extent}">',
            f"<title>{escape(title)}</title><desc>{_spoken(values, words)}</desc>",
            f"<style>{style_sheet(sorted(colors), black=black)}</style>",
            f'<rect class="paper" x="{-margin}" y="{-margin}" width="{extent}" height="{extent}"/>',
            *_fills(fills, labels),
            _GRID_LINES,
            *drawn_roles,
            *_digits(values, clues, marks, struck, labels),
            *drawn_links,
            line_numbers,
            "</svg>",
        ]
    )


LINES = {(False, True): "strong", (True, True): "weak", (False, False): "bond", (True, False): "clash"}
"""The meaning of a line, by whether it is dashed and whether it has a head."""


def sign_of_color(color: str, *, black: bool = False) -> str:
    """Draw a cell of a color, for a legend."""
    return _sign(
        f'<rect data-color="{color}" width="40" height="40"/>{_texture(color)}', [color], 40, black=black
    )


def sign_of_role(role: str, *, black: bool = False) -> str:
    """Draw the shape around a candidate, for a legend."""
    shape, color = ROLES[role]
    return _sign(
        f'<g class="role" data-color="{color}" transform="translate(8 8)">{shape}</g>', [color], black=black
    )


def sign_of_link(*, dashed: bool, head: bool, black: bool = False) -> str:
    """Draw a line between candidates, for a legend."""
    tip = "M16 8L11 5.5L11 10.5Z" * head
    return _sign(_drawn_link("M0 8H12", tip, "link", dashed=dashed), ["link"], black=black)


def sign_of_removed(*, black: bool = False) -> str:
    """Draw a candidate that is struck out, for a legend."""
    text = '<text class="removed" x="8" y="11.8">5</text><path class="strike" d="M4 12L12 4"/>'
    return _sign(f'<rect data-color="red" x="2" y="2" width="12" height="12"/>{text}', ["red"], black=black)


def _sign(drawn: str, colors: list[str], side: int = 16, *, black: bool) -> str:
    style = style_sheet(colors, black=black)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku-board" viewBox="0 0 {side} {side}" '
        f'aria-hidden="true"><style>{style}</style>{drawn}</svg>'
    )


def _drawn_link(line: str, head: str, color: str, *, dashed: bool) -> str:
    """Draw a link by the paths of its line and its head, if it has one."""
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    tip = f'<path class="head" d="{head}"/>' if head else ""
    return f'<g class="link" data-color="{color}"><path d="{line}"{dash}/>{tip}</g>'


def _fills(fills: Mapping[int | tuple[int, int], str], labels: str | None) -> Iterator[str]:
    """Draw colored cells, with their textures, and places of pencil marks."""
    for place, color in fills.items():
        if isinstance(place, tuple):
            x, y, width, height = _mark_box(*place, labels)
            texture = ""
        else:
            x, y, width, height = (*_corner(place), _CELL, _CELL)
            texture = _texture(color, f' transform="translate({x} {y})"')
        box = f'x="{x:g}" y="{y:g}" width="{width:.4g}" height="{height:.4g}"'
        yield f'<rect data-color="{color}" {box}/>{texture}'


def _texture(color: str, move: str = "") -> str:
    """Draw what a cell of a color has in it; nothing for some colors."""
    if color not in TEXTURES:
        return ""
    style, path = TEXTURES[color]
    return f'<path class="texture {style}"{move} d="{path}"/>'


def _digits(
    values: Sequence[int],
    clues: Sequence[int],
    marks: Mapping[int, Collection[int]],
    struck: Collection[tuple[int, int]],
    labels: str | None,
) -> Iterator[str]:
    """Draw the numbers of the cells, their values or pencil marks."""
    for cell, value in enumerate(values):
        left, top = _corner(cell)
        if labels in {"numbers", "both"}:
            yield f'<text class="label" x="{left + 3}" y="{top + 7}">{cell + 1}</text>'
        if value:
            kind = "given" if clues[cell] else "found"
            yield f'<text class="{kind}" x="{left + _CELL / 2:g}" y="{top + 29}">{value}</text>'
            continue
        gone = {digit for struck_cell, digit in struck if struck_cell == cell}
        for digit in sorted({*marks.get(cell, ()), *gone}):
            x, y = center_of(cell, digit, labels)
            kind, strike = "mark", ""
            if digit in gone:
                across = f"M{x - 4:.4g} {y + 4:.4g}L{x + 4:.4g} {y - 4:.4g}"
                kind, strike = "removed", f'<path class="strike" d="{across}"/>'
            yield f'<text class="{kind}" x="{x:.4g}" y="{y + 3.8:.4g}">{digit}</text>{strike}'


def with_legend(board: str, entries: Iterable[tuple[str, str]], size: int | None) -> str:
    """Return a board of a size with labels, higher by a legend: a sign, as SVG, and its text a line."""
    lines, top = list[str](), _SIDE + _EDGE
    y = top + _LEGEND_GAP
    for sign, words in entries:
        lines.append(sign.replace("<svg ", f'<svg x="0" y="{y}" width="{_SIGN}" height="{_SIGN}" ', 1))
        for line in wrap(words, _LEGEND_COLUMNS):
            lines.append(f'<text class="key" x="{_SIGN + 6}" y="{y + 10}">{escape(line)}</text>')
            y += _SIGN + 3
    head, _, body = board.partition(">")
    extent, height = top + _LABELS, y - top
    pixels = (size or 0) * (extent + height) / extent
    head = head.replace(f' height="{size}"', f' height="{pixels:.4g}"')
    head = head.replace(f'{extent} {extent}"', f'{extent} {extent + height}"')
    paper = f'<rect class="paper" x="{-_LABELS}" y="{top}" width="{extent}" height="{height}"/>'
    return f"{head}>{body.removesuffix('</svg>')}{paper}{''.join(lines)}</svg>"


@public
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
    values, _, marks = _state_of(grid, candidates)
    cells = [
        str(value or "".join(map(str, sorted(marks.get(cell, ())))) or ".")
        for cell, value in enumerate(values)
    ]
    width = max(map(len, cells))
    labels = [label.ljust(width) for label in cells]
    rows = [" | ".join(map(" ".join, thirds_of(row))).rstrip() for row in rows_of(labels)]
    stroke = "-" * (3 * width + 3)
    return f"\n{stroke}+-{stroke}+{stroke}\n".join(map("\n".join, thirds_of(rows)))


def _state_of(
    grid: Any, candidates: bool | Marks | None
) -> tuple[Sequence[int], Sequence[int], Mapping[int, Collection[int]]]:
    """Return the values, clues and pencil marks of an object, with other pencil marks if there are any."""
    if hasattr(grid, "drawn_state"):
        values, clues, marks = grid.drawn_state()
    else:
        values = clues = Grid(grid).cells
        marks = {}
    if candidates is True:
        empty = Grid(bytes(values))
        marks = {cell: empty.candidates(cell) for cell in range(81)}
    elif not isinstance(candidates, bool | None):
        from unidoku.rating._deduction import masks_of

        marks = {cell: digits_of(mask) for cell, mask in enumerate(masks_of(candidates))}
    return values, clues, marks


def _place(place: Cell | Candidate) -> int | tuple[int, int]:
    """Parse a cell or a candidate."""
    if isinstance(place, tuple):
        return candidate_of(place)
    if isinstance(place, str) and "=" in place:
        return candidate_of(place)
    return cell_number(place)


def _corner(cell: int) -> tuple[int, int]:
    return cell % 9 * _CELL, cell // 9 * _CELL


def _mark_box(cell: int, digit: int, labels: str | None) -> tuple[float, float, float, float]:
    """Return the corner, width and height of the place of a pencil mark on a board with such labels."""
    x, y = _corner(cell)
    top = _NUMBER if labels in {"numbers", "both"} else _INSET
    height = (_CELL - _INSET - top) / 3
    return x + _INSET + (digit - 1) % 3 * _MARK, y + top + (digit - 1) // 3 * height, _MARK, height


def center_of(cell: int, digit: int, labels: str | None) -> tuple[float, float]:
    """Return the center of a pencil mark on a board with such labels, in units of 1/40 of a cell."""
    x, y, width, height = _mark_box(cell, digit, labels)
    return x + width / 2, y + height / 2


def arrow_of(link: Arrow, labels: str | None) -> tuple[str, str]:
    """Return the paths of the line and the head of the arrow of a link.

    The arrow is to the left of its direction, so that one there and one back are apart.
    """
    start, end = complex(*center_of(*link.start, labels)), complex(*center_of(*link.end, labels))
    middle = (start + end) / 2 - 1j * _BEND * _direction(start, end)
    back = _direction(end, middle)
    tail, tip = start + _RADIUS * _direction(start, middle), end + _RADIUS * back
    if not link.head:
        return f"M{_point(tail)}Q{_point(middle)} {_point(tip)}", ""
    wing = tip + _HEAD * back, 1j * _HALF_HEAD * back
    corners = tip, wing[0] - wing[1], wing[0] + wing[1]
    line = f"M{_point(tail)}Q{_point(middle)} {_point(tip + back)}"
    return line, f"M{'L'.join(map(_point, corners))}Z"


def _direction(start: complex, end: complex) -> complex:
    return (end - start) / abs(end - start)


def _point(point: complex) -> str:
    return f"{point.real:.1f} {point.imag:.1f}"


def style_sheet(colors: Sequence[str], *, black: bool) -> str:
    """Return the style sheet with light and dark colors, or black and white."""
    if black:
        marks = _BLACK_MARKS if colors else ""
        return _scope(_STYLE + _shade(2, colors) + _BLACK + marks)
    light, dark = _scope(_STYLE + _shade(0, colors)), _scope(_shade(1, colors))
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _shade(shade: int, colors: Iterable[str] = ()) -> str:
    """Return the rules for inks and colors in a shade: 0 light, 1 dark, 2 black."""
    inks = _INK_STYLE.substitute({name: shades[shade] for name, shades in INKS.items()})
    rule = 'rect[data-color="{0}"]{{fill:{1}}}g[data-color="{0}"]{{fill:{1};stroke:{1}}}'
    return inks + "".join(rule.format(name, _LINKS[name][shade]) for name in colors)


def _scope(rules: str) -> str:
    """Restrict rules to the inside of a board."""
    scoped = (f".unidoku-board {rule}".replace(",.", ",.unidoku-board .") for rule in rules.split("}")[:-1])
    return "".join(f"{rule}}}" for rule in scoped)


def _spoken(values: Sequence[int], words: Mapping[str, str]) -> str:
    """Return the rows as text for screen readers."""
    cells = [str(value or words["empty"]) for value in values]
    rows = map(" ".join, rows_of(cells))
    return " ".join(words["row"].format(row=number, cells=cells) for number, cells in enumerate(rows, 1))


@public
def link(puzzle: PuzzleLike, *, site: str = "sudokuwiki") -> str:
    """Make a link that opens a puzzle on a web site.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `unidoku.Grid` accepts it.
    site : str, optional
        The site that the link opens: ``sudokuwiki``, ``sudoku.coach``, ``sudokuexchange``, ``f-puzzles``,
        ``sudokupad`` or ``crackingthecryptic``.

    Returns
    -------
    str
        The address of a page.

    Raises
    ------
    InvalidPuzzleError
        `puzzle` is not a puzzle.
    ValueError
        The site is unknown.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> link(puzzle, site="sudoku.coach")[:46]
    'https://sudoku.coach/en/play/53007000060019500'
    """
    return link_to(one_of("site", site, SITES), Grid(puzzle).line)
