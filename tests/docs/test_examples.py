"""Examples in the README, in docs/ and in docstrings: the output of each run is the output on the page.

A ``console`` block is a transcript, standard error first. A ``python`` block with ``>>>`` is a
doctest; one without is run as it is. All blocks of a page run in one folder with the files of :func:`folder`.
``sh`` is set-up, which ``.ci/readme`` runs. Of ``py`` blocks, which need a cluster or another large package,
and of sentences, the names, calls and files are looked up.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import itertools
import re
import shutil
import sys
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest
from cases import in_turn
from transcripts import ENVIRONMENT, agrees, examples, run_command

import unidoku

PACKAGE = Path(unidoku.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [".ci", "src", "tests", "docs", "bench", "tools", "examples"]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^(?P<fence>```+)(?P<kind>[a-z]+)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
DOTTED = re.compile(r"(?<![\w./-])unidoku(?:\.[A-Za-z_]\w*)+")
SOURCE = re.compile(r"[\w.-]*/[\w./-]+|[\w-]+\.(?:py|pyx|pxi|pxd|h|js|html|typ)")
ANOTHER = re.compile(r"NAME|/fr/|\.\./|build/|verdicts\.py")  # what a reader makes, or has
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that examples name."""
    sample = files("unidoku").joinpath("data/sample.txt").read_text().splitlines()
    lines = [line[:81] for line in sample[2:]]
    (tmp_path / "puzzles.txt").write_text("\n".join(lines[:1000]) + "\n")
    (tmp_path / "paper.txt").write_text(blocks(ROOT / "docs" / "puzzle.md", "text")[0])
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name in (
        ".venv/bin/activate",
        "src/unidoku/data/sample.txt",
    ):  # of a checkout, after the installation
        (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / ".venv/bin/activate").touch()
    (tmp_path / "src/unidoku/data/sample.txt").write_text("\n".join(sample) + "\n")
    return tmp_path


def blocks(page: Path, *kinds: str) -> list[str]:
    """The bodies of a page's code blocks of these kinds."""
    text = page.read_text(encoding="utf-8")
    return [match["body"] for match in FENCE.finditer(text) if match["kind"] in kinds]


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


CONSOLES = [
    pytest.param(page, marks=[pytest.mark.slow] * (page.stem == "learning"), id=page_id(page))  # large files
    for page in PAGES
    if blocks(page, "console")
]


@pytest.mark.parametrize("page", CONSOLES)
def test_console_examples(page, folder):
    environment = ENVIRONMENT | {"COLUMNS": "100"}
    if page.stem == "zh":  # as on the system of its readers
        environment |= {"LC_ALL": "", "LANG": "zh_CN.UTF-8"}
    for body in blocks(page, "console"):
        for command, shown in examples(body):
            short = re.sub("unidoku bench( --seconds 1)?", "unidoku bench --seconds 0.02", command)
            stdout, stderr, code = run_command(short, folder, environment)
            printed = stderr + stdout
            assert code in {0, 1, 141}, f"{command}\n{printed}"
            assert not shown or agrees(shown, printed), f"{command}\n{shown}\nprinted:\n{printed}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=page_id)
def test_python_examples(page, folder, monkeypatch):
    """Doctests run as such, other blocks run whole; each has its own names: a reader can copy any block."""
    monkeypatch.chdir(folder)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for number, body in enumerate(blocks(page, "python")):
        module = ModuleType("__example__")
        monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look for it
        namespace = vars(module)
        if "import duckdb" in body:
            pytest.importorskip("duckdb")  # which has no wheel for musl from Python 3.14 on
        name = f"{page.name}, Python block {number + 1}"
        if ">>>" in body:
            test = doctest.DocTestParser().get_doctest(body, namespace, name, str(page), 0)
            report: list[str] = []
            runner.run(test, out=report.append, clear_globs=False)
            namespace.update(test.globs)
            assert not report, "".join(report)
        else:
            exec(compile(body, name, "exec"), namespace)


def modules() -> list[str]:
    """The modules whose docstrings have examples."""
    paths = (
        path for path in PACKAGE.rglob("*.py") if re.search(r"(?m)^ *>>> ", path.read_text(encoding="utf-8"))
    )
    names = (path.relative_to(PACKAGE.parent).with_suffix("").parts for path in sorted(paths))
    return [".".join(parts).removesuffix(".__init__") for parts in names]


class Finder(doctest.DocTestFinder):
    """Finds also the examples of a class whose module is the public one that has it."""

    def _from_module(self, module, object):
        is_here = inspect.isclass(object) and re.search(
            rf"\nclass {object.__name__}[(:]", inspect.getsource(module)
        )
        return bool(is_here) or super()._from_module(module, object)


@in_turn
@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name):
    namespace = {"unidoku": unidoku}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in Finder().find(import_module(name), name, extraglobs=namespace):
        runner.run(test)
    assert runner.tries
    assert not runner.failures


def value(name: str) -> object:
    """Return what a full name stands for, or None."""
    parts = name.split(".")
    found: object = unidoku
    for number, part in enumerate(parts[1:], 2):
        with contextlib.suppress(ImportError):
            import_module(".".join(parts[:number]))
        found = getattr(found, part, None) or getattr(found, "__annotations__", {}).get(part)
    return found


def unresolved(code: str) -> list[str]:
    """Return the names and the calls of a code that unidoku does not have; of a text, the names alone."""
    faults = [name for name in DOTTED.findall(code) if value(name) is None]
    try:
        tree = ast.parse(code.replace("…", "..."))
    except SyntaxError:
        return faults
    names: dict[str, object] = {name: getattr(unidoku, name) for name in unidoku.__all__}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("unidoku"):
            faults += unresolved("\n".join(f"{node.module}.{alias.name}" for alias in node.names))
            module = import_module(str(node.module))
            names |= {alias.name: getattr(module, alias.name, None) for alias in node.names}
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            function = value(name) if DOTTED.fullmatch(name) else names.get(name)
            try:
                inspect.signature(function).bind_partial(
                    *node.args, **{keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
                )
            except TypeError as error:
                if function is not None:
                    faults.append(f"{ast.unparse(node)}: {error}")
    return faults


@cache
def paths_here() -> list[str]:
    tree = itertools.chain(ROOT.glob("*"), *((ROOT / name).rglob("*") for name in FOLDERS))
    return [f"/{path.relative_to(ROOT).as_posix()}/" for path in tree]


@in_turn
@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("[CS][EO][CN]*.md")], ids=page_id)
def test_names_and_calls_are_there(page):
    """Those of the sentences of a page and of its blocks that are not run; files of the sentences too."""
    spans = [" ".join(span.split()) for span in SPAN.findall(FENCE.sub("", page.read_text(encoding="utf-8")))]
    assert [fault for code in (*spans, *blocks(page, "py")) for fault in unresolved(code)] == []
    if not (ROOT / "src").is_dir():
        pytest.skip("a wheel is tested without the sources")
    paths = paths_here()
    files = {span for span in spans if SOURCE.fullmatch(span) and not ANOTHER.search(span)}
    assert {file for file in files if not any(f"/{file.strip('/')}/" in path for path in paths)} == set()
