"""The command `solve`: the first solutions of puzzles in files.

`unidoku.solve` is in `unidoku.tasks.single`, `unidoku.solve_many` in `unidoku.tasks.check_many`.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

from unidoku.cli.command import Command
from unidoku.cli.inputs import single_puzzle, with_diagnosis
from unidoku.cli.outcome import Outcome
from unidoku.cli.run import output_of_rows, run_with_progress, write, write_picture
from unidoku.cli.terminal import NOTE, print_message, print_some
from unidoku.errors import ImproperPuzzleError
from unidoku.files.formats import output_format
from unidoku.grid import Grid
from unidoku.options import PARTS, RUNNING, TABLE, Option
from unidoku.runner.run import run
from unidoku.tasks.check import Check
from unidoku.tasks.search import Search
from unidoku.tasks.shared_options import SOLUTION_COUNT
from unidoku.tasks.single import check, solve
from unidoku.verdict import Verdict
from unidoku.views import view
from unidoku.words import language, say


@dataclass(frozen=True, eq=False, repr=False)
class Solve(Search):
    """Print the first solution of each puzzle, or all.

    A line per puzzle: 81 digits, "none" if there is no solution, "invalid" if the record is no puzzle.
    Formats other than txt have the columns of check. On a terminal, the solution of one PUZZLE is drawn; -o
    solved.svg makes a picture. For one PUZZLE, a note says if it has no or several solutions; for files, use
    check.

    With --all, a line per solution. The solutions of one puzzle follow those of the puzzle before it. Formats
    with columns have a row per solution: its number, from 1; whether it is the last one of the puzzle; and
    the solution. A puzzle that has none has a reason there.

    The exit code is 0 if every puzzle has a solution, 1 if not, 2 after an error. With --all it is 1 only if
    a record is not a puzzle.
    """

    line_columns: ClassVar[tuple[str, ...]] = ("solution",)

    limit = 1


def _error(puzzle: bytes | str, verdict: Verdict) -> ImproperPuzzleError:
    """Return the error for a puzzle without a solution."""
    from unidoku.rating.scale import improper_error  # not at the top: a puzzle with a solution starts faster

    return improper_error(Grid(puzzle), verdict)


def _picture(puzzle: bytes | str) -> str:
    """Return the solution of a puzzle as a picture."""
    solution = solve(puzzle)
    if solution is None:
        raise _error(puzzle, Verdict.NONE)
    return view("svg.svg", solution, givens=puzzle, labels="rc", lang=language())


def command(
    inputs: list[Any],
    *,
    output: str,
    all: bool,
    count: int | None,
    as_json: bool,
    **options: Any,
) -> Outcome:
    """Write the solutions; on a terminal, draw the solution of one puzzle."""
    if output.lower().endswith(".svg") and not all:
        return write_picture(_picture, inputs, output, options)
    puzzle = single_puzzle(inputs, output, options)
    if all:
        from unidoku.tasks.solutions import Solutions  # not at the top: one puzzle needs no NumPy

        settings = {"as_json": as_json, "is_one": puzzle is not None, **options}
        return write(Solutions(count), inputs, output, **settings)
    if puzzle and as_json:
        from unidoku.tasks.examine import answer_to  # not at the top: only --json needs it

        answer = answer_to(puzzle)
        return Outcome(rows=[asdict(answer)], is_right=answer.solution is not None)
    if puzzle and not options["quiet"]:
        verdict = check(puzzle)
        if verdict is Verdict.NONE:
            print_some(NOTE, [with_diagnosis(_error(puzzle, verdict))], 1)
        elif verdict is Verdict.MULTIPLE:
            print_message(say("note: this is one of several solutions; unidoku diagnose shows why"))
    if puzzle and sys.stdout.isatty() and (solution := solve(puzzle)) is not None:
        return Outcome(text=[str(solution)])
    rows, options = output_of_rows(output, options, as_json=as_json)
    is_lines = not (options["columns"] or output.endswith("/"))
    is_lines = is_lines and output_format(output, options["to"], rows=True).suffix == ".txt"
    summary = run_with_progress(partial(run, Solve() if is_lines else Check()), inputs, rows, **options)
    return Outcome(summary, is_right=not summary.none, fields={})


COMMAND = Command(
    Solve,
    group="Solve and explain",
    examples=(
        "unidoku solve puzzles.txt -o solved.txt",
        "unidoku solve puzzles.txt --all -n 3 -o solutions.parquet",
    ),
    function=command,
    options=(
        Option("all", "Write every solution.", default=False),
        SOLUTION_COUNT,
        *("output", "to"),
        TABLE["columns"].replace(
            help="Write these columns, separated by commas: puzzle, file, line, solution, reason, those of "
            "check, number and last with --all, or columns of the input.",
            show_default="all; for txt solution",
        ),
        *("where", "keep", *PARTS, *RUNNING),
    ),
)
