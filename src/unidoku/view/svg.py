"""Draw puzzles and states of searches as SVG and PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from unidoku.arguments import positive, positive_ratio
from unidoku.cell import candidate_of, cell_number
from unidoku.errors import InvalidPuzzleError, needs_extra
from unidoku.grid import Grid
from unidoku.view.board import Cage, Link, board

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from unidoku.cell import Candidate, Cell
    from unidoku.grid import PuzzleLike

    Candidates: TypeAlias = bool | Mapping[Cell, Collection[int]] | npt.NDArray[Any]

__all__ = ["png", "svg"]

MAX_PIXELS = 8192
"""The largest width and height of a PNG picture; its pixels take 256 MB of memory."""


def svg(
    grid: PuzzleLike | Any,
    *,
    givens: PuzzleLike | None = None,
    candidates: Candidates | None = None,
    fill: Mapping[Cell | Candidate, str] | None = None,
    removed: Iterable[Candidate] = (),
    links: Iterable[tuple[Any, ...]] = (),
    cages: Iterable[Collection[Cell] | tuple[Collection[Cell], str]] = (),
    labels: str | None = None,
    size: int | None = 400,
    colors: Mapping[str, str] | None = None,
    style: str = "",
    title: str | None = None,
) -> str:
    """Draw a puzzle, a solution or a state of a search.

    A *cell* is a number 0 to 80 or a name such as ``"r4c2"``. A *candidate* is a pair (cell, digit) or a name
    such as ``"r4c2=7"``.
    """
    if labels not in {None, "rc", "numbers", "both"}:
        raise ValueError(f"invalid labels {labels!r}; choose from: None, 'rc', 'numbers', 'both'")
    positive("size", size)
    values, clues, marks = _state_of(grid)
    if givens is not None:
        clues = Grid(givens).cells
    if candidates is not None and candidates is not False:
        marks = _marks_of(values, candidates)
    fills: dict[int | tuple[int, int], str] = {}
    for place, color in (fill or {}).items():
        fills[_place(place)] = color
    return board(
        values,
        clues,
        candidates=marks,
        fill=fills,
        removed=[candidate_of(place) for place in removed],
        links=[Link(candidate_of(link[0]), candidate_of(link[1]), *link[2:]) for link in links],
        cages=[_cage(cage) for cage in cages],
        labels=labels,
        size=size,
        colors=colors,
        style=style,
        title=title or f"Sudoku with {sum(map(bool, clues))} clues",
    )


def png(grid: PuzzleLike | Any, *, scale: float = 2.0, size: int = 400, **options: Any) -> bytes:
    """Draw the picture of `svg` as PNG, in light colors.

    Parameters
    ----------
    grid, **options
        As for `svg`.
    scale : float
        Pixels of the image per pixel of the drawing.
    size : int
        Width and height of the drawing in pixels; times `scale`, at most 8192.

    Returns
    -------
    bytes
        A PNG file.

    Raises
    ------
    MissingExtraError
        resvg-py is not installed (the extra ``unidoku[png]``).
    ValueError
        `scale` is not a finite number above 0, or the image is too large; and as for `svg`.
    """
    picture = svg(grid, size=size, **options)
    zoom = positive_ratio("scale", scale)
    if zoom is None or size is None:
        raise ValueError("a PNG picture needs a size and a scale")
    if size * zoom > MAX_PIXELS:
        raise ValueError(
            f"a PNG picture has at most {MAX_PIXELS} pixels a side; size {size} times scale {scale} is more"
        )
    with needs_extra("png", "PNG pictures need resvg-py"):
        import resvg_py
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, zoom=zoom))


def _state_of(grid: Any) -> tuple[Sequence[int], Sequence[int], dict[int, Collection[int]]]:
    """Return the values, clues and pencil marks of an object."""
    if hasattr(grid, "drawn_state"):
        values, clues, marks = grid.drawn_state()
        return values, clues, marks
    cells = Grid(grid).cells
    return cells, cells, {}


def _marks_of(values: Sequence[int], candidates: Candidates) -> dict[int, Collection[int]]:
    if candidates is True:
        grid = Grid(bytes(values))
        return {cell: grid.candidates(cell) for cell in range(81) if not values[cell]}
    if isinstance(candidates, dict) or hasattr(candidates, "items"):
        return {cell_number(cell): tuple(digits) for cell, digits in candidates.items()}  # type: ignore[union-attr]
    array = np.asarray(candidates)
    if array.size != 729:
        raise InvalidPuzzleError(f"candidates have shape (81, 9) or (9, 9, 9), not {array.shape}")
    table = array.reshape(81, 9) != 0
    return {cell: [int(digit) + 1 for digit in np.flatnonzero(table[cell])] for cell in range(81)}


def _place(place: Cell | Candidate) -> int | tuple[int, int]:
    """Parse a cell or a candidate."""
    if isinstance(place, tuple) or (isinstance(place, str) and "=" in place):
        return candidate_of(place)
    return cell_number(place)


def _cage(cage: Any) -> Cage:
    labelled = len(cage) == 2 and isinstance(cage[1], str) and not isinstance(cage[0], str | int)
    cells, label = cage if labelled else (cage, "")
    return Cage(tuple(cell_number(cell) for cell in cells), label)
