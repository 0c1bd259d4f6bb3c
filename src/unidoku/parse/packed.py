"""Puzzles in links of f-puzzles and SudokuPad: JSON, packed by LZ-String into base 64.

LZ-String numbers the characters and phrases that it has seen. A number has as many bits as the table of the
reader needs, the lowest first: 0 begins a character of 8 bits, 1 one of 16, and 2 ends the text.
"""

from __future__ import annotations

import json
import re
from typing import Any

from unidoku.cell import HOUSES, HOUSES_OF, wrong_size
from unidoku.errors import InvalidPuzzleError, Message

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LONGEST = 1 << 20  # characters of an unpacked puzzle: a short link can unpack to gigabytes
_NAMES = {"ce": "cells", "v": "value", "re": "regions", "ca": "cages", "cs": "cellSize"} | {
    "l": "lines",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
}
"""The short names of SudokuPad."""
_NO_CONSTRAINTS = frozenset(
    "size title author ruleset rules successMessage solution grid id cellSize metadata metaData settings "
    "regions cells disabledlogic disabledLogic truecandidatesoptions".split()
)
"""Names in the JSON of classic puzzles."""


def pack(text: str) -> str:
    """Pack a text of ASCII as ``LZString.compressToBase64`` does, perhaps in other phrases."""
    numbers, size, bits, last, place = dict[str, int](), 3, "", "", 0

    def number(value: int, width: int) -> str:
        return f"{value:0{width}b}"[::-1]

    while place < len(text):
        phrase = text[place]
        if phrase in numbers:
            end = place + 2
            while end <= len(text) and text[place:end] in numbers:
                phrase, end = text[place:end], end + 1
            bits += number(numbers[phrase], size.bit_length())
        else:
            bits += number(0, size.bit_length()) + number(ord(phrase), 8)
            numbers[phrase], size = size, size + 1
        if last:
            numbers[last + phrase[0]], size = size, size + 1
        last, place = phrase, place + len(phrase)
    bits += number(2, size.bit_length()) + "0"  # LZ-String's reader looks at a bit after the end
    bits += "0" * (-len(bits) % 6)
    signs = "".join(_BASE64[int(bits[k : k + 6], 2)] for k in range(0, len(bits), 6))
    return signs + "=" * (-len(signs) % 4)


def unpack(packed: str) -> str:
    """Return the text that ``LZString.compressToBase64`` has packed; ValueError or IndexError if damaged."""
    bits = "".join(f"{_BASE64.index(sign):06b}" for sign in packed.rstrip("="))
    phrases, last, parts, place, length = ["", "", ""], "", list[str](), 0, 0

    def number(width: int) -> int:
        nonlocal place
        place += width
        return int(bits[place - width : place][::-1], 2)

    while (code := number(len(phrases).bit_length())) != 2:
        if code < 2:
            phrases.append(chr(number(8 << code)))
            code = len(phrases) - 1
        phrase = last + last[0] if code == len(phrases) else phrases[code]
        length += len(phrase)
        if length > _LONGEST:
            raise ValueError
        if last:
            phrases.append(last + phrase[0])
        parts.append(phrase)
        last = phrase
    return "".join(parts)


def packed_cells(cells: str) -> str:
    """Pack the clues of a puzzle as f-puzzles does."""
    values = [{} if cell in ".0" else {"value": int(cell), "given": True} for cell in cells]
    grid = [values[k : k + 9] for k in range(0, 81, 9)]
    return pack(json.dumps({"size": 9, "grid": grid}, separators=(",", ":")))


def cells_in(packed: str) -> str:
    """Return the clues of a packed puzzle; refuse one with more rules, and name one of them."""
    try:
        puzzle = _object_in(unpack(packed))
        rows = puzzle.get("grid") or puzzle["cells"]
        cells = [cell or {} for row in rows for cell in row]
        constraints = _constraints_of(puzzle, cells)
        clues = [
            str(cell.get("value") or "") if "grid" not in puzzle or cell.get("given") else ""
            for cell in cells
        ]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise InvalidPuzzleError(Message("the puzzle in the link is damaged; copy the link again")) from None
    if len(cells) != 81:
        raise InvalidPuzzleError(wrong_size(len(cells)), line=1)
    if constraints:
        text = "the puzzle has {constraint}; unidoku reads links to puzzles without additional rules"
        raise InvalidPuzzleError(Message(text, constraint=constraints[0]))
    return "".join(clue if clue in set("123456789") else "." for clue in clues)


def _object_in(text: str) -> dict[str, Any]:
    """Return the object of a JSON text, or of SudokuPad's shortened JSON."""
    if not text.startswith('{"'):
        text = text.replace('"', "").replace("\\'", "’").replace("'", '"').replace("’", "'")
        text = re.sub(r"([,{\[])(\w+):", r'\1"\2":', text)
        text = re.sub(r"(?<=[,\[])(?=[,\]])", "{}", text)
        text = re.sub(r":(#\w|[0-9a-fA-F]{6})(?=[,}\]])", r':"\1"', text)
        text = re.sub(r":([ft])(?=[,}\]])", lambda match: ":true" if match[1] == "t" else ":false", text)
    puzzle: dict[str, Any] = json.loads(
        text, object_pairs_hook=lambda pairs: {_NAMES.get(name, name): value for name, value in pairs}
    )
    return puzzle


def _constraints_of(puzzle: dict[str, Any], cells: list[Any]) -> list[str]:
    """Return the names of what a classic puzzle does not have."""
    about = puzzle.get("metadata") or puzzle.get("metaData") or {}
    names = [name for name, value in about.items() if value is True]
    names += [name for name, value in puzzle.items() if value and name not in {"cages", *_NO_CONSTRAINTS}]
    if any(cage.get("cells") for cage in puzzle.get("cages") or ()):  # without cells: a title, an author
        names.append("cages")
    regions = {
        frozenset(9 * row + column for row, column in region) for region in puzzle.get("regions") or ()
    }
    has_own_regions = any(
        cell.get("region", box - 18) != box - 18 for cell, (_, _, box) in zip(cells, HOUSES_OF, strict=False)
    )
    if has_own_regions or not regions <= {*map(frozenset, HOUSES[18:])}:
        names.append("regions")
    return names
