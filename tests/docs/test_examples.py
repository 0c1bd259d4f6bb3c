"""Examples in the README, in docs/ and in docstrings: the output of each run is the output on the page.

In a ``console`` block a line that begins with ``$`` is a command. The lines up to the next command are its
output (standard output and error together); ``...`` stands for any text. A ``python`` block with ``>>>`` is a
doctest; one without is run as it is. Blocks of other kinds are not run: ``sh`` (set-up), ``py`` (a cluster
or a store is needed), ``text``. All blocks of a page run in one folder with the files of :func:`folder`.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import unidoku
from unidoku.cli import cli

PACKAGE = Path(unidoku.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^(?P<fence>```+)(?P<kind>[a-z]+)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
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


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that the page shows."""
    examples: list[tuple[str, str]] = []
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            examples.append((line[2:], ""))
        elif examples and examples[-1][0].endswith("\\\n"):
            examples[-1] = (examples[-1][0] + line, "")
        else:
            assert examples, f"output before the first command: {line!r}"
            examples[-1] = (examples[-1][0], examples[-1][1] + line)
    return examples


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


def run_here(command: str, folder: Path, environment: dict[str, str]) -> tuple[str, int] | None:
    """The output of a command of unidoku, and its exit code; None if it needs a shell.

    Texts that ``printf`` gives it and filters of its output are a shell's: they start in no time.
    """
    parts = re.fullmatch(
        r"(?P<input>printf '[^']*' \| )?unidoku (?P<words>[^|<>;&$`*\\]+)(?P<filter>\|.*)?", command.strip()
    )
    if parts is None or "unidoku" in (parts["filter"] or ""):
        return None
    words = parts["words"].replace("bench --seconds 1", "bench --seconds 0.1")
    text = run_in_shell(parts["input"][:-3], folder, environment)[0] if parts["input"] else None
    with contextlib.chdir(folder):
        result = CliRunner(env=environment).invoke(cli, shlex.split(words), text, prog_name="unidoku")
    assert isinstance(result.exception, SystemExit | None), command
    if parts["filter"] is None:
        return result.output, result.exit_code
    text, code = run_in_shell(parts["filter"][1:], folder, environment, result.stdout)
    return result.stderr + text, result.exit_code or code


def run_in_shell(command: str, folder: Path, environment: dict[str, str], text: str = "") -> tuple[str, int]:
    """The output of any command with this text as its input, and its exit code."""
    process = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | environment | {"PYTHONWARNINGS": "error"},
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    return process.stdout, process.returncode


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")], ids=page_id)
def test_console_examples(page, folder):
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    environment = {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}
    if page.stem == "zh":  # as on the system of its readers
        environment |= {"LC_ALL": "", "LANG": "zh_CN.UTF-8"}
    for body in blocks(page, "console"):
        for command, page_output in commands(body):
            output, code = run_here(command, folder, environment) or run_in_shell(
                command, folder, environment
            )
            assert "Traceback" not in output, command
            assert code in {0, 1, 141}, f"{command}\n{output}"
            if page_output:
                agrees = doctest.OutputChecker().check_output(page_output, output, FLAGS)
                assert agrees, f"{command}\npage shows:\n{page_output}\nprinted:\n{output}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=page_id)
def test_python_examples(page, folder, monkeypatch):
    """Doctests run as such; other Python blocks run whole, after one another, in one namespace."""
    monkeypatch.chdir(folder)
    module = ModuleType("__example__")  # dataclasses look for it
    monkeypatch.setitem(sys.modules, module.__name__, module)
    namespace = vars(module)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for number, body in enumerate(blocks(page, "python")):
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


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name):
    namespace = {"unidoku": unidoku}
    results = doctest.testmod(import_module(name), extraglobs=namespace, optionflags=FLAGS)
    assert results.attempted
    assert not results.failed
