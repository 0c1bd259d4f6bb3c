"""Guess level and steps of SudokuSolver's search as measures of difficulty: the figures of docs/sources.md.

`python bench/levels.py` prints the figures and writes the picture. Every seed is fixed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from effort import rank_correlation
from numpy.typing import NDArray

import unidoku
from unidoku.tasks import Rate

IMAGE = Path(__file__).resolve().parents[1] / "docs" / "images" / "levels.svg"
QUIZ = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
"""The quiz of the author's transcript, whose first solution has level 11 and 131 steps."""

SEARCH = ("search_first_level", "search_first_steps")
PERSON = ("er", "effort", "book_class")

_WIDTH, _HEIGHT, _LEFT, _TOP = 300, 240, 44, 26
_LEVELS = (-0.5, 13.5)
_PRINTED = (11, 131)
"""Level and steps of the quiz as the author prints it."""

Values = NDArray[np.float64]


def measured(puzzles: Any, columns: tuple[str, ...]) -> list[Values]:
    """Return these columns of puzzles."""
    result = unidoku.run_many(Rate(), puzzles, columns=columns)
    return [np.asarray(getattr(result, name), float) for name in columns]


def copies(puzzle: str, count: int) -> NDArray[np.uint8]:
    """Return random symmetric copies of a puzzle."""
    elements = [unidoku.Transformation.random(seed=seed) for seed in range(count)]
    images: NDArray[np.uint8] = unidoku.craft.transform_many([puzzle] * count, elements).puzzle
    return images


def panel(
    place: int,
    title: str,
    levels: Values,
    heights: Values,
    *,
    axis: str,
    marks: dict[str, float],
    dot: tuple[float, float] | None = None,
) -> str:
    """Return a picture of values against levels: the dots of a level are set apart; one dot has a name."""
    left, low, high = _LEFT + place * (_WIDTH + _LEFT + 20), heights.min(), heights.max()

    def across(level: float) -> float:
        return left + (level - _LEVELS[0]) / (_LEVELS[1] - _LEVELS[0]) * _WIDTH

    def down(height: float) -> float:
        return _TOP + _HEIGHT - 6 - float((height - low) / (high - low)) * (_HEIGHT - 12)

    apart = np.random.default_rng(place).uniform(-0.35, 0.35, len(levels))
    dots = "".join(
        f"M{across(level):.1f} {down(height):.1f}h0"
        for level, height in zip(levels + apart, heights, strict=True)
    )
    pen = 'stroke="#1f5fa8" stroke-opacity=".35" stroke-width="2.6" stroke-linecap="round"'
    numbers = "".join(
        f'<text x="{across(level):.1f}" y="{_TOP + _HEIGHT + 14}" text-anchor="middle">{level}</text>'
        for level in range(0, 14, 2)
    )
    labels = "".join(
        f'<text x="{left - 5}" y="{down(height) + 4:.1f}" text-anchor="end">{label}</text>'
        for label, height in marks.items()
    )
    middle, bottom = left + _WIDTH / 2, _TOP + _HEIGHT
    axes = (
        f'<text x="{middle}" y="{bottom + 30}" text-anchor="middle">biggest guess level</text>'
        f'<text x="{left - 32}" y="{bottom - _HEIGHT / 2}" text-anchor="middle" '
        f'transform="rotate(-90 {left - 32} {bottom - _HEIGHT / 2})">{axis}</text>'
    )
    named = ""
    if dot is not None:
        x, y = across(dot[0]), down(dot[1])
        named = (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="#c0392b" stroke="#fff" stroke-width="1.5"/>'
            f'<path d="M{x:.1f} {y + 7:.1f}V{bottom - 24}" stroke="#222"/>'
            f'<text x="{x:.1f}" y="{bottom - 12}" text-anchor="middle">as printed</text>'
        )
    return (
        f'<rect x="{left}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#999"/>'
        f'<path d="{dots}" {pen}/>{numbers}{labels}{axes}{named}'
        f'<text x="{middle}" y="{_TOP - 9}" text-anchor="middle">{title}</text>'
    )


def picture(level: Values, steps: Values, puzzle_level: Values, er: Values) -> str:
    """Return the picture: copies of the quiz, steps against level; and puzzles, ER against level."""
    by_steps = {str(mark): float(np.log10(mark)) for mark in (30, 60, 120, 240, 480)}
    by_er = {str(mark): float(mark) for mark in range(2, 10)}
    printed = _PRINTED[0], float(np.log10(_PRINTED[1]))
    copied = f"{len(level):,} symmetric copies of the quiz"
    rated = f"{len(er):,} puzzles, rank correlation {rank_correlation(puzzle_level, er):.2f}"
    parts = [
        panel(0, copied, level, np.log10(steps), axis="steps", marks=by_steps, dot=printed),
        panel(1, rated, puzzle_level, er, axis="ER", marks=by_er),
    ]
    width, height = 2 * (_WIDTH + _LEFT + 20), _TOP + _HEIGHT + 36
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11" fill="#222"><rect width="{width}" height="{height}" fill="#fff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def main() -> None:
    """Print the figures and write the picture."""
    level, steps = measured(copies(QUIZ, 2000), SEARCH)
    for name, values in (("level", level), ("steps", steps)):
        low, high, middle = values.min(), values.max(), np.median(values)
        print(f"2,000 copies of the quiz: {name} {low:.0f} to {high:.0f}, median {middle:.0f}")
    kinds = (*SEARCH, *PERSON)
    columns = [measured(copies(puzzle, 60), kinds) for puzzle in unidoku.lines(unidoku.generate(80, seed=2))]
    least, most = (np.array([[end(values) for values in row] for row in columns]) for end in (np.min, np.max))
    for name, constant in zip(kinds, (least == most).sum(axis=0), strict=True):
        print(f"80 puzzles, 60 copies of each: {name} is the same in all copies of {constant}")
    levels, factors = most[:, 0] - least[:, 0], most[:, 1] / least[:, 1]
    print(f"median: {np.median(levels):.0f} levels apart, steps by a factor of {np.median(factors):.1f}")
    print(f"the most: {levels.max():.0f} levels apart, steps by a factor of {factors.max():.1f}")
    puzzle_level, puzzle_steps, er, effort, _ = measured(unidoku.generate(3000, seed=3), kinds)
    for name, values in (("level", puzzle_level), ("steps", puzzle_steps)):
        by_er, by_effort = rank_correlation(values, er), rank_correlation(values, effort)
        print(f"3,000 puzzles: rank correlation of {name} with ER {by_er:.2f}, with effort {by_effort:.2f}")
    for chosen in range(6):
        rated = er[puzzle_level == chosen]
        low, middle, high = rated.min(), np.median(rated), rated.max()
        print(f"level {chosen}: {len(rated):,} puzzles, ER {low} to {high}, median {middle:.1f}")
    IMAGE.write_text(picture(level, steps, puzzle_level, er), encoding="utf-8")


if __name__ == "__main__":
    main()
