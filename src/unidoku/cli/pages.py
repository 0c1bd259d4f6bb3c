"""Folders of pages, which ``trace``, ``explain`` and ``diagnose`` write with ``--output``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import announce_standard_input, each_puzzle
from unidoku.cli.options import apply
from unidoku.cli.terminal import INTERRUPTED, Display, cancelled_by_interrupt, print_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unidoku.cli.inputs import Input
    from unidoku.errors import UnidokuError
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.player import Playback

__all__ = ["OUTPUT", "PLAY", "browse_first", "one_page", "write_folder", "writes_folder"]

OUTPUT = apply(
    click.option(
        "--output",
        "-o",
        metavar="PATH",
        help="Write to this file or URL. With --format html a folder (it exists, or PATH ends with / or has "
        "no suffix) gets a page per puzzle and an index.html that sorts them.  [default: standard output]",
    ),
    click.option(
        "--rating", metavar="COLUMN", help="Show this column of the input in index.html, and sort by it."
    ),
)


PLAY = click.option(
    "--play",
    "playing",
    is_flag=True,
    help="Step through the record in the terminal with the arrow keys; needs unidoku[play].",
)


def browse_first(
    inputs: Sequence[Input],
    form: str,
    output: str | None,
    played: Callable[[str], Playback],
    **reading: Any,
) -> int:
    """Show the record of a puzzle in the terminal; the exit code.

    Parameters
    ----------
    inputs : sequence of Input
        With one puzzle.
    form, output : str
        Options that make no sense here.
    played : callable
        What to show of a puzzle of 81 cells.
    **reading
        Options of `unidoku.files.puzzles.read_puzzles`.
    """
    from unidoku.play.browse import browse

    if form != "text" or output is not None:
        raise click.UsageError("--play takes neither --format nor --output.")
    if "-" in inputs:
        raise click.UsageError("--play reads keys from standard input; give a puzzle or a file.")

    def show(puzzle: Puzzle, several: bool) -> None:
        if several:
            raise click.UsageError("--play takes one puzzle; the inputs have several.")
        browse(played(puzzle.cells))

    return each_puzzle(inputs, show, **reading)


def writes_folder(form: str, output: str | None, rating: str | None) -> bool:
    """Return whether the pages go to a folder.

    Raises
    ------
    click.UsageError
        ``--rating`` is given where there is no index.
    """
    folder = False
    if form == "html" and output is not None:
        from unidoku.view.folder import is_folder

        folder = is_folder(output)
    if rating is not None and not folder:
        raise click.UsageError("--rating is for the index: it needs --format html and --output DIR/.")
    return folder


def one_page(form: str, several: bool) -> None:
    """Refuse one page for several puzzles."""
    if several and form == "html":
        raise click.UsageError(
            "--format html takes one puzzle; the inputs have several: write a folder with --output DIR/."
        )


def write_folder(
    inputs: Sequence[Input], output: str, page: Callable[[str, str], str], **options: Any
) -> int:
    """Write a page per puzzle, with a progress bar; the exit code.

    Parameters
    ----------
    inputs : sequence of Input
    output : str
    page, **options
        As for `unidoku.view.folder.write_pages`.
    """
    from unidoku.parallel import Cancel
    from unidoku.view.folder import write_pages

    announce_standard_input(inputs)
    cancel = Cancel()
    with Display() as display, cancelled_by_interrupt(cancel):

        def failed(error: UnidokuError) -> None:
            display.stop()
            print_error(error)

        done = write_pages(
            inputs, output, page, on_failure=failed, progress=display.progress, cancel=cancel, **options
        )
    if done.failures:
        return 2
    return INTERRUPTED if cancel else min(done.invalid, 1)
