"""Links that open the positions before the steps of a record on a web site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.errors import UnidokuError
from unidoku.method.record import Record
from unidoku.method.report import sentences
from unidoku.tasks.link import CANDIDATE_SITES, link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unidoku.rating.path import Steps
    from unidoku.tasks.link import Site
    from unidoku.words import Language

_KINDS = {"convert", "extended", "subset", "preset"}


def step_links(
    record: Steps | Record, *, site: Site = "sudokuwiki", lang: Language = "en"
) -> Iterator[tuple[str, str]]:
    """Yield a link to the position before each step, and the step's sentence.

    Parameters
    ----------
    record : Steps or Record
        Of `unidoku.steps`, or of the book's method.
    site : str
        One of sudokuwiki, fpuzzles and sudokupad; the other sites show no candidates.
    lang : {"en", "zh"}, optional
        The language of the sentences.

    Raises
    ------
    ValueError
        The site shows no candidates, or the language is unknown.
    """
    if site not in CANDIDATE_SITES:
        raise UnidokuError(f"{site} shows no candidates; choose from {', '.join(CANDIDATE_SITES)}")
    positions: Iterator[tuple[Any, str]]
    if isinstance(record, Record):
        told = sentences(
            record, lang=lang, names="rc"
        )  # one after the other: the state is that of the last one
        positions = ((each.state, each.text) for each in told if each.kind in _KINDS)
    else:
        positions = ((step.before, step.text(lang)) for step in record)
    for position, text in positions:
        values, givens, marks = position.drawn_state()
        yield link(values, site=site, givens=givens, candidates=marks), text
