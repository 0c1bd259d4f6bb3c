"""The C prototype of canonical forms, compiled with CC or gcc if it is next to the repository."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import numpy as np

from peers import Absent
from peers.prototype import compiled
from unidoku import kernel

BESIDE = [parent / "shared" / "reference" / "minlex" / "minlex.c" for parent in Path(__file__).parents]
STRIDE = 82
ENTRY = """
#include "minlex.c"
void all_puzzles(const char *in, size_t n, char *out) {
  for (size_t k = 0; k < n; k++) ml_puzzle(in + 82 * k, out + 82 * k);
}
"""


class Prototype:
    """Return the functions of the prototype, for lines of 82 bytes."""

    def __init__(self) -> None:
        source = next((path for path in BESIDE if path.is_file()), None)
        if source is None:
            raise Absent("the prototype is not next to the repository (../shared/reference/minlex)")
        if "avx512" not in kernel.usable():
            raise Absent("no AVX-512 on this machine")
        self._code = compiled("minlex-entry", ENTRY, ["-O3", "-march=native", "-w", f"-I{source.parent}"])
        self._code.ml_init()

    def work(self, name: str, *inputs: np.ndarray) -> tuple[Callable[[], object], Callable[[], np.ndarray]]:
        """Return the work to time, and its forms: of ``grids``, ``puzzles`` or puzzles with ``solutions``."""
        n = len(inputs[0])
        rows = [np.zeros(n * STRIDE + 256, np.uint8) for _ in range(len(inputs) + 1)]
        for row, each in zip(rows, inputs, strict=False):
            row[: n * STRIDE].reshape(n, STRIDE)[:, :81] = each + ord("0")
        at = [ctypes.c_void_p(row.ctypes.data) for row in rows]
        count, stride = ctypes.c_size_t(n), ctypes.c_size_t(STRIDE)
        run = {
            "grids": lambda: self._code.ml_grids(at[0], stride, count, at[1], None),
            "solutions": lambda: self._code.ml_puzzles_sol(at[0], at[1], stride, count, at[2]),
            "puzzles": lambda: self._code.all_puzzles(at[0], count, at[1]),
        }[name]
        return run, lambda: rows[-1][: n * STRIDE].reshape(n, STRIDE)[:, :81] - ord("0")
