"""Files of columns: runs beside Polars or DuckDB, which only read and write, and beside an earlier version.

    python bench/columns.py [word …] [--rows N] [--turns N]      only what begins with one of the words

A million puzzles of 17 clues with their solutions, one thread; each side in its own processes, in turn.
Figures are seconds of processor time of the second run in a process, the best of several processes; for
``two threads`` the seconds that a check of CSV to CSV takes, beside those with one thread.  Of Parquet to
Parquet, DuckDB writes the same columns with the same compression, and constants for what a check finds.
Beside ``steps to parquet``, of 12,000 puzzles, is `steps_many` for the same ones, which writes nothing.
UNIDOKU_BEFORE names the Python of another installation of unidoku, as for bench/waiting.py.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

PEER, WRITER, ONE_THREAD, MEMORY_ONLY = "polars", "duckdb", "one thread", "steps_many"
YARDSTICKS = {
    **dict.fromkeys(("check parquet", "convert parquet to csv", "check csv to csv"), PEER),
    "check parquet to parquet": WRITER,
    "two threads": ONE_THREAD,
    "steps to parquet": MEMORY_ONLY,
}
"""The works -> beside what else their figures are shown."""
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
    wanted = [name for name in YARDSTICKS if not words or name.startswith(words)]
    before = os.environ.get("UNIDOKU_BEFORE")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, "--write", folder, str(arguments.rows)], check=True)
        for name in wanted:
            pythons = {"unidoku": sys.executable, YARDSTICKS[name]: sys.executable, "before": before}
            best: dict[str, float] = {}
            for _ in range(arguments.turns):
                for side, python in pythons.items():
                    if not python:
                        continue
                    command = [python, __file__, "--run", name, side, folder]
                    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
                    done = subprocess.run(
                        command, capture_output=True, text=True, check=True, env=environment
                    )
                    best[side] = min(best.get(side, float("inf")), float(done.stdout))
            ours = best["unidoku"]
            shown = ", ".join(f"{side} {value:.3f} ({value / ours:.2f})" for side, value in best.items())
            print(f"{name:26} {shown}", flush=True)


def write(folder: str, rows: str) -> None:
    """Write the inputs: Snappy, as most programs write Parquet."""
    import pyarrow as pa
    from puzzle_sets import few_clues
    from pyarrow import csv, parquet

    from unidoku import check_many
    from unidoku.table.puzzles import lines

    puzzles = few_clues()
    solutions = lines(check_many(puzzles).solution)
    number = int(rows)
    times = -(-number // len(puzzles))
    table = pa.table({"puzzle": (puzzles * times)[:number], "solution": (solutions * times)[:number]})
    parquet.write_table(table, f"{folder}/in.parquet")
    csv.write_csv(table, f"{folder}/in.csv")
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
    task, _, ends = name.partition(" ")
    source, _, target = ends.partition(" to ")
    output = f"{folder}/out.{target}"
    seconds = float("inf")
    for _ in range(2):
        begin = process_time()
        if side == WRITER:
            import duckdb

            connection = duckdb.connect(config={"threads": 1})
            connection.execute(COPY.format(source=f"{folder}/in.{source}", output=output))
        elif side == PEER:
            import polars

            if not target:
                polars.read_parquet(f"{folder}/in.parquet", columns=["puzzle"])
            elif source == "csv":
                polars.read_csv(f"{folder}/in.csv", infer_schema=False).write_csv(output)
            else:
                frame = polars.read_parquet(f"{folder}/in.parquet")
                (frame.write_csv if target == "csv" else frame.write_parquet)(output)
        else:
            import unidoku
            from unidoku import tasks

            work = tasks.Check() if task == "check" else tasks.Convert()
            unidoku.run(work, f"{folder}/in.{source}", output if target else None, threads=1)
        seconds = process_time() - begin
    print(seconds)


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
            unidoku.run(tasks.Steps(), f"{folder}/steps.txt", f"{folder}/steps.parquet", threads=1)
        seconds = min(seconds, process_time() - begin)
    return seconds


if __name__ == "__main__":
    sys.path.insert(1, str(Path(__file__).parent))
    if sys.argv[1:2] == ["--run"]:
        run(*sys.argv[2:])
    elif sys.argv[1:2] == ["--write"]:
        write(*sys.argv[2:])
    else:
        main()
