"""Pages as PDF, by WeasyPrint."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from unidoku.errors import Message, MissingExtraError, needs_extra
from unidoku.view.svg import INKS, style_sheet

_STYLE = "<style>.unidoku-board"
"""How the style of a board begins."""

_HIDDEN = {"rc-names": ".label:not(.side)", "number-names": ".side"}
"""The labels that a page does not show, by the class of its names of cells."""

_PLAIN_CAPTION = (
    "figcaption:not(:has(.name)){display:block;text-align:center}figcaption>*+*{margin-left:.4em}</style>"
)
"""A caption of a few words as a line: WeasyPrint takes five times as long for one that is flexible."""

_BOARD = re.compile(
    f"<title>[^<]*</title><desc>[^<]*</desc><style>{re.escape(style_sheet((), black=True))}</style>"
    r'<rect class="paper"[^>]*/><path class="thin"[^>]*/><path class="thick"[^>]*/>'
    r"((?:<text[^>]*>\d</text>)*)</svg>"
)
"""What is in a board of a sheet, with its digits."""

_GRID = "".join(
    f'<path d="M-1.2 180H361.2M180-1.2V361.2" stroke="{INKS[ink][2]}" stroke-width="362.4" {dashes}/>'
    for ink, dashes in (
        ("line", 'stroke-dasharray="1 39" stroke-dashoffset="-.7"'),
        ("ink", 'stroke-dasharray="2.4 117.6"'),
    )
)
"""Its lines, as the dashes of two very wide ones, which are quicker than many."""

_DIGIT = re.compile(r'<text class="(\w+)" x="(\d+)" y="(\d+)">(\d)</text>')
_PENS = {
    "given": f'stroke="{INKS["ink"][2]}" stroke-width="3.2" stroke-linejoin="round"',
    "found": f'stroke="{INKS["found"][2]}" stroke-width="1.8" stroke-linejoin="round"',
}
_STROKES = (
    (0, 0, ""),
    (-3.5, -13.6, "l4.2-3.4v17"),
    (-5, -12.6, "c.5-10.4 22-.4 0 12.6h10.4"),
    (-4.8, -14.8, "c4.8-7.2 15.3 5.6 3.8 5.6c14 0 2 15.9-4.4 6.6"),
    (2.4, 0, "v-17l-8 12.4h11.4"),
    (4.4, -17, "h-8.2l-.8 7.4c12.6-9.4 13.6 18.6-.6 7.4"),
    (3.6, -16.2, "c-5.4-2-8.6 2.4-8.6 8.8c0 9.6 10.1 9.8 10.1 2.1c0-6.6-9-7-10.1-.9"),
    (-5.3, -17, "h10.6l-6.8 17"),
    (0, -9.2, "c-13.5-10.4 13.5-10.4 0 0c-16.3 12.3 16.3 12.3 0 0"),
    (-3.6, -0.4, "c5.4 2 8.6-2.4 8.6-8.8c0-9.6-10.1-9.8-10.1-2.1c0 6.6 9 7 10.1.9"),
)
"""How each digit is drawn: where from the middle of its base line it begins, and how the pen moves."""


def pdf_of(page: str, progress: Callable[[float], object]) -> bytes:
    """Return an HTML page as it is printed; `progress` is called with the part that is done.

    Raises
    ------
    MissingExtraError
        WeasyPrint, or Pango, which it needs of the system, is not there.
    """
    with needs_extra("pdf", Message("a PDF needs WeasyPrint; let a browser print the .html, or")):
        try:
            import weasyprint
        except OSError as error:  # of the loader of libraries
            message = Message(
                "a PDF needs Pango, a library of the system (docs/install.md); or print the .html"
            )
            raise MissingExtraError(message) from error
    page = _BOARD.sub(_board, _with_one_name(page)).replace("</style>", _PLAIN_CAPTION, 1)
    with _layout_watched(lambda number: progress(min(number / max(1, page.count("<section")), 1) / 2)):
        document = weasyprint.HTML(string=page).render()
    for number, drawn in enumerate(document.pages, 1):
        drawn.paint = _and_then(drawn.paint, partial(progress, (1 + number / len(document.pages)) / 2))
    content: bytes = document.write_pdf()
    return content


def _board(match: re.Match[str]) -> str:
    """Return a board of a sheet with its digits as paths; WeasyPrint needs 0.5 ms for a text."""
    digits = dict.fromkeys(_PENS, "")
    for kind, x, y, digit in _DIGIT.findall(match[1]):
        right, down, stroke = _STROKES[int(digit)]
        digits[kind] += f"M{int(x) + right:g} {int(y) + down:g}{stroke}"
    pens = {kind: f'<path fill="none" {pen} d="{digits[kind]}"/>' for kind, pen in _PENS.items()}
    return _GRID + "".join(pens[kind] for kind, path in digits.items() if path) + "</svg>"


@contextmanager
def _layout_watched(watch: Callable[[int], object]) -> Iterator[None]:
    """Call a function with the number of each page that is laid out: WeasyPrint logs it."""
    logger = logging.getLogger("weasyprint.progress")
    level = logger.level

    def take(record: logging.LogRecord) -> bool:
        if "Creating layout - Page" in record.msg:
            watch(record.args[0])  # type: ignore[index, arg-type]
        return False

    logger.addFilter(take)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeFilter(take)
        logger.setLevel(level)


def _and_then(work: Callable[..., object], then: Callable[[], object]) -> Callable[..., None]:
    """Return a function that calls two, one after the other."""

    def both(*values: Any, **options: Any) -> None:
        work(*values, **options)
        then()

    return both


def _with_one_name(page: str) -> str:
    """Return a page whose boards have one name of each cell: WeasyPrint keeps its style from drawings."""
    for names, hidden in _HIDDEN.items():
        if f'<main class="{names}"' in page:
            page = page.replace(_STYLE, f"<style>.unidoku-board {hidden}{{display:none}}{_STYLE[7:]}")
    return page
