"""The formats of reports, and options that are taken out of those of a command."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import click

from unidoku.errors import Message, naming
from unidoku.files.formats import suffix_of
from unidoku.files.storage import is_special, local_path
from unidoku.options import TABLE, Option

SUFFIXES = {
    "text": (".txt",),
    "json": (".json", ".jsonl"),
    "jsonl": (".jsonl",),
    "html": (".html", ".htm"),
    "svg": (".svg",),
    "pdf": (".pdf",),
}
"""The suffixes of the files of reports, by format."""

WHOLE = ("html", "svg", "pdf")
"""The formats that hold one puzzle in a file, and that a terminal cannot show."""

JSON = ("json", "jsonl")
"""The formats of ``--json``."""


def format_option(*names: str) -> Option:
    """Return the option ``--to`` of a report with these formats; its value is always one of them.

    What is a page can be a PDF too.
    """
    names = (*names, *(["pdf"] if "html" in names else []))
    readable = next(name for name in names if name not in WHOLE)
    preference = names[0] if names[0] == readable else f"{readable} on a terminal and {names[0]} elsewhere"

    def choose(context: click.Context, _: click.Parameter, word: str | None) -> str:
        output = context.params["output"]
        json = [name for name in names if name in JSON and context.params["as_json"] and output == "-"]
        name = report_format(word, names)
        if word and name is None:
            raise click.BadParameter(
                Message("{word} is not one of {choices}.", word=repr(word), choices=", ".join(names))
            )
        if name and json and name not in json:
            raise click.UsageError(
                Message("--json writes JSON; --to {name} with --json needs --output PATH.", name=name)
            )
        if name is None and not json:
            suffixes = (suffix for name in names for suffix in SUFFIXES[name])
            suffix = check_suffix(output, *suffixes, advice=Message(", or --to FORMAT"))
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


def take(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Take some options out of those of a command."""
    return {name: options.pop(name) for name in names if name in options}
