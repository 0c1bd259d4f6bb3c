"""Tables and counts as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unidoku.errors import escape


def aligned(rows: Sequence[Sequence[str]], *flush_left: str) -> Iterator[str]:
    """Yield the lines of a table with headings; columns are flush right, except those in `flush_left`."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, rows[0], strict=True)
        texts = (
            cell.ljust(width) if name in flush_left else cell.rjust(width) for cell, width, name in cells
        )
        yield "  ".join(texts).rstrip()


def figure(value: float | str | None) -> str:
    """Format a number with separators, and a text with escapes; an empty text for no value."""
    if isinstance(value, float):
        return f"{value:,.3f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else escape(value or "")


def count_lines(counts: Mapping[str, Any]) -> list[str]:
    """Format counts as lines, with the counts of answers last."""
    answers = {f"{name} answers": count for name, count in counts.get("verified", {}).items()}
    lines = {name: value for name, value in counts.items() if name != "verified"} | answers
    return [f"{name.replace('_', ' '):18} {figure(value)}" for name, value in lines.items()]
