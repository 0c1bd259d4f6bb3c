"""The rows of a comparison of solvers, and its views: text, Markdown, CSV, JSON, a picture and a page."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from html import escape
from typing import Any, Literal, TypeAlias

from unidoku.tasks.tables import aligned
from unidoku.view.svg import INKS
from unidoku.words import table

Call: TypeAlias = Literal["batch", "single"]


@dataclass(frozen=True, slots=True)
class Row:
    """The speed of a solver on puzzles of a set, in one kind of call.

    Attributes
    ----------
    set : str
        The name of the set; ``inputs`` for the puzzles of the caller.
    solver : str
        ``unidoku`` with an instruction set, ``naive`` for the textbook backtracker, or another program.
    call : {"batch", "single"}
        Whether a call solves many puzzles or one, from text to answer.
    threads : int
        The number of threads.
    limit : int
        The largest number of solutions to find: 1 is the first solution, 2 tells whether a puzzle is proper;
        0 for a work without a limit.
    puzzles : int
        How many puzzles were solved in a run.
    seconds : float or None
        Processor time a puzzle, over all threads: the least of all runs. None: see `remark`.
    spread : float or None
        How far the median run is above the least one, as a fraction: the larger one of the solver and of
        unidoku beside it.
    ratio : float or None
        `seconds` divided by those of unidoku with the same limit and the same kind of call, for the same
        puzzles (or images of them, if they are few), in alternate runs.
    runs : int
        How often the puzzles were solved.
    guesses, rounds : float or None
        The mean number of guesses, and of rounds of propagation, of a puzzle, if the solver reports them.
    cut_off : int
        Puzzles that were not finished in time. Their time until then counts, so that `seconds` and `ratio`
        are lower bounds if there are any.
    stop : float or None
        The seconds after which a puzzle was cut off, if any was.
    remark : str
        Why there is no figure, or what is particular about it.
    """

    set: str
    solver: str
    call: Call
    threads: int = 1
    limit: int = 2
    puzzles: int = 0
    seconds: float | None = None
    spread: float | None = None
    ratio: float | None = None
    runs: int = 0
    guesses: float | None = None
    rounds: float | None = None
    cut_off: int = 0
    stop: float | None = None
    remark: str = ""

    @property
    def per_second(self) -> float | None:
        """Puzzles a second of processor time: what one core does."""
        return None if self.seconds is None else 1 / self.seconds


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How much a puzzle of the caller takes: its place among the puzzles, from 1 on, and the puzzle."""

    number: int
    puzzle: str
    guesses: int
    rounds: int


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The result of a comparison.

    Attributes
    ----------
    machine : dict
        The values of ``unidoku info --json``.
    date : str
        The day of the measurement, as ``2026-11-26``.
    commit : str
        The commit of unidoku, if it is known.
    command : str
        The command that measured.
    sources : dict of str to str
        The sets, and where their puzzles come from.
    rows : tuple of Row
        Set by set.
    typical : dict of str to dict
        Of the puzzles of the caller: the median, the 90th and the 99th percentile and the maximum of
        ``guesses`` and ``rounds``.
    slowest : tuple of Difficulty
        Those of the caller with the most guesses and rounds.
    """

    machine: dict[str, Any]
    date: str
    sources: dict[str, str]
    rows: tuple[Row, ...]
    commit: str = ""
    command: str = "unidoku bench"
    typical: dict[str, dict[str, float]] = field(default_factory=dict)
    slowest: tuple[Difficulty, ...] = ()

    def __str__(self) -> str:
        """Return the tables as text."""
        return "\n".join(self.lines())

    def lines(self, lang: str = "en") -> list[str]:
        """Return the tables as lines of text in a language."""
        words = table(lang)["bench"]
        head = [*self._head(words), ""]
        for name, rows in self.groups():
            head.append(self._title(name, words))
            head.extend(aligned(self.table(rows, words), words["solver"], words["call"], words["remark"]))
            head.extend(["", *(self._inputs(words) if name == "inputs" else ())])
        return [*head, words["ratios"], words["spreads"]]

    def markdown(self, lang: str = "en") -> str:
        """Return the tables as Markdown, without what is not measured."""
        words = table(lang)["bench"]
        parts = ["  \n".join(self._head(words))]
        for name, rows in self.groups():
            parts.append(f"**{self._title(name, words)}**")
            first, *others = self.table(rows, words)
            names = (words["solver"], words["call"], words["remark"])
            rule = ["---" if each in names else "---:" for each in first]
            parts.append("\n".join("| " + " | ".join(cells) + " |" for cells in (first, rule, *others)))
        return "\n\n".join([*parts, f"{words['ratios']} {words['spreads']}"]) + "\n"

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

    def html(self, lang: str = "en") -> str:
        """Return one page with the picture and the tables."""
        from unidoku.view.pages import template

        words = table(lang)["bench"]
        flush_left = (words["solver"], words["call"], words["remark"])
        return template("bench.html").render(
            lang=lang,
            title=words["title"],
            head=self._head(words)[2:],  # the picture says the others
            picture=self.svg(lang),
            tables=[(self._title(name, words), self.table(rows, words)) for name, rows in self.groups()],
            left=flush_left,
            notes=(words["ratios"], words["spreads"]),
        )

    def svg(self, lang: str = "en") -> str:
        """Return a picture: a bar for each solver, set by set, on one logarithmic axis."""
        return _picture(self, table(lang)["bench"])

    def groups(self) -> list[tuple[str, list[Row]]]:
        """Return the rows of each set."""
        names = dict.fromkeys(row.set for row in self.rows)
        return [(name, [row for row in self.rows if row.set == name]) for name in names]

    def _head(self, words: Mapping[str, str]) -> list[str]:
        facts = {name: value for name, value in self.machine.items() if isinstance(value, str)}
        made = words["commit" if self.commit else "date"].format(
            command=self.command, date=self.date, commit=self.commit
        )
        return [
            facts["processor"],
            f"{words['machine'].format(**facts)}{made}",
            words["units"],
            words["limits"],
        ]

    def _title(self, name: str, words: Mapping[str, str]) -> str:
        source = self.sources.get(name, "")
        if name == "inputs":
            source = words["source inputs"].format(n=source)
        elif source == table("en")["bench"].get(f"source {name}"):  # not another list of this name
            source = words[f"source {name}"]
        return f"{words.get(name, name)}: {source}".removesuffix(": ")

    def _inputs(self, words: Mapping[str, str]) -> Iterator[str]:
        """Yield what is typical of the puzzles of the caller, and the slowest ones."""
        for name, values in self.typical.items():
            figures_of = {key: figures(value) for key, value in values.items()}
            yield words["typical"].format(what=words[name], **figures_of)
        for row in self.rows:
            if row.set == "inputs" and row.threads == 1 and row.ratio == 1 and row.per_second:
                yield words["core"].format(n=figures(row.per_second), call=words[row.call])
        if self.slowest:
            head = [words[name] for name in ("number", "guesses", "rounds", "puzzle")]
            rows = [[str(x.number), str(x.guesses), str(x.rounds), x.puzzle] for x in self.slowest]
            yield from ("", words["slowest"], *aligned([head, *rows], words["puzzle"]), "")

    @staticmethod
    def table(rows: Sequence[Row], words: Mapping[str, str]) -> list[list[str]]:
        """Return the cells of a table: a line for each solver and call, columns for each limit."""
        lines = dict.fromkeys((row.solver, row.call, row.threads) for row in rows)
        limits = sorted({row.limit for row in rows}, key=lambda limit: limit == 1)
        found = {(row.solver, row.call, row.threads, row.limit): row for row in rows}
        counts = [
            name for name in ("guesses", "rounds") if any(getattr(row, name) is not None for row in rows)
        ]
        head = [words["solver"], words["call"], words["puzzles"]]
        for limit in limits:
            head += [limit_name(limit, words), words["spread"], words["ratio"]]
        cells = [[*head, *(words[name] for name in counts)]]
        for line in lines:
            solver, call, threads = line
            some = [found.get((*line, limit)) for limit in limits]
            present = [row for row in some if row is not None]
            sizes = dict.fromkeys(f"{row.puzzles:,}" for row in present if row.puzzles)
            how = words[call] if threads == 1 else words["threads"].format(call=words[call], n=threads)
            parts = [words.get(solver, solver), how, ", ".join(sizes)]
            for row in some:
                parts += _cells(row)
            parts += [
                next((figures(getattr(row, name)) for row in present if getattr(row, name) is not None), "")
                for name in counts
            ]
            cells.append([*parts, "; ".join(dict.fromkeys(_remarks(present, limits, words)))])
        remarks = any(line[-1] for line in cells[1:])
        return (
            [[*cells[0], words["remark"]], *cells[1:]]
            if remarks
            else [cells[0], *(c[:-1] for c in cells[1:])]
        )


def limit_name(limit: int, words: Mapping[str, str]) -> str:
    """Return the heading of the times with a limit."""
    name = {0: "time", 1: "first"}.get(limit, "to")
    return words[name].format(limit=limit)


def _cells(row: Row | None) -> list[str]:
    """Return the time, the spread and the ratio of a row."""
    if row is None or row.seconds is None:
        return ["-", "", ""]
    bound = "> " if row.cut_off else ""
    spread = "" if row.spread is None else f"{100 * row.spread:.0f} %"
    ratio = "" if row.ratio is None else f"{bound}{figures(row.ratio)}"
    return [f"{bound}{figures(1e6 * row.seconds)}", spread, ratio]


def _remarks(rows: Iterable[Row], limits: Sequence[int], words: Mapping[str, str]) -> Iterator[str]:
    """Yield the remarks of the rows of a line, each with its limit if there are several limits."""
    for row in rows:
        remark = row.remark
        if row.cut_off and not remark:
            remark = words["cut off"].format(n=row.cut_off, puzzles=row.puzzles, stop=figures(row.stop or 0))
        if remark:
            yield remark


def figures(number: float) -> str:
    """Return a number with three significant digits."""
    return f"{float(f'{number:.3g}'):,.15g}"


_SOLVER, _CELL, _LINE, _TOP, _WIDTH, _RIGHT = 230, 17, 11, 78, 900, 205
_STYLE = (
    "text{font:11px system-ui,'Segoe UI','DejaVu Sans',sans-serif}.head{font-size:15px;font-weight:700}"
    ".set{font-weight:700}.end{text-anchor:end}.middle{text-anchor:middle}"
)


def _colors(light: bool) -> str:
    paper, line, ink, found, faint = (
        INKS[name][0 if light else 1] for name in ("paper", "line", "ink", "found", "faint")
    )
    gray, orange = ("#98a2ad", "#c4721b") if light else ("#7d8893", "#e09a4d")
    return (
        f".paper{{fill:{paper}}}text{{fill:{ink}}}.faint{{fill:{faint}}}.axis{{stroke:{line}}}"
        f".ours{{fill:{found}}}.peer{{fill:{gray}}}.naive{{fill:{orange}}}"
    )


def _duration(power: int, words: Mapping[str, str]) -> str:
    """Return a power of ten of seconds in its unit."""
    for least, unit in ((0, "s"), (-3, "ms"), (-6, "us")):
        if power >= least:
            return f"{10 ** (power - least):,} {words[f'unit {unit}']}"
    return f"{10 ** (power + 9):,} {words['unit ns']}"


def _time(seconds: float, words: Mapping[str, str]) -> str:
    """Return a time in the unit that suits it."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1:
            return f"{figures(seconds * factor)} {words[f'unit {unit}']}"
    return f"{figures(seconds * 1e9)} {words['unit ns']}"


def _picture(report: BenchmarkReport, words: Mapping[str, str]) -> str:
    """Draw a bar for each solver and call: of the larger limit, or of the first solution."""
    times = [row.seconds for row in report.rows if row.seconds]
    low, high = _powers(times)

    def x(seconds: float) -> float:
        width = _WIDTH - _SOLVER - _RIGHT
        return _SOLVER + width * (math.log10(seconds) - low) / max(high - low, 1)

    parts: list[str] = []

    def write(kind: str, at: float, y: float, text: str) -> None:
        parts.append(f'<text class="{kind}" x="{at:.1f}" y="{y:.1f}">{escape(text)}</text>')

    y = float(_TOP)
    for name, rows in report.groups():
        y += _CELL
        write("set", 10, y, report._title(name, words))
        for row in _bars(rows):
            y += _CELL
            how = (
                words[row.call]
                if row.threads == 1
                else words["threads"].format(call=words[row.call], n=row.threads)
            )
            write("end", _SOLVER - 6, y, f"{words.get(row.solver, row.solver)}, {how}")
            if row.seconds is None:
                write("faint", _SOLVER + 5, y, row.remark)
                continue
            ours = row.solver.startswith("unidoku")
            kind = "ours" if ours else "naive" if row.solver == "naive" else "peer"
            end = max(x(row.seconds), _SOLVER + 1)
            parts.append(
                f'<rect class="{kind}" x="{_SOLVER}" y="{y - _LINE + 2:.1f}" width="{end - _SOLVER:.1f}" '
                f'height="{_LINE}" rx="1.5"/>'
            )
            bound = "> " if row.cut_off else ""
            label = f"{bound}{_time(row.seconds, words)}"
            if row.ratio is not None:
                label += f", {bound}{figures(row.ratio)} ×"
            if row.limit == 1 and any(each.limit != 1 for each in rows):
                label += f"  ({words['first']})"
            write("", end + 5, y, label)
        y += _CELL * 0.7
    bottom = y
    axis = [
        line for power in range(low, high + 1) for line in _scale_lines(x(10.0**power), bottom, power, words)
    ]
    heading = (
        f'<text class="head" x="10" y="22">{escape(words["title"])}</text>'
        f'<text class="faint" x="10" y="40">{escape(", ".join(report._head(words)[:2]))}</text>'
        f'<text class="faint" x="10" y="55">{escape(words["axis"])}</text>'
    )
    style = f"{_STYLE}{_colors(True)}@media (prefers-color-scheme:dark){{{_colors(False)}}}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 24:.0f}" role="img">'
        f"<title>{escape(words['title'])}</title><style>{style}</style>"
        f'<rect class="paper" width="{_WIDTH}" height="{bottom + 24:.0f}"/>'
        + "\n".join([*axis, heading, *parts])
        + "</svg>\n"
    )


def _powers(times: Sequence[float]) -> tuple[int, int]:
    """Return the powers of ten between which times are."""
    if not times:
        return -9, 0
    return math.floor(math.log10(min(times))), math.ceil(math.log10(max(times) * 1.0001))


def _scale_lines(x: float, bottom: float, power: int, words: Mapping[str, str]) -> Iterator[str]:
    """Yield the line of a power of ten in the picture, with its duration above and below."""
    yield f'<line class="axis" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom:.1f}"/>'
    for place in (_TOP - 6, bottom + 14):
        yield f'<text class="faint middle" x="{x:.1f}" y="{place:.1f}">{_duration(power, words)}</text>'


def _bars(rows: Iterable[Row]) -> list[Row]:
    """Return a row for each solver and call: the largest limit that has a figure."""
    best: dict[tuple[str, str, int], Row] = {}
    for row in sorted(rows, key=lambda row: (row.seconds is not None, row.limit), reverse=True):
        best.setdefault((row.solver, row.call, row.threads), row)
    return sorted(best.values(), key=lambda row: (row.call, row.seconds or math.inf))


VIEWS: dict[str, Callable[[BenchmarkReport, str], str]] = {
    ".svg": lambda report, lang: report.svg(lang),
    ".html": lambda report, lang: report.html(lang),
    ".csv": lambda report, _: report.csv(),
    ".json": lambda report, _: report.json(),
    ".md": lambda report, lang: report.markdown(lang),
    ".txt": lambda report, lang: "\n".join(report.lines(lang)) + "\n",
}
"""The views by the suffix of a file."""
