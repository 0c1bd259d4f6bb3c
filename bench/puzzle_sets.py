"""The puzzles of the benchmarks: the sets of `speed_sets`, and the large public lists.

Each puzzle is replaced by a random image, so that no solver knows the order of its cells.
"""

from __future__ import annotations

import gzip
import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import unidoku
from unidoku.craft._transform import random_numbers, transform_many

if TYPE_CHECKING:
    from speed_sets import PuzzleSet  # an earlier version beside this one has none

BUNDLED = Path(unidoku.__file__).parent / "data" / "17clue.txt"
DATA = [
    Path(os.environ.get("UNIDOKU_TEST_DATA", "")),
    *(parent / "shared" / "data" for parent in Path(__file__).resolve().parents),
    Path(os.environ.get("UNIDOKU_TDOKU_DATA", "")),  # the folder of tdoku's own sets
]
FILES = {
    "17clue": "17clue.txt.gz",
    "top1465": "top1465.txt",
    "hardest": "puzzles5_forum_hardest_1905_11+",
    "1106": "puzzles6_forum_hardest_1106",
    "serg": "puzzles7_serg_benchmark",
}
LARGE = {
    "all 17clue": ("17clue", "images of the 49,158 known puzzles with 17 clues", 1),
    "top1465": ("top1465", "images of a list of puzzles that are hard for solvers", 1),
    "hardest": ("hardest", "images of the hardest list of a forum, 2019 (tdoku's puzzles5)", 1),
    "1106": ("1106", "images of the hardest list of a forum, 2011 (tdoku's puzzles6)", 1),
    "serg": ("serg", "images of puzzles with several solutions (tdoku's puzzles7)", None),
}
"""The public lists: the name of the set -> the file, what it is, the number of solutions of each puzzle."""


def path_of(name: str) -> Path | None:
    """Return the path of a public list, if it is there."""
    return next((folder / FILES[name] for folder in DATA if (folder / FILES[name]).is_file()), None)


def puzzle_lines(name: str) -> list[str] | None:
    """Return the puzzles of a public list as they are, or None if it is absent."""
    path = path_of(name)
    if path is None:
        return None
    return lines_of(path)


def lines_of(path: Path) -> list[str]:
    """Return the puzzles of a file of lines."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [line[:81] for line in text.splitlines() if line and not line.startswith("#")]


@cache
def large_sets() -> dict[str, PuzzleSet]:
    """Return the sets of the public lists that are there."""
    from speed_sets import image_set

    return {
        name: image_set(
            name, source, lambda file=file: unidoku.cells(puzzle_lines(file) or []), solutions=solutions
        )
        for name, (file, source, solutions) in LARGE.items()
        if path_of(file)
    }


def named_set(name: str, number: int) -> list[str] | None:
    """Return some puzzles of a set, or None if its list is absent."""
    if name == "sample":
        return permuted(sample_lines(), 1)[:number]
    chosen = sets().get(name)
    return chosen and unidoku.lines(chosen.rows(number))


def sets() -> dict[str, PuzzleSet]:
    """Return the sets that are always there, and those of the public lists that are."""
    from speed_sets import SETS

    return SETS | large_sets()


def few_clues_lines() -> list[str]:
    """Return the puzzles with 17 clues as they are: all, or without their list the bundled ones."""
    return puzzle_lines("17clue") or lines_of(BUNDLED)


def few_clues(seed: int = 1) -> list[str]:
    """Return images of the puzzles with 17 clues."""
    return permuted(few_clues_lines(), seed)


def sample_lines() -> list[str]:
    """Return the proper puzzles of the bundled sample as they are."""
    text = files("unidoku").joinpath("data/sample.txt").read_text(encoding="utf-8")
    return [line[:81] for line in text.splitlines() if line.endswith("\t1")]


def permuted(lines: list[str], seed: int) -> list[str]:
    """Return a random image of each line: bands, stacks, rows, columns, transposition, digits."""
    return unidoku.lines(transform_many(lines, random_numbers(len(lines), seed)).puzzle)
