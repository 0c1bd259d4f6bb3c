"""Check the puzzles of files.

The module is not called ``check``: importing it would replace the function ``unidoku.check``.
"""

from __future__ import annotations

from unidoku.arguments import positive
from unidoku.run.check import Check
from unidoku.run.start import stage_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import Unpack

    from unidoku.files.inputs import Input
    from unidoku.run.options import FileFields, RunFields
    from unidoku.run.sink import Sink
    from unidoku.run.summary import Summary
    from unidoku.verdict import Verdict


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
        when it is complete.  A name that ends with ``/`` is a folder, with a file for each part.
    limit : int or None
        Stop counting the solutions of a puzzle there; None counts all.
    budget : int or None
        Guesses that a puzzle may cost before its verdict is ``unknown``; None sets no bound.
    only : iterable of Verdict or str, optional
        The verdicts whose rows are written; all puzzles are counted.  By default all rows are written.
    keep : bool
        Whether the rest of each line is written too.  Named columns always are, but not to ``.txt``.
    verify : bool
        Compare the solutions found with those that the input gives in a column ``prediction``, ``answer``,
        ``solution`` or ``solutions``, or the number of solutions in ``expected`` or ``expected_count``; the
        output then has the columns of `VerifyResult`, and a ``reason`` where the answer is wrong.
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
        input.  Without it, the error is raised.
    cancel : Cancel, optional
        Set it to stop the run; results so far are written and counted.
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
