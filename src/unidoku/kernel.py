"""The lanes kernel in the form that fits this machine.

One compiled module per instruction set, all from one source and with the same answers; the best one that
the processor and the operating system can run is taken when it is first needed.  ``UNIDOKU_ISA`` forces one.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from unidoku.errors import IsaError
from unidoku.native import cpu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from unidoku.native.lanes.base import Search, solve_cells, solve_masks

__all__ = ["Search", "compiled", "default_threads", "form", "isa", "solve_cells", "solve_masks", "usable"]

NAMES = ("avx512", "avx2", "base")
"""Every instruction set there is a form for, best first."""

_FROM_FORM = ("Search", "solve_cells", "solve_masks")


@cache
def compiled() -> tuple[str, ...]:
    """Instruction sets this installation was compiled for, best first."""
    return tuple(name for name in NAMES if find_spec(f"unidoku.native.lanes.{name}") is not None)


def usable() -> tuple[str, ...]:
    """Instruction sets that are compiled and that this machine can run, best first."""
    runs = cpu.usable()
    return tuple(name for name in compiled() if name in runs)


def isa() -> str:
    """Name of the instruction set in use.

    Returns
    -------
    str
        ``avx512``, ``avx2`` or ``base``.

    Raises
    ------
    IsaError
        ``UNIDOKU_ISA`` names one that is unknown, was not compiled or cannot run here.
    """
    forced = os.environ.get("UNIDOKU_ISA", "")
    if not forced:
        return usable()[0]
    _check(forced, "UNIDOKU_ISA")
    return forced


def form(name: str) -> ModuleType:
    """The compiled module for an instruction set.

    Parameters
    ----------
    name : str
        ``avx512``, ``avx2`` or ``base``.

    Returns
    -------
    module
        With `solve_cells`, `solve_masks` and `Search`.

    Raises
    ------
    IsaError
        The name is unknown, was not compiled or cannot run here.
    """
    _check(name, "instruction set")
    return import_module(f"unidoku.native.lanes.{name}")


def default_threads() -> int:
    """Number of processor cores this process may use."""
    count = getattr(os, "process_cpu_count", None)  # Python 3.13
    if count is not None:
        return count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check(name: str, source: str) -> None:
    if name not in NAMES:
        raise IsaError(f"{source} {name!r} is unknown; there are {', '.join(NAMES)}")
    if name not in compiled():
        raise IsaError(f"{source} {name!r} was not compiled into this installation")
    if name not in cpu.usable():
        raise IsaError(f"{source} {name!r} cannot run on this processor or operating system")


def __getattr__(name: str) -> Any:
    if name in _FROM_FORM:
        chosen = form(isa())
        for each in _FROM_FORM:
            globals()[each] = getattr(chosen, each)
        return globals()[name]
    raise AttributeError(f"module 'unidoku.kernel' has no attribute {name!r}")
