"""The package: public names, version, imports, errors."""

import ast
import builtins
import copy
import inspect
import os
import pickle
import re
import shutil
import subprocess
import sys
import warnings
from http import HTTPStatus
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules

import pytest
from cases import in_turn

import unidoku
from unidoku._cli import command_names, commands
from unidoku._lazy import deprecated
from unidoku._task import Task

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_version_is_the_distribution_s():
    assert unidoku.__version__ == version("unidoku")


def test_other_files_name_the_last_release():
    """Between releases, the changelog begins with what is not released."""
    root = Path(__file__).resolve().parents[1]
    texts = [(root / name).read_text(encoding="utf-8") for name in ("CITATION.cff", "CHANGELOG.md")]
    [cited], [released, *_] = (re.findall(r"(?m)^(?:version:|##) (\d\S*)", text) for text in texts)
    assert cited == released
    is_development = ".dev" in unidoku.__version__
    assert (unidoku.__version__ == released) != is_development
    assert ("## Not released" in texts[1]) == is_development


def test_a_deprecated_name_says_what_to_use():
    """The warning is about the line that uses the name."""

    def old():
        deprecated("old", "new")

    with pytest.warns(DeprecationWarning, match=r"old goes away in version 3; use new$") as caught:
        old()
    assert caught[0].filename == __file__


def test_every_public_name_exists():
    for home in (unidoku, unidoku.tasks):
        for name in home.__all__:
            assert getattr(home, name) is not None


LAZY = ["unidoku", *(f"unidoku.{name}" for name in "craft files learning rating runner tasks view".split())]


@in_turn
@pytest.mark.parametrize("package", LAZY)
def test_the_table_of_a_package_is_what_type_checkers_see(package):
    module = import_module(package)
    stub = Path(module.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    names = {alias.name: line.module for line in imports for alias in line.names}
    assert all(alias.name == alias.asname for line in imports for alias in line.names)
    moved, modules = vars(module).get("_MOVED", {}), {*vars(module).get("_MODULES", ())}
    assert {*module.__all__} - {"__version__"} == names.keys() - moved.keys() - modules
    assert moved.keys() | modules <= names.keys()
    assert {*dir(module)} == {*module.__all__, *vars(module).get("_MODULES", ())}
    for name in names.keys() - moved.keys():
        home = f"{package}.{name}"
        if name not in modules:
            home = names[name]
        right = import_module(home) if name in modules else getattr(import_module(home), name)
        assert inspect.unwrap(getattr(module, name)) is inspect.unwrap(right)
        assert home == vars(module)["_HOMES"].get(name, home)


def test_a_name_that_has_moved_works_and_says_where_it_is():
    for name, home in unidoku._MOVED.items():
        warning = rf"unidoku.{name} goes away .* use {home}.{name}$"
        with pytest.warns(DeprecationWarning, match=warning) as caught:
            value = getattr(unidoku, name)
        assert value is getattr(import_module(home), name)
        assert caught[0].filename == __file__
        assert name not in {*dir(unidoku), *unidoku.__all__}
        with pytest.warns(DeprecationWarning, match="goes away"):
            exec(f"from unidoku import {name}")


OLD_MODULES = [
    *(("unidoku.craft", "generate", "AttemptsError"), ("unidoku.view", "trace", "play_trace")),
    *(("unidoku.view", "sheets", "Sheets"), ("unidoku", "verdict", "Verdict")),
    *(("unidoku", "table", "json_values"), ("unidoku.stepper", "controller", "Session")),
]


@in_turn
@pytest.mark.parametrize(("package", "word", "name"), OLD_MODULES)
def test_a_module_that_has_got_an_underscore_works_and_says_so(package, word, name):
    old, parent = f"{package}.{word}", import_module(package)
    for code in (f"from {old} import {name}", f"import {old}"):
        with pytest.warns(DeprecationWarning, match=f"{old} goes away .* the names of {package}$") as caught:
            exec(code)
        assert caught[0].filename == "<string>"
        found = sys.modules.pop(old)
        assert found is vars(parent).pop(word)
        assert getattr(found, name) is getattr(import_module(f"{package}._{word}"), name)
    with pytest.raises(AttributeError):  # without an import, as before
        getattr(parent, word)


def test_what_was_pickled_by_an_old_name_is_read():
    results = unidoku.Result, unidoku.files.Column, unidoku.Rating, unidoku.stepper.Session
    homes = "table.puzzles", "table.column", "rating.scale", "stepper.controller"
    loaded = {*sys.modules}
    for kind, home in zip(results, homes, strict=True):
        old = f"unidoku.{home}"
        with pytest.warns(DeprecationWarning, match="goes away"):
            assert pickle.loads(f"c{old}\n{kind.__name__}\n.".encode()) is kind
    for name in {*sys.modules} - loaded:  # a module that other tests use stays the same one
        del sys.modules[name]


def test_a_function_with_the_name_of_its_module_stays_a_function():
    for name in ("unidoku.view.svg", "unidoku.check"):
        with pytest.raises(ImportError, match=f"{name} is not a module; use from unidoku[.a-z]* import"):
            import_module(name)
    assert inspect.isfunction(unidoku.view.svg)


def test_every_name_that_was_public_is_there():
    before = """
        AttemptsError Audit Clash Column Finding IsaError Progress PuzzleBatch Session Writer audit_files
        canonical_many link minimal_puzzles minimize_many split_file trace transform_many aio cell
        counting craft errors files grid kernel learning method naive rating runner stepper tasks view
    """.split()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert all(hasattr(unidoku, name) for name in [*before, *unidoku.__all__])
    assert len(unidoku.__all__) < 55


def test_public_functions_are_pickled_and_described_as_they_are():
    for home in (unidoku, unidoku.craft, unidoku.learning):
        for name in set(home.__all__) - {"SudokuEnv", "SudokuVectorEnv"}:
            value = getattr(home, name)
            assert pickle.loads(pickle.dumps(value)) == value
            if inspect.isfunction(value):
                assert inspect.signature(value) == inspect.signature(inspect.unwrap(value))
                assert (value.__name__, value.__doc__) == (name, inspect.unwrap(value).__doc__)


@pytest.mark.slow
@pytest.mark.weekly
def test_a_frozen_program_has_the_kernels_the_names_and_the_languages(tmp_path):
    pytest.importorskip("PyInstaller")
    program = tmp_path / "program.py"
    program.write_text(
        "import unidoku\nfor name in unidoku.__all__:\n    getattr(unidoku, name)\n"
        "from unidoku.__main__ import main\nmain()\n"
    )
    without = ["pyarrow", "pandas", "polars", "distributed", "dask", "typst", "pydantic", "PIL", "aiohttp"]
    without += ["fsspec", "gymnasium", "psutil", "pytest", "setuptools", "yaml", "isal", "numpy.testing"]
    options = [f"--exclude-module={name}" for name in without]
    command = [sys.executable, "-m", "PyInstaller", "--log-level=ERROR", *options, str(program)]
    subprocess.run(command, check=True, cwd=tmp_path)
    frozen = str(tmp_path / "dist" / "program" / "program")
    page = f"explain {PUZZLE} --to html"
    for arguments in ("info", "generate --seed 1 -n 9 --to csv", page):
        texts = [
            subprocess.run([*begin, *arguments.split(), "--lang=zh"], capture_output=True, check=True).stdout
            for begin in ([frozen], [sys.executable, "-m", "unidoku"])
        ]
        assert texts[0] == texts[1] != b""


def test_the_list_of_commands_has_their_first_sentences():
    for group in commands().values():
        for name, sentence in group.items():
            command = import_module(f"unidoku.tasks._{name}").COMMAND
            assert command.get_short_help_str(80) == sentence


def test_every_task_and_command_is_public():
    modules = [
        import_module(f"unidoku.tasks.{module.name}") for module in iter_modules(unidoku.tasks.__path__)
    ]
    tasks = {
        name
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Task) and value.__module__ == module.__name__
    }
    # of functions that run several or few
    inner = {"AuditTask", "CheckSample", "Search", "Split"}
    assert tasks - inner == set(unidoku.tasks.__all__)
    found = {module.__name__.rpartition("._")[2] for module in modules if hasattr(module, "COMMAND")}
    assert found == set(command_names())
    for module in modules:  # the name of a task is in errors and outputs
        about = getattr(getattr(module, "COMMAND", None), "about", None)
        if isinstance(about, type) and issubclass(about, Task):
            assert module.__name__ == f"unidoku.tasks._{object.__new__(about).name}"


def test_the_list_of_helpers_has_each_module():
    helpers = Path(__file__).parent / "helpers"
    table = (helpers / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` ", table, re.MULTILINE) == sorted(
        file.stem for file in helpers.glob("*.py")
    )


@pytest.mark.slow
@pytest.mark.weekly
def test_type_checkers_know_every_public_name_and_no_other(tmp_path):
    api = pytest.importorskip("mypy.api")
    modules = [
        f"unidoku.{name}"
        for name in "counting craft errors kernel method naive rating stepper tasks view".split()
    ]
    right = [f"unidoku.{name}" for name in unidoku.__all__] + [f"{name}.__doc__" for name in modules]
    right += [f"unidoku.tasks.{name}" for name in unidoku.tasks.__all__]
    right += ['unidoku.run(unidoku.tasks.Rate(below=9), "in.csv", "out.parquet", columns=["er"])']
    wrong = [f"{name}.chek" for name in ("unidoku", *modules)]
    path = tmp_path / "use.py"
    path.write_text("\n".join(["import unidoku", *right, *wrong]))
    messages, _, _ = api.run(
        ["--strict", "--cache-dir", str(tmp_path), "--python-executable", sys.executable, str(path)]
    )
    errors = [line for line in messages.splitlines() if "chek" in line and "attr-defined" in line]
    assert len(errors) == len(wrong), messages
    assert f"Found {len(wrong)} errors in 1 file" in messages


def test_errors_of_files_are_errors_of_the_system_too(tmp_path):
    with pytest.raises(OSError, match=r"none\.txt"):
        unidoku.check_file(tmp_path / "none.txt")
    error = unidoku.OutputError("cannot write", file="a.txt")
    assert isinstance(error, OSError)
    assert not isinstance(error, ValueError)
    assert (str(error), error.file, error.message) == ("a.txt: cannot write", "a.txt", "cannot write")
    assert str(pickle.loads(pickle.dumps(error))) == str(copy.copy(error)) == str(error)
    assert isinstance(unidoku.InputError.__new__(unidoku.InputError), OSError)


@in_turn
@pytest.mark.parametrize("function", [unidoku.hint, unidoku.minimize, unidoku.rate, unidoku.steps])
def test_an_improper_puzzle_and_an_invalid_one_have_different_errors(function):
    with pytest.raises(unidoku.InvalidPuzzleError) as no_puzzle:
        function("?")
    assert not isinstance(no_puzzle.value, unidoku.ImproperPuzzleError)
    for puzzle, verdict in (("." * 81, unidoku.Verdict.MULTIPLE), ("11" + "." * 79, unidoku.Verdict.NONE)):
        with pytest.raises(unidoku.ImproperPuzzleError) as improper:
            function(puzzle)
        assert pickle.loads(pickle.dumps(improper.value)).verdict is verdict


def test_setup_refuses_targets_of_32_bits_in_words():
    setup = Path(__file__).resolve().parents[1] / "setup.py"
    code = (
        "import runpy, sys, sysconfig; of = sysconfig.get_config_var; "
        "sysconfig.get_config_var = lambda name: 4 if name == 'SIZEOF_VOID_P' else of(name); "
        f"sys.argv = ['setup.py', '--version']; runpy.run_path({str(setup)!r})"
    )
    pytest.importorskip("Cython")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=setup.parent
    )
    assert done.returncode == 1
    assert done.stderr.startswith("unidoku needs a 64-bit target")
    assert "__int128" in done.stderr
    assert "This Python is for 32 bits" in done.stderr


@pytest.mark.parametrize(
    ("before", "arguments", "words"),
    [
        ("sys.version_info = (3, 10, 9)", ["--version"], "unidoku needs Python 3.11 or later"),
        ("os.environ['CC'] = 'no-such-compiler'", ["build_ext"], "there is no no-such-compiler"),
    ],
)
def test_setup_looks_for_python_and_a_compiler_before_it_works(before, arguments, words):
    setup = Path(__file__).resolve().parents[1] / "setup.py"
    code = (
        f"import os, runpy, sys; import Cython.Build; {before}; "
        "Cython.Build.cythonize = lambda *_, **__: sys.exit('Cython works first'); "
        f"sys.argv = ['setup.py', *{arguments!r}]; runpy.run_path({str(setup)!r})"
    )
    pytest.importorskip("Cython")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=setup.parent
    )
    assert done.returncode == 1
    assert words in done.stderr


COMPILER = """\
#!{python} -S
import sys
if "--version" in sys.argv:
    sys.exit(print("Free Software Foundation"))
open(sys.argv[sys.argv.index("-o") + 1], "w").close()
if "-c" in sys.argv:
    print("compiled", sys.argv[sys.argv.index("-c") + 1], file=open("log", "a"))
"""
"""A compiler that makes empty files, and a log of those that it has compiled."""


AVX2 = "AVX2 BMI BMI2 LZCNT POPCNT "
AVX512 = (
    "AVX512F AVX512CD AVX512BW AVX512VL AVX512DQ AVX512VBMI AVX512VBMI2 AVX512BITALG AVX512VPOPCNTDQ "
    "AVX512VNNI GFNI"
)


@pytest.mark.skipif(os.name == "nt", reason="the compiler is a script")
def test_setup_compiles_the_best_set_of_the_processor_and_the_base_set(tmp_path):
    """The compiler says what the processor has."""
    pytest.importorskip("Cython")
    tree = Path(__file__).resolve().parents[1]
    if not (tree / "src").exists():
        pytest.skip("an installed wheel is tested without the sources")
    cases = [
        ("", AVX2 + "AVX512F", ["avx2", "base -Og"]),
        ("", AVX2 + AVX512, ["avx512", "base -Og"]),
        ("", "", ["avx2", "avx512", "base -O1"]),  # it does not say
        ("all", AVX2, ["avx2", "avx512", "base -O1"]),
        ("rating.base", AVX2, ["base -O1"]),
    ]
    code = (
        "import os, runpy, sys; from setuptools import Distribution\n"
        "Distribution.run_commands = lambda _: None\n"
        "words, sys.argv = sys.argv[1:], ['setup.py', 'egg_info']\n"
        "for native, compiler in zip(words[::2], words[1::2]):\n"
        "    os.environ |= {'UNIDOKU_NATIVE': native, 'CC': compiler}\n"
        "    found = runpy.run_path('setup.py')['asked_for']()\n"
        "    print('sets', *sorted(f'{name} {module.gcc[0] * (name == \"base\")}'.strip() "
        "for module in found "
        "for kind, _, name in [module.name.partition('.')] if kind == 'rating' and name != 'codes'), sep=',')"
    )
    words = []
    for number, (native, macros, _) in enumerate(cases):
        compiler = tmp_path / f"compiler{number}"
        defined = "".join(f"#define __{name}__ 1\n" for name in macros.split())
        compiler.write_text(f"#!{sys.executable} -S\nprint({defined!r})\n")
        compiler.chmod(0o755)
        words += [native, str(compiler)]
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    found = [line.split(",")[1:] for line in done.stdout.splitlines() if line.startswith("sets,")]
    assert found == [sets for *_, sets in cases]


@pytest.mark.slow
@pytest.mark.weekly
def test_setup_compiles_again_only_what_has_changed(tmp_path):
    pytest.importorskip("Cython")
    tree = Path(__file__).resolve().parents[1]
    if not (tree / "src").exists():
        pytest.skip("an installed wheel is tested without the sources")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(tree / name, tmp_path)
    native = tmp_path / "src/unidoku/_native"
    shutil.copytree(tree / "src/unidoku/_native", native, ignore=shutil.ignore_patterns("*.c", "*.so"))
    shutil.copy(tree / "src/unidoku/__init__.py", native.parent)
    compiler = tmp_path / "compiler"
    compiler.write_text(COMPILER.format(python=sys.executable))
    compiler.chmod(0o755)
    names = {"CC": str(compiler), "LDSHARED": f"{compiler} -shared", "UNIDOKU_NATIVE": "cpu,effort.base"}

    def compiled(**environment):
        (tmp_path / "log").write_text("")
        command = [sys.executable, "setup.py", "-q", "build_ext"]
        subprocess.run(command, env={**os.environ, **names, **environment}, check=True, cwd=tmp_path)
        return sorted(Path(line).stem for line in (tmp_path / "log").read_text().splitlines())

    assert compiled() == ["_shared", "base", "cpu"]
    for file in native.rglob("*.c"):
        os.utime(file, (0, 0))  # older than Cython, as in each environment that pip makes
    assert compiled() == []
    assert compiled(CFLAGS="-DX") == compiled() == ["_shared", "base", "cpu"]
    times = (native / "effort/boards.h").stat()
    with (native / "effort/boards.h").open("a") as file:
        file.write("\n")
    os.utime(native / "effort/boards.h", ns=(times.st_atime_ns, times.st_mtime_ns))  # as an archive sets it
    assert compiled() == ["base"]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_front_pages_say_the_scope(page):
    text = " ".join((Path(__file__).resolve().parents[1] / page).read_text(encoding="utf-8").split())
    first, _, _ = text.partition("```")
    for words in ("classic 9×9", "no variants", "no photos", "English and Chinese"):
        assert words in first


def test_the_page_about_installing_has_lines_for_each_system():
    page = Path(__file__).resolve().parents[1] / "docs" / "install.md"
    text = page.read_text(encoding="utf-8")
    for words in ("PowerShell", "clang-cl", "PATH", "xcode-select --install", "--no-index --find-links"):
        assert words in text
    (remote,) = (line for line in text.splitlines() if line.startswith("| `remote` |"))
    for words in ("https://", "`s3fs` for `s3://", "`gcsfs` for `gs://"):
        assert words in remote


def test_the_documentation_maps_every_error_to_a_status():
    page = Path(__file__).resolve().parents[1] / "docs" / "python.md"
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\d+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    table = {name: HTTPStatus(int(status)) for name, status in rows}
    public = {
        name
        for name in unidoku.__all__
        if isinstance(getattr(unidoku, name), type) and issubclass(getattr(unidoku, name), Exception)
    }
    assert public <= table.keys()
    homes = (unidoku, unidoku.errors, unidoku.craft, builtins)
    errors = [next(getattr(home, name) for home in homes if name in dir(home)) for name in table]
    for place, error in enumerate(errors):  # as in `except` clauses
        assert not any(issubclass(error, earlier) for earlier in errors[:place])
    assert all(400 <= status < 600 for status in table.values())
