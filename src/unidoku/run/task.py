"""Start a run over files: in one piece, or in parts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, fields
from typing import Any, Unpack

from unidoku.arguments import positive
from unidoku.errors import UnidokuError
from unidoku.files.inputs import Input, are_several, expand
from unidoku.files.source import InputOptions
from unidoku.run.loop import Run, RunFields, RunOptions
from unidoku.run.sink import Sink
from unidoku.run.summary import Summary
from unidoku.task import Task
from unidoku.threads import cancel_of, thread_count


def run_file(
    task: Task,
    inputs: Input | Iterable[Input],
    output: str | os.PathLike[str] | Sink | None = None,
    **options: Unpack[RunFields],
) -> Summary:
    """Let a task work on the puzzles of some files, and write its rows.

    Records that are no puzzles keep their place in a table of rows: with the columns of the input, and a
    ``reason``.  Formats that hold puzzles alone leave them out.  The output is made in parts if it is a
    folder, or if an option asks for it.

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
        As for `unidoku.check_file`; also if the task fails, or returns a wrong length, an unknown column or a
        wrong type: the message names the task and the column.
    """
    if unknown := options.keys() - RunFields.__optional_keys__:
        raise TypeError(f"unexpected keyword argument {min(unknown)!r}")
    if options.get("only") is not None and "verdict" not in task.columns:
        raise UnidokuError(f"task {task.name} has no verdicts, which only (--only) chooses by")
    given: Mapping[str, Any] = options
    chosen = asdict(options.get("options") or InputOptions())
    chosen |= {each.name: given[each.name] for each in fields(RunOptions) if each.name in given}
    thread_count(options.get("threads"))
    cancel_of(options.get("cancel"))
    positive("part_bytes", options.get("part_bytes"))
    found = expand(inputs)
    several = output is not None and not task.replaces and are_several(found)
    what = RunOptions(**chosen, task=task, file=several)
    is_folder = _is_folder(output)
    if is_folder or options.get("resume") or options.get("cluster") or options.get("part_bytes"):
        # imported only when it is needed, which is seldom
        from unidoku.run.parts import run_in_parts

        return run_in_parts(found, output, what, options, is_folder=is_folder)
    invalid = options.get("invalid")
    if output is not None or invalid is not None:
        # imported here so that a check without output starts faster
        from unidoku.files.output import refuse_outputs

        refuse_outputs(found, [output, invalid])
    messages = None
    with ExitStack() as opened:  # an error closes what was opened before it
        if invalid is not None:
            from unidoku.files.output import OutputFile

            messages = opened.enter_context(OutputFile(os.fspath(invalid), lines=True))
        if output is None:
            output = Sink()
        elif not isinstance(output, Sink):
            from unidoku.run.sinks import open_sink

            output = open_sink(output, what, to=options.get("to"))
        opened.pop_all()
    return Run(found, what, output, options).run(messages)


def input_options(given: Mapping[str, Any]) -> InputOptions:
    """Return the options of reading among the keyword arguments of a function with files."""
    names = [each.name for each in fields(InputOptions) if each.name in given]
    return InputOptions.of(given.get("options"), {name: given[name] for name in names})


def _is_folder(output: object) -> bool:
    if not isinstance(output, str | os.PathLike):
        return False
    from unidoku.files.storage import is_remote, local_path

    name = os.fspath(output)
    if not name:
        raise UnidokuError("the name of the output is empty")
    return name.endswith("/") or (not is_remote(name) and local_path(name).is_dir())
