"""Runs whose output is a folder: for each input parts of some records, which a resumed run skips.

A part and its counts (``part-0002-000017.csv`` and ``.json``) appear when they are complete; `PLAN` says
what they depend on.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from dataclasses import asdict, replace
from functools import partial
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple

from unidoku import __version__, kernel
from unidoku.errors import InputError, OutputError, ResumeError, UnidokuError
from unidoku.files.formats import output_format
from unidoku.files.inputs import Inputs
from unidoku.files.output import OutputFile, refuse_outputs
from unidoku.files.source import PUZZLE_BYTES
from unidoku.files.storage import filesystem, is_special, writing
from unidoku.options import Options, Progress
from unidoku.runner import cluster
from unidoku.runner.driver import Run
from unidoku.runner.summary import Counts, Summary
from unidoku.runner.writer import open_writer
from unidoku.task import Task
from unidoku.threads import Cancel, cancel_of, thread_count

PLAN = "plan.json"
BATCHES = 16  # in a part, of `batch_size` puzzles each
_PART = re.compile(r"(part-(\d{4,})-\d{6,})\..+")
_BUCKETS = ("s3://", "s3a://", "gs://", "gcs://")  # stores without folders: a new one would be a bucket
# The keys under which file systems give the version of a file, the most reliable first.
_VERSIONS = (
    "ETag etag md5Hash content_md5 generation LastModified last_modified updated mtime created".split()
)


class Job(NamedTuple):
    """The task, options and folder that the parts of all inputs share."""

    task: Task
    options: Options
    folder: str
    ending: str
    """The end of the name of a part."""

    def run(self, stem: str) -> Run:
        """Return the run that makes a part."""
        writer = open_writer(f"{self.folder}/{stem}{self.ending}", self.task, self.options)
        return Run(self.task, self.options, writer)

    def names(self) -> set[str]:
        """Return the names of the files in the folder."""
        fs, folder = filesystem(self.folder)
        fs.invalidate_cache()
        paths = (path.rstrip("/") for path in fs.ls(folder, detail=False))
        return {path.rpartition("/")[2] for path in paths if path != folder}  # some stores list the folder

    def earlier(self, stem: str) -> list[Counts]:
        """Return the counts of a part that is there, by file."""
        fs, folder = filesystem(self.folder)
        with fs.open(f"{folder}/{stem}.json", "rb") as stream:
            return [Counts(**numbers) for numbers in json.load(stream)]


def make_parts(
    job: Job, number: int, name: str, cancel: Cancel, report: Callable[[Progress], object] = lambda _: None
) -> Summary:
    """Make the parts of an input that are not there, and count all; `report` gets the progress in it."""
    total, names, files = Summary(), job.names(), dict[str | None, Counts]()

    def report_part(progress: Progress) -> None:
        report(progress._replace(puzzles=total.puzzles + progress.puzzles, earlier=total.earlier))

    options = replace(
        job.options, cancel=cancel, empty=False, on_failure=lambda _: None, progress=report_part
    )
    job = job._replace(options=options)
    target = PUZZLE_BYTES * job.task.batch_size  # the same in each run, so that the parts are the same
    with closing(Inputs([name]).chunks(job.run("part").options, lambda: target)) as chunks:
        for part, head in enumerate(chunks):
            part_chunks = chain([head], islice(chunks, BATCHES - 1))
            stem = f"part-{number:04d}-{part:06d}"
            if {stem + job.ending, f"{stem}.json"} <= names:
                summary = Summary(files=job.earlier(stem))
                for tally in summary.files:
                    Counts.add(summary, tally)
                total.earlier += summary.puzzles
                report_part(Progress(deque(part_chunks, maxlen=1)[0].end, 0, summary.puzzles, 0))
            else:
                summary = job.run(stem).run(part_chunks)
                if not summary.complete or summary.failures:  # the part is not there: only messages count
                    messages = summary.failures, summary.rejects, summary.mismatches
                    summary = Summary(failed=summary.failed)
                    summary.failures, summary.rejects, summary.mismatches = messages
                elif summary.puzzles:
                    with OutputFile(f"{job.folder}/{stem}.json") as output:
                        output.write(json.dumps([*map(asdict, summary.files)]).encode())
            total.add(summary)
            for tally in summary.files:
                files.setdefault(tally.file, Counts(file=tally.file)).add(tally)
            if cancel:
                break
    total.files = [*files.values()] or [Counts(file=name)]
    return total


def run_in_parts(inputs: Inputs, output: str, task: Task, options: Options) -> Summary:
    """Write a folder of parts; parameters and errors are those of `unidoku.run`."""
    began, cancel = time.perf_counter(), cancel_of(options.cancel)
    names = [os.fspath(path) for path in inputs if isinstance(path, str | os.PathLike)]
    if len(names) < len([*inputs]) or any(name == "-" or is_special(name) for name in names):
        raise InputError("a folder is written from files and URLs, not from standard input or pipes")
    if task.in_order or task.max_rows is not None:  # a row depends on those before
        raise OutputError(f"{task.name} cannot write its output in parts", file=output)
    ending = output_format(output, options.to, rows=not task.replaces, default=".parquet").ending
    refuse_outputs(names, folder=output)
    settings = replace(options, to=None, cancel=None, on_failure=None, progress=None)
    job = Job(task, settings, output.rstrip("/") or "/", ending)
    total = Summary(isa=kernel.isa(), threads=thread_count(options.threads), verified=task.verifies)
    sizes, finished = list[int](), 0  # bytes

    def report(progress: Progress) -> None:
        """Report the progress of the run by that in an input."""
        if options.progress is not None:
            done, _, puzzles, _, earlier = progress
            counts = finished + done, sum(sizes), total.puzzles + puzzles
            seconds = time.perf_counter() - began
            options.progress(Progress(*counts, seconds, total.earlier + earlier))

    with nullcontext() if options.cluster is None else cluster.connection(options.cluster) as client:
        with writing(output):
            sizes += _begin(job, names, options.resume)
        if client is None:
            calls = takewhile(lambda _: not cancel, enumerate(names))
            results = (make_parts(job, *call, cancel, report) for call in calls)
        else:
            total.threads = sum(client.nthreads().values())
            job = job._replace(options=replace(settings, threads=options.threads or 1))
            results = cluster.map_inputs(client, partial(make_parts, job), names, cancel)
        try:
            with closing(results):
                for size, summary in zip(sizes, results, strict=False):  # fewer after a `cancel`
                    total.add(summary)
                    total.files += summary.files
                    total.earlier += summary.earlier
                    finished += size
                    report(Progress(0, 0, 0, 0))
                    for error in summary.failures:
                        if options.on_failure is None:
                            raise error
                        options.on_failure(error)
        except UnidokuError as error:
            error.summary = total
            raise
        finally:
            total.complete, total.seconds = not cancel, time.perf_counter() - began
    if total.puzzles and not total.complete:
        total.resume = f"what is done is in {job.folder}; the same command with --resume continues"
    return total


def _begin(job: Job, names: list[str], resume: bool) -> list[int]:
    """Write the plan, or compare it with the one that is there; return the sizes of the inputs."""
    fs, folder = filesystem(job.folder)
    inputs = [(name, *_size_and_version(name)) for name in names]
    options = {**job.options.to_json(), "suffix": job.ending}
    plan = {"version": __version__, "task": job.task.to_json(), "inputs": inputs, "options": options}
    if not job.folder.startswith(_BUCKETS):
        fs.makedirs(folder, exist_ok=True)
    existing = job.names()
    if PLAN in existing and resume:
        with fs.open(f"{folder}/{PLAN}", "rb") as stream:
            old = json.load(stream)
        for name, value in json.loads(json.dumps(plan)).items():
            if old[name] != value:
                message = f"cannot resume: not the {name} in {PLAN}; to start again, leave out --resume"
                raise ResumeError(message, file=job.folder)
    else:
        parts = {name for name in existing if _PART.fullmatch(name)}
        if PLAN not in existing and any(not name.startswith((".", PLAN)) for name in existing - parts):
            raise OutputError(f"the folder is not empty, and has no {PLAN}", file=job.folder)
        for name in parts:
            fs.rm_file(f"{folder}/{name}")
        with OutputFile(f"{job.folder}/{PLAN}") as file:
            file.write(json.dumps(plan, indent=1).encode())
    return [size for _, size, _ in inputs]


def _size_and_version(url: str) -> tuple[int, str]:
    """Return the size of an input, and what changes when it is written again."""
    info = dict[str, Any]()
    with suppress(Exception):  # raised again when it is read
        fs, path = filesystem(url)
        info = fs.info(path)
    return int(info.get("size") or 0), next((str(info[key]) for key in _VERSIONS if info.get(key)), "")
