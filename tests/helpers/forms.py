"""The kernel's instruction sets as values of a parameter; all but the best and ``base`` make slow tests."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import pytest

from unidoku import Verdict, kernel


def _marks(name: str) -> list[pytest.MarkDecorator]:
    if name not in kernel.usable():
        return [pytest.mark.skip(reason=f"no {name} on this machine")]
    return [] if name in (kernel.usable()[0], "base") else [pytest.mark.slow]


FORMS = [pytest.param(name, marks=_marks(name)) for name in kernel.NAMES]


def force(patch, isa):
    """Make `unidoku.kernel` use an instruction set, although it may have used another one before."""
    patch.setenv("UNIDOKU_ISA", isa)
    patch.setattr(kernel, "lanes", lambda: kernel.form(isa))


class Searched(NamedTuple):
    """What a form of the kernel writes for some puzzles, each in its own list; grids are bytes."""

    finished: bool
    counts: list[int]
    verdicts: list[Verdict]
    complete: list[bool]
    guesses: list[int]
    solutions: list[bytes]
    witnesses: list[bytes]
    rounds: list[int]


def searched(isa: str, lines: list[str], *, alone: bool = False, **options: Any) -> Searched:
    """Search puzzles; `alone`: with the kernel for one puzzle, which tells the rounds that it made."""
    n = len(lines)
    numbers = {name: array("Q", [7] * n) for name in ("counts", "guesses", "rounds")}
    sizes = {"verdicts": 1, "complete": 1, "solutions": 81, "witnesses": 81}
    found = {name: bytearray(b"\7" * size * n) for name, size in sizes.items()}
    outputs = numbers | found if alone else numbers | found | {"rounds": None}
    text, starts = "".join(lines).encode(), array("q", range(0, 81 * n, 81))
    finished = kernel.form(isa).solve_cells(text, starts, **outputs, **options)
    grids = {
        name: [bytes(found[name][at : at + 81]).strip(b"\0") for at in starts]
        for name in ("solutions", "witnesses")
    }
    return Searched(
        finished,
        list(numbers["counts"]),
        [Verdict(code) for code in found["verdicts"]],
        [bool(flag) for flag in found["complete"]],
        list(numbers["guesses"]),
        **grids,
        rounds=list(numbers["rounds"]) if alone else [],
    )
