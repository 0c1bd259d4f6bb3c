"""The options of everything that reads puzzles from files."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TypedDict

from unidoku.arguments import positive, positive_ratio
from unidoku.files.codecs import Bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self


class InputFields(TypedDict, total=False):
    """The attributes of `InputOptions` as keyword arguments."""

    format: str | None
    column: str | int | None
    strict: bool
    max_ratio: float | None
    max_size: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions:
    """How to read inputs; the same value is passed unchanged from the caller to the readers.

    Attributes
    ----------
    format : str or None
        Name of the format of the inputs, instead of recognising it by suffix and content.
    column : str or None
        The field that holds the puzzle: a number from 1, or a name.
    strict : bool
        Whether only one symbol for empty cells may occur in a puzzle.
    max_ratio, max_size : float and int, or None
        Reading a compressed input ends with an error when it becomes more bytes than `max_size`, or more than
        1 GiB and `max_ratio` times its own size; None sets no bound.

    Raises
    ------
    ValueError
        A number is not allowed: `max_size` is an integer of at least 1, `max_ratio` a finite number above 0.
    """

    format: str | None = None
    column: str | None = None
    strict: bool = False
    max_ratio: float | None = Bounds().ratio
    max_size: int | None = None

    def __post_init__(self) -> None:
        self._set(
            column=None if self.column is None else str(self.column),
            strict=bool(self.strict),
            max_ratio=positive_ratio("max_ratio", self.max_ratio),
            max_size=positive("max_size", self.max_size) or None,
        )

    def _set(self, **values: Any) -> None:
        """Replace arguments by the attributes made from them."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, options: Self | None, fields: Mapping[str, Any]) -> Self:
        """Return the options with some attributes replaced; the default options if there are none."""
        return replace(options or cls(), **fields)

    @property
    def bounds(self) -> Bounds:
        """The bounds of compressed inputs."""
        return Bounds(self.max_ratio, self.max_size)

    def for_reader(self, *, keep: bool = False, carry: bool = False, numbered: bool = True) -> ReadOptions:
        """Return the options of readers; the parameters are attributes of `ReadOptions`."""
        same = {each.name: getattr(self, each.name) for each in fields(InputOptions)}
        return ReadOptions(**same, keep=keep, carry=keep or carry, numbered=numbered)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions(InputOptions):
    """The options of readers; each uses those that apply to its format."""

    keep: bool = False
    """Yield the rest of each line as columns."""
    carry: bool = False
    """Yield the other columns of formats that have named ones."""
    numbered: bool = True
    """Line numbers count from the beginning of the input; without, perhaps from that of each batch."""
