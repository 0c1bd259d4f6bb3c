"""Tell PyInstaller where the hook is, through the entry point ``pyinstaller40``."""

from __future__ import annotations

from pathlib import Path


def hook_dirs() -> list[str]:
    """Return the folder of the hook."""
    return [str(Path(__file__).parent)]
