"""Names in docs/api, the reference of the API."""

import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def documented():
    """Return the full names in docs/api; an automodule entry stands for the members of its module."""
    names = set()
    for page in (ROOT / "docs" / "api").glob("*.md"):
        text = page.read_text()
        names.update(re.findall(r"^\.\. auto(?:function|class|exception|data):: (\S+)", text, re.MULTILINE))
        for name, options in re.findall(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", text, re.MULTILINE):
            module = import_module(name)
            for members in re.findall(r":members:(.*)", options):
                listed = re.findall(r"\w+", members) or getattr(module, "__all__", dir(module))
                names.update(f"{name}.{member}" for member in listed if member in vars(module))
    return names
