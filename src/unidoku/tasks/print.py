"""The command `print`: puzzles on pages of paper, or one as a picture or as text.

`unidoku.view.sheets` lays out the pages, `unidoku.view.svg` draws the pictures.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from random import Random
from typing import Any, ClassVar, TextIO

import click
from click.core import ParameterSource

from unidoku import kernel
from unidoku.arguments import no_column, seed_of
from unidoku.cli.command import Command
from unidoku.cli.inputs import each_puzzle, with_diagnosis
from unidoku.cli.run import (
    CommandResult,
    Display,
    bytes_of,
    format_option,
    pop_options,
    report_format,
    run_view,
)
from unidoku.cli.terminal import IMPROPER, open_text, print_some, refuse_terminal
from unidoku.conditions import Condition
from unidoku.craft.generate import generate
from unidoku.craft.request import counts_of, fields_of, shares_of
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, StoppedError, UnidokuError
from unidoku.files.inputs import Inputs
from unidoku.files.output import is_folder
from unidoku.files.storage import local_path
from unidoku.grid import Grid, refuse_clashes
from unidoku.method.form import refuse_arrangement
from unidoku.options import LANG, POSITIVE, READING, TABLE, Choice, Option, option, options_of
from unidoku.rating.columns import RATINGS
from unidoku.rating.ratings import rate_many
from unidoku.rating.scale import BEGINNER, improper_error, rate, word_of
from unidoku.rating.sentences import Sentences
from unidoku.rating.steps import path_of
from unidoku.runner.summary import MAX_MESSAGES, Summary
from unidoku.schema import Schema
from unidoku.table.batch import PuzzleRecord
from unidoku.task import View
from unidoku.tasks.generate import CLUES, DIFFICULTY, DIFFICULTY_WORDS, SYMMETRY
from unidoku.tasks.rate import Rate
from unidoku.tasks.shared import BLACK, CELLS, SEED, SOLUTIONS, UNITS
from unidoku.tasks.single import check, solve
from unidoku.view.sheets import MARGIN, PrintedPuzzle, Sheets, length_of, paper_of
from unidoku.view.svg import svg, text
from unidoku.words import language

_BELOW = 9.0  # the largest rating on pages: the search for harder steps takes seconds

_PAGES = ("--to html", "--to pdf")
_BOOKLET = ("--generate",)
_NEWSPAPER = {"easy": (28, 34)}
"""The clues of new puzzles as newspapers have them, by difficulty; elsewhere as they come."""

_CLIMB = dict.fromkeys(("easy", "medium", "hard", "expert"), 1.0)
"""The shares of a booklet if only its number of puzzles is given: random puzzles are mostly easy."""

BOOKLET = (
    DIFFICULTY.replace(
        needs=_BOOKLET,
        help=f"Choose by difficulty: {', '.join(DIFFICULTY_WORDS)}; or easy=1,hard=2.",
        show_default="easy to expert, evenly",
    ),
    CLUES.replace(needs=_BOOKLET, help="Make puzzles with N clues, or with A to B."),
    SYMMETRY.replace(needs=_BOOKLET, default="180"),
)
"""The options for the new puzzles of a booklet."""


ORDERS = ("er", "effort")
"""The orders of puzzles on pages by their ratings."""

_CHAPTERS = (*DIFFICULTY_WORDS, None)
"""The difficulties in order; of a puzzle without a rating it is not known."""


def _checked(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a type of an option: the value of a text, or the text if it is only checked."""

    def read(text: str) -> Any:
        try:
            value = parse(text)
        except UnidokuError as error:
            raise click.BadParameter(error.message) from None
        if value is None:
            return text
        return value

    return read


SHEETS = (
    Option(
        "per_page",
        "Put N puzzles on a page.",
        type=POSITIVE,
        show_default="6; a worksheet: 1",
        needs=_PAGES,
    ),
    Option("answers_per_page", "Put N solutions on a page.", type=POSITIVE, needs=_PAGES),
    Option(
        "paper",
        "Use paper a4, a5, letter or 6x9in.",
        type=_checked(paper_of),
        metavar="SIZE",
        default="a4",
        needs=_PAGES,
    ),
    Option(
        "margin",
        "Leave this margin.",
        type=_checked(length_of),
        metavar="LENGTH",
        default=MARGIN,
        show_default="12mm",
        needs=_PAGES,
    ),
    Option("title", "Put this title on every page.", needs=_PAGES),
    Option(
        "book",
        "Make a book with contents and page numbers.",
        default=False,
        needs=("--to pdf",),
    ),
)
"""The options of printed puzzles."""

_FORM = ("--blank", "--worked")


class ChapterNames(click.ParamType):  # type: ignore[type-arg]
    """Names of chapters by their difficulties."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, str]:
        """Return the names of a text such as ``easy=Warm-up,hard=Tough``."""
        if isinstance(value, Mapping) and value:
            return dict(value)
        names = dict[str, str]()
        for pair in str(value).split(","):
            word, _, name = (part.strip() for part in pair.partition("="))
            if word.lower() not in DIFFICULTY_WORDS or not name:
                text = "{pair} is not a difficulty and a name; write easy=Warm-up, with one of {words}"
                self.fail(Message(text, pair=repr(pair), words=", ".join(DIFFICULTY_WORDS)), param, ctx)
            names[word.lower()] = name
        return names


def step_of(text: str) -> str | int:
    """Parse the step of the method after which a form is printed: first, end or a number."""
    if text in {"first", "end"}:
        return text
    if text.isdecimal():
        return int(text)
    raise ArgumentError(
        Message("{text} is not a stage of the work; write first, end or a whole number", text=repr(text[:40]))
    )


COLUMNS = (*RATINGS, "effort", "clues")
"""The columns by which puzzles are chosen."""

PAGE = (
    SOLUTIONS.replace(help="Also print the solutions, as pages of answers."),
    Option("steps", "Also write the steps, one per line.", default=False),
    *SHEETS,
    Option(
        "blank",
        "Print a worksheet of the numerical-analysis method: nine fields in each open cell.",
        default=False,
    ),
    Option(
        "worked",
        "Fill in the worksheet as in table 2.2-A (first) or 2.2-B (end), or after STEP conversions.",
        type=_checked(step_of),
        metavar="first|end|STEP",
    ),
    UNITS.replace(help="Order of the units.", needs=("--worked",)),
    Option(
        "digits",
        "Fill small cells.",
        type=Choice(["all", "few", "none"]),
        default="all",
        needs=_FORM,
    ),
    Option(
        "arrangement",
        "Arrange the small fields in this order of digits.",
        type=_checked(refuse_arrangement),
        metavar="DIGITS",
        default="123456789",
        needs=_FORM,
    ),
    Option(
        "heading",
        "Print above a puzzle: rating (and effort), effort, technique (and both), difficulty, or only the "
        "number.",
        type=Choice(["rating", "effort", "technique", "difficulty", "number"]),
        default="rating",
    ),
    Option(
        "order",
        "Order: er (with --generate), effort (tells only easy puzzles apart), random or input.",
        type=Choice([*ORDERS, "random", "input"]),
        show_default=False,
    ),
    Option("chapters", "Begin a chapter with each difficulty.", default=False),
    Option(
        "chapter_names",
        "Name chapters, such as easy=Warm-up,hard=Tough.",
        type=ChapterNames(),
        metavar="NAMES",
        needs=("--chapters",),
    ),
    TABLE["where"].replace(
        help=f"Print or make only puzzles with these values: {', '.join(COLUMNS)}.", needs=_PAGES
    ),
    LANG,
    Option(
        "generated",
        "Print N new puzzles and their solutions.",
        type=POSITIVE,
        flags=("--generate",),
    ),
    SEED.replace(needs=("--generate", "--order random")),
    *BOOKLET,
)
"""The options of pages."""

_FORMATS = ("html", "svg", "text")


class BoardView(View):
    """A puzzle as a picture or as text."""

    formats: ClassVar[tuple[str, ...]] = _FORMATS[1:]
    candidates: bool = option(False, "Also write the candidates of empty cells.")
    names: str = CELLS.field(
        help="Name the cells of a picture by row and column (rc), 1 to 81 (numbers), both or none.",
        type=Choice(["rc", "numbers", "both", "none"]),
        default="rc",
        needs=("--to svg",),
    )
    size: int = option(400, "Make a picture N pixels wide.", POSITIVE, needs=("--to svg",))
    black: bool = BLACK.field(help="Draw a picture without colours, like pages.", needs=("--to svg", *_PAGES))

    def note(self, cells: str, /) -> InvalidPuzzleError | None:
        """Return that the puzzle is not proper."""
        return _improper(Grid(cells))

    def svg(self, cells: str) -> str:
        """Return the picture."""
        labels = None if self.names == "none" else self.names
        return svg(
            cells,
            candidates=self.candidates,
            labels=labels,
            size=self.size,
            black=self.black,
            lang=language(),
        )

    def text(self, cells: str, title: str) -> Iterator[str]:
        """Yield the grid, drawn with characters."""
        if title:
            yield title
        yield text(cells, candidates=self.candidates)


def _new_puzzles(
    count: int, seed: int, request: dict[str, Any], where: tuple[Condition, ...] | None
) -> list[PrintedPuzzle]:
    """Make puzzles with their solutions, with as many clues as newspapers have."""
    mixture, fields = request.pop("difficulty"), fields_of(where or ())
    mixture = fields.pop("difficulty", mixture)
    if not (mixture or fields or request["clues"]):
        mixture = _CLIMB
    if not isinstance(mixture, Mapping):
        mixture = {mixture: 1}
    puzzles = []
    for word, number in counts_of(shares_of(mixture), count).items():
        if not number:
            continue
        if request["clues"]:
            clues = {}
        else:
            clues = {"clues": _NEWSPAPER.get(str(word).lower())}
        wanted: dict[str, Any] = {**request, "difficulty": word, **clues, **fields}
        grids = generate(number, seed=seed, **wanted)
        puzzles += [
            PrintedPuzzle(grid, solution=solve(grid), difficulty=word and str(word).lower())
            for grid in map(Grid, grids)
        ]
    return puzzles


def _with_rating(puzzle: PrintedPuzzle, rating: Any, *, chapters: bool) -> PrintedPuzzle:
    """Return a puzzle with its rating, and the word of the request for it or for such puzzles.

    In chapters the word is the word of `generate` and `rate`, which do not tell beginners apart.
    """
    usual = None
    if chapters:
        usual = rating.difficulty
    word = puzzle.difficulty or usual or word_of(rating.er, puzzle.grid.clues, at_least=rating.at_least)
    return puzzle._replace(rating=rating, difficulty=word)


def _place_of(puzzle: PrintedPuzzle, order: str) -> tuple[float, ...]:
    """Return the sort key of a puzzle, ascending; a puzzle without a rating comes last."""
    if puzzle.rating is None:
        return (inf,)
    effort = puzzle.rating.effort or inf
    if order == "er":
        return (puzzle.rating.er, puzzle.difficulty != BEGINNER, effort)
    return (effort,)


def _fits(puzzle: PrintedPuzzle, conditions: Iterable[Condition]) -> bool:
    """Return whether a puzzle fulfils conditions on its rating and its clues."""
    for condition in conditions:
        value: Any = puzzle.grid.clues
        if condition.column != "clues":
            value = getattr(puzzle.rating, condition.column, None)
        if isinstance(value, str):
            if value not in condition.words:
                return False
        elif value is None or not any(each.has(value) for each in condition.ranges):
            return False
    return True


def _conditions(where: tuple[Condition, ...] | None) -> tuple[Condition, ...]:
    """Check conditions on the puzzles of inputs."""
    conditions = where or ()
    for condition in conditions:
        if condition.column not in COLUMNS:
            raise ArgumentError(no_column(condition.column, COLUMNS))
    return Schema(Rate()).checked(conditions)


def _steps(grid: Grid, lang: str) -> tuple[str, ...]:
    """Return the steps of a puzzle, one in a line; none of a puzzle that is not proper."""
    if not check(grid):
        return ()
    say = Sentences(lang)
    return tuple(map(say.sentence, path_of(grid).deductions))


def _improper(grid: Grid) -> InvalidPuzzleError | None:
    """Return why a puzzle is not proper, as an error; None for a proper one."""
    verdict = check(grid)
    if verdict:
        return None
    return improper_error(grid, verdict)


def _read_puzzles(
    inputs: Inputs, summary: Summary, *, names: bool, is_worked: bool, reading: dict[str, Any]
) -> tuple[list[PrintedPuzzle], int]:
    """Read puzzles; return them, with their names if wanted, and how many are not proper."""
    puzzles: list[PrintedPuzzle] = []
    improper: list[UnidokuError] = []

    def add(puzzle: PuzzleRecord, _: str) -> None:
        grid = Grid(puzzle.cells)
        if is_worked:
            refuse_clashes(grid)
        if error := _improper(grid):
            improper.append(with_diagnosis(error.at(puzzle.source, puzzle.line)))
        puzzles.append(PrintedPuzzle(grid, "".join(puzzle.extra.values())))

    each_puzzle(inputs, add, summary, names=names, **reading)
    if summary.failures or not puzzles:
        raise StoppedError  # the output is not complete, or has nothing
    print_some(IMPROPER, improper[:MAX_MESSAGES], len(improper))
    return puzzles, len(improper)


def _ratings_of(puzzles: Sequence[PrintedPuzzle], below: float | None) -> list[Any]:
    """Return the rating of each puzzle, None if it has none."""
    grids = [puzzle.grid for puzzle in puzzles]
    if len(grids) > 1:
        return [None if rating.reason else rating for rating in rate_many(grids, below=below)]
    try:
        return [rate(grid, below=below) for grid in grids]  # without arrays
    except InvalidPuzzleError:
        return [None]


def _choose(
    puzzles: list[PrintedPuzzle],
    conditions: tuple[Condition, ...],
    order: str,
    seed: int | None,
    *,
    has_ratings: bool,
    chapters: bool,
) -> list[PrintedPuzzle]:
    """Return the puzzles that fulfil the conditions in an order, with their ratings if wanted."""
    if any((has_ratings, conditions, chapters, order in ORDERS)):
        ratings = _ratings_of(puzzles, None if conditions else _BELOW)
        puzzles = [
            puzzle if rating is None else _with_rating(puzzle, rating, chapters=chapters)
            for puzzle, rating in zip(puzzles, ratings, strict=True)
        ]
    puzzles = [puzzle for puzzle in puzzles if _fits(puzzle, conditions)]
    if conditions and not puzzles:
        wanted = ",".join(map(str, conditions))
        raise ArgumentError(
            Message("none of the puzzles has {conditions}; change the conditions", conditions=wanted)
        )
    if order in ORDERS:
        puzzles.sort(key=partial(_place_of, order=order))
    elif order == "random":
        Random(seed).shuffle(puzzles)
    if chapters:
        puzzles.sort(key=lambda puzzle: _CHAPTERS.index(puzzle.difficulty))
    if has_ratings:
        return puzzles
    return [puzzle._replace(rating=None) for puzzle in puzzles]


def _complete(
    puzzles: list[PrintedPuzzle], *, solutions: bool, steps: bool, lang: str
) -> list[PrintedPuzzle]:
    """Return puzzles with their solutions and their steps, if wanted and if they are proper."""
    if solutions:
        puzzles = [
            puzzle._replace(solution=solve(puzzle.grid)) if check(puzzle.grid) else puzzle
            for puzzle in puzzles
        ]
    if steps:
        return [puzzle._replace(steps=_steps(puzzle.grid, lang)) for puzzle in puzzles]
    return puzzles


def _write_pages(
    inputs: list[Any], output: str, to: str, options: dict[str, Any], reading: dict[str, Any]
) -> CommandResult:
    """Write puzzles, read or new, on pages of paper."""
    refuse_terminal(output, "a page")
    request = pop_options(options, [option.name for option in BOOKLET])
    count, where, seed, order = map(options.pop, ("generated", "where", "seed", "order"))
    solutions, steps, heading = map(options.pop, ("solutions", "steps", "heading"))
    chapters = options.pop("chapters")
    names_of_chapters = options.pop("chapter_names")
    is_new = count is not None
    source = click.get_current_context().get_parameter_source("inputs")
    has_inputs = source is not ParameterSource.DEFAULT
    if is_new and has_inputs:
        raise click.UsageError(Message("--generate makes new puzzles; omit the inputs"))
    conditions = () if is_new else _conditions(where)
    order = order or ("er" if is_new else "input")
    if is_new or order == "random":
        seed = seed_of(seed)
    else:
        seed = None
    summary, improper = Summary(isa=kernel.isa()), 0
    sources = Inputs(inputs)  # before the output is there, which a pattern may match
    with open_text(output, sources, summary, pages=True) as file:
        if is_new:
            puzzles = _new_puzzles(count, seed or 0, request, where)
            summary.puzzles = summary.written = count
        elif options["blank"] and not has_inputs:
            heading, puzzles = "none", [PrintedPuzzle(Grid("." * 81))]
        else:
            is_worked, has_names = options["worked"] is not None, heading != "number"
            puzzles, improper = _read_puzzles(
                sources, summary, names=has_names, is_worked=is_worked, reading=reading
            )
        has_ratings = heading not in {"number", "none"}
        puzzles = _choose(puzzles, conditions, order, seed, has_ratings=has_ratings, chapters=chapters)
        puzzles = _complete(puzzles, solutions=solutions and not is_new, steps=steps, lang=options["lang"])
        if conditions:
            summary.written = len(puzzles)
        options |= {"heading": heading, "chapters": chapters, "chapter_names": names_of_chapters}
        write_sheets(puzzles, file, pdf=to == "pdf", **options)
    return CommandResult(summary, fields={"seed": seed} if is_new else {"improper": improper}, seed=seed)


def _name_of_file(name: str, number: int, taken: set[str]) -> str:
    """Return the name of a puzzle as a file may have it, or its number; another puzzle has another one."""
    stem = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:80] or f"{number:04d}"
    choice, again = stem, 1
    while choice.lower() in taken:  # some disks do not tell A and a apart
        again += 1
        choice = f"{stem}-{again}"
    taken.add(choice.lower())
    return choice


def _write_files(
    inputs: list[Any],
    folder: str,
    to: str,
    *,
    board: BoardView,
    options: dict[str, Any],
    reading: dict[str, Any],
) -> CommandResult:
    """Write a picture or a page of each puzzle into a folder, named by its id, its title or its number."""
    summary, taken = Summary(isa=kernel.isa()), set[str]()
    sources = Inputs(inputs)
    os.makedirs(local_path(folder), exist_ok=True)
    improper: list[UnidokuError] = []

    def write_one(puzzle: PuzzleRecord, _: str) -> None:
        name, grid = " ".join(puzzle.extra.values()), Grid(puzzle.cells)
        if error := board.note(puzzle.cells):
            improper.append(with_diagnosis(error.at(puzzle.source, puzzle.line)))
        number = summary.puzzles + 1
        path = os.path.join(folder, f"{_name_of_file(name, number, taken)}.{to}")
        with open_text(path, sources) as file:
            if to == "svg":
                click.echo(board.svg(puzzle.cells).encode(), file, nl=False)
                return
            solution = solve(grid) if options["solutions"] and check(grid) else None
            printed = PrintedPuzzle(grid, name, solution=solution, number=number)
            sheets = {name: options[name] for name in ("paper", "margin", "title", "lang", "candidates")}
            write_sheets([printed], file, per_page=1, pdf=to == "pdf", heading="number", **sheets)

    each_puzzle(sources, write_one, summary, names="id", **reading)
    print_some(IMPROPER, improper[:MAX_MESSAGES], len(improper))
    return CommandResult(summary, fields={})


def write_sheets(puzzles: Sequence[PrintedPuzzle], file: TextIO, **options: Any) -> None:
    """Write puzzles on pages to an output."""
    with Display() as display:
        for piece in Sheets(puzzles, **options):
            display.pages(len(puzzles))
            click.echo(bytes_of(piece), file, nl=False)


def print_puzzles(
    inputs: list[Any], *, output: str, to: str, names: str, size: int, as_json: bool, **options: Any
) -> CommandResult:
    """Write puzzles as pages to print, or one as a picture or text.

    Each puzzle has its number, title (a column of the input), difficulty and rating (up to 9.0) above it.
    With -o folder/ each puzzle is a picture or PDF, named by its id, title or number.
    """
    if as_json and output == "-":
        raise click.UsageError(Message("--json prints a summary, not the page or picture; add --output PATH"))
    reading = pop_options(options, READING)
    if is_folder(output):
        board = BoardView(options["candidates"], names, size, options.pop("black"))
        return _write_files(inputs, output, to, board=board, options=options, reading=reading)
    black = options.pop("black")
    if to in {"html", "pdf"}:
        return _write_pages(inputs, output, to, options, reading)
    picture = {"candidates": options["candidates"], "names": names, "size": size, "black": black}
    return run_view(BoardView, inputs=inputs, output=output, to=to, as_json=as_json, **picture, **reading)


def _format_of_folder(to: Option) -> Option:
    """Return the option --to, which for a folder is svg, html or pdf."""
    choose = to.settings["callback"]

    def choose_of_folder(context: click.Context, param: click.Parameter, word: str | None) -> str:
        if not is_folder(context.params["output"]):
            return str(choose(context, param, word))
        name = report_format(word or "svg", ["svg", "html", "pdf"])
        if name is None:
            message = "{word} is not one of {choices}."
            raise click.BadParameter(Message(message, word=repr(word), choices="svg, html, pdf"))
        return name

    return to.replace(callback=choose_of_folder)


COMMAND = Command(
    print_puzzles,
    examples=(
        "unidoku print puzzles.txt -o sheets.html --title Sunday --solutions",
        "unidoku print --generate 12 --difficulty easy=1,hard=1 -o booklet.html",
    ),
    options=(
        *options_of(BoardView),
        *(option if option.needs or option is LANG else option.replace(needs=_PAGES) for option in PAGE),
        "output",
        _format_of_folder(format_option(*_FORMATS)),
        *READING,
    ),
)
