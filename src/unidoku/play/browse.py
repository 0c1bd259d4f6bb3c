"""Step through a record in the terminal: the frames that a page plays, with the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.board import cell_name
from unidoku.method.pictures import ASCII
from unidoku.method.report import untag
from unidoku.play.screen import application, board, drawing, run, text_lines, toolkit

if TYPE_CHECKING:
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
        while len(self.kept) <= self.number // _KEPT:
            state = list(self.kept[-1])
            start = (len(self.kept) - 1) * _KEPT
            for row in self.rows[start : start + _KEPT]:
                _apply(state, row)
            self.kept.append(state)
        state = list(self.kept[self.number // _KEPT])
        for row in self.rows[self.number // _KEPT * _KEPT : self.number + 1]:
            _apply(state, row)
        return state

    def head(self) -> str:
        text = {"number": self.number, "last": len(self.rows) - 1, "text": ""}
        return f" {self.play.title}   {self.words['status'].format(**text)}"

    def picture(self, colored: bool) -> list[tuple[str, str]]:
        row = self.rows[self.number]
        gone: dict[int, list[int]] = {}
        for cell, digit, *_ in row.get("x", ()):
            gone.setdefault(cell, []).append(digit)
        fill = {int(cell): color for cell, color in row.get("f", {}).items()}
        return board(self.codes(), self.givens, fill=fill, gone=gone, lines=self.lines, colored=colored)

    def side(self, width: int) -> list[tuple[str, str]]:
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
        room = 22 - len(legend) - 1
        self.top = max(0, min(self.top, len(lines) - room))
        shown = lines[self.top : self.top + room]
        shown += [""] * (room - len(shown))
        more = "..." if len(lines) > self.top + room else ""
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

    def keys(self) -> Any:
        keys = toolkit().KeyBindings()

        def bind(action: Any, *names: str) -> None:
            for name in names:
                keys.add(name)(lambda event: action())

        last = len(self.rows) - 1
        bind(lambda: self.go(self.number + 1), "right", " ", "l")
        bind(lambda: self.go(self.number - 1), "left", "backspace", "h")
        bind(lambda: self.go(self.number + 10), "pagedown")
        bind(lambda: self.go(self.number - 10), "pageup")
        bind(lambda: self.go(0), "home", "g")
        bind(lambda: self.go(last), "end", "G")
        bind(lambda: self.heading(1), "]")
        bind(lambda: self.heading(-1), "[")
        bind(lambda: self.scroll(1), "down", "j")
        bind(lambda: self.scroll(-1), "up", "k")
        bind(self.switch, "n")
        for name in ("q", "c-c", "c-d"):
            keys.add(name)(lambda event: event.app.exit())
        return keys


def _apply(state: list[int], row: dict[str, Any]) -> None:
    for cell, code, *_ in row["s"]:
        state[cell] = code
