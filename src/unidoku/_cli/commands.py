"""The commands: their names, their groups, and their modules, which are imported when one is needed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import Any

_HOME = "unidoku.tasks"
"""The package whose modules are the commands."""

GROUPS = ("Check", "Solve and explain", "Show", "Make", "Files", "Machine")
"""The groups of commands in the help."""

ALIASES = {"neighbors": "neighbours"}
"""Other spellings of commands."""


@cache
def commands() -> dict[str, dict[str, str]]:
    """Return the first sentence of the help of each command, by group and name.

    A module of a command begins with its group and this sentence, which are read without an import: from its
    source, because python -OO removes docstrings, or from the code of a frozen program.
    """
    from pkgutil import iter_modules  # not at the top: a command starts faster

    found: dict[str, dict[str, str]] = {group: {} for group in GROUPS}
    for module in iter_modules(import_module(_HOME).__path__, f"{_HOME}."):
        spec: Any = module.module_finder.find_spec(module.name, None)
        text = spec.loader.get_source(module.name) or str(spec.loader.get_code(module.name).co_consts[0])
        group, _, sentence = text.partition("\n")[0].strip('"').partition(": ")
        if group in found:
            found[group][module.name.rpartition("._")[2]] = sentence
    return found


def command_names() -> list[str]:
    """Return the names of all commands."""
    return [*chain(*commands().values())]


def command_of(name: str) -> Any:
    """Import a `Command`, from the module of its name; return None for another word."""
    module = f"{_HOME}._{name}"
    if not name.isidentifier() or find_spec(module) is None:
        return None
    return getattr(import_module(module), "COMMAND", None)
