"""JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Any

from unidoku.files.base import Batch, Column
from unidoku.files.writers.base import Writer, records

__all__ = ["JsonlWriter", "json_line"]


def json_line(fields: dict[str, Any]) -> str:
    """One object and the end of its line."""
    return dumps(fields, ensure_ascii=False) + "\n"


class JsonlWriter(Writer):
    """One object per line: ``puzzle`` and the carried columns."""

    def puzzles(self, batch: Batch, columns: Sequence[Column]) -> bytes:
        """Return the objects; all have the same names."""
        blank = {column.name: "" for column in columns}
        return "".join(
            json_line({"puzzle": record.cells, **blank, **record.extra}) for record in records(batch, columns)
        ).encode(errors="replace")
