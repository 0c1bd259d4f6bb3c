"""Tables and counts as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from unidoku.errors import escape
from unidoku.words import table

if TYPE_CHECKING:
    from unidoku.runner.summary import Summary


def label(name: str, lang: str) -> str:
    """Return the word for a count, a verdict or a column of a table."""
    word = name.replace("_", " ")
    return word if lang == "en" else table(lang)["counts"][word]


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a Chinese character."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width  # not at the top: a check starts faster

    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def aligned(rows: Sequence[Sequence[str]], *flush_left: str) -> Iterator[str]:
    """Yield the lines of a table with headings; columns are flush right, except those in `flush_left`."""
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        texts = []
        for cell, width, name in zip(row, widths, rows[0], strict=True):
            blanks = " " * (width - width_of(cell))
            texts.append(cell + blanks if name in flush_left else blanks + cell)
        yield "  ".join(texts).rstrip()


def figure(value: float | str | None) -> str:
    """Format a number with separators, and a text with escapes; an empty text for no value."""
    if isinstance(value, float):
        return f"{value:.3g}" if value < 999.5 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else escape(value or "")


def count_lines(counts: Mapping[str, Any], lang: str) -> list[str]:
    """Format counts as lines in a language."""
    return [fact_line(label(name, lang), figure(value), 18) for name, value in counts.items()]


def answer_counts(summary: Summary, *names: str) -> dict[str, int]:
    """Return counts of answers by what they are called in lines."""
    return {f"{name} answers": getattr(summary, name) for name in names}


def fact_line(name: str, value: str, width: int) -> str:
    """Return a line with a name, in a column of a width, and a value."""
    return f"{name}{' ' * (width - width_of(name))} {value}"
