"""A run over inputs by a command: interruption, progress, failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unidoku.cli.inputs import accepts_empty, announce_standard_input, refuse_empty
from unidoku.cli.terminal import INTERRUPTED, Display, cancelled_by_interrupt, print_message
from unidoku.errors import OutputError, UnidokuError
from unidoku.threads import Cancel

if TYPE_CHECKING:
    from unidoku.cli.inputs import Input
    from unidoku.run.options import RunOptions
    from unidoku.run.summary import Summary

__all__ = ["RunOutcome", "print_stopped", "run_inputs"]


@dataclass(slots=True)
class RunOutcome:
    """How a run ended: its summary, if anything was done, and its failures, which are printed already."""

    summary: Summary | None = None
    failures: list[UnidokuError] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code: 2 after a failure, 130 after Ctrl-C, else 0."""
        if self.failures:
            return 2
        return INTERRUPTED if self.summary is not None and not self.summary.complete else 0


def run_inputs(
    inputs: Sequence[Input],
    output: Any,
    options: RunOptions,
    *,
    quiet: bool = False,
    **settings: Any,
) -> RunOutcome:
    """Run a stage over some inputs, with a progress bar; Ctrl-C cancels in good order."""
    from unidoku.commands import run_file

    announce_standard_input(inputs)
    outcome = RunOutcome()
    cancel = Cancel()
    with Display(quiet=quiet, rows=output == "-") as display, cancelled_by_interrupt(cancel):

        def failed(error: UnidokuError) -> None:
            display.failed(error)
            outcome.failures.append(error)

        try:
            common: dict[str, Any] = {"progress": display.progress, "on_failure": failed, "cancel": cancel}
            common["empty"] = accepts_empty()
            outcome.summary = run_file(list(inputs), output, options, **common, **settings)
            if outcome.summary.complete and not outcome.failures:
                refuse_empty(outcome.summary.puzzles, inputs)
        except UnidokuError as error:
            failed(error)
            outcome.summary = error.summary
    return outcome


def print_stopped(summary: Summary, failures: Sequence[UnidokuError]) -> None:
    """Print how far a stopped run came, and how to resume it."""
    done = f"stopped: {summary.puzzles:,} puzzles are done"
    if not summary.complete and not summary.puzzles:
        print_message("stopped: no puzzle is done")
    elif not summary.complete and summary.resume is not None:
        print_message(done)
    elif not summary.complete:
        message = f"{done}, up to {summary.file}, line {summary.line}"
        if any(isinstance(failure, OutputError) for failure in failures):
            print_message(f"{message}; everything before it is counted, but the output is not complete")
        else:
            print_message(f"{message}; everything before it is counted and written, nothing after it")
    if summary.resume is not None:
        print_message(f"resume: {summary.resume}")
