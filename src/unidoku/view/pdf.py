"""Pages as PDF, by WeasyPrint."""

from __future__ import annotations

from unidoku.errors import Message, MissingExtraError, needs_extra


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
    content: bytes = weasyprint.HTML(string=page).write_pdf()
    return content
