"""The commands that solve puzzles, or show how they are solved."""

from __future__ import annotations

import sys
from functools import partial
from io import TextIOWrapper
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.cli.inputs import Input, each_puzzle, shown_puzzle
from unidoku.cli.options import READING, RUNNING, take
from unidoku.cli.run import exit_code, print_seed, run_all, run_report, seed_for, values_checked
from unidoku.cli.tasks import by_hand
from unidoku.cli.terminal import (
    Messages,
    check_suffix,
    open_text,
    print_message,
    print_some,
    refuse_terminal,
    signs,
)
from unidoku.errors import DIAGNOSE, FormatError, InvalidPuzzleError, UnidokuError, escape

if TYPE_CHECKING:
    from unidoku.batch import PuzzleRecord
    from unidoku.view.sheets import Printed


@by_hand("solve", "output", "to", *RUNNING)
def solve(inputs: list[Input], *, output: str, to: str | None, **options: Any) -> int:
    """Write the solutions; on a terminal, draw that of one puzzle."""
    from unidoku.files.formats import output_format
    from unidoku.run.task import run_file
    from unidoku.tasks.check import Check
    from unidoku.tasks.solve import Solve

    puzzle = shown_puzzle(inputs, output, options | {"to": to})
    if puzzle and not options["quiet"] and unidoku.check(puzzle) is unidoku.Verdict.MULTIPLE:
        print_message(f"note: this is one of several solutions; {DIAGNOSE}")
    if puzzle and sys.stdout.isatty() and (solution := unidoku.solve(puzzle)) is not None:
        click.echo(solution)
        return 0
    only_solutions = output_format(output, to, rows=True).suffix == ".txt"
    solving = partial(run_file, Solve() if only_solutions else Check(), to=to)
    done = run_all(solving, inputs, output, **options)
    return exit_code(done) or int(done.invalid + done.none > 0)


@by_hand("form", "output", *READING)
def form(inputs: list[Input], *, checked: str | None, names: str, lang: str, **given: Any) -> int:
    """Write the form of each puzzle, or check one that was filled in by hand."""
    from unidoku.tasks.form import Form

    if checked is None:
        return run_report(Form, inputs=inputs, **given)
    if inputs != ["-"] or given["worked"] is not None or given["output"] != "-":
        raise click.UsageError("--check takes a form; omit puzzles, --worked and --output.")
    return _check_form(checked, names=names, lang=lang)


def _check_form(path: str, *, names: str, lang: str) -> int:
    """Print the first wrong mark of a form, or that there is none; return the exit code."""
    from unidoku.method import check_form
    from unidoku.method.report import Words

    with click.open_file(path, encoding="utf-8", errors="replace") as file:
        lines = list(islice(file, 10_000))
    source, words = "<stdin>" if path == "-" else path, Words(lang, names=names)
    try:
        wrong = check_form(lines, lang=lang, names=names)
    except FormatError as error:
        raise FormatError(error.message, file=source, line=error.line) from None
    text = words.say("form.right")
    if wrong is not None:
        fields = wrong._asdict() | {"cell": words.cell(wrong.cell)}
        text = f"{escape(source)}:{wrong.line}: {words.say('form.wrong', **fields)}"
    click.echo(text.translate(signs(sys.stdout, lang)))
    return int(wrong is not None)


@by_hand("console", argument=click.Argument(["quiz"], required=False, metavar="[FILE|PUZZLE]"))
def console(quiz: str | None, *, show: tuple[str, ...]) -> int:
    """Read orders and obey them."""
    from unidoku.stepper.console import Console

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    shell = Console(time="time" in show, every_filter="filters" in show, level_step="level-step" in show)
    if quiz is not None:
        shell.obey(f"load-quiz {quiz}")
    shell.run()
    return 0


@by_hand("print", "output", *READING)
def print(
    inputs: list[Input],
    *,
    output: str,
    solutions: bool,
    heading: str,
    generated: int | None,
    seed: int | None,
    **options: Any,
) -> int:
    """Write a page of puzzles, or of new ones."""
    from unidoku.rating.se121 import REASONS
    from unidoku.run.summary import SHOWN
    from unidoku.tasks.print import BOOKLET
    from unidoku.view.pages import BELOW
    from unidoku.view.sheets import Printed, sheets

    refuse_terminal(output, "an HTML page")
    puzzles: list[Printed] = []
    improper: list[UnidokuError] = []

    def keep(puzzle: PuzzleRecord, _: str) -> None:
        grid = unidoku.Grid(puzzle.cells)
        verdict = unidoku.check(grid)
        if not verdict:
            reason = f"{REASONS[verdict]}; {DIAGNOSE}"
            improper.append(InvalidPuzzleError(reason, file=puzzle.source, line=puzzle.line))
        solution = unidoku.solve(grid) if solutions and verdict else None
        puzzles.append(Printed(grid, "".join(puzzle.extra.values()), solution=solution))

    check_suffix(output, ".html", ".htm", more="; open it in a browser to print it, or to save it as PDF")
    booklet = [each.name for each in BOOKLET]
    request, reading = take(options, booklet), take(options, READING)
    drawn = None
    if generated is not None:
        if inputs != ["-"]:
            raise click.UsageError("--generate takes no inputs.")
        chosen, drawn = seed_for(seed)
        with values_checked():
            made = unidoku.generate(generated, seed=chosen, **request)
        puzzles += [Printed(grid, solution=unidoku.solve(grid)) for grid in map(unidoku.Grid, made)]
    with open_text(output, inputs, lines=False) as page:
        code = 0 if generated else each_puzzle(inputs, keep, names=heading != "number", **reading)
        print_some("note", improper[:SHOWN], len(improper), "puzzles without exactly one solution")
        if heading != "number":
            ratings = unidoku.rate_many([each.grid for each in puzzles], below=BELOW)
            puzzles = [one._replace(rating=each or None) for one, each in zip(puzzles, ratings, strict=True)]
        with values_checked():
            for piece in sheets(puzzles, ratings=heading == "rating", **options):
                click.echo(piece.encode(), page, nl=False)
    print_seed(drawn, Messages(options["lang"]))
    return code
