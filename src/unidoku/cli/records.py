"""What is known of each puzzle, as text, JSON or pages: the outputs of explain, diagnose and trace."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import each_puzzle
from unidoku.cli.run import exit_code, run_inputs
from unidoku.cli.terminal import TO_ASCII, must_be_ascii, open_text, print_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.base import PuzzleRecord
    from unidoku.method.report import Line


def formats(*names: str) -> dict[str, Any]:
    """Return the settings of ``--to`` for records in these formats."""
    said = f"{', '.join(names)}; with html and --output DIR/, a page per puzzle and an index.html"
    absent = f"by the suffix of --output, else {names[0]}"
    return {"of": said, "type": click.Choice(names), "callback": _by_suffix, "absent": absent}


def _by_suffix(ctx: click.Context, parameter: click.Parameter, to: str | None) -> str:
    """Return the format of the records: that of ``--to``, else of the output's name, else text."""
    assert isinstance(parameter.type, click.Choice)
    output = ctx.params["output"]
    named = "html" if output.endswith("/") else output.rpartition(".")[2]
    return to or (named if named in parameter.type.choices else "text")


def write_records(
    inputs: Sequence[Input],
    write: Callable[[PuzzleRecord, TextIO, bool], None],
    page: Callable[[str, str | None, int | None], str],
    *,
    to: str,
    output: str,
    title: str,
    lang: str = "en",
    **reading: Any,
) -> int:
    """Write the record of each puzzle to an output, or a page of each to a folder; return the exit code.

    ``page`` gets the cells, the name of the index that lists the page, and the number of characters after
    which it is cut off; None and None for a single page.
    """
    if to == "html" and output != "-":
        from unidoku.view.folder import PAGE_SIZE, is_folder, write_pages

        if is_folder(output):
            settings = {"title": title, "lang": lang, **reading}
            settings["page"] = lambda cells, index: page(cells, index, PAGE_SIZE)
            done = run_inputs(write_pages, inputs, output, goes_on=True, **settings)
            return exit_code(done) or min(done.invalid, 1)

    def write_one(puzzle: PuzzleRecord, several: bool) -> None:
        if to != "html":
            write(puzzle, sink, several)
        elif several:
            raise click.UsageError(
                "--to html takes one puzzle; the inputs have several: write a folder with --output DIR/."
            )
        else:
            click.echo(page(puzzle.cells, None, None).encode(), sink, nl=False)

    with open_text(output, inputs) as sink:
        return each_puzzle(inputs, write_one, **reading)


def heading(puzzle: PuzzleRecord) -> str:
    """Return the line that names a puzzle, for outputs about several puzzles."""
    return f"# {puzzle.source}:{puzzle.line} {puzzle.cells}"


def print_record(
    lines: Iterable[Line], puzzle: PuzzleRecord, sink: TextIO, several: bool, *, lang: str, ascii_only: bool
) -> None:
    """Print the lines of a record."""
    from unidoku.method.report import Line

    if must_be_ascii(sink, lang, ascii_only):
        lines = (line._replace(text=line.text.translate(TO_ASCII)) for line in lines)
    print_lines(chain([Line("title", heading(puzzle))] if several else [], lines), sink)


def print_object(value: object, sink: TextIO) -> None:
    """Print a JSON object in a line of its own."""
    import json  # not at the top: a check starts faster

    click.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), sink)
