"""What every test may ask for."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real puzzle files beside the repository; tests that need it are skipped without it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        # a worktree stands one level deeper
        folder = ROOT.parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no puzzle files beside the repository (looked for {ROOT.parent / 'shared' / 'data'})")
    return folder


@pytest.fixture(scope="session")
def puzzles17(shared_data: Path) -> list[str]:
    """The 49,158 known 17-clue puzzles, as lines of 81 characters."""
    return _puzzle_lines(gzip.decompress((shared_data / "17clue.txt.gz").read_bytes()).decode())


@pytest.fixture(scope="session")
def top1465(shared_data: Path) -> list[str]:
    """The 1,465 hard puzzles of the top1465 list."""
    return _puzzle_lines((shared_data / "top1465.txt").read_text())


def _puzzle_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("#")]
