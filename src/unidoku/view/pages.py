"""Templates of the pages: all extend ``base.html``, which has the security policy and the colors."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["markup", "render", "source"]


def source(name: str) -> str:
    """The text of a template or script of this package."""
    return files("unidoku.view").joinpath(name).read_text(encoding="utf-8")


def markup(text: str) -> Any:
    """Text that goes into a page as it is; everything else is escaped."""
    from markupsafe import Markup

    return Markup(text)


def render(name: str, **fields: Any) -> str:
    """Fill a template of this package."""
    return _environment().get_template(name).render(**fields)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader

    return Environment(loader=FunctionLoader(source), autoescape=True)
