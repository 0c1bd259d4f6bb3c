"""What a person waits for: one puzzle a call, `check_many` in each form, and small commands.

    python bench/waiting.py [word …]      only the rows whose names begin with one of the words

Each row runs in a process of its own, because memory that an earlier call left hides what a form costs, and
in turn with another installation of unidoku if UNIDOKU_BEFORE names its Python: such as the version before a
change.  Figures are microseconds of processor time (a call; of several puzzles, a puzzle; of a command, the
process), the best of several rounds.  Beside them stand the ratio to the yardstick of the row, which runs in
the same process, and how many times as fast it is as the other installation.
"""

from __future__ import annotations

import argparse
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SECONDS = 0.3  # of a case in a process
TURNS = 4
ROWS = 50  # in the small file
BEFORE = "UNIDOKU_BEFORE"


@dataclass(frozen=True)
class Case:
    """Some work, and the number of calls or puzzles in it."""

    run: Callable[[], object]
    number: int


def repeated(call: Callable[[], object], number: int = 50) -> Case:
    """The same call several times."""

    def run() -> None:
        for _ in range(number):
            call()

    return Case(run, number)


def numbered(call: Callable[[int], object], number: int = 200) -> Case:
    """A call for each of some numbers, such as seeds."""

    def run() -> None:
        for k in range(number):
            call(k)

    return Case(run, number)


def few_lines(number: int) -> list[str]:
    from puzzle_sets import few_clues

    return few_clues()[:number]


def check_list(number: int) -> Callable[[], Case]:
    def case() -> Case:
        import unidoku

        lines = few_lines(number)
        return repeated(lambda: unidoku.check_many(lines), 2000 // number)

    return case


def run_rate() -> Case:
    import unidoku
    from unidoku.tasks.rate import Rate

    lines, task = few_lines(500), Rate()
    return repeated(lambda: unidoku.run_many(task, lines, threads=1), 1)


def rate_many() -> Case:
    import unidoku

    lines = few_lines(500)
    return repeated(lambda: unidoku.rate_many(lines, threads=1), 1)


def one(name: str, *arguments: Any) -> Callable[[], Case]:
    """A call of a public function for the puzzle of the documentation."""

    def case() -> Case:
        import unidoku

        function = getattr(unidoku, name)
        return repeated(lambda: function(PUZZLE, *arguments))

    return case


def generate_one() -> Case:
    import unidoku

    return numbered(lambda seed: unidoku.generate(1, seed=seed))


def generate_many() -> Case:
    import unidoku

    return Case(lambda: unidoku.generate(10_000, seed=1, threads=1), 10_000)


def minimize_one() -> Case:
    import unidoku

    return numbered(lambda seed: unidoku.minimize(PUZZLE, seed=seed))


def minimize_many() -> Case:
    import unidoku

    return Case(lambda: unidoku.minimize_many([PUZZLE] * 10_000, seed=1, threads=1), 10_000)


def steps_many() -> Case:
    import unidoku

    lines = few_lines(1000)
    return Case(lambda: unidoku.steps_many(lines, threads=1), len(lines))


def one_by_one() -> Case:
    import unidoku

    lines = few_lines(2000)

    def run() -> None:
        for line in lines:
            unidoku.check(line)

    return Case(run, len(lines))


def verify_many() -> Case:
    import unidoku

    puzzles, solutions = solved_puzzles()
    return Case(lambda: unidoku.verify_many(puzzles, solutions, threads=1), len(puzzles))


def check_arrays() -> Case:
    import unidoku

    puzzles, _ = solved_puzzles()
    return Case(lambda: unidoku.check_many(puzzles, threads=1), len(puzzles))


@cache
def solved_puzzles() -> tuple[Any, Any]:
    """Return puzzles as numbers, and their solutions."""
    import unidoku

    puzzles = numbers(few_lines(49_158))
    return puzzles, unidoku.solve_many(puzzles).solution


def transform_many(*, of_numbers: bool) -> Callable[[], Case]:
    def case() -> Case:
        import numpy as np

        import unidoku

        puzzles, _ = solved_puzzles()
        element = unidoku.Transformation.random(1)
        elements = np.full(len(puzzles), element.index) if of_numbers else [element] * len(puzzles)
        return Case(lambda: unidoku.transform_many(puzzles, elements, threads=1), len(puzzles))

    return case


BOARDS, MOVES = 256, 200


def steps_of_boards() -> Case:
    """Legal moves at random, as an agent that learns begins: two of five end an episode."""
    import numpy as np

    from unidoku.learning import SudokuVectorEnv

    boards, random = SudokuVectorEnv(BOARDS), np.random.default_rng(1)
    weights = random.random((BOARDS, 730), np.float32)
    _, facts = boards.reset(seed=1)

    def run() -> None:
        nonlocal facts
        for _ in range(MOVES):
            *_, facts = boards.step((facts["legal"] * weights).argmax(axis=1))

    return Case(run, BOARDS * MOVES)


def items_of_tasks() -> Case:
    from unidoku.learning import SudokuTasks

    tasks = SudokuTasks(10_000, difficulty="hard")
    batch: Any = getattr(tasks, "__getitems__", lambda numbers: [tasks[number] for number in numbers])
    return Case(lambda: batch(range(32)), 32)


def hard_puzzles() -> Case:
    import unidoku

    return Case(lambda: unidoku.generate(32, seed=1, difficulty="hard"), 32)


def file_of(suffix: str, task: str = "check") -> Callable[[], Case]:
    """A run over a file of puzzles and solutions."""

    def case() -> Case:
        import unidoku
        from unidoku.tasks.check import Check
        from unidoku.tasks.verify import Verify

        puzzles, solutions = solved_puzzles()
        lines, full = ([bytes(row + 48).decode() for row in rows] for rows in (puzzles, solutions))
        file = Path(folder(), f"solved.{suffix}")
        if suffix == "parquet":
            import pyarrow as pa
            from pyarrow import parquet

            parquet.write_table(pa.table({"puzzle": lines, "solution": full}), file)
        else:
            shape = '{{"puzzle":"{}","solution":"{}"}}\n' if suffix == "jsonl" else "{},{}\n"
            rows = "".join(shape.format(*row) for row in zip(lines, full, strict=True))
            file.write_text(rows if suffix == "jsonl" else f"puzzle,solution\n{rows}", encoding="ascii")
        work: Any = Verify() if task == "verify" else Check()
        return Case(lambda: unidoku.run(work, str(file), threads=1), len(lines))

    return case


FORMS: dict[str, Callable[[list[str]], Any]] = {}


def form(function: Callable[[list[str]], Any]) -> Callable[[list[str]], Any]:
    FORMS[function.__name__] = function
    return function


@form
def numbers(lines: list[str]) -> Any:
    import numpy as np

    codes = ascii_codes(lines)
    return np.where(codes > ord("."), codes - ord("0"), 0).astype(np.uint8)


@form
def signed_numbers(lines: list[str]) -> Any:
    import numpy as np

    return numbers(lines).astype(np.int8)


@form
def ascii_codes(lines: list[str]) -> Any:
    import numpy as np

    return np.frombuffer("".join(lines).replace("0", ".").encode(), np.uint8).reshape(-1, 81).copy()


@form
def lines_of_bytes(lines: list[str]) -> Any:
    return "".join(f"{line}\n" for line in lines).encode()


@form
def arrow(lines: list[str]) -> Any:
    import pyarrow as pa

    return pa.array(lines)


@form
def texts(lines: list[str]) -> Any:
    return lines


@form
def S81(lines: list[str]) -> Any:
    import numpy as np

    return np.array(lines, "S81")


@form
def U81(lines: list[str]) -> Any:
    import numpy as np

    return np.array(lines, "U81")


def check_form(name: str) -> Callable[[], Case]:
    def case() -> Case:
        import unidoku

        lines = few_lines(49_158)
        puzzles = FORMS[name](lines)
        return Case(lambda: unidoku.check_many(puzzles, threads=1), len(lines))

    return case


CASES: dict[str, tuple[Callable[[], Case], tuple[str, Callable[[], Case]] | None]] = {
    "generate(1)": (generate_one, ("one of 10,000", generate_many)),
    "minimize": (minimize_one, ("one of 10,000", minimize_many)),
    "hint": (one("hint"), ("check", one("check"))),
    "steps": (one("steps"), ("check", one("check"))),
    "run_many(Rate())": (run_rate, ("rate_many", rate_many)),
    "check_many of 1": (check_list(1), ("check", one("check"))),
    "check_many of 20": (check_list(20), ("check", one_by_one)),
    "steps_many of 1,000": (steps_many, ("check", one_by_one)),
    "verify_many": (verify_many, ("check_many", check_arrays)),
    "transform_many": (transform_many(of_numbers=False), ("of numbers", transform_many(of_numbers=True))),
    "verify CSV": (file_of("csv", "verify"), ("check CSV", file_of("csv"))),
    "check JSON lines": (file_of("jsonl"), ("check CSV", file_of("csv"))),
    "boards, a move": (steps_of_boards, ("one of 10,000", generate_many)),
    "tasks, 32 hard ones": (items_of_tasks, ("generate", hard_puzzles)),
    "check Parquet": (file_of("parquet"), ("check CSV", file_of("csv"))),
    **{f"form {name}": (check_form(name), None) for name in FORMS},  # against the numbers
}

ONE_PUZZLE = "canonical check count diagnose explain hint minimize rate solve steps".split()
"""Functions and commands of one puzzle."""

FIRST_CALLS = {
    **{name: f"unidoku.{name}({PUZZLE!r})" for name in ONE_PUZZLE},
    "verify": f"unidoku.verify({PUZZLE!r}, {PUZZLE!r})",
    "generate()": "unidoku.generate(seed=1)",
    "generate(1)": "unidoku.generate(1, seed=1)",
    "read": "list(unidoku.read('in.txt'))",
}
"""Functions, and a call in a process of its own."""

COMMANDS = {
    **{f"command {name} P": ["-m", "unidoku", name, PUZZLE] for name in ONE_PUZZLE},
    "command generate -n 1": ["-m", "unidoku", "generate", "-n", "1", "--seed", "1"],
    "command verify": ["-m", "unidoku", "verify", "answers.csv"],
    "command --help": ["-m", "unidoku", "--help"],
    "command help": ["-m", "unidoku", "help"],
    "import": ["-c", "import unidoku"],
    "command check -o x.csv": ["-m", "unidoku", "check", "-q", "in.txt", "-o", "x.csv"],
    "command solve -o x.csv": ["-m", "unidoku", "solve", "-q", "in.txt", "-o", "x.csv"],
    "command check csv -o x.csv": ["-m", "unidoku", "check", "-q", "in.csv", "-o", "x.csv"],
    **{f"first {name}": ["-c", f"import unidoku; {call}"] for name, call in FIRST_CALLS.items()},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="word")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(*map(best, cases_of(arguments.child)))
        return
    before = os.environ.get(BEFORE)
    pythons = [sys.executable, *([before] if before else [])]
    print(f"{'':26}{'us':>9}  {'yardstick':20}{'ratio':>7}{'before, us':>12}{'times as fast':>15}")
    for name in [*CASES, *COMMANDS]:
        if not arguments.words or any(map(name.startswith, arguments.words)):
            print(line_of(name, pythons), flush=True)


def line_of(name: str, pythons: list[str]) -> str:
    """Measure a row in turn with each Python, and with its yardstick."""
    turns: dict[str, list[list[float]]] = {python: [] for python in pythons}
    for python in chain.from_iterable(repeat(pythons, TURNS)):
        turns[python].append(measured(name, python))
    ours, *others = ([min(values) for values in zip(*turns[python], strict=True)] for python in pythons)
    own, yardstick = ours
    text = f"{name:26}{figure(own)}  {yardstick_of(name):20}{own / yardstick:7.2f}"
    for before, _ in others:
        text += f"{figure(before):>12}{before / own:15.2f}"
    return text


def figure(seconds: float) -> str:
    """Return microseconds, with three digits if they are few."""
    microseconds = 1e6 * seconds
    return f"{microseconds:9,.0f}" if microseconds >= 1000 else f"{microseconds:9.3g}"


def yardstick_of(name: str) -> str:
    if name in COMMANDS:
        return "python -c pass"
    yardstick = CASES[name][1]
    return yardstick[0] if yardstick else "numbers"


def measured(name: str, python: str) -> list[float]:
    """Return the seconds of a row and of its yardstick."""
    if name in COMMANDS:
        return [seconds_of(python, COMMANDS[name]), seconds_of(python, ["-c", "pass"])]
    names = [name] if CASES[name][1] else [name, "form numbers"]  # each form in its own process
    command = [python, str(Path(__file__).resolve()), "--child"]
    runs = [subprocess.run([*command, own], capture_output=True, text=True, check=True) for own in names]
    return [float(seconds) for run in runs for seconds in run.stdout.split()]


def cases_of(name: str) -> list[Callable[[], Case]]:
    case, yardstick = CASES[name]
    return [case, *([yardstick[1]] if yardstick else [])]


def best(make: Callable[[], Case]) -> float:
    """Return the seconds of processor time for one of the case, at the best of several rounds."""
    case = make()
    seconds, end = float("inf"), process_time() + SECONDS
    while process_time() < end or seconds == float("inf"):
        begin = process_time()
        case.run()
        seconds = min(seconds, process_time() - begin)
    return seconds / case.number


def seconds_of(python: str, command: list[str]) -> float:
    """Return the processor time of a process, the best of three."""
    times = []
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # the first run compiles the modules
    for _ in range(3):
        process = subprocess.Popen(
            [python, *command],
            cwd=folder(),
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)


@cache
def folder() -> Path:
    """Return a folder with a small file."""
    made = tempfile.mkdtemp(prefix="unidoku-bench-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    Path(made, "in.txt").write_text(f"{PUZZLE}\n" * ROWS, encoding="ascii")
    Path(made, "in.csv").write_text("puzzle,id\n" + f"{PUZZLE},7\n" * ROWS, encoding="ascii")
    Path(made, "answers.csv").write_text(f"puzzle,answer\n{PUZZLE},{PUZZLE}\n", encoding="ascii")
    return Path(made)


if __name__ == "__main__":
    main()
