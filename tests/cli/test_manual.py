"""The manual page docs/unidoku.1: made from the commands, accepted by man."""

import re
import shutil
import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from unidoku.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "unidoku.1"


@pytest.fixture(scope="module")
def tool():
    spec = spec_from_file_location("make_man", ROOT / "tools" / "make_man.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_is_up_to_date(tool):
    assert PAGE.read_text(encoding="utf-8") == tool.manual(), "run: python tools/make_man.py"


def test_every_command_has_a_section():
    assert re.findall(r"^\.SS (\S+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE) == list(COMMANDS)


def test_roff_is_escaped(tool):
    assert tool.line(".starts 'like a request' \\") == r"\&.starts \(aqlike a request\(aq \e"


def test_man_has_no_warnings():
    if shutil.which("groff") is None:
        pytest.skip("no groff to read the page with")
    command = ["groff", "-man", "-Tutf8", "-ww", "-z", str(PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
