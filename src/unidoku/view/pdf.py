"""Pages as PDF, by WeasyPrint."""

from __future__ import annotations

from unidoku.errors import Message, MissingExtraError, needs_extra

_STYLE = "<style>.unidoku-board"
"""How the style of a board begins."""

_HIDDEN = {"rc-names": ".label:not(.side)", "number-names": ".side"}
"""The labels that a page does not show, by the class of its names of cells."""


def pdf_of(page: str) -> bytes:
    """Return an HTML page as it is printed.

    Raises
    ------
    MissingExtraError
        WeasyPrint, or Pango, which it needs of the system, is not there.
    """
    with needs_extra(
        "pdf", Message("pdf needs", "a PDF needs WeasyPrint; let a browser print the .html, or")
    ):
        try:
            import weasyprint
        except OSError as error:  # of the loader of libraries
            message = Message(
                "pango", "a PDF needs Pango, a library of the system (docs/install.md); or print the .html"
            )
            raise MissingExtraError(message) from error
    content: bytes = weasyprint.HTML(string=_with_one_name(page)).write_pdf()
    return content


def _with_one_name(page: str) -> str:
    """Return a page whose boards have one name of each cell: WeasyPrint keeps its style from drawings."""
    for names, hidden in _HIDDEN.items():
        if f'<main class="{names}"' in page:
            page = page.replace(_STYLE, f"<style>.unidoku-board {hidden}{{display:none}}{_STYLE[7:]}")
    return page
