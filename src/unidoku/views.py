"""Views of objects, as words, pictures and pages, by class; and the lines of a report.

A view imports the class of its object, not the other way round; so an object looks its view up here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

VIEWS = {
    ("Diagnosis", "html"): "view.diagnose.fragment",
    ("Diagnosis", "text"): "view.diagnose.report",
    ("Grid", "svg"): "view.svg.svg",
    ("Hint", "svg"): "view.explain.picture",
    ("Session", "svg"): "view.svg.svg",
    ("State", "svg"): "view.svg.svg",
    ("Step", "svg"): "view.explain.picture",
}
"""The function of each view, by the class of the object and the form."""


def view_of(target: object, form: str) -> Any:
    """Import the view of an object in one of the forms of `VIEWS`."""
    names = (VIEWS.get((base.__name__, form)) for base in type(target).__mro__)
    module, _, name = next(filter(None, names)).rpartition(".")
    return getattr(import_module(f"unidoku.{module}"), name)


class Line(NamedTuple):
    """One line of a report, and how it is printed where there is color."""

    kind: str
    text: str
    emphasis: tuple[int, ...] = ()
    style: str = ""
