"""Instruction sets of this machine as parameters; slow tests except the best and ``base``."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import pytest

from unidoku import Verdict, kernel

_QUICK = {kernel.usable()[0], "base"}
FORMS = [pytest.param(name, marks=[pytest.mark.slow] * (name not in _QUICK)) for name in kernel.usable()]
BEST = [
    pytest.param(name, marks=[pytest.mark.slow] * (name != kernel.usable()[0])) for name in kernel.usable()
]
"""For what surrounds the kernels: the best is a quick test, and the others are slow tests."""


def force(patch, isa):
    """Make `unidoku.kernel` use an instruction set."""
    patch.setenv("UNIDOKU_ISA", isa)
    patch.setattr(kernel, "_modules", {})
    for name in ("quick_check", "quick_count", "quick_solve"):  # that `use` sets
        patch.setattr(kernel, name, getattr(kernel, name))
    kernel.use(isa)


class SearchOutputs(NamedTuple):
    """Outputs of the kernel on an instruction set, a list for each; grids are bytes."""

    finished: bool
    counts: list[int]
    verdicts: list[Verdict]
    complete: list[bool]
    guesses: list[int]
    solutions: list[bytes]
    witnesses: list[bytes]
    rounds: list[int]


def searched(isa: str, lines: list[str], *, alone: bool = False, **options: Any) -> SearchOutputs:
    """Search puzzles; `alone`: with the kernel for one puzzle, which counts its rounds."""
    n = len(lines)
    numbers = {name: array("Q", [7] * n) for name in ("counts", "guesses", "rounds")}
    sizes = {"verdicts": 1, "complete": 1, "solutions": 81, "witnesses": 81}
    buffers = {name: bytearray(b"\7" * size * n) for name, size in sizes.items()}
    outputs = numbers | buffers if alone else numbers | buffers | {"rounds": None}
    text, starts = "".join(lines).encode(), array("q", range(0, 81 * n, 81))
    finished = kernel.isa_module(isa).solve_cells(text, starts, **outputs, **options)
    grids = {
        name: [bytes(buffers[name][at : at + 81]).strip(b"\0") for at in starts]
        for name in ("solutions", "witnesses")
    }
    return SearchOutputs(
        finished,
        list(numbers["counts"]),
        [Verdict(code) for code in buffers["verdicts"]],
        [bool(flag) for flag in buffers["complete"]],
        list(numbers["guesses"]),
        **grids,
        rounds=list(numbers["rounds"]) if alone else [],
    )
