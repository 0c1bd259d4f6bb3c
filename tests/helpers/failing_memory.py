"""Calls without enough memory; as a script, makes them.

``failing_memory.py allocations CALL`` lets each allocation of the native modules fail in turn; it needs a
build with UNIDOKU_FAIL_ALLOC=1.  ``failing_memory.py limits CALL`` gives the process a little more address
space than it has, several times.  They print how many calls failed, and end with an error when a call was
wrong or left anything, or when the next one was wrong.  ``failing_memory.py command BYTES ARGUMENT...`` is
the command ``unidoku ARGUMENT...`` with so many bytes more than the process has when NumPy is imported.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from sample_calls import EASY, LIMITED, made_inputs, text

import unidoku
from unidoku import UnidokuError

LEFT = ctypes.c_long(0)  # allocations of native modules until one fails
MOST = 100_000  # allocations of one call


LIMITS = [extra << 18 for extra in (0, 1, 4, 16, 40, 52, 80, 160)]


@contextmanager
def limited(extra: int) -> Iterator[None]:
    """Let the process have so many bytes more than it has."""
    import resource

    gc.collect()
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + extra, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


@contextmanager
def native(number: int) -> Iterator[None]:
    """Let allocation `number` of the native modules fail."""
    LEFT.value = number
    yield


def attempt(name: str, folder: Path, failing: AbstractContextManager[object]) -> str | None:
    """Make a call in which memory may fail; its result, or None if it failed and left nothing."""
    for output in folder.glob("out.*"):
        output.write_text("before")
    files = sorted(folder.iterdir())
    try:
        with failing:
            found = LIMITED[name](folder)
    except (MemoryError, UnidokuError):
        for partial in folder.glob("out.*.partial"):  # what was done before
            partial.unlink()
        changed = [path.name for path in folder.glob("out.*") if path.read_text() != "before"]
        if changed or sorted(folder.iterdir()) != files:
            raise ValueError(f"the call left {os.listdir(folder)}, {changed}") from None
        return None
    return text(found)


def each_allocation(name: str, folder: Path) -> int:
    """Make a call with each allocation failing in turn; how many calls failed."""
    expected = attempt(name, folder, nullcontext())
    failures = 0
    for number in range(1, MOST):
        found = attempt(name, folder, native(number))
        reached = LEFT.value <= 0
        LEFT.value = 0
        if found not in {None, expected}:
            raise ValueError(f"allocation {number} failed and the result is {found[:500] if found else ''}")
        failures += found is None
        if attempt(name, folder, nullcontext()) != expected:
            raise ValueError(f"after allocation {number} had failed, the next call was wrong")
        if not reached:
            return failures
    raise ValueError("there is no end of allocations")


def each_limit(name: str, folder: Path) -> int:
    """Make a call with each limit, and one without after it; how many calls failed."""
    expected = attempt(name, folder, nullcontext())
    failures = 0
    for extra in LIMITS:
        found = attempt(name, folder, limited(extra))
        if found not in {None, expected}:
            raise ValueError(f"with {extra} bytes the result is {found[:500] if found else ''}")
        failures += found is None
        if (
            unidoku.check(EASY) is not unidoku.Verdict.UNIQUE
            or attempt(name, folder, nullcontext()) != expected
        ):
            raise ValueError(f"after {extra} bytes, the next call was wrong")
    return failures


def main(way: str, name: str, *arguments: str) -> None:
    """Run the script."""
    if way == "command":
        from unidoku.cli import cli

        with limited(int(name)):
            cli.main(arguments, prog_name="unidoku")
        return
    each = {"allocations": each_allocation, "limits": each_limit}[way]
    with TemporaryDirectory() as temporary:
        print(each(name, made_inputs(temporary)))


if __name__ == "__main__":
    os.environ["UNIDOKU_ALLOCATIONS"] = str(ctypes.addressof(LEFT))
    main(*sys.argv[1:])
