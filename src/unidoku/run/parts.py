"""Runs in parts: by threads of this process or on a cluster, begun or resumed, one summary for all parts."""

from __future__ import annotations

import operator
import os
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from unidoku import kernel
from unidoku.errors import FormatError, InputError, OutputError, UnidokuError, needs_extra, writing
from unidoku.files.base import Attempts, BufferPool
from unidoku.files.formats import output_format
from unidoku.files.output import lock_folder, refuse_outputs
from unidoku.files.storage import is_remote, is_special, local_path
from unidoku.run.folder import PartFolder
from unidoku.run.part import Part, Plan, Task, count_lines, make_part, make_plan
from unidoku.run.sinks import comment_of
from unidoku.run.summary import FileCounts, Meter, Progress, Summary
from unidoku.threads import TICK, Cancel, default_threads, ordered, thread_count

if TYPE_CHECKING:
    from unidoku.run.loop import RunFields, RunOptions

_RETRIES = 2
PATIENCE = 15.0  # seconds until a scheduler and a worker must have answered


def run_in_parts(
    inputs: Sequence[object], output: object, options: RunOptions, running: RunFields, *, is_folder: bool
) -> Summary:
    """Make an output of some inputs part by part; parameters and errors are those of `unidoku.check_file`.

    The parts and their plan are in a folder beside the output, or in the output if that is a folder.
    """
    began = time.perf_counter()
    threads = thread_count(running.get("threads"))
    names = [each if isinstance(each, Attempts) else _name(each) for each in inputs]
    output = _name(output)
    if output is None or (not is_remote(output) and is_special(local_path(output))) or None in names:
        raise InputError(
            "the output cannot be made in parts: this needs an output that is a file or a folder, and inputs "
            "that can be read again, not standard input or pipes"
        )
    if options.stage.in_order or options.stage.most_rows() is not None:  # a row depends on those before
        raise OutputError(f"{options.stage.name} cannot write its output in parts", file=output)
    failures: list[UnidokuError] = []
    folder = _planned(names, output, options, running, failures, is_folder=is_folder)
    summary = Summary()
    if folder.plan.ranges:  # else no input can be read
        with ExitStack() as stack:
            where: Cluster | int = threads
            address = running.get("cluster")
            if address is not None:
                where = stack.enter_context(closing(Cluster(address)))
                threads = where.threads
            stack.enter_context(writing(output))
            stack.enter_context(lock_folder(folder.url))
            summary = _made(folder, folder.begin(running.get("resume", False)), failures, where, running)
    if summary.resume is not None:
        summary.resume = f"{output} is not written: {summary.resume}"
    summary.seconds = time.perf_counter() - began
    summary.isa, summary.threads = kernel.isa(), threads
    for error in failures:
        if isinstance(error, OutputError):
            error.file = output  # as the user called it
    summary.failures = list({str(error): error for error in failures}.values())
    on_failure = running.get("on_failure")
    for error in summary.failures:
        if on_failure is None:
            error.summary = summary
            raise error
        on_failure(error)
    return summary


def _name(place: object) -> str | None:
    """Return the name of a file, None for standard input, standard output and open files."""
    return str(os.fspath(place)) if isinstance(place, str | os.PathLike) and place != "-" else None


def _planned(
    inputs: Sequence[Any],
    output: str,
    options: RunOptions,
    running: RunFields,
    failures: list[UnidokuError],
    *,
    is_folder: bool,
) -> PartFolder:
    """Return the folder with the plan; nothing is created. Inputs that cannot be read are `failures`."""
    invalid = running.get("invalid")
    invalid = None if invalid is None else os.fspath(invalid)
    default = ".parquet" if is_folder else None
    form = output_format(output, running.get("to"), rows=not options.stage.puzzles, default=default)
    if not form.format.rows:
        raise FormatError(f"an output in the format {form.format.name} cannot be made in parts", file=output)
    comment_of(form, output, options)  # refuses one that cannot be written
    single = not is_folder and form.format.streams
    name = f"{output}.parts" if single else output.rstrip("/") or "/"
    refuse_outputs(inputs, [output, invalid] if single else [invalid], [name])
    plan = make_plan(inputs, options, running.get("part_bytes"), failures.append)
    return PartFolder(name, plan, options, form=form, output=output if single else None, invalid=invalid)


def _made(
    folder: PartFolder,
    done: dict[int, Part],
    failures: list[UnidokuError],
    where: Cluster | int,
    running: RunFields,
) -> Summary:
    """Make the parts that are not `done`, by so many threads or on a cluster, and the output."""
    earlier = _total(folder.plan, done).puzzles
    sizes = [cut.size for cut in folder.plan.ranges]
    in_progress: dict[int, Progress] = {}

    def position() -> tuple[int, int]:
        current = [(number, each) for number, each in in_progress.copy().items() if number not in done]
        size = sum(sizes[number] for number in done) + sum(min(each.done, sizes[k]) for k, each in current)
        puzzles = [part.summary.puzzles for part in done.values()] + [each.puzzles for _, each in current]
        return size, sum(puzzles)

    progress, cancel = running.get("progress"), running.get("cancel")
    meter = Meter(progress, sum(sizes), position, earlier)
    cancel = Cancel() if cancel is None else cancel
    numbered = partial(_numbered, folder, done.copy())
    interrupted = False
    with cancel.child() as stop:
        results: Callable[..., Generator[Any]]
        if isinstance(where, int):
            each = None if progress is None else in_progress.__setitem__
            count = len(sizes) - len(done)
            results = partial(_by_threads, threads=where, count=count, progress=each)
        else:
            results = where.results
        with closing(results(numbered, stop, meter.report)) as found:
            try:
                for number, part in found:
                    if isinstance(part, Part):
                        done[number] = part
                    elif part is not None:
                        failures.append(part)
                    meter.report()
                meter.report(last=True)
            except KeyboardInterrupt:  # the second Ctrl-C, or one that a cluster raised
                interrupted = True
            except UnidokuError as error:
                failures.append(error)
            finally:
                stop.set()
    complete = len(done) == len(sizes)
    if not complete:
        done = folder.done()
    summary = _total(folder.plan, done)
    summary.earlier = earlier
    summary.complete = complete or not (interrupted or cancel)
    if complete:
        failures += summary.failures
    if complete and (summary.puzzles or (running.get("empty", True) and not failures)):
        folder.finish([done[number] for number in sorted(done)])
    elif done and not complete:
        summary.resume = (
            f"{len(done)} of {len(sizes)} parts are done; "
            f"run the same command with --resume to continue from the parts in {folder.name}"
        )
    else:
        folder.clean()
    return summary


def _numbered(
    folder: PartFolder,
    done: Mapping[int, Part],
    call: Callable[..., Any] = lambda function, *given: function(*given),
) -> Iterator[tuple[int, Task, Any]]:
    """Yield the parts to make with the numbers of their first lines, as `call` returns them."""
    ranges = folder.plan.ranges
    line: Any = None
    for number, cut in enumerate(ranges):
        task = folder.task(number)
        line = cut.line or line
        if number not in done:
            yield number, task, line
        if line is None or number + 1 == len(ranges) or ranges[number + 1].line is not None:
            continue
        # Counted after the task is taken: the bytes are still in the page cache when they are processed.
        try:
            known = done.get(number)
            lines = known.lines if known else call(count_lines, task.source, cut.start, cut.stop)
            line = call(operator.add, line, lines)
        except InputError:
            line = None  # the next range will say why


def _by_threads(
    numbered: Callable[..., Iterator[tuple[int, Task, Any]]],
    stop: Cancel,
    report: Callable[[], None],
    *,
    threads: int,
    count: int,
    progress: Callable[[int, Progress], None] | None,
) -> Generator[tuple[int, Part | InputError | None]]:
    """Make the `count` parts that are left by threads of this process.

    There is one thread more than asked for: while one part is synced to disk, the next one begins.
    """
    workers = max(1, min(threads, count))
    pool, failed = BufferPool(), list[int]()
    running: RunFields = {"threads": -(-threads // workers), "cancel": stop}

    def make(item: tuple[int, Task, int | None], _: object) -> tuple[int, Part | InputError | None]:
        number, task, line = item
        if failed:  # no further part begins
            return number, None
        try:
            mine = None if progress is None else partial(progress, number)
            return number, make_part(task, line, {**running, "progress": mine}, pool)
        except InputError as error:  # another input may be read
            return number, error
        except UnidokuError:
            failed.append(number)
            raise

    return ordered(numbered(), make, workers + (threads > 1), cancel=stop, tick=report)


class Cluster:
    """A Dask cluster: ``local:N`` starts N processes here, else the address is one of Dask's Client."""

    def __init__(self, address: str) -> None:
        local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
        if local is None and not re.match(r"[a-z]+://.", address):
            raise InputError(
                f"invalid cluster {address!r}; expected local:N, tcp://HOST:PORT or tls://HOST:PORT"
            )
        with needs_extra("dask", "--cluster needs Dask distributed"):
            self._dask: Any = import_module("distributed")  # much of it has no types
        self._stack = ExitStack()
        self.close = self._stack.close
        where: Any = address
        if local is not None:
            # Processes of this machine only: no port is open to other machines.
            where = self._stack.enter_context(
                self._dask.LocalCluster(
                    n_workers=int(local[1]),
                    threads_per_worker=max(1, default_threads() // int(local[1])),
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # None would open port 8787 to all
                    worker_dashboard_address="127.0.0.1:0",
                    memory_limit=0,  # inputs are streamed; Dask's limits would only pause the workers
                )
            )
        try:
            self._client = self._stack.enter_context(self._dask.Client(where, timeout=PATIENCE))
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TypeError) as error:  # TypeError: TLS without certificates
            self.close()
            raise InputError(f"no Dask cluster: {error}", file=address) from error
        self.threads = sum(self._client.nthreads().values())

    def results(
        self,
        numbered: Callable[[Callable[..., Any]], Iterator[tuple[int, Task, Any]]],
        stop: Cancel,
        report: Callable[[], None],
    ) -> Generator[tuple[int, Part | InputError | None]]:
        """Yield each part of `numbered` when it is made, in any order, with its number."""

        def call(function: Callable[..., Any], *arguments: Any) -> Any:
            # an argument may be the future of an earlier call
            return self._client.submit(function, *arguments, pure=False, retries=_RETRIES)

        futures = {call(make_part, task, line): number for number, task, line in numbered(call)}
        try:
            waiting = self._dask.as_completed(futures)
            while not waiting.is_empty() and not stop:
                for future in waiting.next_batch(block=False):
                    yield futures[future], _result(future)
                report()
                time.sleep(TICK)
        finally:
            self._client.cancel(list(futures))


def _result(future: Any) -> Part | InputError | None:
    """Return what was made, or why an input cannot be read; raise an error that all parts would have."""
    error = future.exception()
    if error is None:
        part: Part | None = future.result()
        return part
    if isinstance(error, InputError):
        return error
    if isinstance(error, UnidokuError):
        raise error
    return InputError(f"{type(error).__name__}: {error}")  # a worker was lost too often


def _total(plan: Plan, parts: Mapping[int, Part]) -> Summary:
    """Return the summary of some parts together."""
    total = Summary()
    files: list[dict[str, FileCounts]] = [{} for _ in plan.inputs]
    for number in sorted(parts):
        one = parts[number].summary
        mine = files[plan.ranges[number].input]
        for counts in one.files:
            mine.setdefault(counts.file, FileCounts(file=counts.file)).add(counts)
        total.add(one)
    for each, mine in zip(plan.inputs, files, strict=True):
        total.files += mine.values() or [FileCounts(file=each.name)]
    return total
