"""The report `form`: the expansion form of a puzzle as text, blank or filled in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from unidoku.declared import Report
from unidoku.errors import FormatError, escape
from unidoku.options import READING, Option, shared
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
    common_options: ClassVar[tuple[str | Option, ...]] = ("output", *READING)
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

    @staticmethod
    def command(inputs: list[Any], *, checked: str | None, names: str, lang: str, **given: Any) -> int:
        """Write the form of each puzzle, or check one that was filled in by hand."""
        if checked is None:
            from unidoku.cli.run import run_report

            return run_report(Form, inputs=inputs, **given)
        from click import UsageError

        if inputs != ["-"] or given["worked"] is not None or given["output"] != "-":
            raise UsageError("--check takes a form; omit puzzles, --worked and --output.")
        return _check(checked, names=names, lang=lang)


def _check(path: str, *, names: str, lang: str) -> int:
    """Print the first wrong mark of a form, or that there is none; return the exit code."""
    import click

    from unidoku.cli.terminal import signs
    from unidoku.method import check_form
    from unidoku.method.report import Words

    with click.open_file(path, encoding="utf-8", errors="replace") as file:
        lines = list(islice(file, 10_000))
    source, words = "<stdin>" if path == "-" else path, Words(lang, names=names)
    try:
        wrong = check_form(lines, lang=lang, names=names)
    except FormatError as error:
        raise FormatError(error.message, file=source, line=error.line) from None
    text = words.say("form.right")
    if wrong is not None:
        fields = wrong._asdict() | {"cell": words.cell(wrong.cell)}
        text = f"{escape(source)}:{wrong.line}: {words.say('form.wrong', **fields)}"
    click.echo(text.translate(signs(sys.stdout, lang)))
    return int(wrong is not None)
