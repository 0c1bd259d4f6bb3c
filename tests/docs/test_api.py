"""The API reference in docs/api has every public name, and no other; its table lists the public modules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import unidoku

API = Path(__file__).resolve().parents[2] / "docs" / "api"
MODULES = ["unidoku", *(f"unidoku.{name}" for name in unidoku._MODULES)]
WITHIN = ["unidoku.stepper.events", "unidoku.stepper.report"]  # in `__all__` of their package


def documented() -> Iterator[str]:
    """The full names in docs/api; an automodule entry stands for its members, or `__all__` of its module."""
    for page in API.glob("*.md"):
        text, current = page.read_text(encoding="utf-8"), ""
        for kind, name, options in re.findall(r"^\.\. ([\w:]+):: (\S+)\n((?:   :.*\n)*)", text, re.MULTILINE):
            if kind == "currentmodule":
                current = f"{name}."
            elif kind == "automodule":
                for members in re.findall(":members:(.*)", options):
                    words = re.findall(r"\w+", members) or import_module(name).__all__
                    yield from (f"{name}.{word}" for word in words)
            elif kind.startswith("auto") or kind == "py:data":
                yield name if name.startswith("unidoku.") else current + name


def values_of(names: Iterable[str]) -> dict[int, str]:
    """The names by their values, without what shows a function in a package."""
    values = {}
    for name in names:
        module, _, word = name.rpartition(".")
        value = getattr(import_module(module), word)
        values[id(getattr(value, "__wrapped__", value))] = name
    return values


def test_the_pages_have_every_public_name_and_no_other() -> None:
    names = [f"{name}.{word}" for name in [*MODULES, *WITHIN] for word in import_module(name).__all__]
    public = values_of(name for name in names if name not in {"unidoku.__version__", *WITHIN})
    shown = values_of(documented())
    assert {name for value, name in public.items() if value not in shown} == set()
    assert {name for value, name in shown.items() if value not in public} <= {*WITHIN}
    assert len(public) > 150


def test_the_table_lists_the_public_modules() -> None:
    table = re.findall(r"^\| (`unidoku.*?) \|", (API / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    listed = [name for cell in table for name in re.findall(r"`([\w.]+)`", cell)]
    assert sorted(listed) == sorted(MODULES)
