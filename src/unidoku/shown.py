"""What shows an object: as words, as a picture, in notebooks.

The module that shows an object depends on the object, not the other way round; so it is looked up here, by
class, when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from importlib import import_module
from itertools import islice
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


ROWS = 10
"""How many rows of a result a notebook shows."""


def html_table(shown: Sized, names: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table for a notebook: a title, the first rows, and how many more there are."""
    from html import escape  # not at the top: its tables take time to load

    cells = [
        "".join(f"<td>{'' if value is None else escape(str(value))}</td>" for value in row)
        for row in islice(rows, ROWS)
    ]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    more = f"<p>… {len(shown) - ROWS:,} more</p>" if len(shown) > ROWS else ""
    caption = f"<caption>{escape(repr(shown)[1:-1])}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
