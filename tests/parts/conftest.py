"""The input of most runs in parts."""

from __future__ import annotations

from pathlib import Path

import part_inputs
import pytest


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes(part_inputs.text(600))
    return path
