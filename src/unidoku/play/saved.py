"""The file of a game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from unidoku.errors import InputError, UnidokuError, needs_extra, writing
from unidoku.files.storage import atomic_write, local_path
from unidoku.play.game import Game
from unidoku.view.player import VALUE

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["default_path", "load_game", "save_game"]

_FORM = "unidoku game 1"
_LARGEST = 1 << 22  # bytes of a file that are read; a game has far fewer


def default_path() -> Path:
    """Return the path of the game in the user's data folder.

    Raises
    ------
    MissingExtraError
        platformdirs is not installed.
    """
    with needs_extra("play", "the game needs platformdirs"):
        from platformdirs import user_state_path
    return user_state_path("unidoku", appauthor=False) / "game.json"


def save_game(game: Game, path: str) -> None:
    """Write a game; after a failure the file still has the old game.

    Parameters
    ----------
    game : Game
    path : str

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    data = {
        "form": _FORM,
        "puzzle": game.puzzle.line,
        "seconds": round(game.seconds, 1),
        "position": game.position,
        "moves": game.moves,
    }
    with writing(path):
        local_path(path).parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")


def load_game(path: str) -> Game | None:
    """Read a game.

    Parameters
    ----------
    path : str

    Returns
    -------
    Game or None
        None if there is no such file.

    Raises
    ------
    InputError
        The file cannot be read, or is not a saved game.
    """
    try:
        with local_path(path).open("rb") as file:
            text = file.read(_LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(error.strerror or str(error), file=path) from error
    try:
        return _game_of(json.loads(text))
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, AttributeError) as error:
        reason = f": {error.message}" if isinstance(error, UnidokuError) else ""
        raise InputError(f"not a saved game of unidoku{reason}; choose another file", file=path) from error


def _game_of(data: Any) -> Game:
    """Make the game from the data of a file; every move is checked."""
    if data["form"] != _FORM:
        raise ValueError("another form")
    game = Game(data["puzzle"])
    game.seconds = float(data["seconds"])
    if not 0 <= game.seconds < 1e9:
        raise ValueError("not a time")
    for move in data["moves"]:
        codes = {}
        for cell, before, after in move:
            right = type(after) is int and (0 <= after < VALUE or VALUE < after <= VALUE + 9)
            if not (type(cell) is int and 0 <= cell < 81 and game.codes[cell] == before and right):
                raise ValueError("not a move")
            codes[cell] = after
        if not game.change(codes):
            raise ValueError("not a move")
    if type(data["position"]) is not int or not 0 <= data["position"] <= game.position:
        raise ValueError("not a position")
    while game.position > data["position"]:
        game.undo()
    return game
