"""The progress of a run on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING

from unidoku.cli.terminal import print_error, print_message
from unidoku.errors import UnidokuError
from unidoku.words import later, say

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from unidoku.options import Progress


class Display:
    """The progress of a run on standard error: a bar on a terminal, elsewhere a line at times.

    The bar appears after a moment, the first line after an `interval` of seconds, 0 for no lines.  On a
    terminal, ``rows`` on standard output would mix with a bar.
    """

    PATIENCE = 0.7  # seconds before the bar appears
    INTERVAL = 0.1  # seconds between two drawings
    ECHO = 4  # columns left free: what the terminal echoes (^C) must not wrap, or the bar is not erased

    def __init__(self, interval: float = 0, *, bar: bool = True, rows: bool = False) -> None:
        is_terminal = sys.stderr.isatty()
        self.has_bar = bar and is_terminal and not (rows and sys.stdout.isatty())
        self.interval = self.INTERVAL if self.has_bar else interval * (not is_terminal)
        self.bar: Bar | None = None
        self._began = time.perf_counter()
        self._next = self._began + (self.PATIENCE if self.has_bar else self.interval)
        self._drawing = Lock()

    def progress(self, progress: Progress) -> None:
        """Show how far the run is; the ``progress`` callback of the API."""
        speed = (progress.puzzles - progress.earlier) / max(progress.seconds, 1e-9)
        fields = {"n": f"{progress.puzzles:,}", "speed": f"{speed:,.0f}"}
        self._draw(later("{n} puzzles, {speed} per second"), fields, progress.done, progress.total or None)

    def part(self, part: float) -> None:
        """Show the completed fraction of one long count; the callback of `unidoku.count`, from any thread."""
        self._draw(later("counting"), {}, part, 1)

    def layout(self, part: float) -> None:
        """Show the part of a page that is laid out."""
        self._draw(later("laying out pages"), {}, part, 1)

    def _draw(self, text: str, fields: Mapping[str, str], amount: float, total: float | None) -> None:
        """Draw the bar, ten times a second, or print a line; without a known total there is no end.

        The text is said only where it is shown: the words take 3 ms to read.
        """
        with self._drawing:
            now = time.perf_counter()
            if not self.interval or now < self._next:
                return
            self._next = now + self.interval
            text = say(text, **fields)
            if not self.has_bar:
                if total:
                    text += f", {amount / total:.0%}"
                if total and amount:
                    left = _duration((now - self._began) * (total - amount) / amount)
                    text += say(", {time} left", time=left)
                print_message(say("progress: {text}", text=text))
                return
            if self.bar is None:
                # imported only when it is needed: it is slow
                from rich.console import Console
                from rich.progress import Progress as Bar

                console = Console(stderr=True)
                console.width -= min(self.ECHO, console.width - 1)
                self.bar = Bar(console=console, transient=True, auto_refresh=False)
                self.bar.start()
                self.bar.add_task("", total=None)
            self.bar.update(self.bar.task_ids[0], completed=amount, total=total, description=text)
            self.bar.refresh()

    def failed(self, error: UnidokuError) -> None:
        """Print an error; the ``on_failure`` callback of the API."""
        self.stop()
        print_error(error)

    def stop(self, *_: object) -> None:
        """Remove the bar, before anything else is printed."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def __enter__(self) -> Display:
        return self

    __exit__ = stop


def _duration(seconds: float) -> str:
    """Return a duration in words, in two units at most."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
