"""The declaration of an option, the options of every run over files, and those that commands share.

The name, the default, the help and the bounds of an option stand here or in its task, and nowhere else: the
command line, its help and the checks of arguments follow.  Annotations here are not strings: these would have
to be evaluated whenever a command starts.
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
    """The declaration of a parameter of a task, see `option`, with the name and type of its field."""

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
    """bool, int, float or str; tuple for texts, list for those of an option that is given once for each."""
    optional: bool = False
    """Whether the value may be None."""
    default: Any = None
    parse: Callable[[str], Any] | None = None
    """What reads its text on the command line, where the kind and the bounds do not say that.

    It raises UnidokuError for a text that is no value.
    """
    alone: str | None = None
    """The choice that the option means without a value."""
    needs: tuple[str, ...] = ()
    """The options without which it has no use: one of them, or of their values, is on the command line."""

    def checked(self, value: Any) -> Any:
        """Return a value of the parameter, or raise the error that says which ones are allowed."""
        name, kind = self.name, self.kind
        if self.optional and value is None:
            return None
        if kind is tuple:
            if isinstance(value, str):
                raise UnidokuError(f"{name} must be several texts, not {value!r}")
            return tuple(self._replace(kind=str).checked(each) for each in value)
        if self.choices is not None:
            return one_of(name, value, self.choices)
        if kind is int:
            return whole(name, value, *self._bounds)
        return self._number(value) if kind is float else value

    def read(self, text: str) -> Any:
        """Return the value of a text of the command line, or raise the error that says what it may be."""
        if text == self.unbounded:
            return None
        if self.parse is not None:
            return self.parse(text)
        shown = repr(text[:40])
        if self.kind is tuple:
            words = tuple(word.strip() for word in text.split(","))
            if self.choices is None:
                return words
            known = {each.lower(): each for each in self.choices}
            words = tuple(word for word in map(str.lower, words) if word != "none")
            if not set(words) <= set(known):
                raise UnidokuError(
                    f"{shown} is not none or some of {', '.join(self.choices)}, separated by commas"
                )
            return tuple(known[word] for word in words)
        if self.kind is int:
            least, most = self._bounds
            try:
                return whole(self.name, int(text), least, most)
            except ValueError:
                raise UnidokuError(f"{shown} is not a whole number from {least} to {most}") from None
        if self.kind is float:
            try:
                number = float(text)
            except ValueError:
                raise UnidokuError(f"{shown} is not a number") from None
            return self._number(number)
        return text

    @property
    def _bounds(self) -> tuple[int, int]:
        """The least and the greatest whole number."""
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
        Instead of `least`: what the value must exceed.
    choices : iterable, optional
        The only values.
    absent : str, optional
        What holds without the option, in words, where the default does not say it.
    flags : iterable of str, optional
        The names of the option on the command line; by default the name of the field, as ``--name``.
    metavar : str, optional
        What the help calls the value.
    unbounded : str, optional
        The word of the command line for None, where the default is a number.
    needs : iterable of str, optional
        Options of the command, such as ``--output`` or ``--method book``: one of them must be given with it.

    Returns
    -------
    dataclasses.Field
    """
    chosen = None if choices is None else tuple(choices)
    about = Option(
        help, least, most, above, chosen, absent, tuple(flags), metavar, unbounded, needs=tuple(needs)
    )
    return field(default=default, metadata={"option": about})


def shared(about: Option, **changes: Any) -> Any:
    """Declare a parameter that several commands have, with what is different in this one."""
    about = about._replace(**changes)
    return field(default=about.default, metadata={"option": about})


_OPTIONS: dict[type, tuple[Option, ...]] = {}


def options_of(cls: type) -> tuple[Option, ...]:
    """Return the options that a dataclass declares, in the order of its fields."""
    found = _OPTIONS.get(cls)
    if found is None:
        every = fields(cls) if is_dataclass(cls) else ()  # a class without parameters need not be one
        declared = [each for each in every if "option" in each.metadata]
        found = _OPTIONS[cls] = tuple(_option_of(cls, each) for each in declared)
    return found


def _hint_of(cls: type, each: Field[Any]) -> Any:
    """Return the type of a field; other annotations may have names that only type checkers know."""
    if not isinstance(each.type, str):
        return each.type
    owner = next(base for base in cls.__mro__ if each.name in getattr(base, "__annotations__", ()))
    return eval(each.type, vars(sys.modules[owner.__module__]))


def _option_of(cls: type, each: Field[Any]) -> Option:
    hint: Any = _hint_of(cls, each)
    optional = False
    if get_origin(hint) in (Union, types.UnionType):
        members = [member for member in get_args(hint) if member is not type(None)]
        optional = len(members) < len(get_args(hint))
        hint = members[0] if len(members) == 1 else None
    if get_origin(hint) is Literal:
        hint = type(get_args(hint)[0])
    hint = get_origin(hint) or hint
    declared: Option = each.metadata["option"]
    return declared._replace(name=each.name, kind=hint, optional=optional, default=each.default)


class Progress(NamedTuple):
    """How far a run is.

    Attributes
    ----------
    done, total : int
        Bytes of the inputs as stored, those done up to the last puzzle that is done, or the puzzles
        that `unidoku.tasks.Generate` is to write; ``total`` is 0 if it is not known.
    puzzles : int
    seconds : float
    earlier : int
        Puzzles among these that earlier runs of a resumed job had done.
    """

    done: int
    total: int
    puzzles: int
    seconds: float
    earlier: int = 0


def _option(default: Any, help: str, *, changes_rows: bool = True, **about: Any) -> Any:
    """Declare an option of every run; options that change no row take no part in a comparison."""
    return field(default=default, compare=changes_rows, metadata={"option": Option(help, **about)})


def _apart(help: str, **about: Any) -> Any:
    return _option(None, help, changes_rows=False, **about)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a run over files reads, writes and works: one value, from the caller to each reader and each part.

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
    """Set by a command: whether the output appears even if the inputs have no records."""
    rest: bool = field(default=False, compare=False, repr=False)
    """Set by a run: whether what stands beside the puzzle of a plain line is a column."""
    numbered: bool = field(default=True, compare=False, repr=False)
    """Set by a run: whether lines are counted from the beginning of the input, or perhaps of each batch."""

    def __post_init__(self) -> None:
        """Check the values against their declarations."""
        made: dict[str, Any] = {}
        column: Any = self.column
        if column is not None:
            made["column"] = column if isinstance(column, str) else str(whole("column", column, 1))
        for each in options_of(Options):
            value = made.get(each.name, getattr(self, each.name))
            if each.name != "only":
                made[each.name] = each.checked(value)
        columns = made["columns"]
        if columns == ():
            raise UnidokuError("columns must name at least one column")
        if twice := [name for name in columns or () if columns.count(name) > 1]:
            raise UnidokuError(f"columns must name each column once, not {twice[0]!r} twice")
        if self.only is not None:
            made["only"] = tuple(sorted({*map(_verdict, self.only)}))
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, given: "OptionFields") -> "Options":
        """Return the options of a call from its keyword arguments."""
        values: dict[str, Any] = {**given}
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """Return the options that the rows depend on, as a JSON object."""
        only = None if self.only is None else [str(each) for each in self.only]
        return {each.name: getattr(self, each.name) for each in fields(self) if each.compare} | {"only": only}


def _verdict(name: Verdict | str) -> Verdict:
    try:
        return Verdict[str(name).strip().upper()]
    except KeyError:
        raise UnidokuError(f"invalid verdict {name!r}; choose from: {', '.join(VERDICTS)}") from None


class OptionFields(TypedDict, total=False):
    """The attributes of `Options` as keyword arguments, as type checkers need them."""

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

TABLE = {each.name: each for each in _COMMON}
"""The options that commands have in common, by parameter: of every run, and what a command prints."""

PUZZLE_FORMATS = "txt, sdm, csv, tsv, jsonl, sdk, ss, opensudoku, parquet, arrow, npz, npy"
"""What ``--to`` of a command takes that writes puzzles."""

READING = ("format", "column")
"""The options for reading inputs."""

ROW_FORMATS = "txt, csv, tsv, jsonl, parquet, arrow, npz"
"""What ``--to`` of a command takes that writes rows instead of puzzles."""

PARTS = ("resume", "cluster")
"""The options of a command whose output can be a folder of parts."""

WRITING = ("output", "to", "keep", *PARTS)
"""The options of a command that writes what it makes of each puzzle."""

RUNNING = ("threads", *READING, "quiet")
"""The options of a command that reads puzzles and works on them in threads."""


def common(name: str, of: str = PUZZLE_FORMATS, **own: Any) -> Option:
    """Return an option of the table as a command has it; in its help, ``of`` stands for ``{}``."""
    each = TABLE[name]
    text = own.pop("help", each.help).replace("{}", of)
    return each._replace(help=text, **own)
