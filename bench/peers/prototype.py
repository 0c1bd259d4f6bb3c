"""The C prototype of the lanes kernel, compiled with CC or gcc if it is next to the repository."""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from peers import Absent, Solver, Work
from unidoku import kernel

BESIDE = [parent / "shared" / "reference" / "lanes" / "lanes2.c" for parent in Path(__file__).parents]
FLAGS = {
    "avx512": "-mavx512f -mavx512cd -mavx512bw -mavx512vl -mavx512dq -mavx512vbmi -mavx512vbmi2 "
    "-mavx512bitalg -mavx512vpopcntdq -mgfni -mbmi -mbmi2 -mlzcnt -mpopcnt -mprefer-vector-width=512",
    "avx2": "-mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt",
    "base": "",
}
DOOR = """
#define NO_MAIN
#include "lanes2.c"
void *door_open(void) {
  size_t size = (sizeof(Solver) + 4095) / 4096 * 4096;
  return memset(aligned_alloc(4096, size), 0, size);
}
void door_solve(void *s, const char *text, int n, int limit, int *counts, char *solutions) {
  solve_many((Solver *)s, text, 81, n, limit, counts, solutions);
}
long door_guesses(void) { long made = st.guesses; memset(&st, 0, sizeof st); return made; }
"""


@cache
def folder() -> Path:
    made = tempfile.mkdtemp(prefix="unidoku-bench-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def compiled(name: str, text: str, flags: list[str]) -> ctypes.CDLL:
    """Compile C code to a library."""
    compiler = os.environ.get("CC", "gcc").split()
    if shutil.which(compiler[0]) is None:
        raise Absent(f"no {compiler[0]} to compile C code with")
    source, library = folder() / f"{name}.c", folder() / f"{name}.so"
    source.write_text(text)
    subprocess.run(
        [*compiler, "-std=gnu11", *flags, "-shared", "-fPIC", str(source), "-o", str(library)], check=True
    )
    return ctypes.CDLL(str(library))


def load(isa: str) -> Solver:
    source = next((path for path in BESIDE if path.is_file()), None)
    if source is None:
        raise Absent("the prototype is not next to the repository (../shared/reference/lanes)")
    if isa not in kernel.usable():
        raise Absent(f"no {isa} on this machine")
    flags = ["-O2", "-w", "-fno-strict-aliasing", *FLAGS[isa].split(), f"-I{source.parent}"]
    code = compiled(f"prototype-{isa}", DOOR, flags)
    code.door_open.restype = ctypes.c_void_p
    code.door_guesses.restype = ctypes.c_long

    def prepare(lines: list[str], limit: int = 2) -> Work:
        n = len(lines)
        text = np.frombuffer(("".join(lines) + 64 * " ").encode(), np.uint8)
        counts, solutions = np.zeros(n, np.int32), np.zeros(81 * n + 64, np.uint8)
        solver = ctypes.c_void_p(code.door_open())

        def run() -> None:
            text_at, counts_at, solutions_at = (
                ctypes.c_void_p(each.ctypes.data) for each in (text, counts, solutions)
            )
            code.door_solve(solver, text_at, n, limit, counts_at, solutions_at)

        def answers() -> list[str]:
            whole = solutions.tobytes()[: 81 * n].decode()
            return [whole[81 * k : 81 * k + 81] for k in range(n)]

        def guesses() -> int:
            code.door_guesses()
            run()
            return code.door_guesses()

        return Work(run, answers, guesses)

    return Solver(f"prototype {isa}", prepare)
