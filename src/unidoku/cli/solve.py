"""The commands that solve puzzles, or show how they are solved."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import partial
from io import TextIOWrapper
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.cli.inputs import Input, cells_of, each_puzzle, only_puzzle, refuse_empty
from unidoku.cli.options import (
    BOOKLET,
    READING,
    RUNNING,
    WORDS,
    command,
    number,
    options,
    refuse,
    some_of,
    take,
)
from unidoku.cli.run import (
    exit_code,
    formats,
    print_object,
    run_all,
    used_seed,
    values_checked,
    write_records,
)
from unidoku.cli.tasks import with_task
from unidoku.cli.terminal import (
    check_suffix,
    open_text,
    print_lines,
    print_message,
    print_some,
    refuse_terminal,
    signs,
)
from unidoku.errors import DIAGNOSE, FormatError, InvalidPuzzleError, UnidokuError, escape
from unidoku.links import SITES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from unidoku.puzzles import PuzzleRecord
    from unidoku.view.links import Site
    from unidoku.view.sheets import Printed
    from unidoku.words import Language

_BOOK = ("show", "names", "theorems", "budget")
"""The options of the book's method only."""

_PICTURES = {".svg": "svg", ".png": "png", ".txt": "text"}
"""The formats of a drawing, by their suffixes."""

_FILTERS = '"No shrink happened" for a filter that finds nothing'
_DIGITS = bytes.maketrans(bytes(range(10)), b"0123456789")


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
    "unidoku explain puzzles.txt --to html -o explained/",
    "unidoku explain puzzles.txt --method book --show none",
)
@options(
    *("method", "output", "to", "full", "show", *WORDS, "theorems", "budget", *READING),
    to=formats("text", "json", "html", "library"),
    show=some_of(
        {
            "grids": "of pencil marks",
            "marks": "grids with the mark of every zero, 118 columns wide",
            "matrices": "NA, KH, MMK and NAK where nothing converts; in JSON after every step",
            "every-step": "the same after every step",
            "numbering": "first the numbers I, II, JJ and KG of every cell",
        },
        absent="grids",
    ),
    budget={"of": "presets of a puzzle, 0 for none", "type": number(0), "default": 10_000},
)
def explain(inputs: list[Input], *, method: str, **options: Any) -> int:
    """Explain each puzzle, step by step.

    The steps are those that Sudoku Explainer takes, from the easiest technique on. A puzzle with no or
    several solutions has no steps; diagnose says more about it. JSON output has one object per puzzle.

    --method book explains by the numerical-analysis method. On a terminal the text has one line per
    conversion, rule and preset; --full and --show print the full text there. A puzzle with several solutions
    is explained up to the point where presets would begin. --to library has the singles and locked candidates
    as lines of a HoDoKu library. An option that is for this method only is an error without it.
    """
    if method == "book":
        return _explain_by_book(inputs, **options)
    refuse(_BOOK, without="--method book")
    take(options, _BOOK)
    if options["to"] == "library":
        raise click.UsageError("--to library needs --method book.")
    return _explain_by_steps(inputs, **options)


def _is_short(full: bool | None, output: str) -> bool:
    """Return whether a report has one line per step: if asked to, and by default on a terminal."""
    return not full if full is not None else output == "-" and sys.stdout.isatty()


def _explain_by_steps(
    inputs: list[Input], *, full: bool | None, ascii_only: bool, lang: Language, **options: Any
) -> int:
    """Write the steps of Sudoku Explainer."""
    from unidoku.method.report import Line
    from unidoku.rating.report import Sentences
    from unidoku.view.explain import play_steps, summary
    from unidoku.words import table

    words = Sentences(lang)
    say = words.sentence if _is_short(full, options["output"]) else words.whole

    def page(cells: str, index: str | None, size: int | None) -> str:
        return play_steps(unidoku.steps(cells), lang=lang, size=size).page(index=index)

    def write(cells: str, sink: TextIO, title: str) -> None:
        path = unidoku.steps(cells)
        if options["to"] == "json":
            er, ep, ed = path.rating
            data = {"puzzle": cells, "er": er, "ep": ep, "ed": ed}
            print_object({**data, "steps": [step.as_dict(lang) for step in path]}, sink)
            return
        told = (Line("step", say(step).replace("\n", "\n    ")) for step in path)
        lines = chain([Line("names", words.reading(path))], told, [Line("end", summary(path, lang))])
        print_lines(lines, sink, title, lang=lang, ascii_only=ascii_only)

    return write_records(inputs, write, page, title=table(lang)["steps"]["title"], lang=lang, **options)


def _explain_by_book(
    inputs: list[Input],
    *,
    full: bool | None,
    ascii_only: bool,
    names: str,
    lang: str,
    show: frozenset[str] | None,
    **options: Any,
) -> int:
    """Write the records of the numerical-analysis method."""
    from unidoku.files.formats.library import format_line
    from unidoku.method.record import Order, library_lines
    from unidoku.method.report import Words, report
    from unidoku.method.rules import explain as record_of

    what = {"grids"} if show is None else show
    shown: dict[str, Any] = {
        "names": names,
        "matrices": "matrices" in what,
        "every_step": "every-step" in what,
        "marks": "marks" in what,
        "numbering": "numbering" in what,
        "pictures": not what.isdisjoint(("grids", "marks")),
    }
    details = show is not None and show != {"numbering"}
    if full is False and details:
        raise click.UsageError("--short prints no grids: omit --show, except for numbering.")
    short = _is_short(True if details else full, options["output"])
    theorems: Any = tuple(map(int, options.pop("theorems")))
    record = partial(record_of, order=Order(theorems), presets=options.pop("budget"))

    def page(cells: str, index: str | None, size: int | None) -> str:
        from unidoku.view.explain import play_record

        return play_record(record(cells), lang=lang, size=size).page(index=index)

    def write(cells: str, sink: TextIO, title: str) -> None:
        found = record(cells)
        if options["to"] == "json":
            print_object(found.as_dict(matrices=shown["matrices"]), sink)
        elif options["to"] == "library":
            for line in library_lines(found):
                click.echo(format_line(line), sink)
        else:
            lines = report(found, lang=lang, short=short, **shown)
            print_lines(lines, sink, title, lang=lang, ascii_only=ascii_only)

    return write_records(inputs, write, page, title=Words(lang).say("title"), lang=lang, **options)


@command("unidoku form quiz.txt -o form.txt", "unidoku form --check form.txt")
@options("checked", "worked", "output", *WORDS, *READING)
def form(
    inputs: list[Input],
    *,
    checked: str | None,
    worked: int | None,
    output: str,
    ascii_only: bool,
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
        return _check_form(checked, names=names, lang=lang, ascii_only=ascii_only)

    def write(puzzle: PuzzleRecord, title: str) -> None:
        replaced = signs(sink, "en", ascii_only)
        state = puzzle.cells if worked is None else record_of(puzzle.cells).after(worked)
        for line in [*([title] if title else []), *text_form(state)]:
            sink.write(f"{line.translate(replaced)}\n")

    check_suffix(output, ".txt")
    with open_text(output, inputs) as sink:
        return each_puzzle(inputs, write, **options)


def _check_form(path: str, *, names: str, lang: str, ascii_only: bool) -> int:
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
    click.echo(text.translate(signs(sys.stdout, lang, ascii_only)))
    return int(wrong is not None)


@command("unidoku trace puzzles.txt --budget 20", "unidoku trace puzzles.txt --to html -o searches/")
@options(
    *("output", "to", "mode", "guess_mode", "show", "lang", "budget", *READING),
    to=formats("text", "jsonl", "html"),
    show=some_of({"filters": _FILTERS}),
    budget={"of": "steps of a puzzle", "metavar": "STEPS"},
)
def trace(
    inputs: list[Input],
    *,
    mode: int,
    guess_mode: str,
    show: frozenset[str] | None,
    budget: int | None,
    lang: Language,
    **options: Any,
) -> int:
    """Print every step of the search in each puzzle.

    The text has the messages that the console prints during the search, and the grid and the "Fine" line
    of each solution when it is found. JSON lines also have the events that the console does not print. A page
    shows the grid after every unit of work.
    """
    from unidoku.stepper.events import QuizLoaded, SolutionFound
    from unidoku.stepper.guess import GUESSERS
    from unidoku.stepper.report import Search, lines, solution_lines

    guess = GUESSERS.get(guess_mode)

    def page(cells: str, index: str | None, size: int | None) -> str:
        from unidoku.view.explain import play_trace

        session = unidoku.Session(cells, mode=mode, guess=guess)
        return play_trace(session, steps=budget, lang=lang, size=size).page(index=index)

    def texts(cells: str, title: str) -> Iterator[str]:
        import json  # not at the top: other commands start faster

        events = unidoku.trace(cells, mode=mode, guess=guess, budget=budget)
        if options["to"] == "jsonl":
            first = [QuizLoaded(0, 0, cells)] if title else []
            for event in chain(first, events):
                yield json.dumps(event.to_json(), separators=(",", ":"))
            return
        if title:
            yield title
        for event in events:
            if isinstance(event, SolutionFound):
                yield from solution_lines(event, lang=lang)
            else:
                yield from lines(event, every_filter=bool(show), lang=lang)

    def write(cells: str, sink: TextIO, title: str) -> None:
        sink.writelines(f"{text}\n" for text in texts(cells, title))

    title = Search(lang).say("titles")
    return write_records(inputs, write, page, title=title, lang=lang, **options)


@command(
    "unidoku console",
    "unidoku console quiz.txt --show none",
    argument=click.Argument(["quiz"], required=False, metavar="[FILE|PUZZLE]"),
)
@options(
    "show",
    show=some_of(
        {
            "time": "the run time",
            "filters": _FILTERS,
            "level-step": "after a run and after levels, the step at which the biggest level was reached",
        },
        absent="time",
    ),
)
def console(quiz: str | None, *, show: frozenset[str] | None) -> int:
    """Run the SudokuSolver 2.6 shell.

    FILE holds a quiz to load first: nine lines of nine cells or one line of 81, with or without blanks, 0 or
    a dot for an empty cell. A PUZZLE of 81 cells is loaded as it is.

    An empty order lists the orders of SudokuSolver 2.6, help lists the others, bye ends the shell.
    """
    from unidoku.stepper.console import Console

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    what = {"time"} if show is None else show
    shell = Console(time="time" in what, every_filter="filters" in what, level_step="level-step" in what)
    if quiz is not None:
        shell.obey(f"load-quiz {quiz}")
    shell.run()
    return 0


@command("unidoku link puzzles.txt --site fpuzzles", "unidoku link puzzles.txt --every-step -o steps.txt")
@options(
    *("site", "candidates", "every_step", "method", "output", *READING),
    site={"type": click.Choice(SITES, case_sensitive=False), "default": SITES[0]},
)
def link(
    inputs: list[Input],
    *,
    site: Site,
    candidates: bool,
    every_step: bool,
    method: str,
    output: str,
    **options: Any,
) -> int:
    """Print a link for each puzzle that opens it on a web site.

    sudokuwiki, fpuzzles and sudokupad show candidates. Nothing is sent anywhere. Links of these sites can
    also be given wherever a puzzle is expected.
    """
    from unidoku.method import explain
    from unidoku.view.links import step_links

    def write(puzzle: PuzzleRecord, _: str) -> None:
        if every_step:
            steps = explain(puzzle.cells) if method == "book" else unidoku.steps(puzzle.cells)
            for url, text in step_links(steps, site=site):
                click.echo(f"{url}\t{text}".encode(), sink)
            return
        grid = unidoku.Grid(puzzle.cells)
        marks = {cell: grid.candidates(cell) for cell in range(81)} if candidates else None
        click.echo(unidoku.link(grid.cells, site=site, candidates=marks), sink)

    check_suffix(output, ".txt")
    with values_checked(), open_text(output, inputs) as sink:
        return each_puzzle(inputs, write, **options)


@command(
    "unidoku draw quiz.txt --candidates --to text",
    "unidoku draw quiz.txt --size 1000 -o board.png",
    argument=click.Argument(["puzzle"], default="-", metavar="[FILE|PUZZLE]"),
)
@options(
    *("output", "to", "candidates", "names", "size", *READING),
    names={
        "of": "by the numbers of their rows and columns (rc), 1 to 81 (numbers), both, or nothing (none)",
        "type": click.Choice(("rc", "numbers", "both", "none"), case_sensitive=False),
        "default": "rc",
    },
    to={
        "of": ", ".join(_PICTURES.values()),
        "type": click.Choice([*_PICTURES.values()], case_sensitive=False),
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
    "unidoku print puzzles.txt -o sheets.html --title 'Rainy Sunday' --solutions",
    "unidoku print --generate 24 --difficulty easy --heading difficulty -o booklet.html",
)
@options(
    *("output", "solutions", "per_page", "candidates", "paper", "title", "blank", "worked"),
    *("arrangement", "few_digits", "heading", "lang", "generated", "seed", *BOOKLET, *READING),
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
    from unidoku.rating.se121 import REASONS
    from unidoku.run.summary import SHOWN
    from unidoku.view.pages import BELOW
    from unidoku.view.sheets import Printed, sheets

    if not options["blank"] and options["worked"] is None:
        refuse(("arrangement", "few_digits"), without="--blank or --worked")
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
    with ExitStack() as stack:
        if generated is not None:
            chosen = stack.enter_context(used_seed(seed, lang=options["lang"]))
            with values_checked():
                made = unidoku.generate(generated, seed=chosen, **request)
            puzzles += [Printed(grid, solution=unidoku.solve(grid)) for grid in map(unidoku.Grid, made)]
        page = stack.enter_context(open_text(output, inputs, lines=False))
        code = 0 if generated else each_puzzle(inputs, keep, names=heading != "number", **reading)
        print_some("note", improper[:SHOWN], len(improper), "puzzles without exactly one solution")
        if heading != "number":
            ratings = unidoku.rate_many([each.grid for each in puzzles], below=BELOW)
            puzzles = [one._replace(rating=each or None) for one, each in zip(puzzles, ratings, strict=True)]
        with values_checked():
            for piece in sheets(puzzles, ratings=heading == "rating", **options):
                click.echo(piece.encode(), page, nl=False)
    return code
