"""The commands with files as functions: one run each, in one piece or in parts."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Literal

from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.files.inputs import are_several, expand
from unidoku.files.options import InputOptions
from unidoku.kernel import MAX_THREADS, Cancel, positive
from unidoku.run.loop import Run
from unidoku.run.options import RunOptions
from unidoku.run.sink import Sink
from unidoku.run.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Unpack

    from unidoku.craft.transform import Transformation
    from unidoku.files.inputs import Input
    from unidoku.files.options import InputFields
    from unidoku.rating.step import Language
    from unidoku.run.progress import Progress
    from unidoku.run.stage import Stage

__all__ = [
    "canonical_file",
    "convert_file",
    "dedupe_file",
    "has_columns",
    "minimize_file",
    "rate_file",
    "stage_file",
    "transform_file",
    "verify_file",
]


def run_file(
    path: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None,
    options: RunOptions,
    *,
    to: str | None = None,
    invalid: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    resume: bool = False,
    cluster: str | None = None,
    part_bytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
) -> Summary:
    """Run a stage over some files; parameters, result and errors are those of `unidoku.check_file`.

    The output is made in parts if it is a folder, or if an option asks for it.
    """
    threads = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
    positive("part_bytes", part_bytes)
    inputs = expand(path)
    if output is not None or invalid is not None:
        # imported here so that a check without output starts faster
        from unidoku.files.overlap import refuse_overlap

        refuse_overlap(inputs, [output, invalid])
    if output is not None and "file" in options.stage.columns:
        options = replace(options, file=are_several(inputs))
    # what comes before the damage is written
    defers = on_failure is None and output is not None and options.stage.atomic
    if resume or cluster is not None or part_bytes is not None or _is_folder(output):
        # imported only when it is needed, which is seldom
        from unidoku.run.parts import run_in_parts

        return run_in_parts(
            inputs,
            output,
            options,
            to=to,
            invalid=None if invalid is None else os.fspath(invalid),
            threads=threads,
            resume=resume,
            cluster=cluster,
            part_bytes=part_bytes,
            progress=progress,
            on_failure=on_failure,
            cancel=cancel,
        )
    for name in (output, invalid):
        if isinstance(name, str | os.PathLike) and os.fspath(name) != "-":
            from unidoku.files.overlap import refuse_unwritable

            refuse_unwritable(os.fspath(name))
    if output is None:
        output = Sink()
    elif not isinstance(output, Sink):
        from unidoku.run.sinks import open_sink

        output = open_sink(output, options, to=to, atomic=options.stage.atomic)
    run = Run(inputs, options, output, threads=threads, progress=progress, cancel=cancel)
    return run.run(invalid, on_failure, defers=defers)


def _is_folder(output: object) -> bool:
    return isinstance(output, str | os.PathLike) and (str(output).endswith("/") or os.path.isdir(output))


def stage_file(
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | None,
    stage: Stage,
    *,
    to: str | None = None,
    carry: bool = True,
    comment: bool = False,
    columns: Sequence[str] | None = None,
    threads: int | None = None,
    resume: bool = False,
    cluster: str | None = None,
    part_bytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Summary:
    """Write what a stage makes of the puzzles of some files.

    Parameters
    ----------
    inputs, output, to, carry, threads, progress, options, **fields
        As for `unidoku.convert_file`.
    stage : Stage
        What is made of each puzzle. Its parameters are in the metadata of Arrow and Parquet outputs.
    comment : bool, optional
        Begin an output of lines or CSV with a comment that has the parameters.
    columns : sequence of str, optional
        The columns to write, of the stage or of the input.
    resume : bool, optional
        Make the output in parts, and continue with those of an earlier run with the same inputs and
        parameters; as for `unidoku.check_file`. A ``.parquet`` output is then a folder.
    cluster, part_bytes
        Make the output in parts, on a cluster, of about so many bytes of the inputs; as for
        `unidoku.check_file`.
    on_failure : callable, optional
        Called with the error of an input that cannot be read to its end.
    cancel : Cancel, optional
        Set it to stop the run; what has been done is written.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        An input cannot be read, a puzzle cannot be changed, the output cannot be written, or not in parts.
        Of a damaged input, what comes before the damage is written.
    ValueError
        A number is out of range.
    """
    return run_file(
        inputs,
        output,
        RunOptions(
            **asdict(InputOptions.of(options, fields)),
            stage=stage,
            bare=not carry,
            comment=comment,
            columns=None if columns is None else tuple(columns),
        ),
        to=to,
        threads=threads,
        resume=resume,
        cluster=cluster,
        part_bytes=part_bytes,
        progress=progress,
        on_failure=on_failure,
        cancel=cancel,
    )


def convert_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    to: str | None = None,
    carry: bool = True,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
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
    to : str, optional
        Name of the output's format, instead of its suffix; for ``-`` the default is ``lines``.
    carry : bool
        Whether to write the other columns of the input too, if the format can hold them.
    threads : int, optional
        Worker threads; by default one per available core.
    progress : callable, optional
        Called with a `Progress` about ten times a second, and at the end.
    options : InputOptions, optional
        How to read.
    **fields
        Attributes of :class:`InputOptions` (``column="grid"``); they replace those of `options`.

    Returns
    -------
    Summary
        ``written`` is the number of puzzles in the output.

    Raises
    ------
    UnidokuError
        When an input cannot be read or the output cannot be written, or the format cannot hold a puzzle.
    """
    from unidoku.run.convert import Convert

    common: dict[str, Any] = {"to": to, "carry": carry, "threads": threads, "progress": progress}
    return stage_file(inputs, output, Convert(), options=options, **common, **fields)


def dedupe_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    by: Literal["puzzle", "canonical"] = "puzzle",
    to: str | None = None,
    carry: bool = True,
    progress: Callable[[Progress], None] | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> Summary:
    """Write the puzzles of some files, each only where it occurs first.

    Puzzles are equal if all their cells are equal (the symbol for an empty cell does not matter), puzzles
    with pencil marks if all 729 characters are equal. The memory holds 128-bit hashes of all puzzles seen:
    21 to 43 bytes per puzzle.

    Parameters
    ----------
    inputs, output, to, carry, progress, options, **fields
        As for `convert_file`.
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
    UnidokuError
        As for `convert_file`.
    """
    from unidoku.run.convert import Dedupe

    if by not in {"puzzle", "canonical"}:
        raise ValueError(f"invalid by={by!r}; choose from: puzzle, canonical")
    common: dict[str, Any] = {"to": to, "carry": carry, "progress": progress}
    return stage_file(inputs, output, Dedupe(by == "canonical"), options=options, **common, **fields)


def transform_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    transformation: Transformation | None = None,
    count: int | None = None,
    seed: int | None = None,
    original: bool = False,
    **options: Any,
) -> Summary:
    """Write images of the puzzles of some files, and of their solutions.

    Parameters
    ----------
    inputs, output
        As for `stage_file`.
    transformation : Transformation, optional
        One element for all puzzles.
    count : int, optional
        Instead: the number of images of each puzzle under random elements, written one after the other.
    seed : int or None, optional
        The elements depend on the seed and on the puzzle alone, not on its place; by default the seed is a
        fresh one.
    original : bool, optional
        Also write each puzzle itself, before its images.
    **options
        Options of `stage_file`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        As for `stage_file`; also if a puzzle has pencil marks.
    ValueError
        Neither or both of `transformation` and `count` are given, or a number is out of range.
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
    **options: Any,
) -> Summary:
    """Write the canonical forms of the puzzles of some files, with their solutions transformed too.

    Parameters
    ----------
    inputs, output, **options
        As for `stage_file`.
    form : {'minlex', 'solution'}, optional
        As for `unidoku.canonical`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        As for `stage_file`; also if a puzzle has no canonical form.
    ValueError
        Another form, or a number is out of range.
    """
    from unidoku.run.change import Canonical

    return stage_file(inputs, output, Canonical(form), **options)


def minimize_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    seed: int | None = None,
    to: str | None = None,
    carry: bool = True,
    **options: Any,
) -> Summary:
    """Write a minimal puzzle within each proper puzzle of some files.

    Parameters
    ----------
    inputs, output, to, **options
        As for `stage_file`.
    seed : int or None, optional
        With the puzzle it fixes the order in which clues are tried; by default it is a fresh one.
    carry : bool, optional
        Also write the other columns, and the ratings of the new puzzles where the format has columns.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        As for `stage_file`; also if a puzzle is not proper.
    ValueError
        A number is out of range.
    """
    from unidoku.craft.seeds import seed_of
    from unidoku.run.change import Minimize

    stage = Minimize(seed_of(seed), carry and has_columns(output, to))
    return stage_file(inputs, output, stage, to=to, carry=carry, **options)


def rate_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    below: float | None = None,
    budget: int | None = None,
    **options: Any,
) -> Summary:
    """Rate the puzzles of some files, and write a table with a row for each.

    Parameters
    ----------
    inputs, output, **options
        As for `stage_file`; a ``.txt`` output is a table with tabs, as ``.tsv``. The columns are ``puzzle``,
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
    UnidokuError
        As for `stage_file`; also if no column has this name. A puzzle with several or no solutions is no
        error: its row has a ``reason`` and no rating.
    ValueError
        A number is out of range.
    """
    from unidoku.run.rate import Rate

    return stage_file(inputs, output, Rate(below, budget), **options)


def steps_file(
    path: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    budget: int | None = None,
    lang: Language = "en",
    **options: Any,
) -> Summary:
    """Solve the puzzles of some files by steps, and write a table with a row for each step.

    Parameters
    ----------
    path, output, **options
        As for `stage_file`; a ``.txt`` output is a table with tabs, as ``.tsv``. The columns are ``puzzle``,
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
    UnidokuError
        As for `stage_file`; also if no column has this name. A puzzle with several or no solutions is no
        error: it has one row, with a ``reason`` and no step.
    ValueError
        `budget` or `lang` is invalid.
    """
    from unidoku.run.steps import Steps

    return stage_file(path, output, Steps(budget, lang), **options)


def verify_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str] | None = None,
    *,
    predictions: Input | None = None,
    prediction: str | None = None,
    **options: Any,
) -> Summary:
    """Verify the predicted solutions of the puzzles of some files.

    Parameters
    ----------
    inputs, **options
        As for `stage_file`.
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
    UnidokuError
        As for `stage_file`; also if there is no such column, or the two have different numbers of rows.
    """
    from unidoku.run.verify import Side, Verify

    side = None
    if predictions is not None:
        from unidoku.files.overlap import refuse_overlap

        refuse_overlap([predictions], [output])
        reading = options.get("options") or InputOptions()
        fields = {name: options[name] for name in asdict(reading) if name in options}
        side = Side(predictions, replace(reading, **fields))
    return stage_file(inputs, output, Verify(prediction, side), **options)


def has_columns(output: str | os.PathLike[str], to: str | None = None) -> bool:
    """Return whether the format of an output for puzzles has columns with names.

    Parameters
    ----------
    output, to
        As for `unidoku.convert_file`.
    """
    from unidoku.files.formats import output_format

    form = output_format(os.fspath(output), to, rows=False)
    return form.format.rows and form.suffix not in (".txt", ".sdm")
