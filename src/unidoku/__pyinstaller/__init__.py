"""What PyInstaller asks for by the entry point ``pyinstaller40``: where the hook is."""

from __future__ import annotations

from pathlib import Path


def hook_dirs() -> list[str]:
    """Return the folder of the hook."""
    return [str(Path(__file__).parent)]
