"""Pages as PDF and pictures as PNG, by Typst: boards are drawings with text, and fonts are in the file."""

from __future__ import annotations

import json
import re
import warnings
from _thread import start_new_thread
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, Literal

from unidoku._threads import TICK
from unidoku.errors import FormatError, Message, needs_extra
from unidoku.view._ink import one_ink

_FONTS = (
    *("Segoe UI", "DejaVu Sans", "Helvetica Neue", "Arial", "Liberation Sans", "Noto Sans"),
    *("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei"),
    "Libertinus Serif",  # of Typst, if the system has none of these
)
_DOTS = 192  # of an inch: two for each pixel of an SVG
_MOST = 50  # pages of a picture, which take 15 MB each
_SIGNS = b"#set text(font: json(bytes(sys.inputs.data)).fonts)\n#%b"


def document(title: str, blocks: Sequence[object], lang: str, *, black: bool = False) -> bytes:
    """Return a PDF of paragraphs, captions with pictures, lists of paragraphs, and dictionaries of ``steps``.

    A picture that is not in a list is as wide as the page; None begins a page. If black, pictures without
    colours are printed with one ink.
    """
    if black:
        blocks = _in_one_ink(blocks)
    return b"".join(typeset("document.typ", {"title": title, "blocks": blocks, "lang": lang}, tags=True))


def png(picture: str | bytes) -> bytes:
    """Return an SVG as PNG, with two dots for each of its pixels; or the pages of a PDF, below each other."""
    if isinstance(picture, str):
        return b"".join(typeset("png.typ", {"svg": picture}, form="png"))
    pages = max(map(int, re.findall(rb"/Type\s*/Pages\b[^>]*/Count (\d+)", picture)))
    if pages > _MOST:
        text = "a picture shows at most {most} pages, not {n}; write a PDF"
        raise FormatError(Message(text, most=_MOST, n=pages))
    with TemporaryDirectory() as folder:
        Path(folder, "pages.pdf").write_bytes(picture)
        return b"".join(typeset("pages.typ", {"pages": pages}, form="png", root=folder))


def _in_one_ink(value: Any) -> Any:
    """Return the values of a document with each SVG as a drawing in one ink."""
    if isinstance(value, str):
        return one_ink(value) if value.startswith("<svg ") else value
    if isinstance(value, Mapping):
        return {name: _in_one_ink(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_in_one_ink, value)]
    return value


def typeset(
    name: str,
    data: Mapping[str, Any],
    *,
    tags: bool = False,
    form: Literal["pdf", "png"] = "pdf",
    root: str | None = None,
) -> Iterator[bytes]:
    """Yield what a template of Typst makes of data; before it, while Typst works, nothing now and then.

    So Ctrl-C ends it. Tags name the parts for screen readers, and are large. The folder ``root`` has files
    that the template names.

    Raises
    ------
    MissingExtraError
        Typst is not there.
    """
    with needs_extra("pdf", Message("PDF and PNG need Typst (or write .html or .svg)")):
        import typst
    fonts = typst.Fonts()
    families = {*fonts.families()}
    text = json.dumps(
        {**data, "fonts": [family for family in _FONTS if family in families]}, ensure_ascii=False
    )
    pictures, source = (files("unidoku.view").joinpath(each).read_bytes() for each in ("picture.typ", name))
    options: dict[str, Any] = {"font_paths": fonts, "sys_inputs": {"data": text}, "root": root}
    signs = {sign for sign in text if sign.isprintable() and not sign.isascii()}
    letters_first = "".join(sorted(signs, key=lambda sign: (not sign.isalpha(), sign)))
    shown = _SIGNS % json.dumps(letters_first, ensure_ascii=False).encode()
    try:
        # the standard demands a picture of each sign
        typst.compile(shown, **options, format="pdf", pdf_standards="a-2b")
    except typst.TypstError as error:
        sign = next(iter(re.findall('`"(.)"`', error.message)), letters_first)
        warning = "no installed font has the character {sign}; install a font that has it, or print the .html"
        warnings.warn(Message(warning, sign=sign), stacklevel=2)
    made: SimpleQueue[bytes | BaseException] = SimpleQueue()

    def work() -> None:
        try:
            made.put(typst.compile(pictures + source, **options, format=form, ppi=_DOTS, pdf_tags=tags))
        except BaseException as error:  # it is raised where the caller waits
            made.put(error)

    start_new_thread(work, ())
    result: bytes | BaseException = b""
    while not result:
        yield b""
        with suppress(Empty):
            result = made.get(timeout=TICK)
    if isinstance(result, BaseException):
        raise result
    yield result
