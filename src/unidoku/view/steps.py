"""How steps look: cells and candidates by their role, links as arrows; and the page of a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.cell import HOUSES
from unidoku.rating.report import Sentences
from unidoku.rating.step import position_of
from unidoku.view.pages import WORDS as PAGES
from unidoku.view.player import Frame, Playback
from unidoku.view.svg import ROLES, Link, routes, shape_of, svg

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unidoku.rating.path import Steps
    from unidoku.rating.step import Language, Step

WORDS = PAGES["steps"]
"""The words of the page of a path."""

MOST_LINKS = 48
"""A picture has arrows for at most so many links: of more no eye can follow one."""

_CELLS = {
    **dict.fromkeys(("pattern", "loop", "start", "pivot", "base"), "blue"),
    **dict.fromkeys(("wings", "subset", "excluders"), "purple"),
    "extra": "yellow",
}
_COLORS = {"weak": "link", "strong": "link", "inner": "purple"}


def look(step: Step) -> tuple[dict[int, str], dict[tuple[int, int], str], list[Link]]:
    """Return the colors of cells, the roles of candidates and the arrows of a step."""
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
    return cells, roles, arrows


def picture(step: Step) -> str:
    """Draw a step as SVG."""
    cells, roles, links = look(step)
    return svg(
        step,
        fill=cells,
        roles=roles,
        removed=step.eliminations,
        links=links,
        labels="rc",
        title=step.text(),
    )


def play_steps(path: Steps, *, lang: Language = "en", size: int | None = None) -> Playback:
    """Return the frames of a path, from the first step on, as much as a page of `size` characters has."""
    say = Sentences(lang)
    words = WORDS[lang]
    played = Playback(
        path.puzzle.line,
        words["title"],
        lang=lang,
        words={**words, "numbers": ""},
        legend=list(_legend(words)),
    )
    note, ends = summary(path, lang), []
    first = path[0].before if path else position_of(path.puzzle)
    played.add(Frame(list(first.values), first.masks, lines=[note]))
    for step in path:
        if size is not None and played.size > size:
            ends.append(PAGES["page"][lang]["cut"])
            break
        played.add(_frame(step, say, words))
    played.start = min(1, len(path))
    played.note = " ".join([note, *ends])
    return played


def summary(path: Steps, lang: Language = "en") -> str:
    """Return the number of the steps and the rating."""
    er, ep, ed = path.rating
    words = WORDS[lang]
    note = words["note"].format(n=len(path), er=er, ep=ep, ed=ed)
    return note if path.solved else f"{note} {words['unsolved']}"


def _frame(step: Step, say: Sentences, words: Mapping[str, str]) -> Frame:
    """Return the frame of a step: the position after it; what a chain places is shown as a candidate."""
    values, _, candidates = step.drawn_state()
    cells, roles, links = look(step)
    if not step.chains:
        filled = dict(step.placements)
        roles = {place: role for place, role in roles.items() if place[0] not in filled}
    found = routes(links, values, candidates)
    return Frame(
        list(step.after.values),
        step.after.masks,
        lines=[say.sentence(step), *say.chain_lines(step)],
        fill=cells,
        heading=f"{say.name(step)} ({step.rating})",
        status=words["rated"].format(rating=step.rating),
        roles=roles,
        arrows=[(line, head, "weak" if link.dashed else "strong") for link, line, head in found],
    )


def _legend(words: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield roles and kinds of arrows with their pictures and meanings."""
    for role in ("pattern", "extra", "on", "off"):
        yield role, f'<g class="{role}">{shape_of(ROLES[role][0], 8, 8)}</g>', words[role]
    for kind in ("strong", "weak"):
        line = '<path d="M1 8L12 8"/><path class="head" d="M16 8L11 5.5L11 10.5Z"/>'
        yield kind, f'<g class="arrow {kind}">{line}</g>', words[kind]
