"""Make the manual page of the wheel and the reference page of the site from the commands.

Only the declarations of the commands are imported: click is needed, no compiled module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc

import click

from unidoku.cli import COMMANDS, GROUPS, cli
from unidoku.cli.options import Command


def escaped(text: str) -> str:
    """Escape text for roff."""
    return text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")


def line(text: str) -> str:
    """A line of running text, which roff must not take for a request."""
    found = escaped(" ".join(text.split()))
    return r"\&" + found if found.startswith((".", "\\(aq")) else found


def paragraphs(text: str) -> list[str]:
    """A help text: paragraphs that roff fills, and those after click's mark for none."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip()):
        rows = block.splitlines()
        if found:
            found.append(".PP")
        if rows[0].strip() == "\b":
            found += [".nf", *(r"\&" + escaped(row.strip()) for row in rows[1:]), ".fi"]
        else:
            found.append(line(block))
    return found


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


def option_entries(command: click.Command) -> list[str]:
    """The options of a command in roff."""
    found = []
    for names, value, text in options_of(command):
        written = ", ".join(rf"\fB{escaped(name)}\fR" for name in names)
        found += [".TP", written + (rf" \fI{escaped(value)}\fR" if value else ""), line(text)]
    return found


def arguments_of(command: click.Command) -> list[str]:
    """What the help calls the arguments of a command."""
    return [value_name(each) for each in command.params if isinstance(each, click.Argument)]


def section(name: str) -> list[str]:
    """One command in roff: usage, help, options, examples."""
    command = loaded(name)
    parts = [rf"\fBunidoku {escaped(name)}\fR", r"[\fIOPTIONS\fR]"]
    parts += [rf"\fI{escaped(each)}\fR" for each in arguments_of(command)]
    examples = [each for example in command.examples for each in (escaped(example), ".br")]
    found = [f".SS {escaped(name)}", " ".join(parts), ".PP", *paragraphs(command.help or "")]
    return [*found, *option_entries(command), ".PP", "Examples:", ".br", *examples[:-1]]


def manual() -> str:
    """The whole page."""
    found = [
        r".\" Made by tools/command_pages.py from the commands.",
        '.TH UNIDOKU 1 "" "unidoku" "User Commands"',
        ".SH NAME",
        r"unidoku \- check, count, solve, explain and make Sudoku puzzles",
        ".SH SYNOPSIS",
        r"\fBunidoku\fR \fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        *paragraphs(cli.help or ""),
        ".SH OPTIONS",
        *option_entries(cli),
    ]
    found += [".TP", r"\fB\-\-help\fR", "Show the options of unidoku or of a command."]
    found.append(".SH COMMANDS")
    for name in COMMANDS:
        found += section(name)
    found += [
        ".SH EXIT STATUS",
        line("0: done; 1: done, but not every puzzle passed; 2: the run failed; 130: interrupted."),
        ".SH ENVIRONMENT",
        ".TP",
        r"\fBUNIDOKU_ISA\fR",
        line("The instruction set to use: avx512, avx2 or base.  [default: the best that can run]"),
        ".SH SEE ALSO",
        line("https://unidoku.readthedocs.io"),
    ]
    return "\n".join(found) + "\n"


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
