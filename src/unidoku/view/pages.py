"""Fill the templates of the pages; all extend ``base.html``, which has the security policy and the colors."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from unidoku.cell import cell_name
from unidoku.method.report import untag
from unidoku.view.svg import COLORS, INKS

if TYPE_CHECKING:
    from jinja2 import Environment

BELOW = 9.0
"""Puzzles of pages are rated up to this: harder steps take seconds."""


def render(name: str, *, script: str = "", **fields: Any) -> str:
    """Fill a template of this package, which shows a script of this package or none."""
    text = _source(script) if script else ""
    digest = b64encode(sha256(text.encode()).digest()).decode()
    return environment().get_template(name).render(script=text, digest=digest, **fields)


@cache
def _source(name: str) -> str:
    """Return the text of a file of this package."""
    return files("unidoku.view").joinpath(name).read_text(encoding="utf-8")


WORDS: dict[str, dict[str, dict[str, str]]] = json.loads(_source("words.json"))
"""The words by language: of all pages, of those of the method, of those of steps, and of indexes."""


@cache
def environment() -> Environment:
    """Return what finds the templates, and fills them piece by piece too."""
    from jinja2 import Environment, FunctionLoader

    environment = Environment(loader=FunctionLoader(_source), autoescape=True, keep_trailing_newline=True)
    environment.filters["cells"] = _cells
    environment.globals["colors"] = {**INKS, **COLORS}
    return environment


def _cells(text: str) -> str:
    """Return a text, escaped, with both names of its tagged cells; the style of the page shows one."""
    return untag(
        escape(text),
        lambda cell: f'<span class="number">{cell}</span><span class="rc">{cell_name(cell - 1)}</span>',
    )
