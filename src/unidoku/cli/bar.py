"""The progress bar of long runs, on standard error."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress as Bars, TaskProgressColumn, TextColumn, TimeRemainingColumn

from unidoku.run.progress import Progress

__all__ = ["Bar"]

_WIDE = 70  # columns of a terminal that has room for the speed
_ECHO = 4  # columns left free: what the terminal echoes (^C) must not wrap, or the bar is not erased


class Bar:
    """A progress bar; without a known total it shows no end."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._wide = console.width >= _WIDE
        console.width -= min(_ECHO, console.width - 1)
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
        )
        self._bars.start()
        self._task = self._bars.add_task("", total=None)

    def show(self, progress: Progress) -> None:
        """Draw the latest state."""
        rate = (progress.puzzles - progress.earlier) / progress.seconds if progress.seconds else 0.0
        speed = f", {rate:,.0f} per second" if self._wide else ""
        self._bars.update(
            self._task,
            completed=progress.done,
            total=progress.total or None,
            description=f"{progress.puzzles:,} puzzles{speed}",
        )
        self._bars.refresh()

    def show_part(self, part: float) -> None:
        """Draw the completed fraction of the count of one puzzle."""
        self._bars.update(self._task, completed=part, total=1, description="counting")
        self._bars.refresh()

    def stop(self) -> None:
        """Erase the bar."""
        self._bars.stop()
