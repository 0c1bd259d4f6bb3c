"""The generator QQWing, as the program that UNIDOKU_QQWING names."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from peers import Absent


def load() -> Callable[[int], list[str]]:
    """Return a function that generates a number of minimal puzzles."""
    program = shutil.which(os.environ.get("UNIDOKU_QQWING", ""))
    if program is None:
        raise Absent("UNIDOKU_QQWING names no program")

    def generate(count: int) -> list[str]:
        done = subprocess.run(
            [program, "--generate", str(count), "--one-line"], capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    return generate
