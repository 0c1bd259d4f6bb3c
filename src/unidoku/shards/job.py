"""A check whose output is made of parts: begin or resume, run, assemble, clean up.

Where the files are, and which of them the job may remove:

* the parts, their commit records and the manifest in one folder: ``PATH.parts`` for a single-file output,
  the output itself for a folder.  The manifest is written first and names every other file; nothing that the
  manifest or the plan does not name is ever removed or overwritten.
* a single-file output and the file of invalid lines, which appear under their names when they are complete.

After the last shard the commit records, the manifest and ``PATH.parts`` are removed.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice

from unidoku.errors import FormatError, InvalidPuzzleError, OutputError, UnidokuError, writing
from unidoku.files.atomic import discard_temporary, lock_folder, open_folder, open_parent
from unidoku.files.formats import output_format
from unidoku.files.overlap import refuse_foreign, refuse_overlap, refuse_unwritable
from unidoku.files.storage import is_remote, local_path
from unidoku.run.sinks import comment_of, header_of
from unidoku.run.summary import SHOWN, FileCounts, Summary
from unidoku.shards.assemble import assemble, assemble_arrow
from unidoku.shards.driver import run
from unidoku.shards.manifest import (
    MANIFEST,
    Manifest,
    commit_name,
    committed,
    files_of,
    invalid_name,
    part_name,
    refuse_other,
    total,
    total_by_input,
)
from unidoku.shards.plan import PartFormat, plan_shards
from unidoku.shards.process import attempt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from unidoku.files.atomic import Folder
    from unidoku.kernel import Cancel
    from unidoku.run.options import RunOptions
    from unidoku.shards.driver import Outcome
    from unidoku.shards.executors import Workers
    from unidoku.shards.manifest import Commit
    from unidoku.shards.plan import Plan, Shard
    from unidoku.shards.process import Failure

__all__ = ["Job", "Report"]


@dataclass(slots=True)
class Report:
    """How a job ended."""

    summary: Summary
    shards: int
    done: int = 0
    skipped: int = 0
    complete: bool = False
    written: bool = False
    problems: list[UnidokuError] = field(default_factory=list)
    interrupted: bool = False


class Job:
    """One output made of some inputs.

    Nothing is created before `run`.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        output: str,
        options: RunOptions,
        target_bytes: int | None = None,
        *,
        invalid: str | None = None,
        suffix: str = ".parquet",
        to: str | None = None,
    ) -> None:
        self.output_name = output
        self.invalid = invalid
        folder = output.endswith("/") or (not is_remote(output) and local_path(output).is_dir())
        default = suffix if folder else None
        self.format = output_format(output, to, rows=not options.stage.puzzles, default=default)
        if not self.format.format.rows:
            shown = self.format.format.name
            raise FormatError(f"an output in the format {shown} cannot be made in parts", file=output)
        comment_of(self.format, output, options)  # refuses one that cannot be written
        self.single = not folder and self.format.format.streams
        self.parts_name = f"{output}.parts" if self.single else output.rstrip("/") or "/"
        self.output, self.parts = _absolute(output), _absolute(self.parts_name)
        refuse_overlap(inputs, [output, invalid] if self.single else [invalid], [self.parts_name])
        for name in (output.rstrip("/") or "/", invalid):
            if name is not None:
                refuse_unwritable(name)
        parts = PartFormat(self.format.ending, header=not self.single, invalid=invalid is not None)
        self.problems: list[UnidokuError] = []
        self.plan: Plan = plan_shards(inputs, target_bytes, options, parts, on_failure=self.problems.append)
        self.files = files_of([shard.id for shard in self.plan.shards], parts.suffix)

    def run(
        self,
        workers: Callable[[], AbstractContextManager[Workers]],
        *,
        resume: bool = False,
        progress: Callable[[Outcome], None] | None = None,
        cancel: Cancel | None = None,
        work: Callable[..., Commit | Failure] = attempt,
    ) -> Report:
        """Begin, or with ``resume`` continue, and do as much as possible."""
        if self.problems and not self.plan.shards:  # no input can be read
            summary = self._summary(total(()), [total(()) for _ in self.plan.inputs])
            return Report(summary, 0, problems=self.problems)
        folder = open_folder(self.parts, self.parts_name)
        self.existed = not is_remote(self.parts) and local_path(self.parts).exists()
        with self._locked():
            with writing(self.output_name):
                finished = self._begin(folder, resume)
                if finished is not None:
                    self._clean(folder, keep=self._parts())
                    return finished
            try:
                with workers() as ready:
                    outcome = run(self.plan, ready, folder, progress=progress, cancel=cancel, work=work)
            except BaseException:
                with suppress(OSError, UnidokuError):
                    if not committed(self.plan, folder):
                        self._clean(folder)
                raise
            with writing(self.output_name):
                try:
                    return self._finish(folder, outcome)
                except FormatError:
                    self._clean(folder)  # another run could not assemble these parts either
                    raise

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other runs from the same output."""
        with writing(self.output_name):
            lock = lock_folder(self.parts)
            free = lock.__enter__()
        try:
            if not free:
                raise OutputError("another run is writing it", file=self.output_name)
            yield
        finally:
            lock.__exit__(None, None, None)

    def _begin(self, folder: Folder, resume: bool) -> Report | None:
        """Check what is in the folder, remove what an earlier run left, write the manifest."""
        old = Manifest.read(folder)
        names = folder.names()
        known = {MANIFEST, *self.files, *(old.files() if old is not None else ())}
        temporaries = refuse_foreign(
            folder, names, known, self.parts_name, foreign="this run did not make", other="output"
        )
        if resume:
            if old is not None:
                refuse_other(old, self.plan, self.output_name)
                if old.complete and self._exists(names):
                    count, totals = len(self.plan.shards), old.data["totals"]
                    summary = self._summary(totals, old.data["by_input"], earlier=totals["puzzles"])
                    return Report(summary, count, count, count, complete=True, written=True)
            committed(self.plan, folder)  # refuses damaged records
        else:
            stale = (commit_name(shard.id) for shard in self.plan.shards) if old is None else old.files()
            folder.remove(name for name in stale if name in names)
        folder.remove(temporaries)
        for name in (self.output if self.single else None, self.invalid):
            if name is not None:
                discard_temporary(name)
        Manifest.of(self.plan).write(folder)
        return None

    def _exists(self, names: set[str]) -> bool:
        """Return whether the output exists; `names` are those in the folder."""
        if not self.single:
            return names.issuperset(self._parts())
        folder, name = open_parent(self.output)
        return folder.size(name) >= 0

    def _parts(self) -> list[str]:
        """Return the names of the parts that stay when the output is complete."""
        suffix = self.plan.format.suffix
        return [] if self.single else [part_name(shard.id, suffix) for shard in self.plan.shards]

    def _finish(self, folder: Folder, outcome: Outcome) -> Report:
        plan = self.plan
        interrupted = outcome.fatal is not None and outcome.fatal.interrupted
        different = {str(error): error for _, failure in outcome.failed for error in [self._error(failure)]}
        commits = []
        for shard in plan.shards:
            commit = outcome.commits.get(shard.id) or outcome.partial.get(shard.id)
            if commit is not None:
                commits.append((shard, commit))
            if interrupted and shard.id not in outcome.commits:
                break  # parts after the first gap wait for the run that closes it
        totals = total(commit for _, commit in commits)
        by_input = total_by_input(plan, {commit.id: commit for _, commit in commits})
        last = [(shard.source.name, commit.last) for shard, commit in commits if commit.last]
        file, line = last[-1] if last else (None, None)
        summary = self._summary(
            totals,
            by_input,
            earlier=sum(commit.counts["puzzles"] for _, commit in commits if commit.id in outcome.earlier),
            rejects=_first(commits, "rejects"),
            mismatches=_first(commits, "mismatches"),
            file=file,
            line=line,
        )
        report = Report(summary, len(plan.shards), len(outcome.commits), len(outcome.earlier))
        report.problems = [*self.problems, *different.values()]
        report.interrupted = interrupted
        if outcome.fatal is not None and not report.interrupted:
            report.problems.append(self._error(outcome.fatal))
        if report.interrupted:
            if commits:
                self._assemble(folder, [commit for _, commit in commits], keep_parts=True)
                report.written = True
        elif outcome.fatal is None and all(failure.permanent for _, failure in outcome.failed):
            # A second run could not read more of a damaged input; after other failures it may.
            self._assemble(folder, [commit for _, commit in commits], keep_parts=False)
            report.written = True
        report.complete = report.written and not report.problems and not report.interrupted
        if report.complete:
            Manifest.of(plan).completed(totals, by_input).write(folder)
        if report.written and not report.interrupted:
            self._clean(folder, keep=[] if self.single else [commit.part for _, commit in commits])
        elif not outcome.commits:
            self._clean(folder)
        return report

    def _summary(self, totals: dict[str, int], by_input: list[dict[str, int]], **fields: Any) -> Summary:
        files = [
            FileCounts(**counts, file=source.name)
            for source, counts in zip(self.plan.inputs, by_input, strict=True)
        ]
        return Summary(
            files=files, verified=getattr(self.plan.options.stage, "verify", False), **{**totals, **fields}
        )

    def _error(self, failure: Failure) -> UnidokuError:
        failure.error.file = failure.error.file or self.output_name
        return failure.error

    def _assemble(self, folder: Folder, commits: list[Commit], *, keep_parts: bool) -> None:
        if self.invalid is not None:
            assemble(folder, (invalid_name(commit.id) for commit in commits), self.invalid)
        kinds = {tuple(commit.columns) for commit in commits if commit.columns is not None}
        if len(kinds) > 1 and self.format.format.name not in ("lines", "jsonl"):
            shown = " and ".join(", ".join(kind) or "none" for kind in sorted(kinds))
            raise FormatError(
                f"the inputs carry different columns ({shown}); all rows of an output must have the same",
                file=self.output_name,
            )
        if not self.single:
            return
        names = [commit.part for commit in commits]
        if self.format.format.columnar:
            assemble_arrow(folder, names, self.output, stream=self.format.suffix == ".arrows")
        else:
            names_of_columns = max(kinds, default=())
            header = header_of(self.format, self.output, self.plan.options, names_of_columns)
            assemble(folder, names, self.output, header, keep_parts=keep_parts)

    def _clean(self, folder: Folder, keep: Sequence[str] = ()) -> None:
        """Remove the files of this job, except some parts; the manifest last."""
        names = folder.names()
        kept = {MANIFEST, *keep}
        folder.remove(name for name in self.files if name in names and name not in kept)
        folder.remove(folder.temporaries({MANIFEST, *self.files}))
        folder.remove([MANIFEST])
        if self.single or not self.existed:
            folder.remove_if_empty()


def _absolute(name: str) -> str:
    """Return the name for workers, which may have other working directories."""
    return name if is_remote(name) else str(local_path(name).absolute())


def _first(commits: list[tuple[Shard, Commit]], kind: str) -> list[InvalidPuzzleError]:
    """Return the first messages of a kind over all shards."""
    every = ((shard.source.name, message) for shard, commit in commits for message in getattr(commit, kind))
    return [
        InvalidPuzzleError(text, file=name, line=line or None, column=column or None)
        for name, (text, line, column) in islice(every, SHOWN)
    ]
