"""Runs over files, whose output is a file or a folder of parts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from unidoku._arguments import wrong_type
from unidoku._compat import log
from unidoku._options import Options
from unidoku._schema import Schema
from unidoku._task import Task
from unidoku.errors import ArgumentError, Message
from unidoku.files._inputs import Input, Inputs, MemoryInput, refuse_empty
from unidoku.files._output import is_folder, refuse_outputs
from unidoku.runner._driver import Run
from unidoku.runner._summary import Summary
from unidoku.runner._work import task_of
from unidoku.runner._writer import Writer, open_rejects, open_writer


def run(
    task: Task,
    inputs: Input | Iterable[Input],
    output: str | bytes | os.PathLike[str] | Writer | None = None,
    *,
    empty: bool = False,
    **options: Any,
) -> Summary:
    r"""Run a task over the puzzles of files, and write its rows.

    Records that are not puzzles keep their place in a table of rows, with the columns of the input and a
    ``reason``. Formats that hold only puzzles omit them.

    Parameters
    ----------
    task : Task
        One of `unidoku.tasks`, such as ``unidoku.tasks.Rate(below=9.0)``.
    inputs : path, binary file, array of cells, or an iterable of these
        ``-`` is standard input; URLs (``s3://…``) are opened by fsspec. A folder means the files in it, a
        pattern the files that it matches, an archive its members. gzip, bz2, xz and zstd are recognised by
        content.
    output : path or Writer, optional
        Where to write the rows, in input order; ``-`` is standard output. The suffix sets the format:
        ``.txt``, ``.csv``, ``.tsv`` or ``.jsonl``, each also with ``.gz``, ``.bz2``, ``.xz`` or ``.zst``, and
        ``.parquet`` or ``.arrow``. Tasks that write puzzles, such as ``Convert``, can also write the formats
        of docs/files.md that hold only puzzles.

        The output appears when it is complete; until then, an older file of that name stays as it is. If an
        error or `cancel` ends the run, the rows so far stay in a file with ``.partial`` after the name. A
        name that ends with ``/`` is a folder, with a file for each part.

    empty : bool, optional
        Whether inputs may have no record at all: the output then appears without rows.

    Other Parameters
    ----------------
    to : str, optional
        Name of the format of the output, instead of its suffix: ``txt``, ``csv``, ``tsv``, ``jsonl``,
        ``parquet``, ``arrow``, or another one of puzzles.
    columns : iterable of str, optional
        The columns to write: ``puzzle``, ``file``, ``line``, columns of the task, ``reason``, and columns of
        the input. By default these are the most useful columns of the task, and the columns of the input that
        `keep` selects.
    where : str or dict, optional
        Select the rows to write; all puzzles are counted. Examples: ``"er=7-9,verdict=none,multiple"`` or
        ``{"er": (7, 9), "verdict": ["none", "multiple"]}``: a row is written if each column has one of its
        values. Columns are the columns of the task and of the input, ``puzzle``, ``file``, ``line``,
        ``reason``, and ``clues``, the number of clues.

        A task that selects puzzles by earlier puzzles, such as ``Convert(unique="text")``, selects from the
        records that fulfil the conditions.
    only : iterable of Verdict or str, optional
        The same as ``where`` for the verdict, if the task gives verdicts.
    keep : {"columns", "none"} or iterable of str
        The columns of the input that are written after the puzzles, but not to ``.txt``: all that have a name
        and hold for the puzzle of the row, none, or these.
    rejects : path, optional
        A file for the records that are not puzzles, in any format of rows: their ``file``, ``line``, text
        (``puzzle``), ``reason``, ``reason_code``, and all columns of the input. It appears with the output.
    quote_formulas : bool
        Write an apostrophe before each text of CSV and TSV that begins as a formula of spreadsheets does.
    threads : int, optional
        Worker threads; by default one per available core.
    puzzle_timeout : float, optional
        Give up each puzzle after this number of seconds; it has a ``reason``, and the run continues.
    resume : bool
        Keep the parts that an interrupted run with the same task, inputs and options has made of an output
        that is a folder.  See docs/files.md.
    overwrite : bool
        Remove the parts of another run from an output folder first; otherwise the folder is refused.
    part_size : int
        Megabytes of input for each file of an output folder.
    cluster : str, optional
        Give each input to a worker of a Dask cluster: ``local:N`` for N processes of this machine, otherwise
        the address of its scheduler, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``. The output must be a folder.
    progress : callable, optional
        Called with a :class:`Progress` after each batch, and often while there is none.
    on_failure : callable, optional
        Called with the error of an input that cannot be read to its end; the run then continues with the next
        input.  Without it, the error is raised.  In both cases the output is not complete.
    cancel : Cancel, optional
        Set it to stop the run; the results so far are counted and kept.
    timeout : float, optional
        Cancel it after this number of seconds.
    format : str, optional
        Name of the format of the inputs, instead of recognising it by suffix and content.
    column : str or int, optional
        The field that holds the puzzle: a number from 1, or a name.
    encoding : str, optional
        The encoding of texts, any of Python's: ``gbk``, ``big5``, ``cp1251``.  Without it they are UTF-8, or
        UTF-16 with its mark, and other lines Windows-1252.

    Returns
    -------
    Summary
        The counts of the run, and how it ended.

    Raises
    ------
    UnidokuError
        An input cannot be read and there is no ``on_failure``, the inputs have no record, the task cannot
        work on a puzzle, or an output cannot be written.  The attribute ``summary`` holds the counts up to
        the error.
    ValueError
        A number is not allowed: `threads` is an integer of at least 1.

    Examples
    --------
    >>> import io
    >>> lines = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n?\n"
    >>> summary = unidoku.run(unidoku.tasks.Check(), io.BytesIO(lines))
    >>> summary.unique, summary.invalid
    (1, 1)
    """
    settings = Options(**options)
    if task_of(task).in_order:
        task = replace(task)
    Schema(task, conditions=settings.conditions())  # refuses conditions before anything is opened
    sources = Inputs.of(inputs, settings.cancel)
    if empty:
        sources.skip_empty_folders()
    empty = empty or not sources.entries or any(isinstance(source, MemoryInput) for source in sources)
    if isinstance(output, bytes | os.PathLike):
        output = os.fsdecode(output)
    if not isinstance(output, str | Writer | None):
        raise wrong_type("output", "a path or a Writer", output)
    log("info", "%s: began", task.name)
    if isinstance(output, str) and is_folder(output):
        # imported only when it is needed, which is seldom
        from unidoku.runner._parts import run_in_parts

        summary = run_in_parts(sources, output, task, settings)
    else:
        summary = _run_to_writer(task, sources, output, settings, empty=empty)
    counts = summary.puzzles, summary.invalid, summary.failed, summary.seconds
    level, word = ("info", "ended") if summary.complete else ("warning", "stopped")
    log(level, f"%s: {word}{_COUNTS}", task.name, *counts)
    if summary.complete and not empty:
        refuse_empty(summary.puzzles, sources.entries)
    return summary


_COUNTS = " after %d puzzles, %d invalid, %d inputs failed, %.1f seconds"


def _run_to_writer(
    task: Task, sources: Inputs, output: str | Writer | None, settings: Options, *, empty: bool
) -> Summary:
    """Let a task work on inputs, and write the rows to one output."""
    if any((settings.resume, settings.overwrite, settings.cluster is not None)):
        text = (
            "resume, overwrite and cluster (--resume, --overwrite, --cluster) need a folder as "
            "output; type -o parts/"
        )
        raise ArgumentError(Message(text))
    rejects = None
    refuse_outputs(sources, [path for path in (output, settings.rejects) if isinstance(path, str)])
    if output is None:
        output = Writer()
    elif isinstance(output, str):
        several = not task.replaces and sources.are_several()
        output = open_writer(output, task, settings, several=several)
    if settings.rejects:
        rejects = open_rejects(settings.rejects, settings)
    driver = Run(task, settings, output, empty=empty, rejects=rejects, is_whole=True)
    size = 0
    if settings.progress:
        size = sources.size()
    return driver.process(sources.chunks(driver.reading, lambda: driver.target), size)
