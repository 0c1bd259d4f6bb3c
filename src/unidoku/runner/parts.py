"""Runs whose output is a folder: for each input parts of some records, which a resumed run skips.

A part and its counts (``part-0002-000017.csv`` and ``.json``) appear when they are complete; `PLAN` lists
everything they depend on. Files with other names are never changed; parts are removed if `Options.overwrite`
says so.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, replace
from functools import partial
from hashlib import file_digest
from itertools import chain
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
from unidoku.files.chunks import NO_COLUMNS, Partition, Reading
from unidoku.files.formats import output_format
from unidoku.files.inputs import InputChunk, Inputs, MemoryInput
from unidoku.files.output import OutputFile, is_folder, refuse_outputs, remove_partial
from unidoku.files.partitions import count_lines, divide, numbered
from unidoku.files.source import PUZZLE_BYTES
from unidoku.files.storage import (
    filesystem,
    is_object_store,
    is_remote,
    is_stream,
    local_path,
    reading,
    writing,
)
from unidoku.options import MEGABYTE, Options, Progress
from unidoku.runner.driver import Run
from unidoku.runner.summary import MESSAGES, Counts, Summary, failure_summary
from unidoku.runner.writer import open_rejects, open_writer
from unidoku.task import Task
from unidoku.threads import Cancel, cancel_of, thread_count

PLAN = "plan.json"
_PART = re.compile(r"part-\d{4,}-\d{6,}\..+")
_NAME = re.compile(rf"{_PART.pattern}|{re.escape(PLAN)}")  # of all files of a run
_VERSIONS = (
    "ETag etag md5Hash content_md5 generation LastModified last_modified updated mtime created".split()
)
"""The keys under which file systems give the version of a file, the most reliable first."""


class Folder:
    """A folder of parts, on a disk of this machine or in a store."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/") or "/"
        self.fs, self.path = filesystem(self.url)
        self.is_remote: bool = is_remote(url)

    def make(self) -> None:
        """Make the folder; stores of objects have none."""
        if not is_object_store(self.url):
            self.fs.makedirs(self.path, exist_ok=True)

    def has(self, name: str) -> bool:
        """Return whether it has a file."""
        self._refresh()
        return bool(self.fs.exists(f"{self.path}/{name}"))

    def names(self) -> list[str]:
        """Return the names of its files, as they are now."""
        self._refresh()
        try:
            entries = self.fs.ls(self.path, detail=True)
        except FileNotFoundError:
            return []
        return [entry["name"].rstrip("/").rpartition(self.fs.sep)[2] for entry in entries]

    def remove(self, name: str) -> None:
        """Remove a file."""
        self.fs.rm_file(f"{self.path}/{name}")

    def read_json(self, name: str) -> Any:
        """Return the value of a JSON file; None if it has none."""
        self._refresh()
        with (
            suppress(FileNotFoundError, ValueError, RecursionError),
            self.fs.open(f"{self.path}/{name}", "rb") as stream,
        ):
            return json.loads(stream.read())

    def write_json(self, name: str, value: Any, **options: Any) -> None:
        """Write a JSON file, which appears when it is complete."""
        file = OutputFile(f"{self.url}/{name}")
        file.is_part = True
        with file:
            file.write(json.dumps(value, **options).encode())

    def fingerprint(self, name: str) -> dict[str, Any]:
        """Return the size of a part, and a digest of its bytes or the version that a store gives it."""
        if self.is_remote:
            self._refresh()
            size, version = _size_and_version(f"{self.url}/{name}")
            return {"size": size, "version": version}
        with open(f"{self.path}/{name}", "rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
            return {"size": stream.tell(), "sha256": digest}

    def _refresh(self) -> None:
        """Forget what a store has listed before: other workers write to it as well."""
        if self.is_remote:
            self.fs.invalidate_cache()


class Share(NamedTuple):
    """What one worker works on: an input, or a partition of it."""

    number: int
    """Of the input."""
    name: str
    part: int | None = None
    """The number of the partition, and of its part."""


class PartSettings(NamedTuple):
    """The task, options and folder that the parts of all inputs share."""

    task: Task
    options: Options
    folder: str
    ending: str
    """The end of the name of a part."""
    partitions: dict[str, list[Partition]] = {}  # noqa: RUF012  # never changed
    """The parts of inputs that are divided among workers, by name."""
    known: frozenset[str] = frozenset()
    """The inputs of the run that is resumed."""
    gone: dict[str, Any] = {}  # noqa: RUF012  # never changed
    """The rows of the plan about inputs that are not there any more, by name."""

    @property
    def folders(self) -> list[Folder]:
        """Its folders: for the parts, and for the records that are not puzzles."""
        return [*map(Folder, filter(None, (self.folder, self.options.rejects)))]

    @property
    def reading(self) -> Reading:
        """How inputs are opened, if only their records are looked for."""
        options = self.options
        return Reading(options.format, options.column, needed=NO_COLUMNS, encoding=options.encoding)

    @property
    def records(self) -> int:
        """The records of a part, if the input is not divided by its bytes."""
        return self.options.part_size * MEGABYTE // PUZZLE_BYTES

    def run_of(self, stem: str) -> Run:
        """Return the run that makes a part."""
        # inputs may be added later, so rows always have a column ``file``
        writer = open_writer(self.path(stem), self.task, self.options, several=not self.task.replaces)
        writer.is_part = writer.file.is_part = True
        folder = self.options.rejects
        rejects = None
        if folder:
            rejects = open_rejects(self.path(stem, folder), self.options)
            rejects.file.is_part = True
        return Run(self.task, self.options, writer, empty=False, rejects=rejects)

    def path(self, stem: str, folder: str = "") -> str:
        """Return the name of a part, or of one in another folder."""
        return f"{(folder or self.folder).rstrip('/')}/{stem}{self.ending}"

    def earlier(self, stem: str) -> list[Counts]:
        """Return the counts by file of a part that a resumed run keeps; none if it is not as they say."""
        if not self.options.resume:
            return []
        folder, rejects = Folder(self.folder), self.options.rejects
        about = folder.read_json(f"{stem}.json")
        if rejects and not Folder(rejects).has(f"{stem}{self.ending}"):
            return []
        with suppress(OSError, AttributeError, TypeError):
            if folder.fingerprint(f"{stem}{self.ending}").items() <= about.items():
                return [Counts(**numbers) for numbers in about["files"]]
        return []

    def kept(self, number: int, name: str) -> Summary:
        """Return the counts of the parts of an input that is gone."""
        text = Message("not among the inputs any more; the parts that were made of it are kept")
        own = re.compile(rf"(part-{number:04d}-\d{{6,}})\.json")
        stems = sorted(match[1] for file in Folder(self.folder).names() if (match := own.fullmatch(file)))
        total = _summary_of([*chain.from_iterable(map(self.earlier, stems))])
        total.notes.append(ArchiveNote(name, text))
        return total

    def make(self, stem: str, chunks: Iterator[InputChunk]) -> Summary:
        """Make a part and its counts; of one that cannot be completed, only the messages count."""
        summary = self.run_of(stem).process(chunks)
        log("info", "%s: %d puzzles", stem, summary.puzzles)
        if not summary.complete:
            lists = {name: getattr(summary, name) for name in (*MESSAGES, "notes")}
            return Summary(failed=summary.failed, **lists)
        if summary.puzzles:
            folder = Folder(self.folder)
            about = folder.fingerprint(f"{stem}{self.ending}")
            folder.write_json(f"{stem}.json", {**about, "files": [*map(asdict, summary.files)]})
        return summary

    def plan(self, names: list[str]) -> dict[str, Any]:
        """Return everything the parts depend on, for inputs of these names."""
        inputs = [self.gone.get(name) or (name, *_size_and_version(name)) for name in names]
        options = {**self.options.to_json(), "to": self.ending}
        if self.options.rejects is not None:
            options["rejects"] = self.options.rejects
        plan = {"version": version(), "task": self.task.to_json(), "inputs": inputs, "options": options}
        plan["partitions"] = self.partitions
        return json.loads(json.dumps(plan))  # type: ignore[no-any-return]


def make_parts(
    job: PartSettings,
    share: Share,
    cancel: Cancel,
    report: Callable[[Progress], object] = lambda _: None,
) -> Summary:
    """Make the parts of an input that are not there, and count all; `report` gets the progress in it."""
    number, name, part = share
    if name in job.gone:
        return job.kept(number, name)
    total, files = Summary(), dict[str | None, Counts]()

    def report_part(progress: Progress) -> None:
        report(progress._replace(puzzles=total.puzzles + progress.puzzles, earlier=total.earlier))

    options = replace(job.options, cancel=cancel, on_failure=lambda _: None, progress=report_part)
    job = job._replace(options=options)
    target = PUZZLE_BYTES * job.task.batch_size  # the same in each run, so that the parts are the same
    source: str | Partition = name
    first, records = 0, job.records
    if part is not None:
        if earlier := job.earlier(f"part-{number:04d}-{part:06d}"):
            return _summary_of(earlier)
        source, first, records = job.partitions[name][part], part, sys.maxsize
    with closing(Inputs([source]).chunks(job.run_of("part").reading, lambda: target)) as chunks:
        for index, head in enumerate(chunks, first):
            part_chunks = _of_part(head, chunks, records)
            stem = f"part-{number:04d}-{index:06d}"
            if earlier := job.earlier(stem):
                summary = _summary_of(earlier)
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


def _summary_of(tallies: list[Counts]) -> Summary:
    """Return the summary of parts that are there, by their counts of each file."""
    total = Summary(files=tallies)
    for tally in tallies:
        Counts.add(total, tally)
    total.earlier = total.puzzles
    return total


def _of_part(head: InputChunk, chunks: Iterator[InputChunk], records: int) -> Iterator[InputChunk]:
    """Yield the chunks of a part of about this many records, which begins with `head`."""
    yield head
    size = head.size
    while size + head.size // 2 < records and (chunk := next(chunks, None)):
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
        client = None
        if options.cluster is not None:
            from unidoku.runner import cluster  # not at the top: Dask takes long

            client = stack.enter_context(cluster.connection(str(options.cluster)))
            total.threads = sum(client.nthreads().values())
        # Inputs are opened first: a run that cannot begin changes nothing.
        failures = Inputs(listed).failures(job.reading)
        try:
            if not _can_begin(listed, failures, options):
                for error in failures:
                    _add(total, failure_summary(error, error.file or ""), options)
                return total
            if client is not None:
                job = _divided(job, names, client, cancel, total)
            shares = _shares(job, names)
            with writing(output):
                sizes += _begin(job, names, shares) if not cancel else []
            results = stack.enter_context(closing(_results(job, shares, client, cancel, report)))
            for size, share, summary in zip(sizes, shares, results, strict=False):  # fewer after a `cancel`
                _add(total, summary, options, is_next=bool(share.part))
                finished += size
                report(Progress(0, 0, 0, 0))
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
            if not folder.is_remote:
                remove_partial(folder.path, _NAME)
    return total


def _shares(job: PartSettings, names: Sequence[str]) -> list[Share]:
    """Return the inputs, or their partitions, in order."""
    shares = list[Share]()
    for number, name in enumerate(names):
        parts = range(len(job.partitions.get(name, ()))) or (None,)
        shares += [Share(number, name, part) for part in parts]
    return shares


def _results(
    job: PartSettings,
    shares: Sequence[Share],
    client: Any,
    cancel: Cancel,
    report: Callable[[Progress], object],
) -> Generator[Summary]:
    """Make the parts of each share, here or on the workers of a cluster; yield the summaries in order."""
    if client is None:
        for share in shares:
            if cancel:
                return
            yield make_parts(job, share, cancel, report)
        return
    from unidoku.runner import cluster  # not at the top: Dask takes long

    own = replace(job.options, threads=job.options.threads or 1)
    work = partial(make_parts, job._replace(options=own))
    yield from cluster.map_calls(client, work, shares, cancel, _failed)


def _add(total: Summary, summary: Summary, options: Options, *, is_next: bool = False) -> None:
    """Add the counts of an input, or of its next partition, and report its failures."""
    for error in summary.failures:
        log("warning", "%s", error)
    if is_next and total.failures and summary.failures:  # one of the same input before has failed
        summary.failures.clear()
        summary.failed = 0
    total.add(summary)
    if is_next:
        for tally in summary.files:
            total.files[-1].add(tally)
    else:
        total.files += summary.files
    total.earlier += summary.earlier
    for error in summary.failures:
        if options.on_failure is None:
            raise error
        options.on_failure(error)


def _count_lines(settings: Reading, partition: Partition, _: Cancel) -> int | None:
    """Count the lines of a partition, as a call of a worker."""
    return count_lines(settings, partition)


def _failed(reason: UnidokuError | str, share: Share) -> Summary:
    """Return the summary of a share that a worker could not read."""
    return failure_summary(reason, share.name)


def _divided(
    job: PartSettings, names: Sequence[str], client: Any, cancel: Cancel, total: Summary
) -> PartSettings:
    """Divide large inputs that are new into partitions, and count the lines before each one.

    There is a note on each input that is larger than a part, and can only be read as a whole.
    """
    from unidoku.runner import cluster  # not at the top: Dask takes long

    size = job.options.part_size * MEGABYTE
    new = [name for name in dict.fromkeys(names) if name not in job.known]
    found = {name: divide(name, job.reading, size) for name in new if _size_and_version(name)[0] > size}
    uncounted = [part for parts in found.values() for part in parts[:-1] if parts[-1].line is None]
    work = partial(_count_lines, job.reading)
    with closing(cluster.map_calls(client, work, uncounted, cancel, lambda *_: None)) as counts:
        lines = dict(zip(uncounted, counts, strict=False))
    divided = {name: numbered(parts, lines) for name, parts in found.items()}
    for name in (name for name, parts in divided.items() if len(parts) < 2):
        text = Message("one worker reads this input as a whole; unidoku split makes several files of it")
        total.notes.append(ArchiveNote(name, text))
    new_partitions = {name: parts for name, parts in divided.items() if len(parts) > 1}
    return job._replace(partitions=job.partitions | new_partitions)


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
    if options.rejects is not None:
        _check_folder_of_rejects(options.rejects, output)
    for folder in filter(None, (output, options.rejects)):
        refuse_outputs(names, folder=folder)
    ending = output_format(output, options.to, rows=not task.replaces, default=".parquet").ending
    settings = replace(options, to=None, cancel=None, on_failure=None, progress=None)
    return names, PartSettings(task, settings, output.rstrip("/") or "/", ending)


def _check_folder_of_rejects(rejects: str, output: str) -> None:
    """Require a folder for invalid records, apart from the folder of parts."""
    if not is_folder(rejects):
        text = "an output folder needs another folder for invalid records; type --rejects {folder}"
        raise OutputError(Message(text, folder=f"{os.path.splitext(rejects)[0]}/"), file=rejects)
    folder, own = (f"{_real(path)}/" for path in (output, rejects))
    if own.startswith(folder) or Folder(rejects).has(PLAN):
        raise OutputError(
            Message("this folder has parts of an output; choose another folder for invalid records"),
            file=rejects,
        )


def _real(folder: str) -> str:
    """Return the one name of a folder."""
    if is_remote(folder):
        return folder.rstrip("/")
    return os.path.realpath(local_path(folder)).rstrip(os.sep)


def _in_order_of_plan(job: PartSettings, names: list[str]) -> tuple[list[str], PartSettings]:
    """Return the inputs in the order of their parts, and the job with the inputs that are gone.

    Inputs of an earlier run come first, in its order.
    """
    with reading(job.folder):
        old = Folder(job.folder).read_json(PLAN)
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
    partitions = {name: [Partition(*row) for row in rows] for name, rows in old["partitions"].items()}
    return earlier + added, job._replace(gone=gone, known=frozenset(earlier), partitions=partitions)


def _is_plan(plan: Any) -> bool:
    """Return whether a value is the plan of a run."""
    if not isinstance(plan, dict):
        return False
    if plan.keys() != {"version", "task", "inputs", "options", "partitions"}:
        return False
    inputs, partitions = plan["inputs"], plan["partitions"]
    if not isinstance(inputs, list) or not isinstance(partitions, dict):
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


def _begin(job: PartSettings, names: list[str], shares: Sequence[Share]) -> list[int]:
    """Make the folder and its plan, or compare the plan that is there; return the bytes of each share."""
    for folder in job.folders:
        folder.make()
    folder = job.folders[0]
    plan, old = job.plan(names), folder.read_json(PLAN)
    existing = [name for name in folder.names() if not name.startswith((".", f"{PLAN}."))]
    if existing and not _is_plan(old):
        text = "the folder is not empty, and has no {plan} of unidoku; choose another folder"
        raise OutputError(Message(text, plan=PLAN), file=job.folder)
    if job.options.overwrite:
        for each in job.folders:
            for name in filter(_PART.fullmatch, each.names()):
                each.remove(name)
    elif existing and plan != old:
        _refuse_other_run(job, plan, old)
    if plan != old:
        folder.write_json(PLAN, plan, indent=1)
    sizes = [size for _, size, _ in plan["inputs"]]
    return [
        sizes[number] if part is None else job.partitions[name][part].size for number, name, part in shares
    ]


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


def _size_and_version(url: str) -> tuple[int, str]:
    """Return the size of an input, and what changes when it is written again."""
    info = dict[str, Any]()
    with suppress(UnidokuError), reading(url):  # raised again when it is read
        fs, path = filesystem(url)
        info = fs.info(path)
    return int(info.get("size") or 0), next((str(info[key]) for key in _VERSIONS if info.get(key)), "")
