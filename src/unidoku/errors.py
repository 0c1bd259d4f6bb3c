"""The errors that unidoku raises: each is a `UnidokuError`, and one of Python's errors that callers know.

Bad input is a ``ValueError``, a file or folder an ``OSError``, stopped work a ``TimeoutError``, and a missing
library an ``ImportError``.
"""

from __future__ import annotations

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
    "Reason",
    "ResumeError",
    "SearchStoppedError",
    "UnidokuError",
    "WrongTypeError",
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

    def __new__(cls, text: str, /, **fields: Any) -> Self:
        """Return the English text, with its template and fields as attributes."""
        for name, value in fields.items():
            if type(value) is str and not value.isprintable():
                fields[name] = escape(value)
        self = str.__new__(cls, text.format_map(fields) if fields else text)
        self.template, self.fields = text, fields
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str, ...]]:
        """Pickle and copy only the text."""
        return str, (str(self),)


TYPE = Message("type 81 characters, row by row: 1-9, and . for an empty cell")
"""The advice at the end of the refusal of one puzzle."""

READ = Message("to read a file, call unidoku.read: the puzzles of each batch are batch.cells")
"""The advice if a puzzle may be meant as the name of a file."""


_LONGEST_NAME = 400  # characters of a name in a message: a text may have been meant for a puzzle


CODES = {
    # why a text, a value or a record is not a puzzle
    "wrong_length": "another number of cells, or rows of other lengths",
    "wrong_symbol": "a character or a value that is not a cell",
    "wrong_type": "a value of another type or shape, or an option of another type or name",
    "too_long": "more text than a puzzle can have",
    "no_puzzle": "nothing, or a text without a puzzle",
    "two_boards": "two different puzzles in one text",
    "unclear": "a board that can be read in two ways",
    "unsupported": "a puzzle with additional rules, or a link without its digits",
    "damaged": "a record, a link or an object that cannot be read",
    "wrong_position": "filled digits or pencil marks that exclude the solution",
    # why a puzzle has no result
    "no_solution": "the clues contradict each other",
    "several_solutions": "the puzzle has more than one solution",
    "not_proper": "the work needs exactly one solution, and the puzzle has another number",
    "full_grid": "no cell is empty",
    "not_full": "a full grid is needed",
    "stuck": "the techniques find no further step",
    "too_few": "fewer puzzles were found than requested",
    "timeout": "the time of the puzzle is over",
    "cancelled": "a `Cancel` ended the call",
    # of answers
    "no_answer": "the answer is missing",
    "no_grid": "an answer without a grid",
    "several_answers": "several answers for one puzzle",
    "wrong_answer": "a grid that is not the solution, or another number of solutions",
    # of exceptions only
    "stopped": "a budget, a timeout or a `Cancel` ended the work",
    "wrong_argument": "an option is out of bounds, or is not one of the choices",
    "wrong_guess": "a session was told a digit that is not a candidate",
    "wrong_format": "a file does not follow its format, or lacks a column",
    "unreadable": "an input cannot be opened, read or decompressed",
    "unwritable": "an output cannot be written",
    "another_run": "the folder has parts of another run",
    "gone": "an input of an earlier run is not among the inputs any more; its parts are kept",
    "lost_cluster": "the scheduler of the cluster is gone",
    "missing_extra": "an optional library is missing, or cannot be loaded",
    "wrong_isa": "the instruction set cannot be used here",
    "error": "any other error",
    "other": "any other reason, such as one of your own task",
}
"""Every code of a reason or an error, and when it is given: codes stay the same between versions."""


class Reason(Message):
    """Why something has no result: a sentence with its code.

    Parameters
    ----------
    code : str
        One of `CODES`: unlike the sentence, it stays the same between versions.
    text : str
        The sentence, with fields in braces.
    **fields
        The values of the fields, as of a `Message`.

    Examples
    --------
    >>> import unidoku
    >>> result = unidoku.check_many(["53..7"], errors="invalid")
    >>> result.reasons[0], result.reasons[0].code
    ('expected 81 cells, found 5', 'wrong_length')
    """

    __slots__ = ("code",)
    code: str

    def __new__(cls, code: str, text: str, /, **fields: Any) -> Self:
        """Return the English text, with its code as an attribute."""
        self = Message.__new__(cls, text, **fields)
        self.code = code
        return self

    @classmethod
    def of(cls, code: str, message: str) -> Self:
        """Return a message as a reason with a code."""
        self = str.__new__(cls, message)
        self.code, self.template = code, getattr(message, "template", str(message))
        self.fields = getattr(message, "fields", {})
        return self

    def with_advice(self, advice: str) -> Reason:
        """Return the same reason with more to say at its end."""
        return Reason(self.code, "{reason}; {advice}", reason=self, advice=advice)

    def __reduce__(self) -> tuple[type[str], tuple[str, ...]]:
        """Pickle and copy the code and the text."""
        return Reason, (self.code, str(self))


class UnidokuError(Exception):
    """The base class of all errors that unidoku raises on purpose.

    Parameters
    ----------
    message : str
        The reason, without the position; a plain text gets the code of the class.
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
    reason : Reason
        The same as ``message``: a text with its code.
    summary : Summary or None
        The counts of the run that this error ended; None if there was no run over files.
    exit_code : int
        The exit code of a command that ends with this error.
    code : str
        One of `CODES`: the code of the reason, or else of the class.

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
    code: str = "error"

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        index: int | None = None,
    ) -> None:
        reason = message if isinstance(message, Reason) else Reason.of(self.code, message)
        super().__init__(reason)
        self.message = reason
        self.code = reason.code
        self.file = file
        self.line = line
        self.column = column
        self.index: int | None = index
        self.summary: object = None

    @property
    def reason(self) -> Reason:
        """The message with its code, without the position."""
        return self.message

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


class WrongTypeError(UnidokuError, TypeError):
    """An option has the wrong type, or is unknown.

    Examples
    --------
    >>> import unidoku
    >>> try:
    ...     unidoku.check("." * 81, budget="a few")
    ... except TypeError as error:
    ...     error.code
    'wrong_type'
    """

    code = "wrong_type"


class InvalidPuzzleError(UnidokuError, ValueError):
    """The input is not a puzzle.

    Attributes
    ----------
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
    code = "other"
    advice: str = ""
    file: str | None
    line: int | None
    column: int | None
    index: int | None
    row: int | None
    found: str | None

    def __init__(
        self, message: Reason, *, row: int | None = None, found: str | None = None, **place: Any
    ) -> None:
        super().__init__(message, **place)
        self.row, self.found = row, found

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

    def joined(self, other: FormatError) -> FormatError:
        """Return the note on this and on a later one of the same kind in the same input: the first."""
        return self


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

    def joined(self, other: FormatError) -> FormatError:
        """Return the note of the keys of both."""
        assert isinstance(other, LateKeysNote)
        names = (*dict.fromkeys((*self.names, *other.names)),)
        return LateKeysNote(names=names, file=self.file)


class InputError(UnidokuError, OSError):
    """An input cannot be opened, read or decompressed.

    ``__cause__`` is the original error, and ``errno`` its number.

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

    ``__cause__`` is the error of the operating system, if there was one, and ``errno`` its number.

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
        message = Reason(self.code, "stopped early by a budget, a timeout or a Cancel")
        if count:
            message = message.with_advice(Message("{count} {what} were found so far", count=count, what=what))
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
