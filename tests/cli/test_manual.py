"""The manual page and the page of commands: made from the commands, without compiled modules."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import loaded

from unidoku.cli import COMMANDS

TOOLS = Path(__file__).resolve().parents[2] / "tools"
BLOCKED = """
import sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {"numpy", "rich", "jinja2"} or name.startswith("unidoku.native."):
            raise ImportError(f"{name} is not there when a wheel is built")

sys.meta_path.insert(0, Blocked())
"""


def made(page: str) -> str:
    code = f"{BLOCKED}\nimport command_pages\nsys.stdout.buffer.write(command_pages.{page}().encode())"
    environment = {"PYTHONPATH": f"{TOOLS}:{Path(sys.modules['unidoku'].__file__).parents[1]}"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.fixture(scope="module")
def manual() -> str:
    return made("manual")


@pytest.fixture(scope="module")
def reference() -> str:
    return made("reference")


def flags() -> list[str]:
    options = [each for name in COMMANDS for each in loaded(name).params]
    return [flag for each in options for flag in (*each.opts, *each.secondary_opts) if flag[0] == "-"]


def test_manual_names_every_command_and_option(manual):
    assert re.findall(r"^\.SS (\S+)$", manual, re.MULTILINE) == list(COMMANDS)
    for flag in flags():
        assert rf"\fB{flag.replace('-', chr(92) + '-')}\fR" in manual, flag


def test_reference_names_every_command_and_option(reference):
    assert re.findall(r"^### (\S+)$", reference, re.MULTILINE) == list(COMMANDS)
    for flag in flags():
        assert f"`{flag}`" in reference, flag


def test_roff_is_escaped(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    from command_pages import line

    assert line(".starts 'like a request' \\") == r"\&.starts \(aqlike a request\(aq \e"


def test_man_has_no_warnings(manual):
    if shutil.which("groff") is None:
        pytest.skip("no groff to read the page with")
    command = ["groff", "-man", "-Tutf8", "-ww", "-z"]
    done = subprocess.run(command, input=manual.encode(), capture_output=True, check=True)
    assert done.stderr == b""
