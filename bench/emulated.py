"""Instructions of the ARM64 (NEON) kernels under emulation, beside the same source without NEON's functions.

    python bench/emulated.py ROOT [--before SOURCE]

ROOT is a folder with Python for ARM64; with Debian's packages:

    apt-get install qemu-user gcc-aarch64-linux-gnu; dpkg --add-architecture arm64; apt-get update
    apt-get download {libpython3.11-{minimal,stdlib},python3.11-minimal,libc6,zlib1g,libexpat1}:arm64
    for package in *.deb; do dpkg-deb -x "$package" ROOT; done

SOURCE is another version of the repository, built, whose kernels take the place of those without NEON.  The
instructions of a work are those of a process that does it some times more than another one, and do not depend
on the machine.  The answers of both sides are compared.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from array import array
from importlib import import_module
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
COMPILER = "aarch64-linux-gnu-gcc"
FLAGS = "-shared -fPIC -w -DNDEBUG -fwrapv -O3 -g0 -fno-strict-aliasing -fno-tree-vectorize".split()
MODULES = {  # those of setup.py for GCC
    "_shared": ("-O1",),
    "lanes.base": ("-O1", "-fpeel-loops"),
    "count.base": ("-O1", "-fpeel-loops"),
    "symmetry.base": ("-O2",),
}
WORKS = {"lanes": 10, "one": 10, "count": 1, "canonical": 1}  # how many times more
PUZZLES = {"lanes": 500, "one": 500, "canonical": 100}
SPARSE = "...2..9....1.....6.....8....6..........4.7....3.......8......5..2.....9.....3...."


def main() -> None:
    """Print a row for each work."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("root", type=Path, help="a folder with Python for ARM64")
    parser.add_argument("--before", type=Path, help="another version of the repository, built")
    arguments = parser.parse_args()
    for program in (COMPILER, "qemu-aarch64", "gcc"):
        if shutil.which(program) is None:
            raise SystemExit(f"{program} is needed: apt-get install qemu-user gcc-aarch64-linux-gnu gcc")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plugin = folder / "instructions.so"
        source = Path(__file__).with_name("instructions.c")
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", source, "-o", plugin], check=True)
        build(REPOSITORY, folder / "now")
        if arguments.before:
            build(arguments.before, folder / "other")
        else:
            build(REPOSITORY, folder / "other", "-U__ARM_NEON")
        other = "before" if arguments.before else "without NEON"
        for work in WORKS:
            (now, answer), (before, other_answer) = (
                instructions(arguments.root, plugin, folder / side, work) for side in ("now", "other")
            )
            if answer != other_answer:
                raise SystemExit(f"{work}: the answers differ")
            print(f"{work:10} {now:14,} instructions, {other} {before:14,}: {before / now:.3f} times as many")


def build(repository: Path, folder: Path, *flags: str) -> None:
    """Compile the kernels, and copy what they import."""
    package = repository / "src" / "unidoku"
    for file in (*package.glob("*.py"), *package.glob("native/**/*.py")):
        target = folder / "unidoku" / file.relative_to(package)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    includes = (f"-I{sysconfig.get_path('include')}", f"-I{package}/native")
    for module, level in MODULES.items():
        path = Path("native", *module.split("."))
        source, target = package / path.with_suffix(".c"), folder / "unidoku" / path.with_suffix(".so")
        subprocess.run([COMPILER, *FLAGS, *level, *flags, *includes, source, "-o", target], check=True)


def instructions(root: Path, plugin: Path, folder: Path, work: str) -> tuple[int, str]:
    """Return the instructions of a work, and a hash of its answer."""
    [python] = (root / "usr" / "bin").glob("python3.?*[0-9]")
    command = ["qemu-aarch64", "-L", root, "-plugin", plugin, "-d", "plugin", python, __file__]
    numbers = []
    for times in (1, 1 + WORKS[work]):
        done = subprocess.run(
            [*command, folder, work, str(times)],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        counted = re.search(r"^instructions (\d+)$", done.stderr, re.MULTILINE)
        if counted is None:
            raise SystemExit(f"the plugin does not count: {done.stderr}")
        numbers.append(int(counted[1]))
    return (numbers[1] - numbers[0]) // WORKS[work], done.stdout


def run(folder: str, work: str, times: int) -> None:
    """Do the work, in the process that is emulated; print a hash of the answer."""
    sys.path.insert(0, folder)
    answer = bytearray()
    text = (REPOSITORY / "src/unidoku/data/sample.txt").read_text(encoding="ascii")
    lines = [line[:81] for line in text.splitlines()[2 : 2 + PUZZLES.get(work, 0)]]
    cells, starts = "".join(lines).encode(), array("q", range(0, 81 * len(lines), 81))
    if work == "count":
        native = import_module("unidoku.native.count.base")
        clues = bytes(int(cell) if cell != "." else 0 for cell in SPARSE)
        for _ in range(times):
            native.Sum(clues).work()
    elif work == "canonical":
        native = import_module("unidoku.native.symmetry.base")
        answer = bytearray(81 * len(lines))
        for _ in range(times):
            native.least_images(cells, starts, answer)
    else:
        native = import_module("unidoku.native.lanes.base")
        counts, solutions = bytearray(8 * len(lines)), bytearray(81 * len(lines))
        rounds = (
            bytearray(8 * len(lines)) if work == "one" else None
        )  # only the kernel for one puzzle has them
        for _ in range(times):
            native.solve_cells(cells, starts, counts=counts, solutions=solutions, rounds=rounds)
        answer = counts + solutions
    print(hashlib.sha256(answer).hexdigest())


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[2] in WORKS:
        run(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    else:
        main()
