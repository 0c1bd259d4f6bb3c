"""Transform, canonicalize, minimize and generate puzzles in files of every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.arguments import positive
from unidoku.craft.canonical import FORMS, canonical_details
from unidoku.craft.generate import generate_batches
from unidoku.craft.minimize import minimize_many
from unidoku.craft.rows import cells_of_text
from unidoku.craft.seeds import seed_of
from unidoku.craft.transform import Transformation, numbers_of, random_numbers, transform_many
from unidoku.errors import InvalidPuzzleError
from unidoku.files.base import Batch, Column
from unidoku.pipeline.convert import Converted, batch_at, change_file

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unidoku.craft.generate import Request
    from unidoku.files.inputs import Input
    from unidoku.parallel import Cancel

__all__ = [
    "SOLUTION_COLUMNS",
    "canonical_file",
    "cells_of",
    "minimize_file",
    "transform_file",
    "write_generated",
]

SOLUTION_COLUMNS = ("solution", "witness", "prediction", "answer", "answers")
"""Columns that are transformed with their puzzles; letter case does not matter."""

_SYMBOLS = np.frombuffer(b".123456789", np.uint8)
_IS_CELL = np.isin(np.arange(256), np.frombuffer(b".0123456789", np.uint8))


def transform_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    transformation: Transformation | None = None,
    *,
    random: int | None = None,
    seed: int | None = 0,
    keep: bool = False,
    threads: int | None = None,
    **options: Any,
) -> Converted:
    """Write images of the puzzles of some files, and of their solutions.

    Parameters
    ----------
    path, output
        As for `unidoku.convert_file`.
    transformation : Transformation, optional
        One element for all puzzles.
    random : int, optional
        Instead: the number of images of each puzzle under random elements, written one after the other.
    seed : int or None, optional
        Image k of the output uses element k of this seed; None takes the operating system's entropy.
    keep : bool, optional
        Also write each puzzle itself, before its images.
    threads : int, optional
        Worker threads; by default one per available core.
    **options
        ``to``, ``carry``, ``progress``, ``options`` and its attributes, as for `unidoku.convert_file`.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        An input cannot be read, the output cannot be written, or a puzzle has pencil marks.
    ValueError
        Neither or both of `transformation` and `random` are given, or a number is out of range.
    """
    if (transformation is None) == (random is None):
        raise ValueError("give either a transformation or the number of random images")
    copies = positive("random", random) or 1
    start = seed_of(seed)
    position = 0

    def change(batch: Batch) -> Batch:
        nonlocal position
        count = len(batch.starts) * copies
        if transformation is not None:
            numbers = np.repeat(numbers_of(transformation), count)
        else:
            numbers = random_numbers(count, start, position)
        position += count
        each = copies
        if keep:
            numbers = np.pad(numbers.reshape(-1, copies), ((0, 0), (1, 0))).reshape(-1)
            each += 1
        wanted = batch_at(batch, np.repeat(np.arange(len(batch.starts)), each))
        return _moved(wanted, transform_many(cells_of(wanted), numbers, threads), numbers)

    return change_file(path, output, change, **options)


def canonical_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    form: str = "minlex",
    *,
    threads: int | None = None,
    **options: Any,
) -> Converted:
    """Write the canonical forms of the puzzles of some files, with their solutions transformed too.

    Parameters
    ----------
    path, output, threads, **options
        As for `transform_file`.
    form : {'minlex', 'solution'}, optional
        As for `unidoku.canonical`.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        An input cannot be read, the output cannot be written, or a puzzle has no canonical form.
    ValueError
        `form` is not one of these.
    """
    if form not in FORMS:
        raise ValueError(f"invalid form {form!r}; choose from: {', '.join(FORMS)}")

    def change(batch: Batch) -> Batch:
        found = _located(batch, lambda: canonical_details(cells_of(batch), form, threads=threads))
        return _moved(batch, found.forms, found.transformations)

    return change_file(path, output, change, **options)


def minimize_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    seed: int | None = 0,
    threads: int | None = None,
    **options: Any,
) -> Converted:
    """Write a minimal puzzle within each proper puzzle of some files.

    Parameters
    ----------
    path, output, threads, **options
        As for `transform_file`.
    seed : int or None, optional
        As for `unidoku.minimize_many`, over all puzzles; None takes the operating system's entropy.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        An input cannot be read, the output cannot be written, or a puzzle is not proper.
    """
    start = seed_of(seed)
    position = 0

    def change(batch: Batch) -> Batch:
        nonlocal position
        first, position = position, position + len(batch.starts)
        rows = _located(batch, lambda: minimize_many(cells_of(batch), start, threads=threads, first=first))
        return _with_rows(batch, rows, batch.columns)

    return change_file(path, output, change, **options)


def cells_of(batch: Batch) -> NDArray[np.uint8]:
    """Return the cells of a batch, 0 to 9: uint8[n, 81].

    Raises
    ------
    InvalidPuzzleError
        A puzzle has pencil marks.
    """
    if len(batch.marked):
        line = int(np.asarray(batch.lines)[batch.marked[0]])
        raise InvalidPuzzleError("a puzzle of 81 cells is needed", file=batch.source, line=line)
    return cells_of_text(batch.text, np.asarray(batch.starts, np.int64), batch.zero)


def _located(batch: Batch, work: Callable[[], Any]) -> Any:
    """Call `work`; its error for a row names the file and the line instead."""
    try:
        return work()
    except InvalidPuzzleError as error:
        row, _, reason = error.message.removeprefix("row ").partition(": ")
        line = int(np.asarray(batch.lines)[int(row) - 1])
        raise InvalidPuzzleError(reason, file=batch.source, line=line) from None


def _moved(batch: Batch, rows: NDArray[np.uint8], numbers: NDArray[np.int64]) -> Batch:
    columns = [
        _moved_column(column, numbers) if column.name.lower() in SOLUTION_COLUMNS else column
        for column in batch.columns
    ]
    return _with_rows(batch, rows, columns)


def _with_rows(batch: Batch, rows: NDArray[np.uint8], columns: Sequence[Column]) -> Batch:
    """Return a batch with other puzzles."""
    return Batch(
        batch.source,
        _SYMBOLS[rows].tobytes(),
        np.arange(0, rows.size, 81, dtype=np.int64),
        batch.lines,
        columns=columns,
    )


def _moved_column(column: Column, numbers: NDArray[np.int64]) -> Column:
    """Transform the grids of 81 cells in a column; other texts stay as they are."""
    begins = np.asarray(column.starts, np.int64)
    sizes = np.asarray(column.ends, np.int64) - begins
    ends = np.cumsum(sizes)
    starts = ends - sizes
    source = np.repeat(begins - starts, sizes) + np.arange(int(sizes.sum()))
    text = np.frombuffer(column.text, np.uint8)[source]
    rows = np.flatnonzero(sizes == 81)
    places = starts[rows, None] + np.arange(81)
    whole = _IS_CELL[text[places]].all(axis=1)
    rows, places = rows[whole], places[whole]
    if rows.size:
        text[places] = _SYMBOLS[transform_many(text[places], numbers[rows], 1)]
    return Column(column.name, text.tobytes(), starts, ends)


def write_generated(
    request: Request,
    count: int,
    output: str | os.PathLike[str],
    *,
    seed: int | None = 0,
    budget: int | None = None,
    solutions: bool = False,
    to: str | None = None,
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> int:
    """Generate puzzles and write each to an output as soon as it is found.

    Parameters
    ----------
    request, count, seed, budget, threads, cancel
        As for `unidoku.craft.generate.generate_batches`.
    output, to
        As for `unidoku.convert_file`; puzzles already written are kept when the budget is used up.
    solutions : bool, optional
        Whether to write a column ``solution`` too, in formats that have columns.

    Returns
    -------
    int
        The number of puzzles written.

    Raises
    ------
    BudgetError
        The attempts are used up.
    UnidokuError
        The output cannot be written.
    ValueError
        A number is out of range.
    """
    from unidoku.pipeline.sinks import open_sink

    batches = generate_batches(request, count, seed, budget=budget, threads=threads, cancel=cancel)
    written = 0
    with open_sink(output, to=to, puzzles=True) as sink:
        for puzzles, grids in batches:
            size = len(puzzles)
            starts = np.arange(0, 81 * size, 81, dtype=np.int64)
            text = _SYMBOLS[grids].tobytes()
            columns = [Column("solution", text, starts, starts + 81)] if solutions else []
            lines = np.arange(written + 1, written + size + 1, dtype=np.int64)
            batch = Batch("<generated>", _SYMBOLS[puzzles].tobytes(), starts, lines, columns=columns)
            sink.write(sink.render(batch, None))
            written += size
    return written
