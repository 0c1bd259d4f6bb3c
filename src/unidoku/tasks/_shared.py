"""Options of several tasks, and tables and counts as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from unidoku._arguments import MAX_COUNT
from unidoku._cli.run import CommandResult
from unidoku._options import POSITIVE, Choice, Option, Whole, WordList
from unidoku._words import catalog, table
from unidoku.errors import escape

if TYPE_CHECKING:
    import click

    from unidoku._cli.call import Call
    from unidoku.rating._steps import Step
    from unidoku.runner._summary import Summary
    from unidoku.tasks._examine import Answer
    from unidoku.tasks._search import Search


class _Seed(Whole):
    """A whole number, or a date, which is the number of its digits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number: 20261129 for 2026-11-29."""
        from datetime import date  # not at the top: it is needed seldom

        with suppress(ValueError):  # a number
            value = date.fromisoformat(str(value)).strftime("%Y%m%d")
        return super().convert(value, param, ctx)


SEED: Option = Option(
    "seed",
    "Use this seed, a whole number or a date.",
    type=_Seed(0, MAX_COUNT),
    show_default="random, printed",
    metavar="S",
)
"""The option for the seed of random choices."""

SOLUTION = Option(
    "solution",
    "Read the solutions from this column (name or number).",
    show_default="by its name: solution, solutions, answer …",
    metavar="COLUMN",
)
"""The option for the column of solutions, which move with their puzzles."""

BLACK = Option("black", "Draw without colours; a PDF is printed with one ink.", default=False)
"""The option for pictures on paper."""

CELLS = Option(
    "names",
    "Call the cells 1 to 81 (numbers) or r1c1 (rc) in the text; pages have a switch for this.",
    type=Choice(["numbers", "rc"]),
    flags=("--cells",),
    default="numbers",
)
"""The option for the names of cells."""


def words_to_show(words: Mapping[str, str], show_default: str = "none") -> Option:
    """Return the option ``--show`` for words with descriptions."""
    descriptions = ", ".join(f"{word} ({description})" for word, description in words.items())
    return Option(
        "show",
        f"Show these, separated by commas, or none: {descriptions}.",
        type=WordList(words, alone={"none": ()}),
        show_default=show_default,
    )


UNITS = Option(
    "units",
    "Search row, column and box in this order.",
    type=WordList(["row", "column", "box"]),
    metavar="UNITS",
    default=("row", "column", "box"),
)
"""The option for the order of units in the numerical-analysis method."""

FILTERS = {"filters": '"No shrink happened" for a filter that finds nothing'}
"""Words of ``--show`` for a search by groups and ply."""


def every_step(steps: Iterable[Step], lang: str, *, is_full: bool) -> str:
    """Return the steps of `unidoku.all_steps` as text, a line each: its rating and its sentence."""
    lines = [f"{step.rating:4.1f}  {step.sentence}" for step in steps]
    return "\n".join(lines) or table(lang)["rating"]["full" if is_full else "none"]


def examined(is_right: Callable[[Answer], bool]) -> Callable[[Call[Search, Any], bytes | str], CommandResult]:
    """Return what ``--json`` shows of one puzzle by a search: its answer, and whether it is right."""

    def show(call: Call[Search, Any], puzzle: bytes | str) -> CommandResult:
        from unidoku.tasks._examine import answer_to  # not at the top: only --json needs it

        found = answer_to(puzzle, limit=call.about.limit, budget=call.about.budget)
        return CommandResult(rows=[asdict(found)], is_right=is_right(found))

    return show


SOLUTIONS = Option("solutions", "Also write the solutions.", default=False)
"""The option for solutions next to puzzles."""


SOLUTION_COUNT = Option(
    "count",
    "Write N solutions of each puzzle.",
    type=POSITIVE,
    show_default="all",
    flags=("-n", "--count"),
    needs=("--all",),
)
"""The option for the largest number of solutions of a puzzle that are written."""


def label(name: str, lang: str) -> str:
    """Return the word for a count, a verdict or a column of a table."""
    text = name.replace("_", " ")
    return catalog(lang).pgettext(f"counts.{text}", text)  # in English its own word: no table is read


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a Chinese character."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # not at the top: a check starts faster

    return cell_len(text)


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
        if value < 999.5:
            return f"{value:.3g}"
        return f"{value:,.0f}"
    if isinstance(value, int):
        return f"{value:,}"
    return escape(value or "")


def count_lines(counts: Mapping[str, Any], lang: str) -> list[str]:
    """Format counts as lines in a language."""
    return [fact_line(label(name, lang), figure(value), 18) for name, value in counts.items()]


def answer_counts(summary: Summary, *names: str) -> dict[str, int]:
    """Return counts of answers by their names in lines."""
    return {f"{name} answers": getattr(summary, name) for name in names}


def fact_line(name: str, value: str, width: int) -> str:
    """Return a line with a name, in a column of a width, and a value."""
    return f"{name}{' ' * (width - width_of(name))} {value}"
