"""Options of commands and parameters of tasks, declared once, with types of click.

The command line and its help are made from these declarations.  The values that Python passes are converted
by the same types.
"""

from __future__ import annotations

from codecs import lookup
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple, Self, dataclass_transform

import click

from unidoku._arguments import MAX_COUNT, any_of, callback, integer, wrong_type
from unidoku._guesses import Keywords
from unidoku._threads import MAX_THREADS, Cancel, cancel_of, within
from unidoku._verdict import Verdict
from unidoku._words import LANGUAGES, say, translatable
from unidoku.errors import ArgumentError, Message, UnidokuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from unidoku._conditions import Condition


class _TranslatedName(str):
    """The name of a type in click's errors, in the language of the user."""

    __slots__ = ()

    def __format__(self, _: str) -> str:
        return say(self)


class _Bounded:
    """A number with bounds, which the error says in words; without a largest one it is above the other."""

    def __init__(self, least: float, most: float | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        number = super().convert(value, param, ctx)  # type: ignore[misc]
        if self.most is None:
            bounds, is_in = f"> {self.least}", number > self.least
        else:
            bounds, is_in = f"{self.least}–{self.most}", self.least <= number <= self.most
        if not is_in:
            text = "{value} is not in the range {range}."
            raise click.BadParameter(Message(text, value=number, range=bounds), ctx, param)
        return number


class Whole(_Bounded, click.types.IntParamType):
    """A whole number with bounds."""

    name = _TranslatedName(translatable("whole number"))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return what the help has in its place."""
        return "N"


class Real(_Bounded, click.types.FloatParamType):
    """A number with bounds."""

    name = _TranslatedName(translatable("number"))


class Positive(Whole):
    """A number of things, a limit or a bound, or a word for none; the error about 0 names no largest one."""

    def __init__(self, none: str | None = None) -> None:
        super().__init__(1, MAX_COUNT)
        self.none = none

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or None."""
        if value == self.none:
            return None
        number = click.types.IntParamType.convert(self, value, param, ctx)
        if number < 1:
            self.fail(Message("the number must be at least 1, not {number}", number=number), param, ctx)
        return super().convert(number, param, ctx)


POSITIVE: Positive = Positive()
POSITIVE_OR_ALL: Positive = Positive("all")


class Choice(click.Choice):  # type: ignore[type-arg]
    """One of a few words, in any case."""

    def __init__(self, words: Iterable[Any]) -> None:
        super().__init__([*words], case_sensitive=False)
        self.expected: str = any_of([*map(repr, self.choices)])

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Return what the help has in its place: the words if they are short."""
        return "WORD" if len("|".join(map(str, self.choices))) > 18 else super().get_metavar(param, ctx)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word as it is written in the list."""
        if not isinstance(value, (str, *map(type, self.choices))):
            raise TypeError
        return super().convert(value, param, ctx)


class WordList(click.ParamType):  # type: ignore[type-arg]
    """Different words, separated by commas on the command line.

    Parameters
    ----------
    choices : iterable, optional
        The words, or the members of an enumeration with these names.
    alone : mapping, optional
        Words, in any case, that replace the whole list, with their value.
    """

    choices: tuple[Any, ...]
    alone: Mapping[str, Any]

    name = "words"
    expected = "a word or an iterable of words"

    def __init__(
        self, choices: Iterable[Any] = (), *, alone: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        self.choices, self.alone = tuple(choices), alone

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the words of a text, or check the words of a sequence."""
        words = (*value,)
        if isinstance(value, str):
            if value.lower() in self.alone:
                return self.alone[value.lower()]
            words = tuple(map(str.strip, value.split(",")))
        if len(set(words)) < len(words):
            self.fail(Message("{words} has a word twice; write it once", words=repr(value)), param, ctx)
        if self.choices:
            return tuple(Choice(self.choices).convert(word, param, ctx) for word in words)
        if not all(isinstance(word, str) for word in words):
            raise TypeError
        if not words:
            self.fail(Message("expected at least one word; write one"), param, ctx)
        return tuple(map(str, words))


class Encoding(click.ParamType):  # type: ignore[type-arg]
    """The name of an encoding of Python's."""

    name = "encoding"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return Python's own name of it."""
        try:
            with suppress(UnicodeError):  # two bytes may not be a character
                b"12".decode(value)
            return lookup(value).name
        except (LookupError, ValueError):
            text = "unknown encoding {name}; choose one such as gbk, gb18030, big5, cp1251 or utf-16-le."
            self.fail(Message(text, name=repr(value)), param, ctx)


class Conditions(click.ParamType):  # type: ignore[type-arg]
    """Conditions on rows by their columns, separated by commas on the command line."""

    name = "conditions"
    expected = "a text such as 'er=7-9' or a dict such as {'er': (7, 9)}"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Condition, ...]:
        """Return the conditions of a text, or of a dict from Python."""
        from unidoku._conditions import conditions_of  # not at the top: it is needed seldom

        try:
            return conditions_of(value)
        except ArgumentError as error:
            self.fail(Message("{text}.", text=error), param, ctx)


complete_file: Callable[..., list[CompletionItem]] = click.Path().shell_complete
"""Complete the name of a file, as the shell does."""
_EXPECTED = {"boolean": "True or False", "number": "a number"}
"""The values from Python that types of click expect."""


class Option(click.Option):
    """An option of the command line, or a parameter of a task.

    Parameters
    ----------
    name : str
        Its keyword.
    help : str
    flags : sequence of str, optional
        By default ``--name``.
    needs : sequence of str, optional
        Options, or options with a value such as ``--method book``: the command line must have one of them.
    **settings
        As for `click.Option`.  The default of a flag is a bool.
    """

    name: str

    def __init__(
        self, name: str, help: str, *, flags: Sequence[str] = (), needs: Sequence[str] = (), **settings: Any
    ) -> None:
        settings.setdefault("default", None)
        self.settings: dict[str, Any] = {"help": help, "flags": flags, "needs": needs, **settings}
        self.needs = needs
        flags = flags or (f"--{name.replace('_', '-')}",)
        settings.setdefault("show_default", True)
        kind = settings.get("type")
        if isinstance(settings["default"], bool):
            settings["is_flag"] = True
        settings.setdefault("multiple", isinstance(kind, Conditions))
        super().__init__([*flags, name], help=help, **settings)

    @property
    def has_one_value(self) -> bool:
        """Whether a second value would replace the first: a flag that is repeated says the same."""
        return not self.multiple and (bool(self.secondary_opts) or not self.is_flag)

    def replace(self, **changes: Any) -> Option:
        """Return the option with other settings."""
        return Option(self.name, **{**self.settings, **changes})

    def field(self, **changes: Any) -> Any:
        """Declare a field of a dataclass that is this option, with changes for it."""
        settings = {**self.settings, **changes}
        return field(default=settings["default"], metadata=settings)

    def check(self, value: Any) -> Any:
        """Return a value from Python, converted as on the command line."""
        if value is None:
            return None
        if isinstance(self.type, Whole):
            value = integer(self.name, value)  # click would truncate
        try:
            return self.type.convert(value, self, None)
        except click.BadParameter as error:
            raise ArgumentError(Message("{name}: {message}", name=self.name, message=error.message)) from None
        except (TypeError, AttributeError):
            expected = _EXPECTED.get(self.type.name, getattr(self.type, "expected", "a text"))
            raise wrong_type(self.name, expected, value) from None

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert the value of the command line; conditions that are given several times must all hold."""
        if not isinstance(self.type, Conditions):
            return super().type_cast_value(ctx, value)
        return self.type.convert(",".join(value), self, ctx) if value else None

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return what the help says after the text."""
        extra = super().get_help_extra(ctx)
        if isinstance(self.show_default, str):
            extra["default"] = f"({say(self.show_default)})"
        return extra


def option(default: Any, help: str, type: Any = None, *, compare: bool = True, **settings: Any) -> Any:
    """Declare a field of a dataclass that is an option, with the settings of an `Option`."""
    return field(default=default, compare=compare, metadata={"help": help, "type": type, **settings})


def _options_of(cls: Any) -> tuple[Option, ...]:
    declared = getattr(cls, "__dataclass_fields__", vars(cls))
    return tuple(
        Option(name, **{**field.metadata, "default": field.default})
        for name, field in declared.items()
        if getattr(field, "metadata", None)
    )


options_of: Callable[[type], tuple[Option, ...]] = cache(_options_of)
"""The options of a dataclass, in the order of its fields."""


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
@dataclass(frozen=True, eq=False, repr=False)
class Parameters(Keywords):
    """Base of the options of a command, each a field: its subclasses become frozen dataclasses.

    They share how they are shown and compared, which a dataclass would compile whenever a check starts.
    """

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, eq=False, repr=False, **settings)(cls)

    def __post_init__(self) -> None:
        """Set the values for good: nothing else changes an instance."""
        for name, value in self.values().items():
            object.__setattr__(self, name, value)

    def values(self) -> dict[str, Any]:
        """Return the values of the options, converted by their types; a subclass replaces those it makes."""
        return {option.name: option.check(getattr(self, option.name)) for option in options_of(type(self))}

    def __repr__(self) -> str:
        values = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
        return f"{type(self).__qualname__}({', '.join(values)})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in fields(self) if field.compare)

    def __reduce__(self) -> tuple[Callable[[], Self], tuple[()]]:
        """Pickle and copy only the parameters: a copy collects nothing of the original."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.init}
        return partial(type(self), **values), ()


class CommandOptions:
    """Options of one command, each an `option`; as a dataclass, a check would start slower."""

    def __init__(self, **values: Any) -> None:
        defaults = {option.name: option.settings["default"] for option in options_of(type(self))}
        vars(self).update({**defaults, **values})


class Show(CommandOptions):
    """How a call prints, and how much: nothing here changes a result or a file."""

    json: bool = option(
        False, "Print JSON: a result, or rows and then a summary.", flags=("--json",), is_eager=True
    )
    quiet: bool = option(False, "Suppress summary, progress and invalid records.", flags=("--quiet", "-q"))
    empty_ok: bool = option(False, "Accept inputs without puzzles (an empty folder).")
    exit_zero: bool = option(False, "Exit with 0 instead of 1 if problems are found.")

    @property
    def for_people(self) -> bool:
        """Whether a person reads messages."""
        return not (self.quiet or self.json)


OF_PUZZLES: tuple[str, ...] = ("clues", "clue_symmetry")
"""The columns of a row's puzzle that every task has: the number of its clues, and their symmetry."""


class Progress(NamedTuple):
    """The progress of a run.

    Attributes
    ----------
    done, total : int
        Stored bytes of the inputs, up to the last finished puzzle and in all; 81 for a puzzle in memory.
        ``total`` is 0 if it is not known.
    puzzles : int
    seconds : float
    earlier : int
        Puzzles among these from earlier runs of a resumed job.

    Examples
    --------
    >>> progress = Progress(done=40, total=80, puzzles=1000, seconds=0.5)
    >>> f"{progress.done / progress.total:.0%}"
    '50%'
    """

    done: int
    total: int
    puzzles: int
    seconds: float
    earlier: int = 0


class Options(Parameters, kw_only=True):
    """How a run over files reads, writes and works.

    The attributes are the keyword arguments of `unidoku.run`, which describes each, and of other functions
    over files.  Equal options, with equal inputs and an equal task, give equal rows.
    """

    format: str | None = option(
        None,
        "Read this format.",
        str,
        flags=("--from",),
        metavar="FORMAT",
        show_default="by name and content",
    )
    column: str | None = option(
        None,
        "Read the puzzle from this column (name or number).",
        str,
        metavar="COLUMN",
        show_default=False,
    )
    encoding: str | None = option(
        None,
        "Read texts in this encoding, such as gbk.",
        Encoding(),
        metavar="NAME",
        show_default=False,
    )
    to: str | None = option(
        None,
        "Write this format.",  # a command names those that it writes
        str,
        compare=False,
        metavar="FORMAT",
        show_default="by the suffix of --output",
    )
    columns: tuple[str, ...] | None = option(
        None,
        "Comma-separated columns: any above, puzzle, file, line, clues, reason, or input columns.",
        WordList(),
        metavar="NAMES",
    )
    where: tuple[Condition, ...] | None = option(
        None,
        "Write only rows with these values: clues=17-20,id=3.",
        Conditions(),
        metavar="COLUMN=VALUES",
    )
    only: tuple[Verdict, ...] | None = option(
        None,
        "The same as --where verdict=VERDICTS.",
        WordList(Verdict),
        metavar="VERDICTS",
    )
    keep: str | tuple[str, ...] = option(
        "columns",
        "Copy only these input columns, or none.",
        WordList(alone={"columns": "columns", "none": "none"}),
        metavar="NAMES",
        show_default=False,
    )
    rejects: str | None = option(
        None,
        "Write invalid records, with reasons, to this file.",
        str,
        compare=False,
        metavar="PATH",
        shell_complete=complete_file,
        show_default=False,
    )
    quote_formulas: bool = option(
        False,
        "In CSV, put ' before text that looks like a formula.",
    )
    threads: int | None = option(
        None,
        "Use N worker threads.",
        Whole(1, MAX_THREADS),
        compare=False,
        flags=("--threads", "--jobs", "-j"),
        show_default="one per core",
    )
    puzzle_timeout: float | None = option(
        None,
        "Give up on a puzzle after this time; it gets a reason.",
        Real(0),
        flags=("--timeout",),
        metavar="SECONDS",
        show_default=False,
    )
    resume: bool = option(
        False,
        "Continue a run into this folder; add new inputs.",
        compare=False,
    )
    overwrite: bool = option(
        False,
        "Remove the parts of another run first.",
        compare=False,
    )
    part_size: int = option(
        64,
        "Megabytes of input for each file of an output folder.",
        Whole(1, 1_000_000),
        metavar="MB",
    )
    cluster: str | None = option(
        None,
        "Use a Dask cluster: local:N or tcp://HOST:PORT.",
        str,
        compare=False,
        metavar="WHERE",
    )
    progress: Callable[[Progress], None] | None = field(default=None, compare=False)
    on_failure: Callable[[UnidokuError], None] | None = field(default=None, compare=False)
    cancel: Cancel | None = field(default=None, compare=False)
    timeout: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check also the callbacks and the flag."""
        super().__post_init__()
        if self.columns is not None and isinstance(self.keep, tuple):
            text = "columns (--columns) names all columns; add the columns of keep (--keep) to them"
            raise ArgumentError(Message(text))
        callback("progress", self.progress)
        callback("on_failure", self.on_failure)
        cancel_of(self.cancel)
        if self.timeout is not None:
            object.__setattr__(self, "cancel", within(self.cancel, self.timeout))
            object.__setattr__(self, "timeout", None)  # of this flag, also in a copy

    def to_json(self) -> dict[str, Any]:
        """Return the options that the rows depend on, as a JSON object."""
        only = None if self.only is None else sorted(map(str, self.only))
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.compare}
        where = [*map(str, values.pop("where") or ())]
        chosen = {"where": where} | {
            name: values.pop(name) for name in ("quote_formulas", "encoding", "puzzle_timeout")
        }
        return {**values, "only": only} | {name: value for name, value in chosen.items() if value}

    def keywords(self) -> dict[str, Any]:
        """Return the values as keyword arguments, for functions over files."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def conditions(self) -> tuple[Condition, ...]:
        """Return what the rows must fulfil, by `where` and `only`."""
        conditions = self.where or ()
        if self.only is None:
            return conditions
        from unidoku._conditions import Condition  # not at the top: it is needed seldom

        return (*conditions, Condition("verdict", (*map(str, self.only),)))


TABLE: dict[str, Option] = {
    option.name: option
    for option in (
        *options_of(Options),
        *options_of(Show),
        Option(
            "output",
            "Write to this file or URL; - is standard output.",
            flags=("--output", "-o"),
            metavar="PATH",
            shell_complete=complete_file,
            default="-",
            show_default="standard output",
            is_eager=True,
        ),
    )
}
"""The options that commands share, by parameter."""

LANG = Option("lang", "Print in this language.", type=Choice(LANGUAGES), default="en")
"""The option for the language of words; the default of a command is that in which it speaks."""

READING: tuple[str, ...] = ("format", "column", "encoding")
"""The options for reading inputs."""

PARTS: tuple[str, ...] = ("resume", "overwrite", "part_size", "cluster")
"""The options of a command whose output can be a folder of parts."""

SEARCHING = ("puzzle_timeout",)
"""The option of a command that may search long."""

RUNNING: tuple[str, ...] = ("rejects", "quote_formulas", "threads", *READING, "empty_ok", "quiet")
"""The options of a command that reads puzzles, and uses threads."""
