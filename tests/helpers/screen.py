"""A program in a pseudo-terminal whose screen can be read."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from html import escape
from itertools import groupby
from typing import Any

from command import UNIDOKU

KEYS = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "delete": "\x1b[3~",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "enter": "\r",
    "space": " ",
    "ctrl-z": "\x1a",
    "ctrl-c": "\x03",
}


def _color(name: str, default: str) -> str:
    return default if name == "default" else f"#{name}" if len(name) == 6 else name


class Terminal:
    """``unidoku`` in a terminal of so many columns and lines, until the end of a ``with`` block.

    Attributes
    ----------
    screen : pyte.Screen
    code : int or None
        The exit code, once it has ended.
    """

    def __init__(self, *arguments: object, columns: int = 80, lines: int = 24, **environment: str) -> None:
        import pyte

        self.screen = pyte.Screen(columns, lines)
        self.code: int | None = None
        self._stream = pyte.ByteStream(self.screen)
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        kept = {
            name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}
        }
        self._process = subprocess.Popen(
            [*UNIDOKU, *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | environment,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(self.screen.display)

    @property
    def side(self) -> str:
        """The text beside the board, without its line breaks."""
        return " ".join(" ".join(line[60:] for line in self.screen.display[1:23]).split())

    def board(self) -> list[str]:
        """The text of the 81 cells of a board, without blanks."""
        shown = self.screen.display  # made anew at every look
        return [
            (shown[line][x : x + 5] + shown[line + 1][x : x + 5]).replace(" ", "")
            for line in (2 + 2 * row + row // 3 for row in range(9))
            for x in (2 + 6 * column + column // 3 for column in range(9))
        ]

    def style(self, line: int, column: int) -> Any:
        """The character there, with its colors."""
        return self.screen.buffer[line][column]

    def svg(self, *, dark: bool) -> str:
        """A picture of the screen, in the colors of a dark or light terminal."""
        ink, paper = ("#e4e8ec", "#171b20") if dark else ("#1d2733", "#ffffff")
        wide, high = 8, 17
        size = (wide * self.screen.columns + 16, high * self.screen.lines + 16)
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
            f'viewBox="0 0 {size[0]} {size[1]}" role="img"><title>unidoku in a terminal of '
            f"{self.screen.columns} x {self.screen.lines}</title>"
            "<style>text{font:13.3px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}</style>"
            f'<rect width="100%" height="100%" fill="{paper}"/>'
        ]
        for y in range(self.screen.lines):
            cells = [self.screen.buffer[y][x] for x in range(self.screen.columns)]
            for (reverse, fg, bg, bold, strike), run in groupby(
                enumerate(cells),
                lambda pair: (pair[1].reverse, pair[1].fg, pair[1].bg, pair[1].bold, pair[1].strikethrough),
            ):
                found = list(run)
                x, text = 8 + wide * found[0][0], "".join(cell.data for _, cell in found)
                front, back = _color(fg, ink), _color(bg, paper)
                front, back = (back, front) if reverse else (front, back)
                top, width = 8 + high * y, wide * len(found)
                if back != paper:
                    out.append(f'<rect x="{x}" y="{top}" width="{width}" height="{high}" fill="{back}"/>')
                if text.strip():
                    more = ' font-weight="700"' if bold else ""
                    more += ' text-decoration="line-through"' if strike else ""
                    place = f'x="{x}" y="{top + 13}" fill="{front}" textLength="{width}"'
                    out.append(f"<text {place}{more}>{escape(text)}</text>")
        return "".join([*out, "</svg>"])

    def press(self, *keys: str, until: str | Callable[[], object] | None = None) -> None:
        """Type keys, and wait until a text is on the screen or a condition holds."""
        os.write(self._ours, "".join(KEYS.get(key, key) for key in keys).encode())
        if until is not None:
            self.wait(until)

    def wait(self, until: str | Callable[[], object], seconds: float = 60) -> None:
        """Read until a text is on the screen or a condition holds."""
        end = time.monotonic() + seconds
        holds = until if callable(until) else lambda: until in self.text or until in self.side
        while not holds():
            assert time.monotonic() < end, f"{until} does not come:\n{self.text}"
            if not self._read():
                assert holds(), self.text
                return

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._process.send_signal(number)

    def settle(self, seconds: float = 0.5) -> None:
        """Read until nothing has come for some time: the screen is drawn whole."""
        while select.select([self._ours], [], [], seconds)[0] and self._read():
            pass

    def finish(self) -> int:
        """Read until the program has ended; its exit code."""
        end = time.monotonic() + 60
        while self._read():
            assert time.monotonic() < end, f"it does not end:\n{self.text}"
        self.code = self._process.wait(60)
        return self.code

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 60)
        assert ready, self.text
        try:
            piece = os.read(self._ours, 65536)
        except OSError:  # the program has ended
            return False
        self._stream.feed(piece)
        return bool(piece)
