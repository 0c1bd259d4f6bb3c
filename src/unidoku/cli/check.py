"""The commands that say what puzzles are: their verdicts, the answers to them, how hard they are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

import unidoku
from unidoku.cli.inputs import Input, announce_standard_input, inputs_of, only_puzzle, shown_puzzle
from unidoku.cli.options import PARTS, RUNNING, common
from unidoku.cli.run import exit_code, run_all
from unidoku.cli.tasks import by_hand
from unidoku.cli.terminal import (
    INTERRUPTED,
    Display,
    cancelled_by_interrupt,
    check_suffix,
    print_json,
    print_message,
)
from unidoku.errors import SearchStoppedError
from unidoku.tasks.columns import figure
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unidoku.run.summary import Summary


@by_hand(
    "check",
    common("output", default=None, absent="no rows"),
    *("to", "columns", "only", "keep", *PARTS, *RUNNING, "as_json"),
)
def check(
    inputs: list[Input],
    *,
    output: str | None,
    sample: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Print the counts of verdicts, or that of one puzzle."""
    if sample:
        if inputs != ["-"] or output or _asks_rows(options):
            raise click.UsageError("--sample takes no inputs and writes no rows.")
        from unidoku.tasks.check import SAMPLE

        inputs = [SAMPLE]
        options["verify"] = True
    output = _output_of_rows(output, options, as_json=as_json)
    more = " (--only invalid -o PATH writes all of them)"
    done = run_all(unidoku.check_file, inputs, output, quiet=quiet, more=more, **options)
    lines = _counts(done)
    if done.puzzles and output is None and only_puzzle(inputs):
        lines = [str(next(verdict for verdict in Verdict if getattr(done, str(verdict))))]
    _print_found(done, done.as_dict(), lines, output, as_json=as_json, quiet=quiet)
    right = done.all_right or not done.verified
    return exit_code(done) or int(not (right and (sample or done.all_unique)))


def _asks_rows(options: dict[str, Any]) -> bool:
    """Return whether an option says how rows are written, or which."""
    return any(options.get(name) is not None for name in ("to", "columns", "only"))


def _output_of_rows(output: str | None, options: dict[str, Any], *, as_json: bool) -> str | None:
    """Return where rows go: without --output, to standard output if an option asks for rows."""
    if output is None and _asks_rows(options):
        output = "-"
    if output == "-" and as_json:
        print_message("note: with --json, rows are written only to an --output PATH")
        return None
    return output


def _print_found(
    done: Summary,
    fields: dict[str, Any],
    lines: Iterable[str],
    output: str | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print what a run found, as a JSON object or in lines; nothing after an error before any puzzle."""
    if done.failures and not done.puzzles:
        return
    if as_json:
        print_json(fields)
    elif not quiet:
        # Rows on standard output are for the next program; the counts then go to standard error.
        click.echo("\n".join(lines), err=output == "-")


def _counts(done: Summary) -> list[str]:
    """Return the counts as lines."""
    fields = done.as_dict()
    del fields["files"]
    if not fields.pop("complete"):
        fields["counts cut off"] = done.cut_off
    return _lines(fields)


def _lines(fields: dict[str, Any]) -> list[str]:
    """Return counts as lines, those of given answers last."""
    fields |= {f"{name} answers": count for name, count in fields.pop("verified", {}).items()}
    return [f"{name.replace('_', ' '):18} {figure(value)}" for name, value in fields.items()]


@by_hand(
    "verify",
    common("output", default=None, absent="no rows"),
    *("to", "columns"),
    *(common(name, needs=("--output",)) for name in PARTS),
    *(*RUNNING, "as_json"),
)
def verify(
    inputs: list[Input],
    *,
    predictions: str | None,
    output: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Print the counts of right and wrong predictions."""
    output = _output_of_rows(output, options, as_json=as_json)
    if predictions is not None:
        options["predictions"] = inputs_of([predictions])[0]
        announce_standard_input([options["predictions"]])
    done = run_all(unidoku.verify_file, inputs, output, quiet=quiet, more=None, **options)
    names = ("puzzles", "invalid", "wrong_cells", "broken_houses", "changed_clues")
    fields = {name: getattr(done, name) for name in names}
    answers = {"verified": {name: getattr(done, name) for name in ("right", "wrong", "absent")}}
    _print_found(done, fields | answers, _lines(fields | answers), output, as_json=as_json, quiet=quiet)
    return exit_code(done) or int(not done.all_right)


@by_hand("audit", *RUNNING, "as_json")
def audit(inputs: list[Input], *, prediction: str | None, as_json: bool, quiet: bool, **options: Any) -> int:
    """Print what is wrong with files, and what they share."""
    found: unidoku.Audit | None = None

    def work(inputs: list[Input], _: None, **settings: Any) -> Summary:
        nonlocal found
        found = unidoku.audit_files(inputs, **settings)
        return found.summary

    done = run_all(work, inputs, None, quiet=quiet, prediction=prediction, **options)
    if found is None:  # an error is printed
        return exit_code(done)
    _print_found(done, found.as_dict(), [str(found)], None, as_json=as_json, quiet=quiet)
    return exit_code(done) or int(bool(found))


@by_hand("count", "output", *RUNNING)
def count(
    inputs: list[Input], *, limit: int | None, budget: int | None, output: str, quiet: bool, **options: Any
) -> int:
    """Write a line for each puzzle; count the solutions of one puzzle by all threads."""
    from unidoku.files.formats import COMPRESSIONS
    from unidoku.run.task import run_file
    from unidoku.tasks.count import Count

    puzzle = shown_puzzle(inputs, output, options | {"limit": limit, "budget": budget})
    if puzzle is None:
        check_suffix(output, ".txt", *(f".txt{each}" for each in COMPRESSIONS))
        counting = partial(run_file, Count(limit, budget), to="txt")
        done = run_all(counting, inputs, output, quiet=quiet, **options)
        return exit_code(done) or min(done.invalid, 1)
    with Display(quiet=quiet) as display, cancelled_by_interrupt() as cancel:
        try:
            found = unidoku.count(puzzle, threads=options["threads"], cancel=cancel, progress=display.part)
        except SearchStoppedError:
            display.stop()
            print_message("stopped: the solutions are not counted")
            return INTERRUPTED
    click.echo(found)
    return 0
