"""Runs whose output is a folder: for each input parts of some records, which a resumed run skips.

A part and its counts (``part-0002-000017.csv`` and ``.json``) appear when they are complete; `PLAN` lists
everything they depend on. Files with other names are never changed; parts are removed if `Options.overwrite`
says so.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, replace
from functools import partial
from hashlib import file_digest
from itertools import chain, count, takewhile
from typing import Any, NamedTuple

from unidoku import kernel
from unidoku.compat import log, version
from unidoku.errors import (
    ArchiveNote,
    ArgumentError,
    InputError,
    LostClusterError,
    Message,
    OutputError,
    ResumeError,
    UnidokuError,
)
from unidoku.files.chunks import NO_COLUMNS, Reading
from unidoku.files.formats import output_format
from unidoku.files.inputs import InputChunk, Inputs, MemoryInput
from unidoku.files.output import OutputFile, is_folder, refuse_outputs, remove_partial
from unidoku.files.source import PUZZLE_BYTES
from unidoku.files.storage import filesystem, is_remote, is_stream, local_path, reading, writing
from unidoku.options import Options, Progress
from unidoku.runner.driver import Run
from unidoku.runner.summary import MESSAGES, Counts, Summary, failure_summary
from unidoku.runner.writer import open_rejects, open_writer
from unidoku.task import Task
from unidoku.threads import Cancel, cancel_of, thread_count

PLAN = "plan.json"
SIZE = 100_000  # records of a part, or lines
_PART = re.compile(r"part-\d{4,}-\d{6,}\..+")
_NAME = re.compile(rf"{_PART.pattern}|{re.escape(PLAN)}")  # of all files of a run
_VERSIONS = (
    "ETag etag md5Hash content_md5 generation LastModified last_modified updated mtime created".split()
)
"""The keys under which file systems give the version of a file, the most reliable first."""


class PartSettings(NamedTuple):
    """The task, options and folder that the parts of all inputs share."""

    task: Task
    options: Options
    folder: str
    ending: str
    """The end of the name of a part."""
    gone: dict[str, Any] = {}  # noqa: RUF012  # never changed
    """The rows of the plan about inputs that are not there any more, by name."""

    @property
    def folders(self) -> list[str]:
        """Its folders on this machine: for the parts, and for the records that are not puzzles."""
        return [*map(local_path, filter(None, (self.folder, self.options.rejects)))]

    def run_of(self, stem: str) -> Run:
        """Return the run that makes a part."""
        # inputs may be added later, so rows always have a column ``file``
        writer = open_writer(self.path(stem), self.task, self.options, several=not self.task.replaces)
        writer.is_part = True
        folder = self.options.rejects
        rejects = None
        if folder:
            rejects = open_rejects(self.path(stem, folder), self.options)
        return Run(self.task, self.options, writer, empty=False, rejects=rejects)

    def path(self, stem: str, folder: str = "") -> str:
        """Return the name of a part, or of one in another folder."""
        return f"{(folder or self.folder).rstrip('/')}/{stem}{self.ending}"

    def earlier(self, stem: str) -> list[Counts]:
        """Return the counts of a part by file; none if it is not there as they say."""
        about, rejects = _read_json(f"{self.folder}/{stem}.json"), self.options.rejects
        if rejects and not os.path.exists(local_path(self.path(stem, rejects))):
            return []
        with suppress(OSError, AttributeError, TypeError):
            if _fingerprint(self.path(stem)).items() <= about.items():
                return [Counts(**numbers) for numbers in about["files"]]
        return []

    def kept(self, number: int, name: str) -> Summary:
        """Return the counts of the parts of an input that is gone."""
        text = Message("not among the inputs any more; the parts that were made of it are kept")
        total = Summary(notes=[ArchiveNote(name, text)])
        parts = (self.earlier(f"part-{number:04d}-{part:06d}") for part in count())
        for tally in chain.from_iterable(takewhile(bool, parts)):
            Counts.add(total, tally)
            total.files.append(tally)
        total.earlier = total.puzzles
        return total

    def make(self, stem: str, chunks: Iterator[InputChunk]) -> Summary:
        """Make a part and its counts; of one that cannot be completed, only the messages count."""
        summary = self.run_of(stem).process(chunks)
        log("info", "%s: %d puzzles", stem, summary.puzzles)
        if not summary.complete:
            lists = {name: getattr(summary, name) for name in (*MESSAGES, "notes")}
            return Summary(failed=summary.failed, **lists)
        if summary.puzzles:
            about = {**_fingerprint(self.path(stem)), "files": [*map(asdict, summary.files)]}
            with OutputFile(f"{self.folder}/{stem}.json") as output:
                output.write(json.dumps(about).encode())
        return summary

    def plan(self, names: list[str]) -> dict[str, Any]:
        """Return everything the parts depend on, for inputs of these names."""
        inputs = [self.gone.get(name) or (name, *_size_and_version(name)) for name in names]
        options = {**self.options.to_json(), "to": self.ending}
        if self.options.rejects is not None:
            options["rejects"] = self.options.rejects
        plan = {"version": version(), "task": self.task.to_json(), "inputs": inputs, "options": options}
        return json.loads(json.dumps(plan))  # type: ignore[no-any-return]


def make_parts(
    job: PartSettings,
    number: int,
    name: str,
    cancel: Cancel,
    report: Callable[[Progress], object] = lambda _: None,
) -> Summary:
    """Make the parts of an input that are not there, and count all; `report` gets the progress in it."""
    if name in job.gone:
        return job.kept(number, name)
    total, files = Summary(), dict[str | None, Counts]()

    def report_part(progress: Progress) -> None:
        report(progress._replace(puzzles=total.puzzles + progress.puzzles, earlier=total.earlier))

    options = replace(job.options, cancel=cancel, on_failure=lambda _: None, progress=report_part)
    job = job._replace(options=options)
    target = PUZZLE_BYTES * job.task.batch_size  # the same in each run, so that the parts are the same
    with closing(Inputs([name]).chunks(job.run_of("part").reading, lambda: target)) as chunks:
        for part, head in enumerate(chunks):
            part_chunks = _of_part(head, chunks)
            stem = f"part-{number:04d}-{part:06d}"
            earlier = []
            if job.options.resume:
                earlier = job.earlier(stem)
            if earlier:
                summary = Summary(files=earlier)
                for tally in earlier:
                    Counts.add(summary, tally)
                total.earlier += summary.puzzles
                report_part(Progress(deque(part_chunks, maxlen=1)[0].end, 0, summary.puzzles, 0))
            else:
                summary = job.make(stem, part_chunks)
            total.add(summary)
            for tally in summary.files:
                files.setdefault(tally.file, Counts(file=tally.file)).add(tally)
            if cancel:
                break
    total.files = [*files.values()] or [Counts(file=name, task_counts=job.task.zero_counts())]
    return total


def _of_part(head: InputChunk, chunks: Iterator[InputChunk]) -> Iterator[InputChunk]:
    """Yield the chunks of a part, which begins with `head`."""
    yield head
    size = head.size
    while size + head.size // 2 < SIZE and (chunk := next(chunks, None)):
        yield chunk
        size += chunk.size


def run_in_parts(inputs: Inputs, output: str, task: Task, options: Options) -> Summary:
    """Write a folder of parts; parameters and errors are the same as for `unidoku.run`."""
    began, cancel = time.perf_counter(), cancel_of(options.cancel)
    listed, job = _job_of(inputs, output, task, options)
    names, job = _in_order_of_plan(job, listed)
    total = Summary(isa=kernel.isa(), threads=thread_count(options.threads), task_counts=task.zero_counts())
    total.notes += inputs.notes
    if cancel:  # the inputs are listed up to here
        total.is_finished = False
        return total
    sizes, finished = list[int](), 0  # bytes
    text = "the finished parts are in {folder}; the same command with --resume continues"
    resume = Message(text, folder=job.folder)

    def report(progress: Progress) -> None:
        """Report the progress of the run by that in an input."""
        if options.progress is not None:
            done, _, puzzles, _, earlier = progress
            counts = finished + done, sum(sizes), total.puzzles + puzzles
            options.progress(Progress(*counts, time.perf_counter() - began, total.earlier + earlier))

    with ExitStack() as stack:
        results: Iterator[Summary]
        if options.cluster is None:
            calls = takewhile(lambda _: not cancel, enumerate(names))
            results = (make_parts(job, *call, cancel, report) for call in calls)
        else:
            from unidoku.runner import cluster  # not at the top: Dask takes long

            client = stack.enter_context(cluster.connection(str(options.cluster)))
            total.threads = sum(client.nthreads().values())
            work = partial(
                make_parts, job._replace(options=replace(job.options, threads=options.threads or 1))
            )
            results = stack.enter_context(closing(cluster.map_inputs(client, work, names, cancel)))
        # Inputs are opened first: a run that cannot begin changes nothing.
        reading = Reading(options.format, options.column, needed=NO_COLUMNS, encoding=options.encoding)
        failures = Inputs(listed).failures(reading)
        try:
            if _can_begin(listed, failures, options):
                with writing(output):
                    sizes += _begin(job, names)
            else:
                sizes += [0] * len(failures)
                results = (failure_summary(error, error.file or "") for error in failures)
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
            if isinstance(error, LostClusterError):
                error.file, total.resume = options.cluster, resume
            error.summary = total
            raise
        finally:
            total.is_finished, total.seconds = not cancel, time.perf_counter() - began
    if total.puzzles and not total.is_finished:
        total.resume = resume
    if total.complete:
        for folder in job.folders:
            remove_partial(folder, _NAME)
    return total


def _can_begin(names: list[str], failures: Sequence[UnidokuError], options: Options) -> bool:
    """Return whether a run changes its folder: some input can be read, or all if parts are removed."""
    if not names or not failures:
        return True
    return len(failures) < len(names) and not options.overwrite


def _job_of(inputs: Inputs, output: str, task: Task, options: Options) -> tuple[list[str], PartSettings]:
    """Check the requirements of a folder of parts; return the names of the inputs, and the job."""
    if options.resume and options.overwrite:
        text = "resume keeps parts, and overwrite removes them (--resume, --overwrite); choose one"
        raise ArgumentError(Message(text))
    # a row depends on those before
    if task.in_order or any(isinstance(source, MemoryInput) for source in inputs):
        reason = Message("a row can depend on earlier rows")
        raise OutputError(
            Message(
                "{name} cannot write its output in parts, because {reason}; name a file",
                name=task.name,
                reason=reason,
            ),
            file=output,
        )
    names = [path for path in inputs if isinstance(path, str)]
    if len(names) < len([*inputs]) or any(map(is_stream, names)):
        raise InputError(
            Message(
                "a folder of parts needs files or URLs as inputs, not standard input or pipes; save the "
                "input as a file"
            )
        )
    if is_remote(output):
        message = Message(
            "a folder of parts cannot be at a URL; write the folder to a disk, or one file to the URL",
        )
        raise OutputError(message, file=output)
    if options.rejects is not None:
        _check_folder_of_rejects(options.rejects, output)
    for folder in filter(None, (output, options.rejects)):
        refuse_outputs(names, folder=folder)
    ending = output_format(output, options.to, rows=not task.replaces, default=".parquet").ending
    settings = replace(options, to=None, cancel=None, on_failure=None, progress=None)
    return names, PartSettings(task, settings, output.rstrip("/") or "/", ending)


def _check_folder_of_rejects(rejects: str, output: str) -> None:
    """Require a folder for invalid records, apart from the folder of parts."""
    if is_remote(rejects) or not is_folder(rejects):
        text = "an output folder needs another folder for invalid records; type --rejects {folder}"
        raise OutputError(Message(text, folder=f"{os.path.splitext(rejects)[0]}/"), file=rejects)
    folder, own = (os.path.join(os.path.realpath(local_path(path)), "") for path in (output, rejects))
    if own.startswith(folder) or os.path.exists(own + PLAN):
        raise OutputError(
            Message("this folder has parts of an output; choose another folder for invalid records"),
            file=rejects,
        )


def _in_order_of_plan(job: PartSettings, names: list[str]) -> tuple[list[str], PartSettings]:
    """Return the inputs in the order of their parts, and the job with the inputs that are gone.

    Inputs of an earlier run come first, in its order.
    """
    old = _read_json(f"{job.folder}/{PLAN}")
    if not job.options.resume or not _is_plan(old):
        return names, job
    earlier = [name for name, *_ in old["inputs"]]
    known, added = Counter(earlier), list[str]()  # a name may be there twice
    for name in names:
        if known[name]:
            known[name] -= 1
        else:
            added.append(name)
    gone = {row[0]: row for row in old["inputs"] if row[0] not in names}
    return earlier + added, job._replace(gone=gone)


def _is_plan(plan: Any) -> bool:
    """Return whether a value is the plan of a run."""
    if not isinstance(plan, dict):
        return False
    if plan.keys() != {"version", "task", "inputs", "options"}:
        return False
    inputs = plan["inputs"]
    if not isinstance(inputs, list):
        return False
    return all(isinstance(row, list) and len(row) == 3 for row in inputs)


def _difference(plan: dict[str, Any], old: dict[str, Any]) -> str:
    """Return how a run differs from the one that made the parts; empty if inputs are added, or nothing."""
    now, before = (
        {"version": about["version"], **about["task"], **about["options"]} for about in (plan, old)
    )
    if names := [name for name in now | before if now.get(name) != before.get(name)]:
        return Message("these are different: {names}", names=", ".join(names))
    inputs, earlier = (Counter(map(tuple, about["inputs"])) for about in (plan, old))
    for name, *_ in earlier - inputs:
        if name in {now for now, *_ in inputs - earlier}:
            return Message("the input {name} has changed", name=name)
        return Message("the input {name} is missing", name=name)
    return ""


def _begin(job: PartSettings, names: list[str]) -> list[int]:
    """Make the folder and its plan, or compare the plan that is there; return the sizes of the inputs."""
    for path in job.folders:
        os.makedirs(path, exist_ok=True)
    plan, old = job.plan(names), _read_json(f"{job.folder}/{PLAN}")
    existing = [name for name in os.listdir(job.folders[0]) if not name.startswith((".", f"{PLAN}."))]
    if existing and not _is_plan(old):
        text = "the folder is not empty, and has no {plan} of unidoku; choose another folder"
        raise OutputError(Message(text, plan=PLAN), file=job.folder)
    if job.options.overwrite:
        for path in job.folders:
            for name in filter(_PART.fullmatch, os.listdir(path)):
                os.remove(f"{path}/{name}")
    elif existing and plan != old:
        _refuse_other_run(job, plan, old)
    if plan != old:
        with OutputFile(f"{job.folder}/{PLAN}") as file:
            file.write(json.dumps(plan, indent=1).encode())
    return [size for _, size, _ in plan["inputs"]]


def _refuse_other_run(job: PartSettings, plan: dict[str, Any], old: dict[str, Any]) -> None:
    """Refuse a folder with the parts of another run; inputs that are added are the same run."""
    if difference := _difference(plan, old):
        text = (
            "the folder has the parts of another run ({plan}): {difference}; choose another folder, or "
            "remove them with --overwrite"
        )
        error = ResumeError if job.options.resume else OutputError
        raise error(Message(text, plan=PLAN, difference=difference), file=job.folder)
    if not job.options.resume:
        text = "the folder has the parts of a run with fewer inputs ({plan}); add new inputs with --resume"
        raise OutputError(Message(text, plan=PLAN), file=job.folder)


def _read_json(file: str) -> Any:
    """Return the value of a JSON file; None if it has none."""
    with suppress(FileNotFoundError, ValueError, RecursionError), open(local_path(file), "rb") as stream:
        return json.loads(stream.read())


def _fingerprint(file: str) -> dict[str, Any]:
    """Return the size of a part and a digest of its bytes."""
    with open(local_path(file), "rb") as stream:
        digest = file_digest(stream, "sha256").hexdigest()
        return {"size": stream.tell(), "sha256": digest}


def _size_and_version(url: str) -> tuple[int, str]:
    """Return the size of an input, and what changes when it is written again."""
    info = dict[str, Any]()
    with suppress(UnidokuError), reading(url):  # raised again when it is read
        fs, path = filesystem(url)
        info = fs.info(path)
    return int(info.get("size") or 0), next((str(info[key]) for key in _VERSIONS if info.get(key)), "")
