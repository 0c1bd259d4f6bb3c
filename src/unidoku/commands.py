"""The commands with files as functions: one run each, in one piece or in parts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from unidoku.arguments import positive
from unidoku.errors import UnidokuError
from unidoku.run.check import Check
from unidoku.run.start import input_options, stage_file
from unidoku.threads import child_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Unpack

    from unidoku.craft.request import Request
    from unidoku.files.inputs import Input
    from unidoku.run.loop import FileFields, RunFields
    from unidoku.run.stage import Sink
    from unidoku.run.summary import Summary
    from unidoku.verdict import Verdict
    from unidoku.words import Language


def check_file(
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
    *,
    limit: int | None = 2,
    budget: int | None = None,
    only: Iterable[Verdict | str] | None = None,
    keep: bool = False,
    verify: bool = False,
    invalid: str | os.PathLike[str] | None = None,
    **options: Unpack[FileFields],
) -> Summary:
    """Determine the verdict of every puzzle in some files.

    Parameters
    ----------
    inputs : path, binary file, or an iterable of these
        ``-`` is standard input; URLs (``s3://…``) are opened by fsspec.  A folder stands for the files in it,
        a pattern for what it matches, an archive for its members.  gzip, bz2, xz and zstd are recognised by
        content.
    output : path or Sink, optional
        Where to write one row per puzzle, in input order.  The suffix sets the format: ``.txt``, ``.csv``,
        ``.jsonl``, each also with ``.gz``, ``.bz2``, ``.xz``, ``.zst``; ``.arrow``, ``.parquet``.  It appears
        when it is complete; until then, what was there stays.  What has been done when an error or `cancel`
        ends the run is kept in a file with ``.partial`` behind the name.  A name that ends with ``/`` is a
        folder, with a file for each part.
    limit : int or None
        Stop counting the solutions of a puzzle there; None counts all.
    budget : int or None
        Guesses that a puzzle may cost before its verdict is ``unknown``; None sets no bound.
    only : iterable of Verdict or str, optional
        The verdicts whose rows are written; all puzzles are counted.  By default all rows are written.
    keep : bool
        Whether the rest of each line is written too.  Named columns always are, but not to ``.txt``.
    verify : bool
        Compare the answers that the input gives, as `verify_file` does, and numbers of solutions in a column
        ``expected`` or ``expected_count``; the output then has the columns of `verify_file` too.
    invalid : path, optional
        Where to write a message for each invalid line.

    Other Parameters
    ----------------
    to : str, optional
        Name of the format of the output, instead of its suffix: ``txt``, ``csv``, ``tsv``, ``jsonl``,
        ``parquet``, ``arrow``.
    columns : iterable of str, optional
        The columns to write, also those of the input; by default all of the check.
    carry : bool
        Whether to write the columns of the input too.
    comment : bool
        Begin an output of lines or CSV with a comment that has the version and the options, as JSON.  Arrow
        and Parquet outputs always have them in their metadata.
    threads : int, optional
        Worker threads; by default one per available core.
    resume : bool
        Make the output in parts, and keep those of an interrupted run with the same inputs and options; a
        ``.parquet`` output is then a folder.  See docs/scaling.md.
    cluster : str, optional
        Make the output in parts on a Dask cluster: ``local:N`` for N processes of this machine, else the
        address of its scheduler, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``.
    part_bytes : int, optional
        Make the output in parts of about so many bytes of the inputs; by default, parts have 4 to 64 MiB,
        depending on the size of the inputs.
    progress : callable, optional
        Called with a :class:`Progress` about ten times a second, and at the end.
    on_failure : callable, optional
        Called with the error of an input that cannot be read to its end; the run then continues with the next
        input.  Without it, the error is raised.  In both cases the output is not complete.
    cancel : Cancel, optional
        Set it to stop the run; the results so far are counted and kept.
    empty : bool
        Whether the output appears where the inputs have no records.
    options : InputOptions, optional
        How to read.
    format, column, strict, max_ratio, max_size
        Attributes of `InputOptions`; they replace those of `options`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        An input cannot be read and there is no ``on_failure``, or an output cannot be written.  The attribute
        ``summary`` holds the counts up to the error.
    ValueError
        A number is not allowed: `limit`, `budget`, `threads` and `part_bytes` are integers of at least 1.
    """
    stage = Check(positive("limit", limit) or None, positive("budget", budget) or None, bool(verify))
    more: RunFields = {**options, "only": only, "keep": keep, "invalid": invalid}
    return stage_file(inputs, output, stage, **more)


def convert_file(
    inputs: Input | Sequence[Input], output: str | os.PathLike[str], **options: Unpack[FileFields]
) -> Summary:
    """Write the puzzles of some files in another format.

    Parameters
    ----------
    inputs, **options
        As for `check_file`. With ``carry``, the other columns of the input are written too, if the format can
        hold them. ``to`` is any format of puzzles; for ``-`` the default is ``lines``.
    output : path or URL
        The suffix names the format (see docs/files.md), perhaps followed by ``.gz``, ``.bz2``, ``.xz`` or
        ``.zst``; ``-`` is standard output. It appears when it is complete, as that of `check_file`.

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
        raise UnidokuError(f"invalid by={by!r}; choose from: puzzle, canonical")
    return stage_file(inputs, output, Dedupe(by == "canonical"), **options)


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

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if no column has this name, or `lang` is invalid. A puzzle with several or
        no solutions is no error: it has one row, with a ``reason`` and no step.
    """
    from unidoku.run.rate import Steps

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
        A table: ``file`` if there are several inputs, ``line``, the attributes of `VerifyResult`, which but
        for ``solved`` are empty where there is no grid or the puzzle has pencil marks, and a ``reason``
        where ``solved`` is false.
    predictions : path or binary file, optional
        One prediction for each puzzle, in the same order.
    prediction : str, optional
        Without `predictions`: the column that has them; by default the first that is there of
        ``prediction``, ``answer``, ``solution``, ``solutions`` and ``a``. Its values are 81 cells, JSON
        lists, or texts with a grid in them; an empty text and ``null`` are no prediction.

    Returns
    -------
    Summary
        Each record counts once in ``right``, ``wrong`` (also without a grid of 81 cells), ``absent`` and
        ``invalid``; ``wrong_cells``, ``broken_houses`` and ``changed_clues`` are totals of the columns.

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if there is no such column, or the two have different numbers of rows.
    """
    from unidoku.run.verify import Side, Verify

    side = None
    if predictions is not None:
        from unidoku.files.output import refuse_outputs

        refuse_outputs([predictions], [output])
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
    **options: Unpack[FileFields],
) -> Summary:
    """Generate puzzles and write each to an output as soon as it is found.

    Parameters
    ----------
    output, **options
        As for `convert_file`; with ``carry``, the ratings of the puzzles are written too where the format has
        columns. Puzzles already written are kept when the budget is used up. An output in parts has the
        puzzles of all attempts of the budget: `count` must be None.
    request : Request
        What is asked of the puzzles.
    count : int or None
        Number of puzzles; None for all that `budget` attempts give.
    seed, budget
        As for `unidoku.generate`.
    first : int, optional
        The first attempt of the seed. Consecutive ranges of attempts give the puzzles of one long run.
    solutions : bool, optional
        Whether to write the solutions too: a column ``solution``, in lines after the puzzle and a tab.

    Returns
    -------
    Summary
        ``puzzles`` is the number of attempts, ``written`` of puzzles in the output.

    Raises
    ------
    BudgetError
        The attempts are used up.
    UnidokuError
        The output cannot be written, or holds no solutions, or an output in parts has a `count`.
    ValueError
        A number is out of range, or `count` and `budget` are None.
    """
    from unidoku.craft.generate import budget_error, most_attempts
    from unidoku.craft.seeds import seed_of
    from unidoku.files.base import Attempts
    from unidoku.run.change import Generate, has_ratings, solution_column

    most = most_attempts(request, count, first, budget)
    column = solution_column(output, options.get("to")) if solutions else None
    stage = Generate(request, seed_of(seed), first, count, budget, column, has_ratings(output, options))
    options["carry"] = True  # solutions are written in any case
    with child_of(options.get("cancel")) as end:  # set when there are enough puzzles
        options["cancel"] = end
        done = stage_file(Attempts(0, max(1, most)), output, stage, **options)
    if count is not None and done.complete and done.written < count:
        raise budget_error(done.written, count, most)
    return done
