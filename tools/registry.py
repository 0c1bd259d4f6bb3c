"""Write the tables of `src/unidoku/registry.py` from what the modules declare: ``just registry``.

The commands are those of the modules in `unidoku.tasks`, each with its group and the first sentence of its
help. The public names of a package are the imports for type checkers in its ``__init__.py``.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import unidoku
from unidoku import registry, tasks

PACKAGES = ("unidoku", "unidoku.learning", "unidoku.rating", "unidoku.tasks")
WIDTH = 110


def modules() -> list[str]:
    """The names of the modules of commands, in the order of the registry; new ones come last."""
    known = [name for names in registry.GROUPS.values() for name in names]
    names = [module.name for module in pkgutil.iter_modules(tasks.__path__)]
    return sorted(names, key=lambda name: known.index(name) if name in known else len(known))


def groups() -> dict[str, dict[str, str]]:
    """The commands by group, with the first sentence of the help of each."""
    found: dict[str, dict[str, str]] = {title: {} for title in registry.GROUPS}
    for name in modules():
        if command := getattr(importlib.import_module(f"unidoku.tasks.{name}"), "COMMAND", None):
            found.setdefault(command.group, {})[name] = command.get_short_help_str(80)
    return {title: commands for title, commands in found.items() if commands}


def imports(package: str) -> Iterator[tuple[str, str]]:
    """The modules of the names that a package imports for type checkers, each with its names."""
    path = Path(unidoku.__file__).parent.joinpath(*package.split(".")[1:], "__init__.py")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for line in node.body:
                assert isinstance(line, ast.ImportFrom)
                yield line.module or "", " ".join(name.name for name in line.names)


def text() -> str:
    """The text of the file, with tables as Ruff formats them."""
    code = Path(registry.__file__).read_text(encoding="utf-8").partition("\n\nGROUPS = {")[0]
    lines = [code, "", "GROUPS = {"]
    for title, commands in groups().items():
        lines += [f'    "{title}": {{']
        lines += [f'        "{name}": "{sentence}",' for name, sentence in commands.items()]
        lines += ["    },"]
    lines += ["}", '"""The commands by group, each with the first sentence of its help."""', "", "NAMES = {"]
    for package in PACKAGES:
        lines += [f'    "{package}": {{']
        for module, names in imports(package):
            line = f'        "{module}": "{names}",'
            if len(line) > WIDTH:
                parts = textwrap.wrap(names, WIDTH - 15)
                spaced = [*(f"{part} " for part in parts[:-1]), parts[-1]]
                texts = [f'            "{part}"' for part in spaced]
                line = "\n".join([f'        "{module}": (', *texts, "        ),"])
            lines += [line]
        lines += ["    },"]
    lines += ["}", '"""The public names by package and module; the modules of a package are its own."""', ""]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(registry.__file__).write_text(text(), encoding="utf-8")
