"""The commands with files as functions: one run each, in one piece or in parts."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from unidoku.arguments import positive
from unidoku.errors import UnidokuError
from unidoku.files.inputs import expand
from unidoku.run.start import input_options, stage_file
from unidoku.run.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from unidoku.craft.request import Request
    from unidoku.craft.transform import Transformation
    from unidoku.files.inputs import Input
    from unidoku.rating.step import Language
    from unidoku.run.options import FileFields
    from unidoku.run.progress import Progress
    from unidoku.run.stage import Stage
    from unidoku.threads import Cancel

__all__ = [
    "canonical_file",
    "convert_file",
    "dedupe_file",
    "generate_file",
    "minimize_file",
    "neighbours_file",
    "rate_file",
    "steps_file",
    "transform_file",
    "verify_file",
]


def convert_file(
    inputs: Input | Sequence[Input], output: str | os.PathLike[str], **options: Unpack[FileFields]
) -> Summary:
    """Write the puzzles of some files in another format.

    Parameters
    ----------
    inputs : path, binary file, or a sequence of these
        ``-`` is standard input; a folder stands for the files in it.
    output : path or URL
        The suffix names the format (see docs/files.md), perhaps followed by ``.gz``, ``.bz2``, ``.xz`` or
        ``.zst``; ``-`` is standard output. The file appears when it is complete: after an error there is what
        was there before, but of a damaged input the puzzles before the damage are kept.

    Other Parameters
    ----------------
    to : str, optional
        Name of the output's format, instead of its suffix; for ``-`` the default is ``lines``.
    carry : bool
        Whether to write the other columns of the input too, if the format can hold them.
    columns : sequence of str, optional
        The columns to write instead: their names, also those of the input.
    comment : bool, optional
        Begin an output of lines or CSV with a comment that has the parameters. Those of Arrow and Parquet
        are in the metadata.
    threads : int, optional
        Worker threads; by default one per available core.
    resume, cluster, part_bytes
        Make the output in parts; as for `unidoku.check_file`.
    progress, on_failure, cancel
        As for `unidoku.check_file`.
    empty : bool
        Whether the output appears where the inputs have no records.
    options : InputOptions, optional
        How to read.
    format, column, strict, max_ratio, max_size
        Attributes of :class:`InputOptions` (``column="grid"``); they replace those of `options`.

    Returns
    -------
    Summary
        ``written`` is the number of puzzles in the output.

    Raises
    ------
    UnidokuError
        An input cannot be read, the output cannot be written, or not in parts, or the format cannot hold a
        puzzle.
    ValueError
        A number is out of range.
    """
    from unidoku.run.convert import Convert

    return stage_file(inputs, output, Convert(), **options)


def dedupe_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    by: Literal["puzzle", "canonical"] = "puzzle",
    **options: Unpack[FileFields],
) -> Summary:
    """Write the puzzles of some files, each only where it occurs first.

    Puzzles are equal if all their cells are equal (the symbol for an empty cell does not matter), puzzles
    with pencil marks if all 729 characters are equal. The memory holds 128-bit hashes of all puzzles seen:
    21 to 43 bytes per puzzle.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; not in parts.
    by : {"puzzle", "canonical"}, optional
        ``canonical``: puzzles are equal too that a symmetry of the grid maps to each other: rows, columns,
        bands, stacks and digits exchanged, rows and columns swapped. Puzzles with two equal clues in a house
        and puzzles with pencil marks are compared cell by cell.

    Returns
    -------
    Summary
        ``written`` and ``duplicates`` are the numbers of puzzles that are in the output, and that are not.

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if `by` is another word.
    """
    from unidoku.run.convert import Dedupe

    if by not in {"puzzle", "canonical"}:
        raise ValueError(f"invalid by={by!r}; choose from: puzzle, canonical")
    return stage_file(inputs, output, Dedupe(by == "canonical"), **options)


def transform_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    transformation: Transformation | None = None,
    count: int | None = None,
    seed: int | None = None,
    original: bool = False,
    **options: Unpack[FileFields],
) -> Summary:
    """Write images of the puzzles of some files, and of their solutions.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`.
    transformation : Transformation, optional
        One element for all puzzles.
    count : int, optional
        Instead: the number of images of each puzzle under random elements, written one after the other.
    seed : int or None, optional
        The elements depend on the seed and on the puzzle alone, not on its place; by default the seed is a
        fresh one.
    original : bool, optional
        Also write each puzzle itself, before its images.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if a puzzle has pencil marks, or neither or both of `transformation` and
        `count` are given.
    """
    if (transformation is None) == (count is None):
        raise ValueError("give either a transformation or the number of random images")
    from unidoku.craft.seeds import seed_of
    from unidoku.run.change import RandomImages, Transform

    stage: Stage
    if transformation is not None:
        stage = Transform(transformation.index, original)
    else:
        stage = RandomImages(positive("count", count), seed_of(seed), original)
    return stage_file(inputs, output, stage, **options)


def canonical_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    form: Literal["minlex", "solution"] = "minlex",
    **options: Unpack[FileFields],
) -> Summary:
    """Write the canonical forms of the puzzles of some files, with their solutions transformed too.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`.
    form : {'minlex', 'solution'}, optional
        As for `unidoku.canonical`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if a puzzle has no canonical form, or `form` is another one.
    """
    from unidoku.run.change import Canonical

    return stage_file(inputs, output, Canonical(form), **options)


def minimize_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    seed: int | None = None,
    **options: Unpack[FileFields],
) -> Summary:
    """Write a minimal puzzle within each proper puzzle of some files.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; with ``carry``, the ratings of the new puzzles are written too where the format
        has columns.
    seed : int or None, optional
        With the puzzle it fixes the order in which clues are tried; by default it is a fresh one.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if a puzzle is not proper.
    """
    from unidoku.craft.seeds import seed_of
    from unidoku.run.change import Minimize
    from unidoku.run.given import has_columns

    rated = options.get("carry", True) and has_columns(output, options.get("to"))
    return stage_file(inputs, output, Minimize(seed_of(seed), rated), **options)


def rate_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    below: float | None = None,
    budget: int | None = None,
    **options: Unpack[FileFields],
) -> Summary:
    """Rate the puzzles of some files, and write a table with a row for each.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; a ``.txt`` output is a table with tabs, as ``.tsv``. The columns: ``puzzle``,
        ``file``, ``line``; of the scale ``er``, ``ep``, ``ed`` (7.2), ``technique``, ``difficulty``,
        ``at_least``, ``reason``; of the step engine ``steps``, ``solutions``, ``level``, ``first_steps``,
        ``first_level``, ``complete``; the book's ``class``; and those of the inputs. By default ``puzzle``,
        ``file`` if there are several inputs, ``er``, ``ep``, ``ed``, ``technique``, ``difficulty``, with
        `below` also ``at_least``, ``reason``, and the columns of the inputs (not in ``.txt``).
    below, budget
        As for `unidoku.rate_many`; `budget` is also the largest number of steps of the step engine for a
        puzzle, which is ten million without.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if no column has this name. A puzzle with several or no solutions is no
        error: its row has a ``reason`` and no rating.
    """
    from unidoku.run.rate import Rate

    return stage_file(inputs, output, Rate(below, budget), **options)


def steps_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    budget: int | None = None,
    lang: Language = "en",
    **options: Unpack[FileFields],
) -> Summary:
    """Solve the puzzles of some files by steps, and write a table with a row for each step.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; a ``.txt`` output is a table with tabs, as ``.tsv``. The columns: ``puzzle``,
        ``file`` (by default only if there are several inputs), ``line``; ``step``, its number from 1;
        ``technique``, ``kind``, ``rating``, as for `unidoku.Step`; ``placements`` and ``eliminations``, such
        as ``r4c2=7``, with spaces between; ``links``, as ``r4c2=7 r4c5=7 weak``, with semicolons between; the
        position ``before`` the step, 81 cells, and its candidates ``marks``, 729 characters; ``text``, the
        sentence; ``reason``; and those of the inputs.
    budget : int, optional
        As for `unidoku.steps`.
    lang : {"en", "zh"}
        The language of the sentences.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if no column has this name, or `lang` is invalid. A puzzle with several or
        no solutions is no error: it has one row, with a ``reason`` and no step.
    """
    from unidoku.run.steps import Steps

    return stage_file(inputs, output, Steps(budget, lang), **options)


def verify_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str] | None = None,
    *,
    predictions: Input | None = None,
    prediction: str | None = None,
    **options: Unpack[FileFields],
) -> Summary:
    """Verify the predicted solutions of the puzzles of some files.

    Parameters
    ----------
    inputs, **options
        As for `convert_file`.
    output : path or URL, optional
        A table: ``file`` if there are several inputs, ``line``, the attributes of `VerifyResult`, and
        ``reason`` for a record that is no puzzle or has no grid in its prediction, which is wrong.
    predictions : path or binary file, optional
        One prediction for each puzzle, in the same order.
    prediction : str, optional
        Without `predictions`: the column that has them; by default the first that is there of
        ``prediction``, ``answer``, ``solution`` and ``solutions``. Its values are 81 cells, JSON lists, or
        texts with a grid in them.

    Returns
    -------
    Summary
        ``right`` and ``wrong`` are the numbers of predictions; ``malformed``, of those without a puzzle or a
        grid; ``wrong_cells``, ``broken_houses`` and ``changed_clues`` are totals of the others.

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if there is no such column, or the two have different numbers of rows.
    """
    from unidoku.run.verify import Side, Verify

    side = None
    if predictions is not None:
        from unidoku.files.overlap import refuse_overlap

        refuse_overlap([predictions], [output])
        side = Side(predictions, input_options({**options}))
    return stage_file(inputs, output, Verify(prediction, side), **options)


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
    resume: bool = False,
    cluster: str | None = None,
    part_bytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
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
    resume, cluster, part_bytes, progress
        Make the output in parts; as for `unidoku.check_file`. All attempts of the budget are made: `count` is
        None.

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
        A number is out of range, or an output in parts has a `count` or no `budget`.
    """
    from unidoku.craft.generate import generate_batches
    from unidoku.craft.seeds import seed_of
    from unidoku.files.base import Attempts
    from unidoku.run.change import Generate, grid_column
    from unidoku.run.given import has_columns, puzzle_writer, solution_column

    start = seed_of(seed)
    column = solution_column(output, to) if solutions else None
    stage = Generate(request, start, first, column)
    if resume or cluster is not None or part_bytes is not None:
        if count is not None or budget is None:
            raise ValueError("an output in parts needs a budget and count=None")
        return stage_file(
            Attempts(0, budget),
            output,
            replace(stage, ratings=ratings and has_columns(output, to)),
            to=to,
            comment=comment,
            threads=threads,
            resume=resume,
            cluster=cluster,
            part_bytes=part_bytes,
            progress=progress,
            cancel=cancel,
        )
    batches = generate_batches(
        request, count, start, first=first, budget=budget, threads=threads, cancel=cancel
    )
    about = stage.to_json() | {"count": count, "budget": budget}
    written = 0
    with puzzle_writer(output, about, to=to, comment=comment, ratings=ratings, threads=threads) as write:
        for rows, grids in batches:
            written = write(rows, [] if column is None else [grid_column(grids, column)])
    return Summary(written=written, complete=not cancel)


def neighbours_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    remove: int = 1,
    add: int = 1,
    **options: Unpack[FileFields],
) -> Summary:
    """Write the neighbours of the puzzles of some files to an output while they are found.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; with ``carry``, the ratings of the new puzzles are written where the format has
        columns. What is written stays when the run is cancelled. ``columns``, ``progress`` and ``on_failure``
        are for an output in parts only.
    remove, add
        As for `unidoku.craft.neighbours.neighbours_many`; in parts, neighbours of different puzzles may be
        images of each other.

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
    from unidoku.craft.neighbours import neighbours_many
    from unidoku.files.inputs import read_puzzles
    from unidoku.files.overlap import refuse_overlap
    from unidoku.run.change import Neighbours
    from unidoku.run.given import has_columns, puzzle_writer

    to, threads, cancel = options.get("to"), options.get("threads"), options.get("cancel")
    stage = Neighbours(remove, add, options.get("carry", True) and has_columns(output, to))
    if options.get("resume") or options.get("cluster") or options.get("part_bytes"):
        return stage_file(inputs, output, stage, **options)
    refuse_overlap(expand(inputs), [os.fspath(output)])
    puzzles = []
    for puzzle in read_puzzles(inputs, input_options({**options})):
        if isinstance(puzzle, UnidokuError):
            raise puzzle
        puzzles.append(puzzle.cells)
    if not puzzles and not options.get("empty", True):
        return Summary()
    found = neighbours_many(puzzles, remove=remove, add=add, threads=threads, cancel=cancel)
    written = 0
    about = replace(stage, ratings=False).to_json()
    writing: Any = {"to": to, "comment": options.get("comment", False), "threads": threads}
    with puzzle_writer(output, about, ratings=stage.ratings, **writing) as write:
        for rows in found:
            written = write(rows)
    return Summary(puzzles=len(puzzles), written=written, complete=not cancel)
