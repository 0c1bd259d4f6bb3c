"""The layers of the package: every import points to its own layer or an earlier one, and there is no cycle.

CONTRIBUTING.md has the layers.  Imports inside functions and for type checkers count.  The view of
an object is above it: `unidoku._compat.view` looks it up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import unidoku

ROOT = Path(unidoku.__file__).parent

TREE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def layers() -> list[list[str]]:
    """The names of each layer, the lowest first; one stands for a module or for all of a package."""
    found: list[list[str]] = []
    for line in TREE.partition("```text\nsrc/unidoku/\n")[2].partition("```")[0].splitlines():
        number, names = line[:2].strip(), line[3:].partition("  ")[0].split()
        if number:
            assert int(number) == len(found) + 1
            found.append([])
        found[-1] += names
    return found


LAYERS = layers()


def modules() -> dict[str, Path]:
    """Every module by its name below the package; a compiled module by its stub."""
    paths = {}
    for path in sorted([*ROOT.rglob("*.py"), *ROOT.rglob("*.pyi")]):
        parts = path.relative_to(ROOT).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


def imported(path: Path, names: set[str]) -> Iterator[str]:
    """The modules that a module imports at any place."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [[name.name] for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            targets = [[f"{node.module}.{name.name}", node.module or ""] for name in node.names]
        else:
            continue
        for target in targets:  # a member of a package may be a module, or come from its __init__
            modules_of_target = [name.removeprefix("unidoku.") for name in target if name[:8] == "unidoku."]
            yield from [name for name in modules_of_target if name in names][:1]


@cache
def graph() -> dict[str, set[str]]:
    names = set(modules())
    return {name: {*imported(path, names)} - {name} for name, path in modules().items() if name}


def layer(module: str) -> int:
    """Number of a module's layer."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        for number, names in enumerate(LAYERS):
            if ".".join(parts[:length]) in names:
                return number
    raise AssertionError(f"{module} is in no layer")


def test_every_name_of_the_list_is_there() -> None:
    assert {name for names in LAYERS for name in names} <= modules().keys()


def test_every_import_points_down() -> None:
    up = {
        (module, target)
        for module, targets in graph().items()
        for target in targets
        if layer(target) > layer(module)
    }
    assert up == set()


def test_an_engine_knows_no_task_and_no_run() -> None:
    engines, above = {"stepper", "method", "craft", "rating"}, {"_task", "runner"}
    names = {(module, target.partition(".")[0]) for module, targets in graph().items() for target in targets}
    assert not {name for name in names if name[0].partition(".")[0] in engines and name[1] in above}


def test_modules_import_each_other_one_way() -> None:
    """Imports inside a package, inside functions, and for type checkers alone count."""
    TopologicalSorter(graph()).prepare()  # raises an error that has the cycle


def test_modules_do_not_hide_public_functions() -> None:
    """A module with the name of a public function would replace the function when it is imported."""
    functions = {name for name in unidoku.__all__ if not isinstance(getattr(unidoku, name), type)}
    assert not functions & {name.partition(".")[0] for name in modules()}
