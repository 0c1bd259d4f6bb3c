"""Make the reference page of the site from the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc

import click

from unidoku._cli import cli, commands
from unidoku._cli.command import Command


def loaded(name: str) -> Command:
    """A command by its name."""
    command = cli.get_command(click.Context(cli, info_name="unidoku"), name)
    assert isinstance(command, Command)
    return command


def usage_of(name: str, command: click.Command) -> str:
    """The line of usage, as the help has it."""
    return command.get_usage(click.Context(command, info_name=f"unidoku {name}"))


def options_of(command: Command) -> Iterator[str]:
    """A table for each section of options of the help: the names of every option with that of its value."""
    for title, rows in command.sections(click.Context(command)).items():
        yield f"| {title} | what it does |"
        yield "| --- | --- |"
        for flags, text in rows:
            yield f"| `{cell(flags)}` | {cell(plain(text))} |"
        yield ""


def reference() -> str:
    """The reference page of the commands, in Markdown."""
    found = ["# Commands", "", "| command | what it does |", "| --- | --- |"]
    for names in commands().values():
        found += [f"| [{name}](#{name}) | {cell(plain(text))} |" for name, text in names.items()]
    found += ["", "An option means the same in every command that has it.", ""]
    found += [plain(cli.help or ""), ""]
    for title, names in commands().items():
        found += [f"## {title}", ""]
        for name in names:
            command = loaded(name)
            usage = usage_of(name, command).removeprefix("Usage: ")
            found += [f"### {name}", "", "```text", usage, "```", "", plain(command.help or ""), ""]
            if command.columns:
                found += ["| Columns | meaning |", "| --- | --- |"]
                found += [f"| `{column}` | {cell(plain(text))} |" for column, text in command.columns.items()]
                found += [""]
            found += [*options_of(command), "```sh", *command.examples, "```", ""]
    return "\n".join(found)


def plain(text: str) -> str:
    """A help text as Markdown, in which nothing is a sign."""
    return re.sub(r"([*_<>\[\]])", r"\\\1", re.sub(r"--", r"\-\-", cleandoc(text)))


def cell(text: str) -> str:
    """A text as a cell of a table."""
    return text.replace("|", r"\|")
