"""Solve and explain: Run the SudokuSolver 2.6 shell.

The command `console`; `unidoku.stepper._console` reads the orders.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult
from unidoku._options import TABLE, CommandOptions, complete_file
from unidoku._words import say
from unidoku.stepper._console import Console
from unidoku.tasks._shared import FILTERS, words_to_show

_SHOW = {
    "time": "the run time",
    **FILTERS,
    "level-step": "after a run and after levels, the step at which the biggest level was reached",
}


_GREETING = (
    "Type load-quiz with a file or 81 cells, or load-quiz sample. Then type run, step,\nwhy or back. An "
    "empty line lists the orders of SudokuSolver 2.6; help also lists\nthe orders that only unidoku has."
)
"""The first lines that the shell prints."""


def console(call: Call[None, _ConsoleOptions]) -> CommandResult:
    """Run the SudokuSolver 2.6 shell.

    FILE holds a quiz to load first: nine lines of nine cells, or one line of 81 cells. Blanks between cells
    are allowed, and an empty cell is 0 or a dot. FILE can also be one puzzle in any format that other
    commands read, compressed or not.

    A PUZZLE of 81 cells is loaded as it is, and sample is the quiz of the author's transcript. A console has
    one quiz: to load another quiz, end the console with bye.

    An empty order lists the orders of SudokuSolver 2.6. The orders run and runtil stop at a new solution, and
    go on from there if you give them again. The order runtil can end one or two steps late, because a unit of
    work is never split.

    Four orders are new; help lists them. The order why says how the last wrong guess led to a contradiction.
    The order back goes back to a step, or to the state before the last guess. The orders filters and
    level-step, followed by 1 or 0, turn these words of --show on or off.
    """
    stdin: Any = sys.stdin
    stdout: Any = sys.stdout
    stdin.reconfigure(errors="replace")
    stdout.reconfigure(errors="backslashreplace")
    shell = Console(show=call.own.show, as_json=call.show.json, greeting=say(_GREETING))
    if call.inputs is not None:
        shell.obey(f"load-quiz {call.inputs}")
    is_loaded = shell.session is not None
    shell.run()
    if not (is_loaded or call.inputs is None):
        click.get_current_context().exit(2)
    return CommandResult()


class _ConsoleOptions(CommandOptions):
    show: tuple[str, ...] = words_to_show(_SHOW).field(default=("time",), show_default=True)


COMMAND = Command(
    console,
    examples=("unidoku console", "unidoku console quiz.txt --show none"),
    own=_ConsoleOptions,
    options=(
        TABLE["json"].replace(help="Print a line of JSON for each event, as in trace, and each message."),
    ),
    argument=click.Argument(
        ["inputs"], required=False, metavar="[FILE|PUZZLE]", shell_complete=complete_file
    ),
)
