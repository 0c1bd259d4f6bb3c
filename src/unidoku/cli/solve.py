"""The commands that solve puzzles, or show how they are solved."""

from __future__ import annotations

import sys
from functools import partial
from io import TextIOWrapper
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.cli.inputs import Input, cells_of, each_puzzle, only_puzzle, refuse_empty
from unidoku.cli.options import BOOKLET, NOT_EMPTY, READING, RUNNING, command, refuse, take
from unidoku.cli.run import exit_code, print_seed, run_all, values_checked
from unidoku.cli.tasks import with_task
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
from unidoku.options import CELLS, Option, words_to_show
from unidoku.tasks.columns import FILTERS

if TYPE_CHECKING:
    from unidoku.batch import PuzzleRecord
    from unidoku.view.sheets import Printed

_PICTURES = {".svg": "svg", ".png": "png", ".txt": "text"}
"""The formats of a drawing, by their suffixes."""

_LABELS = Option(
    "Call the cells by the numbers of their rows and columns (rc), 1 to 81 (numbers), both, or nothing "
    "(none).",
    choices=("rc", "numbers", "both", "none"),
    flags=CELLS.flags,
    name="names",
    default="rc",
)


@with_task("solve", "output", "to", *RUNNING)
def solve(inputs: list[Input], *, output: str, to: str | None, **options: Any) -> int:
    """Write the solutions; on a terminal, draw that of one puzzle."""
    from unidoku.files.formats import output_format
    from unidoku.run.task import run_file
    from unidoku.tasks.check import Check
    from unidoku.tasks.solve import Solve

    puzzle = only_puzzle(inputs, output != "-", to, options["format"], options["column"], options["strict"])
    if puzzle and not options["quiet"] and unidoku.check(puzzle) is unidoku.Verdict.MULTIPLE:
        print_message(f"note: this is one of several solutions; {DIAGNOSE}")
    if puzzle and sys.stdout.isatty() and (solution := unidoku.solve(puzzle)) is not None:
        click.echo(solution)
        return 0
    only_solutions = output_format(output, to, rows=True).suffix == ".txt"
    solving = partial(run_file, Solve() if only_solutions else Check(), to=to)
    done = run_all(solving, inputs, output, **options)
    return exit_code(done) or int(done.invalid + done.none > 0)


@command(
    *("checked", "worked", "output", "names", "lang", *READING),
    examples=("unidoku form quiz.txt -o form.txt", "unidoku form --check form.txt"),
)
def form(
    inputs: list[Input],
    *,
    checked: str | None,
    worked: int | None,
    output: str,
    names: str,
    lang: str,
    **options: Any,
) -> int:
    """Write the expansion form of the book as text, or check one.

    The form has nine entries for each cell, one for each component; (5) is a given. Fill it in by hand: in
    place of a digit the mark of what zeroed it (I7, J39, G12), or a value with the mark of its conversion
    (8@G). Then --check names the first mark that the others do not justify, and what should stand there.

    The exit code is 0, or 1 if a mark is wrong or a record is not a puzzle, 2 after an error.
    """
    from unidoku.method import explain as record_of, text_form

    if checked is not None:
        if inputs != ["-"] or worked is not None or output != "-":
            raise click.UsageError("--check takes a form; omit puzzles, --worked and --output.")
        return _check_form(checked, names=names, lang=lang)

    def write(puzzle: PuzzleRecord, title: str) -> None:
        replaced = signs(sink, "en")
        state = puzzle.cells if worked is None else record_of(puzzle.cells).after(worked)
        for line in [*([title] if title else []), *text_form(state)]:
            sink.write(f"{line.translate(replaced)}\n")

    check_suffix(output, ".txt")
    with open_text(output, inputs) as sink:
        return each_puzzle(inputs, write, **options)


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


@command(
    words_to_show(
        {
            "time": "the run time",
            **FILTERS,
            "level-step": "after a run and after levels, the step at which the biggest level was reached",
        },
        absent="time",
    ),
    examples=("unidoku console", "unidoku console quiz.txt --show none"),
    argument=click.Argument(["quiz"], required=False, metavar="[FILE|PUZZLE]"),
)
def console(quiz: str | None, *, show: tuple[str, ...] | None) -> int:
    """Run the SudokuSolver 2.6 shell.

    FILE holds a quiz to load first: nine lines of nine cells or one line of 81, with or without blanks, 0 or
    a dot for an empty cell. A PUZZLE of 81 cells is loaded as it is.

    An empty order lists the orders of SudokuSolver 2.6, help lists the others, bye ends the shell.
    """
    from unidoku.stepper.console import Console

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    what = ("time",) if show is None else show
    shell = Console(time="time" in what, every_filter="filters" in what, level_step="level-step" in what)
    if quiz is not None:
        shell.obey(f"load-quiz {quiz}")
    shell.run()
    return 0


@command(
    *("output", "to", "candidates"),
    _LABELS,
    "size",
    *NOT_EMPTY,
    examples=(
        "unidoku draw quiz.txt --candidates --to text",
        "unidoku draw quiz.txt --size 1000 -o board.png",
    ),
    argument=click.Argument(["puzzle"], default="-", metavar="[FILE|PUZZLE]"),
    to={
        "of": ", ".join(_PICTURES.values()),
        "choices": tuple(_PICTURES.values()),
        "absent": "by the suffix of --output, otherwise text on a terminal and svg elsewhere",
    },
)
def draw(
    puzzle: str,
    *,
    output: str,
    to: str | None,
    names: str,
    size: int,
    candidates: bool,
    **options: Any,
) -> int:
    """Draw a puzzle: as a picture, SVG or PNG, or as text.

    PNG needs unidoku[png]. Text has no labels and no size; all commands read it, with --candidates as pencil
    marks.

    The exit code is 0, or 2 after an error.
    """
    from unidoku.view import png, svg, text

    if to is None:
        suffix = check_suffix(output, *_PICTURES, more=", or --to FORMAT")
        absent = "text" if output == "-" and sys.stdout.isatty() else "svg"
        to = _PICTURES.get(suffix, absent)
    if to != "text":
        refuse_terminal(output, "a picture")
    found = cells_of([puzzle], 2, **options)
    refuse_empty(len(found), [puzzle], empty=False)
    if len(found) > 1:
        raise click.UsageError("draw takes one puzzle; the inputs have several.")
    shown: dict[str, Any] = {"candidates": candidates, "labels": None if names == "none" else names}
    grid = unidoku.Grid(found[0])
    with values_checked():
        if to == "text":
            drawn = f"{text(grid, candidates=candidates)}\n".encode()
        else:
            drawn = (
                png(grid, size=size, scale=1, **shown)
                if to == "png"
                else svg(grid, size=size, **shown).encode()
            )
    with open_text(output, [puzzle], lines=False) as file:
        click.echo(drawn, file, nl=False)
    return 0


@command(
    *("output", "solutions", "per_page", "candidates", "paper", "title", "blank", "worked"),
    *("arrangement", "heading", "lang", "generated", "seed", *BOOKLET, *READING),
    examples=(
        "unidoku print puzzles.txt -o sheets.html --title 'Rainy Sunday' --solutions",
        "unidoku print --generate 24 --difficulty easy --heading difficulty -o booklet.html",
    ),
)
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
    """Write puzzles as an HTML page that is ready to print.

    Open the page in a browser and print it, or save it as PDF. Above each puzzle are its number, its name
    (from a column name or title of the input), its difficulty and its rating, as rate gives them, up to 9.0;
    with --heading number, only the number. A puzzle without exactly one solution has no solution printed, and
    a note names it. --generate makes a booklet of new puzzles.
    """
    from unidoku.craft.seeds import seed_of
    from unidoku.rating.se121 import REASONS
    from unidoku.run.summary import SHOWN
    from unidoku.view.pages import BELOW
    from unidoku.view.sheets import Printed, sheets

    if not options["blank"] and options["worked"] is None:
        refuse(("arrangement",), without="--blank or --worked")
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
    request, reading = take(options, BOOKLET), take(options, READING)
    if generated is None:
        refuse(("seed", *BOOKLET), without="--generate")
    elif inputs != ["-"]:
        raise click.UsageError("--generate takes no inputs.")
    drawn = seed_of(None) if generated is not None and seed is None else None
    if generated is not None:
        with values_checked():
            made = unidoku.generate(generated, seed=seed if drawn is None else drawn, **request)
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
