"""The figures of docs/benchmarks.md for this machine, and their plot: ``python -m bench --page``.

The block of figures of this processor is replaced, those of other processors stay.  All solvers of a set run
in turn, each on one thread, on the same puzzles; the best of several rounds counts.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).parent))

from peers import NAMES, PACKAGES, Absent, Solver, Work, load
from peers.packages import puzzles_per_second
from puzzle_sets import named_set
from single import medians
from table import warmed_up

from unidoku import __version__, kernel
from unidoku.tasks.info import facts
from unidoku.tasks.speed import alternate, benchmark_set, compare

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
SETS = {  # puzzles of each
    "easy": 20_000,
    "middle": 20_000,
    "17clue": 20_000,
    "top1465": 1_465,
    "hard": 600,
    "hardest": 1_465,
    "1106": 375,
    "several": 5_000,
    "serg": 10_000,
}
CHILD = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
sys.exit(os.waitstatus_to_exitcode(status))
"""
ROUNDS = 5  # at least
SECONDS = 4.0  # for the rounds on a set, and for a package on a set
NAIVE_SECONDS = 60.0  # for the backtracker on a set
HEAD = "<!-- figures: {} -->"
FOOT = "<!-- end of figures -->"
Figures = dict[str, dict[str, float]]  # solver -> set -> puzzles a second


def commit() -> str:
    """Return the short name of the commit that is measured."""
    command = ["git", "-C", str(PAGE.parent), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    machine = facts()
    batches = {limit: batch_figures(limit) for limit in (2, 1)}
    packages = package_figures()
    name = machine["processor"]
    image = f"benchmarks-{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}.svg"
    (PAGE.parent / "images" / image).write_text(plot(batches[1] | packages, name), encoding="utf-8")
    parts = [
        f"### {name}",
        f"unidoku {__version__} ({machine['compiler']}, commit {commit()}), Python {machine['python']}, "
        f"{machine['platform']}. Many puzzles per call, one thread: thousand puzzles a second of processor "
        f"time, and in brackets how many times as fast unidoku is ({kernel.isa()}).",
        "Counting to two (is the puzzle unique?):",
        speed_table(batches[2]),
        "Counting to two, the textbook backtracker (`unidoku.naive`): milliseconds of processor time "
        "for a puzzle, and how many times as fast unidoku is on the same puzzles, many per call or one per "
        "call; lower bounds if any were cut off.",
        naive_table(),
        "First solution only:",
        speed_table(batches[1] | packages),
        f"![Puzzles a second, first solution only, on a logarithmic scale](images/{image})",
        "One puzzle per call, counting to two: median microseconds; `check` is called from Python, tdoku "
        "from C.",
        single_table(),
        "A process that solves one puzzle: processor time from start to end, and largest memory.",
        start_table(),
    ]
    text = replaced(PAGE.read_text(encoding="utf-8"), name, "\n\n".join(parts))
    PAGE.write_text(text, encoding="utf-8")


def batch_figures(limit: int) -> Figures:
    """Every compiled solver on every set, in turn."""
    solvers = [solver for solver in present() if solver.most is None]
    found: Figures = {solver.name: {} for solver in solvers}
    for name, lines in sets():
        works = {solver.name: warmed_up(solver, lines, limit) for solver in solvers}
        best = dict.fromkeys(works, math.inf)
        rounds, end = 0, monotonic() + SECONDS
        while rounds < ROUNDS or monotonic() < end:
            rounds += 1
            for solver, work in works.items():
                # twice: the first run may suffer from what the previous solver left in the caches
                best[solver] = min(best[solver], seconds_of(work), seconds_of(work))
        for solver, seconds in best.items():
            found[solver][name] = len(lines) / seconds
        print(f"limit {limit}, {name}: done", file=sys.stderr)
    return found


def package_figures() -> Figures:
    """The packages of PyPI, each as far as it comes in its time."""
    found: Figures = {}
    for name in (*PACKAGES, "pencilmark"):
        for puzzles, lines in sets():
            try:
                found.setdefault(name, {})[puzzles] = package_speed(name, lines)
            except Absent as reason:
                print(f"{name}, {puzzles}: skipped: {reason}", file=sys.stderr)
    return found


def package_speed(name: str, lines: list[str]) -> float:
    """Puzzles a second; `Absent` if it solves none in its time."""
    if name in PACKAGES:
        return puzzles_per_second(name, lines[:1000], SECONDS)
    solver = load(name)
    work = solver.prepare(lines[: solver.most])
    seconds = alternate([work.run], 0, least=2)[:, :, 0].min()
    if not all(work.answers()):
        raise Absent("it refuses a puzzle")
    return len(work.answers()) / seconds


def naive_table() -> str:
    rows = [["", "puzzles", "cut off", "ms", "many per call", "one per call"]]
    for name in ("easy", "middle"):
        batch, single, naive = compare(name, benchmark_set(name, 1000), NAIVE_SECONDS)
        spent = naive.processor_seconds
        ratios = (spent / kernel_row.processor_seconds for kernel_row in (batch, single))
        rows.append([name, str(naive.puzzles), str(naive.cut_off), *map(digits, (1e3 * spent, *ratios))])
    return markdown(rows)


def present() -> Iterable[Solver]:
    """The solvers that are there, ours first; the others are named with the reason."""
    for name in NAMES:
        if name in ("naive", *PACKAGES, "pencilmark"):
            continue
        try:
            yield load(name)
        except Absent as reason:
            print(f"{name}: skipped: {reason}", file=sys.stderr)


def sets() -> Iterable[tuple[str, list[str]]]:
    for name, number in SETS.items():
        lines = named_set(name, number)
        if lines is None:
            print(f"{name}: skipped: no puzzle file beside the repository", file=sys.stderr)
        else:
            yield name, lines[:number]


def seconds_of(work: Work) -> float:
    """Processor time of a run; of another process, its own figure."""
    spent = alternate([work.run], 0)[0, 0, 0]
    return work.seconds() if work.seconds else spent


def speed_table(figures: Figures) -> str:
    """Thousand puzzles a second, and the ratio to each: of our best, to tdoku for AVX2 of ours for AVX2."""
    ours = figures[f"kernel {kernel.isa()}"]
    names = [name for name in SETS if name in ours]
    rows = [["", *(f"{name} ({SETS[name]:,})" for name in names)]]
    for solver, speeds in figures.items():
        cells = []
        base = figures.get(solver.replace("tdoku ", "kernel "), ours) if "tdoku" in solver else ours
        for name in names:
            if name not in speeds:
                cells.append("")
                continue
            ratio = "" if speeds is ours else f" ({digits(base[name] / speeds[name])})"
            cells.append(digits(speeds[name] / 1e3) + ratio)
        rows.append([solver.replace("kernel", "unidoku"), *cells])
    return markdown(rows)


def single_table() -> str:
    rows: list[list[str]] = []
    for name, lines in sets():
        found = medians(lines[:1000])
        if not rows:
            rows.append(["", *found])
        rows.append([name, *(f"{1e6 * seconds:.2f}" for seconds in found.values())])
    return markdown([list(row) for row in zip(*rows, strict=True)])


def start_table() -> str:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    commands = {
        "Python alone": ["-c", "pass"],
        "`unidoku.check`": ["-c", f"import unidoku; unidoku.check({puzzle!r})"],
        "`unidoku.check_many`": ["-c", f"import unidoku; unidoku.check_many([{puzzle!r}])"],
        "`unidoku check PUZZLE`": ["-m", "unidoku", "check", puzzle],
    }
    rows = [["", "milliseconds", "MB"]]
    helper = [sys.executable, "-I", "-S", "-c", CHILD]  # small: memory before the start counts too
    for name, arguments in commands.items():
        command = [*helper, sys.executable, *arguments]
        printed = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(7)]
        runs = [tuple(map(float, each.stdout.split()[-2:])) for each in printed]
        rows.append(
            [name, f"{1e3 * min(run[0] for run in runs):.0f}", f"{min(run[1] for run in runs) / 1e6:.0f}"]
        )
    return markdown(rows)


def digits(number: float) -> str:
    """Three digits."""
    if number >= 100:
        return f"{round(number, 2 - math.floor(math.log10(number))):,.0f}"
    return f"{number:.{2 - max(-4, math.floor(math.log10(number)))}f}"


def markdown(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *body]]
    return "\n".join(lines)


def plot(figures: Figures, title: str) -> str:
    """Bars of puzzles a second on a logarithmic scale, by set, as SVG."""
    left, right, height, width = 190, 90, 15, 760
    speeds = [speed for row in figures.values() for speed in row.values()]
    low, high = math.floor(math.log10(min(speeds))), math.ceil(math.log10(max(speeds)))

    def x(speed: float) -> float:
        return left + (width - left - right) * (math.log10(speed) - low) / (high - low)

    y, parts = 48, []
    for name in SETS:
        rows = [(solver, speeds[name]) for solver, speeds in figures.items() if name in speeds]
        if not rows:
            continue
        parts.append(f'<text x="8" y="{y}" font-weight="bold">{escape(name)}</text>')
        for solver, speed in rows:
            y += height
            colour = "#2a6fbb" if solver.startswith("kernel") else "#b0b0b0"
            label = escape(solver.replace("kernel", "unidoku"))
            parts.append(f'<text x="{left - 6}" y="{y}" text-anchor="end">{label}</text>')
            bar = f'x="{left}" y="{y - 10}" width="{x(speed) - left:.1f}" height="{height - 4}"'
            parts.append(f'<rect {bar} fill="{colour}"/>')
            parts.append(f'<text x="{x(speed) + 5:.1f}" y="{y}">{digits(speed)}</text>')
        y += 2 * height
    for power in range(low, high + 1):
        at = f"{x(10.0**power):.1f}"
        parts.insert(0, f'<line x1="{at}" y1="34" x2="{at}" y2="{y - height}" stroke="#e4e4e4"/>')
    whole = f'<rect width="{width}" height="{y}" fill="white"/>'
    heading = f'<text x="8" y="20" font-size="13">Puzzles a second, one thread: {escape(title)}</text>'
    body = "\n".join([whole, *parts, heading])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" font-family="sans-serif" '
        f'font-size="11" fill="#222">\n{body}\n</svg>\n'
    )


def replaced(page: str, processor: str, figures: str) -> str:
    """The page with the block of this processor replaced, or added as the first one."""
    block = f"{HEAD.format(processor)}\n\n{figures}\n\n{FOOT}"
    known = re.compile(re.escape(HEAD.format(processor)) + ".*?" + re.escape(FOOT), re.DOTALL)
    if known.search(page):
        return known.sub(lambda _: block, page)
    first = page.index(HEAD.partition("{")[0])
    return f"{page[:first]}{block}\n\n{page[first:]}"
