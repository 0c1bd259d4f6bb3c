"""Files of columns: runs beside Polars or DuckDB, which only read and write, and beside an earlier version.

    python bench/columns.py [word …] [--rows N] [--turns N]      only what begins with one of the words

A million puzzles of 17 clues with their solutions, one thread; each side in its own processes, in turn.
Figures are seconds of processor time of the second run in a process, the best of several processes; for
``two threads`` the seconds that a check of CSV to CSV takes, beside those with one thread.  Of Parquet to
Parquet, DuckDB writes the same columns with the same compression, and constants for what a check finds.
Beside ``steps to parquet``, of 12,000 puzzles, is `steps_many` for the same ones, which writes nothing.
UNIDOKU_BEFORE names the Python of another installation of unidoku, as for bench/waiting.py.  The program ends
with 1 if a work takes a tenth more than there; the works ``form`` read every form that a file can have.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from itertools import starmap
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

PEER, WRITER, ONE_THREAD, MEMORY_ONLY = "polars", "duckdb", "one thread", "steps_many"
YARDSTICKS = {
    **dict.fromkeys(("check parquet", "convert parquet to csv", "check csv to csv"), PEER),
    "check parquet to parquet": WRITER,
    "two threads": ONE_THREAD,
    "steps to parquet": MEMORY_ONLY,
}
"""The works -> beside what else their figures are shown."""
SLOWER = 1.1  # than before is an error


def _cells(puzzle: str) -> list[int]:
    return [int(cell) if cell != "." else 0 for cell in puzzle]


def _rows(puzzle: str) -> list[list[int]]:
    cells = _cells(puzzle)
    return [cells[k : k + 9] for k in range(0, 81, 9)]


def _lines(line: Callable[[str, str], str], head: str = "", end: str = "\n") -> Callable[..., bytes]:
    """Return what writes a line for each pair of a puzzle and its solution."""
    return lambda pairs: f"{head}{end.join(starmap(line, pairs))}{end}".encode()


def _document(value: Callable[[str], object]) -> Callable[..., bytes]:
    """Return what writes a JSON document."""
    return lambda pairs: json.dumps([value(puzzle) for puzzle, _ in pairs]).encode()


def _object(value: Callable[[str], object]) -> Callable[..., bytes]:
    """Return what writes objects, a line each."""
    return _lines(lambda puzzle, _: json.dumps({"id": 1, "puzzle": value(puzzle), "level": "easy"}))


FORMS: dict[str, tuple[int, Callable[[Iterable[tuple[str, str]]], bytes]]] = {
    "lines.txt": (1, _lines(lambda puzzle, _: puzzle)),
    "crlf.txt": (1, _lines(lambda puzzle, _: puzzle, end="\r\n")),
    "words.txt": (1, _lines(lambda puzzle, solution: f"{puzzle} {solution} easy")),
    "blanks.txt": (8, _lines(lambda puzzle, _: " ".join(puzzle))),
    "boards.txt": (8, _lines(lambda puzzle, _: re.sub("(.{9})", "\\1\n", puzzle))),
    "lines.txt.gz": (1, lambda pairs: gzip.compress(_lines(lambda puzzle, _: puzzle)(pairs), 6)),
    "pairs.csv": (1, _lines("{},{}".format)),
    "plain.csv": (1, _lines("1,{},{}".format, "id,puzzle,solution\n")),
    "quoted.csv": (1, _lines('"1","{}","{}"'.format, '"id","puzzle","solution"\n')),
    "quoted-crlf.csv": (1, _lines('"1","{}","{}"'.format, '"id","puzzle","solution"\r\n', "\r\n")),
    "lists.csv": (8, _lines(lambda puzzle, _: f'1,"{_cells(puzzle)}"', "id,puzzle\n")),
    "objects.jsonl": (1, _object(str)),
    "lists.jsonl": (8, _object(_cells)),
    "rows.jsonl": (8, _object(_rows)),
    "texts.json": (4, _document(str)),
    "objects.json": (4, _document(lambda puzzle: {"id": 1, "puzzle": puzzle})),
    "lists.json": (8, _document(_cells)),
}
"""Files of text -> the share of the rows that they have, and what writes them from puzzles and solutions."""
COLUMNAR = ("in.parquet", "lists.parquet", "in.arrow", "lists.arrow")
OTHERS = {
    "form columns": ("check", "plain.csv", "out.csv", {"columns": ["puzzle", "verdict", "id"]}),
    "form effort": ("rate", "effort.txt", "out.csv", {"columns": ["puzzle", "effort"]}),
}
"""Other works: the task, its input, its output and its options."""
WORKS = [
    *YARDSTICKS,
    *(f"form {task} {file}" for file in (*FORMS, *COLUMNAR) for task in ("check", "convert")),
    *OTHERS,
]
STEPS_ROWS = 12_000
COPY = """COPY (
    SELECT row_number() OVER () AS line, puzzle, 'unique' AS verdict, 1::UBIGINT AS count, true AS complete,
        solution, NULL::VARCHAR AS reason
    FROM '{source}'
) TO '{output}' (FORMAT parquet, COMPRESSION zstd)"""


def main() -> None:
    """Print a row for each work."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="word")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    words = tuple(arguments.words)
    wanted = [name for name in WORKS if not words or name.startswith(words)]
    before, slow = os.environ.get("UNIDOKU_BEFORE"), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, "--write", folder, str(arguments.rows)], check=True)
        for name in wanted:
            pythons = {"unidoku": sys.executable, YARDSTICKS.get(name): sys.executable, "before": before}
            best: dict[str, float] = {}
            memory: dict[str, int] = {}
            for _ in range(arguments.turns):
                for side, python in pythons.items():
                    if not (side and python):
                        continue
                    command = [python, __file__, "--run", name, side, folder]
                    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
                    done = subprocess.run(
                        command, capture_output=True, text=True, check=True, env=environment
                    )
                    seconds, kilobytes = done.stdout.split()
                    best[side] = min(best.get(side, float("inf")), float(seconds))
                    memory[side] = int(kilobytes) >> 10
            ours = best["unidoku"]
            shown = ", ".join(
                f"{side} {value:.3f} ({value / ours:.2f}) {memory[side]} MB" for side, value in best.items()
            )
            print(f"{name:26} {shown}", flush=True)
            if ours > SLOWER * best.get("before", ours):
                slow.append(name)
    if slow:
        raise SystemExit(f"slower than before: {', '.join(slow)}")


def write(folder: str, rows: str) -> None:
    """Write the inputs: Snappy, as most programs write Parquet."""
    import pyarrow as pa
    from puzzle_sets import few_clues
    from pyarrow import csv, feather, parquet

    from unidoku import check_many
    from unidoku._table.puzzles import lines

    puzzles = few_clues()
    solutions = lines(check_many(puzzles).solution)
    number = int(rows)
    times = -(-number // len(puzzles))
    table = pa.table({"puzzle": (puzzles * times)[:number], "solution": (solutions * times)[:number]})
    parquet.write_table(table, f"{folder}/in.parquet")
    csv.write_csv(table, f"{folder}/in.csv")
    pairs = [*zip(table["puzzle"].to_pylist(), table["solution"].to_pylist(), strict=True)]
    for name, (share, form) in FORMS.items():
        Path(folder, name).write_bytes(form(pairs[: number // share]))
    lists = pa.table(
        {"id": range(number // 8), "puzzle": [_cells(puzzle) for puzzle, _ in pairs[: number // 8]]}
    )
    parquet.write_table(lists, f"{folder}/lists.parquet")
    for name, one in (("in", table), ("lists", lists)):
        feather.write_feather(one, f"{folder}/{name}.arrow", "uncompressed")
    Path(folder, "effort.txt").write_bytes(FORMS["lines.txt"][1](pairs[: number // 50]))
    steps = "\n".join(table["puzzle"][:STEPS_ROWS].to_pylist())
    Path(folder, "steps.txt").write_text(f"{steps}\n", encoding="ascii")


def run(name: str, side: str, folder: str) -> None:
    """Do a work in this process; print its figure."""
    if name == "two threads":
        print(seconds_of_threads(1 if side == ONE_THREAD else 2, folder))
        return
    if name == "steps to parquet":
        print(steps_seconds(side, folder))
        return
    task, source, target, options = parts_of(name)
    source, output = f"{folder}/{source}", f"{folder}/{target}" if target else None
    seconds = float("inf")
    for _ in range(2):
        begin = process_time()
        if side == WRITER:
            import duckdb

            connection = duckdb.connect(config={"threads": 1})
            connection.execute(COPY.format(source=source, output=output))
        elif side == PEER:
            import polars

            if output is None:
                polars.read_parquet(source, columns=["puzzle"])
            elif source.endswith("csv"):
                polars.read_csv(source, infer_schema=False).write_csv(output)
            else:
                frame = polars.read_parquet(source)
                (frame.write_csv if output.endswith("csv") else frame.write_parquet)(output)
        else:
            import unidoku
            from unidoku import tasks

            work = {"check": tasks.Check, "convert": tasks.Convert, "rate": tasks.Rate}[task]()
            unidoku.run(work, source, output, threads=1, **options)
        seconds = process_time() - begin
    print(seconds)


def parts_of(name: str) -> tuple[str, str, str, dict[str, Any]]:
    """Return the task of a work, its input, its output and its options."""
    if name in OTHERS:
        return OTHERS[name]
    if name.startswith("form"):
        _, task, source = name.split()
        return task, source, "out.csv" if task == "convert" else "", {}
    task, _, ends = name.partition(" ")
    source, _, target = ends.partition(" to ")
    return task, f"in.{source}", target and f"out.{target}", {}


def seconds_of_threads(threads: int, folder: str) -> float:
    """Return the time that a check takes with some threads."""
    import unidoku
    from unidoku import tasks

    seconds = float("inf")
    for _ in range(3):
        begin = perf_counter()
        unidoku.run(tasks.Check(), f"{folder}/in.csv", f"{folder}/out.csv", threads=threads)
        seconds = min(seconds, perf_counter() - begin)
    return seconds


def steps_seconds(side: str, folder: str) -> float:
    """Return the processor time of the steps of some puzzles, to Parquet or in memory."""
    import unidoku
    from unidoku import tasks

    lines = Path(folder, "steps.txt").read_text().split()
    seconds = float("inf")
    for _ in range(3):
        begin = process_time()
        if side == MEMORY_ONLY:
            for start in range(0, len(lines), 1000):
                unidoku.steps_many(lines[start : start + 1000], candidates=False, threads=1)
        else:
            unidoku.run(tasks.StepsTask(), f"{folder}/steps.txt", f"{folder}/steps.parquet", threads=1)
        seconds = min(seconds, process_time() - begin)
    return seconds


if __name__ == "__main__":
    sys.path.insert(1, str(Path(__file__).parent))
    if sys.argv[1:2] == ["--run"]:
        run(*sys.argv[2:])
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    elif sys.argv[1:2] == ["--write"]:
        write(*sys.argv[2:])
    else:
        main()
