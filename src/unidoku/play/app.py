"""The game in the terminal."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from unidoku.board import cell_name
from unidoku.errors import UnidokuError
from unidoku.files.storage import is_remote
from unidoku.method.report import untag
from unidoku.play.game import Game
from unidoku.play.hints import Hint, next_step
from unidoku.play.saved import default_path, load_game, save_game
from unidoku.play.screen import application, bindings, board, drawing, run, text_lines
from unidoku.view.player import VALUE

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyBindings

    from unidoku.grid import PuzzleLike

__all__ = ["begin", "play"]

HELP = (
    "1-9  digit or pencil mark",
    "space  pencil on or off",
    "0, Del  clear the cell",
    "m  pencil marks of all",
    "u, r  undo, redo",
    "c  check the digits",
    "h  hint: the next step",
    "Enter  do the hint",
    "n  r1c1 or 1 to 81",
    "s  save",
    "q  save and quit",
    "",
    "+ set, * cause,",
    "? candidates removed,",
    "! wrong",
)
_FOOT = " 1-9 digit  space pencil  u undo  r redo  c check  h hint  ? help  q save, quit"


def begin(
    puzzle: PuzzleLike | None = None,
    save: str | None = None,
    *,
    difficulty: int | tuple[int, int] | None = None,
    seed: int | None = None,
    new: bool = False,
) -> tuple[Game, str]:
    """Return a game to play: the saved one, the given puzzle, or a new puzzle.

    Parameters
    ----------
    puzzle : Grid, str, bytes or array, optional
    save : str, optional
        The file of the game; by default one in the user's folder for such data.
    difficulty : int or (int, int), optional
        Class of a new puzzle, 1 to 4, or the lowest and the highest; 1 by default.
    seed : int, optional
        Seed of a new puzzle; by default it is different each time.
    new : bool
        Replace an unfinished game. Otherwise it is resumed, or an error is raised if `puzzle` is given.

    Returns
    -------
    (Game, str)
        The game and its file.

    Raises
    ------
    InputError
        The file is not a saved game.
    InvalidPuzzleError
        The puzzle does not have exactly one solution.
    UnidokuError
        The file has another unfinished game.
    """
    path = str(default_path()) if save is None else save
    if is_remote(path):
        raise UnidokuError("a game is kept in a file of this machine", file=path)
    game = load_game(path)
    if game is not None and not game.solved and not new:
        if puzzle is None and difficulty is None and seed is None:
            return game, path
        if puzzle is None or Game(puzzle).puzzle != game.puzzle:
            raise UnidokuError(
                "it has an unfinished game; resume it with 'unidoku play' without a puzzle, "
                "or replace it with --new",
                file=path,
            )
        return game, path
    if puzzle is not None:
        return Game(puzzle), path
    from unidoku.craft.generate import generate

    return Game(generate(1, seed, difficulty=1 if difficulty is None else difficulty)[0]), path


def play(game: Game, path: str, *, numbers: bool = False) -> None:
    """Play a game in the terminal until the user ends the program; it is saved after every move.

    Parameters
    ----------
    game : Game
    path : str
        The file of the game.
    numbers : bool
        Call cells 1 to 81 instead of r1c1.

    Raises
    ------
    MissingExtraError
        prompt_toolkit is not installed.
    OutputError
        The game cannot be saved.
    UnidokuError
        Standard input or output is not a terminal.
    """
    _Player(game, path, numbers=numbers).run()


class _Player:
    def __init__(self, game: Game, path: str, *, numbers: bool) -> None:
        self.game = game
        self.path = path
        self.numbers = numbers
        self.lines = drawing()
        self.cell = next(cell for cell in range(81) if not game.puzzle[cell])
        self.pencil = False
        self.wrong: set[int] = set()
        self.hint: Hint | None = None
        self.message: tuple[str, ...] = ("? lists the keys.",)
        self.began = time.monotonic() - game.seconds
        self.over = game.solved

    def run(self) -> None:
        app = application(self.head, self.picture, self.side, _FOOT, self.keys(), refresh=1.0)
        self.save()
        try:
            run(app)
        finally:
            self.save()

    def save(self) -> None:
        self.tick()
        save_game(self.game, self.path)

    def tick(self) -> None:
        if not self.over:
            self.game.seconds = time.monotonic() - self.began

    # what is drawn

    def head(self) -> str:
        self.tick()
        minutes, seconds = divmod(int(self.game.seconds), 60)
        mode = "PENCIL" if self.pencil else "DIGIT "
        clues, left = self.game.puzzle.clue_count, self.game.left
        return f" unidoku   {mode}   {minutes}:{seconds:02}   {clues} clues   {left} cells left"

    def picture(self, colored: bool) -> StyleAndTextTuples:
        fill: dict[int, str] = {}
        if self.hint is not None:
            color = {"wrong": "red", "convert": "green"}.get(self.hint.kind, "yellow")
            fill = dict.fromkeys(self.hint.causes, "blue") | dict.fromkeys(self.targets(self.hint), color)
        return board(
            self.game.codes,
            self.game.puzzle.cells,
            fill=fill,
            wrong=self.wrong,
            cursor=self.cell,
            lines=self.lines,
            colored=colored,
        )

    def targets(self, hint: Hint) -> set[int]:
        """Return the cells that a hint changes; for a placement only that cell, not its peers."""
        placed = {cell for cell, code in hint.changes.items() if code > VALUE}
        return placed or set(hint.changes)

    def side(self, width: int) -> StyleAndTextTuples:
        place = self.named(self.cell + 1)
        shown = text_lines([untag(text, self.named) for text in self.message], width)
        return [("class:title", f"{place}\n\n"), ("", "\n".join(shown[:20]))]

    def named(self, cell: int) -> str:
        return str(cell) if self.numbers else cell_name(cell - 1)

    # what keys do

    def move(self, down: int, right: int) -> None:
        row, column = divmod(self.cell, 9)
        self.cell = 9 * ((row + down) % 9) + (column + right) % 9

    def digit(self, digit: int) -> None:
        action = self.game.mark if self.pencil else self.game.set
        self.done(action(self.cell, digit))

    def done(self, changed: bool, message: str = "") -> None:
        """Save after a move; report when the puzzle is solved."""
        if not changed:
            self.message = ("Nothing to change here.",)
            return
        self.hint = None
        self.wrong.clear()
        self.message = (message,)
        if self.game.solved:
            self.tick()
            self.over = True
            self.message = ("Solved!", "", "q ends the program.")
        self.try_to_save()

    def try_to_save(self, message: str = "") -> None:
        """Save; if this fails, the game continues, and the program later ends with an error."""
        try:
            self.save()
        except UnidokuError as error:
            self.message = (str(error),)
        else:
            self.message = (message,) if message else self.message

    def check(self) -> None:
        self.wrong = set(self.game.wrong())
        if self.wrong:
            names = ", ".join(self.named(cell + 1) for cell in sorted(self.wrong))
            self.message = (f"Wrong: {names}",)
        else:
            self.message = ("Every digit is right.",)

    def ask(self) -> None:
        self.hint = next_step(self.game)
        if self.hint is None:
            self.message = ("There is no further step.",)
            return
        targets = self.targets(self.hint)
        if self.cell not in targets:
            self.cell = min(targets)
        self.message = (self.hint.text, "", "Enter does it.")

    def do(self) -> None:
        if self.hint is None:
            self.message = ("h gives a hint first.",)
            return
        self.done(self.game.change(self.hint.changes), "Done.")

    def switch(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def say(self, *text: str) -> None:
        self.message = text

    def keys(self) -> KeyBindings:
        return bindings(
            {
                ("up",): lambda: self.move(-1, 0),
                ("down",): lambda: self.move(1, 0),
                ("left",): lambda: self.move(0, -1),
                ("right",): lambda: self.move(0, 1),
                **{(str(digit),): partial(self.digit, digit) for digit in range(1, 10)},
                ("0", ".", "delete", "backspace"): lambda: self.done(self.game.clear(self.cell)),
                (" ", "p"): lambda: self.switch("pencil"),
                ("m",): lambda: self.done(self.game.fill_marks()),
                ("u", "c-z"): lambda: self.done(self.game.undo()),
                ("r", "c-y"): lambda: self.done(self.game.redo()),
                ("c",): self.check,
                ("h",): self.ask,
                ("enter",): self.do,
                ("n",): lambda: self.switch("numbers"),
                ("s",): lambda: self.try_to_save(f"Saved to {self.path}"),
                ("?",): lambda: self.say(*HELP),
            }
        )
