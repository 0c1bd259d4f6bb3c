"""Formats of files, and what `unidoku.read` yields; one module a file format."""

from unidoku._lazy import lazy

_HOMES = {
    "Column": "unidoku._table.column",
    "PuzzleBatch": "unidoku.files._inputs",
    "Rows": "unidoku._table.column",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
