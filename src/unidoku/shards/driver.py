"""Run a plan with any executor: skip finished shards, bound the work in flight, report failures."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from functools import partial

from unidoku.errors import UnidokuError
from unidoku.files.atomic import open_folder
from unidoku.kernel import TICK
from unidoku.shards.executors import Workers
from unidoku.shards.manifest import Commit, committed, total
from unidoku.shards.process import INTERRUPTED, Failure, attempt, attempt_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from unidoku.files.atomic import Folder
    from unidoku.kernel import Cancel
    from unidoku.shards.executors import Executor
    from unidoku.shards.plan import Plan, Shard

__all__ = ["TRIES", "Outcome", "run"]

TRIES = 3


@dataclass(slots=True)
class Outcome:
    """The result of a run.

    Attributes
    ----------
    commits : dict of str to Commit
        The shards that are done, by id, those of earlier runs included.
    earlier : frozenset of str
        The ids of the shards that earlier runs had done.
    failed : list of (Shard, Failure)
        The shards that failed.
    partial : dict of str to Commit
        The failed shards whose part has the rows before the damage.
    fatal : Failure or None
        What ended the run early: the output cannot be written.
    """

    commits: dict[str, Commit] = field(default_factory=dict)
    earlier: frozenset[str] = frozenset()
    failed: list[tuple[Shard, Failure]] = field(default_factory=list)
    partial: dict[str, Commit] = field(default_factory=dict)
    fatal: Failure | None = None

    @property
    def counts(self) -> dict[str, int]:
        """Puzzles by verdict, of all that is done."""
        return total([*self.commits.values(), *self.partial.values()])


@dataclass(slots=True)
class _Task:
    shard: int
    counting: bool
    tried: int = 0


class _Numbers:
    """The first line of each shard, once the lines of the shards before it are counted."""

    def __init__(self, plan: Plan) -> None:
        self._shards = plan.shards
        self._lines: dict[int, int] = {}
        self._first = {
            index: shard.first_line for index, shard in enumerate(plan.shards) if shard.first_line is not None
        }

    def put(self, index: int, lines: int) -> None:
        self._lines[index] = lines
        while index in self._first and index in self._lines and self._next_depends_on(index):
            self._first[index + 1] = self._first[index] + self._lines[index]
            index += 1

    def first(self, index: int) -> int | None:
        return self._first.get(index)

    def needed(self, index: int) -> bool:
        """Return whether the lines of a shard must be counted for the shard after it."""
        return index not in self._lines and self._next_depends_on(index)

    def _next_depends_on(self, index: int) -> bool:
        """Return whether the first line of the next shard depends on the lines of this one."""
        following = index + 1
        return following < len(self._shards) and self._shards[following].first_line is None


def run(
    plan: Plan,
    workers: Workers | Executor,
    out: str | Folder,
    *,
    progress: Callable[[Outcome], None] | None = None,
    cancel: Cancel | None = None,
    work: Callable[..., Commit | Failure] = attempt,
) -> Outcome:
    """Run the unfinished shards of a plan.

    A shard that fails is tried three times, then reported; a full disk, on which all would fail, ends the
    run.  Memory grows with the number of shards, not with that of puzzles.

    Parameters
    ----------
    plan : Plan
    workers : Workers or Executor
        Anything with the ``submit`` of ``concurrent.futures``: a thread pool, Dask's
        ``client.get_executor()``; or `Workers` with more settings.
    out : str or Folder
        Folder (path or URL) of the parts.
    progress : callable, optional
        Called with the outcome so far, several times a second.
    cancel : Cancel, optional
        Set it to end the run.
    work : callable, optional
        The function that checks one shard.

    Returns
    -------
    Outcome
    """
    if not isinstance(workers, Workers):
        workers = Workers(workers)
    if cancel is not None and workers.local:
        work = partial(work, cancel=cancel)
    if workers.shared is not None:
        work = partial(work, shared=workers.shared)
    folder = open_folder(out) if isinstance(out, str) else out
    folder.make()
    return _Run(plan, workers, folder, work).drive(progress, cancel)


class _Run:
    def __init__(
        self, plan: Plan, workers: Workers, folder: Folder, work: Callable[..., Commit | Failure]
    ) -> None:
        self.plan = plan
        self.workers = workers
        self.out = folder.url
        self.work = work
        commits = committed(plan, folder)
        self.outcome = Outcome(commits=commits, earlier=frozenset(commits))
        self.numbers = _Numbers(plan)
        self.todo: deque[int] = deque()
        self.retries: deque[_Task] = deque()
        self.uncounted: deque[int] = deque()
        self.broken: dict[str, Failure] = {}  # inputs whose lines cannot be counted
        self.in_flight: dict[Future[Any], _Task] = {}
        for index, shard in enumerate(plan.shards):
            commit = commits.get(shard.id)
            if commit is None:
                self.todo.append(index)
            else:
                self.numbers.put(index, commit.lines)
        self.uncounted.extend(index for index in range(len(plan.shards)) if self.numbers.needed(index))

    def drive(self, progress: Callable[[Outcome], None] | None, cancel: Cancel | None) -> Outcome:
        try:
            self._fill()
            while self.in_flight:
                done, _ = wait(self.in_flight, TICK, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(self.in_flight.pop(future), future)
                if progress is not None:
                    progress(self.outcome)
                if cancel:
                    self._stop()
                    break
                self._fill()
        finally:
            for future in self.in_flight:
                future.cancel()
        return self.outcome

    def _stop(self) -> None:
        """Cancel what has not begun; wait for what has, if it polls the cancellation flag."""
        cancelled = Failure(UnidokuError(INTERRUPTED), fatal=True, interrupted=True)
        self.outcome.fatal = self.outcome.fatal or cancelled
        left = [future for future in self.in_flight if not future.cancel()]
        if self.workers.local:
            wait(left)
            for future in left:
                self._take(self.in_flight.pop(future), future)

    def _fill(self) -> None:
        if self.outcome.fatal is not None:
            return
        while len(self.in_flight) < self.workers.width:
            task = self._next()
            if task is None:
                return
            shard = self.plan.shards[task.shard]
            workers, submit = self.workers, self.workers.executor.submit
            delay = workers.pause * 5 ** (task.tried - 1) if task.tried else 0.0
            if task.counting:
                future = submit(attempt_count, shard, delay=delay)
            else:
                shard = replace(shard, first_line=self.numbers.first(task.shard))
                settings = (self.plan.options, self.plan.format, self.out)
                future = submit(self.work, shard, *settings, threads=workers.threads, delay=delay)
            self.in_flight[future] = task

    def _next(self) -> _Task | None:
        if self.retries:
            return self.retries.popleft()
        while self.todo:
            index = self.todo[0]
            # Counting is about thirty times faster than solving.  It is a little ahead of it, so that the
            # bytes are still in the page cache when they are solved.
            if self.uncounted and self.uncounted[0] < index + self.workers.width:
                counted = self.uncounted.popleft()
                if self.plan.shards[counted].source.url not in self.broken:
                    return _Task(counted, counting=True)
                continue
            shard = self.plan.shards[index]
            if self.numbers.first(index) is None:
                failure = self.broken.get(shard.source.url)
                if failure is None:
                    return None  # it waits until the shards before it are counted
                self.outcome.failed.append((shard, failure))
                self.todo.popleft()
                continue
            return _Task(self.todo.popleft(), counting=False)
        return None

    def _take(self, task: _Task, future: Future[Any]) -> None:
        shard = self.plan.shards[task.shard]
        error = future.exception()
        # Here a lost worker raises an exception of its executor; errors of a shard are a Failure.
        lost = None if error is None else UnidokuError(f"{type(error).__name__}: {error}")
        result = future.result() if lost is None else Failure(lost)
        if not isinstance(result, Failure):
            if task.counting:
                self.numbers.put(task.shard, result)
            else:
                self.outcome.commits[shard.id] = result
            return
        task.tried += 1
        if result.fatal:
            self.outcome.fatal = self.outcome.fatal or result
            if result.commit is not None:
                self.outcome.partial[shard.id] = result.commit
        elif task.tried < TRIES and not result.permanent:
            self.retries.append(task)
        elif task.counting:
            self.broken[shard.source.url] = result
        else:
            self.outcome.failed.append((shard, result))
            if result.commit is not None:
                self.outcome.partial[shard.id] = result.commit
