"""Messages, helps, signals, reports in color, text outputs, and standard streams that are closed."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from unidoku._threads import Cancel
from unidoku._words import (
    LANGUAGES,
    catalog,
    language,
    say,
    translatable,
    wrap,
)
from unidoku.errors import Message, StoppedError, UnidokuError, escape

if TYPE_CHECKING:
    from types import FrameType

    from unidoku._words import Line
    from unidoku.runner._summary import Summary


INTERRUPTED = 128 + signal.SIGINT
"""The exit code of a command that Ctrl-C ended, as shells report it."""


def print_message(text: str) -> None:
    """Print a line on standard error; ignore it if it cannot be written."""
    with suppress(OSError):
        click.echo(escape(text), err=True)


def in_words(value: object) -> str:
    """Return an error or a message in the language of the command that runs."""
    if isinstance(value, UnidokuError):
        return value.in_words(in_words)
    if isinstance(value, Message):
        return say(value.template, **{name: in_words(field) for name, field in value.fields.items()})
    return str(value)


def print_error(error: object) -> None:
    """Print an error message."""
    print_message(say("error: {message}", message=in_words(error)))
    print_notes(error)


def print_usage_error(error: click.ClickException) -> None:
    """Print the error of a command line: where it is, what is wrong, and what to type."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        with suppress(OSError):
            error.show()
        return
    command = getattr(getattr(error, "ctx", None), "command_path", "unidoku")
    words = in_words(error.message or error.format_message())
    message = words.removesuffix(".").removesuffix("。")
    if error.message and (param := getattr(error, "param", None)):
        message = Message("{name}: {message}", name=max(param.opts, key=len), message=message)
    if not any(sign in words for sign in _ADVICE):
        message = Message("{reason}; see {command} --help", reason=message, command=command)
    print_error(message)


_ADVICE = ("; ", "；", "?", "？", "unidoku ")
"""Characters of an error that says what to type."""


def print_notes(error: object) -> None:
    """Print the notes of an exception: they say where the finished part of an output is."""
    for note in getattr(error, "__notes__", []):
        print_message(in_words(note))


def print_json(value: object, file: TextIO) -> None:
    """Print a value as a line of JSON."""
    import json  # not at the top: a check starts faster

    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value)
    # A byte of a file name that is not UTF-8 is half a pair of surrogates, which JSON escapes.
    click.echo(text.encode("utf-8", "backslashreplace"), file)


def default_language() -> str:
    """Return the language of the environment, or English where standard output does not have its letters.

    The first of LC_ALL, LC_MESSAGES and LANG that is set names it; pt_BR is pt_br rather than pt.
    """
    names = filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG")))
    name = next(names, "").lower().replace("-", "_")
    lang = max((lang for lang in LANGUAGES if name.startswith(lang.lower())), key=len, default="en")
    return lang if _has_letters(sys.stdout, lang) else "en"


def _has_letters(file: TextIO, lang: str) -> bool:
    """Return whether the encoding of a file has the letters of a language."""
    try:
        name = catalog(lang).pgettext("language.name", "English")  # in its own letters
        name.encode(getattr(file, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


_LANG = re.compile("(?:^|(?<=\0))--lang[=\0]([^\0]*)")
"""The option, and the language, in arguments that NUL joins."""


def named_language(args: Sequence[str]) -> str:
    """Return the language that a command line names, before it is parsed, or the default one."""
    *_, named = ("", *_LANG.findall("\0".join(args)))
    languages = {name.lower(): name for name in LANGUAGES}
    return languages.get(named.lower(), default_language())


def without_language(args: Sequence[str]) -> list[str]:
    """Return the arguments without ``--lang`` and its value."""
    return [*filter(None, _LANG.sub("\0", "\0".join(args)).split("\0"))]


_AMOUNTS = {
    "puzzle": (translatable("{n} puzzle"), translatable("{n} puzzles")),
    "row": (translatable("{n} row"), translatable("{n} rows")),
    "minimal": (translatable("{n} already minimal"), translatable("{n} already minimal")),
    "unmoved": (
        translatable("{n} answer inside text not transformed"),
        translatable("{n} answers inside text not transformed"),
    ),
    "duplicate": (translatable("{n} duplicate"), translatable("{n} duplicates")),
}


def amount(number: int, noun: str) -> str:
    """Return a number and what it counts, such as "1 row", in the language of the command."""
    one, several = _AMOUNTS[noun]
    return say(one if number == 1 else several, n=f"{number:,}")


def stop_message(number: int, file: str | None = None, line: int | None = None) -> str:
    """Return that a run was stopped, after so many puzzles, up to a record if it is named."""
    if not number:
        return say("stopped: no puzzle was finished")
    message = say("stopped: {puzzles} done", puzzles=amount(number, "puzzle"))
    if file is None:
        return message
    return message + say(", up to line {line} of {file}; all of them are counted", file=file, line=line)


class Notice(NamedTuple):
    """The message for one error of a kind, and the message for further errors that are not printed."""

    one: str
    more: str


NOTE = Notice("note: {error}", "note: {n} more files")
INVALID = Notice("invalid: {error}", "invalid: {n} more lines")
LEFT_OUT = Notice("skipped: {error}", "skipped: {n} more puzzles")
WRONG = Notice("wrong: {error}", "wrong: {n} more answers")
IMPROPER = Notice("note: {error}", "note: {n} more puzzles without exactly one solution")


def print_some(kind: Notice, errors: Sequence[object], count: int, advice: str = "") -> None:
    """Print the first errors of a kind, and how many more there are, with advice."""
    for error in errors[:count]:
        print_message(say(kind.one, error=in_words(error)))
    if count > len(errors):
        print_message(say(kind.more, n=f"{count - len(errors):,}") + say(advice))


@contextmanager
def cancelled_by_interrupt() -> Iterator[Cancel]:
    """Make the first Ctrl-C cancel a run in good order; the second one ends it at once."""
    cancel = Cancel()

    def handler(number: int, frame: FrameType | None) -> None:
        ends_at_once = cancel or cancel.reading
        cancel.set()
        if ends_at_once:
            raise KeyboardInterrupt

    with _handle([signal.SIGINT], handler):
        yield cancel


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print warnings as notes, in the language of the command."""
    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=UserWarning)
        warnings.showwarning = lambda warning, *_: print_some(NOTE, [*getattr(warning, "args", [warning])], 1)
        yield


@contextmanager
def _handle(numbers: Iterable[int], handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle signals, in the main thread."""
    handlers: dict[int, Any] = {}
    with suppress(ValueError):  # not the main thread
        for number in numbers:
            handlers[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, previous in handlers.items():
            signal.signal(number, previous)


class TerminatedError(BaseException):
    """A signal ends the command; unlike after KeyboardInterrupt, the console does not continue."""


@contextmanager
def terminated_by_signals(ended_by: list[int]) -> Iterator[None]:
    """Make SIGTERM and SIGHUP end a command as Ctrl-C does, with its clean-up.

    A run that Ctrl-C cancels in good order is cancelled; anything else ends at once. Signals that are
    ignored, as SIGHUP under ``nohup``, stay ignored. The number of the signal is appended to the list.
    """

    def end(number: int, frame: FrameType | None) -> None:
        ended_by.append(number)
        interrupt: Any = signal.getsignal(signal.SIGINT)
        if callable(interrupt) and interrupt is not signal.default_int_handler:
            interrupt(number, frame)  # the handler of `cancelled_by_interrupt`
        else:
            raise TerminatedError

    names = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    with _handle([number for number in numbers if signal.getsignal(number) is signal.SIG_DFL], end):
        yield


TO_ASCII = str.maketrans(
    {
        **{"≠": "<>", "→": "->", "⇒": "=>"},
        **dict(zip("⊙④·─━│┃╋", "@#.-=:|#", strict=True)),
        **dict.fromkeys("┼╂┿┏┳┓┯┗┻┛┷┠┨┣┫", "+"),
    }
)
"""The signs, marks and drawn lines of reports -> their replacements in ASCII."""


def ascii_signs(file: TextIO) -> dict[int, str]:
    """Return replacements of marks and drawn lines by ASCII, if a file cannot encode them."""
    try:
        "⊙④━·".encode(file.encoding or "ascii")
    except UnicodeEncodeError:
        return TO_ASCII
    return {}


def print_report(lines: Iterable[str | dict[str, Any] | Line], file: TextIO) -> None:
    """Print the lines of a report: texts, objects as JSON, and lines with a style."""
    replaced = ascii_signs(file)
    print_line = None
    for line in lines:
        if isinstance(line, str):
            file.write(f"{line.translate(replaced)}\n")
        elif isinstance(line, dict):
            print_json(line, file)
        else:
            print_line = print_line or _styled_printer(file)
            print_line(line._replace(text=line.text.translate(replaced)))


def _styled_printer(file: TextIO) -> Callable[[Line], None]:
    """Return a function that prints a line in its style; on a terminal, a long one keeps its indentation."""
    from rich.console import Console
    from rich.text import Text

    class Printer(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process, with exit code 1

    # has color where the terminal has it and NO_COLOR does not forbid it
    console = Printer(file=file, highlight=False, markup=False, emoji=False, soft_wrap=not file.isatty())
    if not console.is_terminal:
        # in few pieces: a reader that leaves after the first line is not noticed, and the exit code is usual

        def write_line(line: Line) -> None:
            file.write(f"{line.text}\n")

        return write_line

    def print_line(line: Line) -> None:
        if line.kind == "picture":
            text = Text(line.text, style=line.style)
            for place in line.emphasis:
                text.stylize("bold red", place, place + 1)
            for begin, end, style in line.spans:
                text.stylize(style, begin, end)
            console.print(text, no_wrap=True, crop=False, overflow="ignore")
        else:
            indent = len(line.text) - len(line.text.lstrip())
            for part in wrap(line.text[indent:], max(console.width - indent, 1)):
                text = Text(" " * indent + part, style=line.style)
                console.print(text, no_wrap=True, crop=False, overflow="ignore")

    return print_line


def replace_closed() -> None:
    """Replace closed standard streams by streams whose use is an error; messages are lost.

    Their descriptors are taken by the null device, so that no file that is opened later gets the number of a
    standard stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # gets the lowest number that is free
            os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_WRONLY)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def encode_all() -> None:
    """Write characters that the encoding of standard output lacks as escape sequences."""
    if getattr(sys.stdout, "errors", "") == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def encode_language(lang: str) -> None:
    """Write a language in UTF-8, as in files, if the encoding of standard streams lacks its characters.

    A terminal with such an encoding shows question marks.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _has_letters(stream, lang):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8")


def is_closed_pipe(error: OSError) -> bool:
    """Return whether the program that reads our output has closed the pipe."""
    on_windows = ("nt", errno.EINVAL, None)
    return isinstance(error, BrokenPipeError) or (os.name, error.errno, error.filename) == on_windows


def discard_output() -> None:
    """Flush standard output; discard the rest after a failure, or it would raise again at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)


def is_shown_on_terminal(output: str | None) -> bool:
    """Return whether an output is standard output, and that a terminal."""
    return output == "-" and sys.stdout.isatty()


def refuse_terminal(output: str, what: str) -> None:
    """Refuse a terminal as the output of a format that a person cannot read."""
    if is_shown_on_terminal(output):
        text = "{what} cannot be shown on a terminal; name a file with --output, or use a pipe"
        raise click.UsageError(Message(text, what=what))


@contextmanager
def open_text(
    path: str, inputs: Iterable[object], summary: Summary | None = None, *, pages: bool = False
) -> Iterator[TextIO]:
    """Open a text output, standard output for ``-``; an error if it is one of the inputs.

    A file appears when it is complete; after an error, Ctrl-C or a `StoppedError`, which ends here, its
    content is kept under another name. So does a signal, once the summary counts puzzles; on pages none of
    these is done before all are.
    """
    from unidoku.files._output import OutputFile, refuse_outputs

    refuse_outputs(inputs, [path])
    try:
        if path == "-":
            yield sys.stdout
            sys.stdout.flush()
            return
        with OutputFile(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")  # type: ignore[type-var]
            try:
                yield text
            finally:
                text.detach()
    except StoppedError as error:
        print_notes(error)
    except (KeyboardInterrupt, TerminatedError) as error:
        if summary is None or not summary.puzzles:
            raise
        summary.is_finished = False
        stopped = stop_message(summary.puzzles, summary.file, summary.line)
        print_message(say("stopped: the pages are incomplete") if pages else stopped)
        print_notes(error)


CODES = "The exit code is 0, or 1 if a record has no result, or 2 after an error."
"""The exit codes of commands that say nothing else."""

COLUMNS, COLUMNS_OF_PUZZLES = translatable("Columns"), translatable("Columns (of formats with columns)")
"""The titles of the columns of rows."""

SECTIONS: dict[str, tuple[str, ...]] = {
    translatable("Output"): (
        *("output", "to", "columns", "where", "only", "keep", "rejects", "quote_formulas"),
        *("json", "quiet"),
    ),
    translatable("Input"): ("format", "column", "encoding", "empty_ok"),
    translatable("Long runs"): ("resume", "overwrite", "cluster", "puzzle_timeout", "threads"),
}
"""The titles of the options that many commands share, and their parameters; a command's own come first."""

_WIDEST = 30  # of the text before each text, as in click


class TranslatedCommand(click.Command):
    """A command whose help is said in the language of the user."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option for the help; click keeps it, with its text in the language of the first call."""
        option = super().get_help_option(ctx)
        assert option, "every command has one"
        option.help = "Show this message and exit."
        return option

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the paragraphs of the text."""
        for paragraph in (self.help or "").split("\n\n"):
            with formatter.indentation():
                formatter.write_paragraph()
                width = formatter.width - formatter.current_indent
                formatter.write_text(_in_lines(say(" ".join(paragraph.split())), width))

    def sections(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        """Return the options by the title of their section: their flags, and their texts."""
        title_of = {name: title for title, names in SECTIONS.items() for name in names}
        own = translatable("Options")
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in (own, *SECTIONS)}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option):
                record, help = option.get_help_record(ctx), str(option.help)
                assert record, "no option is hidden"
                flags, text = record
                row = (flags, say(help) + text.removeprefix(help))
                sections[title_of.get(str(option.name), own)].append(row)
        return {title: rows for title, rows in sections.items() if rows}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options with their texts."""
        for title, rows in self.sections(ctx).items():
            write_rows(formatter, say(title), rows)


def write_rows(formatter: click.HelpFormatter, title: str, rows: Iterable[tuple[str, str]]) -> None:
    """Write a section of names and their texts."""
    rows = [*rows]
    width = formatter.width - min(max(len(name) for name, _ in rows), _WIDEST) - 4
    with formatter.section(title):
        formatter.write_dl([(name, _in_lines(text, width)) for name, text in rows])


def _in_lines(text: str, width: int) -> str:
    """Return a text in lines: click parts lines at blanks, which Chinese has none of.

    It keeps the lines after a backspace.
    """
    if language() == "en":
        return text
    return "\b\n" + "\n".join(wrap(text, width))
