"""A file of which only the number of lines matters: a line for each attempt to generate a puzzle.

`unidoku.craft.changes.Generate` reads it, so that puzzles are generated in parts and on clusters in the way
others are changed.  fsspec finds this module by the entry point in pyproject.toml.
"""

from __future__ import annotations

from typing import Any

from fsspec.spec import AbstractFileSystem

__all__ = ["AttemptFiles"]

_LINE = b"." * 81 + b"\n"


class AttemptFiles(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no types
    """``unidoku-attempts://N-attempts`` has N lines of 81 empty cells."""

    protocol = "unidoku-attempts"

    def info(self, path: str, **_options: Any) -> dict[str, Any]:
        """Return name, type and size."""
        number, _, unit = str(self._strip_protocol(path)).partition("-")
        if unit != "attempts" or not (number.isascii() and number.isdecimal()):
            raise FileNotFoundError(path)
        return {"name": path, "type": "file", "size": len(_LINE) * int(number)}

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_options: Any) -> bytes:
        """Return the bytes `start` to `end`; both are positions within the file."""
        size = self.info(path)["size"]
        begin, stop, _step = slice(start, end).indices(size)
        offset, length = begin % len(_LINE), max(0, stop - begin)
        lines = (offset + length) // len(_LINE) + 1
        return (_LINE * lines)[offset : offset + length]
