"""Links to sites that open a puzzle.

A link has 81 cells in its path, query or fragment, or the position of SudokuWiki: ``S9B`` and two base-36
digits a cell. The number of a cell is 1 to 9 for a clue, 9 plus a found digit, or 18 plus the set of
candidates (bit d - 1 for digit d). Checked against published positions of the site. Links of f-puzzles and
SudokuPad have a packed puzzle, or only its name.
"""

from __future__ import annotations

import re

from unidoku._parse.patterns import pattern
from unidoku.cell import wrong_size
from unidoku.errors import InvalidPuzzleError, Reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unidoku._parse.board import Board

SITES = {
    "sudokuwiki": "https://www.sudokuwiki.org/sudoku.htm?bd=",
    "sudoku.coach": "https://sudoku.coach/en/play/",
    "sudokuexchange": "https://sudokuexchange.com/play/?s=",
    "f-puzzles": "https://f-puzzles.com/?load=",
    "sudokupad": "https://sudokupad.app/fpuzzles",
    "crackingthecryptic": "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles",
}
"""The web sites that links open, and the links without the puzzle at their end."""
_PACKING = ("f-puzzles.com", "sudokupad.app", "beta.sudokupad.app", "app.crackingthecryptic.com")
_HOSTS = ("sudokuwiki.org", "sudoku.coach", "sudokuexchange.com", *_PACKING)
_PACKED = r"(?:[?&]load=|[/=](?:fpuz(?:zles)?|scl|ctc))([A-Za-z0-9+/ ]{20,})"
_LINK = pattern(r"\s*[A-Za-z]+://\S+\s*")
_POSITION = pattern(r"S9B([0-9A-Za-z]{162})(?![0-9A-Za-z])")
_RUN = "[0-9.*_xX?-]{60,}"  # cells that are meant as 81


def is_link(text: str, hosts: Sequence[str] = _HOSTS) -> bool:
    """Test whether a text is a link to one of the sites, which is not opened as a file."""
    scheme, _, rest = text.strip().partition("://")
    host = rest.partition("/")[0].partition("?")[0].lower().removeprefix("www.")
    return host in hosts and scheme.lower() in {"http", "https"}


def link_to(site: str, cells: str) -> str:
    """Return a link that opens a puzzle on one of the SITES."""
    if SITES[site].partition("://")[2].partition("/")[0] not in _PACKING:
        return SITES[site] + cells.replace(".", "0")
    from unidoku._parse.packed import packed_cells  # not at the top: `is_link` is asked for every argument

    return SITES[site] + packed_cells(cells)


def board_in(text: str) -> Board | None:
    """Return the board of a text that is a link or a position of SudokuWiki; None for any other text."""
    # not at the top: `is_link` is asked for every argument
    from unidoku._parse.board import ANY, NO_PUZZLE, Board

    if match := _POSITION.search(text):
        codes = [int(match[1][k : k + 2], 36) for k in range(0, 162, 2)]
        if not {*codes} <= {*range(1, 19 + ANY)}:
            return None
        cells = "".join(str(code) if code < 10 else "." for code in codes)
        if {*codes} <= {*range(10), 18 + ANY}:
            return Board(cells, 0, 1)
        return Board(cells, 0, 1, (*(1 << (code - 1) % 9 if code <= 18 else code - 18 for code in codes),))
    if not _LINK.fullmatch(text):
        return None
    from urllib.parse import unquote

    from unidoku._parse.lines import dotted

    if is_link(text, _PACKING):
        from unidoku._parse.packed import unpacked_cells

        packed = re.search(_PACKED, unquote(text))
        if packed is None:
            said = "the link has only the name of a puzzle; open it, and copy its digits or an f-puzzles link"
            raise InvalidPuzzleError(Reason("unsupported", said), line=1)
        return Board(unpacked_cells(packed[1].replace(" ", "+")), 0, 1)
    parts = re.findall(_RUN, unquote(text))
    boards = {*map(dotted, parts)}
    cells = boards.pop() if len(boards) == 1 else ""
    if not cells:
        count = sum(map(len, parts)) or sum(map(str.isdigit, text))
        raise InvalidPuzzleError(wrong_size(count), line=1)
    if "." not in cells and "&" in text:  # another parameter may be the place of its puzzle
        raise InvalidPuzzleError(NO_PUZZLE)
    return Board(cells, 0, 1)
