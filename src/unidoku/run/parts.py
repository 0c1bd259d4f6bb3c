"""Runs in parts: by threads of this process or on a cluster, begun or resumed, one summary for all parts."""

from __future__ import annotations

import json
import operator
import os
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, replace
from functools import partial
from hashlib import blake2b
from importlib import import_module
from typing import Any

from unidoku import __version__, kernel
from unidoku.errors import (
    FormatError,
    InputError,
    OutputError,
    ResumeError,
    UnidokuError,
    needs_extra,
    writing,
)
from unidoku.files.formats import output_format
from unidoku.files.inputs import NUMBERS, Inputs
from unidoku.files.output import (
    Folder,
    OutputFile,
    final_name,
    lock_folder,
    partial_name,
    refuse_foreign,
    refuse_outputs,
)
from unidoku.files.storage import is_remote, is_special, local_path
from unidoku.options import Options, Progress
from unidoku.run.part import (
    RECORD,
    Part,
    PartTask,
    count_lines,
    default_size,
    identified,
    make_part,
    ranges_of,
)
from unidoku.run.sink import different_columns
from unidoku.run.sinks import TextSink, comment_of
from unidoku.run.summary import Counts, Meter, Summary
from unidoku.task import Task
from unidoku.threads import TICK, Cancel, cancel_of, child_of, default_threads, ordered, thread_count

PLAN = "unidoku-plan.json"
"""File name of the plan."""

_LARGEST = 1 << 28  # bytes of a file that is read back
_RETRIES = 2
PATIENCE = 15.0  # seconds until a scheduler and a worker must have answered


def run_in_parts(inputs: Inputs, output: object, task: Task, options: Options, *, is_folder: bool) -> Summary:
    """Make an output of some inputs part by part; parameters and errors are those of `unidoku.check_file`.

    The parts and their plan are in a folder beside the output, or in the output if that is a folder.
    """
    began = time.perf_counter()
    threads = thread_count(options.threads)
    names = [each if isinstance(each, range) else _name(each) for each in inputs]
    output = _name(output)
    if output is None or (not is_remote(output) and is_special(local_path(output))) or None in names:
        raise InputError(
            "the output cannot be made in parts: --resume, --cluster and --part-bytes (resume, cluster, "
            "part_bytes) need an output that is a file or a folder, and inputs that can be read again, not "
            "standard input or pipes"
        )
    if task.in_order or task.most_rows is not None:  # a row depends on those before
        raise OutputError(f"{task.name} cannot write its output in parts", file=output)
    failed = Summary()  # what cannot be read or written, besides what the parts count
    folder = PartFolder(names, output, task, options, failed, is_folder=is_folder)
    summary = Summary()
    if folder.ranges or not names:  # otherwise no input can be read
        with ExitStack() as stack:
            client = None
            if options.cluster is not None:
                client = stack.enter_context(cluster(options.cluster))
                threads = sum(client.nthreads().values())
            stack.enter_context(writing(output))
            stack.enter_context(lock_folder(folder.url))
            summary = _made(folder, folder.begin(options.resume), failed, options, client)
    summary.seconds = time.perf_counter() - began
    summary.isa, summary.threads = kernel.isa(), threads
    for error in failed.failures:
        if isinstance(error, OutputError):
            error.file = output  # as the user called it
    summary.failures = list({str(error): error for error in failed.failures}.values())
    summary.failed = failed.failed - len(failed.failures) + len(summary.failures)
    errors = summary.failures.copy()
    if summary.failed > len(errors):
        errors.append(InputError(f"{summary.failed - len(errors):,} more inputs cannot be read"))
    for error in errors:
        if options.on_failure is None:
            error.summary = summary
            raise error
        options.on_failure(error)
    return summary


def _name(place: object) -> str | None:
    """Return the name of a file, None for standard input, standard output and open files."""
    return str(os.fspath(place)) if isinstance(place, str | os.PathLike) and place != "-" else None


def _made(
    folder: PartFolder,
    done: dict[int, Part],
    failed: Summary,
    options: Options,
    client: Any,
) -> Summary:
    """Make the parts that are not `done`, by threads or by the client of a cluster, and the output."""
    earlier = folder.total(done).puzzles
    sizes = [cut.size for cut in folder.ranges]
    in_progress: dict[int, Progress] = {}

    def position() -> tuple[int, int]:
        current = [(number, each) for number, each in in_progress.copy().items() if number not in done]
        size = sum(sizes[number] for number in done) + sum(min(each.done, sizes[k]) for k, each in current)
        puzzles = [part.summary.puzzles for part in done.values()] + [each.puzzles for _, each in current]
        return size, sum(puzzles)

    meter = Meter(options.progress, sum(sizes), position, earlier)
    cancel = cancel_of(options.cancel)
    numbered = partial(_numbered, folder, done.copy())
    interrupt: KeyboardInterrupt | None = None
    with child_of(cancel) as stop:
        if client is None:
            threads, count = thread_count(options.threads), len(sizes) - len(done)
            results = _by_threads(numbered, stop, meter.report, in_progress, threads=threads, count=count)
        else:
            results = _by_cluster(numbered, stop, meter.report, client)
        with closing(results) as found:
            try:
                for number, part in found:
                    if isinstance(part, Part):
                        done[number] = part
                    elif part is not None:
                        failed.fail(part)
                    meter.report()
                meter.report(last=True)
            except KeyboardInterrupt as error:  # of a command: the second one, or one that a cluster raised
                interrupt = error
            except UnidokuError as error:
                failed.fail(error)
            finally:
                stop.set()
    complete = len(done) == len(sizes)
    if not complete:
        done = folder.done(test=False)
    summary = folder.total(done)
    summary.earlier = earlier
    summary.complete = complete or not (interrupt or cancel)
    if complete:
        failed.failed += summary.failed
        failed.failures += summary.failures
    if complete and (summary.puzzles or (options.empty and not failed.failures)):
        parts = [done[number] for number in sorted(done)]
        joining = Meter(
            meter.callback,
            len(parts),
            lambda: (folder.joined, summary.puzzles),
            earlier,
            meter.began,
            phase="joining the parts",
        )
        summary.partial = folder.finish(parts, joining, whole=not failed.failures)
    elif done and not complete:
        summary.resume = (
            f"{folder.output} is not written: {len(done)} of {len(sizes)} parts are done; "
            f"run the same command with --resume to continue from the parts in {folder.name}"
        )
    else:
        folder.clean()
    if interrupt is not None and not cancel:  # a command has set the flag, and says what the summary has
        if summary.resume is not None:
            interrupt.add_note(summary.resume)
        raise interrupt
    return summary


def _numbered(
    folder: PartFolder,
    done: Mapping[int, Part],
    call: Callable[..., Any],
) -> Iterator[tuple[int, PartTask, Any]]:
    """Yield the parts to make with the numbers of their first lines, as `call` returns them."""
    ranges = folder.ranges
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
    numbered: Callable[[Callable[..., Any]], Iterator[tuple[int, PartTask, Any]]],
    stop: Cancel,
    report: Callable[[], None],
    progress: dict[int, Progress],
    *,
    threads: int,
    count: int,
) -> Generator[tuple[int, Part | InputError | None]]:
    """Make the `count` parts that are left by threads of this process."""
    workers = max(1, min(threads, count))
    failed = list[int]()

    def make(item: tuple[int, PartTask, int | None], _: object) -> list[tuple[int, Part | InputError | None]]:
        number, task, line = item
        if failed:  # no further part begins
            return [(number, None)]
        try:
            mine = partial(progress.__setitem__, number)
            here = replace(task.options, threads=-(-threads // workers), cancel=stop, progress=mine)
            return [(number, make_part(task._replace(options=here), line))]
        except InputError as error:  # another input may be read
            return [(number, error)]
        except UnidokuError:
            failed.append(number)
            raise

    # one thread more than asked for: while one part is synced to disk, the next one begins
    return ordered(numbered(operator.call), make, workers + (threads > 1), cancel=stop, tick=report)


@contextmanager
def cluster(address: str) -> Iterator[Any]:
    """Connect to a Dask cluster: ``local:N`` starts N processes here, otherwise as Dask's Client has it."""
    local = re.fullmatch(r"local:([1-9]\d{0,3})", address)
    if local is None and not re.match(r"[a-z]+://.", address):
        raise InputError(f"invalid cluster {address!r}; expected local:N, tcp://HOST:PORT or tls://HOST:PORT")
    with needs_extra("dask", "--cluster needs Dask distributed"):
        dask: Any = import_module("distributed")  # much of it has no types
    with ExitStack() as stack:
        where: Any = address
        try:
            if local is not None:
                # Processes of this machine only: no port is open to other machines.
                where = stack.enter_context(
                    dask.LocalCluster(
                        n_workers=int(local[1]),
                        threads_per_worker=max(1, default_threads() // int(local[1])),
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",  # None would open port 8787 to all
                        worker_dashboard_address="127.0.0.1:0",
                        memory_limit=0,  # inputs are streamed; Dask's limits would only pause the workers
                    )
                )
            client = stack.enter_context(dask.Client(where, timeout=PATIENCE))
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, RuntimeError, ValueError, TypeError) as error:
            # RuntimeError: a worker ended at once; TypeError: TLS without certificates
            raise InputError(f"no Dask cluster: {error}", file=address) from error
        yield client


def _by_cluster(
    numbered: Callable[[Callable[..., Any]], Iterator[tuple[int, PartTask, Any]]],
    stop: Cancel,
    report: Callable[[], None],
    client: Any,
) -> Generator[tuple[int, Part | InputError | None]]:
    """Make the parts that are left on a cluster, in any order."""

    def call(function: Callable[..., Any], *arguments: Any) -> Any:
        # an argument may be the future of an earlier call
        return client.submit(function, *arguments, pure=False, retries=_RETRIES)

    futures = {call(make_part, task, line): number for number, task, line in numbered(call)}
    try:
        waiting = import_module("distributed").as_completed(futures)
        while not waiting.is_empty() and not stop:
            for future in waiting.next_batch(block=False):
                yield futures[future], _result(future)
            report()
            time.sleep(TICK)
    finally:
        client.cancel(list(futures))


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


class PartFolder:
    """The folder of a plan's parts; messages call it `name`.

    It holds the plan, the parts and their records.  Names of parts have the digits of their plan; any other
    file in the folder does not belong to the run, and is neither removed nor overwritten.  In the end the
    parts are joined, or they are the output themselves.

    Inputs that cannot be read are counted as `failed`.
    """

    def __init__(
        self,
        inputs: Sequence[Any],
        output: str,
        task: Task,
        options: Options,
        failed: Summary,
        *,
        is_folder: bool,
    ) -> None:
        default = ".parquet" if is_folder else None
        form = output_format(output, options.to, rows=not task.replaces, default=default)
        if not form.format.rows:
            message = f"an output in the format {form.format.name} cannot be made in parts"
            raise FormatError(message, file=output)
        comment_of(form, output, task, options)  # refuses one that cannot be written
        self.output, self._task, self._form = output, task, form
        self._options = replace(options.of_rows(), threads=1)
        self._joins = not is_folder and form.format.streams
        self.name = name = f"{output}.parts" if self._joins else output.rstrip("/") or "/"
        refuse_outputs(inputs, [output] if self._joins else [], [name])
        self._inputs = identified(inputs, failed.fail)
        part_bytes = options.part_bytes or default_size(self._inputs)
        self.ranges = ranges_of(self._inputs, part_bytes, options, failed.fail)
        self.url = name if is_remote(name) else str(local_path(name).absolute())
        self.folder = Folder(self.url)
        self._stays = not self._joins and self.folder.exists()
        self._parts: dict[str, Any] = {"suffix": form.ending, "header": not self._joins}
        depends = {
            "unidoku": __version__,
            "options": {**options.to_json(), "task": task.to_json()},
            **self._parts,
            "part_bytes": part_bytes,
            "inputs": [
                {"start": each.start, "stop": each.stop} if isinstance(each, range) else asdict(each)
                for each in self._inputs
            ],
            "ranges": self.ranges,
        }
        self._text = json.dumps(depends, indent=1).encode() + b"\n"
        self._digits = [_digits(self._text)]
        self._earlier: set[str] = set()
        self.joined = 0
        """The parts that are in the output."""

    def task(self, number: int) -> PartTask:
        """Return what makes the part of a range."""
        cut = self.ranges[number]
        name = f"part-{number:06d}-{self._digits[0]}"
        source = self._inputs[cut.input]
        about = {**self._parts, "version": __version__}
        return PartTask(name, source, cut, self.url, self._task, self._options, **about)

    def begin(self, resume: bool) -> dict[int, Part]:
        """Write the plan; return the parts that an earlier run has made, or remove them without `resume`."""
        names = self.folder.names()
        old = self._read_plan() if PLAN in names else b""
        if old:
            self._digits.append(_digits(old))
        refuse_foreign(names - self._own(names), self.name, "this run did not make")
        if old and resume and (other := _difference(json.loads(old), json.loads(self._text))):
            anew = f"remove {self.name}" if self._joins else "leave out --resume"
            raise ResumeError(f"cannot resume: {other}; to start again, {anew}", file=self.name)
        left = self._own(names) - {PLAN}
        if not self._joins:  # parts of this plan stay until they are made again
            ending = f"-{self._digits[0]}{self._form.ending}"
            self._earlier = {name for name in left if name.endswith(ending) and not name.startswith(".")}
        self._remove({name for name in left if name.startswith(".")} if resume else left - self._earlier)
        if old != self._text:
            with self.folder.write(PLAN) as stream:
                stream.write(self._text)
        return self.done(test=True) if resume else {}

    def done(self, *, test: bool) -> dict[int, Part]:
        """Return the parts that are complete, by number; those of an earlier run need a `test`."""
        names = self.folder.names()
        found = {}
        for number in range(len(self.ranges)):
            task = self.task(number)
            if task.name + RECORD not in names:
                continue
            with self.folder.open(task.name + RECORD) as stream:
                part = Part.load(stream.read(_LARGEST), task.name + self._form.ending)
            if part is not None and (not test or part.is_in(self.folder)):
                found[number] = part
        return found

    def total(self, parts: Mapping[int, Part]) -> Summary:
        """Return the summary of some parts together."""
        total = Summary()
        files: list[dict[str | None, Counts]] = [{} for _ in self._inputs]
        for number in sorted(parts):
            one = parts[number].summary
            mine = files[self.ranges[number].input]
            for counts in one.files:
                mine.setdefault(counts.file, Counts(file=counts.file)).add(counts)
            total.add(one)
        for each, mine in zip(self._inputs, files, strict=True):
            total.files += mine.values() or [Counts(file=NUMBERS if isinstance(each, range) else each.name)]
        return total

    def clean(self, keep: Sequence[Part] = ()) -> None:
        """Remove all files of the run, except some parts and those of an earlier run; the plan last."""
        self._remove(self._own(self.folder.names()) - self._earlier - {PLAN, *(part.file for part in keep)})
        self.folder.remove([PLAN])
        if not self._stays:
            self.folder.remove_if_empty()

    def finish(self, parts: Sequence[Part], meter: Meter, *, whole: bool) -> list[str]:
        """Join all parts, and remove everything but the output, which appears complete or not at all.

        If an input could not be read, the output is not `whole`: the result is then the name of the file or
        folder that keeps the rows that could be read. In a folder, the plan then stays.
        """
        # Without a record, a part does not know the columns of the input; it is empty if its input failed.
        full = {part.file for part in parts if part.columns is not None or not self._form.format.headed}
        if not whole and not self._joins:
            empty = {part.file.removesuffix(self._form.ending) for part in parts if part.file not in full}
            self._remove({name for name in self.folder.names() if name.partition(".")[0] in empty})
            return [self.name]
        kinds = {tuple(part.columns) for part in parts if part.columns is not None}
        if len(kinds) > 1 and self._form.format.headed:
            self.clean()  # another run could not join these parts either
            raise different_columns(sorted(kinds), self.output)
        output = self.output if whole else partial_name(self.output)
        files = self._counted((part.file for part in parts), meter)
        if self._joins and self._form.format.columnar:
            self._join_arrow(output, (file for file in files if file in full))
        elif self._joins:
            self._join(output, files, max(kinds, default=()))
        self._earlier.clear()  # each has been made again
        self.clean(keep=() if self._joins else [part for part in parts if part.file in full] or parts[:1])
        return [] if whole else [output]

    def _join(self, output: str, files: Iterable[str], carried: tuple[str, ...]) -> None:
        """Write files one after the other, after the header of an output with `carried` columns."""
        # Members of gzip, bz2, xz and zstd are joined like plain text.
        with OutputFile(output) as joined:
            TextSink(joined, self._form, self._task, self._options).begin(carried)
            for name in files:
                with self.folder.open(name) as piece:
                    joined.append(piece)

    def _join_arrow(self, output: str, files: Iterable[str]) -> None:
        """Write the record batches of Arrow IPC files, or streams, into one such file."""
        from unidoku.arrow import pyarrow
        from unidoku.files.formats.columnar import record_batches
        from unidoku.run.arrowsink import ArrowSink

        ipc, file = pyarrow().ipc, OutputFile(output)
        read = ipc.open_stream if self._form.suffix == ".arrows" else ipc.open_file
        with ArrowSink(file, self._form, self._task, self._options) as joined:
            for name in files:
                with self.folder.open(name) as piece, read(piece) as opened:
                    for batch in record_batches(opened):
                        joined.write(batch)
                        joined.flush()

    def _counted(self, files: Iterable[str], meter: Meter) -> Iterator[str]:
        """Yield files that are joined, and report how many."""
        self.joined = 0
        for name in files:
            meter.report(last=not self.joined)
            yield name
            self.joined += 1
        meter.report(last=True)

    def _own(self, names: set[str]) -> set[str]:
        """Return those of some names that belong to this plan, or to the one that was in the folder."""
        part = rf"part-\d{{6,}}-(?:{'|'.join(self._digits)})(?:\.[a-z0-9]+)+"
        own = re.compile(rf"{re.escape(PLAN)}|{part}")
        return {name for name in names if own.fullmatch(final_name(name))}

    def _remove(self, names: set[str]) -> None:
        # without its record a part does not exist, so the records come first
        self.folder.remove(sorted(names, key=lambda name: (not name.endswith(RECORD), name)))

    def _read_plan(self) -> bytes:
        with self.folder.open(PLAN) as stream:
            data = stream.read(_LARGEST)
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or "unidoku" not in found:
            raise ResumeError(
                "not the plan of a run in parts, or damaged; remove it to start again",
                file=f"{self.name}/{PLAN}",
            )
        return data


def _digits(plan: bytes) -> str:
    return blake2b(plan, digest_size=6).hexdigest()


_TERMS = {
    "suffix": "the format of the output",
    "header": "the kind of the output",
    "part_bytes": "the size of a part (--part-bytes)",
}
"""Values of a plan -> what a user calls them."""


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return the first difference of two plans as a sentence, empty if there is none."""
    try:
        (old, fixed), (new, same) = map(_values, (before, now))
    except (KeyError, TypeError, ValueError):
        return "its plan is of another version, or has been changed"
    for what in (*new, *old):
        if old.get(what) != new.get(what):
            return f"{what} was {_shown(old.get(what))}, now it is {_shown(new.get(what))}"
    return next((sentence for sentence in same if fixed.get(sentence) != same[sentence]), "")


def _values(plan: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a plan depends on, by what a user calls it; and the rest, by what to say if it differs."""
    inputs, options = plan["inputs"], dict(plan["options"])
    found: dict[str, Any] = {"the version of unidoku": plan["unidoku"], "the number of inputs": len(inputs)}
    others = {}
    for number, each in enumerate(map(dict, inputs), 1):
        name = found[f"input {number}"] = each.get("name")
        if name is None:
            found["the number of attempts"] = each["stop"]
        else:
            found[f"whether {name} can be read"] = each["size"] >= 0
            found[f"the size of {name}"] = each["size"]
            others[f"{name} has been written again"] = each
    task = options.pop("task")
    found |= {f"the {name}": value for name, value in (options | task).items()}
    found |= {what: plan[name] for name, what in _TERMS.items()}
    return found, {**others, "the inputs are cut into other parts": plan["ranges"]}


def _shown(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "yes" if value else "none" if value is None else "no"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]} …"
