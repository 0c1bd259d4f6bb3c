"""No room is longer than a stranger can hold in mind, but for those of a list with their reasons."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import unidoku

ROOT = Path(unidoku.__file__).parent
MODULE, FUNCTION = 500, 60
"""The most lines of a module, and of a function without its docstring."""

LONG = {
    "view/sheets.py sheets": "what a page has, once in the signature and once in the call of its template",
}
"""What is longer, and why it is not two."""


def functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The name of each function, with its lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            text = ast.get_docstring(node, clean=False)
            lines = node.end_lineno - node.lineno + 1
            yield node.name, lines - (first.end_lineno - first.lineno + 1 if text is not None else 0)


def long_rooms() -> Iterator[str]:
    for path in sorted(ROOT.rglob("*.py")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        if text.count("\n") > MODULE:
            yield name
        yield from (
            f"{name} {function}" for function, lines in functions(ast.parse(text)) if lines > FUNCTION
        )


def test_rooms_are_short() -> None:
    assert {*long_rooms()} == LONG.keys()
