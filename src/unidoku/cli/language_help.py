"""The helps of commands in other languages than English, whose texts are in the words of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import click

from unidoku.cli.terminal import named_language
from unidoku.words import help_text

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
    from rich.console import Console
    from rich.text import Text

    lang = named_language()

    def say(key: str, text: str) -> str:
        return help_text(lang, key, text)

    formatter = context.make_formatter()
    console = Console(width=formatter.width)

    def write(text: str, indent: int, first: str = "") -> None:
        """Write a text in lines; a Chinese character takes two columns."""
        lines = Text(text).wrap(console, max(20, formatter.width - indent))
        for line in lines or [Text()]:
            formatter.write(f"{first:<{indent}}{line.plain.rstrip()}".rstrip() + "\n")
            first = ""

    def title(text: str) -> None:
        formatter.write(f"\n{say(f'title {text}', text)}:\n")

    usage = f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}"
    formatter.write(f"{say('title Usage', 'Usage')}: {usage}\n")
    text, codes, _ = (command.help or "").partition(CODES)
    paragraphs = say(f"command {name}", text.strip()).split("\n\n")
    for paragraph in [*paragraphs, *([say("codes", CODES)] if codes else [])]:
        formatter.write("\n")
        write(paragraph.replace("\n", " "), 2, "  ")
    if columns:
        title(COLUMNS_OF_PUZZLES if is_of_puzzles else COLUMNS)
        for key, text in columns.items():
            usual = say(f"column {key}", text)
            write(say(f"column {name} {key}", usual), _INDENT, f"  {key}")
    title("Options")
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is None or not isinstance(parameter, click.Option):
            continue
        flags, shown = record
        extra = re.sub(
            _DEFAULT,
            lambda match: f"({say(f'default {match[1]}', match[1])})",
            shown.removeprefix(parameter.help or ""),
        )
        for word in ("default", "required"):
            extra = extra.replace(word, say(f"title {word}", word), 1)
        if len(flags) > _INDENT - 4:
            formatter.write(f"  {flags}\n")
            flags = ""
        key = "help" if "--help" in parameter.opts else parameter.name  # click's own name is another
        usual = say(f"option {key}", parameter.help or "")
        write(say(f"option {name} {key}", usual) + extra, _INDENT, f"  {flags}")
    for heading, entries in sections.items():
        title(heading)
        for key, text in entries.items():
            first, *_ = say(f"command {key}", text).split("\n\n")
            write(first if key else text, 14 if key else 2, f"  {key}")
    return formatter.getvalue().rstrip("\n")
