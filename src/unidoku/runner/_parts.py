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
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, replace
from functools import partial
from hashlib import file_digest, sha256
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from unidoku import kernel
from unidoku._compat import log, version
from unidoku._options import Options, Progress
from unidoku._task import Task
from unidoku._threads import Cancel, cancel_of, thread_count
from unidoku.errors import (
    ArchiveNote,
    ArgumentError,
    InputError,
    LostClusterError,
    Message,
    OutputError,
    Reason,
    ResumeError,
    UnidokuError,
    naming,
)
from unidoku.files._chunks import NO_COLUMNS, Partition, Reading
from unidoku.files._formats import output_format
from unidoku.files._inputs import InputChunk, Inputs
from unidoku.files._output import OutputFile, is_folder, refuse_outputs, remove_partial
from unidoku.files._recognition import open_reader
from unidoku.files._source import PUZZLE_BYTES, open_source
from unidoku.files._storage import (
    filesystem,
    is_object_store,
    is_remote,
    is_stream,
    local_path,
    reading,
    writing,
)
from unidoku.runner._driver import Run
from unidoku.runner._summary import MESSAGES, Counts, Summary, failure_summary
from unidoku.runner._writer import open_rejects, open_writer

PLAN = "plan.json"
MEGABYTE = 1_000_000  # bytes, in which the size of parts is given
_HEAD = 1 << 16  # first bytes of an input, by which it is known under another name
_PART = re.compile(r"part-\d{4,}-\d{6,}\..+")
_NAME = re.compile(rf"{_PART.pattern}|{re.escape(PLAN)}")  # of all files of a run
_VERSIONS = (
    "ETag etag md5Hash content_md5 generation LastModified last_modified updated mtime created".split()
)
"""The keys under which file systems give the version of a file, the most reliable first."""


class Folder:
    """A folder of parts, on a disk of this machine or in a store."""

    def __init__(self, url: str) -> None:
        self.url: str = url.rstrip("/") or "/"
        self.fs: Any
        self.path: str
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
    """The work of one worker: an input, or a partition of it."""

    number: int
    """Of the input."""
    name: str
    size: int
    """The bytes of the input, or of the partition."""
    part: int | None = None
    """The number of the partition, and of its part."""


_Input: TypeAlias = "tuple[str, int, str]"
"""The name of an input, its size, and its version with a digest of its first bytes."""


class PartSettings(NamedTuple):
    """The task, options and folder that the parts of all inputs share."""

    task: Task
    options: Options
    folder: str
    ending: str
    """The end of the name of a part."""
    inputs: Sequence[_Input] = ()
    """The inputs in the order of their parts, as they are in the plan."""
    known: int = 0
    """How many of them the run that is resumed had."""
    gone: frozenset[int] = frozenset()
    """The numbers of the inputs that are not there any more."""
    partitions: dict[int, list[Partition]] = {}  # noqa: RUF012  # never changed
    """The parts of inputs that are divided among workers, by number."""

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
        gone = Reason("gone", "not among the inputs any more; the parts that were made of it are kept")
        own = re.compile(rf"(part-{number:04d}-\d{{6,}})\.json")
        stems = sorted(match[1] for file in Folder(self.folder).names() if (match := own.fullmatch(file)))
        tallies = [*map(self.earlier, stems)]
        total = _summary_of([*chain.from_iterable(tallies)])
        total.notes.append(ArchiveNote(name, gone))
        for stem, tally in zip(stems, tallies, strict=True):
            if not tally:
                text = Message("the part {stem} is damaged; put the input back to make it again", stem=stem)
                total.fail(InputError(text, file=name))
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

    def plan(self) -> dict[str, Any]:
        """Return everything the parts depend on."""
        options = {**self.options.to_json(), "to": self.ending, "rejects": self.options.rejects}
        plan: dict[str, Any] = {
            "version": version(),
            "task": self.task.to_json(),
            "inputs": self.inputs,
            "options": options,
            "partitions": self.partitions,
        }
        return json.loads(json.dumps(plan))  # type: ignore[no-any-return]


def make_parts(
    job: PartSettings,
    share: Share,
    cancel: Cancel,
    report: Callable[[Progress], object] = lambda _: None,
) -> Summary:
    """Make the parts of an input that are not there, and count all; `report` gets the progress in it."""
    number, name, _, part = share
    if number in job.gone:
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
        source, first, records = job.partitions[number][part], part, sys.maxsize
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
    job = _in_order_of_plan(job, listed)
    names = [name for name, *_ in job.inputs]
    total = Summary(isa=kernel.isa(), threads=thread_count(options.threads), task_counts=task.zero_counts())
    total.notes += inputs.notes
    if cancel:  # the inputs are listed up to here
        total.is_finished = False
        return total
    size = finished = 0  # bytes
    text = "the finished parts are in {folder}; the same command with --resume continues"
    resume = Message(text, folder=job.folder)

    def report(progress: Progress) -> None:
        """Report the progress of the run by that in an input."""
        if options.progress is not None:
            done, _, puzzles, _, earlier = progress
            counts = finished + done, size, total.puzzles + puzzles
            options.progress(Progress(*counts, time.perf_counter() - began, total.earlier + earlier))

    with ExitStack() as stack:
        client = None
        if options.cluster is not None:
            from unidoku.runner import _cluster as cluster  # not at the top: Dask takes long

            client = stack.enter_context(cluster.connection(str(options.cluster)))
            total.threads = sum(client.nthreads().values())
        # Inputs are opened first: a run that cannot begin changes nothing.
        failures = Inputs(listed).failures(job.reading)
        try:
            # an input can be read, or all of them if parts are removed
            if failures and (options.overwrite or len(failures) == len(listed)):
                for error in failures:
                    _add(total, failure_summary(error, error.file or ""), options)
                return total
            if client is not None:
                job = _divided(job, names, client, cancel, total)
            shares = _shares(job)
            with writing(output):
                _begin(job)
            size = sum(share.size for share in shares)
            total.is_finished, total.resume = False, resume
            results = stack.enter_context(closing(_results(job, shares, client, cancel, report)))
            for share, summary in zip(shares, results, strict=False):  # fewer after a `cancel`
                _add(total, summary, options, is_next=bool(share.part))
                finished += share.size
                report(Progress(0, 0, 0, 0))
        except UnidokuError as error:
            if isinstance(error, LostClusterError):
                error.file = options.cluster
            error.summary = total
            raise
        finally:
            total.seconds = time.perf_counter() - began
    total.is_finished = not cancel
    if total.is_finished:
        total.resume = None
    if total.complete:
        task.check_end(total)
        for folder in job.folders:
            if not folder.is_remote:
                remove_partial(folder.path, _NAME)
    return total


def _shares(job: PartSettings) -> list[Share]:
    """Return the inputs, or their partitions, in order."""
    shares = list[Share]()
    for number, (name, size, _) in enumerate(job.inputs):
        partitions = () if number in job.gone else job.partitions.get(number, ())
        shares += [Share(number, name, one.size, part) for part, one in enumerate(partitions)] or [
            Share(number, name, size)
        ]
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
    from unidoku.runner import _cluster as cluster  # not at the top: Dask takes long

    own = replace(job.options, threads=job.options.threads or 1)
    work = partial(make_parts, job._replace(options=own))
    results = cluster.map_calls(
        client, work, shares, cancel, lambda reason, share: failure_summary(reason, share.name)
    )
    with closing(results):
        for share, summary in zip(shares, results, strict=False):
            log("info", "%s: %d puzzles", share.name, summary.puzzles)
            yield summary


def _add(total: Summary, summary: Summary, options: Options, *, is_next: bool = False) -> None:
    """Add the counts of an input, or of its next partition, and report its failures."""
    for error in summary.failures:
        log("warning", "%s", error)
    failed = {error.file for error in total.failures}
    if is_next and any(error.file in failed for error in summary.failures):  # one before has failed as well
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


def divide(name: str, settings: Reading, size: int) -> list[Partition]:
    """Return the partitions of a file, of about `size` bytes; none if it can only be read as a whole."""
    with suppress(UnidokuError), open_source(name) as source, naming(name):  # an error comes when it is read
        if source.archive_kind() is None:
            return open_reader(source, settings).partitions(size)
    return []


def lines_of_partition(settings: Reading, partition: Partition, _: Cancel) -> int | None:
    """Return how many lines a partition has, on a worker; None if one of its ends may be within a record."""
    with open_source(partition.file) as source, naming(partition.file):
        return open_reader(source, settings).lines_in(partition)


def numbered(partitions: Sequence[Partition], lines: Mapping[Partition, int | None]) -> list[Partition]:
    """Return partitions with the lines before each one; none if an end may be within a record."""
    found, line = list[Partition](), 0
    for partition in partitions:
        if partition.line is not None:
            line = partition.line
        found.append(partition._replace(line=line))
        if partition is not partitions[-1]:
            count = lines.get(partition, 0)
            if count is None:
                return []
            line += count
    return found


def _divided(
    job: PartSettings, names: Sequence[str], client: Any, cancel: Cancel, total: Summary
) -> PartSettings:
    """Divide large inputs that are new into partitions, and count the lines before each one.

    There is a note on each input that is larger than a part, and can only be read as a whole.
    """
    from unidoku.runner import _cluster as cluster  # not at the top: Dask takes long

    size = job.options.part_size * MEGABYTE
    new = [number for number in range(job.known, len(names)) if job.inputs[number][1] > size]
    found = {number: divide(names[number], job.reading, size) for number in new}
    uncounted = [part for parts in found.values() for part in parts[:-1] if parts[-1].line is None]
    work = partial(lines_of_partition, job.reading)
    with closing(cluster.map_calls(client, work, uncounted, cancel, lambda *_: None)) as counts:
        lines = dict(zip(uncounted, counts, strict=False))
    partitions = {**job.partitions}
    for number, parts in found.items():
        divided = numbered(parts, lines)
        if len(divided) > 1:
            partitions[number] = divided
        else:
            text = Message("one worker reads this input as a whole; unidoku split makes several files of it")
            total.notes.append(ArchiveNote(names[number], text))
    return job._replace(partitions=partitions)


def _job_of(inputs: Inputs, output: str, task: Task, options: Options) -> tuple[list[str], PartSettings]:
    """Check the requirements of a folder of parts; return the names of the inputs, and the job."""
    if options.resume and options.overwrite:
        text = "resume keeps parts, and overwrite removes them (--resume, --overwrite); choose one"
        raise ArgumentError(Message(text))
    if task.in_order:
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
                "a folder of parts needs files or URLs as inputs; save the input as a file, or name a file "
                "as output"
            )
        )
    if options.rejects is not None:
        if not is_folder(options.rejects):
            text = "an output folder needs another folder for invalid records; type --rejects {folder}"
            folder = f"{os.path.splitext(options.rejects)[0]}/"
            raise OutputError(Message(text, folder=folder), file=options.rejects)
        own, other = (
            folder.rstrip("/") if is_remote(folder) else os.path.realpath(local_path(folder)).rstrip(os.sep)
            for folder in (output, options.rejects)
        )
        if f"{other}/".startswith(f"{own}/") or Folder(options.rejects).has(PLAN):
            text = "this folder has parts of an output; choose another folder for invalid records"
            raise OutputError(Message(text), file=options.rejects)
    for folder in filter(None, (output, options.rejects)):
        refuse_outputs(names, folder=folder)
    ending = output_format(output, options.to, rows=not task.replaces, default=".parquet").ending
    settings = replace(options, to=None, cancel=None, on_failure=None, progress=None)
    return names, PartSettings(task, settings, output.rstrip("/") or "/", ending)


def _in_order_of_plan(job: PartSettings, names: list[str]) -> PartSettings:
    """Return the job with its inputs in the order of their parts: first the inputs of an earlier run.

    An input keeps its parts whatever its name: its content says which one it is. If another content has the
    name of an earlier input whose content is gone, it takes the place, and `_refuse_other_run` refuses it.
    """
    inputs = [_described(name) for name in names]
    with reading(job.folder):
        old = _plan_in(Folder(job.folder))
    if not job.options.resume or not old:
        return job._replace(inputs=inputs)
    earlier: list[_Input] = [(name, size, version) for name, size, version in old["inputs"]]
    added, missing = Counter(inputs), Counter(earlier)  # one may be there twice
    added, missing = added - missing, missing - added
    ordered, gone = [*earlier], list[int]()
    for number, one in enumerate(earlier):
        if missing[one]:
            missing[one] -= 1
            gone.append(number)
    for part in (slice(1, 3), slice(0, 1)):  # the same content, or else the same name
        others = defaultdict[Any, list[_Input]](list)
        for one in added.elements():
            others[one[part]].append(one)
        for number in [*gone]:
            if same := others[earlier[number][part]]:
                ordered[number] = same.pop()
                added[ordered[number]] -= 1
                gone.remove(number)
    divided = old.get("partitions", {})  # none of an earlier version
    partitions = {
        number: [Partition(*row)._replace(file=ordered[number][0]) for row in divided[str(number)]]
        for number in map(int, divided)
    }
    inputs = [*ordered, *added.elements()]
    return job._replace(inputs=inputs, known=len(earlier), gone=frozenset(gone), partitions=partitions)


def _digest(plan: dict[str, Any]) -> str:
    """Return a digest of a plan."""
    return sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()


def _plan_in(folder: Folder) -> dict[str, Any]:
    """Return the plan of the run in a folder; an empty one if it has none, or it is damaged.

    The plan of an earlier version has no digest.
    """
    plan = folder.read_json(PLAN)
    if not isinstance(plan, dict):
        return {}
    digest = plan.pop("sha256", "")
    is_known = plan.keys() >= {"version", "task", "inputs", "options"}
    return plan if is_known and digest in ("", _digest(plan)) else {}


def _begin(job: PartSettings) -> None:
    """Make the folder and its plan, or compare the plan that is there."""
    for folder in job.folders:
        folder.make()
    folder = job.folders[0]
    plan, old = job.plan(), _plan_in(folder)
    existing = [name for name in folder.names() if not name.startswith((".", f"{PLAN}."))]
    if existing and not old:
        text = (
            "the folder is not empty, and has no {plan} of unidoku, or a damaged one; choose another folder, "
            "or remove this one"
        )
        raise OutputError(Message(text, plan=PLAN), file=job.folder)
    if job.options.overwrite:
        for each in job.folders:
            for name in filter(_PART.fullmatch, each.names()):
                each.remove(name)
    elif existing and plan != old:
        _refuse_other_run(job, plan, old)
    if plan != old:
        folder.write_json(PLAN, {**plan, "sha256": _digest(plan)}, indent=1)


def _refuse_other_run(job: PartSettings, plan: dict[str, Any], old: dict[str, Any]) -> None:
    """Refuse a folder with the parts of another run; inputs that are added are the same run."""
    now, before = (
        {"version": about["version"], **about["task"], **about["options"]} for about in (plan, old)
    )
    inputs = [content for _, *content in plan["inputs"]]
    missing = [name for name, *content in old["inputs"] if content not in inputs]
    difference = ""
    if now["version"] != before["version"]:
        difference = Message("it was begun with unidoku {version}", version=before["version"])
    elif names := [name for name in now | before if now.get(name) != before.get(name)]:
        difference = Message("these are different: {names}", names=", ".join(names))
    elif missing:
        text = "the input {name} has changed, or is missing; rename a changed one to add it as a new one"
        difference = Message(text, name=missing[0])
    if difference:
        text = (
            "the folder has the parts of another run ({plan}): {difference}; choose another folder, or "
            "remove them with --overwrite"
        )
        raise ResumeError(Message(text, plan=PLAN, difference=difference), file=job.folder)
    if not job.options.resume:
        text = "the folder has the parts of a run with fewer inputs ({plan}); add new inputs with --resume"
        raise ResumeError(Message(text, plan=PLAN), file=job.folder)


def _size_and_version(url: str) -> tuple[int, str]:
    """Return the size of a file, and what changes when it is written again."""
    info = dict[str, Any]()
    with suppress(UnidokuError), reading(url):  # raised again when it is read
        fs, path = filesystem(url)
        info = fs.info(path)
    return int(info.get("size") or 0), next((str(info[key]) for key in _VERSIONS if info.get(key)), "")


def _described(url: str) -> _Input:
    """Return the name of an input, its size, and its version with a digest of its first bytes."""
    digest = ""
    with suppress(UnidokuError), reading(url):
        fs, path = filesystem(url)
        with fs.open(path, "rb") as file:
            digest = sha256(file.read(_HEAD)).hexdigest()
    size, version = _size_and_version(url)
    return url, size, f"{version} {digest}"
