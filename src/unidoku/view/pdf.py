"""Pages as PDF, by Typst: boards are drawings with text, and all fonts are in the file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from unidoku.errors import Message, needs_extra

_FONTS = (
    *("DejaVu Sans", "Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "Noto Sans"),
    *("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei"),
    "Libertinus Serif",  # of Typst, where the system has none of the others
)


def document(title: str, blocks: Sequence[Mapping[str, object]], lang: str) -> bytes:
    """Return a PDF of paragraphs (``text``), captions with pictures (``boards``) and numbered ``steps``."""
    return typeset("document.typ", {"title": title, "blocks": blocks, "lang": lang}, tags=True)


def typeset(name: str, data: Mapping[str, Any], *, tags: bool = False) -> bytes:
    """Return what a template of Typst makes of data; tags name the parts for screen readers, and are large.

    Raises
    ------
    MissingExtraError
        Typst is not there.
    """
    with needs_extra("pdf", Message("a PDF needs Typst; let a browser print the .html, or")):
        import typst
    fonts = typst.Fonts()
    families = {*fonts.families()}
    text = json.dumps({**data, "fonts": [family for family in _FONTS if family in families]})
    source = files("unidoku.view").joinpath(name).read_bytes()
    made = typst.compile(source, font_paths=fonts, sys_inputs={"data": text}, format="pdf", pdf_tags=tags)
    return bytes(made)
