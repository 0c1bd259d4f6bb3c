"""A check with an output, from the first byte to the last: begin or go on, run, put together."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import islice

from unidoku import errors
from unidoku.errors import FormatError, InputError, InvalidPuzzleError, UnidokuError, cannot_write
from unidoku.files.formats import FORMATS, output_format
from unidoku.files.storage import is_remote, local_path, open_folder, stat, sweep
from unidoku.pipeline.sinks import header_of
from unidoku.shards.assemble import assemble, assemble_arrow
from unidoku.shards.driver import run
from unidoku.shards.manifest import (
    Manifest,
    committed,
    mark_name,
    notes_of,
    part_name,
    refuse_other,
    total,
    total_by_input,
)
from unidoku.shards.plan import plan_shards
from unidoku.shards.process import Failure, attempt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from unidoku.parallel import Cancel
    from unidoku.shards.driver import Outcome
    from unidoku.shards.executors import Engine
    from unidoku.shards.manifest import Mark
    from unidoku.shards.options import Options
    from unidoku.shards.plan import Plan, Shard

__all__ = ["Job", "Report", "keeps_parts"]

SHOWN = 20  # invalid lines kept for the report


@dataclass(slots=True)
class Report:
    """How a job ended.

    Attributes
    ----------
    complete : bool
        Whether everything is done.
    written : bool
        Whether the output is there; without being complete it has what could be read, or what was done
        without a gap before the run was told to stop.
    counts : dict of str to int
        Puzzles by verdict, of all that is done, earlier runs' included.
    by_input : list of dict of str to int
        The same for each input.
    earlier : int
        Puzzles that earlier runs had done.
    shards, done, skipped : int
        Shards in all, done by now, done before this run.
    rejects : list of InvalidPuzzleError
        The first invalid lines.
    mismatches : list of InvalidPuzzleError
        The first wrong answers.
    file, line : str and int, or None
        The last record done.
    problems : list of UnidokuError
        What went wrong, one for each input or cause.
    interrupted : bool
        Whether it was told to stop.
    """

    complete: bool
    written: bool
    counts: dict[str, int]
    by_input: list[dict[str, int]]
    earlier: int
    shards: int
    done: int
    skipped: int
    rejects: list[InvalidPuzzleError] = field(default_factory=list)
    mismatches: list[InvalidPuzzleError] = field(default_factory=list)
    file: str | None = None
    line: int | None = None
    problems: list[UnidokuError] = field(default_factory=list)
    interrupted: bool = False


class Job:
    """One output being made of some inputs.

    Parameters
    ----------
    inputs : sequence of str
        Paths or URLs.
    output : str
        Path or URL. A folder of parts see `keeps_parts`;
        else one file, put together at the end.
    options : Options
        Its ``suffix`` is used where the output has none of its own.
    target_bytes : int, optional
        See :func:`plan_shards`.
    invalid : str, optional
        Path or URL that takes the messages about invalid lines.

    Raises
    ------
    InputError
        When an input is standard input, or the output too.
    FormatError
        When no sink writes such an output.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        output: str,
        options: Options,
        target_bytes: int | None = None,
        *,
        invalid: str | None = None,
    ) -> None:
        self.single = not keeps_parts(output)
        if not is_remote(output):
            # workers of a cluster have their own working directories
            ending = "/" if output.endswith("/") else ""
            output = str(local_path(output).absolute()) + ending
        self.output = output
        self.invalid = invalid
        self.parts = f"{output}.parts" if self.single else output.rstrip("/")
        wanted = output_format(output, rows=True, default=None if self.single else options.suffix)
        options = replace(options, suffix=wanted.ending, header=not self.single, notes=invalid is not None)
        self.problems: list[UnidokuError] = []
        self.plan: Plan = plan_shards(inputs, target_bytes, options, on_failure=self.problems.append)
        self.manifest = Manifest(output)
        for source in self.plan.inputs:
            if source.url in {self.output, self.parts}:
                raise InputError("is an input; it cannot be the output too", file=output)

    def run(
        self,
        engine: Callable[[], AbstractContextManager[Engine]],
        *,
        resume: bool = False,
        progress: Callable[[Outcome], None] | None = None,
        cancel: Cancel | None = None,
        work: Callable[..., Mark | Failure] = attempt,
    ) -> Report:
        """Begin, or with ``resume`` go on, and come as far as possible.

        Parameters
        ----------
        engine : callable
            Gives a context with the engine; not called when nothing is left to do.
        resume : bool
        progress, cancel, work
            See :func:`unidoku.shards.run`.

        Raises
        ------
        ResumeError
            When the output was begun with other options, another input or another version.
        """
        place = open_folder(self.parts)
        with self._alone():
            if resume:
                old = self.manifest.read()
                if old is not None:
                    refuse_other(old, self.plan, self.output)
                    if old.get("complete") and self._stands():
                        self._tidy()
                        count = len(self.plan.shards)
                        totals, by_input = dict(old["totals"]), list(old["by_input"])
                        return Report(True, True, totals, by_input, totals["puzzles"], count, count, count)
            else:
                self._clear()
            place.make()
            for url in (self.output.rstrip("/"), self.manifest.url, self.invalid):
                if url is not None and not is_remote(url):
                    sweep(url)
            self.manifest.write(self.plan, committed(self.plan, place))
            try:
                with engine() as ready:
                    outcome = run(self.plan, ready, self.parts, progress=progress, cancel=cancel, work=work)
            except BaseException:
                with suppress(OSError):
                    self.manifest.write(self.plan, committed(self.plan, place))
                raise
            return self._finish(outcome)

    def _finish(self, outcome: Outcome) -> Report:
        plan = self.plan
        report = Report(False, False, {}, [], 0, len(plan.shards), len(outcome.marks), len(outcome.earlier))
        told = dict.fromkeys(error_of(failure) for _, failure in outcome.failed)
        report.problems = [*self.problems, *(kind(message) for kind, message in told)]
        report.interrupted = outcome.fatal is not None and outcome.fatal.interrupted
        marks = []
        for shard in plan.shards:
            mark = outcome.marks.get(shard.id) or outcome.partial.get(shard.id)
            if mark is not None:
                marks.append((shard, mark))
            if report.interrupted and shard.id not in outcome.marks:
                break  # what stands behind the first gap waits for the run that closes it
        report.counts = total(mark for _, mark in marks)
        report.by_input = total_by_input(plan, {mark.id: mark for _, mark in marks})
        report.earlier = sum(mark.counts["puzzles"] for _, mark in marks if mark.id in outcome.earlier)
        report.rejects = _first(marks, "rejects")
        report.mismatches = _first(marks, "mismatches")
        last = next(((shard, mark) for shard, mark in reversed(marks) if mark.last), None)
        if last is not None:
            report.file, report.line = last[0].source.url, last[1].last
        if outcome.fatal is not None and not report.interrupted:
            kind, message = error_of(outcome.fatal)
            report.problems.append(kind(message))
        gaps = any(not failure.permanent for _, failure in outcome.failed)
        if report.interrupted or (outcome.fatal is None and not gaps):
            # What is damaged will be no better next time; what is lost for other reasons may come back.
            self._put_together([mark for _, mark in marks], spare=not report.interrupted)
            report.written = True
        report.complete = report.written and not report.problems and not report.interrupted
        self.manifest.write(plan, outcome.marks, complete=report.complete, failed=map(str, report.problems))
        if report.written and not report.interrupted:
            self._tidy()
        return report

    def _put_together(self, marks: list[Mark], *, spare: bool) -> None:
        place = open_folder(self.parts)
        if self.invalid is not None:
            assemble(place, (notes_of(mark.id) for mark in marks), self.invalid)
        kinds = {tuple(mark.columns) for mark in marks if mark.columns is not None}
        wanted = output_format(self.output, rows=True, default=self.plan.options.suffix)
        if len(kinds) > 1 and wanted.format.name not in ("lines", "jsonl"):
            told = " and ".join(", ".join(kind) or "none" for kind in sorted(kinds))
            raise FormatError(
                f"the inputs carry different columns ({told}); one file takes one kind of rows",
                file=self.output,
            )
        if not self.single:
            return
        names = [mark.part for mark in marks]
        if wanted.format.columnar:
            assemble_arrow(place, names, self.output)
        else:
            assemble(place, names, self.output, header_of(self.output, max(kinds, default=())), spare=spare)

    def _stands(self) -> bool:
        """Whether a finished output is still there."""
        if self.single:
            with suppress(InputError):
                stat(self.output)
                return True
            return False
        names = open_folder(self.parts).names()
        return all(part_name(shard, self.plan.options.suffix) in names for shard in self.plan.shards)

    def _tidy(self) -> None:
        """Remove what only a restart needs, and parts of other plans."""
        place = open_folder(self.parts)
        if self.single:
            place.drop()
            return
        mine = {part_name(shard, self.plan.options.suffix) for shard in self.plan.shards}
        place.remove(name for name in place.names() if name.startswith("part-") and name not in mine)

    def _clear(self) -> None:
        """Forget an earlier run; a finished output stays until the new one replaces it."""
        place = open_folder(self.parts)
        self.manifest.remove()
        marks = [mark_name(shard) for shard in self.plan.shards]
        place.remove(marks)  # first, so that a death in between leaves no part that counts
        place.remove(name for name in place.names() if name.startswith("part-"))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep a second run from the same output, where the system can lock."""
        if is_remote(self.parts):
            yield
            return
        path = local_path(self.parts)
        try:
            path.mkdir(exist_ok=True)
        except OSError as error:
            raise cannot_write(error, self.output) from error
        try:
            import fcntl
        except ImportError:  # Windows
            yield
            return
        handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise InputError("another run is writing it", file=self.output) from error
        try:
            yield
        finally:
            os.close(handle)


def error_of(failure: Failure) -> tuple[type[UnidokuError], str]:
    """Class and message of the error behind a failure."""
    kind = getattr(errors, failure.kind, None)
    return (kind if kind is not None and issubclass(kind, UnidokuError) else InputError), failure.message


def _first(marks: list[tuple[Shard, Mark]], kind: str) -> list[InvalidPuzzleError]:
    """The first messages of a kind over all shards."""
    every = ((shard.source.url, message) for shard, mark in marks for message in getattr(mark, kind))
    return [
        InvalidPuzzleError(text, file=url, line=line or None, column=column or None)
        for url, (text, line, column) in islice(every, SHOWN)
    ]


def keeps_parts(output: str) -> bool:
    """Whether an output is a folder of parts: by a trailing slash, by its format, or as it is a folder."""
    suffixes = tuple(suffix for row in FORMATS.values() if row.folder for suffix in row.suffixes)
    if output.lower().endswith(("/", *suffixes)):
        return True
    return not is_remote(output) and local_path(output).is_dir()
