"""Web sites that open a puzzle by a link.

A link is read as any text: 81 cells in its path, query or fragment, or the position of SudokuWiki, ``S9B``
and two base-36 digits a cell: 1 to 9 for a clue, 9 plus a found digit, or 18 plus the set of candidates
(bit d - 1 for digit d). Checked against published positions of the site.
"""

from __future__ import annotations

SITES = {
    "sudokuwiki": "https://www.sudokuwiki.org/sudoku.htm?bd=",
    "sudoku.coach": "https://sudoku.coach/en/play/",
    "sudokuexchange": "https://sudokuexchange.com/play/?s=",
}
"""The web sites that links open, and the links without the 81 digits at their end."""

_HOSTS = ("sudokuwiki.org", "sudoku.coach", "sudokuexchange.com")


def is_link(text: str) -> bool:
    """Test whether a text is a link to one of the sites, which is not opened as a file."""
    scheme, _, rest = text.strip().partition("://")
    host = rest.partition("/")[0].partition("?")[0].lower().removeprefix("www.")
    return scheme.lower() in {"http", "https"} and host in _HOSTS
