"""Outputs of the native engine of the scale se121 on an instruction set."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

NAMES = ("er", "ep", "ed", "techniques", "names", "outcomes")


def engine(isa: str) -> Any:
    return import_module(f"unidoku._native.rating.{isa}")


def rated(module: Any, puzzles: list[str], *, lanes: bool = True, **options: Any) -> dict[str, np.ndarray]:
    """Rate puzzles of 81 symbols, perhaps without lanes; return an array for each of `NAMES`."""
    return rated_with_states(module, puzzles, lanes=lanes, **options)[0]


def rated_with_states(
    module: Any, puzzles: list[str], *, lanes: bool = True, **options: Any
) -> tuple[dict[str, np.ndarray], bytes]:
    """Return the states that are kept, too."""
    text, outputs = np.frombuffer("".join(puzzles).encode(), np.uint8), outputs_of(len(puzzles))
    rows = None if lanes else np.arange(len(puzzles))
    starts = 81 * np.arange(len(puzzles))
    return outputs, module.rate_cells(text, starts, zero=48, rows=rows, **outputs, **options)


def outputs_of(count: int) -> dict[str, np.ndarray]:
    return {name: np.full(count, 77, np.uint8) for name in NAMES}


def ratings_of(outputs: dict[str, np.ndarray]) -> list[tuple[int, int, int]]:
    """Return ER, EP and ED of each puzzle, in tenths."""
    return list(zip(*(outputs[name].tolist() for name in ("er", "ep", "ed")), strict=True))
