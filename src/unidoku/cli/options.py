"""What commands are made of: the table of all options, in which a word means the same in every command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from inspect import cleandoc
from typing import Any, TypeAlias

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
"""What a command changes in an option of the table, see `command`."""


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


def _number(low: int, high: int, *, unbounded: str | None) -> Callable[[object], Any]:
    """Return the type of whole numbers from ``low`` to ``high``."""
    expected = f"a whole number from {low} to {high}"
    return _type(lambda text: whole("number", int(text), low, high), expected, unbounded)


def _real(check: Callable[[float], float]) -> Callable[[object], Any]:
    """Return the type of numbers that a function checks; its error says which ones it allows."""

    def convert(value: object) -> float:
        try:
            number = float(str(value))
        except ValueError:
            raise click.BadParameter(f"{str(value)[:40]!r} is not a number") from None
        try:
            return check(number)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return convert


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


def _flag(name: str, help: str, *flags: str) -> Option:
    return Option(help, flags=flags, name=name, kind=bool, default=False)


def _words(text: str) -> tuple[str, ...]:
    """Return the words between the commas."""
    return tuple(word.strip() for word in text.split(","))


def _some_of(words: Sequence[str]) -> Callable[[object], Any]:
    """Return the type of some of these words with commas between them, or none."""
    known = {word.lower(): word for word in words}

    def parse(text: str) -> tuple[str, ...]:
        try:
            return tuple(known[word] for word in map(str.lower, _words(text)) if word != "none")
        except KeyError as error:
            raise ValueError from error

    return _type(parse, f"none or some of {', '.join(words)}, separated by commas")


_DECLARED = (
    # of every run over files; a user who names a file expects puzzles in it
    *(replace(each, default=False) if each.name == "empty" else each for each in options_of(Options)),
    # writing
    Option(
        "Write to this file or URL; - is standard output.",
        flags=("--output", "-o"),
        metavar="PATH",
        absent="standard output",
        name="output",
        default="-",
    ),
    _flag("as_json", "Print only the summary, as JSON.", "--json"),
    _flag(
        "quiet", "Print no summary, no progress bar and no messages about invalid records.", "--quiet", "-q"
    ),
    _flag("solutions", "Write the solutions too."),
    CANDIDATES,
    # how much, how fast, where
    Option(
        "Bound on the work: attempts in all.",
        least=1,
        absent="no bound",
        metavar="ATTEMPTS",
        name="budget",
        kind=int,
    ),
    Option("Write N puzzles.", least=1, flags=("-n", "--count"), name="count", kind=int),
    SEED,
    # check, verify, bench
    _flag(
        "sample",
        "Check the sample that is part of unidoku, with --verify; the exit code is 0 if all is right.",
    ),
    Option(
        "Take the predictions from this file, in the order of the puzzles.",
        metavar="FILE",
        name="predictions",
    ),
    Option(
        "Take about S seconds for the whole run.",
        parse=_type(lambda text: positive_ratio("number", float(text)), "a number above 0"),
        metavar="S",
        name="seconds",
        default=10,
    ),
    # reports
    CELLS,
    LANG,
    # pages and links
    Option(
        "Number of puzzles on a page.",
        choices=tuple(PER_PAGE),
        absent="6, and 1 with --blank and --worked",
        name="per_page",
    ),
    _flag(
        "blank",
        "Print the expansion form of the numerical-analysis method: nine small cells in every open cell.",
    ),
    Option(
        "Print this form filled in as after a step of the method: 0 for the first zeroing, 1 for the first "
        "conversion and the zeroing after it, and so on; end for the last step.",
        parse=_type(_step, "a whole number from 0 on, or end"),
        metavar="STEP",
        name="worked",
    ),
    Option(
        "Check this form instead, a text file (- for standard input), and name the first wrong mark.",
        flags=("--check",),
        metavar="FORM",
        name="checked",
    ),
    Option(
        "With --blank or --worked: the digits of the small cells, the top from left to right, then down the "
        "two sides.",
        metavar="DIGITS",
        name="arrangement",
        default="123456789",
    ),
    Option("Lay out the pages for this paper.", choices=tuple(PAPERS), name="paper", default="a4"),
    Option("Put this title on every page.", absent="Sudoku", name="title"),
    Option(
        "Print N new puzzles and their solutions instead of puzzles of inputs; --difficulty, --clues, "
        "--symmetry and --seed say which.",
        least=1,
        flags=("--generate",),
        name="generated",
        kind=int,
    ),
    Option(
        "Put above each puzzle its number, name, difficulty and rating; all but its rating (difficulty); or "
        "only its number (number).",
        choices=("rating", "difficulty", "number"),
        name="heading",
        default="rating",
    ),
    # drawing
    Option("Make the picture N pixels wide and high.", least=1, name="size", kind=int, default=400),
    # making puzzles
    Option("Number of clues, or the least and the greatest.", parse=_range(), metavar="N|A-B", name="clues"),
    Option(
        "Make the pattern of clues symmetric in this way.",
        choices=tuple(SYMMETRIES),
        name="symmetry",
        default="none",
    ),
    Option("Put clues into exactly these cells: 81 characters, . for none.", metavar="CELLS", name="pattern"),
    _flag("minimal", "Make only puzzles without redundant clues."),
    Option(
        "Give all puzzles this solution; uniform: draw the solutions uniformly from all, which is slower.",
        absent="random",
        metavar="GRID",
        name="solution",
    ),
    Option(
        "Choose by what a puzzle needs, in the words of rate: easy, medium, hard, expert or extreme; or "
        "beginner: full houses and hidden singles in boxes alone, and 30 clues or more.",
        metavar="WORD",
        name="difficulty",
    ),
    Option(
        "Choose by the highest guess level of the whole search, the column level of rate.",
        parse=_range(),
        flags=("--guess-level",),
        metavar="N|A-B",
        name="level",
    ),
    Option(
        f"Choose by other columns of rate, separated by commas: {', '.join(_MEASURES)}. Give each a number "
        "or a range, such as er=3.0-4.4, but technique a name, such as x-wing.",
        parse=_measures,
        metavar="COLUMN=VALUE",
        name="where",
    ),
    Option(
        "Make all puzzles of the attempts A to B, from 0, instead of N puzzles; consecutive ranges give the "
        "puzzles of one long run.",
        parse=_range(),
        metavar="A-B",
        name="attempts",
    ),
    Option(
        "Give each --output this fraction of the classes; the sum is 1.",
        parse=_type(
            lambda text: [float(each) for each in text.split(",")], "a list of numbers such as 0.9,0.1"
        ),
        absent="equal parts",
        metavar="F,F,...",
        name="fractions",
    ),
    Option("Print the number, the group and the place of PUZZLE.", metavar="PUZZLE", name="find"),
)

TABLE = {each.name: each for each in _DECLARED}
"""Parameter of a command -> its option."""

PUZZLE_FORMATS = "txt, sdm, csv, tsv, jsonl, sdk, ss, opensudoku, library, parquet, arrow"
"""What ``--to`` of a command takes that writes puzzles."""

READING = ("format", "column", "empty", "strict", "max_size")
"""The options for reading inputs."""

NOT_EMPTY = tuple(each for each in READING if each != "empty")
"""The same, for commands that need a puzzle."""

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
    declared = (TABLE[each] if isinstance(each, str) else each for each in names)
    return [_option_from(each, changes.get(each.name, {})) for each in declared]


def _option_from(each: Option, changes: Changes) -> click.Option:
    if isinstance(changes, str):
        changes = {"of": changes}
    own = {name: value for name, value in changes.items() if name != "of"}
    each = replace(each, **own)
    text, absent = each.help, each.absent
    if "{}" in text:
        text = text.format(changes.get("of", PUZZLE_FORMATS))
    if absent is None and each.default is not None and each.kind is not bool:
        absent = _shown(each)
    if absent is not None:
        text += f"  [default: {absent}]"
    settings = {"is_flag": True} if each.kind is bool else _value_of(each)
    flags = [*flags_of(each)]
    if each.kind is bool and each.default is True:
        flags[-1] += f"/--no-{each.name.replace('_', '-')}"
    return click.Option([*flags, each.name], help=text, default=each.default, **settings)


def flags_of(each: Option) -> tuple[str, ...]:
    """Return what an option is called on the command line."""
    return each.flags or (f"--{each.name.replace('_', '-')}",)


def _shown(each: Option) -> str:
    """Return the default of an option as the help shows it."""
    if each.kind is tuple:
        return ",".join(each.default) or "none"
    return f"{each.default:g}" if each.kind is float else str(each.default)


def _value_of(each: Option) -> dict[str, Any]:
    """Return what click is told of the value of an option."""
    metavar = each.metavar
    if each.parse is not None:
        return {"metavar": metavar, "type": each.parse}
    if each.kind is tuple:
        convert = _words if each.choices is None else _some_of(each.choices)
        return {
            "metavar": metavar or "NAMES",
            "type": lambda value: value if isinstance(value, tuple) else convert(value),  # the default is one
        }
    if each.kind is list:
        return {"metavar": metavar, "multiple": True, "required": True}
    if each.choices is not None:
        by_word = {str(choice): choice for choice in each.choices}
        words = click.Choice([*by_word], case_sensitive=False)
        return {"metavar": metavar, "type": words, "callback": lambda _, __, value: by_word.get(value)}
    if each.kind is int:
        low = -MAX_COUNT if each.least is None else int(each.least)
        most = MAX_COUNT if each.most is None else int(each.most)
        return {"metavar": metavar or "N", "type": _number(low, most, unbounded=each.unbounded)}
    if each.kind is float:
        return {"metavar": metavar or "R", "type": _real(each.checked)}
    return {"metavar": metavar or "TEXT", "type": str}


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

    It has these options, of the table or others, in this order.  ``changes`` has, by name, what stands for
    ``{}`` in the help, or a dict with that (``of``) and what the command declares otherwise, such as the
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
