"""The options of a check that its results depend on."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from unidoku.errors import UnidokuError
from unidoku.files.options import InputOptions
from unidoku.kernel import positive
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, ClassVar, Protocol

    from unidoku.files.base import Batch
    from unidoku.kernel import Cancel

    class Change(Protocol):
        """Makes other puzzles of the puzzles of each batch; a value that can be pickled."""

        chunk: ClassVar[int]

        def __call__(self, batch: Batch, cancel: Cancel | None = None) -> Batch: ...
        def to_json(self) -> dict[str, Any]: ...

    from unidoku.files.options import InputFields

    class CheckFields(InputFields, total=False):
        """The attributes of `CheckOptions` as keyword arguments."""

        limit: int | None
        budget: int | None
        only: Iterable[Verdict | str] | None
        keep: bool
        comment: bool
        verify: bool


__all__ = ["CheckOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions(InputOptions):
    """The options of a check, with those for reading; equal options and inputs give equal rows.

    The same value is passed unchanged from the caller to every shard.

    Attributes
    ----------
    limit : int or None
        Stop counting the solutions of a puzzle there; None counts all.
    budget : int or None
        Guesses that a puzzle may cost before its verdict is ``unknown``; None sets no bound.
    only : tuple of Verdict, or None
        The verdicts whose rows are written; all puzzles are counted.  None writes all.  Words are taken too.
    keep : bool
        Whether the rest of each line is written too.  Named columns always are, but not to ``.txt``.
    verify : bool
        Compare the solutions found with those that the input gives in a column ``prediction``, ``answer``,
        ``solution`` or ``solutions``, or the number of solutions in ``expected`` or ``expected_count``; the
        output then has the columns ``verified`` (``right``, ``wrong`` or nothing) and ``verified_reason``.
    comment : bool
        Begin an output of lines or CSV with a comment that has the version and the options, as JSON.  Arrow
        and Parquet outputs always have them in their metadata.
    file : bool
        Whether rows have a column ``file``; `unidoku.check_file` sets it where there are several inputs.
    change : Change or None
        Write the puzzles that this makes of the input, not results; each of them counts as ``unknown``, and
        `keep` says whether columns are written.
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
    only: tuple[Verdict, ...] | None = None
    keep: bool = False
    comment: bool = False
    verify: bool = False
    file: bool = False
    change: Change | None = None

    def __post_init__(self) -> None:
        InputOptions.__post_init__(self)
        self._set(
            limit=positive("limit", self.limit) or None,
            budget=positive("budget", self.budget) or None,
            only=None if self.only is None else tuple(sorted({_verdict(each) for each in self.only})),
            keep=bool(self.keep),
            comment=bool(self.comment),
            verify=bool(self.verify),
        )

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        only = None if self.only is None else [str(each) for each in self.only]
        change = None if self.change is None else self.change.to_json()
        return {**asdict(self), "only": only, "change": change}

    def recorded(self) -> dict[str, Any]:
        """Return the metadata of the output: the options of a check, or the parameters of a change."""
        return self.to_json() if self.change is None else self.change.to_json()


def _verdict(name: Verdict | str) -> Verdict:
    if isinstance(name, Verdict):
        return name
    try:
        return Verdict[name.strip().upper()]
    except KeyError:
        known = ", ".join(str(verdict) for verdict in Verdict)
        raise UnidokuError(f"invalid verdict {name!r}; choose from: {known}") from None
