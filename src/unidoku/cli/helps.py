"""The helps of commands in other languages than English, whose texts are in the words of each."""

from __future__ import annotations

import click

from unidoku.cli.terminal import named_language
from unidoku.words import help_text

_INDENT = 27  # columns of the options


def write_help(
    command: click.Command, name: str, sections: dict[str, dict[str, str]], context: click.Context
) -> str:
    """Return the help of a command in the language that the command line names: what it does, its options."""
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
    formatter.write(f"{say('title Usage', 'Usage')}: {usage}\n\n")
    text = (command.help or "").split("\n\n")[0].replace("\n", " ")
    write(say(f"command {name}", text), 2, "  ")
    title("Options")
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is None or not isinstance(parameter, click.Option):
            continue
        flags, shown = record
        extra = shown.removeprefix(parameter.help or "").replace("default", say("title default", "default"))
        if len(flags) > _INDENT - 4:
            formatter.write(f"  {flags}\n")
            flags = ""
        usual = say(f"option {parameter.name}", parameter.help or "")
        write(say(f"option {name} {parameter.name}", usual) + extra, _INDENT, f"  {flags}")
    for heading, entries in sections.items():
        title(heading)
        for key, text in entries.items():
            write(say(f"command {key}", text) if key else text, 14 if key else 2, f"  {key}")
    return formatter.getvalue().rstrip("\n")
