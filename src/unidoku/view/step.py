"""A step or a hint as a picture."""

from __future__ import annotations

from unidoku.cell import HOUSES, HOUSES_OF, candidate_of, cell_number
from unidoku.rating.deduction import SINGLES, Deduction
from unidoku.rating.step import Hint, Step, deduction_from, position_before
from unidoku.view.svg import Link, svg


def crosshatch(step: Deduction) -> tuple[set[int], set[int]]:
    """Return the cells of the houses that exclude, and among them the cells whose digits do.

    Of several digits that exclude the same cells, those in the fewest houses are chosen. Candidates that an
    earlier step removed have none.
    """
    ((cell, digit),) = step.placements
    values = step.before.values
    exclusions: dict[int, dict[int, int]]  # by house: each cell or digit, and the cell that excludes it
    if step.technique == "naked single":
        exclusions = {
            house: {values[peer]: peer for peer in HOUSES[house] if values[peer]} for house in HOUSES_OF[cell]
        }
    else:
        (area,) = step.houses["house"]
        empty = {peer for peer in HOUSES[area] if not values[peer]} - {cell}
        exclusions = {
            house: dict.fromkeys(empty.intersection(cells), peer)
            for house, cells in enumerate(HOUSES)
            for peer in cells
            if values[peer] == digit
        }
    lines: set[int] = set()
    excluders: set[int] = set()
    excluded: set[int] = set()
    while exclusions:  # the house comes next that excludes the most of what no house before it does
        house = max(exclusions, key=lambda house: len(exclusions[house].keys() - excluded))
        targets = exclusions[house].keys() - excluded
        if not targets:
            break
        lines.update(HOUSES[house])
        excluders.update(exclusions[house][target] for target in targets)
        excluded |= targets
    return lines, excluders


MOST_LINKS = 48
"""The most links for which a picture has arrows: nobody can follow more."""

_CELLS = {
    **dict.fromkeys(("pattern", "loop", "start", "pivot", "base"), "blue"),
    **dict.fromkeys(("wings", "subset", "excluders"), "purple"),
    "extra": "yellow",
}
_COLORS = {"weak": "link", "strong": "link", "inner": "purple"}


def look(
    step: Deduction, *, most_links: int = MOST_LINKS
) -> tuple[dict[int, str], dict[tuple[int, int], str], list[Link]]:
    """Return the colors of cells, the roles of candidates and its arrows, none if there are more."""
    cells: dict[int, str] = {}
    for role in ("house", "other", "base"):
        for house in step.houses.get(role, ()):
            cells.update(dict.fromkeys(HOUSES[house], "gray"))
    if step.technique in SINGLES:
        lines, excluders = crosshatch(step)
        cells |= dict.fromkeys(lines, "yellow") | dict.fromkeys(excluders, "orange")
    for role, group in step.cells.items():
        cells.update(dict.fromkeys(group, _CELLS[role]))
    roles: dict[tuple[int, int], str] = {}
    for role in ("off", "on", "pattern", "subset", "extra"):
        shape = "pattern" if role == "subset" else role
        roles.update(dict.fromkeys(step.candidates.get(role, ()), shape))
    if step.chains:  # a chain ends at the candidate that it places; other steps show the digit
        roles.update(dict.fromkeys(step.placements, "placed"))
    else:
        filled = dict(step.placements)
        cells.update(dict.fromkeys(filled, "green"))
        roles = {place: role for place, role in roles.items() if place[0] not in filled}
    links = step.links if len(step.links) <= most_links else ()
    arrows = [
        Link(link.start, link.end, _COLORS[link.kind], link.kind != "strong")
        for link in links
        if link.start != link.end
    ]
    return cells, roles, arrows


def picture(step: Step | Hint, *, size: int | None = 400, lang: str = "en") -> str:
    """Draw a step, or the mistakes of a hint.

    Parameters
    ----------
    step : Step or Hint
        As `unidoku.steps`, `unidoku.all_steps` or `unidoku.hint` return it.
    size : int or None
        As for `svg`.
    lang : {"en", "zh"}
        The language of the texts for screen readers, beside the sentence of the step.

    Returns
    -------
    str
        One ``<svg>`` element. A step shows its pattern, and what it removes or places; up to 48 links of its
        chains are arrows.
    """
    if step.technique is None:
        cells = [*(candidate_of(name)[0] for name in step.wrong_digits), *map(cell_number, step.wrong_marks)]
        fill = dict.fromkeys(cells, "red")
        return svg(position_before(step), fill=fill, labels="rc", size=size, title=step.sentence, lang=lang)
    deduction = deduction_from(step)
    fill, roles, links = look(deduction)
    position = deduction.before
    return svg(
        position if deduction.chains else position.after(deduction.placements, ()),
        fill=fill,
        roles=roles,
        removed=deduction.eliminations,
        links=links,
        labels="rc",
        size=size,
        title=step.sentence,
        lang=lang,
    )
