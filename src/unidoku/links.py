"""Links that open a puzzle on a web site: make and read them, without the network.

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

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote, urlsplit

from unidoku.arguments import SITES
from unidoku.errors import FormatError, InvalidPuzzleError, UnidokuError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

CANDIDATE_SITES = ("sudokuwiki", "fpuzzles", "sudokupad")
"""The sites that show candidates."""

_PADS = {"sudokupad.app", "beta.sudokupad.app", "app.crackingthecryptic.com"}
_HOSTS = {"sudokuwiki.org", "sudoku.coach", "sudokuexchange.com", "f-puzzles.com"} | _PADS

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_MOST_TEXT = 1 << 20  # characters of JSON in a link
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def site_link(
    cells: bytes, givens: bytes, site: str, candidates: Mapping[int, Collection[int]] | None = None
) -> str:
    """Return a link to a position of values 0 to 9; `unidoku.link` takes puzzles in every form."""
    clues = "".join(map(str, givens))
    if site == "sudokuwiki":
        known = clues if candidates is None else _s9b(cells, givens, candidates)
        return f"https://www.sudokuwiki.org/sudoku.htm?bd={known}"
    if site == "sudoku.coach":
        return f"https://sudoku.coach/en/play/{clues}"
    if site == "sudokuexchange":
        return f"https://sudokuexchange.com/play/?s={clues}"
    data = json.dumps(_f_puzzle(cells, givens, candidates or {}), separators=(",", ":"))
    packed = _compress(data)
    if site == "fpuzzles":
        return f"https://f-puzzles.com/?load={quote(packed, safe='')}"
    return f"https://sudokupad.app/fpuz{quote(packed, safe='')}"


def is_link(text: str) -> bool:
    """Test whether a text is a link to one of the sites."""
    return text.startswith(("http://", "https://")) and _host(text) in _HOSTS


def _host(text: str) -> str:
    try:
        return (urlsplit(text).hostname or "").removeprefix("www.")
    except ValueError:  # brackets that are not an address
        return ""


def puzzle_of(text: str) -> str:
    """Return the clues in a link, 81 characters; found digits and candidates of a position are ignored."""
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


def _s9b(values: Sequence[int], givens: Sequence[int], candidates: Mapping[int, Collection[int]]) -> str:
    codes = []
    for cell, value in enumerate(values):
        if value:
            codes.append(value if givens[cell] else value + 9)
        else:
            codes.append(18 + sum(1 << digit - 1 for digit in candidates.get(cell, range(1, 10))))
    return "S9B" + "".join(_DIGITS[code // 36] + _DIGITS[code % 36] for code in codes)


def _from_s9b(text: str) -> str:
    if len(text) != 162 or not set(text) <= set(_DIGITS):
        raise InvalidPuzzleError("the position in the link does not have two characters for each of 81 cells")
    codes = [int(text[k : k + 2], 36) for k in range(0, 162, 2)]
    if not all(1 <= code <= 18 + 511 for code in codes):
        raise InvalidPuzzleError("a cell of the position in the link is invalid")
    return "".join(str(code) if code <= 9 else "." for code in codes)


def _f_puzzle(
    values: Sequence[int], givens: Sequence[int], candidates: Mapping[int, Collection[int]]
) -> dict[str, object]:
    cells: list[dict[str, object]] = []
    for cell, value in enumerate(values):
        if value:
            cells.append({"value": value, "given": True} if givens[cell] else {"value": value})
        else:
            marks = sorted(candidates.get(cell, ()))
            cells.append({"centerPencilMarks": marks} if marks else {})
    return {"size": 9, "grid": [cells[9 * row : 9 * row + 9] for row in range(9)]}


def _from_f_puzzle(packed: str) -> str:
    try:
        data = json.loads(_decompress(packed))
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


def _compress(text: str) -> str:
    bits: list[int] = []

    def put(value: int, count: int) -> None:
        bits.extend(value >> k & 1 for k in range(count))

    phrases: dict[str, int] = {}
    fresh: set[str] = set()  # characters whose first use is still to be written
    width, free = 2, 2

    def grow() -> None:
        nonlocal width, free
        free -= 1
        if free == 0:
            free = 1 << width
            width += 1

    def write(phrase: str) -> None:
        if phrase in fresh:
            code = ord(phrase)
            put(int(code > 255), width)
            put(code, 16 if code > 255 else 8)
            fresh.remove(phrase)
            grow()
        else:
            put(phrases[phrase], width)
        grow()

    phrase = ""
    for character in text:
        if character not in phrases:
            phrases[character] = len(phrases) + 3
            fresh.add(character)
        if phrase + character in phrases:
            phrase += character
            continue
        write(phrase)
        phrases[phrase + character] = len(phrases) + 3
        phrase = character
    if phrase:
        write(phrase)
    put(2, width)
    bits += [0] * (6 - len(bits) % 6)
    sixes = (bits[k : k + 6] for k in range(0, len(bits), 6))
    packed = "".join(_BASE64[int("".join(map(str, six)), 2)] for six in sixes)
    return packed + "=" * (-len(packed) % 4)


def _decompress(packed: str) -> str:
    """Decompress an LZ-string in base 64."""
    values = [_BASE64.find(character) for character in packed.replace(" ", "+").rstrip("=")]
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
