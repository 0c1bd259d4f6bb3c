"""The C prototype of the counting kernel, compiled with gcc if it is next to the repository."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from peers import Absent
from peers.prototype import folder
from unidoku import kernel

BESIDE = [parent / "shared" / "reference" / "count" / "boxcount.c" for parent in Path(__file__).parents]
FLAGS = "-mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni -mbmi -mbmi2 -mpopcnt".split()
DOOR = """
#define NO_BOX_MAIN
#include "boxcount.c"
void door_count(const char *puzzle, uint64_t *number) {
  u128 count = box_count(puzzle);
  number[0] = (uint64_t)count;
  number[1] = (uint64_t)(count >> 64);
}
"""


def load() -> Callable[[str], int]:
    """Return the prototype as a function of a puzzle of 81 characters."""
    source = next((path for path in BESIDE if path.is_file()), None)
    if source is None:
        raise Absent("the prototype is not next to the repository (../shared/reference/count)")
    if shutil.which("gcc") is None:
        raise Absent("no gcc to compile the prototype with")
    if "avx512" not in kernel.usable():
        raise Absent("the prototype needs AVX-512")
    door, library = folder() / "counting.c", folder() / "counting.so"
    door.write_text(DOOR)
    command = ["gcc", "-std=gnu11", "-O3", "-w", *FLAGS, "-shared", "-fPIC", f"-I{source.parent}"]
    subprocess.run([*command, str(door), "-o", str(library)], check=True)
    code = ctypes.CDLL(str(library))
    number = (ctypes.c_uint64 * 2)()

    def count(puzzle: str) -> int:
        code.door_count(puzzle.encode(), number)
        return number[0] | number[1] << 64

    count(81 * ".")  # its tables
    return count
