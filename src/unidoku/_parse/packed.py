"""Puzzles in links of f-puzzles and SudokuPad: JSON, packed by LZ-String into base 64.

LZ-String numbers the characters and phrases that it has seen. A number has as many bits as the table of the
reader needs, the lowest first: 0 begins a character of 8 bits, 1 one of 16, and 2 ends the text.
"""

from __future__ import annotations

import json
import re
from typing import Any

from unidoku.cell import HOUSES, HOUSES_OF, rows_of, wrong_size
from unidoku.errors import InvalidPuzzleError, Reason

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LONGEST = 1 << 20  # characters of an unpacked puzzle: a short link can unpack to gigabytes
_NAMES = {"ce": "cells", "v": "value", "re": "regions", "ca": "cages", "cs": "cellSize"} | {
    "l": "lines",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "metaData": "metadata",
}
"""The short names of SudokuPad."""
_USUAL = frozenset(
    "size title author ruleset rules successMessage solution grid id cellSize metadata settings "
    "regions cages cells disabledlogic disabledLogic truecandidatesoptions "
    "value given region c cArray color colors highlight candidates centerPencilMarks cornerPencilMarks "
    "pencilMarks pm centremarks cornermarks".split()
)
"""Names in the JSON of classic puzzles, and in its cells: digits, colours, and the marks of a player."""
_DIGITS = frozenset("123456789")


def pack(text: str) -> str:
    """Pack a text as ``LZString.compressToBase64`` does, bit for bit."""
    numbers, unsaid = dict[str, int](), set[str]()
    bits, phrase, width, left = list[str](), "", 2, 2

    def say(number: int, size: int) -> None:
        bits.append(f"{number:0{size}b}"[::-1])

    def grow() -> None:
        """Widen the numbers as soon as the reader's table needs it."""
        nonlocal width, left
        left -= 1
        if not left:
            left, width = 1 << width, width + 1

    def say_phrase() -> None:
        if phrase in unsaid:
            is_wide = ord(phrase) > 255
            say(int(is_wide), width)
            say(ord(phrase), 16 if is_wide else 8)
            unsaid.remove(phrase)
            grow()
        else:
            say(numbers[phrase], width)
        grow()

    for sign in text:
        if sign not in numbers:
            numbers[sign] = len(numbers) + 3
            unsaid.add(sign)
        if phrase + sign in numbers:
            phrase += sign
            continue
        say_phrase()
        numbers[phrase + sign] = len(numbers) + 3
        phrase = sign
    say_phrase()
    say(2, width)
    packed = "".join(bits) + "0"  # LZ-String's reader looks at a bit after the end
    packed += "0" * (-len(packed) % 6)
    signs = "".join(_BASE64[int(packed[k : k + 6], 2)] for k in range(0, len(packed), 6))
    return signs + "=" * (-len(signs) % 4)


def unpack(packed: str) -> str:
    """Return the text that ``LZString.compressToBase64`` has packed; ValueError or IndexError if damaged.

    Nearly every damage leaves other bits than LZ-String writes for what they seem to say.
    """
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
    text = "".join(parts)
    if pack(text).rstrip("=") != packed.rstrip("="):
        raise ValueError
    return text


def packed_cells(cells: str) -> str:
    """Pack the clues of a puzzle as f-puzzles does."""
    values = [{} if cell in ".0" else {"value": int(cell), "given": True} for cell in cells]
    return pack(json.dumps({"size": 9, "grid": rows_of(values)}, separators=(",", ":")))


def unpacked_cells(packed: str) -> str:
    """Return the clues of a packed puzzle; refuse one with more rules, and name one of them."""
    try:
        puzzle = _object_in(unpack(packed))
        rows = puzzle.get("grid") or puzzle["cells"]
        cells = [{} if cell is None else cell for row in rows for cell in row]
        constraints = _constraints_of(puzzle, cells)
        if {*map(len, rows), puzzle.get("size", len(rows))} != {len(rows)}:
            constraints.append("rows of other lengths")
        clues = "".join(_clue_in(cell, has_players="grid" in puzzle) for cell in cells)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise InvalidPuzzleError(
            Reason("damaged", "the puzzle in the link is damaged; copy the link again")
        ) from None
    if len(cells) != 81:
        raise InvalidPuzzleError(wrong_size(len(cells)), line=1)
    if constraints:
        text = "the puzzle has {constraint}; unidoku reads links to puzzles without additional rules"
        raise InvalidPuzzleError(Reason("unsupported", text, constraint=constraints[0]))
    return clues


def _clue_in(cell: dict[str, Any], *, has_players: bool) -> str:
    """Return the clue of a cell, or a dot; f-puzzles marks clues as given, because it has players' digits."""
    value, given = cell.get("value"), cell.get("given")
    if value is None and not given:
        return "."
    if str(value) not in _DIGITS or given not in {True, False, None}:
        raise ValueError
    return "." if has_players and not given else str(value)


def _object_in(text: str) -> dict[str, Any]:
    """Return the object of a JSON text, or of SudokuPad's shortened JSON."""
    if not text.startswith('{"'):
        text = text.replace('"', "").replace("\\'", "’").replace("'", '"').replace("’", "'")
        text = re.sub(r"([,{\[])(\w+):", r'\1"\2":', text)
        text = re.sub(r"(?<=[,\[])(?=[,\]])", "{}", text)
        text = re.sub(r":(#\w|[0-9a-fA-F]{6})(?=[,}\]])", r':"\1"', text)
        text = re.sub(r":t(?=[,}\]])", ":true", text)
        text = re.sub(r":f(?=[,}\]])", ":false", text)
    puzzle: dict[str, Any] = json.loads(text, object_pairs_hook=_with_names)
    return puzzle


def _with_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with long names; a name without a value is left out, one with two is an error."""
    named = [(_NAMES.get(name, name), value) for name, value in pairs if value is not None]
    values = dict(named)
    if len(values) < len(named):
        raise ValueError
    return values


def _constraints_of(puzzle: dict[str, Any], cells: list[Any]) -> list[str]:
    """Return the names of what a classic puzzle does not have."""
    names = [name for name, value in puzzle.get("metadata", {}).items() if value is True]
    for part in (puzzle, *cells):
        names += [name for name, value in part.items() if value and name not in _USUAL]
    # a cage without cells is a title or an author
    names += ["cages" for cage in puzzle.get("cages", ()) if cage.get("cells")]
    boxes = {*map(frozenset, HOUSES[18:])}
    regions = [frozenset(9 * row + column for row, column in one) for one in puzzle.get("regions", ())]
    shifts = [
        cell.get("region", box - 18) - box + 18 for cell, (_, _, box) in zip(cells, HOUSES_OF, strict=False)
    ]
    if any(shifts) or not boxes.issuperset(regions):
        names.append("regions")
    return names
