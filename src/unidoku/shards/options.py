"""What a check is asked to do, as far as its output depends on it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a check; equal options and inputs give equal bytes.

    Attributes
    ----------
    limit : int
        Count solutions up to this many; 0 counts all.
    budget : int
        Guesses after which a puzzle is left ``unknown``; 0 sets none.
    only : tuple of str, optional
        The verdicts to write; by default all.
    suffix : str
        Format of the parts, as a file name's ending: ``.parquet``, ``.csv``, ``.jsonl.gz``, …
    format : str or None
        Format of the inputs, where it is not to be told from the inputs themselves.
    column : str or None
    strict, keep : bool
        See :class:`unidoku.files.base.ReadOptions`.
    verify : bool
        Whether given answers are compared with those found.
    max_ratio, max_size
        See :class:`unidoku.files.compression.Bounds`.
    header : bool
        Whether each part has a header of its own, as in a folder of CSV files.
    notes : bool
        Whether messages about invalid lines are written beside each part.
    """

    limit: int = 2
    budget: int = 0
    only: tuple[str, ...] | None = None
    suffix: str = ".parquet"
    format: str | None = None
    column: str | None = None
    strict: bool = False
    keep: bool = False
    verify: bool = False
    max_ratio: float | None = 1000.0
    max_size: int | None = None
    header: bool = True
    notes: bool = False

    def to_json(self) -> dict[str, Any]:
        """As an object of JSON."""
        return {**asdict(self), "only": None if self.only is None else list(self.only)}
