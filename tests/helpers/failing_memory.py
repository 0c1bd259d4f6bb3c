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
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from example_puzzles import UNIQUE as EASY

import unidoku
from unidoku import UnidokuError

LEFT = ctypes.c_long(0)  # allocations of native modules until one fails
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
PUZZLES = [EASY, "." * 80 + "1", EASY[::-1]]
MOST = 100_000  # allocations of one call


def text(value: Any) -> str:
    """A result as text, whatever it is."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, dict):
        return str({key: text(each) for key, each in value.items()})
    if isinstance(value, list | tuple):
        return str([text(each) for each in value])
    fields = getattr(value, "__slots__", None) or getattr(value, "__dict__", None)
    if fields and type(value).__module__.startswith("unidoku"):
        names = [name for name in fields if name not in {"seconds", "puzzles_per_second"}]
        return str([text(getattr(value, name)) for name in names if not name.startswith("_")])
    return str(value)


def of_file(work: Callable[..., Any], suffix: str, **options: Any) -> Callable[[Path], str]:
    """A call that makes a file of ``in.csv``; the result is the file."""

    def call(folder: Path) -> str:
        work(folder / "in.csv", output=folder / f"out{suffix}", **options)
        return (folder / f"out{suffix}").read_bytes().hex()

    return call


CALLS: dict[str, Callable[[Path], Any]] = {
    "rate": lambda _: unidoku.rate(HARD),
    "rate_many": lambda _: unidoku.rate_many([EASY, HARD], threads=1),
    "steps_many": lambda _: unidoku.steps_many([EASY, HARD], threads=1),
    "all_steps": lambda _: str(unidoku.all_steps(EASY)),
    "level_range": lambda _: unidoku.stepper.level_range(HARD, budget=2000),
    "canonical": lambda _: unidoku.canonical(EASY),
    "minimize": lambda _: unidoku.minimize(EASY, seed=1),
    "neighbours": lambda _: list(unidoku.neighbours(HARD, remove=1, add=1)),
    "check_file": of_file(unidoku.check_file, ".csv", threads=1),
    "rate_file": of_file(unidoku.rate_file, ".jsonl", threads=1),
    "dedupe_file": of_file(unidoku.dedupe_file, ".txt"),
    "canonical_file": of_file(unidoku.canonical_file, ".txt", threads=1),
}


LIMITED: dict[str, Callable[[Path], Any]] = CALLS | {
    "check": lambda _: unidoku.check(HARD),
    "count": lambda _: unidoku.count("." * 45 + EASY[45:], threads=1),
    "check_many": lambda _: unidoku.check_many([EASY, HARD] * 20_000, solutions=True, threads=1).solutions,
    "solutions": lambda _: [
        each.line for _, each in zip(range(1000), unidoku.solutions("." * 81), strict=False)
    ],
    "generate": lambda _: unidoku.generate(2, seed=1, threads=1),
    "steps": lambda _: str(unidoku.steps(EASY)),
    "trace": lambda _: str(list(unidoku.trace(EASY))),
    "diagnose": lambda _: str(unidoku.diagnose("." * 81)),
    "verify_many": lambda _: unidoku.verify_many([EASY], ["<answer>" + "5" * 10**6], threads=1),
    "svg": lambda _: unidoku.view.svg(EASY),
    "to_jsonl": of_file(unidoku.check_file, ".jsonl.gz", threads=1),
    "to_xz": of_file(unidoku.check_file, ".txt.xz", threads=1),
    "convert_file": of_file(unidoku.convert_file, ".csv"),
    "in_parts": of_file(unidoku.check_file, ".csv", threads=1, part_bytes=1 << 16),
}
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
        rows = [f"{puzzle},{k}\n" for k, puzzle in enumerate(PUZZLES)]
        Path(temporary, "in.csv").write_text("puzzle,id\n" + "".join(rows))
        print(each(name, Path(temporary)))


if __name__ == "__main__":
    os.environ["UNIDOKU_ALLOCATIONS"] = str(ctypes.addressof(LEFT))
    main(*sys.argv[1:])
