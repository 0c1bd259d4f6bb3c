"""Draw a Sudoku board as SVG, from plain values.

`unidoku.view.svg` is the public function; objects that draw themselves in a notebook call `board`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from unidoku.view.arrows import RADIUS, Box, Router, head_of, line_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

__all__ = ["COLORS", "ROLES", "Cage", "Link", "board", "routes"]

CELL = 40  # units of the view box
_SIDE = 9 * CELL
_MARK = CELL / 3
_EDGE = 2
_BIG = 8.5, 10.5  # half the width and height of a digit, and of a small one, with a margin
_SMALL = 3.9, 4.7
_LABELS = 20
_NUMBER = 6

#: Named colors of fills and links: light, dark.
COLORS = {
    "green": ("#bfe6c4", "#24512c"),
    "blue": ("#cfe2ff", "#223f6b"),
    "yellow": ("#ffe9b0", "#5c440c"),
    "red": ("#f8c4c0", "#702823"),
    "purple": ("#e3d0f5", "#4b2d6b"),
    "gray": ("#e4e7ea", "#333a42"),
}
_LINK_COLORS = {"link": ("#a0211a", "#ffa79d")}

#: The roles of candidates in a step: the shape around each and its color.
ROLES = {
    "pattern": ("square", "blue"),
    "extra": ("diamond", "purple"),
    "on": ("circle", "green"),
    "off": ("ring", "yellow"),
    "placed": ("double", "green"),
}

_CSS = (
    (".paper", "fill", "#ffffff", "#171b20"),
    (".thin", "stroke", "#b8c0c8", "#48515a"),
    (".thick", "stroke", "#1d2733", "#e4e8ec"),
    (".given", "fill", "#1d2733", "#e4e8ec"),
    (".found", "fill", "#0a4fbd", "#a8c7fa"),
    (".mark", "fill", "#4d5661", "#b4bdc6"),
    (".removed", "fill", "#a0211a", "#ffa79d"),
    (".strike", "stroke", "#a0211a", "#ffa79d"),
    (".outline", "stroke", "#4d5661", "#b4bdc6"),
    (".cage", "stroke", "#4d5661", "#b4bdc6"),
    (".label", "fill", "#4d5661", "#b4bdc6"),
)


class Link(NamedTuple):
    """An arrow from one candidate, a cell and a digit, to another."""

    start: tuple[int, int]
    end: tuple[int, int]
    color: str = "link"
    dashed: bool = False


class Cage(NamedTuple):
    """A dashed outline around some cells, with a text in its first cell."""

    cells: tuple[int, ...]
    label: str = ""


def board(
    values: Sequence[int],
    givens: Sequence[int] | None = None,
    *,
    candidates: Mapping[int, Collection[int]] | None = None,
    fill: Mapping[int | tuple[int, int], str] | None = None,
    roles: Mapping[tuple[int, int], str] | None = None,
    removed: Collection[tuple[int, int]] = (),
    links: Iterable[Link] = (),
    cages: Iterable[Cage] = (),
    labels: str | None = None,
    size: int | None = None,
    colors: Mapping[str, str] | None = None,
    style: str = "",
    title: str = "Sudoku",
) -> str:
    """Draw a board."""
    candidates = candidates or {}
    colors = dict(colors or {})
    links = list(links)
    fills = dict(fill or {})
    struck = set(removed)
    margin = _LABELS if labels in {"rc", "both"} else _EDGE
    top = _NUMBER if labels in {"numbers", "both"} else 0
    extent = _SIDE + margin + _EDGE
    pixels = "" if size is None else f' width="{size}" height="{size}"'
    used = {*fills.values(), *(link.color for link in links)}
    used.update(ROLES[role][1] for role in (roles or {}).values())
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku-board" role="img"{pixels} '
        f'viewBox="{-margin} {-margin} {extent} {extent}">',
        f"<title>{escape(title)}</title><desc>{_spoken(values)}</desc>",
        f"<style>{_style_sheet(colors, used)}{_safe_css(style)}</style>",
        f'<rect class="paper" x="{-margin}" y="{-margin}" width="{extent}" height="{extent}"/>',
    ]
    for place, color in fills.items():
        cell, digit = place if isinstance(place, tuple) else (place, 0)
        x, y, side = (*_corner(cell), CELL) if not digit else (*_mark_corner(cell, digit, top), _MARK)
        out.append(f'<rect {_paint(color, colors)} x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}"/>')
    out.append(f'<path class="thin" d="{_lines(range(1, 9))}"/>')
    out.append(f'<path class="thick" d="{_lines((0, 3, 6, 9))}"/>')
    out += [_cage(cage) for cage in cages]
    out += [_shape(place, role, top) for place, role in (roles or {}).items()]
    for cell, value in enumerate(values):
        x, y = _corner(cell)
        if top:
            out.append(f'<text class="label" x="{x + 3}" y="{y + 7}">{cell + 1}</text>')
        if value:
            kind = "found" if givens is not None and not givens[cell] else "given"
            out.append(f'<text class="{kind}" x="{x + CELL / 2:g}" y="{y + 29}">{value}</text>')
            continue
        gone = {digit for place, digit in struck if place == cell}
        for digit in sorted({*candidates.get(cell, ()), *gone}):
            out.append(_mark(cell, digit, top, gone=digit in gone))
    shown = {cell: {*candidates.get(cell, ()), *(d for c, d in struck if c == cell)} for cell in range(81)}
    for link, line, head in routes(links, values, shown, top):
        dash = ' stroke-dasharray="4 3"' if link.dashed else ""
        paint = _paint(link.color, colors, stroke=True)
        out.append(f'<g class="link" {paint}><path d="{line}"{dash}/><path class="head" d="{head}"/></g>')
    if margin == _LABELS:
        for k in range(9):
            middle = CELL * k + CELL // 2
            out.append(f'<text class="label side" x="{middle}" y="-7">{k + 1}</text>')
            out.append(f'<text class="label side" x="-10" y="{middle + 5}">{k + 1}</text>')
    return "".join([*out, "</svg>"])


def _corner(cell: int) -> tuple[int, int]:
    return cell % 9 * CELL, cell // 9 * CELL


def _mark_corner(cell: int, digit: int, top: int) -> tuple[float, float]:
    """Return the corner of a pencil mark; ``top`` is the height of the cell's number."""
    x, y = _corner(cell)
    return x + (digit - 1) % 3 * _MARK, y + top + (digit - 1) // 3 * (CELL - top) / 3


def _lines(places: Iterable[int]) -> str:
    return "".join(f"M{CELL * k} 0V{_SIDE}M0 {CELL * k}H{_SIDE}" for k in places)


def _mark(cell: int, digit: int, top: int, *, gone: bool) -> str:
    x, y = _mark_corner(cell, digit, top)
    middle, base = x + _MARK / 2, y + (CELL - top) / 6 + (3.4 if top else 4)
    text = f'<text class="{"removed" if gone else "mark"}" x="{middle:.4g}" y="{base:.4g}">{digit}</text>'
    if not gone:
        return text
    across = f"M{x + 2:.4g} {y + _MARK - 2:.4g}L{x + _MARK - 2:.4g} {y + 2:.4g}"
    return f'{text}<path class="strike" d="{across}"/>'


def routes(
    links: Iterable[Link], values: Sequence[int], candidates: Mapping[int, Collection[int]], top: int = 0
) -> Iterator[tuple[Link, str, str]]:
    """Yield each link with the paths of its arrow, line and head, which cross none but its own digits."""
    boxes, router = [], None
    for link in links:
        if link.start == link.end:
            continue
        if router is None:
            for cell in range(81):
                if values[cell]:
                    x, y = _corner(cell)
                    boxes.append(_box((x + CELL / 2, y + CELL / 2), _BIG))
                boxes += [
                    _box(_center(cell, d, top), _SMALL) for d in candidates.get(cell, ()) if not values[cell]
                ]
            lines = [_MARK * k for k in range(28)]
            downs = {CELL * row + top + (CELL - top) / 3 * k for row in range(9) for k in range(4)}
            router = Router(lines, sorted({0, *(round(y, 6) for y in downs)}), boxes)
        way = router.way(_center(*link.start, top), _center(*link.end, top))
        yield link, line_of(way), head_of(way)


def _center(cell: int, digit: int, top: int) -> tuple[float, float]:
    """Return the center of a pencil mark."""
    x, y = _mark_corner(cell, digit, top)
    return x + _MARK / 2, y + (CELL - top) / 6


def _box(center: tuple[float, float], half: tuple[float, float]) -> Box:
    (x, y), (width, height) = center, half
    return Box(x - width, y - height, x + width, y + height)


def _shape(place: tuple[int, int], role: str, top: int) -> str:
    """Draw the shape around a candidate."""
    (x, y), (shape, color) = _center(*place, top), ROLES[role]
    return f'<g class="role" data-color="{color}">{shape_of(shape, x, y)}</g>'


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


def _cage(cage: Cage) -> str:
    """Draw dashed lines inside the borders between the cage and other cells."""
    inside = set(cage.cells)
    inset = 3
    path = []
    for cell in sorted(inside):
        row, column = divmod(cell, 9)

        def member(down: int, right: int, row: int = row, column: int = column) -> bool:
            r, c = row + down, column + right
            return 0 <= r < 9 and 0 <= c < 9 and 9 * r + c in inside

        x, y = _corner(cell)
        left, right = (x - inset if member(0, -1) else x + inset), x + CELL
        right = right + inset if member(0, 1) else right - inset
        top, bottom = (y - inset if member(-1, 0) else y + inset), y + CELL
        bottom = bottom + inset if member(1, 0) else bottom - inset
        if not member(-1, 0):
            path.append(f"M{left} {y + inset}H{right}")
        if not member(1, 0):
            path.append(f"M{left} {y + CELL - inset}H{right}")
        if not member(0, -1):
            path.append(f"M{x + inset} {top}V{bottom}")
        if not member(0, 1):
            path.append(f"M{x + CELL - inset} {top}V{bottom}")
    drawn = f'<path class="cage" d="{"".join(path)}"/>'
    if cage.label and inside:
        x, y = _corner(min(inside))
        drawn += f'<text class="label" x="{x + 5}" y="{y + 12}" >{escape(cage.label)}</text>'
    return drawn


def _paint(color: str, colors: Mapping[str, str], *, stroke: bool = False) -> str:
    """Return the attributes for a color: the class of a named color, else the color itself."""
    if color in COLORS or color in _LINK_COLORS:
        return f'data-color="{color}"'
    value = escape(colors.get(color, color), quote=True)
    return f'style="stroke:{value};fill:{value}"' if stroke else f'style="fill:{value}"'


def _style_sheet(colors: Mapping[str, str], used: Collection[str]) -> str:
    """Return the style sheet: light and dark colors; a color of the caller replaces both."""
    light = [
        "text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;font-size:24px;text-anchor:middle}",
        ".given{font-weight:700}.thin{stroke-width:1;fill:none}.thick{stroke-width:3;stroke-linecap:square;fill:none}",
        ".mark{font-size:11px}.removed{font-size:11px}.strike{stroke-width:1.2}.label{font-size:7.5px}text.side{font-size:13px}",
        "text.label:not(.side){text-anchor:start}.cage{fill:none;stroke-dasharray:4 3}",
        ".link path{stroke-width:1.4;fill:none}.link .head{stroke-width:0;fill:inherit}",
        ".outline{stroke-width:1.1;fill:inherit}.ring{stroke-dasharray:2 1.4}.thick-line{stroke-width:2}",
    ]
    dark = []
    for selector, attribute, by_day, by_night in _CSS:
        own = colors.get(selector[1:])
        light.append(f"{selector}{{{attribute}:{_safe_css(own or by_day)}}}")
        if own is None:
            dark.append(f"{selector}{{{attribute}:{by_night}}}")
    for name, (by_day, by_night) in {**COLORS, **_LINK_COLORS}.items():
        if name in used:
            own = colors.get(name)
            rule = f'rect[data-color="{name}"]{{fill:%s}}g[data-color="{name}"]{{fill:%s;stroke:%s}}'
            light.append(rule % (3 * (_safe_css(own or by_day),)))
            if own is None:
                dark.append(rule % (3 * (by_night,)))
    night = f"@media (prefers-color-scheme:dark){{{_scoped(dark)}}}" if dark else ""
    return _scoped(light) + night


def _scoped(rules: list[str]) -> str:
    """Restrict rules to the inside of a board."""
    return "".join(f".unidoku-board {rule}}}" for rule in "".join(rules).split("}")[:-1])


def _safe_css(text: str) -> str:
    """Escape CSS so that it cannot close the style element."""
    return text.replace("<", "")


def _spoken(values: Sequence[int]) -> str:
    """Return the rows as text for screen readers."""
    rows = (
        f"Row {row + 1}: "
        + " ".join(str(value) if value else "empty" for value in values[9 * row : 9 * row + 9])
        for row in range(9)
    )
    return ". ".join(rows) + "."
