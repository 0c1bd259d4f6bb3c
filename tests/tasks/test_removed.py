"""A capability can be taken away, with its engine: the core imports none."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku

ROOT = Path(unidoku.__file__).parent
CODE = """
import sys
from importlib import import_module
sys.path.insert(0, {path!r})
import unidoku
assert unidoku.__file__.startswith({path!r})
for name in {names!r}:
    import_module(name)
from unidoku.cli import cli
for arguments, code in {runs!r}:
    try:
        cli(arguments)
    except SystemExit as end:
        assert end.code == code
"""
RUNS = [(["--help"], 0), (["check", "absent.txt"], 2), (["check", PUZZLE], 0)]

CAPABILITIES = sorted(path.stem for path in (ROOT / "tasks").glob("*.py") if path.stem[0] != "_")
for other in (
    "answers",
    "columns",
    "pages",
    "ratings",
    "sample",
    "speed",
):  # what several share; what needs most of them
    CAPABILITIES.remove(other)
ENGINES = {
    "generate": ["craft/generate", "craft/request"],
    "neighbours": ["craft/neighbours"],
    "series": ["craft/series"],
    "verify": ["tasks/answers", "craft/verify", "craft/answers"],
}
"""What a capability has for itself, apart from its module."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package; what is compiled is linked."""
    target = tmp_path_factory.mktemp("copy") / "unidoku"
    copytree(ROOT, target, ignore=ignore_patterns("__pycache__", "*.so", "*.c", "*.cpp", "*.o"))
    for path in [*ROOT.rglob("*.so"), *ROOT.rglob("*.pyd")]:
        (target / path.relative_to(ROOT)).symlink_to(path)
    return target


def module(path):
    """The name of a file below the package, with dots."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def needed(path):
    """The modules that one imports whenever it is imported itself."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("unidoku"):
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return {name.removeprefix("unidoku.") for name in found}


IMPORTS = {module(path): needed(path) for path in ROOT.rglob("*.py") if path.name != "__main__.py"}


def with_dependents(names):
    """These modules, and those that need one of them."""
    found = {name.replace("/", ".") for name in names}
    while more := {name for name, needs in IMPORTS.items() if needs & found} - found:
        found |= more
    return found


def is_core(name):
    return name.partition(".")[0] not in "tasks craft rating method stepper view benchmark".split()


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_others_work_without_a_capability(copy, name):
    files = [f"tasks/{name}", *ENGINES.get(name, [])]
    gone = with_dependents(files)
    assert not list(filter(is_core, gone))
    texts = {each: (copy / f"{each}.py").read_text(encoding="utf-8") for each in files}
    for each in files:
        (copy / f"{each}.py").unlink()
    try:
        left = [f"unidoku.{each}" for each in sorted(IMPORTS.keys() - gone) if each]
        runs = RUNS[: 1 if "tasks.check" in gone else None]
        done = subprocess.run(
            [sys.executable, "-c", CODE.format(path=str(copy.parent), names=left, runs=runs)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": ""},  # compile it once
        )
        checks = len(runs) > 1
        assert ("unique" in done.stdout) == checks, done.stderr
        errors = done.stderr.splitlines()
        assert [each.partition(": No such")[0] for each in errors] == ["error: absent.txt"] * checks
        listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
        assert {"console", "info"} - {name} <= {*listed}
        assert name not in listed
    finally:
        for each, text in texts.items():
            (copy / f"{each}.py").write_text(text, encoding="utf-8")
