"""Pictures for PDFs in one ink, black: shapes and texts that Typst draws, as it draws no SVG in one ink."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from xml.etree import ElementTree

Style: TypeAlias = dict[str, str]
Point: TypeAlias = tuple[float, float]

_RULES = re.compile(r"([^{}]+)\{([^{}]*)\}")
_DECLARATIONS = re.compile("([^:;]+):((?!inherit)[^;]+)")
_PATH = re.compile(r"([a-zA-Z])|(-?\.?\d[\d.]*)")
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "h": 1, "v": 1, "l": 2, "Q": 4, "C": 6}
"""The numbers of each command of a path; Z has none."""
_ARC = 0.5523  # of a radius: a curve that is a quarter of a circle
_ATTRIBUTES = ("fill", "stroke", "stroke-dasharray")


def one_ink(picture: str) -> dict[str, Any]:
    """Return a picture without colours, an SVG of `unidoku`, as shapes and texts in shares of black.

    All shapes of one look are a part, with the curves of their outlines; so are all texts of one look, with
    their places. Parts are in the order of their first shapes and texts.
    """
    root = ElementTree.fromstring(picture)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    rules: dict[str, Style] = {}  # by selector, without what an element inherits anyway
    for element in root.findall("{*}style"):
        for selectors, text in _RULES.findall(str(element.text)):
            for selector in selectors.split(","):
                name = selector.removeprefix(".unidoku-board ")
                rules[name] = rules.get(name, {}) | dict(_DECLARATIONS.findall(text))
    parts: dict[str, dict[str, Any]] = {}
    for look, items in _drawn([root], rules, {"fill": "#000"}, (-left, -top)):
        part = parts.setdefault(repr(look), {**look, "items": []})
        part["items"] += items
    return {"width": width, "height": height, "parts": [*parts.values()]}


def _tag(element: ElementTree.Element) -> str:
    """Return the tag of an element, without its namespace."""
    return element.tag.rpartition("}")[2]


def _style_of(path: Sequence[ElementTree.Element], rules: Mapping[str, Style]) -> Style:
    """Return the style of the last element of a path: by its tag, classes, color, and those around it."""
    element, style = path[-1], Style()
    tag, kinds = _tag(element), element.get("class", "").split()
    names = [tag, *(f".{kind}" for kind in kinds), *(f"{tag}.{kind}" for kind in kinds)]
    selectors = [*names, f'{tag}[data-color="{element.get("data-color")}"]']
    selectors += [f"{name}[data-color]" for name in names]
    selectors += [f".{outer.get('class')} {name}" for outer in path[:-1] for name in names]
    for selector in selectors:
        style |= rules.get(selector, {})
    return style


def _drawn(
    path: Sequence[ElementTree.Element], rules: Mapping[str, Style], inherited: Style, origin: Point
) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield the looks of the last element of a path and of its children, each with its curve or text."""
    element = path[-1]
    own = {name: element.attrib[name] for name in _ATTRIBUTES if name in element.attrib}
    style = inherited | own | _style_of(path, rules)
    if moved := re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
        origin = origin[0] + float(moved[1]), origin[1] + float(moved[2])
    if _tag(element) == "text":
        place = origin[0] + float(element.attrib["x"]), origin[1] + float(element.attrib["y"])
        look: dict[str, Any] = {
            "size": float(style["font-size"].removesuffix("px")),
            "weight": int(style.get("font-weight", "400")),
            "centered": style.get("text-anchor") == "middle",
            "fill": _share(style["fill"]),
        }
        yield look, [(*place, element.text or "")]
    elif outline := _outline(element):
        fill, stroke = style.get("fill", "none"), style.get("stroke", "none")
        width, look = float(style.get("stroke-width", "1")), {}
        if fill != "none":
            look["fill"] = _share(fill)
        if stroke != "none" and width:
            dashes = [*map(float, style.get("stroke-dasharray", "").split())]
            cap = style.get("stroke-linecap", "butt")
            look["stroke"] = {"k": _share(stroke), "width": width, "dashes": dashes, "cap": cap}
        if look:  # otherwise it is invisible
            yield look, [*_curve(outline, origin)]
    for child in element:
        yield from _drawn([*path, child], rules, style, origin)


def _share(color: str) -> float:
    """Return the share of black of a gray such as ``#999``, in percent."""
    return round(100 - 17 * sum(int(digit, 16) for digit in color[1:]) / 7.65, 1)


def _outline(element: ElementTree.Element) -> str:
    """Return the outline of a shape as a path; nothing for another element."""
    values: Mapping[str, str] = element.attrib
    match _tag(element):
        case "path":
            return values["d"]
        case "rect":
            x, y = values.get("x", "0"), values.get("y", "0")
            return f"M{x} {y}h{values['width']}v{values['height']}h-{values['width']}Z"
        case "circle":
            r = float(values["r"])
            c = _ARC * r
            return (
                f"M{-r} 0C{-r} {-c} {-c} {-r} 0 {-r}C{c} {-r} {r} {-c} {r} 0"
                f"C{r} {c} {c} {r} 0 {r}C{-c} {r} {-r} {c} {-r} 0Z"
            )
    return ""


def _curve(outline: str, origin: Point) -> Iterator[tuple[str, list[Point]]]:
    """Yield the parts of a path: move, line, quad and cubic with their points, and close."""
    x = y = 0.0
    command, numbers = "", list[float]()
    for letter, number in _PATH.findall(outline):
        if letter:
            command, numbers = letter, []
            if letter in "Zz":
                yield "close", []
            continue
        numbers.append(float(number))
        if len(numbers) < _NUMBERS[command]:
            continue
        left, top = (x, y) if command.islower() else origin
        points = [(left + a, top + b) for a, b in zip(numbers[::2], numbers[1::2], strict=False)]
        if command in "Hh":
            points = [(left + numbers[0], y)]
        elif command in "Vv":
            points = [(x, top + numbers[0])]
        x, y = points[-1]
        yield {"M": "move", "Q": "quad", "C": "cubic"}.get(command, "line"), points
        numbers = []
