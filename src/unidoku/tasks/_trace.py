"""Solve and explain: Print every step of the search in each puzzle.

The report `trace`: every step of SudokuSolver 2.6 in a puzzle.

`unidoku.stepper.trace` is in `unidoku.stepper._controller`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from unidoku._cli.command import Command
from unidoku._options import LANG, POSITIVE, Whole, option
from unidoku._task import View
from unidoku.stepper import Session, events
from unidoku.stepper.report import lines, solution_lines
from unidoku.tasks._shared import BLACK, FILTERS, words_to_show
from unidoku.view._pages import Playback
from unidoku.view._trace import play_trace


class Trace(View):
    """Print every step of the search in each puzzle.

    The text has the messages that the console prints during the search, and a grid and a "Fine" line for each
    solution. JSON lines also have the events that the console does not print. A page shows the grid after
    every unit of work.
    """

    formats: ClassVar[tuple[str, ...]] = ("text", "jsonl", "html", "pdf", "png")
    mode: int = option(
        0, "Filter by groups only (1), by ply only (2) or by both (0).", Whole(0, 2), metavar="0|1|2"
    )
    show: tuple[str, ...] | None = words_to_show(FILTERS).field()
    black: bool = BLACK.field(needs=("--to html", "--to pdf", "--to png"))
    lang: str = LANG.field()
    steps: int | None = option(
        None, "End the search of a puzzle after N steps.", POSITIVE, show_default="no limit"
    )

    def subject(self, cells: str) -> Session:
        """Return a session at its beginning."""
        return Session(cells, mode=self.mode)

    def text(self, session: Session, title: str) -> Iterator[str]:
        """Yield the messages of the console."""
        if title:
            yield title
        for event in self._events(session):
            if isinstance(event, events.SolutionFound):
                yield from solution_lines(event, lang=self.lang)
            else:
                yield from lines(event, filters=bool(self.show), lang=self.lang)

    def jsonl(self, session: Session, title: str) -> Iterator[str]:
        """Yield a line of JSON for each event; of several puzzles, also for the load of each."""
        if title:
            yield events.QuizLoaded(0, 0, session.puzzle.line).json_line()
        for event in self._events(session):
            yield event.json_line()

    def html(self, session: Session) -> str:
        """Return the page of a search."""
        return self._played(session).page()

    def pdf(self, session: Session) -> bytes:
        """Return a search in words as a PDF."""
        return self._played(session).pdf()

    def _played(self, session: Session) -> Playback:
        playback = play_trace(session, steps=self.steps, lang=self.lang)
        playback.black = self.black
        return playback

    def _events(self, session: Session) -> Iterator[events.Event]:
        return session.stream(until=self.steps, solutions=None, display=False)


COMMAND = Command(
    Trace,
    examples=(
        "unidoku trace puzzles.txt --steps 20",
        "unidoku trace quiz.txt --to html -o search.html",
    ),
)
