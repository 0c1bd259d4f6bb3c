"""The rows of all benchmarks in one table, and in the JSON of pytest-benchmark under ``report``.

A benchmark gives the fixture `measure` a `Pair` of works that run in turn, or the row that says why there is
none.  All figures are seconds of processor time a puzzle, by the clock of `match`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from match import Pair
from puzzle_sets import sets
from report import MOST_SPREAD, BenchmarkReport, Row

from unidoku.tasks._info import facts

ROWS = pytest.StashKey[list[Row]]()
LOUD = pytest.StashKey[dict[int, Pair]]()
TURNS = 3  # of the rows with a large spread, when all others are measured


class Clock:
    """The timer of pytest-benchmark: it stands at the seconds a puzzle of the rounds until now."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


CLOCK = Clock()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("unidoku")
    group.addoption("--seconds", type=float, default=1.0, help="about how long each row is measured")
    group.addoption("--absent", action="store_true", help="keep rows of solvers that are not installed")
    group.addoption("--stop", type=float, default=5.0, help="seconds after which a puzzle is cut off")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ROWS], config.stash[LOUD] = [], {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker(pytest.mark.benchmark(timer=CLOCK))


@pytest.fixture
def options(request: pytest.FixtureRequest) -> dict[str, float]:
    """The seconds of a row, and after which a puzzle is cut off."""
    return {name: request.config.getoption(f"--{name}") for name in ("seconds", "stop")}


@pytest.fixture
def measure(request: pytest.FixtureRequest, benchmark) -> Callable[[Pair | Row], Row]:
    """Run a pair by pytest-benchmark, and keep its row; one without a figure is skipped, with the reason.

    A pair that needs no fixture may be run again when all are done.
    """
    rows = request.config.stash[ROWS]

    def run(pair: Pair | Row, *, absent: bool = False, again: bool = False) -> Row:
        if isinstance(pair, Row):
            if not absent or request.config.getoption("--absent"):
                rows.append(pair)
            pytest.skip(pair.remark)
        benchmark.group = pair.start.set

        seconds = [*pair.rounds()]
        times = iter(seconds)

        def round() -> None:
            CLOCK.now += next(times)

        benchmark.pedantic(round, rounds=len(seconds))
        row = pair.row()
        if again and (row.spread or 0) > MOST_SPREAD:
            request.config.stash[LOUD][len(rows)] = pair
        rows.append(row)
        return row

    return run


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before pytest-benchmark writes its JSON
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Measure on what has a large spread: what slowed the machine may be over."""
    loud, rows = session.config.stash[LOUD], session.config.stash[ROWS]
    for _ in range(TURNS):
        for number, pair in loud.items():
            if pair.spread() > MOST_SPREAD:
                rows[number] = pair.play()
    yield


def report_of(config: pytest.Config) -> BenchmarkReport:
    """Return the report of all rows until now."""
    rows = config.stash[ROWS]
    sources = {each.name: each.source for each in sets().values()}
    commit = subprocess.run(
        [
            "git",
            "-C",
            str(Path(__file__).parent),
            "describe",
            "--always",
            "--dirty",
            "--abbrev=8",
            "--exclude=*",
        ],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return BenchmarkReport(
        facts(),
        datetime.now(UTC).date().isoformat(),
        {row.set: sources.get(row.set, "") for row in rows},
        tuple(rows),
        commit=commit,
        command="pytest bench/",
    )


def pytest_benchmark_group_stats() -> list[object] | None:
    """Leave the table to `pytest_terminal_summary`: one table has all columns."""
    return []


def pytest_benchmark_update_json(config: pytest.Config, output_json: dict[str, object]) -> None:
    output_json["report"] = json.loads(report_of(config).json())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.stash[ROWS]:
        terminalreporter.write_sep("=", "comparison")
        for line in report_of(config).lines():
            terminalreporter.write_line(line)
