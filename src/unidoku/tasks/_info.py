"""Machine: Show version, processor, instruction sets, compiler and threads.

The command `info`: facts about this installation and machine.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from contextlib import suppress
from typing import Any

from unidoku import kernel
from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult
from unidoku._compat import version
from unidoku._native import cpu
from unidoku._threads import thread_count
from unidoku._words import language, table
from unidoku.files._formats import formats
from unidoku.tasks._shared import fact_line


def facts() -> dict[str, Any]:
    """Return facts about this installation and machine, as ``unidoku info --json`` prints them.

    Examples
    --------
    >>> facts()["isa"] in facts()["usable"]
    True
    """
    return {
        "version": version(),
        "processor": processor_name(),
        "isa": kernel.isa(),
        "usable": list(kernel.usable()),
        "compiled": list(kernel.compiled_sets()),
        "compiler": cpu.compiler(),
        "threads": thread_count(None),
        "python": platform.python_version(),
        "gil": bool(getattr(sys, "_is_gil_enabled", lambda: True)()),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def processor_name() -> str:
    """Return the product name of the processor, or its architecture if the name is unknown."""
    name = ""
    if sys.platform == "linux":
        with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            name = next((line.partition(":")[2] for line in file if line.startswith("model name")), "")
    elif sys.platform == "darwin":
        command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
        with suppress(OSError, subprocess.SubprocessError):
            name = subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout
    return " ".join(name.split()) or platform.processor() or platform.machine() or "unknown"


def info(_: Call[None, None]) -> CommandResult:
    """Show version, processor, instruction sets, compiler and threads."""
    about, words = facts(), table(language())["info"]
    texts = {
        name: " ".join(fact) if isinstance(fact, list) else words.get(str(fact), str(fact))
        for name, fact in about.items()
    }
    lines = [fact_line(words[name], text, 10) for name, text in texts.items()]
    return CommandResult(text=lines, rows=[about | {"formats": formats()}])


COMMAND = Command(
    info,
    examples=("unidoku info", "unidoku info --json"),
    argument=None,
)
