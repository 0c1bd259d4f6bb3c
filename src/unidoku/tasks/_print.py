"""Show: Write puzzles as pages to print, pictures, text or links.

The command `print`: puzzles on pages of paper, or one as a picture or as text.

`unidoku.view._sheets` lays out the pages, `unidoku.view.svg` draws the pictures.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from random import Random
from typing import Any, ClassVar, Literal, TextIO

import click
from click.core import ParameterSource

from unidoku import kernel
from unidoku._arguments import no_column, seed_of
from unidoku._cli.call import Call, bytes_of
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult, Display
from unidoku._cli.terminal import open_text, refuse_terminal
from unidoku._conditions import Condition
from unidoku._options import LANG, POSITIVE, TABLE, Choice, Option, option
from unidoku._parse.links import SITES, link_to
from unidoku._schema import Schema
from unidoku._table.batch import PuzzleRecord
from unidoku._task import View
from unidoku._words import language
from unidoku.craft._generate import generate
from unidoku.craft._request import counts_by_word, shares_of
from unidoku.errors import ArgumentError, InvalidPuzzleError, Message, StoppedError, UnidokuError
from unidoku.files._inputs import Inputs
from unidoku.files._output import is_folder
from unidoku.files._storage import local_path
from unidoku.grid import Grid, refuse_clashes
from unidoku.method import Order, explain
from unidoku.rating._columns import RATINGS
from unidoku.rating._ratings import rate_many
from unidoku.rating._scale import BEGINNER, difficulty_word, improper_error, rate
from unidoku.rating._sentences import Sentences
from unidoku.rating._steps import path_of
from unidoku.runner._summary import Summary
from unidoku.tasks._generate import CLUES, DIFFICULTY, DIFFICULTY_WORDS, SYMMETRY, fields_of
from unidoku.tasks._rate import Rate
from unidoku.tasks._shared import BLACK, CELLS, SEED, SOLUTIONS, UNITS
from unidoku.tasks._single import check, solve
from unidoku.view._sheets import PrintedPuzzle, Sheets, length_of, paper_of
from unidoku.view._svg import svg, text

_BELOW = 9.0  # the largest rating on pages: the search for harder steps takes seconds

_PAGES = ("--to html", "--to pdf", "--to png")
_PICTURES = ("--to svg", "--to png")
_BOOKLET = ("--generate",)
_NEWSPAPER = {"easy": (28, 34)}
"""The clues of new puzzles as newspapers have them, by difficulty; elsewhere as they come."""

_CLIMB = dict.fromkeys(("easy", "medium", "hard", "expert"), 1.0)
"""The shares of a booklet if only its number of puzzles is given: random puzzles are mostly easy."""

ORDERS = ("er", "effort")
"""The orders of puzzles on pages by their ratings."""

_CHAPTERS = (*DIFFICULTY_WORDS, None)
"""The difficulties in order; of a puzzle without a rating it is not known."""


def _checked(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return the type of an option whose text a function reads."""

    def read(text: str) -> Any:
        try:
            return parse(text)
        except UnidokuError as error:
            raise click.BadParameter(error.message) from None

    return read


SHEETS = {
    option.name: option
    for option in (
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
            default=Sheets.margin,
            show_default="12mm",
            needs=_PAGES,
        ),
        Option(
            "answers_at_foot",
            "Print solutions upside down at the foot of pages.",
            default=False,
            needs=_PAGES,
        ),
        Option("title", "Put this title on every page.", needs=_PAGES),
        Option("name_line", "Print lines for a name and a date.", default=False, needs=_PAGES),
        Option(
            "book",
            "Make a book with contents and page numbers.",
            default=False,
            needs=("--to pdf", "--to png"),
        ),
        Option("rules", "Begin the book with a page of the rules.", default=False, needs=("--book",)),
        Option("author", "Print this author on the title page.", metavar="NAME", needs=("--book",)),
    )
}
"""The options of printed puzzles, by parameter."""


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


class BoardView(View):
    """A puzzle as a picture or as text."""

    formats: ClassVar[tuple[str, ...]] = ("svg", "text", "link")
    candidates: bool = option(False, "Also write the candidates of empty cells.")
    names: str = CELLS.field(
        help="Name the cells of a picture by row and column (rc), 1 to 81 (numbers), both or none.",
        type=Choice(["rc", "numbers", "both", "none"]),
        default="rc",
        needs=_PICTURES,
    )
    size: int = option(
        400, "Make a picture N pixels wide; a PNG has twice as many dots.", POSITIVE, needs=_PICTURES
    )
    site: str = option(
        "sudokuwiki", f"Write links to {', '.join(SITES)}.", Choice([*SITES]), needs=("--to link",)
    )
    black: bool = BLACK.field(help="Draw a picture without colours, like pages.", needs=(*_PICTURES, *_PAGES))

    def note(self, cells: str, /) -> InvalidPuzzleError | None:
        """Return that the puzzle is not proper."""
        verdict = check(cells)
        return None if verdict else improper_error(Grid(cells), verdict)

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

    def link(self, cells: str, _: str) -> Iterator[str]:
        """Yield the link that opens the puzzle on a site."""
        yield link_to(self.site, cells)


class Print(BoardView):
    """Write puzzles as pages to print, pictures, text or links.

    Each puzzle has its number, title (a column of the input) and difficulty above it.
    With -o folder/ each puzzle is a picture or PDF, named by its id, title or number.
    """

    formats: ClassVar[tuple[str, ...]] = ("html", "svg", "text", "link", "pdf", "png")
    folder_formats: ClassVar[tuple[str, ...]] = ("svg", "html", "pdf", "png")
    searches: ClassVar[bool] = False
    solutions: bool = SOLUTIONS.field(help="Also print the solutions, as pages of answers.", needs=_PAGES)
    steps: bool = option(False, "Also write the steps, one per line.", needs=_PAGES)
    per_page: int | None = SHEETS["per_page"].field()
    answers_per_page: int | None = SHEETS["answers_per_page"].field()
    answers_at_foot: bool = SHEETS["answers_at_foot"].field()
    paper: str | tuple[float, float] = SHEETS["paper"].field()
    margin: float = SHEETS["margin"].field()
    title: str | None = SHEETS["title"].field()
    name_line: bool = SHEETS["name_line"].field()
    book: bool = SHEETS["book"].field()
    rules: bool = SHEETS["rules"].field()
    author: str | None = SHEETS["author"].field()
    blank: bool = option(
        False,
        "Print a worksheet of the numerical-analysis method: nine fields in each open cell.",
        needs=_PAGES,
    )
    worked: int | Literal["first", "end"] | None = option(
        None,
        "Fill in the worksheet as in table 2.2-A (first) or 2.2-B (end), or after STEP conversions.",
        _checked(step_of),
        metavar="first|end|STEP",
        needs=_PAGES,
    )
    units: tuple[str, ...] = UNITS.field(help="Order of the units.", needs=("--worked",))
    heading: str = option(
        "difficulty",
        "Print above a puzzle: difficulty, rating (and effort), effort, technique (and both), or only the "
        "number.",
        Choice(["difficulty", "rating", "effort", "technique", "number"]),
        needs=_PAGES,
    )
    order: str | None = option(
        None,
        "Order: er (with --generate), effort (tells only easy puzzles apart), random or input.",
        Choice([*ORDERS, "random", "input"]),
        show_default=False,
        needs=_PAGES,
    )
    chapters: bool = option(False, "Begin a chapter with each difficulty.", needs=_PAGES)
    where: tuple[Condition, ...] | None = TABLE["where"].field(
        help=f"Print or make only puzzles with these values: {', '.join(COLUMNS)}.", needs=_PAGES
    )
    lang: str = LANG.field()
    generated: int | None = option(
        None,
        "Print N new puzzles and their solutions.",
        POSITIVE,
        flags=("--generate",),
        needs=_PAGES,
    )
    seed: int | None = SEED.field(needs=("--generate", "--order random"))
    difficulty: Any = DIFFICULTY.field(
        needs=_BOOKLET,
        help=f"Choose by difficulty: {', '.join(DIFFICULTY_WORDS)}; or easy=1,hard=2.",
        show_default="easy to expert, evenly",
    )
    clues: Any = CLUES.field(needs=_BOOKLET, help="Make puzzles with N clues, or with A to B.")
    symmetry: str = SYMMETRY.field(needs=_BOOKLET, default="180")

    def values(self) -> dict[str, Any]:
        """Return none: the command has converted the values."""
        return {}


def _new_puzzles(own: Print, count: int, seed: int | None) -> list[PrintedPuzzle]:
    """Make puzzles with as many clues as newspapers have."""
    fields = fields_of(own.where or ())
    mixture = fields.pop("difficulty", own.difficulty)
    if not (mixture or fields or own.clues):
        mixture = _CLIMB
    if not isinstance(mixture, Mapping):
        mixture = {mixture: 1}
    puzzles = []
    for word, number in counts_by_word(shares_of(mixture), count).items():
        clues = own.clues or _NEWSPAPER.get(str(word).lower())
        wanted: dict[str, Any] = {"clues": clues, "symmetry": own.symmetry, "difficulty": word, **fields}
        grids = generate(number, seed=seed, **wanted)
        puzzles += [PrintedPuzzle(grid, difficulty=word and str(word).lower()) for grid in map(Grid, grids)]
    return puzzles


def _rated(puzzles: Sequence[PrintedPuzzle], below: float | None, *, chapters: bool) -> list[PrintedPuzzle]:
    """Return puzzles with their ratings, if they have some, and the words of the requests or of the ratings.

    In chapters the word is the word of `generate` and `rate`, which do not tell beginners apart.
    """
    grids, ratings = [puzzle.grid for puzzle in puzzles], list[Any]()
    if len(grids) > 1:
        ratings += rate_many(grids, below=below)
    else:
        with suppress(InvalidPuzzleError):
            ratings += [rate(grid, below=below) for grid in grids]  # without arrays
    rated = [*puzzles]
    for place, rating in enumerate(ratings):
        if getattr(rating, "reason", None) is None:
            puzzle, word = puzzles[place], rating.difficulty
            if not chapters:
                word = difficulty_word(rating.er, puzzle.grid.clues, at_least=rating.at_least)
            rated[place] = puzzle._replace(rating=rating, difficulty=puzzle.difficulty or word)
    return rated


def _read_puzzles(
    call: Call[Print, None], inputs: Inputs, summary: Summary
) -> tuple[list[PrintedPuzzle], int]:
    """Read puzzles; return them, with their names if wanted, and how many are not proper."""
    own = call.about
    puzzles: list[PrintedPuzzle] = []

    def add(puzzle: PuzzleRecord, _: str) -> None:
        grid = Grid(puzzle.cells)
        if own.worked is not None:
            refuse_clashes(grid)
        if isinstance(own.worked, int):
            count = len(explain(grid, Order(units=own.units)).step_ends) - 1
            if own.worked > count:
                text = "there is no step {number}; the last step is {count}"
                raise ArgumentError(Message(text, number=own.worked, count=count))
        puzzles.append(PrintedPuzzle(grid, puzzle.title))

    improper = call.each_noted(inputs, summary, add, names=own.heading != "number")
    if summary.failures or not puzzles:
        raise StoppedError  # the output is not complete, or has nothing
    return puzzles, improper


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
        puzzles = _rated(puzzles, None if conditions else _BELOW, chapters=chapters)
    for condition in conditions:
        name = condition.column
        puzzles = [
            puzzle
            for puzzle in puzzles
            if condition.has(puzzle.grid.clues if name == "clues" else getattr(puzzle.rating, name, None))
        ]
    if conditions and not puzzles:
        wanted = ",".join(map(str, conditions))
        raise ArgumentError(
            Message("none of the puzzles has {conditions}; change the conditions", conditions=wanted)
        )

    def place_of(puzzle: PrintedPuzzle) -> tuple[float, ...]:
        """Return the sort key of a puzzle, ascending; a puzzle without a rating comes last."""
        if puzzle.rating is None:
            return (inf,)
        effort = puzzle.rating.effort or inf
        if order == "er":
            return (puzzle.rating.er, puzzle.difficulty != BEGINNER, effort)
        return (effort,)

    if order in ORDERS:
        puzzles.sort(key=place_of)
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
    puzzles, sentence = [*puzzles], Sentences(lang).sentence
    for place, puzzle in enumerate(puzzles):
        if check(puzzle.grid):
            if solutions:
                puzzles[place] = puzzles[place]._replace(solution=solve(puzzle.grid))
            if steps:
                sentences = tuple(map(sentence, path_of(puzzle.grid).deductions))
                puzzles[place] = puzzles[place]._replace(steps=sentences)
    return puzzles


def _write_pages(call: Call[Print, None]) -> CommandResult:
    """Write puzzles, read or new, on pages of paper."""
    own = call.about
    refuse_terminal(call.path, "a page")
    is_new, to = own.generated is not None, call.options.to
    source = click.get_current_context().get_parameter_source("inputs")
    has_inputs = source is not ParameterSource.DEFAULT
    if is_new and has_inputs:
        raise click.UsageError(Message("--generate makes new puzzles; omit the inputs"))
    if own.answers_at_foot and (own.solutions or own.answers_per_page):
        text = "--answers-at-foot replaces the pages of solutions; omit --solutions and --answers-per-page"
        raise click.UsageError(Message(text))
    conditions = () if is_new else own.where or ()
    for condition in conditions:
        if condition.column not in COLUMNS:
            raise ArgumentError(no_column(condition.column, COLUMNS))
    conditions = Schema(Rate()).checked(conditions)
    order = own.order or ("er" if is_new else "input")
    seed = seed_of(own.seed) if is_new or order == "random" else None
    heading, summary, improper = own.heading, Summary(isa=kernel.isa()), 0
    sources = Inputs(call.inputs)  # before the output is there, which a pattern may match
    with open_text(call.path, sources, summary, pages=True) as file:
        if own.generated is not None:
            puzzles = _new_puzzles(own, own.generated, seed)
            summary.puzzles = summary.written = own.generated
        elif own.blank and not has_inputs:
            heading, puzzles = "none", [PrintedPuzzle(Grid("." * 81))]
        else:
            puzzles, improper = _read_puzzles(call, sources, summary)
        is_board = to == "png" and len(puzzles) == 1 and not COMMAND.first_named(_PAGES)
        if is_board:
            heading = "none"
        has_ratings = heading not in {"number", "none"}
        puzzles = _choose(puzzles, conditions, order, seed, has_ratings=has_ratings, chapters=own.chapters)
        has_solutions = own.solutions or own.answers_at_foot or is_new
        puzzles = _complete(puzzles, solutions=has_solutions, steps=own.steps, lang=own.lang)
        summary.written = len(puzzles)
        names = (*SHEETS, "candidates", "blank", "worked", "units")
        look: dict[str, Any] = {name: getattr(own, name) for name in (*names, "chapters", "lang")}
        if is_board:
            click.echo(bytes_of(own.svg(puzzles[0].grid.line), "png"), file, nl=False)
        elif option := COMMAND.first_named(_PICTURES):
            text = "{option} is for a picture of one board; omit it"
            raise click.UsageError(Message(text, option=option))
        else:
            sheets = Sheets(puzzles, pdf=to != "html", heading=heading, **look)
            _write(sheets, len(puzzles), file, str(to))
    return CommandResult(summary, fields={"seed": seed} if is_new else {"improper": improper}, seed=seed)


def _write_files(call: Call[Print, None]) -> CommandResult:
    """Write a picture or a page of each puzzle into a folder, named by its id, its title or its number."""
    own = call.about
    summary, taken, to = Summary(isa=kernel.isa()), set[str](), call.options.to
    sources = Inputs(call.inputs)
    os.makedirs(local_path(call.path), exist_ok=True)

    def write_one(puzzle: PuzzleRecord, _: str) -> None:
        name, grid = puzzle.title, Grid(puzzle.cells)
        number = summary.puzzles + 1
        stem = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:80] or f"{number:04d}"
        again, choice = 1, stem
        while choice.lower() in taken:  # some disks do not tell A and a apart
            again += 1
            choice = f"{stem}-{again}"
        taken.add(choice.lower())
        path = os.path.join(call.path, f"{choice}.{to}")
        with open_text(path, sources) as file:
            if to in {"svg", "png"}:
                click.echo(bytes_of(own.svg(puzzle.cells), to), file, nl=False)
                return
            printed = [PrintedPuzzle(grid, name, number=number)]
            printed = _complete(printed, solutions=own.solutions, steps=False, lang=own.lang)
            look: dict[str, Any] = {
                name: getattr(own, name) for name in ("paper", "margin", "title", "lang", "candidates")
            }
            sheets = Sheets(printed, per_page=1, pdf=to == "pdf", heading="number", **look)
            _write(sheets, 1, file, str(to))

    call.each_noted(sources, summary, write_one, names="id")
    return CommandResult(summary, fields={})


def _write(sheets: Sheets, boards: int, file: TextIO, to: str) -> None:
    """Write puzzles on pages to an output."""
    with Display() as display:
        for piece in sheets:
            display.pages(boards)
            click.echo(bytes_of(piece, to), file, nl=False)


def command(call: Call[Print, None]) -> CommandResult:
    """Write pages, a file for each puzzle, or one puzzle."""
    if call.show.json and call.output == "-":
        raise click.UsageError(Message("--json prints a summary, not the page or picture; add --output PATH"))
    if is_folder(call.path):
        return _write_files(call)
    if call.options.to in {"html", "pdf", "png"}:
        return _write_pages(call)
    return call.report()


COMMAND = Command(
    Print,
    examples=(
        "unidoku print puzzles.txt -o sheets.html --title Sunday --solutions",
        "unidoku print --generate 12 --difficulty easy=1,hard=1 -o booklet.html",
    ),
    function=command,
)
