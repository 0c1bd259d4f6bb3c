"""The screen of both terminal programs: a board, text beside it, a line above and below.

The screen needs 80 columns and 24 lines. Colors have enough contrast on light and dark backgrounds, and each
color has a sign for terminals without colors.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from unidoku.board import COLORS
from unidoku.errors import UnidokuError, needs_extra
from unidoku.method.pictures import ASCII, UNICODE
from unidoku.view.player import VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyBindings

    from unidoku.method.pictures import Lines

__all__ = ["BOARD_WIDTH", "application", "bindings", "board", "drawing", "run", "text_lines"]

BOARD_WIDTH = 58
_LEAST = (80, 24)
_INK = "#1d2733"  # on the light fills
_SIGNS = {"green": "+", "blue": "*", "yellow": "?", "red": "!"}

# Grays and colors of 4.4:1 and more on black and on white.
_STYLE = {
    "line": "#757575",
    "given": "bold",
    "found": "#0077d4",
    "mark": "#757575",
    "gone": "#d93025 strike",
    "wrong": "#d93025 bold",
    "cursor": "reverse",
    "bar": "reverse",
    "title": "bold",
    **{name: f"bg:{COLORS[name][0]} {_INK}" for name in _SIGNS},
}


def board(
    codes: Sequence[int],
    givens: Sequence[int],
    *,
    fill: Mapping[int, str] | None = None,
    gone: Mapping[int, Collection[int]] | None = None,
    wrong: Collection[int] = (),
    cursor: int | None = None,
    lines: Lines = UNICODE,
    colored: bool = True,
) -> StyleAndTextTuples:
    """Return the fragments of a board of 22 lines.

    Parameters
    ----------
    codes : sequence of 81 int
        A digit plus `unidoku.view.player.VALUE`, or the candidates, bit d - 1 for digit d.
    givens : sequence of 81 int
        The clues, which are bold.
    fill : mapping of cell 0 to 80 to str
        ``green``, ``blue``, ``yellow`` or ``red``: background, and a sign before the cell.
    gone : mapping of cell to digits
        Candidates that were just removed; without color an x is in their place.
    wrong : collection of int
        Cells with a wrong digit.
    cursor : int, optional
        The cell of the cursor.
    lines : Lines
        Characters of the lines.
    colored : bool
        Whether the terminal has colors.

    Returns
    -------
    list of (str, str)
        Style and text, for prompt_toolkit.
    """
    fill, gone = fill or {}, gone or {}
    out: StyleAndTextTuples = []
    for row in range(9):
        if row % 3 == 0:
            out.append(("class:line", _border(row, lines)))
        for half in (0, 1):
            for column in range(9):
                cell = 9 * row + column
                if column % 3 == 0:
                    side = str(row + 1) if column == half == 0 else lines.thick_down
                    out.append(("class:line", side))
                style = "class:cursor" if cell == cursor else f"class:{fill[cell]}" if cell in fill else ""
                sign = " " if half else "!" if cell in wrong else _SIGNS.get(fill.get(cell, ""), " ")
                if cell == cursor and not half:
                    out.append(("[SetCursorPosition]", ""))
                out.append((style, sign))
                if codes[cell] >= VALUE:
                    kind = "wrong" if cell in wrong else "given" if givens[cell] else "found"
                    kind = "" if style and kind == "found" else f" class:{kind}"
                    out.append((style + kind, f"  {codes[cell] - VALUE}  " if not half else 5 * " "))
                    continue
                digits = range(6, 11) if half else range(1, 6)
                removed = gone.get(cell, ())
                out += [_mark(codes[cell], digit, removed, style, colored=colored) for digit in digits]
            out += [("class:line", lines.thick_down), ("", "\n")]
    out.append(("class:line", _border(9, lines)))
    return out


def _border(row: int, lines: Lines) -> str:
    """Return a line above or below boxes; the first one numbers the columns."""
    across = lines.thick_across
    boxes = [across * 18] * 3
    if row == 0:
        boxes = ["".join(f"{3 * across}{3 * k + j}{2 * across}" for j in (1, 2, 3)) for k in range(3)]
    return lines.border(row, boxes) + ("" if row == 9 else "\n")


def _mark(code: int, digit: int, gone: Collection[int], style: str, *, colored: bool) -> tuple[str, str]:
    if digit in gone:
        return f"{style} class:gone", str(digit) if colored else "x"
    if digit < 10 and code >> digit - 1 & 1:
        return (style or "class:mark"), str(digit)
    return style, " "


def drawing() -> Lines:
    """Return the drawing characters that standard output can encode."""
    try:
        "┏━⊙④".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ASCII
    return UNICODE


def text_lines(paragraphs: Iterable[str], width: int) -> list[str]:
    """Wrap text to a number of columns; a Chinese character takes two."""
    from prompt_toolkit.utils import get_cwidth

    found: list[str] = []
    for paragraph in paragraphs:
        line = ""
        for word in paragraph.split(" "):
            rest = word
            if line and get_cwidth(line) + 1 + get_cwidth(rest) <= width:
                line += f" {rest}"
                continue
            if line and get_cwidth(rest) <= width:
                found.append(line)
                line = rest
                continue
            line += " " if line else ""
            for character in rest:
                if get_cwidth(line) + get_cwidth(character) > width:
                    found.append(line.rstrip())
                    line = ""
                line += character
        found.append(line)
    return found


def bindings(actions: Mapping[tuple[str, ...], Callable[[], object]]) -> KeyBindings:
    """Return the bindings of keys to actions; q, Ctrl-C and Ctrl-D end the program.

    Parameters
    ----------
    actions : mapping of names of keys to callable

    Raises
    ------
    MissingExtraError
        prompt_toolkit is not installed.
    """
    with needs_extra("play", "this needs prompt_toolkit"):
        from prompt_toolkit.application import get_app
        from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()
    for names, action in (*actions.items(), (("q", "c-c", "c-d"), lambda: get_app().exit())):
        for name in names:
            keys.add(name)(lambda _, action=action: action())
    return keys


def application(
    head: Callable[[], str],
    picture: Callable[[bool], StyleAndTextTuples],
    side: Callable[[int], StyleAndTextTuples],
    foot: str,
    keys: KeyBindings,
    *,
    refresh: float | None = None,
) -> Application[None]:
    """Return a full-screen program of prompt_toolkit.

    Parameters
    ----------
    head : callable
        The line above.
    picture : callable
        Returns the fragments of the board; called with whether there are colors.
    side : callable
        Returns the fragments beside it; called with the number of columns.
    foot : str
        The line below.
    keys : KeyBindings
        As `bindings` returns them.
    refresh : float, optional
        Seconds between two drawings.

    Raises
    ------
    UnidokuError
        Standard input or output is not a terminal.
    """
    from prompt_toolkit.application import Application
    from prompt_toolkit.layout import HSplit, Layout, VSplit, Window
    from prompt_toolkit.layout.controls import FormattedTextControl
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.styles import Style

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UnidokuError("standard input and output must be a terminal")

    def size() -> tuple[int, int]:
        return app.output.get_size().columns, app.output.get_size().rows

    def colored() -> bool:
        return app.color_depth != ColorDepth.DEPTH_1_BIT

    def body() -> StyleAndTextTuples:
        columns, rows = size()
        if columns < _LEAST[0] or rows < _LEAST[1]:
            return [("", f"Make the window at least {_LEAST[0]} x {_LEAST[1]}; q ends the program.")]
        return picture(colored())

    def beside() -> StyleAndTextTuples:
        return side(max(1, size()[0] - BOARD_WIDTH - 2))

    root = HSplit(
        [
            Window(FormattedTextControl(lambda: [("class:title", head())]), height=1),
            VSplit(
                [
                    Window(FormattedTextControl(body, focusable=True, show_cursor=False), width=BOARD_WIDTH),
                    Window(width=2),
                    Window(FormattedTextControl(beside)),
                ]
            ),
            Window(FormattedTextControl([("", foot)]), height=1, style="class:bar"),
        ]
    )
    app: Application[None] = Application(
        layout=Layout(root),
        key_bindings=keys,
        style=Style.from_dict(_STYLE),
        full_screen=True,
        refresh_interval=refresh,
        color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("TERM") == "dumb" else None,
        mouse_support=False,
    )
    app.ttimeoutlen = 0.05  # seconds after Escape
    return app


def run(app: Application[None]) -> None:
    """Run a program until the user ends it.

    SIGTERM and SIGHUP end it in good order, then take their usual effect: an exception that a signal handler
    raises in the event loop could get lost.
    """
    import asyncio

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    received: list[int] = []

    def end(number: int) -> None:
        if not received:
            received.append(number)
            app.exit()

    def prepare() -> None:
        loop = asyncio.get_running_loop()
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, other threads
                    loop.add_signal_handler(number, end, number)

    try:
        app.run(pre_run=prepare, handle_sigint=False)
    finally:
        with suppress(ValueError):
            for number, handler in before.items():
                signal.signal(number, handler)
    if received:
        signal.raise_signal(received[0])
