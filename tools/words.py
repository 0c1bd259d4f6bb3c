"""Take the texts of the code into the catalogs of languages, and compile them; ``words.py fr`` begins one.

A text is an argument of what says it, or a variable in its place.  Helps are those of the loaded commands,
tables those of `unidoku._words.texts`, and a few texts are click's.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from unidoku._cli import cli, command_names, commands
from unidoku._cli.terminal import CODES
from unidoku._words.texts import TEXTS

ROOT = Path(__file__).resolve().parents[1]
SOURCES, LOCALE = ROOT / "src" / "unidoku", ROOT / "src" / "unidoku" / "locale"
CATALOG = "LC_MESSAGES/unidoku.po"

SAYING = {"Message", "Reason", "say", "translatable", "Notice"}
"""What says its texts, at once or later; ``say`` is also a method, whose keys are in tables."""

CLICK = (
    "Usage:",
    "Options",
    "Show this message and exit.",
    "Show the version and exit.",
    "default: {default}",
    "required",
    "Option {name!r} does not take a value.",
    "Missing argument",
    "Missing option",
    "{value!r} is not a valid {number_type}.",
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
)
"""Texts of click that commands print."""


def texts() -> Catalog:
    """Return the catalog of all texts, without translations."""
    catalog = Catalog(project="unidoku")
    for path in sorted(SOURCES.rglob("*.py")):
        for text in said(ast.parse(path.read_text(encoding="utf-8"))):
            catalog.add(text)
    for text in (*helps(), *CLICK):
        catalog.add(text)
    for group, entries in TEXTS.items():
        for key, text in entries.items():
            if text:
                catalog.add(text, context=f"{group}.{key}")
    return catalog


def said(tree: ast.Module) -> Iterator[str]:
    """Yield the texts that a module says."""
    values: dict[str, list[ast.expr]] = {}
    names = SAYING - {"say"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target, value in zip(elements(node.targets[0]), elements(node.value), strict=False):
                values.setdefault(getattr(target, "id", ""), []).append(value)
        if isinstance(node, ast.ImportFrom) and node.module == "unidoku._words":
            names |= {alias.name for alias in node.names} & SAYING
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
            has_code = node.func.id == "Reason"  # before its text
            for argument in node.args[has_code:]:
                yield from filter(str.strip, constants(argument, values))


def elements(value: ast.expr) -> list[ast.expr]:
    """Return the elements of a tuple, or a value alone."""
    return value.elts if isinstance(value, ast.Tuple) else [value]


def constants(value: ast.expr, values: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Yield the texts that an expression may be."""
    parts: list[ast.expr] = []
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name):
            parts = values.get(name, [])
        case ast.IfExp(body=body, orelse=orelse):
            parts = [body, orelse]
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            pass
    for part in parts:
        yield from constants(part, values)


def helps() -> Iterator[str]:
    """Yield the texts of the helps of commands."""
    yield from (CODES, *commands())
    for names in commands().values():
        yield from names.values()
    for command in (cli, *(cli.get_command(click.Context(cli), name) for name in command_names())):
        yield from (" ".join(paragraph.split()) for paragraph in (command.help or "").split("\n\n"))
        yield from filter(None, getattr(command, "columns", {}).values())
        for option in command.params:
            default = getattr(option, "show_default", None)
            yield from filter(
                None, [getattr(option, "help", ""), default if isinstance(default, str) else ""]
            )


def update(path: Path, found: Catalog) -> None:
    """Write a catalog with the texts of the code, compile it, and say what it lacks and what leaves it."""
    with path.open("rb") as file:
        catalog = read_po(file)
    catalog.update(found, no_fuzzy_matching=True, update_creation_date=False)
    with path.open("wb") as file:
        write_po(file, catalog, width=110, ignore_obsolete=True)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)
    missing = [message.id for message in catalog if message.id and not message.string]
    for title, texts in (("not translated", missing), ("no longer said", [*catalog.obsolete])):
        print(f"{path.relative_to(ROOT)}: {len(catalog)} texts, {len(texts)} {title}", *texts, sep="\n  ")


def main() -> None:
    """Update the catalogs, say what they do not translate, and compile them."""
    for lang in sys.argv[1:]:
        path = LOCALE / lang / CATALOG
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            write_po(file, Catalog(locale=lang, project="unidoku", fuzzy=False))
    found = texts()
    for path in sorted(LOCALE.glob(f"*/{CATALOG}")):
        update(path, found)


if __name__ == "__main__":
    main()
