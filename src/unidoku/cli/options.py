"""What commands are made of: the table of all options, in which a word means the same in every command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from inspect import cleandoc
from typing import Any, NamedTuple, TypeAlias

import click
from click.core import ParameterSource

from unidoku.arguments import (
    MAX_COUNT,
    PAPERS,
    PER_PAGE,
    SYMMETRIES,
    positive_ratio,
    whole,
)
from unidoku.cli.inputs import INPUTS
from unidoku.options import CANDIDATES, CELLS, LANG, SEED, Option, Options, options_of

_CODES = "The exit code is 0, or 1 if a record is not a puzzle, 2 after an error."


Function: TypeAlias = Callable[..., int | None]
"""The function of a command, which returns its exit code."""
Changes: TypeAlias = str | Mapping[str, Any]
"""What a command changes in a row of the table, see `command`."""


def _type(
    parse: Callable[[str], Any], expected: str, unbounded: str | None = None
) -> Callable[[object], Any]:
    """Return the type of an option whose text a function converts; the word for no bound gives None."""

    def convert(value: object) -> Any:
        try:
            return None if value == unbounded else parse(str(value))
        except ValueError:
            raise click.BadParameter(f"{str(value)[:40]!r} is not {expected}") from None

    return convert


def number(low: int, high: int = MAX_COUNT, *, unbounded: str | None = None) -> Callable[[object], Any]:
    """Return the type of whole numbers from ``low`` to ``high``."""
    expected = f"a whole number from {low} to {high}"
    return _type(lambda text: whole("number", int(text), low, high), expected, unbounded)


def real(check: Callable[[float], float]) -> Callable[[object], Any]:
    """Return the type of numbers that a function checks; its error says which ones it allows."""

    def convert(value: object) -> float:
        try:
            return check(float(str(value)))
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return convert


def _ratio(text: str) -> float | None:
    return positive_ratio("number", float(text))


def _step(text: str) -> int:
    return -1 if text == "end" else whole("number", int(text), 0, MAX_COUNT)


def _range(kind: type[int] | type[float] = int) -> Callable[[object], Any]:
    """Return the type of a number, or of the least and the greatest: ``24-28``."""

    def parse(text: str) -> tuple[float, float]:
        least, _, most = text.partition("-")
        return kind(least), kind(most or least)

    return _type(parse, f"a number or a range such as {'24-28' if kind is int else '3.0-4.4'}")


_MEASURES: dict[str, tuple[str, Callable[[object], Any]]] = {
    "er": ("rating", _range(float)),
    "technique": ("technique", str),
    "class": ("classes", _range()),
    **{name: (name, _range()) for name in ("steps", "first_steps", "first_level")},
}
"""Columns of `rate` by which puzzles are chosen: what they are called in a request, and how one is read."""


def _measures(text: object) -> dict[str, Any]:
    """Return the request of ``--where``: ``er=3.0-4.4,technique=x-wing``."""
    found = {}
    for condition in str(text).split(","):
        name, equals, asked = condition.partition("=")
        known = _MEASURES.get(name.strip().lower())
        if known is None or not equals:
            columns = ", ".join(_MEASURES)
            raise click.BadParameter(f"{condition[:40]!r} is not one of {columns} with = and a value")
        parameter, read = known
        found[parameter] = read(asked.strip())
    return found


class Row(NamedTuple):
    """A row of the table; a command says what stands for ``{}`` in the help, and may have its own default."""

    flags: str
    help: str
    settings: dict[str, Any]


def _flag(flags: str, help: str, **settings: Any) -> Row:
    return Row(flags, help, {"is_flag": True, **settings})


def _value(usage: str, help: str, type: Any = None, **settings: Any) -> Row:
    """Return a row; ``absent`` says in words what holds without the option, ``of`` what stands for ``{}``."""
    last = usage.rsplit(maxsplit=1)[-1]
    metavar = None if last.startswith("-") else last
    return Row(usage.removesuffix(f" {metavar}"), help, {"metavar": metavar, "type": type, **settings})


def _choice(flags: str, values: Sequence[str], help: str, **settings: Any) -> Row:
    return Row(
        flags, help, {"type": click.Choice(values, case_sensitive=False), "default": values[0], **settings}
    )


def _words(text: str) -> tuple[str, ...]:
    """Return the words between the commas."""
    return tuple(word.strip() for word in text.split(","))


def _some_of(words: Sequence[str]) -> Callable[[object], Any]:
    """Return the type of some of these words with commas between them, or none."""

    def parse(text: str) -> tuple[str, ...]:
        found = tuple(word for word in map(str.lower, _words(text)) if word != "none")
        if not set(found) <= set(words):
            raise ValueError
        return found

    return _type(parse, f"none or some of {', '.join(words)}, separated by commas")


def row_of(each: Option) -> Row:
    """Return the row of a declared option: of every run, or of a task."""
    settings, metavar = dict[str, Any](), each.metavar
    if each.kind is bool:
        settings["is_flag"] = True
    elif each.kind is tuple:
        metavar = metavar or "NAMES"
        settings["type"] = _words if each.choices is None else _some_of(each.choices)
    elif each.choices is not None:
        settings["type"] = click.Choice([str(choice) for choice in each.choices], case_sensitive=False)
        by_word = {str(choice): choice for choice in each.choices}
        settings["callback"] = lambda _, __, value: by_word.get(value)
    else:
        metavar = metavar or {int: "N", float: "R", str: "TEXT"}[each.kind]
    if each.kind is int and each.choices is None:
        low = -MAX_COUNT if each.least is None else int(each.least)
        most = MAX_COUNT if each.most is None else int(each.most)
        settings["type"] = number(low, most, unbounded=each.unbounded)
    elif each.kind is float:
        settings["type"] = real(each.checked)
    absent = each.absent
    if each.kind is not bool:
        settings["metavar"] = metavar
        if absent is None and each.default is not None:
            absent = f"{each.default:g}" if each.kind is float else str(each.default)
    flags = each.flags or (f"--{each.name.replace('_', '-')}",)
    settings |= {"default": each.default, "absent": absent}
    return Row(" ".join(flags), each.help, settings)


TABLE: dict[str, Row] = {
    # of every run over files
    **{each.name: row_of(each) for each in options_of(Options)},
    # writing
    "output": _value(
        "--output -o PATH",
        "Write to this file or URL; - is standard output.",
        absent="standard output",
        default="-",
        is_eager=True,  # its suffix decides what --to is
    ),
    "as_json": _flag("--json", "Print only the summary, as JSON."),
    "quiet": _flag("--quiet -q", "Print no summary, no progress bar and no messages about invalid records."),
    "solutions": _flag("--solutions", "Write the solutions too."),
    "candidates": row_of(CANDIDATES),
    # how much, how fast, where
    "limit": _value("--limit N", "Stop at N solutions of a puzzle{}."),
    "budget": _value("--budget N", "Bound on the work: {}.", number(1), absent="no bound"),
    "count": _value("-n --count N", "Write N puzzles.", number(1)),
    "seed": row_of(SEED),
    # check, verify, bench
    "sample": _flag(
        "--sample",
        "Check the sample that is part of unidoku, with --verify; the exit code is 0 if all is right.",
    ),
    "predictions": _value(
        "--predictions FILE", "Take the predictions from this file, in the order of the puzzles."
    ),
    "seconds": _value(
        "--seconds S",
        "Take about S seconds for the whole run.",
        _type(_ratio, "a number above 0"),
        default=10,
    ),
    # reports
    "names": row_of(CELLS),
    "lang": row_of(LANG),
    # pages and links
    "per_page": row_of(
        Option(
            "Number of puzzles on a page.",
            choices=tuple(PER_PAGE),
            absent="6, and 1 with --blank and --worked",
            name="per_page",
        )
    ),
    "blank": _flag(
        "--blank",
        "Print the expansion form of the numerical-analysis method: nine small cells in every open cell.",
    ),
    "worked": _value(
        "--worked STEP",
        "Print this form filled in as after a step of the method: 0 for the first zeroing, 1 for the first "
        "conversion and the zeroing after it, and so on; end for the last step.",
        _type(_step, "a whole number from 0 on, or end"),
    ),
    "checked": _value(
        "--check FORM",
        "Check this form instead, a text file (- for standard input), and name the first wrong mark.",
    ),
    "arrangement": _value(
        "--arrangement DIGITS",
        "With --blank or --worked: the digits of the small cells, the top from left to right, then down the "
        "two sides.",
        default="123456789",
    ),
    "paper": _choice("--paper", [*PAPERS], "Lay out the pages for this paper."),
    "title": _value("--title TEXT", "Put this title on every page.", absent="Sudoku"),
    "generated": _value(
        "--generate N",
        "Print N new puzzles and their solutions instead of puzzles of inputs; --difficulty, --clues, "
        "--symmetry and --seed say which.",
        number(1),
    ),
    "heading": _choice(
        "--heading",
        ["rating", "difficulty", "number"],
        "Put above each puzzle its number, name, difficulty and rating; all but its rating (difficulty); or "
        "only its number (number).",
    ),
    # drawing
    "size": _value("--size N", "Make the picture N pixels wide and high.", number(1), default=400),
    # making puzzles
    "clues": _value("--clues N|A-B", "Number of clues, or the least and the greatest.", _range()),
    "symmetry": _choice("--symmetry", [*SYMMETRIES], "Make the pattern of clues symmetric in this way."),
    "pattern": _value("--pattern CELLS", "Put clues into exactly these cells: 81 characters, . for none."),
    "minimal": _flag("--minimal", "Make only puzzles without redundant clues."),
    "solution": _value(
        "--solution GRID",
        "Give all puzzles this solution; uniform: draw the solutions uniformly from all, which is slower.",
        absent="random",
    ),
    "difficulty": _value(
        "--difficulty WORD",
        "Choose by what a puzzle needs, in the words of rate: easy, medium, hard, expert or extreme; or "
        "beginner: full houses and hidden singles in boxes alone, and 30 clues or more.",
    ),
    "level": _value(
        "--guess-level N|A-B",
        "Choose by the highest guess level of the whole search, the column level of rate.",
        _range(),
    ),
    "where": _value(
        "--where COLUMN=VALUE",
        f"Choose by other columns of rate, separated by commas: {', '.join(_MEASURES)}. Give each a number "
        "or a range, such as er=3.0-4.4, but technique a name, such as x-wing.",
        _measures,
    ),
    "attempts": _value(
        "--attempts A-B",
        "Make all puzzles of the attempts A to B, from 0, instead of N puzzles; consecutive ranges give the "
        "puzzles of one long run.",
        _range(),
    ),
    "fractions": _value(
        "--fractions F,F,...",
        "Give each --output this fraction of the classes; the sum is 1.",
        _type(lambda text: [float(each) for each in text.split(",")], "a list of numbers such as 0.9,0.1"),
        absent="equal parts",
    ),
    "find": _value("--find PUZZLE", "Print the number, the group and the place of PUZZLE."),
}
"""Parameter of a command -> its option."""

PUZZLE_FORMATS = "txt, sdm, csv, tsv, jsonl, sdk, ss, opensudoku, library, parquet, arrow"
"""What ``--to`` of a command takes that writes puzzles."""

TABLE["to"].settings["of"] = PUZZLE_FORMATS
TABLE["empty"].settings["default"] = False  # a user who names a file expects puzzles in it

READING = ("format", "column", "empty", "strict", "max_size")
"""The options for reading inputs."""

ROW_FORMATS = "txt, csv, tsv, jsonl, parquet, arrow"
"""What ``--to`` of a command takes that writes rows instead of puzzles."""

REQUEST = ("clues", "symmetry", "pattern", "minimal", "solution", "difficulty", "level")
"""What puzzles to generate."""

PARTS = ("resume", "cluster", "part_bytes")
"""The options of a command whose output can be made in parts."""

PAPER = ("per_page", "paper", "title")
"""The options of printed puzzles."""

BOOKLET = ("difficulty", "clues", "symmetry")
"""What is asked of the new puzzles of a booklet."""

WRITING = ("output", "to", "keep", "comment", *PARTS)
"""The options of a command that writes what it makes of each puzzle."""

RUNNING = ("threads", *READING, "quiet")
"""The options of a command that reads puzzles and works on them in threads."""


def options_from(names: Iterable[str | Option], changes: Mapping[str, Changes]) -> list[click.Option]:
    """Return some options of the table, or declared ones, with the changes of a command."""
    rows = ((each, TABLE[each]) if isinstance(each, str) else (each.name, row_of(each)) for each in names)
    return [_option_from(name, row, changes.get(name, {})) for name, row in rows]


def _option_from(name: str, row: Row, changes: Changes) -> click.Option:
    if isinstance(changes, str):
        changes = {"of": changes}
    settings = {**row.settings, **changes}
    text = row.help.format(settings.pop("of", "")) if "{}" in row.help else row.help
    known = changes if "default" in changes else settings
    absent = known.get("absent", settings.get("default"))
    settings.pop("absent", None)
    if absent is not None:
        text += f"  [default: {absent}]"
    return click.Option([*row.flags.split(), name], help=text, **settings)


class Command(click.Command):
    """A command; its help ends with exit codes and examples.

    Its options are made when they are asked for: the help of all commands does not need them.
    """

    def __init__(
        self,
        name: str,
        function: Function,
        names: Iterable[str | Option],
        made: Callable[[], list[click.Option]],
        *,
        text: str | None,
        examples: tuple[str, ...],
        argument: click.Argument | None,
    ) -> None:
        text = cleandoc(text or "")
        if "exit code" not in text and "empty" in names:
            text += f"\n\n{_CODES}"
        super().__init__(name, callback=function, help=text)
        del self.params
        self._argument, self._made = argument, made
        self.examples = examples

    @cached_property
    def params(self) -> list[click.Parameter]:  # type: ignore[override] # pyright: ignore[reportIncompatibleVariableOverride]
        """The argument and the options."""
        return [self._argument, *self._made()] if self._argument else [*self._made()]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def command(
    *names: str | Option,
    examples: tuple[str, ...],
    argument: click.Argument | None = INPUTS,
    **changes: Changes,
) -> Callable[[Function], Callable[[], Command]]:
    """Return the decorator that makes a function one that builds its command, by default one for puzzles.

    It has these options, of the table or declared ones, in this order.  ``changes`` has, by name, what stands
    for ``{}`` in the help, or a dict with that (``of``) and settings that are the command's own, such as the
    default.
    """
    assert not changes.keys() - names

    def declared(function: Function) -> Callable[[], Command]:
        about: dict[str, Any] = {"text": function.__doc__, "examples": examples, "argument": argument}
        made = partial(options_from, names, changes)
        return lambda: Command(function.__name__, function, names, made, **about)

    return declared


def refuse(names: Iterable[str], without: str) -> None:
    """Refuse those options of the running command that have no use without another one; this is named."""
    context = click.get_current_context()
    for each in context.command.params:
        is_given = context.get_parameter_source(str(each.name)) is not ParameterSource.DEFAULT
        if each.name in names and is_given:
            raise click.UsageError(f"{max(each.opts, key=len)} needs {without}.")


def take(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Take some options out of those of a command."""
    return {name: options.pop(name) for name in names if name in options}
