"""The extension modules: one table, and a build_ext that knows the compilers; the catalogs of languages."""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import re
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  # pip looks at requires-python after this file
    sys.exit(f"unidoku needs Python 3.11 or later; this is {platform.python_version()}: {sys.executable}")

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython import __version__ as CYTHON
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import CompileError

# Ice Lake's set: what the AVX-512 form of the kernel needs.
AVX512 = (
    "-mavx512f -mavx512cd -mavx512bw -mavx512vl -mavx512dq -mavx512vbmi -mavx512vbmi2 -mavx512bitalg "
    "-mavx512vpopcntdq -mavx512vnni -mgfni -mbmi -mbmi2 -mlzcnt -mpopcnt -mprefer-vector-width=512"
).split()
AVX2 = "-mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt".split()

# Text and steps are 15 to 30 % faster with -O3; where it gains nothing, -O2 compiles sooner.
FAST, GOOD, SMALL = ("-O3",), ("-O2",), ("-O1",)
# Compiled in half the time, 1.3 to 2.2 times slower; GCC does not see there where each value comes from.
QUICK = ("-Og", "-Wno-maybe-uninitialized")
# With GCC compiled in half to four fifths of the time of -O3.  Most are as fast; rating.base, count.avx512,
# symmetry.avx2 and symmetry.base are 3 to 8 % slower.
PEEL = ("-O1", "-fpeel-loops")
PEEL_MORE = ("-O2", "-fpeel-loops", "-fno-wrapv")  # two thirds of the time of -O3; rating.avx512 is as fast
# What -O3 does with loops, and no more: three are as fast, in three quarters of the time.
VECTORS = ("-O2", "-fpeel-loops", "-fvect-cost-model=dynamic")
# The vectors of these modules are explicit; what GCC vectorizes on its own costs 5 to 20 %.
PLAIN = ("-fno-tree-vectorize",)
# The default limits leave some arrays of vectors in memory on AVX-512, with Clang on AVX2 too; elsewhere a
# higher limit only adds code.
UNROLL_MORE = ("--param=max-completely-peeled-insns=400",)
CLANG_UNROLL_MORE = ("-mllvm", "-unroll-threshold=500")
# Clang does not inline the forms of a value as GCC does: convert from CSV to CSV took 10 % longer.
CLANG_INLINE_MORE = ("-mllvm", "-inline-threshold=5000")
# Python's own flags have -fwrapv, with which the kernels of AVX-512 and AVX2 are 2 and 4 % slower.  The tests
# run with sanitizers too (.ci/sanitize), which find a signed number that overflows.
NO_OVERFLOW = ("-fno-wrapv",)
# With every module.  Sums of doubles choose the role of a count: a product and a sum in one instruction, as
# some instruction sets have it, are rounded otherwise, and another role would be chosen there.
COMMON = ("-fno-strict-aliasing", "-ffp-contract=off")
# With UNIDOKU_WARNINGS=1: a warning ends the build, but for variables of Cython's that nothing reads.
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-but-set-variable")


@dataclass(frozen=True)
class Module:
    """One row of the table: a module of ``unidoku._native``, and the flags of each compiler.

    ``isa`` are those of an instruction set of x86-64.  ``also`` is a pattern of further files that the module
    depends on, beside those of DEPENDS.
    """

    name: str
    gcc: tuple[str, ...] = GOOD
    clang: tuple[str, ...] = GOOD
    isa: tuple[str, ...] = ()
    also: str = ""


# Patterns of the files that a module depends on, seen from its own folder.
DEPENDS = ("*.pxi", "*.pxd", "*.h", "arch/*.h", "../*.pxd", "../*.h", "../arch/*.h")
_CELLS, _FEW, _LANES = "../text/cells.pxi", "../text/few_rows.pxi", "../lanes/**/*.h"

TABLE = [
    Module("cpu", SMALL),
    Module(
        "lanes.avx512",
        (*FAST, *UNROLL_MORE, *NO_OVERFLOW, *PLAIN),
        (*FAST, *CLANG_UNROLL_MORE),
        AVX512,
        also=_FEW,
    ),
    Module("lanes.avx2", (*FAST, *NO_OVERFLOW, *PLAIN), (*FAST, *CLANG_UNROLL_MORE), AVX2, also=_FEW),
    Module("lanes.base", (*PEEL, *PLAIN), FAST, also=_FEW),
    Module("count.avx512", (*PEEL, *PLAIN), FAST, AVX512),
    Module("count.avx2", (*PEEL, *PLAIN), FAST, AVX2),
    Module("count.base", (*PEEL, *PLAIN), FAST),
    Module("steps", FAST, FAST),
    Module("method"),
    Module("clues.additions"),
    Module("clues.prediction"),
    Module("clues.reduction", (*GOOD, *PLAIN)),
    Module("symmetry.avx512", FAST, FAST, AVX512, also=_CELLS),
    Module("symmetry.avx2", GOOD, FAST, AVX2, also=_CELLS),
    Module("symmetry.base", GOOD, FAST, also=_CELLS),
    Module("rating.codes", SMALL),
    Module("rating.avx512", (*PEEL_MORE, *PLAIN), FAST, AVX512, also=_LANES),
    Module("rating.avx2", (*PEEL, *NO_OVERFLOW, *PLAIN), FAST, AVX2, also=_LANES),
    Module("rating.base", (*PEEL, *NO_OVERFLOW, *PLAIN), FAST, also=_LANES),
    Module("effort.avx512", (*FAST, *PLAIN), FAST, AVX512),
    Module("effort.avx2", (*FAST, *PLAIN), FAST, AVX2),
    Module("effort.base", (*FAST, *PLAIN), FAST),
    Module("text.render", VECTORS, (*FAST, *CLANG_INLINE_MORE)),
    Module("text.scan", VECTORS, FAST),
    Module("text.columns", FAST, FAST),
    Module("text.fields", VECTORS, FAST),
    Module("text.objects", FAST, FAST),
    Module("text.keys", GOOD, FAST),
]

NATIVE, FOLDER = "unidoku._native.", "src/unidoku/_native"
# Cython's code for memoryviews, which would else be in every module and take two seconds of each.
SHARED = Module("_shared", SMALL)

TRANSLATED = Path("build", "translated.txt")
"""What was translated last: the version of Cython, the modules, and a hash of the sources."""

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

    def run(self) -> None:
        compile_catalogs()
        super().run()

    def build_extensions(self) -> None:
        common = ["-g0", *COMMON]
        link: list[str] = []
        level: tuple[str, ...] = ()
        if self.compiler.compiler_type == "msvc":
            self._use_clang_cl()
            common = list(COMMON)
        elif sanitizers := os.environ.get("UNIDOKU_SANITIZE"):  # such as address,undefined or thread
            link = [f"-fsanitize={sanitizers}"]
            level = SMALL
            common = ["-g", *COMMON, "-fno-omit-frame-pointer", *link]
            common += ["-fno-sanitize-recover=undefined", *NO_OVERFLOW]
        elif not os.environ.get("CC") and not os.environ.get("_PYTHON_HOST_PLATFORM") and self._is_gcc():
            self._use_clang()
        if os.environ.get("UNIDOKU_GARBAGE"):  # garbage in every object before it is used again
            common += ["-DUNIDOKU_GARBAGE"]
        if link or os.environ.get("UNIDOKU_GARBAGE"):  # the engines' invariants
            common += ["-DUNIDOKU_CHECKS"]
        if os.environ.get("UNIDOKU_WARNINGS"):  # a warning in our code ends the build
            common += WARNINGS
        with_gcc = self._is_gcc()
        modules = {module.name: module for module in [SHARED, *asked_for()]}
        for extension in self.extensions:
            module = modules[extension.name.removeprefix(NATIVE)]
            own = level or (module.gcc if with_gcc else module.clang)
            extension.extra_compile_args = [*own, *common, *module.isa]
            extension.extra_link_args = link + extension.extra_link_args
            if self.compiler.compiler_type == "msvc":
                extension.extra_compile_args = clang_cl_flags(extension.extra_compile_args)
        if self.compiler.compiler_type == "unix":  # Python's own flags have a level too
            flags = self.compiler.compiler_so
            self.compiler.compiler_so = [flag for flag in flags if not re.fullmatch("-O[0-9sg]?", flag)]
        for extension in self.extensions:
            extension.depends.append(self._command_file(extension))
        try:
            super().build_extensions()
        except CompileError as error:
            raise SystemExit(f"{error}\n{COMPILER}") from error

    def _command_file(self, extension: Extension) -> str:
        """Return a file with the command of a module and a hash of its sources, written if one has changed.

        The module depends on this file, not only on the time of its sources, which an archive can set back.
        """
        words = [*extension.extra_compile_args, *extension.extra_link_args]
        if self.compiler.compiler_type == "unix":
            words = [*self.compiler.compiler_so, *words, *self.compiler.linker_so]
        file = Path(self.build_temp, f"{extension.name}.command")
        file.parent.mkdir(parents=True, exist_ok=True)
        sources = contents([*extension.sources, *extension.depends])
        write_changed(file, f"{shlex.join(words)}\n{self._version()}{sources}\n")
        return str(file)

    def _is_gcc(self) -> bool:
        return "Free Software Foundation" in self._version()

    def _version(self) -> str:
        """Return what the compiler prints about itself; nothing on Windows."""
        if self.compiler.compiler_type != "unix":
            return ""
        command = [*self.compiler.compiler_so, "--version"]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=False).stdout
        except OSError as error:
            raise SystemExit(f"{error}\n{COMPILER}") from error

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


def clang_cl_flags(flags: list[str]) -> list[str]:
    """The same flags for clang-cl, which takes most of Clang's only behind a prefix."""
    return [f"/clang:{flag}" if flag.startswith(("-O", "-f", "-W")) else flag for flag in flags]


def extension(name: str, source: Path, patterns: tuple[str, ...]) -> Extension:
    """The extension module ``unidoku._native.NAME``."""
    depends = ["setup.py", *(str(file) for pattern in patterns for file in source.parent.glob(pattern))]
    return Extension(NATIVE + name, [str(source)], include_dirs=[FOLDER], depends=depends)


@cache
def asked_for() -> list[Module]:
    """The modules that UNIDOKU_NATIVE names, or their folders, such as ``lanes,text.scan``; or all, or none.

    Without it those for this processor, and the base set, compiled quickly: the wheel runs everywhere, but is
    fast only here.  Wheels for other people have ``all``.  ``none`` makes an environment without a compiler.
    """
    words = os.environ.get("UNIDOKU_NATIVE", "").replace(",", " ").split()
    if not words and (best := best_set()):
        base = [module for module in TABLE if module.name.endswith(".base")]
        quick = [replace(module, gcc=QUICK, clang=SMALL) for module in base]
        return quick + [module for module in TABLE if module not in base and list(module.isa) in ([], best)]
    names = {name for module in TABLE for name in (module.name, module.name.partition(".")[0])}
    for word in words:
        if word not in names | {"all", "none"}:
            known = ", ".join(sorted(names))
            raise SystemExit(f"UNIDOKU_NATIVE: no module is called {word!r}; choose from: all, none, {known}")
    if not words or "all" in words:
        return TABLE
    return [module for module in TABLE if any(f"{module.name}.".startswith(f"{word}.") for word in words)]


def best_set() -> list[str]:
    """The flags of the best instruction set that the compiler finds in this processor, if it finds one."""
    words = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    words += f" {os.environ.get('ARCHFLAGS', '')} -march=native -dM -E -x c -"
    try:
        done = subprocess.run(shlex.split(words), input="", capture_output=True, text=True, check=False)
    except OSError:  # such as cl of Windows
        return []
    for flags in (AVX512, AVX2):
        names = (flag.removeprefix("-m").upper() for flag in flags if "=" not in flag)
        if all(f"#define __{name}__ 1\n" in done.stdout for name in names):
            return flags
    return []


def instruction_set(source: Path) -> Path:
    """A C file that compiles the kernel in its folder as the module ``source``.

    So Cython translates a kernel once, not once for each instruction set.  Functions of the module have
    ``unidoku._native.FOLDER.kernel`` for ``__module__``.
    """
    file = source.with_suffix(".c")
    write_changed(file, f'#define PyInit_kernel PyInit_{file.stem}\n#include "kernel.c"\n')
    return file


def has_text(file: Path, text: str) -> bool:
    """Return whether a file has this text."""
    return file.exists() and file.read_text() == text


def write_changed(file: Path, text: str) -> None:
    """Write a file unless it has this text: what depends on it is made again if it is newer."""
    if not has_text(file, text):
        file.write_text(text)


def contents(files: Iterable[str | Path]) -> str:
    """Return a hash of the names and contents of files."""
    found = hashlib.sha256()
    for file in sorted({*map(os.path.normpath, files)}):
        text = Path(file).read_bytes()
        found.update(f"{file} {len(text)}\n".encode() + text)
    return found.hexdigest()


def translate(kernels: list[Extension], modules: list[Extension]) -> list[Extension]:
    """Translate modules to C, unless nothing has changed since then; return them with C files.

    Cython looks whether C files are newer than its own files, and these are new in each environment of pip.
    """
    texts = [file for kind in ("pyx", "pxi", "pxd") for file in Path(FOLDER).rglob(f"*.{kind}")]
    sources = [module.sources[0] for module in [*kernels, *modules]]
    names = " ".join(source for source in sources if source.endswith(".pyx"))
    state = f"Cython {CYTHON}\n{names}\n{contents(['setup.py', *texts])}\n"
    c_files = [Path(source).with_suffix(".c") for source in sources]
    if has_text(TRANSLATED, state) and all(file.exists() for file in c_files):
        for module, file in zip(modules, c_files[len(kernels) :], strict=True):
            module.sources = [str(file)]
        return modules
    translated = cythonize(
        [*kernels, *modules],
        compiler_directives=DIRECTIVES,
        nthreads=0,
        shared_utility_qualified_name=NATIVE + SHARED.name,
    )
    TRANSLATED.parent.mkdir(exist_ok=True)
    TRANSLATED.write_text(state)
    return translated[len(kernels) :]


def refuse_without_compiler() -> None:
    """End at once where no compiler is found: Cython works for 20 seconds before one is needed."""
    words = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    compiler = "clang-cl" if os.name == "nt" and "GCC" not in sys.version else words[0]
    if shutil.which(compiler) is None:
        raise SystemExit(f"there is no {compiler}\n{COMPILER}")


def extensions() -> list[Extension]:
    """The table's modules that this machine can have, and the one of Cython's shared code.

    pip asks for the metadata first, which need none.
    """
    if {*sys.argv[1:]} & {"egg_info", "dist_info"} and not {*sys.argv[1:]} & {"sdist", "bdist_wheel"}:
        return []
    x86 = target_is_x86()
    modules = [module for module in asked_for() if x86 or not module.isa]
    if not modules:
        return []
    if {*sys.argv[1:]} & {"bdist_wheel", "build_ext", "build", "editable_wheel", "install", "develop"}:
        refuse_without_compiler()
    found = [Extension(NATIVE + SHARED.name, [f"{FOLDER}/_shared.c"])]  # Cython writes the file
    kernels = {}
    gc.disable()  # Cython's trees live to the end: a third of its time, for 160 MB more
    for module in modules:
        source = Path(FOLDER, *module.name.split(".")).with_suffix(".pyx")
        depends = (*DEPENDS, module.also) if module.also else DEPENDS
        of_kernel = list[str]()
        if not source.exists():  # a kernel for one instruction set
            folder = source.parent.name
            kernels[folder] = extension(f"{folder}.kernel", source.with_name("kernel.pyx"), depends)
            source, of_kernel = instruction_set(source), [str(source.with_name("kernel.c"))]
        found.append(extension(module.name, source, depends))
        found[-1].depends += of_kernel
    return translate([*kernels.values()], found)


refuse_other_word_sizes()


def commit_file(package: Path) -> None:
    """Write the commit of a checkout into a package; a tree from an sdist has no Git, but the file."""
    git = shutil.which("git") if Path(".git").exists() else None
    if git:
        commit = subprocess.check_output([git, "rev-parse", "--short=12", "HEAD"], text=True)
        (package / "commit.txt").write_text(commit.strip(), encoding="ascii")


class Sdist(sdist):
    """Adds the commit, for the wheels that are built from the archive."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        commit_file(Path(base_dir, "src", "unidoku"))


class BuildPy(build_py):
    """Compiles the catalogs of languages first, which are copied with the modules; adds the commit."""

    def run(self) -> None:
        compile_catalogs()
        super().run()
        if not self.editable_mode:
            commit_file(Path(self.build_lib, "unidoku"))


def compile_catalogs() -> None:
    """Write a .mo file beside the .po file of each language, if it passes the checks of `pybabel compile`."""
    for path in Path("src/unidoku/locale").glob("*/LC_MESSAGES/*.po"):
        with path.open("rb") as texts:
            catalog = read_po(texts)
        for message, errors in catalog.check():
            raise SystemExit(f"{path}:{message.lineno}: {errors[0]}")
        with path.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, catalog)


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExt, "build_py": BuildPy, "sdist": Sdist})
