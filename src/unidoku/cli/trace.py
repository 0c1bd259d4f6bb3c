"""``unidoku trace``: the whole run of the step engine, as text, JSON lines or an HTML page."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from unidoku.cli.command import command
from unidoku.cli.inputs import heading, inputs_argument
from unidoku.cli.options import READING, options
from unidoku.cli.pages import page_of, records_in, write_records

if TYPE_CHECKING:
    from typing import TextIO

    from unidoku.cli.inputs import Input
    from unidoku.files.puzzles import Puzzle
    from unidoku.view.player import Playback

__all__ = ["trace"]


@command("trace", "unidoku trace puzzles.txt --budget 20", "unidoku trace puzzles.txt --to html -o searches/")
@inputs_argument()
@options(
    *("output", "to", "mode", "every_filter", "budget", *READING),
    to=records_in("text", "jsonl", "html"),
    budget={"of": "steps of a puzzle", "metavar": "STEPS"},
)
@click.pass_context
def trace(
    ctx: click.Context,
    /,
    inputs: list[Input],
    *,
    to: str,
    mode: int,
    every_filter: bool,
    budget: int | None,
    **options: Any,
) -> None:
    """Print every step of the search in each puzzle.

    The text has the messages that the console prints during the search, and the grid and the "Fine" line
    of each solution when it is found. JSON lines also have the events that the console does not print. A page
    shows the grid after every unit of work.

    The exit code is 0, or 1 if a record is not a puzzle, 2 after an error.
    """
    from unidoku.stepper.controller import Session, trace as trace_of
    from unidoku.stepper.events import QuizLoaded, SolutionFound
    from unidoku.stepper.report import lines, solution_lines

    def played(cells: str, size: int | None = None) -> Playback:
        from unidoku.view.trace import play_trace

        return play_trace(Session(cells, mode=mode), steps=budget, size=size)

    page = page_of(played)
    printed = partial(lines, every_filter=every_filter)

    def write(puzzle: Puzzle, sink: TextIO, several: bool) -> None:
        events = trace_of(puzzle.cells, mode=mode, budget=budget)
        if several and to == "jsonl":
            sink.write(_json(QuizLoaded(0, 0, puzzle.cells).to_json()))
        elif several:
            sink.write(f"# {heading(puzzle)}\n")
        for event in events:
            if to == "jsonl":
                sink.write(_json(event.to_json()))
            else:
                text = solution_lines(event) if isinstance(event, SolutionFound) else printed(event)
                sink.writelines(f"{line}\n" for line in text)

    ctx.exit(write_records(inputs, write, page, to=to, title="Searches, step by step", **options))


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
