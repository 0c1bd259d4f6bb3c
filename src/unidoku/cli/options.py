"""Commands of click, and the formats of reports."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import click
from click.core import ParameterSource

from unidoku.errors import naming
from unidoku.files.formats import suffix_of
from unidoku.files.storage import is_special, local_path
from unidoku.options import TABLE, Option

SUFFIXES = {
    "text": (".txt",),
    "json": (".json", ".jsonl"),
    "jsonl": (".jsonl",),
    "html": (".html", ".htm"),
    "svg": (".svg",),
}
"""The suffixes of the files of reports, by format."""

WHOLE = ("html", "svg")
"""The formats that hold one puzzle in a file, and that a terminal cannot show."""

JSON = ("json", "jsonl")
"""The formats of ``--json``."""


def format_option(*names: str) -> Option:
    """Return the option ``--to`` of a report with these formats; its value is always one of them."""
    readable = next(name for name in names if name not in WHOLE)
    preference = names[0] if names[0] == readable else f"{readable} on a terminal and {names[0]} elsewhere"

    def choose(context: click.Context, _: click.Parameter, word: str | None) -> str:
        output = context.params["output"]
        json = [name for name in names if name in JSON and context.params["as_json"] and output == "-"]
        name = report_format(word, names)
        if word and name is None:
            raise click.BadParameter(f"{word!r} is not one of {', '.join(names)}.")
        if name and json and name not in json:
            raise click.UsageError(f"--json writes JSON; --to {name} with --json needs --output PATH.")
        if name is None and not json:
            suffixes = (suffix for name in names for suffix in SUFFIXES[name])
            suffix = check_suffix(output, *suffixes, advice=", or --to FORMAT")
            name = report_format(suffix, names) or (readable if sys.stdout.isatty() else names[0])
        return name or json[0]

    help = f"Write this format: {', '.join(names)}."
    default = f"by the suffix of --output, otherwise {preference}"
    return TABLE["to"].replace(help=help, show_default=default, callback=choose)


def report_format(word: str | None, names: Iterable[str]) -> str | None:
    """Return the format that a word or a suffix names, in any case."""
    word = (word or "").lower()
    matches = (name for name in names if word == name or f".{word.removeprefix('.')}" in SUFFIXES[name])
    return next(matches, None)


def check_suffix(output: str, *suffixes: str, advice: str = "") -> str:
    """Return the suffix of an output's name, which must be known; none of standard output and devices."""
    if output == "-" or is_special(local_path(output)):
        return ""
    with naming(output):
        return suffix_of(output, suffixes, advice)


class Command(click.Command):
    """A command with options that may need others, or have an optional value."""

    @property
    def options(self) -> list[Option]:
        """The options, without ``--help``."""
        return [param for param in self.params if isinstance(param, Option)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an option with an optional value gets it unless a choice follows."""
        for option in self.options:
            if isinstance(option.type, click.Choice) and isinstance(option.flag_value, str):
                for place, word in enumerate(args):
                    following = "".join(args[place + 1 : place + 2]).lower()
                    if word in option.opts and following not in option.type.choices:
                        args[place] = f"{word}={option.flag_value}"
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless an option is named that has no use without another one."""
        values = {flag: ctx.params[option.name] for option in self.options for flag in option.opts}
        for option in self.options:
            is_default = ctx.get_parameter_source(option.name) is ParameterSource.DEFAULT
            if option.needs and not is_default and not any(_has(values, needed) for needed in option.needs):
                raise click.UsageError(f"{option.opts[0]} needs {' or '.join(option.needs)}.", ctx)
        return super().invoke(ctx)


def _has(values: dict[str, Any], needed: str) -> bool:
    """Return whether an option is set, such as ``--blank``, or has a value: ``--method book``."""
    flag, _, value = needed.partition(" ")
    return str(values[flag]) == value if value else values[flag] not in (None, False)


def take(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Take some options out of those of a command."""
    return {name: options.pop(name) for name in names if name in options}
