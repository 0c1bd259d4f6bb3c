"""`check_file`: the verdict for every puzzle of some files.

The module is not called ``check``, because ``unidoku.check`` is the function for one puzzle and a module of
that name would take its place when it is imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from unidoku import kernel
from unidoku.arguments import MAX_THREADS, positive
from unidoku.errors import InputError
from unidoku.files.inputs import expand, is_archive
from unidoku.pipeline.options import CheckOptions
from unidoku.pipeline.sink import Sink, wanted_mask
from unidoku.pipeline.sinks import open_sink
from unidoku.pipeline.stream import check_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from unidoku.errors import UnidokuError
    from unidoku.files.inputs import Input
    from unidoku.parallel import Cancel
    from unidoku.pipeline.options import CheckFields
    from unidoku.pipeline.progress import Progress
    from unidoku.pipeline.summary import Summary

__all__ = ["check_file"]


def check_file(
    path: Input | Iterable[Input],
    *,
    output: str | os.PathLike[str] | Sink | None = None,
    to: str | None = None,
    invalid: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    resume: bool = False,
    cluster: str | None = None,
    shard_bytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on_failure: Callable[[UnidokuError], None] | None = None,
    cancel: Cancel | None = None,
    options: CheckOptions | None = None,
    **fields: Unpack[CheckFields],
) -> Summary:
    """Find the verdict of every puzzle of some files.

    Parameters
    ----------
    path : path, binary file, or an iterable of these
        ``-`` is standard input; URLs (``s3://…``) are opened by fsspec.  A folder stands for the files in it,
        a pattern for what it matches, an archive for its members.  gzip, bz2, xz and zstd are recognised by
        content.
    output : path or Sink, optional
        Where to write one row a puzzle, in input order, in the format of the suffix (``.txt``, ``.csv``,
        ``.jsonl``, each also with ``.gz``, ``.bz2``, ``.xz``, ``.zst``; ``.arrow``, ``.parquet``).  If the
        inputs can be read again, the output is made in parts, so that a run can be resumed, and appears when
        it is complete; a folder or ``.parquet`` keeps its parts as files.  See docs/scaling.md.
    to : str, optional
        Name of the format of the output, instead of its suffix: ``txt``, ``csv``, ``tsv``, ``jsonl``,
        ``parquet``, ``arrow``.
    invalid : path, optional
        Where to write a message for every invalid line.
    threads : int, optional
        Worker threads; default the cores this process may use.
    resume : bool
        Continue with the parts of an earlier run with the same inputs and options, however it ended; if
        there is none, begin.
    cluster : str, optional
        ``local:N`` for N worker processes, ``dask://HOST:PORT`` or ``tls://HOST:PORT`` for a Dask cluster.
    shard_bytes : int, optional
        About how many bytes of the inputs make a part; default 4 to 64 MiB, depending on their size.
    progress : callable, optional
        Called about ten times a second with a :class:`Progress`.
    on_failure : callable, optional
        Called with the error of an input that cannot be read any further; the run then continues with the
        next input.  Without it, the error is raised.
    cancel : Cancel, optional
        Set it to stop the run; what has been done is written and counted.
    options : CheckOptions, optional
        The other options as one value.
    **fields
        Attributes of :class:`CheckOptions` (``limit=3``, ``only=["none"]``); they replace those of `options`.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        There is no ``on_failure`` and an input cannot be read, or an output cannot be written.  Its
        ``summary`` attribute holds what was done before.
    ValueError
        A number is not allowed; see :class:`CheckOptions`.  `threads` and `shard_bytes` are integers of at
        least 1.
    """
    options = CheckOptions.of(options, fields)
    threads = positive("threads", threads, MAX_THREADS) or kernel.default_threads()
    positive("shard_bytes", shard_bytes)
    inputs = expand(path)
    if output is not None or invalid is not None:
        # Not at the top: a check without output starts faster.
        from unidoku.files.overlap import refuse_overlap

        refuse_overlap(inputs, [output, invalid])
    if output is not None and not isinstance(output, Sink):
        # Imported only when an output is made of parts: most runs need none of it.
        from unidoku.shards.check import can_use_shards, check_shards

        if can_use_shards(inputs, output) and not any(map(is_archive, inputs)):
            return check_shards(
                [os.fspath(each) for each in inputs],  # type: ignore[arg-type]
                os.fspath(output),
                options,
                to=to,
                invalid=None if invalid is None else os.fspath(invalid),
                threads=threads,
                resume=resume,
                cluster=cluster,
                shard_bytes=shard_bytes,
                progress=progress,
                on_failure=on_failure,
                cancel=cancel,
            )
    for name in (output, invalid):
        if isinstance(name, str | os.PathLike) and os.fspath(name) != "-" and not os.path.exists(name):
            from unidoku.files.overlap import refuse_unwritable

            refuse_unwritable(os.fspath(name))
    if resume or cluster is not None:
        what = "resumed" if resume else "run on a cluster"
        raise InputError(
            f"the check cannot be {what}: this needs an output that is a file or a folder, and inputs that "
            "can be read again, not standard input, pipes or archives"
        )
    return check_stream(
        inputs,
        options,
        sink=output
        if isinstance(output, Sink)
        else open_sink(output, wanted_mask(options.only), to=to, options=options.to_json()),
        invalid=invalid,
        threads=threads,
        progress=progress,
        on_failure=on_failure,
        cancel=cancel,
    )
