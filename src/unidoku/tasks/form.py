"""The report `form`: the expansion form of a puzzle as text, blank or filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from unidoku.options import Option, shared
from unidoku.task import Report
from unidoku.tasks.columns import CELLS, LANG, WORKED


@dataclass(frozen=True)
class Form(Report):
    """Write the expansion form of the numerical-analysis method as text, or check one.

    The form has nine entries for each cell, one for each component; (5) is a given. Fill it in by hand:
    replace a digit by the mark of what zeroed it (I7, J39, G12), or by a value with the mark of its
    conversion (8@G). Then --check names the first mark that the others do not justify, and what would be
    right.

    The exit code is 0, or 1 if a mark is wrong or a record is not a puzzle, 2 after an error.
    """

    name: ClassVar[str] = "form"
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku form quiz.txt -o form.txt",
        "unidoku form --check form.txt",
    )
    command_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "Check this form instead, a text file (- for standard input), and name the first wrong mark.",
            flags=("--check",),
            metavar="FORM",
            name="checked",
        ),
        CELLS,
        LANG,
    )
    worked: int | None = shared(WORKED)

    def of(self, cells: str) -> Any:
        """Return the puzzle, or the state after a step of the method."""
        from unidoku.method import explain

        return cells if self.worked is None else explain(cells).after(self.worked)

    def text(self, found: Any, title: str) -> Iterator[str]:
        """Yield the lines of the form."""
        from unidoku.method import text_form

        if title:
            yield title
        yield from text_form(found)
