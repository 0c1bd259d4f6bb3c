"""The helps of commands in other languages than English, whose texts are in the words of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import click

from unidoku.cli.terminal import named_language
from unidoku.words import help_text, wrap

CODES = "The exit code is 0, or 1 if a record is not a puzzle as this command needs it, 2 after an error."
"""The exit codes of commands that say nothing else."""

COLUMNS, COLUMNS_OF_PUZZLES = "Columns", "Columns, in formats that have some"
"""The titles of the columns of rows."""

_DEFAULT = r"\((.*)\)(?=[];])"  # in words
_INDENT = 27  # columns of the options


def write_help(
    command: click.Command,
    name: str,
    sections: dict[str, dict[str, str]],
    context: click.Context,
    columns: Mapping[str, str] = MappingProxyType({}),
    *,
    is_of_puzzles: bool = False,
) -> str:
    """Return the help of a command in the language that the command line names: all that the English one has.

    Its columns are those of rows, or also those of formats of puzzles.
    """
    page = _Page(name, context)
    usage = f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}"
    page.formatter.write(f"{page.say('title Usage', 'Usage')}{page.say('title end', ': ')}{usage}\n")
    text, codes, _ = (command.help or "").partition(CODES)
    paragraphs = page.say(f"command {name}", text.strip()).split("\n\n")
    for paragraph in [*paragraphs, *([page.say("codes", CODES)] if codes else [])]:
        page.formatter.write("\n")
        page.write(paragraph.replace("\n", " "), 2, "  ")
    if columns:
        page.title(COLUMNS_OF_PUZZLES if is_of_puzzles else COLUMNS)
        for key, text in columns.items():
            page.write(page.say_of("column", key, text), _INDENT, f"  {key}")
    page.title("Options")
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is not None and isinstance(parameter, click.Option):
            page.option(parameter, *record)
    for heading, entries in sections.items():
        page.title(heading)
        for key, text in entries.items():
            first, *_ = page.say(f"command {key}", text).split("\n\n")
            page.write(first if key else text, 14 if key else 2, f"  {key}")
    return page.formatter.getvalue().rstrip("\n")


class _Page:
    """The lines of the help of a command, in the language that the command line names."""

    def __init__(self, name: str, context: click.Context) -> None:
        self.name, self.lang = name, named_language()
        self.formatter = context.make_formatter()

    def say(self, key: str, text: str) -> str:
        """Return a text in the language."""
        return help_text(self.lang, key, text)

    def say_of(self, kind: str, key: str | None, text: str) -> str:
        """Return the text of a column or an option, of which a command may have one of its own."""
        return self.say(f"{kind} {self.name} {key}", self.say(f"{kind} {key}", text))

    def title(self, text: str) -> None:
        """Write the title of a section."""
        self.formatter.write(f"\n{self.say(f'title {text}', text)}{self.say('title end', ':')}\n")

    def write(self, text: str, indent: int, first: str = "") -> None:
        """Write a text in lines; a Chinese character takes two columns."""
        for line in wrap(text, max(20, self.formatter.width - indent)):
            self.formatter.write(f"{first:<{indent}}{line}".rstrip() + "\n")
            first = ""

    def option(self, option: click.Option, flags: str, shown: str) -> None:
        """Write an option, as click shows it: its text, its default in words."""
        extra = re.sub(
            _DEFAULT,
            lambda match: f"({self.say(f'default {match[1]}', match[1])})",
            shown.removeprefix(option.help or ""),
        )
        for word in ("default", "required"):
            extra = extra.replace(word, self.say(f"title {word}", word), 1)
        if len(flags) > _INDENT - 4:
            self.formatter.write(f"  {flags}\n")
            flags = ""
        key = "help" if "--help" in option.opts else option.name  # click's own name is another
        self.write(self.say_of("option", key, option.help or "") + extra, _INDENT, f"  {flags}")
