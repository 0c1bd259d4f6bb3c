"""Outputs of ``trace``, ``explain`` and ``diagnose``: text, a page, a folder of pages, the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import each_puzzle, rate_inputs
from unidoku.cli.streams import open_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.player import Playback

__all__ = ["page_of", "records_in", "write_records"]


def records_in(*formats: str) -> dict[str, Any]:
    """Return the settings of ``--to`` for records in these formats."""
    said = f"{', '.join(formats)}; with html and --output DIR/, a page per puzzle and an index.html"
    absent = f"by the suffix of --output, else {formats[0]}"
    return {"of": said, "type": click.Choice(formats), "callback": _by_suffix, "absent": absent}


def _by_suffix(ctx: click.Context, parameter: click.Parameter, to: str | None) -> str:
    """Return the format of the records: that of ``--to``, else of the output's name, else text."""
    assert isinstance(parameter.type, click.Choice)
    output = ctx.params["output"]
    named = "html" if output.endswith("/") else output.rpartition(".")[2]
    return to or (named if named in parameter.type.choices else "text")


def page_of(played: Callable[[str, int | None], Playback]) -> Callable[[str, str | None], str]:
    """Return the function that makes the page of a puzzle.

    ``played`` gives the record of a puzzle; with a number, as much as a page of so many characters has.
    A page of a folder is made for the index that lists it, a single page for None.
    """

    def page(cells: str, index: str | None) -> str:
        from unidoku.view.folder import PAGE_SIZE

        return played(cells, None if index is None else PAGE_SIZE).page(index=index)

    return page


def write_records(
    inputs: Sequence[Input],
    write: Callable[[Puzzle, TextIO, bool], None],
    page: Callable[[str, str | None], str],
    *,
    to: str,
    output: str,
    title: str,
    lang: str = "en",
    **reading: Any,
) -> int:
    """Write the record of each puzzle to an output, or a page of each to a folder; return the exit code."""
    if to == "html" and output != "-":
        from unidoku.view.folder import is_folder, write_pages

        if is_folder(output):
            options = {"page": page, "title": title, "lang": lang}
            return rate_inputs(write_pages, inputs, output, **options, **reading)

    def write_one(puzzle: Puzzle, several: bool) -> None:
        if several and to == "html":
            raise click.UsageError(
                "--to html takes one puzzle; the inputs have several: write a folder with --output DIR/."
            )
        if to == "html":
            click.echo(page(puzzle.cells, None).encode(), sink, nl=False)
        else:
            write(puzzle, sink, several)

    with open_text(output, inputs) as sink:
        return each_puzzle(inputs, write_one, **reading)
