"""Step through a record in the terminal: the frames that a page plays, with the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.board import cell_name
from unidoku.method.pictures import ASCII
from unidoku.method.report import untag
from unidoku.play.screen import application, bindings, board, drawing, run, text_lines

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyBindings

    from unidoku.view.player import Playback

__all__ = ["browse"]

_KEPT = 64  # frames between two stored states


def browse(play: Playback) -> None:
    """Show a record in the terminal until the user ends the program.

    Parameters
    ----------
    play : Playback
        From `unidoku.view.trace.play_trace` or `unidoku.view.explain.play_record`.

    Raises
    ------
    MissingExtraError
        prompt_toolkit is not installed.
    UnidokuError
        Standard input or output is not a terminal.
    """
    _Browser(play).run()


class _Browser:
    def __init__(self, play: Playback) -> None:
        self.play = play
        self.words = play.spoken
        self.rows = play.frames.rows
        self.givens = [0 if symbol in ".0" else int(symbol) for symbol in play.puzzle]
        self.number = play.start
        self.top = 0  # first line of the text that is shown
        self.numbers = play.matrices
        self.lines = drawing()
        self.kept = [[0] * 81]

    def run(self) -> None:
        words = self.words
        foot = f" ←→ {words['step']}   PgUp PgDn 10   Home End   [ ] {words['overview']}   ↑↓   n   q"
        if self.lines is ASCII:
            foot = foot.replace("←→", "Left Right").replace("↑↓", "Up Down")
        run(application(self.head, self.picture, self.side, foot, self.keys()))

    def codes(self) -> list[int]:
        """Return the state after the current frame."""
        block, frames = divmod(self.number, _KEPT)
        while len(self.kept) <= block:
            self.kept.append(self.state(len(self.kept) - 1, _KEPT))
        return self.state(block, frames + 1)

    def state(self, block: int, frames: int) -> list[int]:
        """Return the state after some frames that follow a stored state."""
        state = list(self.kept[block])
        for row in self.rows[block * _KEPT : block * _KEPT + frames]:
            for cell, code, *_ in row["s"]:
                state[cell] = code
        return state

    def head(self) -> str:
        text = {"number": self.number, "last": len(self.rows) - 1, "text": ""}
        return f" {self.play.title}   {self.words['status'].format(**text)}"

    def picture(self, colored: bool) -> StyleAndTextTuples:
        row = self.rows[self.number]
        gone: dict[int, list[int]] = {}
        for cell, digit, *_ in row.get("x", ()):
            gone.setdefault(cell, []).append(digit)
        fill = {int(cell): color for cell, color in row.get("f", {}).items()}
        return board(self.codes(), self.givens, fill=fill, gone=gone, lines=self.lines, colored=colored)

    def side(self, width: int) -> StyleAndTextTuples:
        row = self.rows[self.number]
        status = self.said(row.get("t", "")).lstrip(": ")
        parts = [status, *map(self.said, row.get("v", ())), "", *map(self.said, row["l"])]
        if self.number in {0, len(self.rows) - 1}:
            parts += ["", self.said(self.play.note)]
        key = [
            f"+ {self.words['green']}  * {self.words['blue']}",
            f"? {self.words['yellow']}  ! {self.words['red']}",
        ]
        legend = text_lines(key, width)
        lines = text_lines(parts, width)
        height = 22 - len(legend) - 1
        self.top = max(0, min(self.top, len(lines) - height))
        shown = lines[self.top : self.top + height]
        shown += [""] * (height - len(shown))
        more = "..." if len(lines) > self.top + height else ""
        return [("", "\n".join([*shown, more])), ("class:mark", "\n" + "\n".join(legend))]

    def said(self, text: str) -> str:
        return untag(text, str if self.numbers else lambda cell: cell_name(cell - 1))

    def go(self, number: int) -> None:
        self.number = max(0, min(len(self.rows) - 1, number))
        self.top = 0

    def heading(self, way: int) -> None:
        """Go to the next or the previous heading of the overview."""
        number = self.number + way
        while 0 < number < len(self.rows) - 1 and not self.rows[number].get("h"):
            number += way
        self.go(number)

    def scroll(self, lines: int) -> None:
        self.top = max(0, self.top + lines)

    def switch(self) -> None:
        self.numbers = not self.numbers

    def keys(self) -> KeyBindings:
        return bindings(
            {
                ("right", " ", "l"): lambda: self.go(self.number + 1),
                ("left", "backspace", "h"): lambda: self.go(self.number - 1),
                ("pagedown",): lambda: self.go(self.number + 10),
                ("pageup",): lambda: self.go(self.number - 10),
                ("home", "g"): lambda: self.go(0),
                ("end", "G"): lambda: self.go(len(self.rows) - 1),
                ("]",): lambda: self.heading(1),
                ("[",): lambda: self.heading(-1),
                ("down", "j"): lambda: self.scroll(1),
                ("up", "k"): lambda: self.scroll(-1),
                ("n",): self.switch,
            }
        )
