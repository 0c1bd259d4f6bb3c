"""Inputs of a command: puzzles on the command line, files, standard input.

Every command that takes puzzles takes them in the same way. An argument is, in this order,

1. ``-`` is standard input.
2. The name of an existing file, folder or archive is that input.
3. A URL is a link that contains a puzzle, or the address of a file.
4. 81 cells, or a text with one board, are a puzzle, as `unidoku.Grid` reads it.
5. Anything else is a pattern such as ``*.txt`` that the shell has not expanded, or a file that does not
   exist.

Without arguments standard input is read.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from unidoku._cli.terminal import print_error, print_message
from unidoku._options import READING, Show, complete_file
from unidoku._parse.links import is_link
from unidoku._parse.text import decode_text
from unidoku._table.batch import PuzzleRecord
from unidoku._task import timed_out
from unidoku._verdict import ImproperPuzzleError
from unidoku._words import say
from unidoku.cell import EMPTY_SYMBOLS, symbols_of
from unidoku.errors import (
    ArgumentError,
    InvalidPuzzleError,
    Message,
    Reason,
    SearchStoppedError,
    UnidokuError,
    escape,
)
from unidoku.files._chunks import NO_COLUMNS, Reading
from unidoku.files._codecs import without_compression
from unidoku.files._formats import SUFFIXES
from unidoku.files._inputs import Inputs, read_batches, read_puzzles
from unidoku.files._recognition import choose_format
from unidoku.files._source import Source, open_source
from unidoku.files._storage import has_wildcard, is_stream
from unidoku.runner._summary import Counts, Summary

REPORT_SUFFIXES: dict[str, tuple[str, ...]] = {
    "text": (".txt",),
    "json": (".json", ".jsonl"),
    "jsonl": (".jsonl",),
    "html": (".html", ".htm"),
    "svg": (".svg",),
    "pdf": (".pdf",),
    "png": (".png",),
    "link": (),
}
"""The suffixes of the files of reports, by format."""

_WRITTEN = {*SUFFIXES, *chain.from_iterable(REPORT_SUFFIXES.values())}
CELLS = frozenset("123456789" + EMPTY_SYMBOLS)
_PUZZLE_LIKE = CELLS | frozenset("|+=,;:")  # and blanks
_SMALL = 1 << 16  # bytes that are read to find out whether they are one puzzle, as many as choose a format
_HAS_CELLS = r"[0-9.]{60}|S9B"  # of a link that is meant as a puzzle
_LIST = r"""[\[({][\d\s.,;"'*_xX?\[\](){}-]*,[\d\s.,;"'*_xX?\[\](){}-]*[\])}]"""  # of cells; 3 ms to compile
_LONGEST_NAME = 64  # a longer argument without a path separator, or of several lines, is meant as a puzzle


class PuzzleArgument(io.BytesIO):
    """A puzzle of the command line, as a file named by the number of the argument, from 1."""

    def __init__(self, text: str, number: int) -> None:
        super().__init__(text.encode())
        self.name: Any = f"<argument {number}>"
        self.cells: bytes = b""
        """Its 81 cells; nothing if a reader has to look at the text."""
        if len(text) == 81 and len(empty := {*text}.intersection(EMPTY_SYMBOLS)) < 2:
            self.cells = text.translate(dict.fromkeys(map(ord, empty), ".")).encode()


Input: TypeAlias = str | PuzzleArgument | Source
"""An input as functions such as `unidoku.check_file` take it."""


def _inputs(context: click.Context, _: click.Parameter, values: Sequence[str]) -> list[Input]:
    """Return the inputs of a command; an output needs the option."""
    if not values:  # for Click 8.2, no arguments are typed ones
        context.set_parameter_source("inputs", ParameterSource.DEFAULT)
    has_no_output = context.params.get("output", "") in {"-", None}
    if has_no_output and len(values) == 2:
        first, last = values
        is_of_file = os.path.splitext(without_compression(last)[0])[1] in _WRITTEN
        is_pattern = has_wildcard(last) or "://" in last
        if is_of_file and not is_pattern and os.path.lexists(first) and not os.path.lexists(last):
            command = context.command_path
            text = "no file named {name}; to write it, type {command} {first} -o {last}"
            fields = {"name": repr(last), "command": command, "first": first, "last": last}
            raise click.UsageError(Message(text, **fields), context)
    return inputs_of(values)


INPUTS = click.Argument(
    ["inputs"], nargs=-1, metavar="[PUZZLE|FILE]...", callback=_inputs, shell_complete=complete_file
)
"""The argument of a command that takes puzzles; its value is a list of `Input`."""


def lone_puzzle(
    inputs: list[Input], show: Show, reading: Mapping[str, Any], *, has_rows: bool = True
) -> bytes | str | None:
    """Return the puzzle of inputs that hold no other: an argument, a small file, standard input or a pipe.

    It is 81 cells, or a text that draws candidates; None if the input is named as a table. An input that is
    opened to look at it is replaced in the list by the open file, which keeps what was read. If no record of
    an input is a puzzle, the error is printed for people, and with ``--quiet`` if it has no row.
    """
    if len(inputs) != 1:
        return None
    source = inputs[0]
    if isinstance(source, PuzzleArgument) and not any(map(reading.get, READING)) and source.cells:
        return source.cells
    if isinstance(source, str):
        if os.path.isfile(source):
            may_be_one = os.path.getsize(source) <= _SMALL
        else:  # with a format, lines are not waited for, as they are to choose it
            may_be_one = not reading["format"] and (is_stream(source) or "://" in source)
        if not may_be_one:
            return None
    if not isinstance(source, Source):
        announce_standard_input(inputs)
        try:
            inputs[0] = source = open_source(source)
        except UnidokuError:  # the run over the input reports it
            return None
    if source.archive_kind():
        return None
    content = source.peek(_SMALL + 1)
    if len(content) > _SMALL or source.failure is not None:
        return None
    puzzle: bytes | str | None = None
    rejects: list[UnidokuError] = []
    with suppress(UnidokuError):  # the run over the input reports it
        puzzle, rejects = _records_in(content, source, Reading(**reading, needed=NO_COLUMNS))
    if puzzle is None and rejects and (show.for_people or not (show.json or has_rows)):
        first = rejects[0]
        if len(rejects) == 1:  # it needs no line
            raise InvalidPuzzleError(first.message, file=first.file)
        text = "{reason}; none of the {n} records is a puzzle"
        message = Reason(first.code, text, reason=first.message, n=f"{len(rejects):,}")
        raise InvalidPuzzleError(message, file=first.file, line=first.line)
    return puzzle


def _records_in(
    content: bytes, source: Source, settings: Reading
) -> tuple[bytes | str | None, list[UnidokuError]]:
    """Return the puzzle of a source with a single record, its content; or why no record is a puzzle.

    A board with candidates is a text. A single puzzle of an input that is named as a table is a row.
    """
    format = choose_format(source, settings)
    position = None
    if format.name in {"grid", "sdk"} or content.startswith(b":"):  # as a line of HoDoKu's library
        from unidoku._parse.contents import only_board  # not at the top: a check starts faster

        with suppress(InvalidPuzzleError):
            text = decode_text(content)
            position = text if only_board(text).marks else None
    if position:
        return position, []
    copy = Source(io.BytesIO(content), source.name, format=format)
    puzzles, rejects = list[bytes](), list[UnidokuError]()
    for batch in read_batches(copy, settings):
        if isinstance(batch, UnidokuError):
            return None, []
        puzzles += batch.grids()
        rejects += (reject.error(source.name) for reject in batch.rejects)
        if puzzles and len(puzzles) + len(rejects) > 1:
            return None, []
    if not puzzles:
        return None, rejects
    has_table = format.rows and format.name != "lines"
    suffixes = (*format.suffixes, ".json")
    if has_table and (settings.format or without_compression(source.name)[0].endswith(suffixes)):
        return None, rejects
    return symbols_of(puzzles[0]).encode(), []


def are_rows(values: Sequence[str]) -> bool:
    """Return whether arguments are meant as the nine rows of one board."""
    if len(values) != 9 or any(map(os.path.lexists, values)):
        return False
    return all(map(_is_puzzle_like, values))


def _is_puzzle_like(text: str) -> bool:
    """Return whether a text has only cells, and signs and blanks between them."""
    return _PUZZLE_LIKE.issuperset("".join(text.split()))


def inputs_of(values: Sequence[str]) -> list[Input]:
    """Return the inputs that arguments name; anything but a file or a puzzle is an error."""
    if are_rows(values):
        from unidoku._parse.contents import only_board  # not at the top: a check of files starts faster

        try:
            return [
                PuzzleArgument(only_board("\n".join("".join(value.split()) for value in values)).cells, 1)
            ]
        except InvalidPuzzleError as error:
            raise ArgumentError(error.message) from error
    return [_resolve(value, number) for number, value in enumerate(values, 1)] or ["-"]


def is_name(text: str) -> bool:
    """Return whether a text can only be meant as the name of a file, which need not exist."""
    if len(text) > _LONGEST_NAME:
        return False
    if is_link(text):
        return False
    if _is_puzzle_like(text):
        return False
    return not re.fullmatch(_LIST, text)


def _is_input(value: str) -> bool:
    """Return whether the text of an option names an input, and is not a board."""
    return value == "-" or "://" in value or os.path.lexists(value) or is_name(value)


def grid_named(value: str | None) -> str | None:
    """Return the board of an option, which may be named as PUZZLE is."""
    if value is None:
        return None
    if _is_input(value):
        return puzzles_of([value], 1, {})[0].cells
    return value


def text_named(value: str | None) -> str | None:
    """Return the text of an option, or of the file that it names."""
    if value is None:
        return None
    if not _is_input(value):
        return value
    with open_source(value) as source:
        return source.read().decode("utf-8", "replace")


def _resolve(value: str, number: int) -> Input:
    """Return the input that an argument with this number names."""
    if value == "-" or os.path.lexists(value):
        return value
    text = value.strip()
    if is_name(text):
        return value
    if len(text) == 81 and CELLS.issuperset(text):
        return PuzzleArgument(text, number)
    from unidoku._parse.contents import only_board  # not at the top: a check of files starts faster

    try:
        board = only_board(value)
    except InvalidPuzzleError as error:
        if is_link(value):
            raise error.at(value, 1) from None
        if len(text) <= _LONGEST_NAME and [*Inputs(value)] != [value]:  # a pattern of digits and signs
            return value
        is_path = "://" in value or (os.sep in value and "\n" not in value)
        if is_path and not re.search(_HAS_CELLS, value):
            return value
        quoted = repr(value[:100])
        text = "{quoted} is neither a file nor a puzzle: {reason}"
        raise ArgumentError(Message(text, quoted=quoted, reason=error)) from error
    return PuzzleArgument(value if board.marks else board.cells, number)


def worked_on(
    puzzle: PuzzleRecord,
    work: Callable[[PuzzleRecord, str], None],
    seconds: float | None,
    *,
    is_one: bool,
) -> Counts:
    """Work on a puzzle, which a title names if it is not the only one; if it has no result, print why."""
    error: UnidokuError
    try:
        work(puzzle, "" if is_one else f"# {escape(puzzle.source)}:{puzzle.line} {puzzle.cells}")
        return Counts(file=puzzle.source, puzzles=1, written=1)
    except SearchStoppedError:
        if seconds is None:
            raise
        error = UnidokuError(timed_out(seconds))
        if not is_one:
            error.file, error.line = puzzle.source, puzzle.line
    except InvalidPuzzleError as improper:
        error = with_diagnosis(improper if is_one else improper.at(puzzle.source, puzzle.line))
    print_error(error)
    return Counts(file=puzzle.source, puzzles=1, without_result=1, reasons={error.code: 1})


def with_diagnosis(error: InvalidPuzzleError) -> InvalidPuzzleError:
    """Add the command that shows why a puzzle is not proper to its error, and return it."""
    if isinstance(error, ImproperPuzzleError):
        error.advice = Message("unidoku diagnose shows why")
    return error


def print_advice(summary: Summary) -> None:
    """Print what to type if no record was a puzzle."""
    if summary.puzzles == summary.invalid > 0:
        print_message(say("type 81 characters, row by row: 1-9, and . for an empty cell"))


def puzzles_of(values: Sequence[Any], limit: int | None, reading: Mapping[str, Any]) -> list[PuzzleRecord]:
    """Return the puzzles that arguments name, at most `limit`; the first that is not a puzzle is an error."""
    inputs = inputs_of(values)
    announce_standard_input(inputs)
    return [*islice(each_of(inputs, reading), limit)]


def each_of(inputs: Iterable[Input], reading: Mapping[str, Any]) -> Iterator[PuzzleRecord]:
    """Yield the puzzles of inputs; the first record that is none is an error."""
    for puzzle in read_puzzles(inputs, **reading):
        if isinstance(puzzle, UnidokuError):
            raise puzzle
        yield puzzle


def announce_standard_input(inputs: Sequence[Input]) -> None:
    """Print that standard input is read, if it is a terminal."""
    if "-" in inputs and sys.stdin.isatty():
        text = "reading standard input; press Ctrl-D to end it"
        print_message(
            say("reading standard input; press Ctrl-Z and Enter to end it" if os.name == "nt" else text)
        )
