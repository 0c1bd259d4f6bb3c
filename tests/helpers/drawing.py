"""What is on a drawn board, by the places of its squares and texts."""

from __future__ import annotations

from xml.etree import ElementTree


def _cell_of(element: ElementTree.Element) -> int:
    """The cell, 0 to 80, that an element is in."""
    return int(element.get("y", "")) // 40 * 9 + int(element.get("x", "")) // 40


def colored(drawn: str) -> dict[str, set[int]]:
    """The colors of a board with the cells that have them."""
    found: dict[str, set[int]] = {}
    for each in ElementTree.fromstring(drawn).iter():
        if each.tag.endswith("rect") and (color := each.get("data-color")):
            found.setdefault(color, set()).add(_cell_of(each))
    return found


def digits(drawn: str, kind: str) -> dict[int, int]:
    """The digits of a board by cell, given or found."""
    every = ElementTree.fromstring(drawn).iter()
    return {_cell_of(each): int(each.text or "") for each in every if each.get("class") == kind}
