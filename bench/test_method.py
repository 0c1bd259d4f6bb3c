"""Measure the numerical-analysis method: classifications per second, and diagnoses.

pytest bench/test_method.py -s
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from puzzle_sets import few_clues_lines

from unidoku import method
from unidoku.craft.diagnosis import diagnose


@pytest.fixture(scope="module")
def puzzles():
    return few_clues_lines()


@pytest.fixture(scope="module")
def easy(puzzles):
    """Return the puzzles that need no presets, as rows of 0..9."""
    text = np.frombuffer("".join(puzzles).encode(), dtype=np.uint8).reshape(-1, 81)
    rows = np.where(text == ord("."), 0, text - 48).astype(np.uint8)
    classes = method.classify_many(rows).classes
    print("\nclasses of the puzzles:", dict(zip(*np.unique(classes, return_counts=True), strict=True)))
    return rows[classes < 4]


@pytest.mark.parametrize("threads", [1, 2])
def test_puzzles_a_second_without_presets(easy, threads):
    def work():
        method.classify_many(easy, threads=threads)

    best, cpu = min(_seconds(work) for _ in range(5)), min(_cpu(work) for _ in range(5))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(
        f"{threads} threads on {cores} cores: {len(easy) / best:,.0f} puzzles a second, "
        f"{len(easy) / cpu:,.0f} a second of processor time"
    )


def test_diagnoses(puzzles):
    draw = random.Random(3)
    solved = [diagnose(puzzle).solutions[0] for puzzle in puzzles[:: len(puzzles) // 98]]
    for name, change in (("proper", 0), ("one clue less", -1), ("two clues less", -2), ("one wrong clue", 1)):
        times = []
        for puzzle, solution in zip(puzzles[:: len(puzzles) // 98], solved, strict=True):
            cells = list(puzzle)
            clues = [k for k in range(81) if cells[k] != "."]
            for k in draw.sample(clues, max(0, -change)):
                cells[k] = "."
            if change > 0:
                k = draw.choice([k for k in range(81) if k not in clues])
                cells[k] = draw.choice([d for d in "123456789" if d != solution[k]])
            text = "".join(cells)
            times.append(_seconds(lambda text=text: diagnose(text)))
        times.sort()
        middle, most = times[len(times) // 2], times[-1]
        print(f"diagnose, {name}: median {1e3 * middle:.1f} ms, longest of {len(times)} {1e3 * most:.1f} ms")


def _seconds(work) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _cpu(work) -> float:
    began = process_time()
    work()
    return process_time() - began
