"""Links that open a puzzle on a web site, and how to read them, without the network.

==================  ======================================================================================
``sudokuwiki``      ``…/sudoku.htm?bd=`` and 81 digits, 0 for an empty cell. Also read: ``S9B`` and two
                    base-36 digits per cell: 1 to 9 for a clue, 9 plus a found digit, or 18 plus the set of
                    candidates (bit d - 1 for digit d). Checked against published positions of the site.
``sudoku.coach``    ``…/en/play/`` and 81 digits.
``sudokuexchange``  ``…/play/?s=`` and 81 digits.
==================  ======================================================================================
"""

from __future__ import annotations

import re

from unidoku.errors import FormatError, InvalidPuzzleError

SITES = {
    "sudokuwiki": "https://www.sudokuwiki.org/sudoku.htm?bd=",
    "sudoku.coach": "https://sudoku.coach/en/play/",
    "sudokuexchange": "https://sudokuexchange.com/play/?s=",
}
"""The web sites that links open, and the links without the 81 digits at their end."""

_SITE = re.compile(
    r"https?://(?:www\.)?(?:sudokuwiki\.org|sudoku\.coach|sudokuexchange\.com)(?![\w.-])", re.I
)
_PUZZLE = re.compile(
    r"[^/]*//(?:\w*\.?sudoku\.coach/(?:[^?#]*/)?(?=[^/])|[^?#]*\?(?:[^#]*&)?(?:bd|s)=)([^&#?/]*)", re.I
)
_BASE36 = re.compile(r"[0-9a-z]{162}")


def is_link(text: str) -> bool:
    """Test whether a text is a link to one of the sites."""
    return _SITE.match(text) is not None


def puzzle_of(text: str) -> str:
    """Return the clues in a link, 81 characters; found digits and candidates of a position are ignored."""
    match = _PUZZLE.match(text.strip()) if is_link(text.strip()) else None
    if match is None:
        raise FormatError(f"no puzzle in the link {text[:80]!r}; expected a link of {', '.join(SITES)}")
    board = match[1]
    if board.startswith("S9B"):
        return _from_s9b(board[3:])
    if len(board) != 81 or not set(board) <= set("0123456789."):
        raise InvalidPuzzleError(f"the link has {board[:90]!r} where 81 digits are expected")
    return board.replace("0", ".")


def _from_s9b(text: str) -> str:
    if not _BASE36.fullmatch(text):
        raise InvalidPuzzleError("the position in the link does not have two characters for each of 81 cells")
    codes = [int(text[k : k + 2], 36) for k in range(0, 162, 2)]
    if not all(1 <= code <= 18 + 511 for code in codes):
        raise InvalidPuzzleError("a cell of the position in the link is invalid")
    return "".join(str(code) if code <= 9 else "." for code in codes)
