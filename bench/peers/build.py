"""Build the compiled solvers of docs/benchmarks.md from checkouts that you name; nothing is fetched.

    eval "$(python bench/peers/build.py -o FOLDER --tdoku CHECKOUT --schoku CHECKOUT …)"

It prints the variables of the environment by which bench/ finds the libraries.  A checkout is not changed.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PEERS = Path(__file__).resolve().parent
COMMITS = {"tdoku": "af426180", "schoku": "89b3104b", "qqwing": "6048c90d", "rust": "b3f8f469"}
"""The commit of each checkout that we measured."""
SHARED = ["-O3", "-shared", "-fPIC"]
TDOKU = ["-fno-exceptions", "-fno-rtti", str(PEERS / "tdoku.cc")]
SOURCES = {
    "UNIDOKU_TDOKU": (
        "tdoku",
        "clang++",
        ["-march=native", *TDOKU, "-Iinclude", "-Isrc", "src/solver_dpll_triad_simd.cc", "src/util.cc"],
    ),
    "UNIDOKU_TDOKU_AVX2": (
        "tdoku",
        "clang++",
        ["-march=haswell", *TDOKU, "-Iinclude", "-Isrc", "src/solver_dpll_triad_simd.cc", "src/util.cc"],
    ),
    "UNIDOKU_SCHOKU": (
        "schoku",
        "g++",
        [
            *["-std=gnu++17", "-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-DNDEBUG", "-DOPT_NEWSETS"],
            *["-fopenmp", "-Isrc", str(PEERS / "schoku.cc")],
        ],
    ),
    "UNIDOKU_QQWING": (
        "qqwing",
        "g++",
        ["-march=native", "-Isrc/cpp", str(PEERS / "qqwing.cc"), "src/cpp/qqwing.cpp"],
    ),
}
"""The libraries of C++: the variable -> the checkout, the compiler and its arguments."""
HEADERS = {
    "build_info.h": "",
    "intrin.h": "",  # of Windows
    "config.h": '#define PACKAGE_STRING "qqwing"\n#define VERSION "1.3.4"\n',
}
"""The headers that a build of the solver itself makes."""


def run(command: list[str], folder: Path, **variables: str) -> None:
    """Run a compiler; its output is for standard error, as standard output has the variables."""
    if shutil.which(command[0]) is None:
        sys.exit(f"{command[0]} is not installed, which builds the solver of {folder}")
    subprocess.run(command, cwd=folder, env=os.environ | variables, check=True, stdout=sys.stderr)


def build_crate(checkout: Path, work: Path) -> Path:
    """Build the crate with our functions in a copy, and return the library."""
    copy = work / "crate"
    shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns("target", ".git"))
    own = (PEERS / "rust_sudoku.rs").read_text(encoding="utf-8")
    (copy / "src" / "peer.rs").write_text(own.replace("use sudoku::", "use crate::"), encoding="utf-8")
    with (copy / "src" / "lib.rs").open("a", encoding="utf-8") as file:
        file.write("mod peer;\n")
    command = ["cargo", "rustc", "--release", "--lib", "--crate-type", "cdylib"]
    run(command, copy, RUSTFLAGS="-C target-cpu=native")
    return copy / "target" / "release" / "libsudoku.so"


def main() -> None:
    """Build what is named, and print the variables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder of the libraries")
    for name, commit in COMMITS.items():
        parser.add_argument(f"--{name}", type=Path, metavar="CHECKOUT", help=f"measured: commit {commit}")
    arguments = vars(parser.parse_args())
    output = arguments.pop("output").resolve()
    output.mkdir(parents=True, exist_ok=True)
    checkouts = {name: path.resolve() for name, path in arguments.items() if path is not None}
    for name, path in checkouts.items():
        head = ["git", "-C", str(path), "rev-parse", "HEAD"]
        found = subprocess.run(head, capture_output=True, text=True, check=False).stdout
        if not found.startswith(COMMITS[name]):
            parser.error(f"{path}: git checkout {COMMITS[name]} is the commit of docs/benchmarks.md")
    built = {}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for header, text in HEADERS.items():
            (work / header).write_text(text, encoding="utf-8")
        for variable, (name, compiler, options) in SOURCES.items():
            if name in checkouts:
                built[variable] = output / f"{variable.lower()}.so"
                command = [compiler, *SHARED, f"-I{work}", *options, "-o", str(built[variable])]
                run(command, checkouts[name])
        if "rust" in checkouts:
            built["UNIDOKU_RUST_SUDOKU"] = output / "unidoku_rust_sudoku.so"
            shutil.copy(build_crate(checkouts["rust"], work), built["UNIDOKU_RUST_SUDOKU"])
    for variable, path in built.items():
        print(f"export {variable}={shlex.quote(str(path))}")


if __name__ == "__main__":
    main()
