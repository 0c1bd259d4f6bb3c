"""The layers of the package: every import points down, none goes round.

The table is the architecture.  Imports inside functions count; those for type checkers alone do not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import unidoku

ROOT = Path(unidoku.__file__).parent

# From the lowest to the highest.  A name stands for a module, or for a package with all that is in it.  A
# module may import modules of its own layer, unless that makes a cycle.
LAYERS = [
    ["errors", "verdict", "cell", "arguments", "arrows", "cells"],
    ["native"],
    ["kernel", "parallel", "arrow", "board", "links", "grid", "answer", "rows", "naive", "counting"],
    ["files", "single", "batch", "machine"],
    ["table", "stepper", "method"],
    ["pipeline"],
    ["shards"],
    ["checking", "craft", "rating", "view"],
    ["benchmark"],
    ["cli", "__main__"],
]


def modules() -> dict[str, Path]:
    """Every module by its name below the package; compiled ones by their stubs."""
    found = {}
    for path in sorted([*ROOT.rglob("*.py"), *ROOT.rglob("*.pyi")]):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(module: str, path: Path, names: set[str]) -> Iterator[str]:
    """The modules that a module imports, wherever the import is."""
    for node in unguarded(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.removeprefix("unidoku.") for name in node.names if name.name in full(names))
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            if node.module != "unidoku" and not node.module.startswith("unidoku."):
                continue
            package = node.module.removeprefix("unidoku").removeprefix(".")
            for name in node.names:
                inner = f"{package}.{name.name}".removeprefix(".")
                target = inner if inner in names else package
                if target and target != module:
                    yield target


def full(names: set[str]) -> set[str]:
    return {f"unidoku.{name}" for name in names}


def unguarded(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes outside ``if TYPE_CHECKING:``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for other in node.orelse:
                yield other
                yield from unguarded(other)
            continue
        yield node
        yield from unguarded(node)


@cache
def graph() -> dict[str, set[str]]:
    names = set(modules())
    return {name: set(imported(name, path, names)) for name, path in modules().items() if name}


def layer(module: str) -> int:
    """Number of a module's layer."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        for number, names in enumerate(LAYERS):
            if ".".join(parts[:length]) in names:
                return number
    raise AssertionError(f"{module} is in no layer")


def test_every_import_points_down() -> None:
    up = {
        (module, target)
        for module, targets in graph().items()
        for target in targets
        if layer(target) > layer(module)
    }
    assert up == set()


def test_imports_have_no_cycle() -> None:
    edges = graph()
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module in done:
            return
        for target in sorted(edges.get(module, ())):
            visit(target, [*path, module])
        done.add(module)

    for module in edges:
        visit(module, [])


def test_modules_do_not_hide_public_functions() -> None:
    """A module of the name of a public function would replace it when it is imported."""
    functions = {name for name in unidoku.__all__ if not isinstance(getattr(unidoku, name), type)}
    assert not functions & {name.partition(".")[0] for name in modules()}
