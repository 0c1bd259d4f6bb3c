"""The extension modules: one table, and a build_ext that knows the compilers."""

from __future__ import annotations

import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

# Ice Lake's set: what the AVX-512 form of the kernel needs.
AVX512 = (
    "-mavx512f -mavx512cd -mavx512bw -mavx512vl -mavx512dq -mavx512vbmi -mavx512vbmi2 -mavx512bitalg "
    "-mavx512vpopcntdq -mavx512vnni -mgfni -mbmi -mbmi2 -mlzcnt -mpopcnt -mprefer-vector-width=512"
).split()
AVX2 = "-mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt".split()
# The vectors of these modules are explicit; what the compiler vectorizes on its own costs 5 to 20 %.  The
# default limits leave some arrays of vectors in memory on AVX-512, with Clang on AVX2 too; elsewhere a higher
# limit only adds code.
PLAIN = ("-fno-tree-vectorize",)
UNROLL_MORE = ("--param=max-completely-peeled-insns=400",)
CLANG_UNROLL_MORE = ("-mllvm", "-unroll-threshold=500")
# Modules that are faster with -O3, text and steps by 15 to 30 %; others are not, and compile sooner with -O2.
FASTER = ("lanes.", "count.", "symmetry.", "text.", "steps", "rating.")


@dataclass(frozen=True)
class Module:
    """One row of the table: a module of ``unidoku.native``.

    ``also`` is a pattern of further files that it depends on, beside those of DEPENDS.
    """

    name: str
    flags: tuple[str, ...] = ()
    x86_only: bool = False
    also: str = ""


# Patterns of the files that a module depends on, seen from its own folder.
DEPENDS = ("*.pxi", "*.pxd", "*.h", "arch/*.h", "../*.pxd", "../*.h")
_CELLS, _LANES, _BYTES = "../text/cells.pxi", "../lanes/**/*.h", "../symmetry/bytes.h"

TABLE = [
    Module("cpu"),
    Module("lanes.avx512", (*AVX512, *PLAIN), x86_only=True),
    Module("lanes.avx2", (*AVX2, *PLAIN), x86_only=True),
    Module("lanes.base", PLAIN),
    Module("count.avx512", (*AVX512, *PLAIN), x86_only=True),
    Module("count.avx2", (*AVX2, *PLAIN), x86_only=True),
    Module("count.base", PLAIN),
    Module("steps"),
    Module("method"),
    Module("clues.additions", also=_BYTES),
    Module("clues.prediction"),
    Module("clues.reduction", PLAIN, also=_BYTES),
    Module("symmetry.avx512", AVX512, x86_only=True, also=_CELLS),
    Module("symmetry.avx2", AVX2, x86_only=True, also=_CELLS),
    Module("symmetry.base", also=_CELLS),
    Module("rating.codes"),
    Module("rating.avx512", (*AVX512, *PLAIN), x86_only=True, also=_LANES),
    Module("rating.avx2", (*AVX2, *PLAIN), x86_only=True, also=_LANES),
    Module("rating.base", PLAIN, also=_LANES),
    Module("text.render"),
    Module("text.scan"),
    Module("text.columns"),
    Module("text.fields"),
    Module("text.objects"),
    Module("text.seen"),
]

NATIVE, FOLDER = "unidoku.native.", "src/unidoku/native"
# Cython's code for memoryviews, which would else be in every module and take two seconds of each.
SHARED = NATIVE + "_shared"
# With GCC these are compiled in half to four fifths of the time of -O3.  Most are as fast; rating.base,
# count.avx512, symmetry.avx2 and symmetry.base are 3 to 8 % slower.
PEEL_ONLY = ("-O1", "-fpeel-loops")
# Python's own flags have -fwrapv, with which the kernels of AVX-512 and AVX2 are 2 and 4 % slower.  The tests
# run with sanitizers too (.ci/sanitize), which find a signed number that overflows.
NO_OVERFLOW = ("-fno-wrapv",)
GCC_FLAGS = {
    "_shared": ("-O1",),
    "cpu": ("-O1",),
    "rating.codes": ("-O1",),
    "lanes.avx512": (*UNROLL_MORE, *NO_OVERFLOW),
    "lanes.avx2": NO_OVERFLOW,
    "lanes.base": PEEL_ONLY,
    "count.avx512": PEEL_ONLY,
    "count.avx2": PEEL_ONLY,
    "count.base": PEEL_ONLY,
    "symmetry.avx2": ("-O2",),
    "symmetry.base": ("-O2",),
    "rating.avx2": (*PEEL_ONLY, *NO_OVERFLOW),
    "rating.base": (*PEEL_ONLY, *NO_OVERFLOW),
    "text.seen": ("-O2",),
}
CLANG_FLAGS = {
    "lanes.avx512": CLANG_UNROLL_MORE,
    "lanes.avx2": CLANG_UNROLL_MORE,
    # Clang does not inline the forms of a value as GCC does: convert from CSV to CSV took 10 % longer.
    "text.render": ("-mllvm", "-inline-threshold=5000"),
}

DIRECTIVES = {
    "language_level": "3",
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "autotestdict": False,
    "auto_pickle": False,
    "freethreading_compatible": True,
}


WORD_SIZE = """\
unidoku needs a 64-bit target: its kernels use 128-bit integers (__int128), which C compilers offer
only there. This Python is for {bits} bits; install one for 64 bits."""


def refuse_other_word_sizes() -> None:
    """End with a sentence where pointers have less than 64 bits; the compiler's errors would not say why."""
    bits = 8 * (sysconfig.get_config_var("SIZEOF_VOID_P") or struct.calcsize("P"))
    if bits < 64:
        raise SystemExit(WORD_SIZE.format(bits=bits))


def target_is_x86() -> bool:
    """Whether the processor built for is an x86-64, also where it is not this one (cross builds)."""
    flags = os.environ.get("ARCHFLAGS", "")
    if sys.platform == "darwin":
        return "x86_64" in (flags or platform.machine())
    # A cross build sets _PYTHON_HOST_PLATFORM, such as linux-aarch64.
    return sysconfig.get_platform().endswith(("x86_64", "amd64"))


COMPILER = """\
unidoku needs a C compiler (GCC or Clang) and the headers of Python, for example by
apt install gcc python3-dev, dnf install gcc python3-devel, or on macOS xcode-select --install"""


CLANG_LEAST = 18  # the first one whose kernels are faster than those of GCC


def newest_clang(flags: list[str]) -> str | None:
    """Return the newest Clang of PATH that is new enough and takes these flags of GCC, if there is one."""
    names = {"clang"}
    for folder in os.get_exec_path():
        names |= {file.name for file in Path(folder).glob("clang-[0-9][0-9]")}
    best, least = None, CLANG_LEAST
    for name in sorted(names):
        command = [name, *flags, f"-I{sysconfig.get_path('include')}", "-dM", "-E", "-x", "c", "-"]
        try:
            done = subprocess.run(
                command, input="#include <Python.h>", capture_output=True, text=True, check=False
            )
        except OSError:
            continue
        version = re.search(r"^#define __clang_major__ (\d+)", done.stdout, re.MULTILINE)
        if done.returncode == 0 and version and int(version[1]) >= least:
            best, least = name, int(version[1]) + 1
    return best


class BuildExt(build_ext):
    """Compiles with Clang or GCC; on Windows with clang-cl, for the vector types.

    Where ``CC`` does not name the compiler and Python's is GCC, a Clang that makes faster kernels is used.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        common = ["-g0", "-fno-strict-aliasing"]
        fast, plain = "-O3", "-O2"
        link: list[str] = []
        if self.compiler.compiler_type == "msvc":
            self._use_clang_cl()
            common = ["/clang:-fno-strict-aliasing"]
            fast, plain = "/clang:-O3", "/clang:-O2"
        elif sanitizers := os.environ.get("UNIDOKU_SANITIZE"):  # such as address,undefined or thread
            link = [f"-fsanitize={sanitizers}"]
            fast = plain = "-O1"
            common = ["-g", "-fno-strict-aliasing", "-fno-omit-frame-pointer", *link]
            common += ["-fno-sanitize-recover=undefined", *NO_OVERFLOW]
        elif not os.environ.get("CC") and not os.environ.get("_PYTHON_HOST_PLATFORM") and self._is_gcc():
            self._use_clang()
        if os.environ.get("UNIDOKU_GARBAGE"):  # garbage in every object before it is used again
            common += ["-DUNIDOKU_GARBAGE"]
        if link or os.environ.get("UNIDOKU_GARBAGE"):  # the engines' invariants
            common += ["-DUNIDOKU_CHECKS"]
        special = {} if link else GCC_FLAGS if self._is_gcc() else CLANG_FLAGS
        for extension in self.extensions:
            name = extension.name.removeprefix(NATIVE)
            extension.extra_compile_args += special.get(name, ())
            level = fast if name.startswith(FASTER) else plain
            extension.extra_compile_args = [level, *common, *extension.extra_compile_args]
            extension.extra_link_args = link + extension.extra_link_args
        try:
            super().build_extensions()
        except CompileError as error:
            raise SystemExit(f"{error}\n{COMPILER}") from error

    def _is_gcc(self) -> bool:
        if self.compiler.compiler_type != "unix":
            return False
        command = [*self.compiler.compiler_so, "--version"]
        try:
            version = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise SystemExit(f"{error}\n{COMPILER}") from error
        return "Free Software Foundation" in version.stdout

    def _use_clang(self) -> None:
        """Compile with Clang in place of GCC, if there is one; GCC still links."""
        _, *flags = self.compiler.compiler_so
        if not all(flag.startswith("-") and not flag.startswith("-flto") for flag in flags):
            return  # such as ccache gcc; or GCC could not link the objects
        if clang := newest_clang(flags):
            print(f"unidoku is compiled with {clang}, whose kernels are faster; CC=gcc builds with GCC")
            self.compiler.compiler_so[0] = clang

    def _use_clang_cl(self) -> None:
        clang = shutil.which("clang-cl")
        if clang is None:
            raise SystemExit(
                "unidoku needs clang-cl on Windows (part of LLVM and of Visual Studio's C++ tools)"
            )
        self.compiler.initialize()
        self.compiler.cc = clang


def extension(name: str, source: Path, patterns: tuple[str, ...], flags: tuple[str, ...] = ()) -> Extension:
    """The extension module ``unidoku.native.NAME``."""
    depends = ["setup.py", *(str(file) for pattern in patterns for file in source.parent.glob(pattern))]
    return Extension(
        NATIVE + name, [str(source)], include_dirs=[FOLDER], extra_compile_args=list(flags), depends=depends
    )


def instruction_set(source: Path) -> Path:
    """A C file that compiles the kernel in its folder as the module ``source``.

    So Cython translates a kernel once, not once for each instruction set.  Functions of the module have
    ``unidoku.native.FOLDER.kernel`` for ``__module__``.
    """
    file = source.with_suffix(".c")
    text = f'#define PyInit_kernel PyInit_{file.stem}\n#include "kernel.c"\n'
    if not file.exists() or file.read_text() != text:
        file.write_text(text)
    return file


def extensions() -> list[Extension]:
    """The table's modules that this machine can have, and the one of Cython's shared code."""
    x86 = target_is_x86()
    found = [Extension(SHARED, [f"{FOLDER}/_shared.c"])]  # Cython writes the file
    kernels = {}
    for module in TABLE:
        if module.x86_only and not x86:
            continue
        source = Path(FOLDER, *module.name.split(".")).with_suffix(".pyx")
        depends = (*DEPENDS, module.also) if module.also else DEPENDS
        if not source.exists():  # a kernel for one instruction set
            folder = source.parent.name
            kernels[folder] = extension(f"{folder}.kernel", source.with_name("kernel.pyx"), depends)
            source, depends = instruction_set(source), (*depends, "kernel.c")
        found.append(extension(module.name, source, depends, module.flags))
    translated = cythonize(
        [*kernels.values(), *found],
        compiler_directives=DIRECTIVES,
        nthreads=0,
        shared_utility_qualified_name=SHARED,
    )
    return translated[len(kernels) :]


refuse_other_word_sizes()
setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExt})
