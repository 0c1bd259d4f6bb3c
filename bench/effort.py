"""Effort and ER beside the times of people: rank correlations, and the picture of docs/rating.md.

`python bench/effort.py` prints the table, writes the picture. The times are in tests/rating/people.csv, the
mean seconds of the players who completed each of 1,533 puzzles in an app (CC0; its head has the source).
"""

from __future__ import annotations

import csv
from math import log10
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import unidoku

ROOT = Path(__file__).resolve().parents[1]
TIMES = ROOT / "tests" / "rating" / "people.csv"
IMAGE = ROOT / "docs" / "images" / "effort.svg"

_WIDTH, _HEIGHT, _LEFT, _TOP = 300, 240, 44, 26
_EFFORTS = (100, 200, 400, 800, 1600)
_SECONDS = (120, 240, 480, 960, 1920)


def times() -> tuple[list[str], NDArray[np.float64]]:
    """Return the puzzles and their mean seconds."""
    lines = [line for line in TIMES.read_text().splitlines() if not line.startswith("#")]
    rows = [*csv.DictReader(lines)]
    return [row["puzzle"] for row in rows], np.array([float(row["seconds"]) for row in rows])


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value; equal ones share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[place]


def rank_correlation(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def picture() -> str:
    """Return the picture: the minutes of people against effort, and against ER."""
    puzzles, seconds = times()
    rated = unidoku.rate_many(puzzles)
    parts = []
    for k, (name, values, marks) in enumerate(
        (
            (
                "effort",
                np.array([log10(effort) for effort in rated.effort]),
                [(log10(mark), str(mark)) for mark in _EFFORTS],
            ),
            ("ER", rated.er, [(float(mark), str(mark)) for mark in range(1, 9)]),
        )
    ):
        left = _LEFT + k * (_WIDTH + _LEFT + 20)
        low, high = float(values.min()), float(values.max())
        floor, top = log10(_SECONDS[0] / 1.5), log10(seconds.max())

        def across(value: float, left: int = left, low: float = low, high: float = high) -> float:
            return left + 6 + (value - low) / (high - low) * (_WIDTH - 12)

        def down(value: float, floor: float = floor, top: float = top) -> float:
            return _TOP + _HEIGHT - (value - floor) / (top - floor) * _HEIGHT

        dots = "".join(
            f"M{across(float(value)):.1f} {down(log10(second)):.1f}h0"
            for value, second in zip(values, seconds, strict=True)
        )
        place = f'x="{left}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}"'
        pen = 'stroke="#1f5fa8" stroke-opacity=".35" stroke-width="3.4" stroke-linecap="round"'
        parts += [f'<rect {place} fill="none" stroke="#999"/>', f'<path d="{dots}" {pen}/>']
        parts += [
            f'<text x="{across(at):.1f}" y="{_TOP + _HEIGHT + 14}" text-anchor="middle">{mark}</text>'
            for at, mark in marks
            if low <= at <= high
        ]
        parts += [
            f'<text x="{left - 5}" y="{down(log10(mark)) + 4:.1f}" text-anchor="end">{mark // 60}</text>'
            for mark in _SECONDS
            if log10(mark) <= top
        ]
        correlation = rank_correlation(np.asarray(values, float), seconds)
        title = f"minutes against {name}: rank correlation {correlation:.2f}"
        parts.append(f'<text x="{left + _WIDTH / 2}" y="{_TOP - 9}" text-anchor="middle">{title}</text>')
    width, height = 2 * (_WIDTH + _LEFT + 20), _TOP + _HEIGHT + 22
    parts.insert(0, f'<rect width="{width}" height="{height}" fill="#fff"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11" fill="#222">{"".join(parts)}</svg>\n'
    )


def main() -> None:
    """Print the correlations and write the picture."""
    puzzles, seconds = times()
    rated = unidoku.rate_many(puzzles)
    clues = np.array([81 - puzzle.count(".") - puzzle.count("0") for puzzle in puzzles])
    print(
        f"{len(puzzles):,} puzzles; rank correlation with the mean time of people, then of ER 1.2, of ER 1.5"
    )
    for name, values in (("clues", -clues), ("ER", rated.er), ("effort", rated.effort)):
        both = rank_correlation(values.astype(float), seconds)
        parts = [
            rank_correlation(values[rated.er == er].astype(float), seconds[rated.er == er])
            for er in (1.2, 1.5)
            if name != "ER"
        ]
        print(f"{name:8}{both:.3f}", *(f"{part:8.2f}" for part in parts))
    minutes = (rated.effort + 150) / 77
    within = np.abs(np.log(minutes * 60 / seconds)) <= np.log(1.35)
    print(f"minutes (effort + 150) / 77: {100 * within.mean():.0f} % within a factor of 1.35")
    IMAGE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
