"""What shows an object: as words, as a picture, in notebooks.

That is above the object and depends on it, so it is looked up here, by class, when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

SHOWN_BY = {
    ("Diagnosis", "html"): "view.diagnose.fragment",
    ("Diagnosis", "text"): "view.diagnose.report",
    ("Grid", "svg"): "view.svg.svg",
    ("Hint", "svg"): "view.explain.picture",
    ("Hint", "text"): "rating.report.Sentences",
    ("Session", "svg"): "view.svg.svg",
    ("State", "svg"): "view.svg.svg",
    ("Step", "svg"): "view.explain.picture",
    ("Step", "text"): "rating.report.Sentences",
}
"""The function or the class that shows objects of a class in a form."""


def shown_by(shown: object, form: str) -> Any:
    """Return what shows an object as ``text``, ``svg`` or ``html``."""
    names = (SHOWN_BY.get((each.__name__, form)) for each in type(shown).__mro__)
    module, _, name = next(filter(None, names)).rpartition(".")
    return getattr(import_module(f"unidoku.{module}"), name)
