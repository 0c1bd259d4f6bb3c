"""The progress bar of long runs, on standard error."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress as Bars, TaskProgressColumn, TextColumn, TimeRemainingColumn

from unidoku.pipeline import Progress

__all__ = ["Bar"]


class Bar:
    """One bar; without a known total it only moves."""

    def __init__(self) -> None:
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
        )
        self._bars.start()
        self._task = self._bars.add_task("", total=None)

    def show(self, progress: Progress) -> None:
        """Draw the latest state."""
        rate = (progress.puzzles - progress.earlier) / progress.seconds if progress.seconds else 0.0
        self._bars.update(
            self._task,
            completed=progress.done,
            total=progress.total or None,
            description=f"{progress.puzzles:,} puzzles, {rate:,.0f} a second",
        )
        self._bars.refresh()

    def stop(self) -> None:
        """Wipe the bar away."""
        self._bars.stop()
