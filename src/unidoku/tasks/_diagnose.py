"""Check: Explain why a puzzle does not have exactly one solution.

The report `diagnose`: reasons why a puzzle does not have exactly one solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, ClassVar

from unidoku._arguments import MAX_COUNT
from unidoku._cli.command import Command
from unidoku._options import LANG, Whole, option
from unidoku._task import View
from unidoku._words import Line
from unidoku.craft._diagnosis import Diagnosis, diagnose
from unidoku.tasks._shared import CELLS
from unidoku.view._diagnose import diagnose_page, diagnose_pdf, diagnosis_lines


class Diagnose(View):
    """Explain why a puzzle does not have exactly one solution.

    If a puzzle has several solutions, diagnose shows two of them, and a few more clues that leave only one.
    If it has none, diagnose shows all equal digits in a house, or a few clues that contradict each other but
    no longer do if any clue is removed.

    In both cases up to five likely typos follow: changes of one clue that leave one solution. For a proper
    puzzle, diagnose lists the redundant clues.

    The exit code is 0 if every puzzle has exactly one solution, 1 if not, 2 after an error.
    """

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "html", "pdf", "png")
    limit: int = option(1000, "Stop at N solutions of a puzzle, at least 2.", Whole(2, MAX_COUNT))
    names: str = CELLS.field(default="rc")
    lang: str = LANG.field()
    proof: bool = option(False, "Also prove a contradiction, in the notation of the book; pages always do.")

    def subject(self, cells: str) -> Diagnosis:
        """Diagnose a puzzle."""
        return diagnose(cells, limit=self.limit)

    def is_right(self, diagnosis: Diagnosis) -> bool:
        """Return whether the puzzle has exactly one solution."""
        return diagnosis.verdict == "unique"

    def text(self, diagnosis: Diagnosis, title: str) -> Iterator[Line]:
        """Yield sentences, and boards of two solutions."""
        if title:
            yield Line("title", title, style="bold")
        yield from diagnosis_lines(diagnosis, lang=self.lang, names=self.names, proof=self.proof)

    def json(self, diagnosis: Diagnosis, title: str) -> Iterator[dict[str, Any]]:
        """Yield the diagnosis as one object."""
        yield asdict(diagnosis)

    def html(self, diagnosis: Diagnosis) -> str:
        """Return the page of a diagnosis."""
        return diagnose_page(diagnosis, lang=self.lang)

    def pdf(self, diagnosis: Diagnosis) -> bytes:
        """Return the same as a PDF."""
        return diagnose_pdf(diagnosis, lang=self.lang)


COMMAND = Command(
    Diagnose,
    examples=(
        "unidoku diagnose puzzles.txt --to json",
        "unidoku diagnose quiz.txt --to html -o diagnosis.html",
    ),
)
