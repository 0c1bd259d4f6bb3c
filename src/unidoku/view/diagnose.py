"""The page of a diagnosis: boards, words and the chain of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.craft.boards import boards
from unidoku.craft.report import report
from unidoku.method.report import Words
from unidoku.view.pages import markup, render
from unidoku.view.player import WORDS

if TYPE_CHECKING:
    from unidoku.craft.diagnose import Diagnosis
    from unidoku.method.report import Line

__all__ = ["diagnose_page"]


def diagnose_page(diagnosis: Diagnosis, *, lang: str = "en", index: str | None = None) -> str:
    """Write a diagnosis as one self-contained HTML page without a script.

    Parameters
    ----------
    diagnosis : Diagnosis
        As `unidoku.craft.diagnose.diagnose` returns it.
    lang : {"en", "zh"}
    index : str, optional
        The page of the folder that lists this one.

    Returns
    -------
    str
        Several solutions: two of them next to each other with the differing cells marked, and the clues that
        decide. No solution: the contradictory clues, and the steps that lead to the contradiction. One
        solution: the redundant clues.
    """

    def texts(chain: bool) -> list[Line]:
        lines = report(diagnosis, lang=lang, names="tagged", chain=chain)
        return [line for line in lines if line.kind != "picture"]

    title, *summary = texts(chain=False)
    return render(
        "diagnose.html",
        lang=lang,
        title=f"{Words(lang).say('diagnose.title')}: {diagnosis.puzzle.line}",
        heading=title.text,
        index=index,
        words=WORDS[lang],
        summary=summary,
        chain=texts(chain=True)[1 + len(summary) :],
        boards=[
            drawn._replace(svg=markup(drawn.svg)) for drawn in boards(diagnosis, lang=lang, labels="both")
        ],
    )
