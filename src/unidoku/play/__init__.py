"""Sudoku in the terminal: play a puzzle, with hints of the numerical-analysis method; step through records.

The two programs, `unidoku.play.app.play` and `unidoku.play.browse.browse`, need the extra ``unidoku[play]``.
The game itself and its hints do not.
"""

from __future__ import annotations

from unidoku.play.game import Game
from unidoku.play.hints import Hint, next_step
from unidoku.play.saved import load_game, save_game

__all__ = ["Game", "Hint", "load_game", "next_step", "save_game"]
