"""``unidoku diagnose``: why a puzzle is not proper, or which of its clues are redundant."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import heading, inputs_argument
from unidoku.cli.options import READING, WORDS, Number, options
from unidoku.cli.pages import records_in, write_records
from unidoku.cli.terminal import must_be_ascii, print_lines

if TYPE_CHECKING:
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.craft.diagnose import Diagnosis
    from unidoku.files.puzzles import Puzzle

__all__ = ["diagnose"]


@command(
    "diagnose",
    "unidoku diagnose puzzles.txt --to json",
    "unidoku diagnose puzzles.txt --to html -o diagnoses/",
)
@inputs_argument()
@options(
    *("limit", "output", "to", *WORDS, *READING),
    limit={"of": ", at least 2", "type": Number(2), "default": 1000},
    names={"default": "rc"},
    to=records_in("text", "json", "html"),
)
@click.pass_context
def diagnose(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    limit: int,
    to: str,
    ascii_only: bool,
    lang: str,
    names: str,
    **options: Any,
) -> None:
    """Explain why a puzzle does not have exactly one solution.

    Several solutions: two of them, and a few clues that leave only one. No solution: a smallest set of
    clues that contradict each other, and the chain that shows it. One solution: the redundant clues.

    The exit code is 0 if every puzzle has exactly one solution, 1 if not, 2 after an error.
    """
    from unidoku.craft.diagnose import diagnose as diagnosis_of
    from unidoku.method.report import Line, Words
    from unidoku.verdict import Verdict
    from unidoku.view.diagnose import report

    improper = False

    def diagnosed(cells: str) -> Diagnosis:
        nonlocal improper
        found = diagnosis_of(cells, limit=limit)
        improper |= found.verdict is not Verdict.UNIQUE
        return found

    def page(cells: str, index: str | None) -> str:
        from unidoku.view.diagnose import diagnose_page

        return diagnose_page(diagnosed(cells), lang=lang, index=index)

    def write(puzzle: Puzzle, sink: TextIO, several: bool) -> None:
        found = diagnosed(puzzle.cells)
        if to == "json":
            click.echo(json.dumps(found.as_dict(), separators=(",", ":")), sink)
            return
        plain = ascii_only or must_be_ascii(lang, sink)
        title = [Line("title", f"# {heading(puzzle)}")] if several else []
        print_lines(chain(title, report(found, lang=lang, ascii_only=plain, names=names)), sink)

    title = Words(lang).say("diagnose.title")
    code = write_records(inputs, write, page, to=to, title=title, lang=lang, **options)
    ctx.exit(max(code, int(improper)))
