"""A run whose output is a folder: for each input parts of some records, which a later run may skip.

A part and its counts (``part-0002-000017.csv`` and ``.json``) appear when they are complete; `PLAN` says
what they depend on.  A later run with the same plan reads the inputs again and makes the parts that are not
there.
"""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain, groupby, islice
from operator import itemgetter
from secrets import token_hex
from typing import Any, NamedTuple

from unidoku import __version__, kernel
from unidoku.errors import InputError, OutputError, ResumeError, UnidokuError, needs_extra, writing
from unidoku.files.base import Chunk
from unidoku.files.formats import output_format
from unidoku.files.inputs import Inputs
from unidoku.files.output import Folder, OutputFile, refuse_outputs
from unidoku.files.source import PUZZLE_BYTES, Source
from unidoku.files.storage import is_remote, is_special, local_path, stat
from unidoku.options import Options
from unidoku.runner.loop import Run
from unidoku.runner.sinks import sink_for
from unidoku.runner.summary import Counts, Meter, Summary
from unidoku.task import Task
from unidoku.threads import TICK, Cancel, cancel_of, thread_count

PLAN = "plan.json"
BATCHES = 16  # in a part, of `batch_size` puzzles each
PATIENCE = 15.0  # seconds until a scheduler and a worker must have answered
ANSWER = 1.0  # seconds to fetch the result of a worker
LOSS = 60.0  # seconds without a worker after which none is expected any more
_OWN = re.compile(r"(?:plan\.json|part-\d{4,}-\d{6,}\..+)(?:\.partial)?|\..*")


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

    def known(self, stem: str, names: set[str]) -> Summary | None:
        """Return what is in a part that is there; None if it must be made."""
        if not {stem + self.ending, f"{stem}.json"} <= names:
            return None
        found = Summary()
        try:
            with Folder(self.folder).open(f"{stem}.json") as stream:
                found.files = [Counts(**each) for each in json.load(stream)]
        except (ValueError, TypeError):  # its counts are damaged
            return None
        for counts in found.files:
            Counts.add(found, counts)
        found.earlier = found.puzzles
        return found

    def made(self, number: int) -> Summary:
        """Return what is in all parts of an input that are there."""
        names, total = Folder(self.folder).names(), Summary(complete=False)
        for name in sorted(names):
            if name.startswith(f"part-{number:04d}-") and name.endswith(".json"):
                _add(total, self.known(name.removesuffix(".json"), names) or Summary())
        return total


def _add(total: Summary, more: Summary) -> None:
    """Add what is in the next part of the same input."""
    for counts in more.files:
        if not total.files or total.files[-1].file != counts.file:
            total.files.append(Counts(file=counts.file))
        total.files[-1].add(counts)
    total.add(more)


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
    """Make the parts of an input that are not there; `report` gets what is done and the bytes read."""
    folder, total = Folder(job.folder), Summary()
    names, cancel = folder.names(), cancel_of(job.options.cancel)
    opened = list[tuple[str, Source | None]]()  # the file that is read, perhaps in an archive

    def tell(_: object = None) -> None:
        source = opened[-1][1] if opened else None
        report(total, source.position if source else 0)

    def begin(name: str, source: Source | None) -> None:
        opened[:] = [(name, source)]

    job = job._replace(options=replace(job.options, empty=False, on_failure=lambda _: None, progress=tell))
    target = PUZZLE_BYTES * job.task.batch_size  # the same in each run, so that the parts are the same
    with closing(Inputs([name]).chunks(job.run("part").options, lambda: target, begin)) as chunks:
        named = ((opened[-1][0], chunk) for chunk in chunks)
        for part, first in enumerate(named):
            these = chain([first], islice(named, BATCHES - 1))
            stem = f"part-{number:04d}-{part:06d}"
            found = job.known(stem, names)
            if found is None:
                found = job.run(stem).run(_Part(these))
                failures = found.failures
                if found.complete and found.puzzles and not failures:  # otherwise the part is not there
                    counts = [{"file": each.file, **each.numbers()} for each in found.files]
                    with OutputFile(f"{job.folder}/{stem}.json") as file:
                        file.write(json.dumps(counts).encode())
                    _add(total, found)
            else:
                _add(total, found)
                read = (batch for _, chunk in these for batch in chunk())
                failures = [batch for batch in read if isinstance(batch, UnidokuError)]
            for error in failures:
                total.fail(error)
            tell()
            if cancel:
                break
    total.complete = not cancel
    return total


def run_in_parts(inputs: Inputs, output: str, task: Task, options: Options) -> Summary:
    """Write a folder of parts; parameters and errors are those of `unidoku.run`."""
    began = time.perf_counter()
    names = [str(os.fspath(each)) for each in inputs if isinstance(each, str | os.PathLike) and each != "-"]
    if len(names) < len([*inputs]) or any(
        is_special(local_path(each)) for each in names if not is_remote(each)
    ):
        raise InputError("a folder is written from files and URLs, not from standard input or pipes")
    if task.in_order or task.max_rows is not None:  # a row depends on those before
        raise OutputError(f"{task.name} cannot write its output in parts", file=output)
    form = output_format(output, options.to, rows=not task.replaces, default=".parquet")
    refuse_outputs(names, [], [output])
    folder = Folder(output)
    options = replace(options, to=None, cancel=cancel_of(options.cancel))
    job = Job(task, options, folder.name, form.ending)
    made, sizes, current, position = dict[int, Summary](), list[int](), Summary(), 0

    def report(found: Summary = current, size: int = 0) -> None:
        nonlocal current, position
        current, position = found, size
        meter.earlier = sum(each.earlier for each in (*made.values(), current))
        meter.report()

    meter = Meter(
        options.progress,
        0,
        lambda: (
            position + sum(sizes[number] for number in made),
            current.puzzles + sum(each.puzzles for each in made.values()),
        ),
        began=began,
    )
    failure: BaseException | None = None
    with ExitStack() as stack:
        client, threads = None, thread_count(options.threads)
        if options.cluster is not None:
            client = stack.enter_context(cluster(options.cluster))
            threads = sum(client.nthreads().values())
        with writing(output):
            sizes = _begin(job, names, options.resume)
        meter.total = sum(sizes)
        each_input = _here(job, names, report) if client is None else _there(job, names, report, client)
        try:
            for number, found in stack.enter_context(closing(each_input)):
                made[number] = found
                report()
                for error in found.failures:
                    if options.on_failure is None:
                        raise error
                    options.on_failure(error)
            meter.report(last=True)
        except (UnidokuError, KeyboardInterrupt) as error:
            failure = error
    summary = Summary(isa=kernel.isa(), threads=threads, verified=task.verifies)
    for number, name in enumerate(names):
        found = made[number] if number in made else job.made(number)
        summary.add(found)
        summary.files += found.files or [Counts(file=name)]
        summary.complete &= found.complete
    summary.seconds = time.perf_counter() - began
    if summary.puzzles and not summary.complete:
        summary.resume = f"what is done is in {output}; the same command with --resume continues"
    if failure is not None:
        if isinstance(failure, UnidokuError):
            failure.summary = summary
        raise failure
    return summary


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
    there = folder.names()
    if PLAN in there and resume:
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
        if PLAN not in there and not all(map(_OWN.fullmatch, there)):
            raise OutputError(f"the folder is not empty, and has no {PLAN}", file=job.folder)
        own = [name for name in there if _OWN.fullmatch(name) and not name.startswith(".")]
        folder.remove(sorted(own, key=PLAN.__eq__))  # the plan last
        with OutputFile(f"{job.folder}/{PLAN}") as file:
            file.write(text.encode())
    return [size for _, size, _ in inputs]


def _here(job: Job, names: list[str], report: Callable[..., None]) -> Generator[tuple[int, Summary]]:
    """Make the parts of one input after the other."""
    for number, name in enumerate(names):
        found = make_parts(job, number, name, report)
        yield number, found
        if not found.complete:
            return


def _there(
    job: Job, names: list[str], report: Callable[..., None], client: Any
) -> Generator[tuple[int, Summary]]:
    """Give each input to a worker of a cluster."""
    run = token_hex(8)
    bare = replace(job.options, threads=job.options.threads or 1, cancel=None, on_failure=None, progress=None)
    call = partial(client.submit, _attempt, run, job._replace(options=bare), pure=False)
    futures = {} if job.options.cancel else {call(number, name): number for number, name in enumerate(names)}
    waiting = import_module("distributed").as_completed(futures)
    pending, seen = {*futures}, time.monotonic()  # when there was a worker
    try:
        while not waiting.is_empty() and not job.options.cancel:
            for future in waiting.next_batch(block=False):
                try:
                    error = future.exception(timeout=ANSWER)
                    result = None if error else future.result(timeout=ANSWER)
                except TimeoutError:  # the worker that has it is lost: another one does the work again
                    waiting.add(future)
                    continue
                pending.remove(future)
                if isinstance(result, UnidokuError):
                    raise result
                if result is None:
                    name = names[futures[future]]
                    result = _failed(f"its worker was lost ({type(error).__name__})", name)
                yield futures[future], result
            report()
            if client.scheduler_info()["workers"]:
                seen = time.monotonic()
            elif time.monotonic() - seen > LOSS:
                for number in (number for future, number in futures.items() if future in pending):
                    yield number, _failed("no worker is left", names[number])
                return
            time.sleep(TICK)
    finally:
        client.cancel(list(futures))
        if not waiting.is_empty():
            with suppress(Exception):  # another worker is lost
                client.run(_stop, run)


_CANCELS = dict[str, Cancel]()  # on a worker: of the runs that use it


def _attempt(run: str, job: Job, number: int, name: str) -> Summary | UnidokuError:
    """Make the parts of an input on a worker, which would print what is raised."""
    job = job._replace(options=replace(job.options, cancel=_CANCELS.setdefault(run, Cancel())))
    try:
        return make_parts(job, number, name, lambda *_: None)
    except UnidokuError as error:
        return error
    except Exception as error:
        return _failed(f"{type(error).__name__}: {error}", name)


def _stop(run: str) -> None:
    """Cancel the work of a run on this worker."""
    _CANCELS.setdefault(run, Cancel()).set()


def _failed(why: str, name: str) -> Summary:
    """Return the summary of an input that is not done."""
    found = Summary()
    found.fail(InputError(why, file=name))
    return found


@contextmanager
def cluster(address: str) -> Iterator[Any]:
    """Connect to a Dask cluster: ``local:N`` starts N processes here, otherwise as Dask's Client has it."""
    local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
    if local is None and not re.match(r"[a-z]+://.", address):
        raise InputError(f"invalid cluster {address!r}; expected local:N, tcp://HOST:PORT or tls://HOST:PORT")
    with needs_extra("dask", "--cluster needs Dask distributed"):
        dask: Any = import_module("distributed")  # much of it has no types
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors come back as results
    with ExitStack() as stack:
        where: Any = address
        try:
            if local is not None:
                where = stack.enter_context(_processes(dask, int(local[1])))
            client = stack.enter_context(dask.Client(where, timeout=PATIENCE))
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, RuntimeError, ValueError, TypeError, AssertionError) as error:
            # RuntimeError: a worker ended at once; TypeError: TLS without certificates; AssertionError: the
            # client is closed because its time is up
            reason = str(error) or type(error).__name__
            raise InputError(f"no Dask cluster: {reason}", file=address) from error
        yield client


def _processes(dask: Any, count: int) -> Any:
    """Start worker processes on this machine, which leave Ctrl-C to this one: no port is open to others."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would let Ctrl-C through again
    # A worker gets one input at a time, so no other is lost with it; it prints nothing.
    settings = {
        "distributed.scheduler.worker-saturation": 1.0,
        # A worker that is killed is started again by its nanny, which the cluster would close 15 s after the
        # loss if the worker is not back then, also while it starts.
        "distributed.deploy.lost-worker-timeout": "1 day",
        "logging.distributed": "critical",
        "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",  # until it has these
    }
    import_module("dask").config.set(settings)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return dask.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # None would open port 8787 to all
            worker_dashboard_address="127.0.0.1:0",
            memory_limit=0,  # inputs are streamed; Dask's limits would only pause the workers
            silence_logs=logging.CRITICAL,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
