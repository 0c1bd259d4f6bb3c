"""A capability can be taken away: the core imports none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

import unidoku
from unidoku.cli import TASKS

ROOT = Path(unidoku.__file__).parent
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CODE = """
import sys
from importlib import import_module
sys.path.insert(0, {path!r})
import unidoku
assert unidoku.__file__.startswith({path!r})
for name in {names!r}:
    import_module(name)
from unidoku.cli import cli
cli(["check", {puzzle!r}], standalone_mode=False)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package; what is compiled is linked."""
    target = tmp_path_factory.mktemp("copy") / "unidoku"
    copytree(ROOT, target, ignore=ignore_patterns("__pycache__", "*.so", "*.c", "*.cpp", "*.o"))
    for path in [*ROOT.rglob("*.so"), *ROOT.rglob("*.pyd")]:
        (target / path.relative_to(ROOT)).symlink_to(path)
    return target


def python(copy, code):
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "80"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", sorted(TASKS))
def test_the_others_work_without_a_capability(copy, name):
    module = copy / "tasks" / f"{name}.py"
    text = module.read_text()
    module.unlink()
    try:
        paths = (path for path in copy.rglob("*.py") if "__main__" not in path.name)
        others = [
            ".".join(path.relative_to(copy.parent).with_suffix("").parts).removesuffix(".__init__")
            for path in paths
        ]
        names = [each for each in others if each != f"unidoku.{DEPENDS.get(name)}"]
        shown = python(copy, CODE.format(path=str(copy.parent), names=names, puzzle=PUZZLE))
        assert "unique" in shown
        helped = python(
            copy,
            f"import sys; sys.path.insert(0, {str(copy.parent)!r})\n"
            "from unidoku.cli import cli\ncli(['--help'], standalone_mode=False)",
        )
        listed = [line.split()[0] for line in helped.splitlines() if line.startswith("  ")]
        assert "check" in listed
        assert name not in listed
    finally:
        module.write_text(text)


DEPENDS = {"rate": "view.folder"}
"""The index of a folder of pages shows ratings."""
