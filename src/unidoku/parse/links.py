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

from unidoku.errors import FormatError, InvalidPuzzleError

SITES = ("sudokuwiki", "sudoku.coach", "sudokuexchange")
"""The web sites that links open."""

_HOSTS = {"sudokuwiki.org", "sudoku.coach", "sudokuexchange.com"}
_BASE36 = frozenset("0123456789abcdefghijklmnopqrstuvwxyz")


def is_link(text: str) -> bool:
    """Test whether a text is a link to one of the sites."""
    return text.startswith(("http://", "https://")) and _host(text) in _HOSTS


def _host(text: str) -> str:
    from urllib.parse import urlsplit  # not at the top: the help of `link` needs the names of the sites alone

    try:
        return (urlsplit(text).hostname or "").removeprefix("www.")
    except ValueError:  # brackets that are not an address
        return ""


def puzzle_of(text: str) -> str:
    """Return the clues in a link, 81 characters; found digits and candidates of a position are ignored."""
    from urllib.parse import parse_qs, unquote, urlsplit

    text = text.strip()
    if is_link(text):
        parts = urlsplit(text)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        path = unquote(parts.path).strip("/")
        match _host(text):
            case "sudokuwiki.org" if "bd" in query:
                board = query["bd"]
                return _from_s9b(board[3:]) if board.startswith("S9B") else _digits(board)
            case "sudoku.coach":
                return _digits(path.rpartition("/")[2])
            case "sudokuexchange.com" if "s" in query:
                return _digits(query["s"])
    raise FormatError(f"no puzzle in the link {text[:80]!r}; expected a link of {', '.join(SITES)}")


def _digits(text: str) -> str:
    if len(text) != 81 or not set(text) <= set("0123456789."):
        raise InvalidPuzzleError(f"the link has {text[:90]!r} where 81 digits are expected")
    return text.replace("0", ".")


def _from_s9b(text: str) -> str:
    if len(text) != 162 or not set(text) <= _BASE36:
        raise InvalidPuzzleError("the position in the link does not have two characters for each of 81 cells")
    codes = [int(text[k : k + 2], 36) for k in range(0, 162, 2)]
    if not all(1 <= code <= 18 + 511 for code in codes):
        raise InvalidPuzzleError("a cell of the position in the link is invalid")
    return "".join(str(code) if code <= 9 else "." for code in codes)
