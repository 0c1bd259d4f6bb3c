"""Solve and explain: Explain each puzzle step by step, or play it on a page.

The report `explain`: a solution by the steps of Sudoku Explainer, or by the book's method.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from typing import Any, ClassVar, Self

from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult
from unidoku._cli.terminal import print_message
from unidoku._options import LANG, POSITIVE, Choice, CommandOptions, option
from unidoku._task import View
from unidoku._words import Line, say
from unidoku.errors import ArgumentError, Message, UnidokuError
from unidoku.method import Order, Record, explain
from unidoku.method._report import report_lines
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import SolutionPath, Step, path_of
from unidoku.tasks._shared import BLACK, CELLS, UNITS, words_to_show
from unidoku.view._explain import play, summary
from unidoku.view._pages import Playback
from unidoku.view._step import hint_page, hint_pdf, picture

_SHOW = {
    "grids": "of pencil marks",
    "marks": "grids with marks of zeroes, 118 columns",
    "matrices": "NA, KH, MMK, NAK where nothing converts, or in JSON always",
    "every-step": "after every step",
    "numbering": "numbers of cells, first",
}
_OF_BOOK = ("--method book",)
_DRAWN = ("--to html", "--to svg", "--to pdf", "--to png", "--open")


class Explain(View):
    """Explain each puzzle step by step, or play it on a page.

    The steps are the steps of Sudoku Explainer, easiest technique first. A puzzle with no or
    several solutions has no steps; diagnose says more about it. JSON output has one object per puzzle. On a
    page (--open, or -o steps.html) you can read the steps, or play the puzzle with these steps as hints.

    --method book explains by the numerical-analysis method (docs/words.md). On a terminal the text has one
    line per conversion, rule and preset; --full and --show print the full text. The explanation of a puzzle
    with several solutions ends where presets would begin. The options of this method need --method book.
    """

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "html", "svg", "pdf", "png")
    method: str = option(
        "steps",
        "Explain by the steps of Sudoku Explainer (steps) or by the numerical-analysis method (book).",
        Choice(["steps", "book"]),
    )
    step: int | None = option(None, "Show only step N; -o step.svg draws it.", POSITIVE)
    full: bool | None = option(
        None,
        "Print every link or zeroing with its reasons, and the book's grids (full), or one line per step.",
        flags=("--full/--short",),
        show_default="short on a terminal, full elsewhere",
    )
    show: tuple[str, ...] | None = words_to_show(_SHOW, show_default="grids").field(needs=_OF_BOOK)
    names: str = CELLS.field(needs=_OF_BOOK)
    units: tuple[str, ...] = UNITS.field(needs=_OF_BOOK)
    black: bool = BLACK.field(needs=_DRAWN)
    lang: str = LANG.field()

    def __post_init__(self) -> None:
        """Refuse grids with --short, and a step of the book's method."""
        super().__post_init__()
        if not self._is_book:
            return
        if self.step:
            raise ArgumentError(Message("--step works only with --method steps; omit it"))
        if self.full is False and self._shows_grids:
            raise ArgumentError(Message("--short prints no grids; omit --show, except for numbering"))

    @property
    def _is_book(self) -> bool:
        return self.method == "book"

    @property
    def takes_positions(self) -> bool:  # type: ignore[override]
        """Whether the steps begin from the candidates of a text; the book's method begins from clues."""
        return not self._is_book

    @property
    def _shows_grids(self) -> bool:
        """Whether --show requests more than one line per step."""
        return self.show is not None and {*self.show} != {"numbering"}

    def on_terminal(self) -> Self:
        """Return the report with one line per step, unless an option requests more."""
        if self.full is not None or self._shows_grids:
            return self
        return replace(self, full=False)

    def subject(self, cells: str) -> Record | SolutionPath | Step:
        """Solve a puzzle by the method."""
        if not self._is_book:
            path = path_of(cells)
            if self.step is None:
                return path
            if self.step > (count := len(path.deductions)):
                text = "there is no step {number}; the last step is {count}"
                raise ArgumentError(Message(text, number=self.step, count=count))
            return path.step(self.step, self.lang)
        return explain(cells, Order(units=self.units))

    def text(self, solved: Any, title: str) -> Iterator[Line]:
        """Yield one line per step, or the whole text."""
        if title:
            yield Line("title", title, style="bold")
        if isinstance(solved, Step):
            yield Line("step", str(solved))
            return
        is_short = self.full is False
        if self._is_book:
            show = ("grids",) if self.show is None else self.show
            yield from report_lines(solved, lang=self.lang, names=self.names, show=show, short=is_short)
            return
        words = Sentences(self.lang)
        sentence_of = words.sentence if is_short else words.whole
        if solved.deductions:
            yield Line("names", words.reading(solved.deductions))
        for step in solved.deductions:
            yield Line("step", sentence_of(step).replace("\n", "\n    "))
        yield Line("end", "\n".join(filter(None, summary(solved, self.lang))), style="bold")

    def json(self, solved: Any, title: str) -> Iterator[dict[str, Any]]:
        """Yield all steps as one object."""
        if self._is_book:
            yield solved.as_dict(matrices="matrices" in (self.show or ()))
            return
        lang: Any = self.lang
        yield asdict(solved if isinstance(solved, Step) else solved.steps(lang))

    def html(self, solved: Any) -> str:
        """Return the page that plays the steps, or that shows one."""
        if self.step:
            return hint_page(solved, lang=self.lang, black=self.black)
        return self._played(solved).page()

    def svg(self, solved: Any) -> str:
        """Return the picture of a step."""
        if not self.step:
            raise ArgumentError(Message("a picture shows one step; add --step N"))
        return picture(solved, lang=self.lang, with_legend=True, black=self.black)

    def pdf(self, solved: Any) -> bytes:
        """Return the steps in words, or one with its picture, as a PDF."""
        if self.step:
            return hint_pdf(solved, lang=self.lang, black=self.black)
        return self._played(solved).pdf()

    def png(self, solved: Any) -> str | bytes:
        """Return the picture of a step, or the PDF of all."""
        return self.svg(solved) if self.step else self.pdf(solved)

    def _played(self, solved: Any) -> Playback:
        playback = play(solved, lang=self.lang)
        playback.black = self.black
        return playback


class _ExplainOptions(CommandOptions):
    open: bool = option(False, "Show the page in the browser.")


def command(call: Call[Explain, _ExplainOptions]) -> CommandResult:
    """Write the explanations, or show one as a page in the browser."""
    if not call.own.open:
        return call.report()
    if call.output == "-":
        call.output = os.path.join(gettempdir(), f"unidoku-{token_hex()}.html")  # a name nobody guesses
    call.options = replace(call.options, to="html")
    outcome, page = call.report(), Path(call.path).absolute()
    if page.exists():
        import webbrowser  # not at the top: it is needed seldom

        if not webbrowser.open(page.as_uri()):
            raise UnidokuError(Message("no browser was found; open this file yourself"), file=call.path)
        print_message(say("the page is {name}", name=call.path))
    return outcome


COMMAND = Command(
    Explain,
    examples=(
        "unidoku explain quiz.txt --to html -o steps.html",
        "unidoku explain puzzles.txt --method book --show none",
    ),
    function=command,
    own=_ExplainOptions,
)
