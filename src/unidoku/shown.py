"""What shows an object: as words, as a picture, in notebooks.

The module that shows an object depends on the object, not the other way round; so it is looked up here, by
class, when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

SHOWN_BY = {
    ("Diagnosis", "html"): "view.diagnose.fragment",
    ("Diagnosis", "page"): "view.diagnose.diagnose_page",
    ("Diagnosis", "text"): "view.diagnose.report",
    ("Grid", "png"): "view.svg.png",
    ("Grid", "svg"): "view.svg.svg",
    ("Grid", "text"): "view.svg.text",
    ("Hint", "svg"): "view.explain.picture",
    ("Hint", "text"): "rating.report.Sentences",
    ("Record", "links"): "view.links.step_links",
    ("Record", "page"): "view.explain.play_record",
    ("Session", "page"): "view.explain.play_trace",
    ("Session", "svg"): "view.svg.svg",
    ("State", "svg"): "view.svg.svg",
    ("Step", "svg"): "view.explain.picture",
    ("Step", "text"): "rating.report.Sentences",
    ("Steps", "links"): "view.links.step_links",
    ("Steps", "page"): "view.explain.play_steps",
    ("Steps", "summary"): "view.explain.summary",
}
"""The function or the class that shows objects of a class in a form."""


def shown_by(shown: object, form: str) -> Any:
    """Return what shows an object in one of the forms of `SHOWN_BY`."""
    names = (SHOWN_BY.get((each.__name__, form)) for each in type(shown).__mro__)
    module, _, name = next(filter(None, names)).rpartition(".")
    return getattr(import_module(f"unidoku.{module}"), name)
