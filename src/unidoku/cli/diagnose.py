"""``unidoku diagnose``: why a puzzle is not proper, or which of its clues are redundant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, each_puzzle, heading, inputs_argument
from unidoku.cli.options import WORDS, Number, reading
from unidoku.cli.pages import OUTPUT, one_page, write_folder, writes_folder
from unidoku.cli.streams import open_text
from unidoku.cli.terminal import console_for, must_be_ascii, print_lines
from unidoku.files.overlap import refuse_overlap

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
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
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
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
    output: str | None,
    rating: str | None,
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

    if writes_folder(form, output, rating):
        from unidoku.view.diagnose import diagnose_page

        improper = 0

        def page(cells: str, index: str) -> str:
            nonlocal improper
            found = diagnose(cells, limit=limit)
            improper += found.verdict is not Verdict.UNIQUE
            return diagnose_page(found, lang=lang, index=index)

        assert output is not None
        title = Words(lang).say("diagnose.title")
        code = write_folder(inputs, output, page, title=title, lang=lang, rating=rating, **options)
        ctx.exit(code or min(improper, 1))

    def print_diagnosis(puzzle: Puzzle, several: bool) -> int:
        one_page(form, several)
        found = diagnose(puzzle.cells, limit=limit)
        if form == "json":
            click.echo(json.dumps(found.as_dict(), separators=(",", ":")), sink)
        elif form == "html":
            from unidoku.view.diagnose import diagnose_page

            click.echo(diagnose_page(found, lang=lang).encode(), sink)
        else:
            console = console_for(sink)
            if several:
                print_lines([Line("title", f"# {heading(puzzle)}")], console)
            plain = ascii_only or must_be_ascii(lang, sink)
            print_lines(report(found, lang=lang, ascii_only=plain, names=names), console)
        return 0 if found.verdict is Verdict.UNIQUE else 1

    refuse_overlap(inputs, [output])
    with open_text(output) as sink:
        code = each_puzzle(inputs, print_diagnosis, **options)
    ctx.exit(code)
