"""Views of objects, as words, pictures and pages, by class; and the lines of a report.

A view imports the class of its object, not the other way round; so an object looks its view up here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

VIEWS = {
    ("Diagnosis", "html"): "view.diagnose.fragment",
    ("Diagnosis", "page"): "view.diagnose.diagnose_page",
    ("Diagnosis", "text"): "view.diagnose.report",
    ("Grid", "svg"): "view.svg.svg",
    ("Grid", "text"): "view.svg.text",
    ("Hint", "svg"): "view.explain.picture",
    ("PrintedPuzzle", "page"): "view.sheets.sheets",
    ("Record", "page"): "view.explain.play_record",
    ("Session", "page"): "view.explain.play_trace",
    ("Session", "svg"): "view.svg.svg",
    ("State", "svg"): "view.svg.svg",
    ("Step", "svg"): "view.explain.picture",
    ("Path", "page"): "view.explain.play_steps",
    ("Path", "summary"): "view.explain.summary",
}
"""The function or the class of each view, by the class of the object and the form."""


def view_of(target: object, form: str) -> Any:
    """Import the view of an object, or of the objects of a class, in one of the forms of `VIEWS`."""
    kind = target if isinstance(target, type) else type(target)
    names = (VIEWS.get((base.__name__, form)) for base in kind.__mro__)
    module, _, name = next(filter(None, names)).rpartition(".")
    return getattr(import_module(f"unidoku.{module}"), name)


class Line(NamedTuple):
    """One line of a report, and how it is printed where there is color."""

    kind: str
    text: str
    emphasis: tuple[int, ...] = ()
    style: str = ""
