"""Make the reference page of the site from the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc

import click

from unidoku.cli import GROUPS, cli
from unidoku.cli.options import Command


def value_name(parameter: click.Parameter) -> str:
    """How the help calls the value of a parameter."""
    if parameter.metavar:
        return parameter.metavar
    if isinstance(parameter.type, click.Choice):
        return "[" + "|".join(str(choice) for choice in parameter.type.choices) + "]"
    return (
        (parameter.name or "").upper()
        if isinstance(parameter, click.Argument)
        else parameter.type.name.upper()
    )


def loaded(name: str) -> Command:
    """A command by its name."""
    command = cli.get_command(click.Context(cli, info_name="unidoku"), name)
    assert isinstance(command, Command)
    return command


def options_of(command: click.Command) -> Iterator[tuple[list[str], str, str]]:
    """The names, the value's name (empty for a flag) and the help of every option."""
    for option in command.params:
        if isinstance(option, click.Option):
            value = "" if option.is_flag or option.count else value_name(option)
            yield [*option.opts, *option.secondary_opts], value, option.help or ""


def arguments_of(command: click.Command) -> list[str]:
    """What the help calls the arguments of a command."""
    return [value_name(each) for each in command.params if isinstance(each, click.Argument)]


def reference() -> str:
    """The reference page of the commands, in Markdown."""
    found = ["# Commands", "", "An option means the same in every command that has it.", ""]
    found += [plain(cli.help or ""), ""]
    for title, names in GROUPS.items():
        found += [f"## {title}", ""]
        for name in names:
            command = loaded(name)
            usage = " ".join(["unidoku", name, "[OPTIONS]", *arguments_of(command)])
            found += [f"### {name}", "", "```text", usage, "```", "", plain(command.help or ""), ""]
            found += ["| option | meaning |", "| --- | --- |"]
            for flags, value, text in options_of(command):
                written = ", ".join(f"`{flag}`" for flag in flags) + (f" `{value}`" if value else "")
                found.append(f"| {cell(written)} | {cell(plain(text))} |")
            found += ["", "```sh", *command.examples, "```", ""]
    return "\n".join(found)


def plain(text: str) -> str:
    """A help text as Markdown, in which nothing is a sign."""
    return re.sub(r"([*_<>\[\]])", r"\\\1", re.sub(r"--", r"\-\-", cleandoc(text)))


def cell(text: str) -> str:
    """A text as a cell of a table."""
    return text.replace("|", r"\|")
