"""What the sources keep to: layers of imports, names with one meaning, one place for results of native work.

CONTRIBUTING.md has the layers: every import points to its own layer or an earlier one, and there is no cycle.
Imports inside functions and for type checkers count.  The view of an object is above it:
`unidoku._compat.view` looks it up.
"""

from __future__ import annotations

import ast
from collections import defaultdict
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
UNGUESSABLE = {
    *("Said", "Made", "Attempts", "Outcome", "Report", "PlacedColumns", "Found", "Outer", "Page", "Forms"),
    *("Lists", "Strings", "Cells", "Kind", "ROW", "EACH", "_EITHER"),
    *("doubts", "former", "is_harmless", "is_nearly_puzzle", "_along", "asked_in", "said_in", "text_said"),
    *("is_talk", "value_of", "uses_of", "faults", "is_its_own", "proper", "hunt", "later"),
}
"""Names of classes, functions and constants that readers had to look up."""


def modules() -> dict[str, Path]:
    """Every module by its name below the package; a compiled module by its stub."""
    paths = {}
    for path in sorted([*ROOT.rglob("*.py"), *ROOT.rglob("*.pyi")]):
        parts = path.relative_to(ROOT).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


@cache
def tree_of(path: Path) -> ast.Module:
    """The parsed module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def trees() -> dict[Path, ast.Module]:
    """The parsed modules by their paths, without stubs."""
    return {path: tree_of(path) for path in sorted(ROOT.rglob("*.py"))}


def imported(path: Path, names: set[str]) -> Iterator[str]:
    """The modules that a module imports at any place."""
    for node in ast.walk(tree_of(path)):
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


def definitions(tree: ast.Module) -> Iterator[str]:
    """The classes, functions and constants of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def test_no_public_class_has_its_name_in_two_modules() -> None:
    found = defaultdict(list)
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    assert len(found) > 150
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_names_that_nobody_guessed_stay_away() -> None:
    found = {(name, path.name) for path, tree in trees().items() for name in definitions(tree)}
    assert {pair for pair in found if pair[0] in UNGUESSABLE} == set()


OUTCOMES = {
    "counting": {"count_solutions", "solve", "work", "sum_of", "__init__"},
    "craft._diagnosis": {"_proper"},
    "craft._verification": {"verify"},
    "kernel": {"chunk_of", "search", "solution_of", "verdict_of"},
    "rating._paths": {"work"},
    "rating._ratings": {"_rate_part"},
    "rating._scale": {"rate_alone"},
    "rating._steps": {"path_of"},
    "tasks._check_many": {"work"},
    "tasks._examine": {"examine"},
    "tasks._search": {"search"},
    "tasks._single": {"_grids", "count"},
    "_threads": {"call_to_end"},
}
"""The functions that hand a flag to native work themselves: its result says what of it is complete."""


def test_one_place_decides_whether_the_result_of_native_work_may_be_used() -> None:
    """Any other function passes native work to `call_to_end`."""
    found: dict[str, set[str]] = {}
    for path, tree in trees().items():
        if "stop" not in path.read_text(encoding="utf-8"):
            continue
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and _passes_flag(function):
                found.setdefault(name, set()).add(function.name)
    found.pop("tasks._speed")  # of its own: the time for a measurement
    assert found == OUTCOMES


def _passes_flag(function: ast.FunctionDef) -> bool:
    """Return whether a function itself, not one within it, calls something with ``stop=``."""
    inner = {id(part) for one in ast.walk(function) if one is not function for part in _own(one)}
    calls = [part for part in ast.walk(function) if id(part) not in inner]
    keywords = [key for call in calls if isinstance(call, ast.Call) for key in call.keywords]
    entries = [call.keys for call in calls if isinstance(call, ast.Dict)]
    names = [key.value for keys in entries for key in keys if isinstance(key, ast.Constant)]
    return "stop" in [key.arg for key in keywords] or "stop" in names


def _own(node: ast.AST) -> list[ast.AST]:
    return [*ast.walk(node)] if isinstance(node, ast.FunctionDef) else []
