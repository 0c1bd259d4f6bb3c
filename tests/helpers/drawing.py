"""Cells of a drawn board, located by the positions of its squares and texts."""

from __future__ import annotations

from xml.etree import ElementTree


def _cell_of(element: ElementTree.Element) -> int:
    """Return the cell, 0 to 80, of an element."""
    return int(element.get("y", "")) // 40 * 9 + int(element.get("x", "")) // 40


def colored(drawn: str) -> dict[str, set[int]]:
    """Return the cells of each color of a board."""
    cells: dict[str, set[int]] = {}
    for element in ElementTree.fromstring(drawn).iter():
        is_cell = element.tag.endswith("rect") and element.get("width") == "40"
        if is_cell and (color := element.get("data-color")):
            cells.setdefault(color, set()).add(_cell_of(element))
    return cells


def digits(drawn: str, kind: str) -> dict[int, int]:
    """Return the digits of a board by cell: its clues, or its other digits."""
    every = ElementTree.fromstring(drawn).iter()
    return {_cell_of(element): int(element.text or "") for element in every if element.get("class") == kind}
