"""Runs over files: a driver, results in rows, writers of formats, parts."""

from unidoku.lazy import lazy

_HOMES = {
    "Progress": "unidoku.options",
    "Writer": "unidoku.runner.writer",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
