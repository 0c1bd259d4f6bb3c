"""The figures of README.md and docs/ from the stored reports in bench/results: ``python -m bench --pages``.

What stands between two comments of a page is made here; tests/docs/test_figures.py compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from report import MOST_SPREAD, BenchmarkReport, Row, figures

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).parent / "results"
PAGES = ("README.md", "docs/benchmarks.md", "docs/zh.md", "bench/figures.md")
BLOCK = re.compile(r"(<!-- figures: (\S+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
MACHINES = {"zen4-gcc": "Zen 4", "zen5-clang": "Zen 5", "zen5-gcc": "Zen 5", "xeon-clang": "Xeon"}
"""The stored reports, one for each processor family and compiler; the first is the newest."""
SHORT = ("unidoku avx512", "naive")
"""The solvers that are called for one puzzle at a time, of the short table."""
UNSTEADY = f"its runs differ by more than {MOST_SPREAD:.0%}"
PICTURE = "docs/images/benchmarks.svg"


@cache
def report(name: str) -> BenchmarkReport:
    """Return a stored report without the figures whose runs differ too much."""
    stored = BenchmarkReport.from_json((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    rows = [
        replace(row, seconds=None, ratio=None, remark=UNSTEADY) if (row.spread or 0) > MOST_SPREAD else row
        for row in stored.rows
    ]
    return replace(stored, rows=tuple(rows))


def family(name: str) -> str:
    return f"{MACHINES[name]}, {report(name).machine['compiler']}"


def row_of(stored: BenchmarkReport, name: str, solver: str, limit: int = 2) -> Row | None:
    """Return the row of a solver on a set, if it has a figure."""
    wanted = (name, solver, limit)
    found = [
        row for row in stored.rows if (row.set, row.solver, row.limit) == wanted and row.ratio is not None
    ]
    return found[0] if found else None


def ratios(name: str, solver: str) -> dict[str, float]:
    """Return how many times as long a solver takes, on each machine that has it."""
    found = {family(each): row_of(report(each), name, solver) for each in MACHINES}
    return {machine: row.ratio for machine, row in found.items() if row is not None and row.ratio is not None}


def two_digits(number: float) -> str:
    return figures(float(f"{number:.2g}"))


def span(numbers: Iterable[float], between: str) -> str:
    """Return the range of some numbers."""
    low, *_, high = sorted(map(two_digits, numbers), key=lambda text: float(text.replace(",", "")))
    return low if low == high else f"{low}{between}{high}"


def names(machines: Iterable[str], last: str) -> str:
    """Return the families of machines in words."""
    families = list(dict.fromkeys(machine.partition(",")[0] for machine in machines))
    return f"{', '.join(families[:-1])}{last}{families[-1]}"


def readme() -> str:
    """Return how much faster than tdoku and the backtracker the kernels are, and on which machines."""
    clues, several, easy = ratios("17clue", "tdoku"), ratios("several", "tdoku"), ratios("easy", "naive")
    avx2 = ratios("17clue", "tdoku avx2")
    lines = (
        "With AVX-512 and one thread, unidoku is faster at checking many puzzles in one call than",
        "[tdoku](https://github.com/t-dillon/tdoku), the fastest C++ solver that we know of:",
        f"{span(clues.values(), ' to ')} times as fast for puzzles with 17 clues, and "
        f"{span(several.values(), ' to ')} times as fast for puzzles with several",
        f"solutions. This was measured on {names(clues, ' and ')} processors. With AVX2, as in most laptops,",
        f"the ratio for 17 clues is {span(avx2.values(), ' to ')} ({names(avx2, ' and ')}). For one "
        "easy puzzle, the textbook",
        f"backtracker takes {span(easy.values(), ' to ')} times as long as `check` ({names(easy, ' and ')}).",
    )
    return "\n".join(lines)


def chinese() -> str:
    easy = ratios("easy", "naive")
    times = span(easy.values(), " 至 ")
    return (
        f"在我们的机器上（{'；'.join(easy)}），简单的题，回溯的时间是一次 `check` 调用的 {times} 倍"
        "（全部数据在 `bench/figures.md`）。"
    )


def wide(stored: BenchmarkReport, limit: int) -> str:
    """Return one table: a line for each solver, a column for each set; the time of ours, others' ratio."""
    groups = stored.groups()
    sets = [name for name, rows in groups if any(row.limit == limit and row.seconds for row in rows)]
    lines = dict.fromkeys((row.solver, row.call) for row in stored.rows if row.limit == limit)
    found = {(row.set, row.solver, row.call): row for row in stored.rows if row.limit == limit}
    head = ["solver", "call", *sets]
    table = [head, ["---", "---", *["---:"] * len(sets)]]
    for solver, call in lines:
        rows = [found.get((name, solver, call)) for name in sets]
        if not any(row and row.seconds for row in rows):
            continue
        table.append([solver, {"batch": "many", "single": "one"}[call], *map(cell, rows)])
    return "\n".join("| " + " | ".join(each) + " |" for each in table)


def short() -> str:
    """Return the table of the newest report with the solvers of many puzzles a call, and the backtracker."""
    stored = report(next(iter(MACHINES)))
    rows = [row for row in stored.rows if row.call == "batch" or row.solver in SHORT]
    return f"{family(next(iter(MACHINES)))}:\n\n{wide(replace(stored, rows=tuple(rows)), 2)}"


def cell(row: Row | None) -> str:
    if row is None or row.seconds is None:
        return ""
    if row.solver.startswith("unidoku"):
        ratio = f" ({figures(row.ratio)})" if row.ratio not in (None, 1.0) else ""
        return f"{figures(1e6 * row.seconds)} us{ratio}"
    return f"{row.mark}{figures(row.ratio)}" if row.ratio is not None else f"{figures(1e6 * row.seconds)} us"


def absence(stored: BenchmarkReport) -> str:
    """Return which solvers have no figure, and why."""
    reasons: dict[str, list[str]] = {}
    measured = {row.solver for row in stored.rows if row.seconds}
    for row in stored.rows:
        if row.solver not in measured and row.remark:
            reasons.setdefault(row.solver, []).append(row.remark)
    return "".join(f"\n\nNot measured: {solver}, {each[0]}." for solver, each in reasons.items())


def machine(name: str) -> str:
    """Return the section of a processor and a compiler."""
    stored = report(name)
    facts = stored.machine
    parts = [
        f"### {family(name)}",
        f"{facts['processor']}, {facts['platform']}, Python {facts['python']}, {facts['isa']}; "
        f"`{stored.command}`, commit {stored.commit}, {stored.date}.",
        "Counted to two:",
        wide(stored, 2),
    ]
    if any(row.limit == 1 and row.seconds for row in stored.rows):
        parts += ["First solution:", wide(stored, 1)]
    return "\n\n".join(parts) + absence(stored)


def other_table(name: str) -> str:
    """Return a table that another program has measured."""
    stored = json.loads((RESULTS / "others.json").read_text(encoding="utf-8"))[name]
    rows = [stored["head"], ["---"] * len(stored["head"]), *stored["rows"]]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return (
        f"`{stored['command']}`, {stored['machine']}; commit {stored['commit']}, {stored['date']}; "
        f"before: commit {stored['before']}.\n\n{table}"
    )


def block_text(block: str) -> str:
    """Return what stands in a block."""
    makers: dict[str, Callable[[], str]] = {"readme": readme, "zh": chinese, "short": short}
    if block in makers:
        return makers[block]()
    return machine(block) if block in MACHINES else other_table(block)


def page_text(page: str) -> str:
    """Return the text of a page with the stored figures."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return BLOCK.sub(lambda match: f"{match[1]}\n{block_text(match[2])}\n\n{match[3]}", text)


def picture() -> str:
    return report(next(iter(MACHINES))).svg()


def update() -> None:
    """Write the pages and the picture."""
    for page in PAGES:
        (ROOT / page).write_text(page_text(page), encoding="utf-8")
    (ROOT / PICTURE).write_text(picture(), encoding="utf-8")
