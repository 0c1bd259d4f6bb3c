"""Columns next to puzzles that a symmetry moves: their solutions, answers and other grids move with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.cell import symbols_of
from unidoku.compat import pyarrow
from unidoku.errors import InvalidPuzzleError
from unidoku.files.paths import is_tree, parsed
from unidoku.native.text.columns import TEXT, pack
from unidoku.table.column import Column, StringValues
from unidoku.table.json_values import json_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LONGEST = 1 << 10  # bytes of a grid in lists or lines
_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))
_VALUES = np.where(_IS_CELL, np.arange(256) - 48, 0).clip(0).astype(np.uint8)
_IS_BETWEEN = np.isin(np.arange(256), np.frombuffer(b" \t\r\n[](),;\"'|/+-", np.uint8))
"""The characters around the cells of a grid: in lists, and between rows."""
_OPENS = np.frombuffer(b"[{", np.uint8)


def moved_solutions(
    columns: Mapping[str, Column],
    symmetries: Column,
    puzzles: Callable[[], NDArray[np.uint8]],
    moved: Mapping[str, bool],
) -> tuple[dict[str, Column], int]:
    """Return other columns of images: solutions, answers and grids with the puzzle's clues, moved with it.

    The puzzles are the puzzles before the symmetry, one for each row. A row without a symmetry is not a
    puzzle: its values stay as they are. `moved` says which columns move, and how: see
    `unidoku.schema.InputColumns`. Also return how many answers among words stay, because their grid lacks a
    clue of the puzzle, or its cells are not found one by one.
    """
    unmoved = list[str]()
    numbers = np.where(symmetries.has_value(), symmetries.values, 0)
    images = {
        name: _moved(columns[name], numbers, puzzles, unmoved, by_name=by_name)
        for name, by_name in moved.items()
    }
    return {**columns, **images}, len(unmoved)


def _moved(
    column: Column,
    numbers: NDArray[np.int64],
    puzzles: Callable[[], NDArray[np.uint8]],
    unmoved: list[str],
    *,
    by_name: bool,
) -> Column:
    """Transform the grids in a column in their form: 81 cells, nine lines or lists; any if `by_name`."""
    plain = column.plain()
    if isinstance(plain.values, np.ndarray):
        if plain.values.shape[1:] == (81,):
            return _moved_cells(plain, numbers, puzzles, by_name=by_name)
        return column
    strings = plain.as_strings()
    text, starts, ends = strings.texts()
    if not (ends - starts >= 81).any():  # as of ids and ratings
        return column
    candidates = np.flatnonzero((ends - starts >= 81) & (ends - starts <= _LONGEST))
    sizes = (ends - starts)[candidates]
    packed = np.empty(sizes.sum(), np.uint8)  # a text of several rows is one in each
    pack(text, starts[candidates], ends[candidates], packed)
    begins = np.cumsum(sizes) - sizes
    if (sizes == 81).all():
        lines = packed.reshape(-1, 81)
        places = np.flatnonzero(_IS_CELL[lines].all(axis=1))
        grids, rows = lines[places], candidates[places]
    else:
        lines = packed
        rows, places = _places(packed, begins, sizes)
        grids, rows = packed[places], candidates[rows]
    cells = _VALUES[grids]
    fits = numbers[rows] != 0
    if not by_name:
        fits &= _keep_clues(cells, puzzles()[rows])
    is_other = (ends - starts > 81) & (numbers != 0)
    is_other[rows] = False
    others = np.flatnonzero(is_other)
    if not by_name:
        others = others[np.isin(np.frombuffer(text, np.uint8)[starts[others]], _OPENS)]
    if not (fits.any() or others.size):
        return column
    images = _images(cells[fits], numbers[rows[fits]])
    signs = images + np.uint8(ord("0"))
    if not images.all():
        signs[(images == 0) & (grids[fits] == ord(".")).any(axis=1)[:, None]] = ord(".")
    lines[places[fits]] = signs
    moved = strings
    if fits.any() or len(candidates) == len(strings):
        moved = _with_texts(strings, candidates, Column(StringValues(packed, begins, begins + sizes)))
    has_lists = plain is not column and column.has_lists()
    if not has_lists:
        if others.size:
            return _moved_texts(moved, others, numbers, puzzles, unmoved, by_name=by_name)
        return moved
    values = moved.to_list()
    if others.size:
        trees = dict(enumerate(column.values.to_pylist()))
        values = [*(trees | _deep(trees, numbers, puzzles, unmoved, by_name=by_name)).values()]
    return Column(pyarrow().array(values, column.values.type))


def _with_texts(strings: Column, rows: NDArray[np.int64], texts: Column) -> Column:
    """Return a column with other texts in some rows; the states of its values stay."""
    if len(rows) < len(strings):
        order = np.arange(len(strings))
        order[rows] = ~np.arange(len(rows))
        texts = strings.merge(texts, order)
    return replace(texts, states=strings.states)


def _moved_cells(
    column: Column, numbers: NDArray[np.int64], puzzles: Callable[[], NDArray[np.uint8]], *, by_name: bool
) -> Column:
    """Transform the grids in an array of 81 cells a row."""
    values = column.values
    is_grid = ((values >= 0) & (values <= 9)).all(axis=1)
    rows = np.flatnonzero(is_grid & (by_name | _keep_clues(values, puzzles())))
    images = values.copy()
    images[rows] = _images(values[rows].astype(np.uint8), numbers[rows])
    return replace(column, values=images)


def _moved_texts(
    column: Column,
    rows: NDArray[np.int64],
    numbers: NDArray[np.int64],
    puzzles: Callable[[], NDArray[np.uint8]],
    unmoved: list[str],
    *,
    by_name: bool,
) -> Column:
    """Transform the grid among the words of texts, as `verify` reads it; look into JSON."""
    text, starts, ends = column.texts()
    if column.states is not None:
        states = column.states
    else:
        states = bytes([TEXT]) * len(column)
    trees, found = dict[int, Any](), dict[int, tuple[str, int]]()
    before = None
    if by_name:
        before = puzzles()
    for row in rows.tolist():
        answer = bytes(text[starts[row] : ends[row]]).decode("utf-8", "replace")
        if is_tree(tree := parsed(answer)):
            trees[row] = tree
        elif before is not None:
            with suppress(InvalidPuzzleError):
                if moved := _among_words(answer, before[row], int(numbers[row])):
                    found[row] = moved, TEXT
                else:
                    unmoved.append(answer)
    for row, tree in _deep(trees, numbers, puzzles, unmoved, by_name=by_name).items():
        found[row] = json_text(tree), states[row]
    if not found:
        return column
    order = np.arange(len(column))
    order[[*found]] = ~np.arange(len(found))
    texts = StringValues.join([one.encode() for one, _ in found.values()])
    return column.merge(Column(texts, states=bytes(state for _, state in found.values())), order)


def _among_words(text: str, puzzle: NDArray[np.uint8], number: int) -> str | None:
    """Return an answer with the cells of its grid, and of the puzzle, moved; the words stay.

    None if the grid lacks a clue, as it is perhaps one of another puzzle, or if a reader would not find the
    image in the text.  An error if there is no grid.
    """
    from unidoku.answers.values import answer_in  # not at the top: a table of grids starts faster

    clues = symbols_of(puzzle.tobytes())
    cells = np.frombuffer(answer_in(text, puzzle=clues), np.uint8)
    before = np.stack([cells, puzzle])
    if not _keep_clues(cells, puzzle[None])[0]:
        return None
    grid, image_of_clues = images = [
        symbols_of(one.tobytes()) for one in _images(before, np.full(2, number, np.int64))
    ]
    signs = list(text)
    for old, new in zip((symbols_of(cells.tobytes()), clues), images, strict=True):
        for places in _places_of(old, text):
            empty = "0" if any(text[place] == "0" for place in places) else "."
            for place, sign in zip(places, new, strict=True):
                signs[place] = empty if sign == "." else sign
    moved = "".join(signs)
    with suppress(InvalidPuzzleError):
        if symbols_of(answer_in(moved, puzzle=image_of_clues)) == grid:
            return moved
    return None


_SIGN = re.compile("[0-9.]")


def _places_of(grid: str, text: str) -> Iterator[list[int]]:
    """Yield where the cells of a grid are in a text: one after the other, or at the ends of nine lines."""
    places = [match.start() for match in _SIGN.finditer(text)]
    signs = "".join(text[place] for place in places).replace("0", ".")
    begin = signs.find(grid)
    if begin < 0:
        yield from _places_in_lines(grid, text)
    while begin >= 0:
        yield places[begin : begin + 81]
        begin = signs.find(grid, begin + 81)


def _places_in_lines(grid: str, text: str) -> Iterator[list[int]]:
    """Yield where the rows of a grid end lines that begin with the names of rows."""
    found, begin = list[int](), 0
    for line in text.splitlines(keepends=True):
        places = [match.start() + begin for match in _SIGN.finditer(line)][-9:]
        begin += len(line)
        if not places:
            continue
        signs = "".join(text[place] for place in places).replace("0", ".")
        if signs != grid[len(found) : len(found) + 9]:
            found.clear()
        if signs == grid[len(found) : len(found) + 9]:
            found += places
        if len(found) == 81:
            yield [*found]
            found.clear()


def _deep(
    trees: Mapping[int, Any],
    numbers: NDArray[np.int64],
    puzzles: Callable[[], NDArray[np.uint8]],
    unmoved: list[str],
    *,
    by_name: bool,
) -> dict[int, Any]:
    """Return the lists and objects, by their rows, that change: texts in them, as a column of these does."""
    texts, rows = list[str](), list[int]()
    for row, tree in trees.items():
        _mapped(tree, lambda text: texts.append(text) or text)  # type: ignore[func-returns-value]
        rows += [row] * (len(texts) - len(rows))
    own = _moved(Column.of(texts), numbers[rows], lambda: puzzles()[rows], unmoved, by_name=by_name)
    images = own.to_list()
    changed = {row for row, text, image in zip(rows, texts, images, strict=True) if image != text}
    moved = iter(images)
    found = {row: _mapped(tree, lambda _: next(moved)) for row, tree in trees.items()}
    return {row: found[row] for row in changed}


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with the texts and the grids in its lists and objects changed, in their form."""
    tree = parsed(value)
    if isinstance(tree, str):
        return change(tree)
    if not is_tree(tree):
        cells = [*tree.values()] if isinstance(tree, dict) else tree
        if not isinstance(cells, list):
            return value
        text = json_text(cells)
        if (image := change(text)) == text or image[:1] != "[":
            return value
        grid = json.loads(image)
        if isinstance(tree, dict):
            return dict(zip(tree, grid, strict=True))
        return grid
    if isinstance(value, str):
        return json_text(_mapped(tree, change))
    if isinstance(tree, list):
        return [_mapped(one, change) for one in tree]
    return {name: _mapped(one, change) for name, one in tree.items()}


def _places(
    text: NDArray[np.uint8], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which of texts, one after the other, have 81 cells and signs between, and where these are."""
    is_cell = _IS_CELL[text]
    cells, others = (
        np.append(0, np.cumsum(which, dtype=np.int32)) for which in (is_cell, ~(is_cell | _IS_BETWEEN[text]))
    )
    ends = starts + sizes
    has_grid = (cells[ends] - cells[starts] == 81) & (others[ends] == others[starts])
    return np.flatnonzero(has_grid), np.flatnonzero(is_cell & np.repeat(has_grid, sizes)).reshape(-1, 81)


def _keep_clues(cells: NDArray[np.uint8], puzzles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which grids have all clues of their puzzles, one at least."""
    is_kept: NDArray[np.bool_] = ((puzzles == 0) | (puzzles == cells)).all(axis=1) & puzzles.any(axis=1)
    return is_kept


def _images(cells: NDArray[np.uint8], numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the images of grids, cells 0 to 9."""
    images = np.empty_like(cells)
    native = kernel.isa_module(package="symmetry")
    native.transform(
        np.ascontiguousarray(cells).reshape(-1),
        np.arange(0, cells.size, 81),
        numbers,
        images.reshape(-1),
        zero=0,
    )
    return images
