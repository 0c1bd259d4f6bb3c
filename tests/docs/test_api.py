"""The API reference in docs/api names every public function and class."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["", "benchmark", "method", "rating", "stepper", "view"]
MODULES = ["counting", "naive", "craft.series", "run.split"]
ELSEWHERE = {"unidoku.__version__", "unidoku.stepper.events", "unidoku.stepper.report"}


def documented():
    """Full names in docs/api; an automodule entry stands for the members that are in the module."""
    names = set()
    for page in (ROOT / "docs" / "api").glob("*.md"):
        text = page.read_text()
        names.update(re.findall(r"^\.\. auto(?:function|class|exception|data):: (\S+)", text, re.MULTILINE))
        for name, options in re.findall(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", text, re.MULTILINE):
            module = import_module(name)
            for members in re.findall(r":members:(.*)", options):
                listed = re.findall(r"\w+", members) or dir(module)
                names.update(f"{name}.{each}" for each in listed if each in vars(module))
    return names


@pytest.mark.parametrize("name", [*PACKAGES, *MODULES])
def test_every_public_name_is_documented(name):
    full = f"unidoku.{name}".rstrip(".")
    names = {each for each in import_module(full).__all__ if not each.isupper()}
    found = documented()
    missing = {each for each in names if not {f"{full}.{each}", f"unidoku.{each}"} & found}
    assert {f"{full}.{each}" for each in missing} - ELSEWHERE == set()
