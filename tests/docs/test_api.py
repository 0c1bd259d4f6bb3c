"""The API reference in docs/api names every public function and class."""

from __future__ import annotations

from importlib import import_module

import pytest
from reference import documented

PACKAGES = ["", "method", "rating", "stepper", "view"]
MODULES = ["counting", "naive", "craft.series", "tasks.speed", "tasks.split"]
ELSEWHERE = {"unidoku.__version__", "unidoku.stepper.events", "unidoku.stepper.report"}


@pytest.mark.parametrize("name", [*PACKAGES, *MODULES])
def test_every_public_name_is_documented(name):
    full = f"unidoku.{name}".rstrip(".")
    names = {attribute for attribute in import_module(full).__all__ if not attribute.isupper()}
    documented_names = documented()
    missing = {entry for entry in names if not {f"{full}.{entry}", f"unidoku.{entry}"} & documented_names}
    assert {f"{full}.{entry}" for entry in missing} - ELSEWHERE == set()
