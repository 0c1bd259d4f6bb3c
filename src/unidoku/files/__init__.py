"""Formats of files, and what `unidoku.read` yields; one module a file format."""

from unidoku.lazy import lazy

_HOMES = {
    "Column": "unidoku.table.column",
    "PuzzleBatch": "unidoku.files.inputs",
    "Rows": "unidoku.table.column",
}

__all__, __getattr__, __dir__ = lazy(__name__, _HOMES)
