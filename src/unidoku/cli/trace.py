"""``unidoku trace``: the whole run of the step engine, as text, JSON lines or an HTML page."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.inputs import PuzzleCommand, heading, inputs_argument
from unidoku.cli.options import EVERY_FILTER, Number, choice, reading
from unidoku.cli.pages import OUTPUT, page_of, write_records

if TYPE_CHECKING:
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.player import Playback

__all__ = ["command"]


@click.command("trace", cls=PuzzleCommand)
@inputs_argument()
@choice(
    "--format",
    "form",
    values=["text", "jsonl", "html"],
    help="Write the messages of the console (text), every event as JSON (jsonl), or a page that shows the "
    "grid after every unit of work (html).",
)
@OUTPUT
@click.option(
    "--mode",
    type=click.IntRange(0, 2),
    default=0,
    metavar="0|1|2",
    help="Filter by groups only (1), by ply only (2) or by both (0).  [default: 0]",
)
@EVERY_FILTER
@click.option("--steps", type=Number(0), metavar="N", help="Stop after N steps.  [default: no limit]")
@reading("--input-format")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    form: str,
    mode: int,
    every_filter: bool,
    steps: int | None,
    **options: Any,
) -> None:
    """Print every step of the search in each puzzle.

    The text has the messages that the console prints during the search, and the grid and the "Fine" line
    of each solution when it is found. JSON lines also have the events that the console does not print.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.stepper import Session
    from unidoku.stepper.events import QuizLoaded, SolutionFound
    from unidoku.stepper.report import lines, solution_lines

    def played(cells: str, size: int | None = None) -> Playback:
        from unidoku.view.trace import play_trace

        return play_trace(Session(cells, mode=mode), steps=steps, size=size)

    page = page_of(played)
    printed = partial(lines, every_filter=every_filter)

    def write(puzzle: Puzzle, sink: TextIO, several: bool) -> None:
        session = Session(puzzle.cells, mode=mode)
        if several and form == "jsonl":
            sink.write(_json(QuizLoaded(0, 0, puzzle.cells).to_json()))
        elif several:
            sink.write(f"# {heading(puzzle)}\n")
        for event in session.stream(until=steps, solutions=None, display=False):
            if form == "jsonl":
                sink.write(_json(event.to_json()))
            else:
                text = solution_lines(event) if isinstance(event, SolutionFound) else printed(event)
                sink.writelines(f"{line}\n" for line in text)

    ctx.exit(write_records(inputs, write, page, form=form, title="Searches, step by step", **options))


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
