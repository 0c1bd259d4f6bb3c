"""Runs over files: a driver, results in rows, writers of formats, parts."""

from unidoku._lazy import lazy

_HOMES = {
    "Progress": "unidoku._options",
    "Writer": "unidoku.runner._writer",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
