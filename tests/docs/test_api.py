"""The API reference in docs/api names every public function and class."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = ["", "method", "stepper", "tasks", "view"]
MODULES = ["counting", "naive", "craft.series", "tasks.speed"]
ELSEWHERE = {"unidoku.__version__", "unidoku.stepper.events", "unidoku.stepper.report"}


def documented() -> set[str]:
    """Return the full names in docs/api; an automodule entry stands for the members of its module."""
    names = set[str]()
    for page in (ROOT / "docs" / "api").glob("*.md"):
        text = page.read_text()
        names.update(re.findall(r"^\.\. auto(?:function|class|exception|data):: (\S+)", text, re.MULTILINE))
        for name, options in re.findall(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", text, re.MULTILINE):
            module = import_module(name)
            for members in re.findall(r":members:(.*)", options):
                listed = re.findall(r"\w+", members) or getattr(module, "__all__", dir(module))
                names.update(f"{name}.{member}" for member in listed if hasattr(module, member))
    return names


def test_every_public_name_is_documented():
    for name in [*PACKAGES, *MODULES]:
        full = f"unidoku.{name}".rstrip(".")
        names = {attribute for attribute in import_module(full).__all__ if not attribute.isupper()}
        documented_names = documented()
        missing = {entry for entry in names if not {f"{full}.{entry}", f"unidoku.{entry}"} & documented_names}
        assert {f"{full}.{entry}" for entry in missing} - ELSEWHERE == set()
