"""The map of modules in CONTRIBUTING.md names the modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "unidoku"
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
UNNAMED = {"__init__", "__main__"}


def mapped():
    """Modules and folders that the left column of the map names, as paths in the package."""
    found, folder = set(), ""
    for line in TEXT.partition("src/unidoku/\n")[2].partition("\ntests/")[0].splitlines():
        indent, names = len(line) - len(line.lstrip()), line.strip().split("  ")[0].split()
        if indent > 4:  # the description goes on
            continue
        folder = folder if indent == 4 else ""
        if names[0].endswith("/"):
            folder = folder if indent == 4 else names[0]
            names = [names[0].strip("/")] if indent == 4 else []
        found.update(folder + name for name in names)
    return found


def test_the_map_names_the_modules_that_exist():
    modules = {
        str(file.relative_to(PACKAGE).with_suffix(""))
        for file in PACKAGE.rglob("*.py")
        if file.stem not in UNNAMED and "formats" not in file.parts
    }
    native = {str(path.relative_to(PACKAGE).with_suffix("")) for path in (PACKAGE / "native").glob("*.pyx")}
    native |= {str(path.parent.relative_to(PACKAGE)) for path in (PACKAGE / "native").glob("*/__init__.py")}
    assert mapped() == modules | native | {"files/formats"}


def test_the_files_of_the_tasks_exist():
    tasks = TEXT.partition("## Find the module for a task")[2]
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_*]*\.?[a-z]*)`", tasks)
    assert named
    missing = [name for name in named if not [*PACKAGE.glob(name), *ROOT.glob(name)]]
    assert not missing


def test_the_names_that_the_tasks_point_to_are_in_these_files():
    tasks = TEXT.partition("## Find the module for a task")[2]
    named = re.findall(r"`(\w+)`(?: and `(\w+)`)? in `([\w/]+\.\w+)`", tasks)
    assert named
    for *names, file in named:
        files = [path for path in PACKAGE.rglob(Path(file).name) if str(path).endswith(f"/{file}")]
        text = "\n".join(path.read_text() for path in files)
        for name in filter(None, names):
            assert re.search(rf"\b{name}\b", text), f"{name} is not in {file}"
