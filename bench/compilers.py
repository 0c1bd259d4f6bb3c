"""The same sources built by several compilers: processor time of compiling, of checking and of rating.

    python bench/compilers.py [COMPILER …] [--isa avx2] [--before SOURCE]

The compilers are values of CC, by default gcc and clang.  The builds run in turn, each in its own processes.
Figures are seconds of processor time, the best of several processes, and the ratio to the first build.
SOURCE is another version of the repository, which is built by the first compiler too.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

sys.path.insert(1, str(Path(__file__).parent))

REPOSITORY = Path(__file__).parent.parent
WORKS = {"check": ("17clue", "top1465", "hard", "several"), "rate": ("generated", "top1465", "hardest")}
PUZZLES = {"generated": 1000, "top1465": 200, "hardest": 12}  # rated
TURNS = 3
REPEATS = 3  # in a process


def main() -> None:
    """Print a row for each work and build."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("compilers", nargs="*", default=["gcc", "clang"])
    parser.add_argument("--isa", default="avx2")
    parser.add_argument("--before", type=Path, help="another version of the repository")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        builds: dict[str, Path] = {}
        for compiler in arguments.compilers:
            builds[compiler] = Path(name, str(len(builds)))
            build(REPOSITORY, compiler, builds[compiler])
        if arguments.before:
            builds["before"] = Path(name, "before")
            build(arguments.before, arguments.compilers[0], builds["before"])
        for work, sets in WORKS.items():
            for puzzles in sets:
                measure(builds, arguments.isa, work, puzzles)


def build(source: Path, compiler: str, folder: Path) -> None:
    """Build a version into a folder; print the processor time."""
    temporary = folder.with_suffix(".tmp")
    shutil.copytree(source / "src", folder, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(source / name, folder)
    shutil.copytree(folder / "unidoku", folder / "src" / "unidoku")
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", folder, "--build-temp", temporary],
        cwd=folder,
        env={**os.environ, "CC": compiler},
        check=True,
        capture_output=True,
    )
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    print(f"{'compiling':20} {compiler:12} {seconds:8.1f} s with Cython, {source}", flush=True)


def measure(builds: dict[str, Path], isa: str, work: str, puzzles: str) -> None:
    """Print the least times of a work; refuse different answers."""
    lines = lines_of(work, puzzles)
    if lines is None:
        print(f"{work} {puzzles}: not there (../shared/data)", flush=True)
        return
    best, answers = dict.fromkeys(builds, float("inf")), set()
    for _ in range(TURNS):
        for name, folder in builds.items():
            done = subprocess.run(
                [sys.executable, __file__, "--run", work],
                input="\n".join(lines),
                env={**os.environ, "PYTHONPATH": str(folder), "UNIDOKU_ISA": isa},
                check=True,
                capture_output=True,
                text=True,
            )
            seconds, answer = done.stdout.split()
            best[name] = min(best[name], float(seconds))
            answers.add(answer)
    if len(answers) > 1:
        raise SystemExit(f"{work} {puzzles}: the answers differ")
    first = next(iter(best.values()))
    for name, seconds in best.items():
        print(
            f"{work + ' ' + puzzles:20} {name:12} {seconds:8.4f} s, {first / seconds:.3f} times as fast",
            flush=True,
        )


def lines_of(work: str, name: str) -> list[str] | None:
    """Return the puzzles of a work, or None if their list is absent."""
    from puzzle_sets import named_set
    from rating import puzzles_named

    try:
        return puzzles_named(name, PUZZLES[name]) if work == "rate" else named_set(name, 20_000)
    except StopIteration:
        return None


def run(work: str) -> None:
    """Do a work on the puzzles of standard input; print its processor time, and a hash of the answers."""
    from unidoku import check_many, rate_many

    lines = sys.stdin.read().split()
    best, answer = float("inf"), b""
    for _ in range(REPEATS):
        begin = process_time()
        if work == "rate":
            found = rate_many(lines, threads=1)
            columns = (found.er, found.ep, found.ed)
        else:
            result = check_many(lines, threads=1)
            columns = (result.count,)
        best = min(best, process_time() - begin)
        answer = b"".join(column.tobytes() for column in columns)
    print(best, hashlib.sha256(answer).hexdigest())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(*sys.argv[2:])
    else:
        main()
