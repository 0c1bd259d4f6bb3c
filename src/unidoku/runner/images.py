"""Columns beside puzzles that a symmetry moves: their solutions, answers and other grids move too."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
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
from unidoku.table.column import Column, Strings
from unidoku.table.json_values import json_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unidoku.table.batch import Roles

_LONGEST = 1 << 10  # bytes of a grid in lists or lines
_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))
_VALUES = np.where(_IS_CELL, np.arange(256) - 48, 0).clip(0).astype(np.uint8)
_IS_BETWEEN = np.isin(np.arange(256), np.frombuffer(b" \t\r\n[](),;\"'|/+-", np.uint8))
"""What stands around the cells of a grid: in lists, and between rows."""
_OPENS = np.frombuffer(b"[{", np.uint8)


def moved_solutions(
    columns: Mapping[str, Column],
    symmetries: Column,
    puzzles: Callable[[], NDArray[np.uint8]],
    roles: Roles,
) -> dict[str, Column]:
    """Return other columns of images: solutions, answers and all grids with the clues of the puzzle move too.

    The puzzles are those before, a row for each.  A row without a symmetry is no puzzle; its values stay as
    they are, and so does what has the puzzle before in it.
    """
    numbers = np.where(symmetries.has_value(), symmetries.values, 0)
    return {
        name: column
        if name in roles.prompts
        else _moved(column, numbers, puzzles, by_name=name in roles.results)
        for name, column in columns.items()
    }


def _moved(
    column: Column, numbers: NDArray[np.int64], puzzles: Callable[[], NDArray[np.uint8]], *, by_name: bool
) -> Column:
    """Transform the grids in a column in their form: 81 cells, nine lines or lists; others if `by_name`."""
    plain = column.plain()
    if isinstance(plain.values, np.ndarray):
        has_cells = plain.values.shape[1:] == (81,)
        if has_cells:
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
    if len(candidates) == len(strings):
        moved = Column(Strings(packed, begins, begins + sizes), states=strings.states)
    elif fits.any():
        order = np.arange(len(strings))
        order[candidates] = ~np.arange(len(candidates))
        changed = Column(Strings(packed, begins, begins + sizes))
        moved = replace(strings.merge(changed, order), states=strings.states)
    if plain is not column and column.has_lists():
        values = column.values.to_pylist() if others.size else moved.to_list()
        trees = {}
        if others.size:
            trees = dict(enumerate(values))
        for row, value in _deep(trees, numbers, puzzles, by_name=by_name).items():
            values[row] = value
        return Column(pyarrow().array(values, column.values.type))
    if others.size:
        return _moved_texts(moved, others, numbers, puzzles, by_name=by_name)
    return moved


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
    *,
    by_name: bool,
) -> Column:
    """Replace texts with a grid in them, as `verify` reads it, by 81 cells of its image; look into JSON."""
    text, starts, ends = column.texts()
    if column.states is not None:
        states = column.states
    else:
        states = bytes([TEXT]) * len(column)
    trees, found = dict[int, Any](), dict[int, tuple[str, int]]()
    from unidoku.parse.answers import answer_in  # not at the top: a table of grids starts faster

    before = None
    if by_name:
        before = puzzles()
    for row in rows.tolist():
        answer = bytes(text[starts[row] : ends[row]]).decode("utf-8", "replace")
        if is_tree(tree := parsed(answer)):
            trees[row] = tree
        elif before is not None:
            with suppress(InvalidPuzzleError):
                cells = answer_in(answer, puzzle=symbols_of(before[row].tobytes()))
                image = _images(np.frombuffer(cells, np.uint8).reshape(1, 81), numbers[row : row + 1])
                found[row] = symbols_of(image.tobytes()), TEXT
    for row, tree in _deep(trees, numbers, puzzles, by_name=by_name).items():
        found[row] = json_text(tree), states[row]
    if not found:
        return column
    order = np.arange(len(column))
    order[[*found]] = ~np.arange(len(found))
    texts = Strings.join([one.encode() for one, _ in found.values()])
    return column.merge(Column(texts, states=bytes(state for _, state in found.values())), order)


def _deep(
    trees: Mapping[int, Any],
    numbers: NDArray[np.int64],
    puzzles: Callable[[], NDArray[np.uint8]],
    *,
    by_name: bool,
) -> dict[int, Any]:
    """Return the lists and objects, by their rows, that change: texts in them, as a column of these does."""
    texts, rows = list[str](), list[int]()
    for row, tree in trees.items():
        _mapped(tree, lambda text: texts.append(text) or text)  # type: ignore[func-returns-value]
        rows += [row] * (len(texts) - len(rows))
    images = _moved(Column.of(texts), numbers[rows], lambda: puzzles()[rows], by_name=by_name).to_list()
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
