"""What docs/api, the reference of the API, names."""

import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def documented():
    """Full names in docs/api; an automodule entry stands for the members that are in the module."""
    names = set()
    for page in (ROOT / "docs" / "api").glob("*.md"):
        text = page.read_text()
        names.update(re.findall(r"^\.\. auto(?:function|class|exception|data):: (\S+)", text, re.MULTILINE))
        for name, options in re.findall(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", text, re.MULTILINE):
            module = import_module(name)
            for members in re.findall(r":members:(.*)", options):
                listed = re.findall(r"\w+", members) or getattr(module, "__all__", dir(module))
                names.update(f"{name}.{each}" for each in listed if each in vars(module))
    return names
