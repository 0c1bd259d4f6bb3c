"""``unidoku diagnose``: why a puzzle is not proper, or which of its clues are redundant."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, heading, inputs_argument
from unidoku.cli.options import WORDS, Number, choice, reading
from unidoku.cli.pages import OUTPUT, write_records
from unidoku.cli.terminal import must_be_ascii, print_lines

if TYPE_CHECKING:
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.craft.diagnose import Diagnosis
    from unidoku.files.puzzles import Puzzle

__all__ = ["command"]


@click.command("diagnose", cls=PuzzleCommand)
@inputs_argument()
@click.option(
    "--limit",
    type=Number(2),
    default=1000,
    show_default=True,
    metavar="N",
    help="Stop counting solutions at N, at least 2.",
)
@choice(
    "--format",
    "form",
    values=["text", "json", "html"],
    help="Print text, JSON (an object per puzzle), or a page with the boards (html).",
)
@OUTPUT
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@WORDS
@reading("--input-format")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    limit: int,
    form: str,
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
    from unidoku.craft.diagnose import diagnose
    from unidoku.craft.report import report
    from unidoku.method.report import Line, Words
    from unidoku.verdict import Verdict

    improper = False

    def diagnosed(cells: str) -> Diagnosis:
        nonlocal improper
        found = diagnose(cells, limit=limit)
        improper |= found.verdict is not Verdict.UNIQUE
        return found

    def page(cells: str, index: str | None) -> str:
        from unidoku.view.diagnose import diagnose_page

        return diagnose_page(diagnosed(cells), lang=lang, index=index)

    def write(puzzle: Puzzle, sink: TextIO, several: bool) -> None:
        found = diagnosed(puzzle.cells)
        if form == "json":
            click.echo(json.dumps(found.as_dict(), separators=(",", ":")), sink)
            return
        plain = ascii_only or must_be_ascii(lang, sink)
        title = [Line("title", f"# {heading(puzzle)}")] if several else []
        print_lines(chain(title, report(found, lang=lang, ascii_only=plain, names=names)), sink)

    title = Words(lang).say("diagnose.title")
    code = write_records(inputs, write, page, form=form, title=title, lang=lang, **options)
    ctx.exit(max(code, int(improper)))
