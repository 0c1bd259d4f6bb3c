"""The report `link`: links that open a puzzle, or the positions before its steps, on a web site.

`unidoku.links` has the forms of the links, and reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from unidoku.arguments import one_of
from unidoku.cell import cell_name, cell_number
from unidoku.declared import Report
from unidoku.errors import InvalidPuzzleError
from unidoku.grid import Grid
from unidoku.links import BASE64, DIGITS, SITES
from unidoku.options import option, shared
from unidoku.shown import shown_by
from unidoku.tasks.columns import CANDIDATES, LANG, METHOD

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Literal, TypeAlias

    from unidoku.grid import PuzzleLike

    Site: TypeAlias = Literal["sudokuwiki", "sudoku.coach", "sudokuexchange", "fpuzzles", "sudokupad"]

CANDIDATE_SITES = ("sudokuwiki", "fpuzzles", "sudokupad")
"""The sites that show candidates."""


@dataclass(frozen=True)
class Link(Report):
    """For each puzzle, print a link that opens it on a web site.

    sudokuwiki, fpuzzles and sudokupad show candidates. Nothing is sent anywhere. Links of these sites
    are also read where a single PUZZLE is given, but not in files.
    """

    name: ClassVar[str] = "link"
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku link puzzles.txt --site fpuzzles",
        "unidoku link puzzles.txt --every-step -o steps.txt",
    )
    site: str = option(SITES[0], "Print links to this site.", choices=SITES)
    candidates: bool = shared(CANDIDATES)
    every_step: bool = option(
        False,
        "Print a link to the position before each step of explain, with its candidates, and a sentence.",
    )
    method: str = shared(METHOD, needs=("--every-step",))
    lang: str = shared(LANG, needs=("--every-step",))

    def of(self, cells: str) -> Any:
        """Return the puzzle, or its steps."""
        if not self.every_step:
            return Grid(cells)
        from unidoku.tasks.explain import Explain

        return Explain(self.method).of(cells)

    def text(self, found: Any, title: str) -> Iterator[str]:
        """Yield a link, or one for each step with its sentence."""
        if self.every_step:
            for url, text in shown_by(found, "links")(found, site=self.site, lang=self.lang):
                yield f"{url}\t{text}"
            return
        grid: Grid = found
        marks = {cell: grid.candidates(cell) for cell in range(81)} if self.candidates else None
        yield _site_link(grid.cells, grid.cells, self.site, marks)


def link(
    puzzle: PuzzleLike,
    *,
    site: Site = "sudokuwiki",
    givens: PuzzleLike | None = None,
    candidates: Mapping[int, Collection[int]] | Mapping[str, Collection[int]] | None = None,
) -> str:
    """Return a link that opens a puzzle or a position on a web site.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array of 81 integers
        As `unidoku.Grid` accepts it.
    site : {"sudokuwiki", "sudoku.coach", "sudokuexchange", "fpuzzles", "sudokupad"}, optional
        The site that the link opens.
    givens : Grid, str, bytes or array of 81 integers, optional
        The clues, if `puzzle` has found digits too; by default all digits are clues.
    candidates : mapping of cell to digits, optional
        Candidates of empty cells; ``sudokuwiki``, ``fpuzzles`` and ``sudokupad`` show them.

    Returns
    -------
    str

    Raises
    ------
    InvalidPuzzleError
        `puzzle` or `givens` is not a puzzle, a clue is not among the values, or a candidate is not a digit.
    ValueError
        The site is unknown, or a cell is invalid.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> link(puzzle, site="sudoku.coach")[:46]
    'https://sudoku.coach/en/play/53007000060019500'
    """
    one_of("site", site, SITES)
    cells = Grid(puzzle).cells
    clues = cells if givens is None else Grid(givens).cells
    for cell, clue in enumerate(clues):
        if clue not in {0, cells[cell]}:
            raise InvalidPuzzleError(f"{cell_name(cell)} holds {cells[cell]}, but its clue is {clue}")
    if candidates is None:
        return _site_link(cells, clues, site)
    from unidoku.rating.step import masks_of  # it loads the kernels

    masks = masks_of(candidates)
    marks = {}
    for cell in map(cell_number, candidates):
        marks[cell] = [digit for digit in range(1, 10) if masks[cell] >> digit - 1 & 1]
    return _site_link(cells, clues, site, marks)


def _site_link(
    cells: bytes, givens: bytes, site: str, candidates: Mapping[int, Collection[int]] | None = None
) -> str:
    """Return a link to a position of values 0 to 9."""
    clues = "".join(map(str, givens))
    if site == "sudokuwiki":
        known = clues if candidates is None else _s9b(cells, givens, candidates)
        return f"https://www.sudokuwiki.org/sudoku.htm?bd={known}"
    if site == "sudoku.coach":
        return f"https://sudoku.coach/en/play/{clues}"
    if site == "sudokuexchange":
        return f"https://sudokuexchange.com/play/?s={clues}"
    import json  # not at the top, nor are the links: the help starts faster
    from urllib.parse import quote

    data = json.dumps(_f_puzzle(cells, givens, candidates or {}), separators=(",", ":"))
    packed = compressed(data)
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


def compressed(text: str) -> str:
    """Compress a text to an LZ-string in base 64; `unidoku.links` says what that is."""
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
