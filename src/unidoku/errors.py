"""The errors unidoku raises; every one of them is a ``ValueError``."""

from __future__ import annotations

__all__ = [
    "FormatError",
    "InputError",
    "InvalidPuzzleError",
    "IsaError",
    "MissingExtraError",
    "SearchStoppedError",
    "UnidokuError",
    "cannot_write",
]


class UnidokuError(ValueError):
    """Base of all errors of unidoku.

    Parameters
    ----------
    message : str
        What is wrong, in a sentence without the place.
    file : str, optional
        Name of the input it stands in.
    line : int, optional
        Physical line (or record) number, from 1.
    column : int, optional
        Character position in that line, from 1.

    Attributes
    ----------
    message, file, line, column
        As given; the place is put before the message by ``str()``.
    """

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return f"{':'.join(place)}: {self.message}" if place else self.message


class InvalidPuzzleError(UnidokuError):
    """A text or an array that is no puzzle."""


class FormatError(UnidokuError):
    """A file that is not what its format asks for."""


class InputError(UnidokuError):
    """An input that cannot be opened, read or decompressed; the cause is chained."""


class IsaError(UnidokuError):
    """``UNIDOKU_ISA`` names an instruction set that is unknown or cannot run here."""


class MissingExtraError(UnidokuError):
    """An optional library is not installed; the message names the extra that brings it."""


class SearchStoppedError(UnidokuError):
    """A budget or a `Cancel` ended a search whose result would not be exact.

    Attributes
    ----------
    count : int
        Solutions found so far: a lower bound.
    """

    def __init__(self, count: int) -> None:
        super().__init__(f"the search was stopped before its end; {count} solutions were found so far")
        self.count = count

    def __reduce__(self) -> tuple[type[SearchStoppedError], tuple[int]]:
        return SearchStoppedError, (self.count,)


def cannot_write(error: OSError, path: str) -> InputError:
    """What the system refused to write, with the place."""
    return InputError(f"cannot write: {error.strerror or error}", file=path)
