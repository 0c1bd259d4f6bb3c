"""``unidoku play``: a puzzle in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from unidoku.cli.inputs import PuzzleCommand, inputs_of, refuse_marks
from unidoku.cli.options import Number, Range, choice

if TYPE_CHECKING:
    from unidoku.files.puzzles import Puzzle

__all__ = ["command"]


@click.command("play", cls=PuzzleCommand)
@click.argument("puzzle", required=False, metavar="[PUZZLE|FILE]")
@click.option(
    "--class",
    "difficulty",
    type=Range(),
    metavar="N|A-B",
    help="Class of a new puzzle, 1 to 4, or a range.  [default: 1]",
)
@click.option("--seed", type=Number(0), metavar="N", help="Seed of a new puzzle.  [default: random]")
@click.option(
    "--save", metavar="FILE", help="Keep the game in this file.  [default: in the user's state folder]"
)
@click.option("--new", is_flag=True, help="Replace a saved game that is not finished.")
@choice(
    "--cells", values=["numbers", "rc"], default="rc", help="Call the cells 1 to 81 (numbers) or r1c1 (rc)."
)
def command(
    puzzle: str | None,
    *,
    difficulty: tuple[int, int] | None,
    seed: int | None,
    save: str | None,
    new: bool,
    cells: str,
) -> None:
    """Play a puzzle in the terminal, with hints and their reasons.

    Without PUZZLE the saved game is resumed; if there is none, a new puzzle is made. Of a file the first
    puzzle is played. The game is saved after every move. The screen needs 80 x 24.
    """
    from unidoku.play.app import begin, play

    chosen = None if puzzle is None else _first(puzzle).cells
    game, path = begin(chosen, save, difficulty=difficulty, seed=seed, new=new)
    play(game, path, numbers=cells == "numbers")


def _first(name: str) -> Puzzle:
    """Return the first puzzle of an argument."""
    from unidoku.errors import UnidokuError
    from unidoku.files.puzzles import read_puzzles

    if name == "-":
        raise click.UsageError("standard input has the keys; give a puzzle or a file.")
    for found in read_puzzles(inputs_of([name])):
        if isinstance(found, UnidokuError):
            raise found
        refuse_marks(found)
        return found
    raise UnidokuError("there is no puzzle in it", file=name)
