"""The rows of a comparison of solvers, and its views: text, Markdown, CSV, JSON, a picture and a page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from unidoku._words import table
from unidoku.tasks import _speed as speed
from unidoku.tasks._shared import aligned
from unidoku.tasks._speed import Difficulty, bars, figures, name_of
from unidoku.view._pages import environment

WORDS = table("en")["bench"] | {
    "remark": "remark",
    "first": "first",
    "to": "to {limit}",
    "machine": "instruction set {isa}, {compiler}, Python {python}, unidoku {version}; {command}, {date}",
    "limits": "to 2: solutions are counted up to 2; first: a first solution is found",
    "part": "~: of the first puzzles of a set; the standard error of their mean is above {most:.0f} %",
}


MOST_SPREAD = 0.2
"""The largest spread of a figure on a page, and the largest standard error of one without a mark."""


@dataclass(frozen=True)
class Row(speed.Row):
    """The row of any solver.

    Attributes
    ----------
    guesses, rounds : float or None
        The mean number of guesses, and of rounds of propagation, of a puzzle, if the solver reports them.
    remark : str
        Why there is no figure, or what is particular about it.
    error : float or None
        The relative standard error of the mean of the puzzles, if they are a part of the set.
    """

    guesses: float | None = None
    rounds: float | None = None
    remark: str = ""
    error: float | None = None

    @property
    def mark(self) -> str:
        """What stands before a figure: that it is a lower bound, or that of a few puzzles."""
        return "> " if self.cut_off else "~ " if (self.error or 0) > MOST_SPREAD else ""


NOTES = (WORDS["ratios"], WORDS["spreads"], WORDS["part"].format(most=100 * MOST_SPREAD))


@dataclass(frozen=True)
class BenchmarkReport:
    """The result of a comparison or of the command `bench`, with the commit and the command that measured."""

    machine: dict[str, Any]
    date: str
    sources: dict[str, str]
    rows: tuple[Row, ...]
    commit: str = ""
    command: str = "unidoku bench"
    typical: dict[str, dict[str, float]] = field(default_factory=dict)
    slowest: tuple[Difficulty, ...] = ()

    def lines(self) -> list[str]:
        """Return the tables as lines of text."""
        text = [*self._head(), ""]
        for name, rows in self.groups():
            text += [self._title(name), *aligned(self.table(rows), "solver", "call", "remark"), ""]
        return [*text, *NOTES]

    def markdown(self) -> str:
        """Return the tables as Markdown, without what is not measured."""
        parts = ["  \n".join(self._head())]
        for name, rows in self.groups():
            parts.append(f"**{self._title(name)}**")
            first, *others = self.table(rows)
            rule = ["---" if each in ("solver", "call", "remark") else "---:" for each in first]
            parts.append("\n".join("| " + " | ".join(cells) + " |" for cells in (first, rule, *others)))
        return "\n\n".join([*parts, "; ".join(NOTES)]) + "\n"

    def csv(self) -> str:
        """Return the rows as CSV."""
        file = io.StringIO()
        writer = csv.DictWriter(file, [each.name for each in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, self.rows))
        return file.getvalue()

    def json(self) -> str:
        """Return the report as JSON; `from_json` reads it."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> BenchmarkReport:
        """Read a report: of `json`, or of pytest-benchmark, which has it under ``report``."""
        values = json.loads(text)
        values = values.get("report", values)
        rows = tuple(Row(**row) for row in values.pop("rows"))
        slowest = tuple(Difficulty(**each) for each in values.pop("slowest"))
        return cls(rows=rows, slowest=slowest, **values)

    def html(self) -> str:
        """Return one page with the picture and the tables."""
        page = Path(__file__).with_name("report.html").read_text(encoding="utf-8")
        return (
            environment()
            .from_string(page)
            .render(
                lang="en",
                title=WORDS["title"],
                head=self._head()[2:],  # the picture says the others
                picture=self.svg(),
                tables=[(self._title(name), self.table(rows)) for name, rows in self.groups()],
                left=("solver", "call", "remark"),
                notes=NOTES,
            )
        )

    def svg(self) -> str:
        """Return a picture: a bar for each solver, set by set, on one logarithmic axis."""
        groups = [(self._title(name), [*_bars(rows)]) for name, rows in self.groups()]
        return bars(self._head()[:2], groups, WORDS)

    def groups(self) -> list[tuple[str, list[Row]]]:
        """Return the rows of each set."""
        names = dict.fromkeys(row.set for row in self.rows)
        return [(name, [row for row in self.rows if row.set == name]) for name in names]

    def _head(self) -> list[str]:
        machine = {name: value for name, value in self.machine.items() if isinstance(value, str)}
        made = WORDS["machine"].format(command=self.command, date=self.date, **machine)
        commit = f", commit {self.commit}" if self.commit else ""
        return [machine["processor"], f"{made}{commit}", WORDS["units"], WORDS["limits"]]

    def _title(self, name: str) -> str:
        source = self.sources.get(name, "")
        if self.command == "unidoku bench":  # which has the number of puzzles
            source = WORDS[f"source {name}"].format(n=source)
        return f"{name}: {source}".removesuffix(": ")

    @staticmethod
    def table(rows: Sequence[Row]) -> list[list[str]]:
        """Return the cells of a table: a line for each solver and call, columns for each limit."""
        lines = dict.fromkeys((row.solver, row.call, row.threads) for row in rows)
        limits = sorted({row.limit for row in rows}, key=lambda limit: limit == 1)
        found = {(row.solver, row.call, row.threads, row.limit): row for row in rows}
        counts = [
            name for name in ("guesses", "rounds") if any(getattr(row, name) is not None for row in rows)
        ]
        head = [WORDS["solver"], WORDS["call"], WORDS["puzzles"]]
        for limit in limits:
            head += [limit_name(limit), WORDS["spread"], WORDS["ratio"]]
        cells = [[*head, *(WORDS[name] for name in counts)]]
        for line in lines:
            some = [found.get((*line, limit)) for limit in limits]
            present = [row for row in some if row is not None]
            sizes = dict.fromkeys(f"{row.puzzles:,}" for row in present if row.puzzles)
            parts = [*name_of(Row("", *line), WORDS), ", ".join(sizes)]
            for row in some:
                parts += _cells(row)
            parts += [
                next((figures(getattr(row, name)) for row in present if getattr(row, name) is not None), "")
                for name in counts
            ]
            cells.append([*parts, "; ".join(dict.fromkeys(_remarks(present)))])
        remarks = any(line[-1] for line in cells[1:])
        return (
            [[*cells[0], WORDS["remark"]], *cells[1:]]
            if remarks
            else [cells[0], *(c[:-1] for c in cells[1:])]
        )


def limit_name(limit: int) -> str:
    """Return the heading of the times with a limit."""
    name = {0: "time", 1: "first"}.get(limit, "to")
    return WORDS[name].format(limit=limit)


def _cells(row: Row | None) -> list[str]:
    """Return the time, the spread and the ratio of a row."""
    if row is None or row.seconds is None:
        return ["-", "", ""]
    spread = "" if row.spread is None else f"{100 * row.spread:.0f} %"
    ratio = "" if row.ratio is None else f"{row.mark}{figures(row.ratio)}"
    return [f"{row.mark}{figures(1e6 * row.seconds)}", spread, ratio]


def _remarks(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the remarks of the rows of a line."""
    for row in rows:
        remark = row.remark
        if row.cut_off and not remark:
            remark = WORDS["cut off"].format(n=row.cut_off, puzzles=row.puzzles, stop=figures(row.stop or 0))
        if remark:
            yield remark


def _bars(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the row of the largest limit for each solver and call that has a figure, the quickest first."""
    best: dict[tuple[str, str, int], Row] = {}
    for row in sorted(rows, key=lambda row: row.limit, reverse=True):
        if row.seconds is not None:
            best.setdefault((row.solver, row.call, row.threads), row)
    limits = {row.limit for row in best.values()}
    for row in sorted(best.values(), key=lambda row: (row.call, row.seconds)):
        note = " (first)" if limits > {row.limit} == {1} else ""
        yield replace(row, solver=f"{row.solver}{note}")


VIEWS: dict[str, Callable[[BenchmarkReport], str]] = {
    ".svg": BenchmarkReport.svg,
    ".html": BenchmarkReport.html,
    ".csv": BenchmarkReport.csv,
    ".json": BenchmarkReport.json,
    ".md": BenchmarkReport.markdown,
    ".txt": lambda report: "\n".join(report.lines()) + "\n",
}
"""The views by the suffix of a file."""
