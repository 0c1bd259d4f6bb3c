"""Outputs of the native engine of the scale se121 on an instruction set."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

NAMES = ("er", "ep", "ed", "techniques", "names", "outcomes")


def engine(isa: str) -> Any:
    return import_module(f"unidoku.native.rating.{isa}")


def rated(module: Any, puzzles: list[str], **options: Any) -> dict[str, np.ndarray]:
    """Rate puzzles of 81 symbols; return an array for each of `NAMES`."""
    text = np.frombuffer("".join(puzzles).encode(), np.uint8)
    outputs = _outputs(len(puzzles))
    module.rate_cells(text, 81 * np.arange(len(puzzles)), zero=48, **outputs, **options)
    return outputs


def rated_further(module: Any, states: np.ndarray, **options: Any) -> dict[str, np.ndarray]:
    """Continue rating from states; return an array for each of `NAMES`."""
    outputs = _outputs(len(states))
    module.rate_further(states, **outputs, **options)
    return outputs


def _outputs(count: int) -> dict[str, np.ndarray]:
    return {name: np.full(count, 77, np.int16 if len(name) == 2 else np.uint8) for name in NAMES}


def ratings_of(outputs: dict[str, np.ndarray]) -> list[tuple[int, int, int]]:
    """Return ER, EP and ED of each puzzle, in tenths."""
    return list(zip(*(outputs[name].tolist() for name in ("er", "ep", "ed")), strict=True))
