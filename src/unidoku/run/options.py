"""The options of a run: how inputs are read, the stage, and which columns and rows are written."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from unidoku.arguments import positive
from unidoku.errors import UnidokuError
from unidoku.files.options import InputOptions
from unidoku.run.check import Check
from unidoku.run.stage import Stage
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from unidoku.files.options import InputFields
    from unidoku.run.progress import Progress
    from unidoku.threads import Cancel

    class CheckFields(InputFields, total=False):
        """The attributes of `CheckOptions` as keyword arguments."""

        limit: int | None
        budget: int | None
        only: Iterable[Verdict | str] | None
        columns: Iterable[str] | None
        keep: bool
        comment: bool
        verify: bool

    class FileFields(InputFields, total=False):
        """The options that all functions with files have; see `unidoku.convert_file`."""

        to: str | None
        carry: bool
        columns: Sequence[str] | None
        comment: bool
        threads: int | None
        resume: bool
        cluster: str | None
        part_bytes: int | None
        progress: Callable[[Progress], None] | None
        on_failure: Callable[[UnidokuError], None] | None
        cancel: Cancel | None
        empty: bool
        options: InputOptions | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(InputOptions):
    """What a run does with its inputs; equal options and inputs give equal rows.

    The same value is passed unchanged from the caller to every part.  `columns`, `only`, `keep` and `comment`
    are as for `unidoku.CheckOptions`.
    """

    stage: Stage = field(default_factory=Check)
    columns: tuple[str, ...] | None = None
    """Of the stage or of the input; None for those of the stage."""
    only: tuple[Verdict, ...] | None = None
    keep: bool = False
    bare: bool = False
    """Whether no column of the input is written."""
    comment: bool = False
    file: bool = False
    """Whether rows have a column ``file``; set where there are several inputs."""

    def __post_init__(self) -> None:
        InputOptions.__post_init__(self)
        self._set(
            columns=None if self.columns is None else tuple(self.columns),
            only=None if self.only is None else tuple(sorted({_verdict(each) for each in self.only})),
            keep=bool(self.keep),
            bare=bool(self.bare),
            comment=bool(self.comment),
        )

    def shown(self, *, text: bool) -> tuple[str, ...]:
        """Return the columns to write, before those of the input that are written too."""
        return self.stage.shown(text, self.file) if self.columns is None else self.columns

    def carries(self, *, text: bool) -> bool:
        """Return whether all columns of the input are written too."""
        return self.columns is None and not self.bare and (self.keep or (self.stage.carries and not text))

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        values = {each.name: getattr(self, each.name) for each in fields(RunOptions)}
        only = None if self.only is None else [str(each) for each in self.only]
        columns = None if self.columns is None else [*self.columns]
        return {**values, "only": only, "columns": columns, "stage": self.stage.to_json()}

    def recorded(self) -> dict[str, Any]:
        """Return the metadata of the output: the parameters of the stage."""
        return self.stage.to_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions(RunOptions):
    """The options of a check, with those for reading and writing.

    Attributes
    ----------
    limit : int or None
        Stop counting the solutions of a puzzle there; None counts all.
    budget : int or None
        Guesses that a puzzle may cost before its verdict is ``unknown``; None sets no bound.
    only : tuple of Verdict, or None
        The verdicts whose rows are written; all puzzles are counted.  None writes all.  Words are taken too.
    columns : tuple of str, or None
        The columns to write, also those of the input; None for all of the check.
    keep : bool
        Whether the rest of each line is written too.  Named columns always are, but not to ``.txt``.
    verify : bool
        Compare the solutions found with those that the input gives in a column ``prediction``, ``answer``,
        ``solution`` or ``solutions``, or the number of solutions in ``expected`` or ``expected_count``; the
        output then has the columns of `VerifyResult`, and a ``reason`` where the answer is wrong.
    comment : bool
        Begin an output of lines or CSV with a comment that has the version and the options, as JSON.  Arrow
        and Parquet outputs always have them in their metadata.
    format, column, strict, max_ratio, max_size
        As for `unidoku.InputOptions`.

    Raises
    ------
    ValueError
        A number is not allowed: `limit`, `budget` and `max_size` are integers of at least 1, `max_ratio` is a
        finite number above 0.
    UnidokuError
        A verdict is unknown.
    """

    limit: int | None = 2
    budget: int | None = None
    verify: bool = False

    def __post_init__(self) -> None:
        RunOptions.__post_init__(self)
        limit, budget = positive("limit", self.limit) or None, positive("budget", self.budget) or None
        verify = bool(self.verify)
        self._set(limit=limit, budget=budget, verify=verify, stage=Check(limit, budget, verify))

    def recorded(self) -> dict[str, Any]:
        """Return the metadata of the output: all options."""
        return {**self.to_json(), **self.stage.to_json(), "stage": None}


def _verdict(name: Verdict | str) -> Verdict:
    if isinstance(name, Verdict):
        return name
    try:
        return Verdict[name.strip().upper()]
    except KeyError:
        known = ", ".join(str(verdict) for verdict in Verdict)
        raise UnidokuError(f"invalid verdict {name!r}; choose from: {known}") from None
