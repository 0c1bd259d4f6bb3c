"""The options of a run: how inputs are read, the stage, and which columns and rows are written."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from unidoku import __version__
from unidoku.errors import UnidokuError
from unidoku.files.source import InputFields, InputOptions
from unidoku.run.check import Check
from unidoku.run.stage import Stage
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from typing import Any

    from unidoku.run.summary import Progress
    from unidoku.threads import Cancel


class FileFields(InputFields, total=False):
    """The options that all functions with files have; see `unidoku.check_file`."""

    to: str | None
    carry: bool
    columns: Iterable[str] | None
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


class RunFields(FileFields, total=False):
    """Those of a check, too; see `unidoku.check_file`."""

    only: Iterable[Verdict | str] | None
    keep: bool
    invalid: str | os.PathLike[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(InputOptions):
    """What a run does with its inputs; equal options and inputs give equal rows.

    The same value is passed unchanged from the caller to every part.  `columns`, `only`, `keep`, `carry` and
    `comment` are as for `unidoku.check_file`.
    """

    stage: Stage = field(default_factory=Check)
    columns: tuple[str, ...] | None = None
    """Of the stage or of the input; None for those of the stage."""
    only: tuple[Verdict, ...] | None = None
    keep: bool = False
    carry: bool = True
    comment: bool = False
    file: bool = False
    """Whether rows have a column ``file``; set where there are several inputs."""

    def __post_init__(self) -> None:
        InputOptions.__post_init__(self)
        self._set(
            columns=None if self.columns is None else tuple(self.columns),
            only=None if self.only is None else tuple(sorted({_verdict(each) for each in self.only})),
            keep=bool(self.keep),
            carry=bool(self.carry),
            comment=bool(self.comment),
        )

    def shown(self, *, text: bool) -> tuple[str, ...]:
        """Return the columns to write, before those of the input that are written too."""
        return self.stage.shown(text, self.file) if self.columns is None else self.columns

    def carries(self, *, text: bool) -> bool:
        """Return whether all columns of the input are written too."""
        return self.columns is None and self.carry and (self.keep or (self.stage.carries and not text))

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        values = {each.name: getattr(self, each.name) for each in fields(RunOptions)}
        only = None if self.only is None else [str(each) for each in self.only]
        return {**values, "only": only, "stage": self.stage.to_json()}

    def record(self) -> str:
        """Return the metadata of an output, as JSON: version and parameters of the stage, of a check all."""
        from json import dumps  # not at the top: a check without output starts faster

        stage = self.stage.to_json()
        about = {**self.to_json(), **stage, "stage": None} if isinstance(self.stage, Check) else stage
        return dumps({"version": __version__, "options": about}, sort_keys=True)


def _verdict(name: Verdict | str) -> Verdict:
    if isinstance(name, Verdict):
        return name
    try:
        return Verdict[name.strip().upper()]
    except KeyError:
        known = ", ".join(str(verdict) for verdict in Verdict)
        raise UnidokuError(f"invalid verdict {name!r}; choose from: {known}") from None
