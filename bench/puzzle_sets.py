"""The puzzles the benchmarks run on, each a random image so that no solver knows the order of its cells."""

from __future__ import annotations

import gzip
import os
from importlib.resources import files
from pathlib import Path

import numpy as np

import unidoku
from unidoku.tasks.speed import benchmark_set, random_images

HARD = (  # made for people or against simple searches; from the literature
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
)
DATA = [
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


def puzzle_set(name: str, seed: int = 1) -> list[str] | None:
    """Return images of a real puzzle file next to the repository, or None if it is absent."""
    lines = puzzle_lines(name)
    return lines and permuted(lines, seed)


def few_clues(seed: int = 1) -> list[str]:
    """Return images of the puzzles with 17 clues, or of the bundled sample if their file is absent."""
    return permuted(few_clues_lines(), seed)


def few_clues_lines() -> list[str]:
    """Return the puzzles with 17 clues as they are, or those of the bundled sample without their file."""
    return puzzle_lines("17clue") or sample_lines()


def sample_lines() -> list[str]:
    """Return the proper puzzles of the bundled sample as they are."""
    text = files("unidoku").joinpath("data/sample.txt").read_text(encoding="utf-8")
    return [line[:81] for line in text.splitlines() if line.endswith("\t1")]


def puzzle_lines(name: str) -> list[str] | None:
    """Return the puzzles of a real file as they are, or None if it is absent."""
    path = next((folder / FILES[name] for folder in DATA if (folder / FILES[name]).is_file()), None)
    if path is None:
        return None
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [line[:81] for line in text.splitlines() if line and not line.startswith("#")]


def named_set(name: str, number: int) -> list[str] | None:
    """Return a set by name; generated sets have `number` puzzles."""
    if name in ("easy", "middle"):
        return unidoku.lines(benchmark_set(name, number))
    made = {"hard": hard_set, "several": several_set}
    if name == "sample":
        return permuted(sample_lines(), 1)
    return made[name](number) if name in made else puzzle_set(name)


def hard_set(number: int, seed: int = 1) -> list[str]:
    """Return images of `HARD`."""
    return permuted([HARD[k % len(HARD)] for k in range(number)], seed)


def several_set(number: int, seed: int = 1) -> list[str] | None:
    """Return puzzles with several solutions: 17-clue puzzles without one clue."""
    lines = puzzle_set("17clue", seed)
    if lines is None:
        return None
    random = np.random.default_rng(seed)
    found = []
    for line in lines[:number]:
        gone = random.choice([k for k in range(81) if line[k] != "."])
        found.append(line[:gone] + "." + line[gone + 1 :])
    return found


def permuted(lines: list[str], seed: int) -> list[str]:
    """Return a random image of each line: bands, stacks, rows, columns, transposition, digits."""
    return unidoku.lines(random_images(lines, seed))


def fits(puzzle: str, solution: str) -> bool:
    """Test whether a grid is a solution of a puzzle."""
    if len(solution) != 81:
        return False
    if any(clue not in (".", digit) for clue, digit in zip(puzzle, solution, strict=True)):
        return False
    rows = [solution[k : k + 9] for k in range(0, 81, 9)]
    columns = [solution[k::9] for k in range(9)]
    boxes = ["".join(row[c : c + 3] for row in rows[r : r + 3]) for r in (0, 3, 6) for c in (0, 3, 6)]
    return all(set(house) == set("123456789") for house in rows + columns + boxes)
