"""The example notebook: every code cell runs, and its stored picture or table is what it shows."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

AGAIN = "jupyter nbconvert --to notebook --execute --inplace examples/notebook.ipynb"
NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "notebook.ipynb"


def run(source: str, names: dict[str, Any]) -> Any:
    """Execute a cell and return the value of its last expression, as a notebook does."""
    *statements, expression = ast.parse(source).body
    if not isinstance(expression, ast.Expr):
        statements, expression = [*statements, expression], ast.Expr(ast.Constant(None))
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(expression.value), "cell", "eval"), names)


def test_the_notebook_runs(tmp_path, monkeypatch):
    if not NOTEBOOK.is_file():
        pytest.skip("the examples are not beside the tests")
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    displays = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            value = run("".join(cell["source"]), names)
            [output] = cell["outputs"]
            for method, kind in (("_repr_svg_", "image/svg+xml"), ("_repr_html_", "text/html")):
                shown = getattr(value, method)() if hasattr(value, method) else None
                assert (shown is None) == (kind not in output["data"])
                if shown is not None:
                    assert "".join(output["data"][kind]) == shown, AGAIN
                    displays.append((type(value).__name__, shown))
    assert [name for name, _ in displays] == ["Grid", "Result", "Session", "Playback", "State", "Diagnosis"]
    assert ["<svg" in text for _, text in displays] == [True, False, True, False, True, True]
    assert displays[3][1].startswith('<iframe sandbox="allow-scripts"')
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "<script" in (tmp_path / "record.html").read_text(encoding="utf-8")
