"""Start a run over files, whose output is a file or a folder of parts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from unidoku.errors import UnidokuError
from unidoku.files.inputs import Input, Inputs
from unidoku.options import OptionFields, Options
from unidoku.runner.loop import Run
from unidoku.runner.sink import Sink
from unidoku.runner.summary import Summary
from unidoku.task import Task


def run(
    task: Task,
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
    **options: Unpack[OptionFields],
) -> Summary:
    """Let a task work on the puzzles of some files, and write its rows.

    Records that are no puzzles keep their place in a table of rows: with the columns of the input, and a
    ``reason``.  Formats that hold puzzles alone leave them out.  A folder as output gets a file for each
    part.

    Parameters
    ----------
    task : Task
    inputs, output, **options
        As for `unidoku.check_file`.  The columns of a table are ``puzzle``, ``file``, ``line``, those of the
        task, ``reason``, and those of the input; a ``.txt`` output is a table with tabs, as ``.tsv``.

    Returns
    -------
    Summary

    Raises
    ------
    UnidokuError
        As for `unidoku.check_file`.
    """
    chosen, task = Options.of(options), task.begin()
    if chosen.only is not None and "verdict" not in task.columns:
        raise UnidokuError(f"task {task.name} has no verdicts, which only (--only) chooses by")
    sources = Inputs(inputs)
    if output is not None and not task.replaces and sources.are_several():
        chosen = replace(chosen, file=True)
    if output is not None and not isinstance(output, Sink) and _is_folder(output):
        # imported only when it is needed, which is seldom
        from unidoku.runner.parts import run_in_parts

        return run_in_parts(sources, os.fspath(output), task, chosen)
    if chosen.resume or chosen.cluster is not None:
        raise UnidokuError("resume and cluster need a folder as output, such as parts/")
    if output is None:
        output = Sink()
    elif not isinstance(output, Sink):
        # imported here so that a check without output starts faster
        from unidoku.files.output import OutputFile, refuse_outputs
        from unidoku.runner.sinks import sink_for

        refuse_outputs(sources, [output])
        output = sink_for(OutputFile(os.fspath(output)), task, chosen)
    return Run(task, chosen, output).run(sources)


def _is_folder(output: str | os.PathLike[str]) -> bool:
    from unidoku.files.storage import is_remote, local_path

    name = os.fspath(output)
    if not name:
        raise UnidokuError("the name of the output is empty")
    return name.endswith("/") or (not is_remote(name) and local_path(name).is_dir())
