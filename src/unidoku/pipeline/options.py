"""The options of a check that its results depend on."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from unidoku.arguments import positive, positive_ratio
from unidoku.errors import UnidokuError
from unidoku.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypedDict

    class CheckFields(TypedDict, total=False):
        """The attributes of `CheckOptions` as keyword arguments."""

        limit: int | None
        budget: int | None
        only: Iterable[Verdict | str] | None
        format: str | None
        column: str | int | None
        strict: bool
        keep: bool
        verify: bool
        max_ratio: float | None
        max_size: int | None


__all__ = ["CheckOptions"]


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of a check; equal options and inputs give equal rows.

    The same value is passed unchanged from the caller to every shard.

    Attributes
    ----------
    limit : int or None
        Stop counting the solutions of a puzzle there; None counts all.
    budget : int or None
        Guesses that a puzzle may cost before its verdict is ``unknown``; None sets no bound.
    only : tuple of Verdict, or None
        The verdicts whose rows are written; all puzzles are counted.  None writes all.  Words are taken too.
    format : str or None
        Name of the format of the inputs, instead of recognising it by suffix and content.
    column : str or None
        The field that holds the puzzle: a number from 1, or a name.
    strict : bool
        Whether only one symbol for empty cells may occur in a puzzle.
    keep : bool
        Whether the rest of each line is written too.  Named columns always are, but not to ``.txt``.
    verify : bool
        Compare the solutions found with those that the input gives in a column ``solution``, ``solutions`` or
        ``answer``, or the number of solutions in ``expected_count``; the output then has a column
        ``verified`` (``right``, ``wrong`` or nothing).
    max_ratio, max_size : float and int, or None
        Reading a compressed input ends with an error when it yields more bytes than `max_size`, or when
        it has cost more than 1 GiB and `max_ratio` times its own size, see
        `unidoku.files.compression.Bounds`; None sets no bound.

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
    format: str | None = None
    column: str | None = None
    strict: bool = False
    keep: bool = False
    verify: bool = False
    max_ratio: float | None = 1000.0
    max_size: int | None = None

    def __post_init__(self) -> None:
        values: dict[str, Any] = {
            name: positive(name, getattr(self, name)) or None for name in ("limit", "budget", "max_size")
        }
        values["max_ratio"] = positive_ratio("max_ratio", self.max_ratio)
        if self.only is not None:
            values["only"] = tuple(sorted({_verdict(each) for each in self.only}))
        if self.column is not None:
            values["column"] = str(self.column)
        for name in ("strict", "keep", "verify"):
            values[name] = bool(getattr(self, name))
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {**asdict(self), "only": None if self.only is None else [str(each) for each in self.only]}


def _verdict(name: Verdict | str) -> Verdict:
    if isinstance(name, Verdict):
        return name
    try:
        return Verdict[name.strip().upper()]
    except KeyError:
        known = ", ".join(str(verdict) for verdict in Verdict)
        raise UnidokuError(f"invalid verdict {name!r}; choose from: {known}") from None
