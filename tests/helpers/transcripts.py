"""Console transcripts: lines with ``$ command``, each with what it prints; of pages and of tests/cli.

A line that begins with ``$`` is a command, with the lines of a here-document or after a backslash. What
follows is its output; ``...`` stands for any text, unless digits or dots are beside it, as in a puzzle.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from click.testing import CliRunner

from unidoku._cli import cli

ANY_TEXT = re.compile(r"(?<![\d.])\.\.\.(?![\d.])")
COMMAND = re.compile(  # of unidoku, alone: what needs no shell
    r"(?P<names>([A-Z_]+=('[^']*'|\S*) )*)(?P<before>[^|<>&]+\| )?"
    r"unidoku(?P<words>( ([^|<>;&$`*\\'\"]|'[^']*')*)?)"
    r"(< (?P<file>\S+) ?)?(> (?P<to>[\w.]+))?(?P<errors>2>&1 |2> /dev/null )?(?P<after>\|.*)?"
)
PYTHON = re.compile(
    r"""python (-c "(?P<code>[^"]*)"|- <<END\n(?P<lines>.*)END\n)( > (?P<to>[\w.]+))?\s*""", re.DOTALL
)
ENVIRONMENT = {
    "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")]),
    "NO_COLOR": "1",
}


class Answer(NamedTuple):
    """What a command prints, and its exit code."""

    stdout: str
    stderr: str
    code: int

    def __str__(self) -> str:
        """Return it as tests/cli shows it: `!` before lines of standard error, an exit code at the end."""
        parts = [self.stdout]
        if self.stdout and not self.stdout.endswith("\n"):
            parts.append("[no end of line]\n")
        parts += [f"! {line}".rstrip() + "\n" for line in self.stderr.splitlines()]
        if self.code:
            parts.append(f"[exit code {self.code}]\n")
        return "".join(parts)


def examples(text: str) -> list[tuple[str, str]]:
    """Return the commands of a text, each with the output that the text shows."""
    found: list[tuple[str, str]] = []
    end = ""  # of a here-document
    for line in text.splitlines(keepends=True):
        command, output = found[-1] if found else ("", "")
        if end or command.endswith("\\\n"):
            found[-1] = (command + line, "")
            end = "" if line.strip() == end else end
        elif line.startswith("$ "):
            found.append((line[2:], ""))
            here = re.search(r"<<'?(\w+)", line)
            end = here[1] if here else ""
        else:
            assert found, f"output before the first command: {line!r}"
            found[-1] = (command, output + line)
    return found


def agrees(shown: str, printed: str) -> bool:
    """Return whether a text shows what was printed."""
    pattern = ".*?".join(map(re.escape, ANY_TEXT.split(shown.rstrip())))
    return re.fullmatch(pattern, printed.rstrip(), re.DOTALL) is not None


def run_command(command: str, folder: Path, environment: Mapping[str, str]) -> Answer:
    """Run a command in a folder: unidoku in this process, where it needs no shell."""
    if command.startswith("#"):
        return Answer("", "", 0)
    parts = COMMAND.fullmatch(command.strip())
    if parts is None or "unidoku" in (parts["after"] or ""):
        return run_in_shell(command, folder, environment)
    text = ""
    if parts["before"]:
        before = run_in_shell(parts["before"][:-2], folder, environment)
        assert before.code in {0, 1}, before.stderr
        text = before.stdout
    if parts["file"]:
        text = (folder / parts["file"]).read_text(encoding="utf-8")
    names = dict(name.split("=", 1) for name in shlex.split(parts["names"]))
    words = shlex.split(parts["words"])
    with contextlib.chdir(folder), mock.patch.object(sys, "argv", ["unidoku", *words]):
        result = CliRunner(env={**environment, **names}).invoke(cli, words, text, prog_name="unidoku")
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
    if parts["to"]:
        (folder / parts["to"]).write_text(result.stdout, encoding="utf-8")
        return Answer("", result.stderr, result.exit_code)
    if parts["after"] is None:
        return Answer(result.stdout, result.stderr, result.exit_code)
    output = result.output if parts["errors"] == "2>&1 " else result.stdout
    filtered = run_in_shell(parts["after"][1:], folder, environment, output)
    errors = filtered.stderr if parts["errors"] else result.stderr + filtered.stderr
    return Answer(filtered.stdout, errors, result.exit_code or filtered.code)


def run_in_shell(command: str, folder: Path, environment: Mapping[str, str], text: str = "") -> Answer:
    """Run any command, with this text as its standard input: lines of Python in this process."""
    if lines := PYTHON.fullmatch(command):
        output = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(output):
            exec(lines["code"] or lines["lines"], {"__name__": "__main__"})
        if lines["to"]:
            (folder / lines["to"]).write_text(output.getvalue(), encoding="utf-8")
        return Answer("" if lines["to"] else output.getvalue(), "", 0)
    process = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, **environment, "PYTHONWARNINGS": "error"},
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert "Traceback" not in process.stderr, process.stderr
    return Answer(process.stdout, process.stderr, process.returncode)
