"""Make the manual page, docs/unidoku.1, from the commands: python tools/make_man.py"""

from __future__ import annotations

import re
from pathlib import Path

import click

from unidoku.cli import COMMANDS, cli

PAGE = Path(__file__).resolve().parents[1] / "docs" / "unidoku.1"


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


def option_entry(option: click.Option) -> list[str]:
    """One entry of a list of options."""
    names = ", ".join(rf"\fB{escaped(name)}\fR" for name in [*option.opts, *option.secondary_opts])
    if not (option.is_flag or option.count):
        names += rf" \fI{escaped(value_name(option))}\fR"
    help_text = option.help or ""
    if option.show_default and isinstance(option.default, str | int | float):
        help_text += f"  [default: {option.default}]"
    return [".TP", names, line(help_text)]


def section(name: str, command: click.Command) -> list[str]:
    """One command: usage, help, options."""
    parts = [rf"\fBunidoku {escaped(name)}\fR", r"[\fIOPTIONS\fR]"]
    parts += [rf"\fI{escaped(value_name(p))}\fR" for p in command.params if isinstance(p, click.Argument)]
    found = [f".SS {escaped(name)}", " ".join(parts), ".PP", *paragraphs(command.help or "")]
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            found += option_entry(parameter)
    return found


def manual() -> str:
    """The whole page."""
    context = click.Context(cli, info_name="unidoku")
    found = [
        r".\" Made by tools/make_man.py from the commands.",
        '.TH UNIDOKU 1 "" "unidoku" "User Commands"',
        ".SH NAME",
        r"unidoku \- check, count, solve, explain and make Sudoku puzzles",
        ".SH SYNOPSIS",
        r"\fBunidoku\fR \fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        *paragraphs(cli.help or ""),
        ".SH OPTIONS",
    ]
    for parameter in cli.params:
        if isinstance(parameter, click.Option):
            found += option_entry(parameter)
    found += [".TP", r"\fB\-\-help\fR", "Show the options of unidoku or of a command."]
    found.append(".SH COMMANDS")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        found += section(name, command)
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


if __name__ == "__main__":
    PAGE.write_text(manual(), encoding="utf-8")
