"""Outputs of ``trace``, ``explain`` and ``diagnose``: text, a page, a folder of pages, the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import each_puzzle, rate_inputs
from unidoku.cli.options import apply
from unidoku.cli.streams import open_text
from unidoku.files.overlap import refuse_overlap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.player import Playback

__all__ = ["OUTPUT", "page_of", "write_records"]

OUTPUT = apply(
    click.option(
        "--output",
        "-o",
        default="-",
        metavar="PATH",
        help="Write to this file or URL. With --format html a folder (it exists, or PATH ends with / or has "
        "no suffix) gets a page per puzzle and an index.html that sorts them.  [default: standard output]",
    ),
    click.option(
        "--rating", metavar="COLUMN", help="Show this column of the input in index.html, and sort by it."
    ),
)


def page_of(played: Callable[[str, int | None], Playback]) -> Callable[[str, str | None], str]:
    """Return the function that makes the page of a puzzle.

    Parameters
    ----------
    played : callable
        The record of a puzzle of 81 cells; with a number, as much as a page of so many characters has.

    Returns
    -------
    callable
        Called with a puzzle of 81 cells and the index that lists the page; None for a single page, which
        has the whole record.
    """

    def page(cells: str, index: str | None) -> str:
        from unidoku.view.folder import PAGE_SIZE
        from unidoku.view.player import player_page

        return player_page(played(cells, None if index is None else PAGE_SIZE), index=index)

    return page


def write_records(
    inputs: Sequence[Input],
    write: Callable[[Puzzle, TextIO, bool], None],
    page: Callable[[str, str | None], str],
    *,
    form: str,
    output: str,
    rating: str | None,
    title: str,
    lang: str = "en",
    **reading: Any,
) -> int:
    """Write the record of each puzzle to an output, or a page of each to a folder; the exit code.

    Parameters
    ----------
    inputs : sequence of Input
    write : callable
        Called with each puzzle, the output, and whether there are several puzzles, unless `form` is html.
    page : callable
        Makes a page of the folder, as for `unidoku.view.folder.write_pages`; with None, a single page.
    form, output, rating : str
        The options ``--format``, ``--output`` and ``--rating``.
    title, lang : str
        Of the index of the folder.
    **reading
        Options of `unidoku.files.puzzles.read_puzzles`.

    Raises
    ------
    click.UsageError
        ``--rating`` is given where there is no index, or one page is asked for several puzzles.
    """
    if form == "html" and output != "-":
        from unidoku.view.folder import is_folder, write_pages

        if is_folder(output):
            options = {"page": page, "title": title, "lang": lang, "rating": rating}
            return rate_inputs(write_pages, inputs, output, **options, **reading)
    if rating is not None:
        raise click.UsageError("--rating is for the index: it needs --format html and --output DIR/.")

    def write_one(puzzle: Puzzle, several: bool) -> None:
        if several and form == "html":
            raise click.UsageError(
                "--format html takes one puzzle; the inputs have several: write a folder with --output DIR/."
            )
        if form == "html":
            click.echo(page(puzzle.cells, None).encode(), sink, nl=False)
        else:
            write(puzzle, sink, several)

    refuse_overlap(inputs, [output])
    with open_text(output) as sink:
        return each_puzzle(inputs, write_one, **reading)
