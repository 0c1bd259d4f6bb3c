"""Checks whose output is made of parts: one summary for all shards."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from functools import partial

from unidoku import kernel
from unidoku.errors import UnidokuError
from unidoku.files.storage import is_remote, is_special, local_path
from unidoku.run.progress import INTERVAL, Progress
from unidoku.run.summary import Summary
from unidoku.shards.executors import Workers, local_threads
from unidoku.shards.job import Job
from unidoku.shards.process import attempt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from unidoku.kernel import Cancel
    from unidoku.run.options import RunOptions
    from unidoku.shards.driver import Outcome
    from unidoku.shards.job import Report
    from unidoku.shards.plan import Shard

__all__ = ["can_use_shards", "check_shards"]


def can_use_shards(inputs: Sequence[object], output: object) -> bool:
    """Return whether the inputs can be read twice and the output is a file or a folder."""
    if not isinstance(output, str | os.PathLike) or os.fspath(output) == "-":
        return False
    if not is_remote(os.fspath(output)) and is_special(local_path(os.fspath(output))):
        return False  # /dev/null, a pipe
    return all(_can_read_twice(each) for each in inputs)


def _can_read_twice(each: object) -> bool:
    if not isinstance(each, str | os.PathLike) or os.fspath(each) == "-":
        return False
    if is_remote(os.fspath(each)):
        return True
    path = local_path(os.fspath(each))
    return path.is_file() or not path.exists()  # a missing input is reported later


def check_shards(
    inputs: Sequence[str],
    output: str,
    options: RunOptions,
    *,
    to: str | None,
    invalid: str | None,
    threads: int,
    resume: bool,
    cluster: str | None,
    shard_bytes: int | None,
    progress: Callable[[Progress], None] | None,
    on_failure: Callable[[UnidokuError], None] | None,
    cancel: Cancel | None,
) -> Summary:
    """Check inputs shard by shard.

    Parameters and errors are those of :func:`unidoku.check_file`.
    """
    began = time.perf_counter()
    job = Job(inputs, output, options, shard_bytes, invalid=invalid, to=to)
    meter = _Meter(job, progress, began)

    @contextmanager
    def workers() -> Iterator[Workers]:
        nonlocal threads
        if cluster is None:
            with local_threads(threads, len(job.plan.shards)) as ready:
                yield ready
            return
        from unidoku.shards.cluster import connect

        with connect(cluster) as ready:
            threads = ready.threads * ready.width // 2
            yield ready

    work = attempt if cluster is not None or progress is None else partial(attempt, watch=meter.shard)
    report = None
    with suppress(KeyboardInterrupt):  # the second Ctrl-C, or one that a cluster raised: committed parts stay
        report = job.run(workers, resume=resume, progress=meter.outcome, cancel=cancel, work=work)
    summary = Summary(verified=getattr(options.stage, "verify", False)) if report is None else report.summary
    summary.seconds = time.perf_counter() - began
    summary.isa, summary.threads = kernel.isa(), threads
    summary.complete = report is not None and not report.interrupted
    if report is None or report.interrupted or not report.written:
        summary.resume = _advice(job, report)
    if report is not None:
        summary.failures = report.problems
    for problem in summary.failures:
        if on_failure is None:
            problem.summary = summary
            raise problem
        on_failure(problem)
    return summary


def _advice(job: Job, report: Report | None) -> str | None:
    """Where the parts of an unfinished output are and how to resume; None if nothing has been done."""
    how = f"run the same command with --resume to continue from the parts in {job.parts_name}"
    if report is None:
        return f"{job.output_name} is not written; {how}" if os.path.exists(job.parts) else None
    if not report.done:
        return None
    done = f"{report.done} of {report.shards} parts are done; {how}"
    return done if report.written else f"{job.output_name} is not written: {done}"


class _Meter:
    """Adds up the progress of all shards."""

    def __init__(self, job: Job, progress: Callable[[Progress], None] | None, began: float) -> None:
        self.progress = progress
        self.began = began
        self.reported = began - INTERVAL
        self.sizes = {shard.id: _size(shard) for shard in job.plan.shards}
        self.total = sum(self.sizes.values())
        self.in_progress: dict[str, Progress] = {}

    def shard(self, shard_id: str, progress: Progress) -> None:
        """Record the progress of one shard; called in its thread."""
        self.in_progress[shard_id] = progress

    def outcome(self, outcome: Outcome) -> None:
        """Report the progress of all shards; called by the driver."""
        now = time.perf_counter()
        complete = len(outcome.commits) == len(self.sizes)
        if self.progress is None or (now - self.reported < INTERVAL and not complete):
            return
        self.reported = now
        in_progress = {
            key: value for key, value in self.in_progress.copy().items() if key not in outcome.commits
        }
        self.in_progress = in_progress
        done = sum(self.sizes[key] for key in outcome.commits)
        done += sum(min(value.done, self.sizes[key]) for key, value in in_progress.items())
        puzzles = outcome.counts["puzzles"] + sum(value.puzzles for value in in_progress.values())
        earlier = sum(outcome.commits[key].counts["puzzles"] for key in outcome.earlier)
        self.progress(Progress(done, self.total, puzzles, now - self.began, earlier))


def _size(shard: Shard) -> int:
    """Bytes to read; an estimate for row groups, because the plan has only their numbers."""
    return shard.source.size if shard.kind == "rows" else shard.stop - shard.start
