"""Emerentius' Rust crate sudoku, as a shared library that UNIDOKU_RUST_SUDOKU names.

The library exports C functions.  A line is 81 characters and one separator.

``peer_solve(const char *puzzles, size_t n, size_t limit, uint64_t *counts, char *grids)``
    The numbers of solutions of n lines up to the limit (``solutions_count_up_to``), and, if `grids` is not
    NULL, the first solutions as lines.
``peer_generate(size_t n, int half_turn, char *puzzles)``
    Minimal puzzles: ``Sudoku::generate()``, which keeps the pattern symmetric under a half turn, or
    ``Sudoku::generate_with_symmetry(Symmetry::None)``.  Needed by `generator` only.
``peer_canonical(const char *puzzles, size_t n, char *forms)``
    ``Sudoku::canonicalized()``: the minlex form of a full grid; of a puzzle, which is solved first, the image
    whose solution is in minlex form.  Needed by `canonical_forms` only.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from peers import Absent, Solver, Work


def function(name: str) -> Any:
    path = os.environ.get("UNIDOKU_RUST_SUDOKU", "")
    if not path:
        raise Absent("UNIDOKU_RUST_SUDOKU names no shared library")
    try:
        return getattr(ctypes.CDLL(path), name)
    except (OSError, AttributeError) as error:
        raise Absent(f"UNIDOKU_RUST_SUDOKU: {error}") from None


def generator() -> Callable[..., list[str]]:
    """Return a function that generates a number of minimal puzzles, with half-turn symmetry if wanted."""
    generate = function("peer_generate")

    def run(count: int, half_turn: bool = False) -> list[str]:
        lines = ctypes.create_string_buffer(82 * count)
        generate(ctypes.c_size_t(count), half_turn, lines)
        return lines.raw.decode().split()

    return run


def canonical_forms(rows: np.ndarray) -> tuple[Callable[[], object], Callable[[], np.ndarray]]:
    """Return the work to time for cells 0 to 9, and its forms."""
    canonical, n = function("peer_canonical"), len(rows)
    lines = np.full((n, 82), ord("\n"), np.uint8)
    lines[:, :81] = np.where(rows, rows + ord("0"), ord("."))
    puzzles, forms = lines.tobytes(), np.zeros((n, 82), np.uint8)

    def answers() -> np.ndarray:
        return np.where(forms == ord("."), 0, forms - ord("0"))[:, :81]

    return lambda: canonical(puzzles, ctypes.c_size_t(n), ctypes.c_void_p(forms.ctypes.data)), answers


def load() -> Solver:
    solve = function("peer_solve")

    def prepare(lines: list[str], limit: int = 2) -> Work:
        n = len(lines)
        puzzles = "\n".join(lines).encode() + b"\n"
        counts = np.zeros(n, np.uint64)
        grids = ctypes.create_string_buffer(82 * n)

        def run(keep: object = None) -> None:
            at = ctypes.c_void_p(counts.ctypes.data)
            solve(puzzles, ctypes.c_size_t(n), ctypes.c_size_t(limit), at, keep)

        def answers() -> list[str]:
            run(grids)
            return [grids.raw[82 * k : 82 * k + 81].decode() for k in range(n)]

        return Work(run, answers)

    return Solver("sudoku (Rust)", prepare)
