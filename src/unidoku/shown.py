"""What shows an object: as words, as a picture, in notebooks; and a line of a report.

The module that shows an object depends on the object, not the other way round; so it is looked up here, by
class, when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

SHOWN_BY = {
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
"""The function or the class that shows objects of a class in a form."""


def shown_by(shown: object, form: str) -> Any:
    """Return what shows an object, or those of a class, in one of the forms of `SHOWN_BY`."""
    kind = shown if isinstance(shown, type) else type(shown)
    names = (SHOWN_BY.get((each.__name__, form)) for each in kind.__mro__)
    module, _, name = next(filter(None, names)).rpartition(".")
    return getattr(import_module(f"unidoku.{module}"), name)


class Line(NamedTuple):
    """One line of a report, and how it is printed where there is color."""

    kind: str
    text: str
    emphasis: tuple[int, ...] = ()
    style: str = ""
