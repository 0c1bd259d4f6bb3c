"""Describe this installation and machine."""

from __future__ import annotations

import platform
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from unidoku import __version__, kernel
from unidoku.native import cpu

__all__ = ["facts", "processor_name"]


def facts() -> dict[str, Any]:
    """Return the facts of ``unidoku info --json``.

    Raises
    ------
    IsaError
        ``UNIDOKU_ISA`` names an instruction set that cannot be used.
    """
    return {
        "version": __version__,
        "processor": processor_name(),
        "isa": kernel.isa(),
        "usable": list(kernel.usable()),
        "compiled": list(kernel.compiled()),
        "compiler": cpu.compiler(),
        "threads": kernel.default_threads(),
        "python": platform.python_version(),
        "gil": bool(getattr(sys, "_is_gil_enabled", lambda: True)()),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def processor_name() -> str:
    """Return the product name of the processor, or its architecture if the name is unknown."""
    name = ""
    if sys.platform == "linux":
        with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            name = next((line.partition(":")[2] for line in file if line.startswith("model name")), "")
    elif sys.platform == "darwin":
        import subprocess

        command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
        with suppress(OSError, subprocess.SubprocessError):
            name = subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout
    return " ".join(name.split()) or platform.processor() or platform.machine() or "unknown"
