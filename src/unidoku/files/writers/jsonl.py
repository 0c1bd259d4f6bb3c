"""JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps, loads
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
        blank = {column.name: "" if column.kind == "string" else None for column in columns}
        lines = []
        for record in records(batch, columns):
            values = {
                name: loads(text) if blank[name] is None else text for name, text in record.extra.items()
            }
            lines.append(json_line({"puzzle": record.cells, **blank, **values}))
        return "".join(lines).encode(errors="replace")
