"""Names have one meaning: a class stands in one module, and a name that nobody guessed stays away."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import unidoku

ROOT = Path(unidoku.__file__).parent
UNGUESSABLE = {
    *("Said", "Made", "Attempts", "Outcome", "Report", "PlacedColumns", "Found", "Outer", "Page", "Forms"),
    *("Lists", "Strings", "Cells", "Kind", "ROW", "EACH", "_EITHER"),
    *("doubts", "former", "is_harmless", "is_nearly_puzzle", "_along", "asked_in", "said_in", "text_said"),
    *("is_talk", "value_of", "uses_of", "faults", "is_its_own", "proper", "hunt", "later"),
}
"""Names of classes, functions and constants that readers had to look up."""


@cache
def trees():
    """The parsed modules by their paths."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.rglob("*.py")}


def definitions(tree):
    """The classes, functions and constants of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def test_no_public_class_has_its_name_in_two_modules():
    modules = defaultdict(list)
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(str(path.relative_to(ROOT)))
    assert len(modules) > 150
    assert {name: places for name, places in modules.items() if len(places) > 1} == {}


def test_names_that_nobody_guessed_stay_away():
    found = {(name, path.name) for path, tree in trees().items() for name in definitions(tree)}
    assert {pair for pair in found if pair[0] in UNGUESSABLE} == set()
