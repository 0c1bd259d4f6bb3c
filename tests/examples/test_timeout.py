"""The example of a time limit with asyncio: its answers and its types."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from example_puzzles import UNIQUE

FILE = Path(__file__).resolve().parents[2] / "examples" / "timeout.py"


@pytest.fixture
def example() -> ModuleType:
    if not FILE.exists():
        pytest.skip("the examples are not beside the tests")
    spec = importlib.util.spec_from_file_location("timeout_example", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_its_command_rates_puzzles(example):
    done = subprocess.run(
        [sys.executable, str(example.__file__), "60", UNIQUE, "12"],
        capture_output=True,
        text=True,
        check=True,
    )
    rating, refusal = done.stdout.splitlines()
    assert "er=1.2" in rating
    assert refusal.startswith("expected 81 cells, found 2")


@pytest.mark.slow
def test_its_types_are_strict(example, tmp_path):
    api = pytest.importorskip("mypy.api")
    options = ["--strict", "--cache-dir", str(tmp_path), "--python-executable", sys.executable]
    messages, _, status = api.run([*options, str(example.__file__)])
    assert status == 0, messages
