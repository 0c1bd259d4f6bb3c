"""How steps look: cells by their role in colors, candidates in shapes, links as arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unidoku.cell import HOUSES
from unidoku.view.board import Link, board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unidoku.rating.position import Position
    from unidoku.rating.step import Step

__all__ = ["MOST_LINKS", "Look", "look", "picture", "picture_of_mistakes"]

MOST_LINKS = 48
"""A picture has arrows for at most so many links: of more no eye can follow one."""

_CELLS = {
    "pattern": "blue",
    "loop": "blue",
    "start": "blue",
    "wings": "purple",
    "pivot": "blue",
    "subset": "purple",
    "base": "blue",
    "excluders": "purple",
    "extra": "yellow",
}
_COLORS = {"weak": "link", "strong": "link", "inner": "purple"}


class Look(NamedTuple):
    """The colors of cells, the roles of candidates and the arrows of a step."""

    cells: dict[int, str]
    roles: dict[tuple[int, int], str]
    links: list[Link]


def look(step: Step) -> Look:
    """Return how a step looks."""
    cells: dict[int, str] = {}
    for role in ("house", "other", "base"):
        for house in step.houses.get(role, ()):
            cells.update(dict.fromkeys(HOUSES[house], "gray"))
    for role, some in step.cells.items():
        cells.update(dict.fromkeys(some, _CELLS[role]))
    for cell, _ in step.placements:
        cells[cell] = "green"
    roles: dict[tuple[int, int], str] = {}
    for role in ("off", "on", "pattern", "subset", "extra"):
        shape = "pattern" if role == "subset" else role
        roles.update(dict.fromkeys(step.candidates.get(role, ()), shape))
    roles.update(dict.fromkeys(step.placements, "placed"))
    links = step.links if len(step.links) <= MOST_LINKS else ()
    arrows = [Link(link.start, link.end, _COLORS[link.kind], link.kind != "strong") for link in links]
    return Look(cells, roles, arrows)


def picture(step: Step, *, size: int | None = None) -> str:
    """Draw a step as SVG."""
    values, clues, candidates = step.drawn_state()
    cells, roles, links = look(step)
    return board(
        values,
        clues,
        candidates=candidates,
        fill=dict(cells.items()),
        roles=roles,
        removed=step.eliminations,
        links=links,
        labels="rc",
        size=size,
        title=step.text(),
    )


def picture_of_mistakes(
    position: Position, digits: Sequence[tuple[int, int]], marks: Sequence[int], *, size: int | None = None
) -> str:
    """Draw a position with its mistakes as SVG."""
    values, clues, candidates = position.drawn_state()
    wrong = dict.fromkeys([*(cell for cell, _ in digits), *marks], "red")
    return board(values, clues, candidates=candidates, fill=dict(wrong.items()), labels="rc", size=size)
