"""The report `trace`: the search of SudokuSolver 2.6 in a puzzle.

`unidoku.trace` is in `unidoku.stepper.controller`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unidoku.declared import Report
from unidoku.options import option, shared
from unidoku.shown import shown_by
from unidoku.tasks.columns import FILTERS, LANG, words_to_show

if TYPE_CHECKING:
    from unidoku.stepper import Event, Session


@dataclass(frozen=True)
class Trace(Report):
    """Print every step of the search in each puzzle.

    The text has the messages that the console prints during the search, and the grid and the "Fine" line
    of each solution when it is found. JSON lines also have the events that the console does not print. A page
    shows the grid after every unit of work.
    """

    name: ClassVar[str] = "trace"
    formats: ClassVar[tuple[str, ...]] = ("text", "jsonl", "html")
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku trace puzzles.txt --steps 20",
        "unidoku trace quiz.txt --to html -o search.html",
    )
    mode: int = option(
        0, "Filter by groups only (1), by ply only (2) or by both (0).", least=0, most=2, metavar="0|1|2"
    )
    show: tuple[str, ...] | None = shared(words_to_show(FILTERS))
    lang: str = shared(LANG)
    steps: int | None = option(
        None, "End the search of a puzzle after N steps.", least=1, metavar="N", absent="no bound"
    )

    def of(self, cells: str) -> Session:
        """Return a session that has not begun."""
        from unidoku.stepper import Session

        return Session(cells, mode=self.mode)

    def text(self, found: Session, title: str) -> Iterator[str]:
        """Yield the lines of the program."""
        from unidoku.stepper.events import SolutionFound
        from unidoku.stepper.report import lines, solution_lines

        if title:
            yield title
        for event in self._events(found):
            if isinstance(event, SolutionFound):
                yield from solution_lines(event, lang=self.lang)
            else:
                yield from lines(event, filters=bool(self.show), lang=self.lang)

    def jsonl(self, found: Session, title: str) -> Iterator[str]:
        """Yield each event as a line of JSON; of several puzzles, first that of the loading of each."""
        import json

        from unidoku.stepper.events import QuizLoaded

        if title:
            yield json.dumps(QuizLoaded(0, 0, found.puzzle.line).as_dict(), separators=(",", ":"))
        for event in self._events(found):
            yield json.dumps(event.as_dict(), separators=(",", ":"))

    def html(self, found: Session) -> str:
        """Return the page of a search."""
        played = shown_by(found, "page")(found, steps=self.steps, lang=self.lang)
        page: str = played.page()
        return page

    def _events(self, found: Session) -> Iterator[Event]:
        return found.stream(until=self.steps, solutions=None, display=False)
