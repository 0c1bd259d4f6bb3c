"""Declarations of options: of tasks, of runs over files, and of commands.

The name, the default, the help and the bounds of an option stand here or in its task, and nowhere else: the
command line, its help and the checks of arguments follow from them.  Annotations here are no strings, which
would be evaluated whenever a command starts.
"""

import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Any, Literal, NamedTuple, TypedDict, Union, get_args, get_origin

from unidoku.arguments import MAX_COUNT, one_of, real, whole
from unidoku.errors import UnidokuError
from unidoku.threads import MAX_THREADS, Cancel
from unidoku.verdict import VERDICTS, Verdict


class Option(NamedTuple):
    """The declaration of a parameter of a task, see `option`, with the name and the type of its field."""

    help: str
    least: float | None = None
    most: float | None = None
    above: float | None = None
    choices: tuple[Any, ...] | None = None
    absent: str | None = None
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    unbounded: str | None = None
    """The word of the command line for None."""
    name: str = ""
    kind: type = str
    """bool, int, float or str; tuple for texts with commas, list for texts of a repeated option."""
    optional: bool = False
    """Whether the value may be None."""
    default: Any = None
    parse: Callable[[str], Any] | None = None
    """Parser of its text on the command line, if the kind and the bounds are not enough.

    It raises UnidokuError for a wrong text.
    """
    alone: str | None = None
    """The value of the option without a text."""
    needs: tuple[str, ...] = ()
    """Options, or options with a value, of which the command line must have one."""

    def checked(self, value: Any) -> Any:
        """Check a value of the parameter; the error names the allowed ones."""
        name, kind = self.name, self.kind
        if self.optional and value is None:
            return None
        if kind is tuple:
            if isinstance(value, str):
                raise UnidokuError(f"{name} must be several texts, not {value!r}")
            return tuple(self._replace(kind=str).checked(item) for item in value)
        if self.choices is not None:
            return one_of(name, value, self.choices)
        if kind is int:
            return whole(name, value, *self._bounds)
        return self._number(value) if kind is float else value

    def read(self, text: str) -> Any:
        """Parse a text of the command line; the error names the allowed ones."""
        if text == self.unbounded:
            return None
        if self.parse is not None:
            return self.parse(text)
        quoted = repr(text[:40])
        if self.kind is tuple:
            words = tuple(word.strip() for word in text.split(","))
            if self.choices is None:
                return words
            choices = {choice.lower(): choice for choice in self.choices}
            words = tuple(word for word in map(str.lower, words) if word != "none")
            if not set(words) <= set(choices):
                raise UnidokuError(
                    f"{quoted} is not none or some of {', '.join(self.choices)}, separated by commas"
                )
            return tuple(choices[word] for word in words)
        if self.kind is int:
            least, most = self._bounds
            try:
                return whole(self.name, int(text), least, most)
            except ValueError:
                raise UnidokuError(f"{quoted} is not a whole number from {least} to {most}") from None
        if self.kind is float:
            try:
                number = float(text)
            except ValueError:
                raise UnidokuError(f"{quoted} is not a number") from None
            return self._number(number)
        return text

    @property
    def _bounds(self) -> tuple[int, int]:
        """The smallest and the largest whole number."""
        least = -MAX_COUNT if self.least is None else int(self.least)
        return least, MAX_COUNT if self.most is None else int(self.most)

    def _number(self, value: Any) -> float:
        return real(self.name, value, least=self.least, most=self.most, above=self.above)


def option(
    default: Any,
    help: str,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    choices: Iterable[Any] | None = None,
    absent: str | None = None,
    flags: Iterable[str] = (),
    metavar: str | None = None,
    unbounded: str | None = None,
    needs: Iterable[str] = (),
) -> Any:
    """Declare a parameter of a `Task`: a field of the dataclass, an option of its command.

    The field is annotated with ``bool`` (a flag), ``int``, ``float``, ``str`` or ``tuple[str, ...]`` (words,
    with commas on the command line), or one of these ``| None``.

    Parameters
    ----------
    default : bool, int, float, str, tuple or None
    help : str
        One sentence, for the help of the command.
    least, most : number, optional
        The smallest and the largest value.
    above : number, optional
        Instead of `least`: a bound that the value must exceed.
    choices : iterable, optional
        The only values.
    absent : str, optional
        The behaviour without the option in words, if the default does not say it.
    flags : iterable of str, optional
        The names of the option on the command line; by default the name of the field, as ``--name``.
    metavar : str, optional
        Name of the value in the help.
    unbounded : str, optional
        The word of the command line for None, where the default is a number.
    needs : iterable of str, optional
        Options of the command, such as ``--output`` or ``--method book``: it requires one of them.

    Returns
    -------
    dataclasses.Field
    """
    chosen = None if choices is None else tuple(choices)
    about = Option(
        help, least, most, above, chosen, absent, tuple(flags), metavar, unbounded, needs=tuple(needs)
    )
    return field(default=default, metadata={"option": about})


def shared(option: Option, **changes: Any) -> Any:
    """Declare a parameter of several commands, with changes for this one."""
    option = option._replace(**changes)
    return field(default=option.default, metadata={"option": option})


_OPTIONS: dict[type, tuple[Option, ...]] = {}


def options_of(cls: type) -> tuple[Option, ...]:
    """Return the options of a dataclass, in the order of its fields."""
    options = _OPTIONS.get(cls)
    if options is None:
        # a class without parameters need not be a dataclass
        declared_fields = fields(cls) if is_dataclass(cls) else ()
        options = _OPTIONS[cls] = tuple(
            _option_of(cls, field) for field in declared_fields if "option" in field.metadata
        )
    return options


def _hint_of(cls: type, field: Field[Any]) -> Any:
    """Return the type of a field."""
    if not isinstance(field.type, str):
        return field.type
    owner = next(base for base in cls.__mro__ if field.name in getattr(base, "__annotations__", ()))
    return eval(field.type, vars(sys.modules[owner.__module__]))


def _option_of(cls: type, field: Field[Any]) -> Option:
    hint: Any = _hint_of(cls, field)
    optional = False
    if get_origin(hint) in (Union, types.UnionType):
        members = [member for member in get_args(hint) if member is not type(None)]
        optional = len(members) < len(get_args(hint))
        hint = members[0] if len(members) == 1 else None
    if get_origin(hint) is Literal:
        hint = type(get_args(hint)[0])
    hint = get_origin(hint) or hint
    declaration: Option = field.metadata["option"]
    return declaration._replace(name=field.name, kind=hint, optional=optional, default=field.default)


class Progress(NamedTuple):
    """The progress of a run.

    Attributes
    ----------
    done, total : int
        Stored bytes of the inputs, up to the last finished puzzle and in all, or for `unidoku.tasks.Generate`
        puzzles; ``total`` is 0 if it is not known.
    puzzles : int
    seconds : float
    earlier : int
        Puzzles among these from earlier runs of a resumed job.
    """

    done: int
    total: int
    puzzles: int
    seconds: float
    earlier: int = 0


def _option(default: Any, help: str, *, changes_rows: bool = True, **about: Any) -> Any:
    """Declare an option of every run; options that change no row are not compared."""
    return field(default=default, compare=changes_rows, metadata={"option": Option(help, **about)})


def _apart(help: str, **about: Any) -> Any:
    return _option(None, help, changes_rows=False, **about)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a run over files reads, writes and works.

    The attributes are the keyword arguments of `unidoku.run`, which describes each, and of other functions
    over files.  Equal options, with equal inputs and an equal task, give equal rows.
    """

    format: str | None = _option(
        None,
        "Read the inputs as this format.",
        flags=("--from",),
        metavar="FORMAT",
        absent="by suffix and content",
    )
    column: str | None = _option(
        None,
        "Take the puzzle from this column: a name, or a number from 1.",
        metavar="COLUMN",
        absent="found by its name or content",
    )
    to: str | None = _apart("Write this format: {}.", metavar="FORMAT", absent="by the suffix of --output")
    columns: tuple[str, ...] | None = _option(
        None, "Write these columns, separated by commas: {}.", metavar="NAMES"
    )
    only: tuple[Verdict, ...] | None = _option(
        None,
        f"Write only rows with these verdicts: some of {', '.join(VERDICTS)}, with commas.",
        metavar="VERDICTS",
        absent="all",
    )
    keep: Literal["columns", "none"] = _option(
        "columns",
        "Keep this of the input: columns (those with names) or none.",
        choices=("columns", "none"),
    )
    threads: int | None = _apart(
        f"Use N worker threads, 1 to {MAX_THREADS}.",
        least=1,
        most=MAX_THREADS,
        flags=("--threads", "--jobs", "-j"),
        absent="one per available core",
    )
    resume: bool = _option(
        False,
        "Write a folder of parts, and keep those that an earlier run of the same command has made.",
        changes_rows=False,
    )
    cluster: str | None = _apart(
        "Give each input to a worker of a Dask cluster: local:N (N processes here), tcp://HOST:PORT or "
        "tls://HOST:PORT.",
        metavar="WHERE",
        absent="threads",
    )
    progress: Callable[[Progress], None] | None = field(default=None, compare=False)
    on_failure: Callable[[UnidokuError], None] | None = field(default=None, compare=False)
    cancel: Cancel | None = field(default=None, compare=False)
    file: bool = field(default=False, repr=False)
    """Set by a run: whether rows have a column ``file``, as there are several inputs."""
    empty: bool = field(default=True, compare=False, repr=False)
    """Set by a command: whether to write an output even if the inputs have no records."""
    rest: bool = field(default=False, compare=False, repr=False)
    """Set by a run: whether the text beside the puzzle of a plain line is a column."""
    numbered: bool = field(default=True, compare=False, repr=False)
    """Set by a run: whether readers count lines; otherwise lines may be counted from each batch."""

    def __post_init__(self) -> None:
        """Check the values against their declarations."""
        values: dict[str, Any] = {}
        column: Any = self.column
        if column is not None:
            values["column"] = column if isinstance(column, str) else str(whole("column", column, 1))
        for option in options_of(Options):
            value = values.get(option.name, getattr(self, option.name))
            if option.name != "only":
                values[option.name] = option.checked(value)
        columns = values["columns"]
        if columns == ():
            raise UnidokuError("columns must name at least one column")
        if repeated := [name for name in columns or () if columns.count(name) > 1]:
            raise UnidokuError(f"columns must name each column once, not {repeated[0]!r} twice")
        if self.only is not None:
            values["only"] = tuple(sorted({*map(_verdict, self.only)}))
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, arguments: "OptionFields") -> "Options":
        """Return the options of keyword arguments."""
        values: dict[str, Any] = {**arguments}
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """Return the options that the rows depend on, as a JSON object."""
        only = None if self.only is None else [str(verdict) for verdict in self.only]
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.compare}
        return {**values, "only": only}


def _verdict(name: Verdict | str) -> Verdict:
    try:
        return Verdict[str(name).strip().upper()]
    except KeyError:
        raise UnidokuError(f"invalid verdict {name!r}; choose from: {', '.join(VERDICTS)}") from None


class OptionFields(TypedDict, total=False):
    """Keyword arguments for the attributes of `Options`, for type checkers."""

    format: str | None
    column: str | int | None
    to: str | None
    columns: Iterable[str] | None
    only: Iterable[Verdict | str] | None
    keep: Literal["columns", "none"]
    threads: int | None
    resume: bool
    cluster: str | None
    progress: Callable[[Progress], None] | None
    on_failure: Callable[[UnidokuError], None] | None
    cancel: Cancel | None


_COMMON = (
    *options_of(Options),
    Option(
        "Write to this file or URL; - is standard output.",
        flags=("--output", "-o"),
        metavar="PATH",
        absent="standard output",
        name="output",
        default="-",
    ),
    Option(
        "Print JSON: the result of one puzzle; of files, a line for each row, and at the end the summary.",
        flags=("--json",),
        name="as_json",
        kind=bool,
        default=False,
    ),
    Option(
        "Print no summary, no progress bar and no messages about invalid records.",
        flags=("--quiet", "-q"),
        name="quiet",
        kind=bool,
        default=False,
    ),
)

TABLE = {option.name: option for option in _COMMON}
"""The options that commands share, by parameter."""

PUZZLE_FORMATS = "txt, sdm, csv, tsv, jsonl, sdk, ss, opensudoku, parquet, arrow, npz, npy"
"""Values of ``--to`` of a command that writes puzzles."""

READING = ("format", "column")
"""The options for reading inputs."""

ROW_FORMATS = "txt, csv, tsv, jsonl, parquet, arrow, npz"
"""Values of ``--to`` of a command that writes rows instead of puzzles."""

PARTS = ("resume", "cluster")
"""The options of a command whose output can be a folder of parts."""

WRITING = ("output", "to", "keep", *PARTS)
"""The options of a command that writes puzzles."""

RUNNING = ("threads", *READING, "quiet")
"""The options of a command that reads puzzles, and uses threads."""


def common(name: str, of: str = PUZZLE_FORMATS, **changes: Any) -> Option:
    """Return an option of the table for a command; ``of`` replaces ``{}`` in its help."""
    option = TABLE[name]
    text = changes.pop("help", option.help).replace("{}", of)
    return option._replace(help=text, **changes)
