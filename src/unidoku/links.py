"""Links that open a puzzle on a web site, and how to read them, without the network.

==================  ======================================================================================
``sudokuwiki``      ``…/sudoku.htm?bd=`` and 81 digits, 0 for an empty cell; or ``S9B`` and two base-36
                    digits per cell: 1 to 9 for a clue, 9 plus a found digit, or 18 plus the set of candidates
                    (bit d - 1 for digit d). Checked against published positions of the site.
``sudoku.coach``    ``…/en/play/`` and 81 digits.
``sudokuexchange``  ``…/play/?s=`` and 81 digits.
``fpuzzles``        ``…/?load=`` and a JSON object ``{size, grid: [[{value, given}]]}``, compressed with
                    LZ-string and written in base 64.
``sudokupad``       ``…/fpuz`` and the same as for f-puzzles.
==================  ======================================================================================
"""

from __future__ import annotations

from unidoku.errors import FormatError, InvalidPuzzleError, UnidokuError

SITES = ("sudokuwiki", "sudoku.coach", "sudokuexchange", "fpuzzles", "sudokupad")
"""The web sites that links open."""

_PADS = {"sudokupad.app", "beta.sudokupad.app", "app.crackingthecryptic.com"}
_HOSTS = {"sudokuwiki.org", "sudoku.coach", "sudokuexchange.com", "f-puzzles.com"} | _PADS

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_MOST_TEXT = 1 << 20  # characters of JSON in a link
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


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
        query = {key: values[0] for key, values in parse_qs(parts.query.replace("+", "%2B")).items()}
        path = unquote(parts.path).strip("/")
        match _host(text):
            case "sudokuwiki.org" if "bd" in query:
                board = query["bd"]
                return _from_s9b(board[3:]) if board.startswith("S9B") else _digits(board)
            case "sudoku.coach":
                return _digits(path.rpartition("/")[2])
            case "sudokuexchange.com" if "s" in query:
                return _digits(query["s"])
            case "f-puzzles.com" if "load" in query:
                return _from_f_puzzle(query["load"])
            case host if host in _PADS:
                place = query.get("puzzleid", path)
                before, found, packed = place.partition("fpuz")
                if found and before in {"", "sudoku/"}:
                    return _from_f_puzzle(packed.removeprefix("zles"))
    raise FormatError(f"no puzzle in the link {text[:80]!r}; expected a link of {', '.join(SITES)}")


def _digits(text: str) -> str:
    if len(text) != 81 or not set(text) <= set("0123456789."):
        raise InvalidPuzzleError(f"the link has {text[:90]!r} where 81 digits are expected")
    return text.replace("0", ".")


def _from_s9b(text: str) -> str:
    if len(text) != 162 or not set(text) <= set(DIGITS):
        raise InvalidPuzzleError("the position in the link does not have two characters for each of 81 cells")
    codes = [int(text[k : k + 2], 36) for k in range(0, 162, 2)]
    if not all(1 <= code <= 18 + 511 for code in codes):
        raise InvalidPuzzleError("a cell of the position in the link is invalid")
    return "".join(str(code) if code <= 9 else "." for code in codes)


def _from_f_puzzle(packed: str) -> str:
    from json import loads

    try:
        data = loads(decompressed(packed))
        rows = data["grid"]
        cells = [cell for row in rows for cell in row]
        size = data.get("size", 9)
        clues = [int(cell.get("value") or 0) if cell.get("given") else 0 for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidPuzzleError("the data in the link is not a puzzle of f-puzzles") from error
    if size != 9 or len(cells) != 81 or not all(0 <= clue <= 9 for clue in clues):
        raise InvalidPuzzleError(f"the puzzle in the link has {len(cells)} cells; only 9 x 9 is supported")
    return "".join(str(clue) if clue else "." for clue in clues)


# LZ-string: LZ78 whose dictionary grows by a phrase per symbol. A symbol has as many bits as the dictionary
# needs, lowest bit first, six bits to a base-64 character. A new character is 0 and 8 bits or 1 and 16 bits;
# 2 ends the data.


def decompressed(packed: str) -> str:
    """Decompress an LZ-string in base 64."""
    values = [BASE64.find(character) for character in packed.replace(" ", "+").rstrip("=")]
    if -1 in values:
        raise UnidokuError("not base 64")
    bits = [value >> k & 1 for value in values for k in range(5, -1, -1)]
    at = 0

    def take(count: int) -> int:
        nonlocal at
        at += count
        if at > len(bits):
            raise UnidokuError("the data end early")
        return sum(bit << k for k, bit in enumerate(bits[at - count : at]))

    phrases: dict[int, str] = {}
    width, free = 2, 1  # bits of a symbol; phrases until it takes one more

    def keep(phrase: str) -> None:
        nonlocal width, free
        phrases[len(phrases) + 3] = phrase
        free -= 1
        if free == 0:
            free = 1 << width
            width += 1

    before = ""
    out: list[str] = []
    length = 0
    while (code := take(width)) != 2:
        if code < 2:
            keep(chr(take(16 if code else 8)))
            code = len(phrases) + 2
        if code in phrases:
            entry = phrases[code]
        elif code == len(phrases) + 3 and before:
            entry = before + before[0]
        else:
            raise UnidokuError("the data are corrupt")
        out.append(entry)
        length += len(entry)
        if length > _MOST_TEXT:
            raise UnidokuError("the text is too long")
        if before:
            keep(before + entry[0])
        before = entry
    return "".join(out)
