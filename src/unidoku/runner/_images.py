"""Columns next to puzzles that a symmetry moves: their solutions, answers and other grids move with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from unidoku import kernel
from unidoku._compat import NDArray, pyarrow
from unidoku._native.text.columns import pack
from unidoku._table.column import ArrowColumn, Column, StringValues
from unidoku._table.json_values import json_text
from unidoku.cell import CELL_CODES, keeps_clues, symbols_of
from unidoku.errors import InvalidPuzzleError
from unidoku.files._paths import DEEPEST, ValueKind, kind_of, members_of

_LONGEST = 1 << 10  # bytes of a grid in lists or lines
_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))
_VALUES = np.where(_IS_CELL, np.arange(256) - 48, 0).clip(0).astype(np.uint8)
_BETWEEN = " \t\r\n[](),;\"'|/+-"
"""The characters around the cells of a grid: in lists, and between rows."""
_IS_BETWEEN = np.isin(np.arange(256), np.frombuffer(_BETWEEN.encode(), np.uint8))


def moved_solutions(
    columns: Mapping[str, Column],
    symmetries: Column,
    puzzles: Callable[[], NDArray[np.uint8]],
    moved: Mapping[str, bool],
) -> tuple[dict[str, Column], int]:
    """Return other columns of images: solutions, answers and grids with the puzzle's clues, moved with it.

    The puzzles are the puzzles before the symmetry, one for each row. A row without a symmetry is not a
    puzzle: its values stay as they are. `moved` says which columns move, and how: see
    `unidoku._schema.InputColumns`. Also return how many answers among words stay, because their cells are not
    found one by one.
    """
    unmoved, puzzles = list[str](), cache(puzzles)
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
    """Transform the grids in a column in their form: all if `by_name`, else those with the puzzle's clues."""
    plain = column.plain()
    if isinstance(plain.values, np.ndarray):
        if plain.values.shape[1:] != (81,):
            return column
        rows = np.flatnonzero(((plain.values >= 0) & (plain.values <= 9)).all(axis=1))
        values = plain.values.copy()
        values[rows] = _images(values[rows].astype(np.uint8), numbers, rows, puzzles, by_name=by_name)
        return replace(plain, values=values)
    strings = plain.as_strings()
    text, starts, ends = strings.texts()
    is_long = (ends - starts >= 81) & (numbers != 0)
    if not is_long.any():  # as of ids and ratings
        return column
    some = np.flatnonzero(is_long & (ends - starts <= _LONGEST))
    sizes = (ends - starts)[some]
    packed = np.empty(sizes.sum(), np.uint8)  # a text of several rows is one in each
    pack(text, starts[some], ends[some], packed)
    begins = np.cumsum(sizes) - sizes
    alone, places = _places(packed, begins, sizes)
    rows, signs = some[alone], packed[places]
    images = _images(_VALUES[signs], numbers, rows, puzzles, by_name=by_name) + np.uint8(ord("0"))
    images[(images == ord("0")) & (signs == ord(".")).any(axis=1)[:, None]] = ord(".")
    packed[places] = images
    grids = replace(strings.take(rows), values=StringValues(packed, begins[alone], (begins + sizes)[alone]))
    is_long[rows] = False
    moved = dict[int, Any]()
    for row in np.flatnonzero(is_long).tolist():  # one by one, as a text may have megabytes
        [value] = column.take(np.array([row])).to_list()
        image = _mapped(value, partial(_image_of_text, puzzles()[row], int(numbers[row]), unmoved, by_name))
        if image is not value:
            moved[row] = image
    if column is not plain and column.has_lists():
        changed = dict(zip(rows.tolist(), grids.to_list(), strict=True)) | moved
        trees = dict(enumerate(column.to_list())) | changed
        return ArrowColumn(pyarrow().array([*trees.values()], column.values.type))
    if rows.size == len(column):
        return grids
    order = np.arange(len(column))
    order[[*rows.tolist(), *moved]] = ~np.arange(rows.size + len(moved))
    return strings.merge(Column.join([grids, Column.of(moved.values())]), order)


def _places(
    text: NDArray[np.uint8], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which of texts, one after the other, have 81 cells and signs between, and where these are."""
    is_cell = _IS_CELL[text]
    if (sizes == 81).all():  # as in most columns
        alone = np.flatnonzero(is_cell.reshape(-1, 81).all(axis=1))
        return alone, starts[alone, None] + np.arange(81)
    cells, others = (
        np.append(0, np.cumsum(which, dtype=np.int32)) for which in (is_cell, ~(is_cell | _IS_BETWEEN[text]))
    )
    ends = starts + sizes
    has_grid = (cells[ends] - cells[starts] == 81) & (others[ends] == others[starts])
    return np.flatnonzero(has_grid), np.flatnonzero(is_cell & np.repeat(has_grid, sizes)).reshape(-1, 81)


def _mapped(value: Any, change: Callable[[str], str], depth: int = 0) -> Any:
    """Return a value with the texts and the grids in its lists and objects changed, in their form."""
    kind, tree = kind_of(value)
    if isinstance(value, str) and (not kind.is_tree or value.lstrip()[0] in "`<"):  # of a fence or a tag
        return change(value)
    if kind in (ValueKind.TEXT, ValueKind.NOTHING) or depth > DEEPEST:
        return value
    members = members_of(tree)
    if kind is ValueKind.GRID:
        found = dict(zip(members, json.loads(change(json_text([*members.values()]))), strict=True))
    else:
        found = {name: _mapped(one, change, depth + 1) for name, one in members.items()}
    if found == members:
        return value
    tree = {**tree, **found} if isinstance(tree, dict) else [*found.values()]
    return json_text(tree) if isinstance(value, str) else tree


def _image_of_text(
    puzzle: NDArray[np.uint8], number: int, unmoved: list[str], by_name: bool, text: str
) -> str:
    """Return a text with the cells of its grid, and of the puzzle, moved; the words stay."""
    clues = symbols_of(puzzle.tobytes())
    grid = _grid_in(text, clues, by_name=by_name)
    if not grid:
        return text
    cells = np.frombuffer((grid + clues).encode().translate(CELL_CODES), np.uint8).reshape(2, 81)
    images = [symbols_of(one.tobytes()) for one in _transformed(cells, np.full(2, number, np.int64))]
    parts = _signs_apart(text)
    signs = "".join(parts[1::2])
    for old, new in zip((grid, clues), images, strict=True):
        signs = re.sub(old.replace(".", "[.0]"), partial(_in_signs, new), signs)
    parts[1::2] = signs
    moved = "".join(parts)
    if _grid_in(moved, images[1], by_name=by_name) == images[0]:
        return moved
    unmoved.append(text)
    return text


def _in_signs(grid: str, old: re.Match[str]) -> str:
    """Return a grid with zeros for empty cells if an old one has them."""
    return grid.replace(".", "0") if "0" in old[0] else grid


def _signs_apart(text: str) -> list[str]:
    """Return a text in parts, every second one a digit or a dot; of a line with 10 to 17 the last nine."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        own = re.split("([0-9.])", line)
        if 20 < len(own) < 36:
            own[:-18] = ["".join(own[:-18])]
        parts[-1] += own[0]
        parts += own[1:]
    return parts


def _grid_in(text: str, clues: str, *, by_name: bool) -> str:
    """Return the grid that `verify` reads in a text, if it has the clues; or any if `by_name`."""
    if not by_name and sum(map(text.count, "123456789")) < 81 - clues.count("."):
        return ""
    from unidoku._answers.values import answer_in  # not at the top: a table of grids starts faster

    with suppress(InvalidPuzzleError):
        grid = symbols_of(answer_in(text, puzzle=clues))
        if by_name or keeps_clues(clues, grid):
            return grid
    return ""


def _images(
    cells: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    rows: NDArray[np.int64],
    puzzles: Callable[[], NDArray[np.uint8]],
    *,
    by_name: bool,
) -> NDArray[np.uint8]:
    """Return the images of the grids of rows, cells 0 to 9; unless `by_name`, a grid must have all clues."""
    images = _transformed(cells, numbers[rows])
    if by_name or not rows.size:
        return images
    clues = puzzles()[rows]
    keeps_clues = ((clues == 0) | (clues == cells)).all(axis=1)
    return np.where(keeps_clues[:, None], images, cells)


def _transformed(cells: NDArray[np.uint8], numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the images of grids, cells 0 to 9."""
    images = np.empty_like(cells)
    native = kernel.isa_module(package="symmetry")
    native.transform(
        np.ascontiguousarray(cells).reshape(-1),
        np.arange(0, cells.size, 81),
        np.ascontiguousarray(numbers),
        images.reshape(-1),
        zero=0,
    )
    return images
