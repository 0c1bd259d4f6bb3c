"""The kernels for the instruction set of this machine.

There is one compiled module per instruction set, all from one source and with the same results.  The first
use loads the best one that the processor and the operating system support; ``UNIDOKU_ISA`` forces another.
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
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

    from unidoku.native.lanes.base import (
        SolutionSearch,
        native_check,
        native_check_many,
        native_count,
        native_solve,
        solve_cells,
        solve_masks,
    )

__all__ = [
    "SolutionSearch",
    "compiled",
    "default_threads",
    "form",
    "isa",
    "native_check",
    "native_check_many",
    "native_count",
    "native_solve",
    "solve_cells",
    "solve_masks",
    "solve_rows",
    "usable",
]

NAMES = ("avx512", "avx2", "base")
"""The instruction sets with a kernel, best first."""

_FROM_FORM = (
    "SolutionSearch",
    "native_check",
    "native_check_many",
    "native_count",
    "native_solve",
    "solve_cells",
    "solve_masks",
)


@cache
def compiled() -> tuple[str, ...]:
    """Return the instruction sets that this installation was compiled for, best first."""
    return tuple(name for name in NAMES if find_spec(f"unidoku.native.lanes.{name}") is not None)


def usable() -> tuple[str, ...]:
    """Return the compiled instruction sets that this machine can run, best first."""
    runs = cpu.usable()
    return tuple(name for name in compiled() if name in runs)


def isa() -> str:
    """Return the name of the instruction set in use.

    Returns
    -------
    str
        ``avx512``, ``avx2`` or ``base``.

    Raises
    ------
    IsaError
        ``UNIDOKU_ISA`` names one that is unknown, was not compiled or cannot run on this machine.
    """
    forced = os.environ.get("UNIDOKU_ISA", "")
    if not forced:
        return usable()[0]
    _check(forced, "UNIDOKU_ISA")
    return forced


def form(name: str) -> ModuleType:
    """Return the compiled module for an instruction set.

    Parameters
    ----------
    name : str
        ``avx512``, ``avx2`` or ``base``.

    Returns
    -------
    module
        With `solve_cells`, `solve_masks` and `SolutionSearch`.

    Raises
    ------
    IsaError
        The name is unknown, was not compiled or cannot run on this machine.
    """
    _check(name, "instruction set")
    return import_module(f"unidoku.native.lanes.{name}")


def default_threads() -> int:
    """Return the number of processor cores that this process may use."""
    count = getattr(os, "process_cpu_count", None)  # Python 3.13
    if count is not None:
        return count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def solve_rows(
    text: Any,
    starts: Any,
    marked: Sequence[int],
    *,
    zero: int,
    limit: int,
    budget: int,
    counts: Any,
    verdicts: Any,
    complete: Any,
    solutions: Any = None,
    witnesses: Any = None,
    stop: Any = None,
) -> bool:
    """Count the solutions of puzzles of 81 cells and of puzzles of 729 pencil marks.

    Parameters
    ----------
    text : bytes-like
    starts : buffer of int64[n]
        Offset of each puzzle in `text`.
    marked : sequence of int
        The puzzles of 729 characters, as ascending indices of `starts`.
    zero, limit, budget, counts, verdicts, complete, solutions, witnesses, stop
        As for `solve_cells`; the outputs are `memoryview` objects or arrays of one dimension.

    Returns
    -------
    bool
        False if `stop` ended the call.
    """
    from unidoku.kernel import solve_cells, solve_masks  # the form in use

    settings: dict[str, Any] = {"zero": zero, "limit": limit, "budget": budget, "stop": stop}
    outputs = {"counts": counts, "verdicts": verdicts, "complete": complete}
    outputs |= {"solutions": solutions, "witnesses": witnesses}
    if not len(marked):
        return solve_cells(text, starts, **settings, **outputs)
    # The two kinds are solved separately, and the answers are copied to the rows of the puzzles.
    from unidoku.native.text.render import candidates

    n = len(starts)
    has_marks = bytearray(n)
    for k in marked:
        has_marks[k] = 1
    done = True
    for kind in (0, 1):
        places = [k for k in range(n) if has_marks[k] == kind]
        m = len(places)
        some: dict[str, Any] = {
            name: _buffer(name, m) for name, output in outputs.items() if output is not None
        }
        if kind:
            masks = candidates(text, starts, places, zero=zero)
            done &= solve_masks(masks, **settings, **some)
        else:
            begins = memoryview(bytearray(8 * m)).cast("q")
            for at, k in enumerate(places):
                begins[at] = starts[k]
            done &= solve_cells(text, begins, **settings, **some)
        for name, part in some.items():
            width = _WIDTH.get(name, 1)
            for at, k in enumerate(places):
                outputs[name][width * k : width * k + width] = part[width * at : width * at + width]
    return done


_WIDTH = {"solutions": 81, "witnesses": 81}


def _buffer(name: str, n: int) -> memoryview:
    """Allocate a buffer for one output of `n` puzzles."""
    if name == "counts":
        return memoryview(bytearray(8 * n)).cast("Q")
    return memoryview(bytearray(_WIDTH.get(name, 1) * n))


def _check(name: str, source: str) -> None:
    if name not in NAMES:
        raise IsaError(f"invalid {source} {name!r}; choose from: {', '.join(NAMES)}")
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
