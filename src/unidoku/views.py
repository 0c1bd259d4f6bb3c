"""Views of objects for notebooks and ``print``, and the lines of a report.

A view imports the class of its object, not the other way round; so an object names its view.
"""

# No annotations as texts: those of a NamedTuple are compiled, for a tenth of the time of a first call.
from importlib import import_module
from typing import Any, NamedTuple


def view(name: str, target: object, **options: Any) -> str:
    """Return the view of an object by a function of `unidoku.view`, such as ``svg.svg``."""
    module, _, function = name.partition(".")
    text: str = getattr(import_module(f"unidoku.view.{module}"), function)(target, **options)
    return text


class Line(NamedTuple):
    """One line of a report, and how it is printed where there is color.

    In a picture, places are emphasized, and spans (from a place, to a place) have a style of their own.
    """

    kind: str
    text: str
    emphasis: tuple[int, ...] = ()
    style: str = ""
    spans: tuple[tuple[int, int, str], ...] = ()
