"""Pictures for PDFs in one ink, black: shapes and texts that Typst draws, as it draws no SVG in one ink."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from xml.etree import ElementTree

Style: TypeAlias = dict[str, str]
Rule: TypeAlias = tuple[list[str], Style]
Point: TypeAlias = tuple[float, float]

_RULES = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR = re.compile(
    r'(?P<tag>\w*)(?P<classes>(?:\.[\w-]+)*)(?:\[(?P<name>[\w-]+)(?:="(?P<value>\w+)")?\])?'
)
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
    styles = _Styles("".join(element.text or "" for element in root if _tag(element) == "style"))
    parts: dict[str, dict[str, Any]] = {}
    for look, items in _drawn([root], styles, {"fill": "#000"}, (-left, -top)):
        part = parts.setdefault(repr(look), {**look, "items": []})
        part["items"] += items
    return {"width": width, "height": height, "parts": [*parts.values()]}


def _tag(element: ElementTree.Element) -> str:
    """Return the tag of an element, without its namespace."""
    return element.tag.rpartition("}")[2]


class _Styles:
    """The rules of a style sheet, the strongest last, and the styles that they give to elements."""

    def __init__(self, sheet: str) -> None:
        self.rules = list[Rule]()
        self._known: dict[tuple[str, ...], Style] = {}
        for selectors, text in _RULES.findall(sheet):
            style = dict(pair.split(":", 1) for pair in text.split(";") if pair)
            self.rules += ((selector.split(), style) for selector in selectors.split(","))
        self.rules.sort(key=_strength)

    def of(self, path: Sequence[ElementTree.Element]) -> Style:
        """Return the style that the rules give to the last element of a path."""
        key = tuple(f"{each.tag} {each.get('class')} {each.get('data-color')}" for each in path)
        if key not in self._known:
            style: Style = {}
            for selector, declared in self.rules:
                if _is_selected(path, selector):
                    style |= {name: value for name, value in declared.items() if value != "inherit"}
            self._known[key] = style
        return self._known[key]


def _strength(rule: Rule) -> int:
    """Return the rank of a rule: classes and attributes count more than tags."""
    text = " ".join(rule[0])
    return 10 * (text.count(".") + text.count("[")) + len(re.findall(r"(?:^| )\w", text))


def _is_selected(path: Sequence[ElementTree.Element], selector: Sequence[str]) -> bool:
    """Return whether a selector, with its ancestors, selects the last element of a path."""
    *ancestors, last = selector
    if not _matches(path[-1], last):
        return False
    outer = [*path[:-1]]
    for each in reversed(ancestors):
        while outer and not _matches(outer[-1], each):
            outer.pop()
        if not outer:
            return False
        outer.pop()
    return True


def _matches(element: ElementTree.Element, selector: str) -> bool:
    """Return whether an element has the tag, the classes and the attribute of a simple selector."""
    wanted = _SELECTOR.fullmatch(selector)
    if wanted is None:
        return False
    if wanted["tag"] and wanted["tag"] != _tag(element):
        return False
    classes = {*wanted["classes"].split(".")} - {""}
    if not classes <= {*element.get("class", "").split()}:
        return False
    if wanted["name"] is None:
        return True
    if wanted["value"] is None:
        return wanted["name"] in element.attrib
    return element.get(wanted["name"]) == wanted["value"]


def _drawn(
    path: Sequence[ElementTree.Element], styles: _Styles, inherited: Style, origin: Point
) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield the looks of the last element of a path and of its children, each with its curve or text."""
    element = path[-1]
    own = {name: element.attrib[name] for name in _ATTRIBUTES if name in element.attrib}
    style = inherited | own | styles.of(path)
    if moved := re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
        origin = origin[0] + float(moved[1]), origin[1] + float(moved[2])
    if _tag(element) == "text":
        place = origin[0] + float(element.attrib["x"]), origin[1] + float(element.attrib["y"])
        yield _look_of_text(style), [(*place, element.text or "")]
    elif outline := _outline(element):
        look = _look_of_shape(style)
        if look:
            yield look, [*_curve(outline, origin)]
    for child in element:
        yield from _drawn([*path, child], styles, style, origin)


def _look_of_text(style: Style) -> dict[str, Any]:
    """Return the look of a text."""
    return {
        "size": float(style["font-size"].removesuffix("px")),
        "weight": int(style.get("font-weight", "400")),
        "centered": style.get("text-anchor") == "middle",
        "fill": _share(style["fill"]),
    }


def _look_of_shape(style: Style) -> dict[str, Any]:
    """Return how a shape is filled and drawn; nothing for an invisible one."""
    fill, stroke = style.get("fill", "none"), style.get("stroke", "none")
    width = float(style.get("stroke-width", "1"))
    look = dict[str, Any]()
    if fill != "none":
        look["fill"] = _share(fill)
    if stroke != "none" and width:
        dashes = [*map(float, style.get("stroke-dasharray", "").split())]
        cap = style.get("stroke-linecap", "butt")
        look["stroke"] = {"k": _share(stroke), "width": width, "dashes": dashes, "cap": cap}
    return look


def _share(color: str) -> float:
    """Return the share of black of a gray, in percent."""
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = (int(digits[k : k + 2], 16) for k in (0, 2, 4))
    return round(100 - (red + green + blue) / 7.65, 1)


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
            if letter in "zZ":
                yield "close", []
            continue
        numbers.append(float(number))
        if len(numbers) < _NUMBERS[command]:
            continue
        points = [(origin[0] + a, origin[1] + b) for a, b in zip(numbers[::2], numbers[1::2], strict=False)]
        match command:
            case "M" | "L" | "Q" | "C":
                x, y = points[-1]
            case "H":
                x = origin[0] + numbers[0]
            case "V":
                y = origin[1] + numbers[0]
            case "h":
                x += numbers[0]
            case "v":
                y += numbers[0]
            case "l":
                x, y = x + numbers[0], y + numbers[1]
        kind = {"M": "move", "Q": "quad", "C": "cubic"}.get(command, "line")
        yield kind, points if kind in {"quad", "cubic"} else [(x, y)]
        command, numbers = "L" if command == "M" else command, []
