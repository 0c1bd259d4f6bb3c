"""Links that open the position before each step of a record on a web site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.links import CANDIDATE_SITES, link
from unidoku.method.report import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unidoku.method.record import Record

__all__ = ["step_links"]

_KINDS = {"convert", "extended", "subset", "preset"}


def step_links(
    record: Record, site: str = "sudokuwiki", *, lang: str = "en", names: str = "rc"
) -> Iterator[tuple[str, str]]:
    """Links to the steps of a record, so that each can be studied on a web site.

    Parameters
    ----------
    record : Record
    site : str
        One of `unidoku.links.CANDIDATE_SITES`: the other sites show no candidates.
    lang : {"en", "zh"}
    names : {"rc", "numbers"}
        How the sentences call cells.

    Yields
    ------
    (str, str)
        For each conversion, extended zeroing, subset and preset the link to the position just before it, with
        found digits and the candidates that are left; and its sentence.

    Raises
    ------
    ValueError
        The site shows no candidates.
    """
    if site not in CANDIDATE_SITES:
        raise ValueError(f"{site} shows no candidates; choose from {', '.join(CANDIDATE_SITES)}")
    replay = record.replay()
    for step in steps(record, lang=lang, names=names):
        if step.kind in _KINDS:
            values, givens, marks = replay.state.drawn_state()
            yield link(values, site, givens=givens, candidates=marks), step.text
        for _ in step.events:
            replay.forward()
