"""The page of commands, generated from their help."""

import re
from pathlib import Path

import pytest
from command import loaded

from unidoku.cli import COMMANDS

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def test_reference_names_every_command_and_option(monkeypatch):
    if not TOOLS.is_dir():
        pytest.skip("the folder tools is not here")
    monkeypatch.syspath_prepend(str(TOOLS))
    from command_pages import reference

    page = reference()
    assert re.findall(r"^### (\S+)$", page, re.MULTILINE) == list(COMMANDS)
    for name in COMMANDS:
        for option in loaded(name).params:
            for flag in (*option.opts, *option.secondary_opts):
                assert flag[0] != "-" or re.search(rf"\| `[^`]*{flag}[ ,`]", page), flag
