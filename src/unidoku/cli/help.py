"""The helps of commands, in the language of the user."""

from __future__ import annotations

from collections.abc import Iterable

import click

from unidoku.words import language, later, say, wrap

CODES = "The exit code is 0, or 1 if a record is not a puzzle as this command needs it, 2 after an error."
"""The exit codes of commands that say nothing else."""

COLUMNS, COLUMNS_OF_PUZZLES = later("Columns"), later("Columns, in formats that have some")
"""The titles of the columns of rows."""

_WIDEST = 30  # of what stands before texts, as in click


class TranslatedCommand(click.Command):
    """A command whose help is said in the language of the user."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option for the help; click keeps it, with its text in the language of the first call."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = "Show this message and exit."
        return option

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the paragraphs of the text."""
        for paragraph in (self.help or "").split("\n\n"):
            with formatter.indentation():
                formatter.write_paragraph()
                width = formatter.width - formatter.current_indent
                formatter.write_text(_in_lines(say(" ".join(paragraph.split())), width))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options with their texts."""
        rows = []
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx)):
                flags, text = record
                rows.append((flags, say(option.help or "") + text.removeprefix(option.help or "")))
        write_rows(formatter, say("Options"), rows)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


def write_rows(formatter: click.HelpFormatter, title: str, rows: Iterable[tuple[str, str]]) -> None:
    """Write a section of names and their texts."""
    rows = [*rows]
    width = formatter.width - min(max(len(name) for name, _ in rows), _WIDEST) - 4
    with formatter.section(title):
        formatter.write_dl([(name, _in_lines(text, width)) for name, text in rows])


def _in_lines(text: str, width: int) -> str:
    """Return a text in lines: click parts lines at blanks, which Chinese has none of.

    It keeps those behind a backspace.
    """
    return text if language() == "en" else "\b\n" + "\n".join(wrap(text, width))
