"""The errors that unidoku raises: each is a `UnidokuError`, and one of Python's errors that callers know.

Bad input is a ``ValueError``, a file or folder an ``OSError``, stopped work a ``TimeoutError``, and a missing
library an ``ImportError``.
"""

from __future__ import annotations

import re
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self, TypeVar

    import numpy as np
    from numpy.typing import NDArray

    Error = TypeVar("Error", bound=BaseException)


__all__ = [
    "CODES",
    "ArgumentError",
    "FormatError",
    "InputError",
    "InvalidPuzzleError",
    "IsaError",
    "MissingExtraError",
    "OutputError",
    "ResumeError",
    "SearchStoppedError",
    "UnidokuError",
    "code_of",
]


def escape(text: str) -> str:
    """Return the text with everything unprintable as an escape sequence: names may have any character."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class Message(str):
    """A text in English that the command line can say in the language of its user.

    Parameters
    ----------
    text : str
        The text, with fields in braces.
    **fields
        The values of the fields. A message among them is translated as well. A text is escaped, because it
        may be quoted from a damaged file.
    """

    __slots__ = ("fields", "template")
    template: str
    fields: dict[str, Any]

    def __new__(cls, text: str, /, **fields: Any) -> Message:
        """Return the English text, with its template and fields as attributes."""
        fields = {name: escape(value) if type(value) is str else value for name, value in fields.items()}
        self = super().__new__(cls, text.format(**fields) if fields else text)
        self.template, self.fields = text, fields
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Pickle and copy only the text."""
        return str, (str(self),)


DIAGNOSE = Message("unidoku diagnose shows why")
"""The reasons for a puzzle with no solution or several."""

TYPE = Message("type 81 characters, row by row: 1-9, and . for an empty cell")
"""The advice at the end of the refusal of one puzzle."""

WRITE = Message("write a line of 81 characters for each puzzle: 1-9, and . for an empty cell")
"""The advice about a file without puzzles."""

READ = Message("to read a file, call unidoku.read: the puzzles of each batch are batch.cells")
"""The advice if a puzzle may be meant as the name of a file."""


_LONGEST_NAME = 400  # characters of a name in a message: a text may have been meant for a puzzle


CODES = {
    "timeout": "not done within ",
    "cancelled": "cancelled",
    "too_long": r"expected 81 cells, found \d+ characters or values",
    "two_boards": "the text has two different puzzles",
    "no_puzzle": r"expected .*, found (0\b|nothing)|not a puzzle: |a web page|a PDF|a Git LFS|a full grid|"
    r"the link has |the puzzle (in the link is|has .*; unidoku reads links)",
    "wrong_symbol": r"expected (a digit or|0 \(empty\)|\d or an empty|the same mark)|81 times ",
    "wrong_length": r"expected (81 cells|9 rows)|row \d+ has \d+ cells",
    "no_solution": "no solution|.* both hold ",
    "several_solutions": "several solutions",
    "no_answer": "no answer",
    "several_answers": "expected one answer|several members could be the answer",
    "no_grid": "no grid of 81 cells|the answer has no grid|an unfinished thought|the last grid of the answer",
    "wrong_answer": "the grid has empty cells|a clue is changed|a digit occurs twice|the number of solutions",
    "other": "",
}
"""The codes of reasons, each with the beginnings of its sentences; the first that fits counts."""

_CODE = "|".join(f"(?P<{code}>{beginning})" for code, beginning in CODES.items())  # compiled when needed


def code_of(reason: str) -> str:
    """Return the code of a reason, one of `CODES`: unlike the sentence, it stays the same between versions.

    Examples
    --------
    >>> import unidoku
    >>> result = unidoku.check_many(["53..7"], errors="invalid")
    >>> result.reasons[0], code_of(result.reasons[0])
    ('expected 81 cells, found 5', 'wrong_length')
    """
    match = re.match(_CODE, reason)
    return str(match and match.lastgroup)


class UnidokuError(Exception):
    """The base class of all errors that unidoku raises on purpose.

    Parameters
    ----------
    message : str
        The reason, without the position.
    file : str, optional
        Name of the input or output, as the user gave it.
    line : int, optional
        Physical line (or record) number, from 1.
    column : int, optional
        Character position in that line, from 1.
    index : int, optional
        The number of the puzzle in an array or a column, from 0.

    Attributes
    ----------
    message, file, line, column, index
        As above.  ``str()`` is the position and the message, on one line without control characters.
    summary : Summary or None
        The counts of the run that this error ended; None if there was no run over files.
    exit_code : int
        The exit code of a command that ends with this error.
    code : str
        A word for the kind of the error; of an `InvalidPuzzleError` one of `CODES`.

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.check_file("missing.txt")
    ... except unidoku.UnidokuError as error:
    ...     error.file
    'missing.txt'
    """

    exit_code = 2
    code = "error"

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.index: int | None = index
        self.summary: object = None

    def to_json(self) -> dict[str, Any]:
        """Return the place and the reason as a JSON object."""
        return {"file": self.file, "line": self.line, "reason": str(self.message), "code": self.code}

    def __str__(self) -> str:
        return self.in_words(str)

    def in_words(self, say: Callable[[str], str]) -> str:
        """Return the position and the message, as a function says messages."""
        parts = (self.file, self.line, None if self.line is None else self.column)
        place = [str(part)[:_LONGEST_NAME] for part in parts if part not in (None, "")]
        message = say(self.message)
        text = f"{':'.join(place)}: {message}" if place else message
        return escape(text if self.index is None else f"row {self.index}: {text}")


class ArgumentError(UnidokuError, ValueError):
    """A number is out of bounds, a word is not one of the choices, or options cannot be combined.

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.generate(clues=90)
    ... except ValueError as error:
    ...     print(type(error).__name__)
    ArgumentError
    """

    code = "wrong_argument"


class InvalidPuzzleError(UnidokuError, ValueError):
    """The input is not a puzzle.

    Attributes
    ----------
    reason : str
        The fault, without the position; the same as ``message``.
    row, column : int or None
        For a single text: the row and the column of the fault on the board, from 1; ``line`` is the line of
        the text.  For a record of a file: ``line`` and ``column`` are the place in the file.
    found : str or None
        The text at that place.
    index : int or None
        For one of many puzzles: its number, from 0.

    Notes
    -----
    For a single text, ``str()`` ends with what to type instead (``advice``).

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.Grid("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7g")
    ... except unidoku.InvalidPuzzleError as error:
    ...     error.row, error.column, error.found
    (9, 9, 'g')
    """

    exit_code = 1
    advice: str = ""
    file: str | None
    line: int | None
    column: int | None
    index: int | None
    row: int | None
    found: str | None

    def __init__(
        self, message: str, *, row: int | None = None, found: str | None = None, **place: Any
    ) -> None:
        super().__init__(message, **place)
        self.row, self.found = row, found

    @property
    def reason(self) -> str:
        """The fault, without the position; the same as ``message``."""
        return self.message

    @property
    def code(self) -> str:  # type: ignore[override]
        """The code of the reason, one of `CODES`."""
        return code_of(self.message)

    def at(self, file: str, line: int) -> Self:
        """Place the error at a record of a file, and return it."""
        self.file, self.line, self.advice = file, line, ""
        self.index = self.row = self.column = None
        return self

    def in_words(self, say: Callable[[str], str]) -> str:
        """Return the position, the message and the advice, as a function says messages."""
        # of one text, its message has the row and the column of the board
        is_text = self.row or self.file is None is self.index
        text = escape(say(self.message)) if is_text else super().in_words(say)
        if not self.advice:
            return text
        return say(Message("{reason}; {advice}", reason=text, advice=self.advice))


class FormatError(UnidokuError, ValueError):
    """A file does not follow its format, or lacks a column, or the format is unknown.

    Examples
    --------
    >>> import io, unidoku
    >>> try:
    ...     unidoku.check_file(io.BytesIO(b"id,name"), format="csv")
    ... except unidoku.FormatError as error:
    ...     error.file
    '<stream>'
    """

    code = "wrong_format"


class ArchiveNote(FormatError):
    """A file in a folder or an archive that is skipped; by default because it is an archive."""

    def __init__(self, file: str, reason: str = "") -> None:
        archive = Message(
            "an archive inside a folder or an archive is skipped; unpack it, or name it as an input"
        )
        super().__init__(reason or archive, file=file)


class LateKeysNote(FormatError):
    """Keys of JSON that are not copied, because the columns of the output were known before."""

    def __init__(self, message: str = "", *, names: tuple[str, ...] = (), **place: Any) -> None:
        text = "not copied, because the first 64 KiB lack these keys: {names}; write .jsonl to keep all keys"
        super().__init__(message or Message(text, names=", ".join(names)), **place)
        self.names = names

    def joined(self, other: LateKeysNote) -> LateKeysNote:
        """Return the note of the keys of both."""
        names = (*dict.fromkeys((*self.names, *other.names)),)
        return LateKeysNote(names=names, file=self.file)


class InputError(UnidokuError, OSError):
    """An input cannot be opened, read or decompressed.  ``__cause__`` is the original error.

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.check_file("missing.txt")
    ... except unidoku.InputError as error:
    ...     error.file
    'missing.txt'
    """

    code = "unreadable"


class OutputError(UnidokuError, OSError):
    """An output cannot be written, would overwrite an input, or would mix with other files of a folder.

    ``__cause__`` is the error of the operating system, if there was one.

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.check_file([], "missing/folder/rows.csv")
    ... except unidoku.OutputError as error:
    ...     error.file
    'missing/folder/rows.csv'
    """

    code = "unwritable"


class ResumeError(OutputError):
    """A run cannot be resumed, because its folder has parts of another task, version, input or option."""

    code = "another_run"


class LostClusterError(InputError):
    """The connection to the scheduler has ended; what the workers have done is in the folder."""

    code = "lost_cluster"


class IsaError(UnidokuError):
    """``UNIDOKU_ISA`` names an instruction set that is unknown or cannot run here.

    Examples
    --------
    >>> from unidoku import kernel
    >>> try:
    ...     kernel.isa("z80")
    ... except IsaError as error:
    ...     print(str(error).partition(";")[0])
    the instruction set 'z80' cannot be used here
    """

    code = "wrong_isa"


class MissingExtraError(UnidokuError, ImportError):
    """An optional library is not installed, and the message names the extra; or it cannot be loaded."""

    code = "missing_extra"


def import_failure(error: ImportError) -> Message:
    """Return why a library cannot be loaded: another one is not installed, or perhaps there is no memory."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ModuleNotFoundError) and cause.name:
            library = cause.name.partition(".")[0]
            return Message("{library} is not installed; run pip install {library}", library=library)
        cause = cause.__cause__ or cause.__context__
    reason, *_ = str(error.__cause__ or error).strip().splitlines() or [""]  # NumPy's own has 30 lines
    return Message(
        "a library cannot be loaded, perhaps because there is too little memory: {reason}", reason=reason
    )


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """Import optional libraries in this context: the error names the extra that installs a missing one."""
    try:
        yield
    except ImportError as error:
        message = Message("{what}; run pip install 'unidoku[{extra}]'", what=what, extra=extra)
        is_extra = isinstance(error, ModuleNotFoundError) and error.name != "numpy"
        if not is_extra:  # it is there, and damaged, or something that it needs is not
            message = Message("{what}: {message}", what=what, message=import_failure(error))
        raise MissingExtraError(message) from error


class SearchStoppedError(UnidokuError, TimeoutError):
    """A budget, a timeout or a `Cancel` ended the work, and a partial result would not be exact.

    Attributes
    ----------
    count : int
        The number of solutions found so far: a lower bound. For `unidoku.steps`, the number of steps; for
        `unidoku.generate`, the number of `puzzles`.
    puzzles : uint8[k, 81]
        The puzzles found, after `unidoku.generate`; otherwise it is not there.

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.count("." * 81, budget=1000)
    ... except unidoku.SearchStoppedError as error:
    ...     error.count
    959
    """

    code = "stopped"
    puzzles: NDArray[np.uint8]

    def __init__(self, count: int, what: str = "solutions") -> None:
        message = Message("stopped early by a budget, a timeout or a Cancel")
        if count:
            found = Message("{count} {what} were found so far", count=count, what=what)
            message = Message("{reason}; {advice}", reason=message, advice=found)
        super().__init__(message)
        self.count = count
        self.what = what


class StoppedError(Exception):
    """Raised and caught by a run that ends early, so that its output knows that it is not complete."""


def without_frames(error: Error) -> Error:
    """Drop the tracebacks of an error that is kept, and of its causes: they keep local variables alive."""
    cause: BaseException | None = error
    while cause is not None:
        cause.__traceback__ = cause.__context__ = None
        cause = cause.__cause__
    return error


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Add the name of a file to errors that have none."""
    try:
        yield
    except UnidokuError as error:
        error.file = error.file or file
        raise


@contextmanager
def arrow_errors(file: str) -> Iterator[None]:
    """Convert PyArrow's errors, of values that it cannot read, cast or write, to `FormatError`."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith("pyarrow"):
            raise
        first_line, *_ = str(error).splitlines() or [type(error).__name__]
        reason = first_line[:1000]  # it may quote what is in a damaged file
        message = Message("{library} says: {reason}", library="PyArrow", reason=reason)
        raise FormatError(message, file=file) from error
