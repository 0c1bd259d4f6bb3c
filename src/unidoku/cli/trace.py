"""``unidoku trace``: the step engine's whole run, as text or JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click

__all__ = ["command"]


@click.command("trace")
@click.argument("puzzle")
@click.option(
    "--format", "form", type=click.Choice(["text", "jsonl", "html"]), default="text", show_default=True
)
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Write there, not to standard output.")
@click.option("--mode", type=click.IntRange(0, 2), default=0, help="1: groups only; 2: ply only; 0: both.")
@click.option("--steps", type=click.IntRange(0), help="Stop after so many steps.")
def command(puzzle: str, form: str, output: str | None, mode: int, steps: int | None) -> None:
    """Search PUZZLE step by step to the end and write everything that happens.

    PUZZLE is 81 cells, or - to read it from standard input. The text has the lines that the console
    prints, without the states; JSON lines have every event, also the silent ones; the HTML page shows the
    grid after every unit of work.
    """
    from unidoku.stepper import Session
    from unidoku.stepper.report import lines

    session = Session(sys.stdin.read() if puzzle == "-" else puzzle, mode=mode)
    with _sink(output) as sink:
        if form == "html":
            from unidoku.view.trace import trace_page

            sink.write(trace_page(session, steps=steps))
            return
        for event in session.stream(until=steps, solutions=None, display=False):
            if form == "jsonl":
                sink.write(json.dumps(event.to_json(), separators=(",", ":")) + "\n")
            else:
                sink.writelines(f"{line}\n" for line in lines(event))


@contextmanager
def _sink(path: str | None) -> Iterator[TextIO]:
    """The file to write to, or standard output."""
    if path is None or path == "-":
        yield sys.stdout
        sys.stdout.flush()
    else:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            yield file
