"""Check the puzzles of files.

The module is not called ``check``: importing it would replace the function ``unidoku.check``.
"""

from __future__ import annotations

from collections.abc import Iterable

from unidoku.commands import run_file
from unidoku.run.options import CheckOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Unpack

    from unidoku.errors import UnidokuError
    from unidoku.files.inputs import Input
    from unidoku.run.options import CheckFields
    from unidoku.run.progress import Progress
    from unidoku.run.sink import Sink
    from unidoku.run.summary import Summary
    from unidoku.threads import Cancel


def check_file(
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
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
    empty: bool = True,
    options: CheckOptions | None = None,
    **fields: Unpack[CheckFields],
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
    to : str, optional
        Name of the format of the output, instead of its suffix: ``txt``, ``csv``, ``tsv``, ``jsonl``,
        ``parquet``, ``arrow``.
    invalid : path, optional
        Where to write a message for each invalid line.
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
    options : CheckOptions, optional
        All other options.
    **fields
        Attributes of :class:`CheckOptions` (``limit=3``, ``only=["none"]``); they replace those of `options`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        An input cannot be read and there is no ``on_failure``, or an output cannot be written.  The attribute
        ``summary`` holds the counts up to the error.
    ValueError
        `threads` or `part_bytes` is not an integer of at least 1, or an option is invalid; see
        :class:`CheckOptions`.
    """
    return run_file(
        inputs,
        output,
        CheckOptions.of(options, fields),
        to=to,
        invalid=invalid,
        threads=threads,
        resume=resume,
        cluster=cluster,
        part_bytes=part_bytes,
        progress=progress,
        on_failure=on_failure,
        cancel=cancel,
        empty=empty,
    )
