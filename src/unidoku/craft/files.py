"""Transform, canonicalize, minimize and generate puzzles in files of every format."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku import kernel
from unidoku.checking import check_file
from unidoku.craft.changes import (
    CODES,
    Canonical,
    Generate,
    Minimize,
    RandomImages,
    Rate,
    Transform,
    grid_column,
)
from unidoku.craft.generate import generate_batches
from unidoku.craft.neighbours import neighbours_many
from unidoku.craft.seeds import seed_of
from unidoku.errors import FormatError, UnidokuError
from unidoku.files.base import Batch, Column
from unidoku.files.formats import output_format
from unidoku.files.inputs import are_several, expand
from unidoku.files.options import InputOptions
from unidoku.files.overlap import refuse_overlap
from unidoku.files.puzzles import read_puzzles
from unidoku.kernel import MAX_THREADS, positive
from unidoku.many import flat
from unidoku.rating.columns import with_ratings
from unidoku.rating.se121 import SCALE
from unidoku.run.convert import Converted
from unidoku.run.options import CheckOptions
from unidoku.run.sinks import open_sink
from unidoku.run.stream import check_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from unidoku.craft.request import Request
    from unidoku.craft.transform import Transformation
    from unidoku.files.inputs import Input
    from unidoku.files.options import InputFields
    from unidoku.kernel import Cancel
    from unidoku.run.options import Change
    from unidoku.run.progress import Progress

__all__ = [
    "canonical_file",
    "change_file",
    "has_columns",
    "minimize_file",
    "puzzle_writer",
    "rate_file",
    "solution_column",
    "transform_file",
    "write_generated",
    "write_neighbours",
]


def change_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    change: Change,
    *,
    to: str | None = None,
    carry: bool = True,
    comment: bool = False,
    threads: int | None = None,
    resume: bool = False,
    cluster: str | None = None,
    shard_bytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancel | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Converted:
    """Write other puzzles made from the puzzles of some files.

    Parameters
    ----------
    path, output, to, carry, progress, options, **fields
        As for `unidoku.convert_file`.
    change : Change
        What is made of each puzzle; see `unidoku.craft.changes`. Its parameters are in the metadata of Arrow
        and Parquet outputs.
    comment : bool, optional
        Begin an output of lines or CSV with a comment that has the parameters.
    threads : int, optional
        Worker threads; by default one per available core.
    resume : bool, optional
        Make the output in parts, and continue with those of an earlier run with the same inputs and
        parameters; as for `unidoku.check_file`. A ``.parquet`` output is then a folder.
    cluster, shard_bytes
        Make the output in parts, on a cluster, of about so many bytes of the inputs; as for
        `unidoku.check_file`.
    cancel : Cancel, optional
        Set it to stop the run; what has been done is written.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        An input cannot be read, a puzzle cannot be changed, the output cannot be written, or not in parts.
        Of a damaged input, what comes before the damage is written.
    ValueError
        A number is out of range.
    """
    run = CheckOptions(**asdict(InputOptions.of(options, fields)), keep=carry, comment=comment, change=change)
    workers = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
    failures: list[UnidokuError] = []
    output = os.fspath(output)
    if resume or cluster is not None or shard_bytes is not None:
        summary = check_file(
            path,
            output=output,
            to=to,
            threads=workers,
            resume=resume,
            cluster=cluster,
            shard_bytes=shard_bytes,
            progress=progress,
            on_failure=failures.append,
            cancel=cancel,
            options=run,
        )
    else:
        inputs = expand(path)
        refuse_overlap(inputs, [output])
        sink = open_sink(output, to=to, puzzles=True, atomic=True, options=run.recorded(), comment=comment)
        sink.steady = sink.shows_batches

        def failed(error: UnidokuError) -> None:
            if sink.columns is None:  # nothing is written yet
                raise error
            failures.append(error)

        summary = check_stream(
            inputs,
            run,
            sink=sink,
            threads=workers,
            progress=progress,
            on_failure=failed,
            cancel=cancel,
        )
    if failures:
        failures[0].summary = summary
        raise failures[0]
    return Converted(
        puzzles=summary.puzzles - summary.invalid,
        invalid=summary.invalid,
        rejects=summary.rejects,
        complete=summary.complete,
        resume=summary.resume,
    )


def transform_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    transformation: Transformation | None = None,
    *,
    random: int | None = None,
    seed: int | None = None,
    keep: bool = False,
    **options: Any,
) -> Converted:
    """Write images of the puzzles of some files, and of their solutions.

    Parameters
    ----------
    path, output
        As for `change_file`.
    transformation : Transformation, optional
        One element for all puzzles.
    random : int, optional
        Instead: the number of images of each puzzle under random elements, written one after the other.
    seed : int or None, optional
        The elements depend on the seed and on the puzzle alone, not on its place; by default the seed is a
        fresh one.
    keep : bool, optional
        Also write each puzzle itself, before its images.
    **options
        Options of `change_file`.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        As for `change_file`; also if a puzzle has pencil marks.
    ValueError
        Neither or both of `transformation` and `random` are given, or a number is out of range.
    """
    if (transformation is None) == (random is None):
        raise ValueError("give either a transformation or the number of random images")
    start = seed_of(seed)
    change: Change
    if transformation is not None:
        change = Transform(transformation.index, keep)
    else:
        change = RandomImages(positive("random", random), start, keep)
    return change_file(path, output, change, **options)


def canonical_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    form: str = "minlex",
    **options: Any,
) -> Converted:
    """Write the canonical forms of the puzzles of some files, with their solutions transformed too.

    Parameters
    ----------
    path, output, **options
        As for `change_file`.
    form : {'minlex', 'solution'}, optional
        As for `unidoku.canonical`.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        As for `change_file`; also if a puzzle has no canonical form.
    ValueError
        Another form, or a number is out of range.
    """
    return change_file(path, output, Canonical(form), **options)


def minimize_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    seed: int | None = None,
    to: str | None = None,
    carry: bool = True,
    **options: Any,
) -> Converted:
    """Write a minimal puzzle within each proper puzzle of some files.

    Parameters
    ----------
    path, output, to, **options
        As for `change_file`.
    seed : int or None, optional
        With the puzzle it fixes the order in which clues are tried; by default it is a fresh one.
    carry : bool, optional
        Also write the other columns, and the ratings of the new puzzles where the format has columns.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        As for `change_file`; also if a puzzle is not proper.
    ValueError
        A number is out of range.
    """
    change = Minimize(seed_of(seed), carry and has_columns(output, to))
    return change_file(path, output, change, to=to, carry=carry, **options)


def rate_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    columns: Iterable[str] | None = None,
    below: float | None = None,
    budget: int | None = None,
    to: str | None = None,
    **options: Any,
) -> Converted:
    """Rate the puzzles of some files, and write a table with a row for each.

    Parameters
    ----------
    path, output, **options
        As for `change_file`; a ``.txt`` output is a table with tabs, as ``.tsv``.
    columns : iterable of str, optional
        The columns after ``puzzle``: ``file``, ``line``; of the scale ``er``, ``ep``, ``ed`` (7.2),
        ``technique``, ``difficulty``, ``at_least``, ``reason``; of the step engine ``steps``, ``solutions``,
        ``level``, ``first_steps``, ``first_level``, ``complete``; the book's ``class``; and columns of the
        inputs. By default ``file`` if there are several inputs, ``er``, ``ep``, ``ed``, ``technique``,
        ``difficulty``, with `below` also ``at_least``, ``reason``, and the columns of the inputs (not in
        ``.txt``).
    below, budget
        As for `unidoku.rate_many`; `budget` is also the largest number of steps of the step engine for a
        puzzle, which is ten million without.
    to : str, optional
        Name of the output's format, instead of its suffix.

    Returns
    -------
    Converted

    Raises
    ------
    UnidokuError
        As for `change_file`; also if no column has this name. A puzzle with several or no solutions is no
        error: its row has a ``reason`` and no rating.
    ValueError
        A number is out of range.
    """
    if output_format(os.fspath(output), to, rows=True).format.name == "lines":
        to = "tsv"
        options["carry"] = columns is not None
    inputs = expand(path)
    names = None if columns is None else tuple(columns)
    change = Rate(names, file=are_several(inputs), below=below, budget=budget)
    return change_file(inputs, output, change, to=to, **options)


def write_generated(
    request: Request,
    count: int | None,
    output: str | os.PathLike[str],
    *,
    seed: int | None = None,
    first: int = 0,
    budget: int | None = None,
    solutions: bool = False,
    ratings: bool = True,
    to: str | None = None,
    comment: bool = False,
    threads: int | None = None,
    cancel: Cancel | None = None,
) -> int:
    """Generate puzzles and write each to an output as soon as it is found.

    Parameters
    ----------
    request, count, seed, first, budget, threads, cancel
        As for `unidoku.craft.generate.generate_batches`.
    output, to
        As for `unidoku.convert_file`; puzzles already written are kept when the budget is used up.
    solutions : bool, optional
        Whether to write the solutions too: a column ``solution``, in lines after the puzzle and a tab.
    ratings : bool, optional
        Whether to write ``er``, ``ep``, ``ed``, ``technique`` and ``difficulty`` too, where the format has
        columns.
    comment : bool, optional
        Begin an output of lines or CSV with a comment that has the request, the seed and the attempts.

    Returns
    -------
    int
        The number of puzzles written.

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
    return written


def has_columns(output: str | os.PathLike[str], to: str | None = None) -> bool:
    """Return whether the format of an output for puzzles has columns with names.

    Parameters
    ----------
    output, to
        As for `unidoku.convert_file`.
    """
    form = output_format(os.fspath(output), to, rows=False)
    return form.format.rows and form.suffix not in (".txt", ".sdm")


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


def write_neighbours(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    remove: int = 1,
    add: int = 1,
    *,
    ratings: bool = True,
    to: str | None = None,
    threads: int | None = None,
    cancel: Cancel | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> tuple[int, int]:
    """Write the neighbours of the puzzles of some files to an output while they are found.

    Parameters
    ----------
    path, output, to, options, **fields
        As for `unidoku.convert_file`; what is written stays when the run is cancelled.
    remove, add, threads, cancel
        As for `unidoku.craft.neighbours.neighbours_many`.
    ratings
        As for `write_generated`.

    Returns
    -------
    tuple of int
        The numbers of puzzles read and written.

    Raises
    ------
    UnidokuError
        An input cannot be read, a record is not a puzzle, or the output cannot be written.
    ValueError
        `remove` or `add` is out of range for a puzzle.
    """
    refuse_overlap(expand(path), [os.fspath(output)])
    puzzles = []
    for puzzle in read_puzzles(path, options, **fields):
        if isinstance(puzzle, UnidokuError):
            raise puzzle
        puzzles.append(puzzle.cells)
    found = neighbours_many(puzzles, remove=remove, add=add, threads=threads, cancel=cancel)
    about = {"command": "neighbours", "remove": remove, "add": add}
    written = 0
    with puzzle_writer(output, about, to=to, ratings=ratings, threads=threads) as write:
        for rows in found:
            written = write(rows)
    return len(puzzles), written


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
        As for `write_generated`.

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
    workers = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
    about |= {"scale": SCALE} if ratings else {}
    with open_sink(output, to=to, puzzles=True, options=about, comment=comment) as sink:

        def write(puzzles: NDArray[np.uint8], columns: Sequence[Column] = ()) -> int:
            nonlocal written
            cells, starts = flat(puzzles)
            lines = np.arange(written + 1, written + len(puzzles) + 1, dtype=np.int64)
            batch = Batch("<puzzles>", CODES[cells].tobytes(), starts, lines, columns=columns)
            sink.write(sink.render(with_ratings(batch, workers) if ratings else batch, None))
            written += len(puzzles)
            return written

        yield write
