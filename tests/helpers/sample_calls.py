"""Calls of the public functions with fixed arguments, and what they return as text, the same at any time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from example_puzzles import UNIQUE as EASY

import unidoku
from unidoku.tasks import Canonical, Check, Convert, Dedupe, Rate

HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
PUZZLES = [EASY, "." * 80 + "1", EASY[::-1]]


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


def made_inputs(folder: str) -> Path:
    """The folder with the input of the calls that make files."""
    rows = [f"{puzzle},{k}\n" for k, puzzle in enumerate(PUZZLES)]
    Path(folder, "in.csv").write_text("puzzle,id\n" + "".join(rows))
    return Path(folder)


def of_task(task: Any, suffix: str, **options: Any) -> Callable[[Path], str]:
    """A call that makes a file of ``in.csv``; the result is the file."""

    def call(folder: Path) -> str:
        unidoku.run(task, folder / "in.csv", folder / f"out{suffix}", **options)
        return (folder / f"out{suffix}").read_bytes().hex()

    return call


CALLS: dict[str, Callable[[Path], Any]] = {
    "rate": lambda _: unidoku.rate(HARD),
    "rate_many": lambda _: unidoku.rate_many([EASY, HARD], threads=1),
    "steps_many": lambda _: unidoku.steps_many([EASY, HARD], threads=1),
    "all_steps": lambda _: str(unidoku.all_steps(EASY)),
    "canonical": lambda _: unidoku.canonical(EASY),
    "minimize": lambda _: unidoku.minimize(EASY, seed=1),
    "neighbours": lambda _: list(unidoku.neighbours(HARD, remove=1, add=1)),
    "check files": of_task(Check(), ".csv", threads=1),
    "rate files": of_task(Rate(), ".jsonl", threads=1),
    "dedupe files": of_task(Dedupe(), ".txt"),
    "canonical files": of_task(Canonical(), ".txt", threads=1),
    "check": lambda _: unidoku.check(HARD),
    "count": lambda _: unidoku.count("." * 45 + EASY[45:], threads=1),
    "check_many": lambda _: unidoku.check_many([EASY, HARD] * 20_000, solutions=True, threads=1).solution,
    "solutions": lambda _: [
        each.line for _, each in zip(range(1000), unidoku.solutions("." * 81), strict=False)
    ],
    "generate": lambda _: unidoku.generate(2, seed=1, threads=1),
    "steps": lambda _: str(unidoku.steps(EASY)),
    "trace": lambda _: str(list(unidoku.trace(EASY))),
    "diagnose": lambda _: str(unidoku.diagnose("." * 81)),
    "verify_many": lambda _: unidoku.verify_many([EASY], ["<answer>" + "5" * 10**6], threads=1),
    "svg": lambda _: unidoku.view.svg(EASY),
    "to_jsonl": of_task(Check(), ".jsonl.gz", threads=1),
    "to_xz": of_task(Check(), ".txt.xz", threads=1),
    "convert files": of_task(Convert(), ".csv"),
}
