"""The example of a time limit with asyncio: its answers."""

import subprocess
import sys
from pathlib import Path

import pytest
from example_puzzles import UNIQUE

FILE = Path(__file__).resolve().parents[2] / "examples" / "timeout.py"


@pytest.mark.skipif(not FILE.exists(), reason="the examples are not beside the tests")
def test_its_command_rates_puzzles():
    command = [sys.executable, FILE, "60", UNIQUE, "12"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rating, refusal = done.stdout.splitlines()
    assert "er=1.2" in rating
    assert refusal.startswith("expected 81 cells, found 2")
