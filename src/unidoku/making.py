"""Puzzles that are made one after the other, written while they are made."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.commands import has_columns
from unidoku.craft.generate import generate_batches
from unidoku.craft.neighbours import neighbours_many
from unidoku.craft.seeds import seed_of
from unidoku.errors import FormatError, UnidokuError
from unidoku.files.base import Batch
from unidoku.files.formats import output_format
from unidoku.files.inputs import expand
from unidoku.files.overlap import refuse_overlap
from unidoku.files.puzzles import read_puzzles
from unidoku.many import flat
from unidoku.rating.se121 import SCALE
from unidoku.run.change import CODES, Generate, grid_column
from unidoku.run.convert import Given
from unidoku.run.options import RunOptions
from unidoku.run.rate import with_ratings
from unidoku.run.sinks import open_sink
from unidoku.run.summary import Summary
from unidoku.threads import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from unidoku.craft.request import Request
    from unidoku.files.base import Column
    from unidoku.files.inputs import Input
    from unidoku.files.options import InputFields, InputOptions
    from unidoku.threads import Cancel

__all__ = ["generate_file", "neighbours_file", "puzzle_writer", "solution_column"]


def generate_file(
    output: str | os.PathLike[str],
    *,
    request: Request,
    count: int | None = 1,
    seed: int | None = None,
    first: int = 0,
    budget: int | None = None,
    solutions: bool = False,
    ratings: bool = True,
    to: str | None = None,
    comment: bool = False,
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> Summary:
    """Generate puzzles and write each to an output as soon as it is found.

    Parameters
    ----------
    output, to
        As for `unidoku.convert_file`; puzzles already written are kept when the budget is used up.
    request, count, seed, first, budget, threads, cancel
        As for `unidoku.craft.generate.generate_batches`.
    solutions : bool, optional
        Whether to write the solutions too: a column ``solution``, in lines after the puzzle and a tab.
    ratings : bool, optional
        Whether to write ``er``, ``ep``, ``ed``, ``technique`` and ``difficulty`` too, where the format has
        columns.
    comment : bool, optional
        Begin an output of lines or CSV with a comment that has the request, the seed and the attempts.

    Returns
    -------
    Summary
        ``written`` is the number of puzzles in the output.

    Raises
    ------
    BudgetError
        The attempts are used up.
    UnidokuError
        The output cannot be written, or holds no solutions.
    ValueError
        A number is out of range.
    """
    start = seed_of(seed)
    column = solution_column(output, to) if solutions else None
    batches = generate_batches(
        request, count, start, first=first, budget=budget, threads=threads, cancel=cancel
    )
    about = Generate(request, start, first, column).to_json() | {"count": count, "budget": budget}
    written = 0
    with puzzle_writer(output, about, to=to, comment=comment, ratings=ratings, threads=threads) as write:
        for rows, grids in batches:
            written = write(rows, [] if column is None else [grid_column(grids, column)])
    return Summary(written=written, complete=not cancel)


def solution_column(output: str | os.PathLike[str], to: str | None = None) -> str:
    """Return the name of the column for the solutions of puzzles in an output.

    Parameters
    ----------
    output, to
        As for `unidoku.convert_file`.

    Returns
    -------
    str
        ``solution``; ``rest`` for lines, which have the solution after the puzzle and a tab.

    Raises
    ------
    FormatError
        The format holds no solutions.
    """
    name = os.fspath(output)
    form = output_format(name, to, rows=False)
    if form.suffix == ".txt":
        return "rest"
    if not has_columns(output, to):
        message = f"{form.suffix} holds no solutions; txt, csv, tsv, jsonl, parquet and arrow do"
        raise FormatError(message, file="<stdout>" if name == "-" else name)
    return "solution"


def neighbours_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    remove: int = 1,
    add: int = 1,
    ratings: bool = True,
    to: str | None = None,
    threads: int | None = None,
    cancel: Cancel | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Summary:
    """Write the neighbours of the puzzles of some files to an output while they are found.

    Parameters
    ----------
    inputs, output, to, options, **fields
        As for `unidoku.convert_file`; what is written stays when the run is cancelled.
    remove, add, threads, cancel
        As for `unidoku.craft.neighbours.neighbours_many`.
    ratings
        As for `generate_file`.

    Returns
    -------
    Summary
        ``puzzles`` is the number of puzzles read, ``written`` of those in the output.

    Raises
    ------
    UnidokuError
        An input cannot be read, a record is not a puzzle, or the output cannot be written.
    ValueError
        `remove` or `add` is out of range for a puzzle.
    """
    refuse_overlap(expand(inputs), [os.fspath(output)])
    puzzles = []
    for puzzle in read_puzzles(inputs, options, **fields):
        if isinstance(puzzle, UnidokuError):
            raise puzzle
        puzzles.append(puzzle.cells)
    found = neighbours_many(puzzles, remove=remove, add=add, threads=threads, cancel=cancel)
    about = {"command": "neighbours", "remove": remove, "add": add}
    written = 0
    with puzzle_writer(output, about, to=to, ratings=ratings, threads=threads) as write:
        for rows in found:
            written = write(rows)
    return Summary(puzzles=len(puzzles), written=written, complete=not cancel)


@contextmanager
def puzzle_writer(
    output: str | os.PathLike[str],
    about: dict[str, Any],
    *,
    to: str | None = None,
    comment: bool = False,
    ratings: bool = False,
    threads: int | None = None,
) -> Iterator[Callable[..., int]]:
    """Open an output for puzzles that are made one after the other, as a context.

    Parameters
    ----------
    output, to
        As for `unidoku.convert_file`; what is written stays if the context ends with an error.
    about : dict
        Parameters for the metadata of Arrow and Parquet outputs.
    comment : bool, optional
        Begin an output of lines or CSV with a comment that has the parameters.
    ratings, threads
        As for `generate_file`.

    Yields
    ------
    callable
        Called with puzzles, uint8[n, 81], and perhaps their columns; writes them and returns the number of
        puzzles written so far.

    Raises
    ------
    UnidokuError
        The output cannot be written.
    """
    written = 0
    ratings = ratings and has_columns(output, to)
    workers = thread_count(threads)
    stage = Given(about | ({"scale": SCALE} if ratings else {}))
    options = RunOptions(stage=stage, comment=comment)
    with open_sink(output, options, to=to) as sink:

        def write(puzzles: NDArray[np.uint8], columns: Sequence[Column] = ()) -> int:
            nonlocal written
            cells, starts = flat(puzzles)
            lines = np.arange(written + 1, written + len(puzzles) + 1, dtype=np.int64)
            batch = Batch("<puzzles>", CODES[cells].tobytes(), starts, lines, columns=columns)
            if ratings:
                batch = with_ratings(batch, workers)
            table = stage.rows(batch, batch).table(sink.columns, (), stage.columns, carries=sink.carries)
            sink.write(sink.render(table))
            written += len(puzzles)
            return written

        yield write
