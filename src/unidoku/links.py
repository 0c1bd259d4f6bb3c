"""Make links that open a puzzle on a web site, and read puzzles from such links, without the network.

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
from urllib.parse import quote

from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.linked import BASE64, DIGITS, SITES, is_link, puzzle_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from unidoku.grid import PuzzleLike

__all__ = ["CANDIDATE_SITES", "SITES", "is_link", "link", "puzzle_of"]

CANDIDATE_SITES = ("sudokuwiki", "fpuzzles", "sudokupad")
"""The sites that show candidates."""


def link(
    values: PuzzleLike,
    site: str,
    *,
    givens: PuzzleLike | None = None,
    candidates: Mapping[int, Collection[int]] | None = None,
) -> str:
    """Return a link that opens a puzzle or a position.

    Parameters
    ----------
    values : Grid, str, bytes or array of 81 integers
        As `unidoku.Grid` accepts it.
    site : str
        One of `SITES`.
    givens : Grid, str, bytes or array of 81 integers, optional
        The clues, if `values` has found digits too; by default all values are clues.
    candidates : mapping of cell 0 to 80 to digits, optional
        Candidates of empty cells; ``sudokuwiki``, ``fpuzzles`` and ``sudokupad`` show them.

    Returns
    -------
    str

    Raises
    ------
    InvalidPuzzleError
        `values` or `givens` is not a puzzle, or a clue is not among the values.
    ValueError
        The site is unknown.
    """
    if site not in SITES:
        raise ValueError(f"invalid site {site!r}; choose from: {', '.join(SITES)}")
    cells = Grid(values).cells
    given = cells if givens is None else Grid(givens).cells
    for cell, clue in enumerate(given):
        if clue not in {0, cells[cell]}:
            raise InvalidPuzzleError(f"cell {cell + 1} holds {cells[cell]}, but its clue is {clue}")
    clues = "".join(map(str, given))
    if site == "sudokuwiki":
        known = clues if candidates is None else _s9b(cells, given, candidates)
        return f"https://www.sudokuwiki.org/sudoku.htm?bd={known}"
    if site == "sudoku.coach":
        return f"https://sudoku.coach/en/play/{clues}"
    if site == "sudokuexchange":
        return f"https://sudokuexchange.com/play/?s={clues}"
    data = json.dumps(_f_puzzle(cells, given, candidates or {}), separators=(",", ":"))
    packed = _compress(data)
    if site == "fpuzzles":
        return f"https://f-puzzles.com/?load={quote(packed, safe='')}"
    return f"https://sudokupad.app/fpuz{quote(packed, safe='')}"


def _s9b(values: Sequence[int], givens: Sequence[int], candidates: Mapping[int, Collection[int]]) -> str:
    codes = []
    for cell, value in enumerate(values):
        if value:
            codes.append(value if givens[cell] else value + 9)
        else:
            codes.append(18 + sum(1 << digit - 1 for digit in candidates.get(cell, range(1, 10))))
    return "S9B" + "".join(DIGITS[code // 36] + DIGITS[code % 36] for code in codes)


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


# LZ-string is described in `unidoku.linked`.


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
    packed = "".join(BASE64[int("".join(map(str, six)), 2)] for six in sixes)
    return packed + "=" * (-len(packed) % 4)
