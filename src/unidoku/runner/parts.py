"""Runs whose output is a folder: for each input parts of some records, which a resumed run may skip.

A part and its counts (``part-0002-000017.csv`` and ``.json``) appear when they are complete; `PLAN` says
what they depend on.  A later run with the same plan reads the inputs again and makes the parts that are not
there.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

from unidoku import __version__, kernel
from unidoku.errors import InputError, OutputError, ResumeError, UnidokuError, writing
from unidoku.files.base import Chunk
from unidoku.files.formats import output_format
from unidoku.files.inputs import Inputs
from unidoku.files.output import Folder, OutputFile, refuse_outputs
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.files.storage import is_remote, is_special, local_path, stat
from unidoku.options import Options
from unidoku.runner import cluster
from unidoku.runner.loop import Run
from unidoku.runner.summary import Counts, Meter, Summary
from unidoku.runner.text_sink import sink_for
from unidoku.task import Task
from unidoku.threads import Cancel, cancel_of, thread_count

PLAN = "plan.json"
BATCHES = 16  # in a part, of `batch_size` puzzles each
_PART_FILE = re.compile(r"(?:plan\.json|part-\d{4,}-\d{6,}\..+)(?:\.partial)?|\..*")


class Job(NamedTuple):
    """What the parts of all inputs have in common."""

    task: Task
    options: Options
    folder: str
    ending: str
    """The end of the name of a part."""

    def run(self, stem: str) -> Run:
        """Return the run that makes a part."""
        return Run(
            self.task, self.options, sink_for(OutputFile(f"{self.folder}/{stem}{self.ending}"), *self[:2])
        )

    def for_worker(self) -> Job:
        """Return the job without the callbacks of this process, with one thread unless more are asked for."""
        threads = self.options.threads or 1
        options = replace(self.options, threads=threads, cancel=None, on_failure=None, progress=None)
        return self._replace(options=options)

    def part_summary(self, stem: str, names: set[str]) -> Summary | None:
        """Read the counts of a part; None if it is not among the names in the folder, or damaged."""
        if not {stem + self.ending, f"{stem}.json"} <= names:
            return None
        summary = Summary()
        try:
            with Folder(self.folder).open(f"{stem}.json") as stream:
                summary.files = [Counts(**numbers) for numbers in json.load(stream)]
        except (ValueError, TypeError):  # its counts are damaged
            return None
        for counts in summary.files:
            Counts.add(summary, counts)
        summary.earlier = summary.puzzles
        return summary

    def input_summary(self, number: int) -> Summary:
        """Add up the counts of the parts of an input in the folder."""
        names, total = Folder(self.folder).names(), Summary(complete=False)
        for name in sorted(names):
            if name.startswith(f"part-{number:04d}-") and name.endswith(".json"):
                _add(total, self.part_summary(name.removesuffix(".json"), names) or Summary())
        return total


def _add(total: Summary, part: Summary) -> None:
    """Add the counts of the next part of the same input."""
    for counts in part.files:
        if not total.files or total.files[-1].file != counts.file:
            total.files.append(Counts(file=counts.file))
        total.files[-1].add(counts)
    total.add(part)


class _Part(Inputs):
    """Chunks, each with the name of its file, as the input of the run that makes a part."""

    def __init__(self, chunks: Iterable[tuple[str, Chunk]]) -> None:
        super().__init__([])
        self._chunks = chunks

    def chunks(self, options: Options, target: object, begin: Callable[..., object]) -> Generator[Chunk]:
        """Yield the chunks; `begin` gets the name of each file."""
        for name, chunks in groupby(self._chunks, key=itemgetter(0)):
            begin(name, None)
            yield from map(itemgetter(1), chunks)


def make_parts(job: Job, number: int, name: str, report: Callable[[Summary, int], object]) -> Summary:
    """Make the parts of an input that are not in the folder; `report` gets the counts and the bytes read."""
    folder, total = Folder(job.folder), Summary()
    names, cancel = folder.names(), cancel_of(job.options.cancel)
    file, source = name, None  # that is read, perhaps a member of an archive

    def report_position(_: object = None) -> None:
        report(total, source.position if source else 0)

    def begin(file_name: str, opened: Source | None) -> None:
        nonlocal file, source
        file, source = file_name, opened

    job = job._replace(
        options=replace(job.options, empty=False, on_failure=lambda _: None, progress=report_position)
    )
    target = PUZZLE_BYTES * job.task.batch_size  # the same in each run, so that the parts are the same
    with closing(Inputs([name]).chunks(job.run("part").options, lambda: target, begin)) as chunks:
        file_chunks = ((file, chunk) for chunk in chunks)
        for part, head in enumerate(file_chunks):
            part_chunks = chain([head], islice(file_chunks, BATCHES - 1))
            stem = f"part-{number:04d}-{part:06d}"
            summary = job.part_summary(stem, names)
            if summary is None:
                summary = job.run(stem).run(_Part(part_chunks))
                failures = summary.failures
                if summary.complete and summary.puzzles and not failures:  # otherwise there is no part
                    counts = [{"file": tally.file, **tally.numbers()} for tally in summary.files]
                    with OutputFile(f"{job.folder}/{stem}.json") as output:
                        output.write(json.dumps(counts).encode())
                    _add(total, summary)
            else:
                _add(total, summary)
                batches = (batch for _, chunk in part_chunks for batch in chunk())
                failures = [batch for batch in batches if isinstance(batch, UnidokuError)]
            for error in failures:
                total.fail(error)
            report_position()
            if cancel:
                break
    total.complete = not cancel
    return total


def run_in_parts(inputs: Inputs, output: str, task: Task, options: Options) -> Summary:
    """Write a folder of parts; parameters and errors are those of `unidoku.run`."""
    began = time.perf_counter()
    names = [str(os.fspath(path)) for path in inputs if isinstance(path, str | os.PathLike) and path != "-"]
    if len(names) < len([*inputs]) or any(
        is_special(local_path(name)) for name in names if not is_remote(name)
    ):
        raise InputError("a folder is written from files and URLs, not from standard input or pipes")
    if task.in_order or task.max_rows is not None:  # a row depends on those before
        raise OutputError(f"{task.name} cannot write its output in parts", file=output)
    form = output_format(output, options.to, rows=not task.replaces, default=".parquet")
    refuse_outputs(names, [], [output])
    folder = Folder(output)
    cancel = cancel_of(options.cancel)
    options = replace(options, to=None, cancel=cancel)
    job = Job(task, options, folder.name, form.ending)
    summaries, sizes, current, position = dict[int, Summary](), list[int](), Summary(), 0

    def report(summary: Summary = current, size: int = 0) -> None:
        nonlocal current, position
        current, position = summary, size
        meter.earlier = sum(summary.earlier for summary in (*summaries.values(), current))
        meter.report()

    meter = Meter(
        options.progress,
        0,
        lambda: (
            position + sum(sizes[number] for number in summaries),
            current.puzzles + sum(summary.puzzles for summary in summaries.values()),
        ),
        began=began,
    )
    failure: BaseException | None = None
    with ExitStack() as stack:
        client, threads = None, thread_count(options.threads)
        if options.cluster is not None:
            client = stack.enter_context(cluster.connection(options.cluster))
            threads = sum(client.nthreads().values())
        with writing(output):
            sizes = _begin(job, names, options.resume)
        meter.total = sum(sizes)
        if client is None:
            results = _map_inputs(job, names, report)
        else:
            work = partial(_make_on_worker, job.for_worker())
            results = cluster.map_inputs(client, work, names, cancel, report)
        try:
            for number, summary in stack.enter_context(closing(results)):
                summaries[number] = summary
                report()
                for error in summary.failures:
                    if options.on_failure is None:
                        raise error
                    options.on_failure(error)
            meter.report(last=True)
        except (UnidokuError, KeyboardInterrupt) as error:
            failure = error
    total = Summary(isa=kernel.isa(), threads=threads, verified=task.verifies)
    for number, name in enumerate(names):
        of_input = summaries[number] if number in summaries else job.input_summary(number)
        total.add(of_input)
        total.files += of_input.files or [Counts(file=name)]
        total.complete &= of_input.complete
    total.seconds = time.perf_counter() - began
    if total.puzzles and not total.complete:
        total.resume = f"what is done is in {output}; the same command with --resume continues"
    if failure is not None:
        if isinstance(failure, UnidokuError):
            failure.summary = total
        raise failure
    return total


def _begin(job: Job, names: list[str], resume: bool) -> list[int]:
    """Write the plan, or compare it with the one that is there; return the sizes of the inputs."""
    folder, inputs = Folder(job.folder), list[list[Any]]()
    for name in names:
        size, version = 0, ""
        with suppress(InputError):  # raised again when it is read
            size, version = stat(name)
        inputs.append([name, size, version])
    plan = {
        "version": __version__,
        "task": job.task.to_json(),
        "inputs": inputs,
        "options": {**job.options.to_json(), "suffix": job.ending},
    }
    text = json.dumps(plan, indent=1)
    folder.make()
    existing = folder.names()
    if PLAN in existing and resume:
        try:
            with folder.open(PLAN) as stream:
                old = dict(json.load(stream))
        except (ValueError, TypeError) as error:
            message = f"cannot resume: {PLAN} is damaged; to start again, leave out --resume"
            raise ResumeError(message, file=job.folder) from error
        for name, value in json.loads(text).items():
            if old.get(name) != value:
                message = f"cannot resume: not the {name} in {PLAN}; to start again, leave out --resume"
                raise ResumeError(message, file=job.folder)
    else:
        if PLAN not in existing and not all(map(_PART_FILE.fullmatch, existing)):
            raise OutputError(f"the folder is not empty, and has no {PLAN}", file=job.folder)
        parts = [name for name in existing if _PART_FILE.fullmatch(name) and not name.startswith(".")]
        folder.remove(sorted(parts, key=PLAN.__eq__))  # the plan last
        with OutputFile(f"{job.folder}/{PLAN}") as file:
            file.write(text.encode())
    return [size for _, size, _ in inputs]


def _map_inputs(
    job: Job, names: list[str], report: Callable[[Summary, int], None]
) -> Generator[tuple[int, Summary]]:
    """Make the parts of one input after the other."""
    for number, name in enumerate(names):
        summary = make_parts(job, number, name, report)
        yield number, summary
        if not summary.complete:
            return


def _make_on_worker(job: Job, cancel: Cancel, number: int, name: str) -> Summary:
    """Make the parts of an input on a worker of a cluster."""
    job = job._replace(options=replace(job.options, cancel=cancel))
    return make_parts(job, number, name, lambda *_: None)
