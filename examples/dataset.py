"""Make a data set of new puzzles with ratings, in Parquet: a training file and a test file without leaks.

    python dataset.py FOLDER --count 1000 --images 4 --seed 1
    python dataset.py FOLDER --count 1000 --class 3-4 --steps 50-200

No two puzzles are equivalent under the symmetry group.  Each is rated with the class of the
numerical-analysis method, the steps and the biggest guess level of the step engine, and written with some of
its images; all images of a puzzle are in the same file.  The seed and the parameters are in the metadata of
both files.

A million puzzles: ``--count 1000000``.  Memory use grows with the number of puzzles, not with that of the
images.
"""

from __future__ import annotations

import argparse
import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import unidoku
from unidoku.craft.generate import generate_batches
from unidoku.craft.request import Request
from unidoku.craft.transform import random_numbers
from unidoku.rating import measure_many

GROUP = 50_000  # puzzles that are rated and written at a time
SCHEMA = {
    "id": pa.int64(),  # number of the puzzle; its images have the same
    "image": pa.int32(),  # 0 for the puzzle itself
    "puzzle": pa.string(),
    "solution": pa.string(),
    "clues": pa.int8(),
    "class": pa.int8(),
    "steps": pa.int64(),
    "level": pa.int16(),
}


def new_puzzles(count: int, seed: int, request: Request) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Puzzles of different classes, their solutions and their canonical forms: uint8[count, 81] each."""
    parts: list[list[np.ndarray]] = [[], [], []]
    seen: set[bytes] = set()
    batches = generate_batches(request, 2 * count + 1000, seed)
    for puzzles, solutions in batches:
        forms = unidoku.canonical_many(puzzles).puzzle
        keys = [blake2b(form, digest_size=16).digest() for form in forms]
        # `add` returns None: a key is kept where it is seen for the first time
        first = np.array([key not in seen and seen.add(key) is None for key in keys], np.bool_)
        first &= np.cumsum(first) <= count - sum(map(len, parts[0]))
        for part, rows in zip(parts, (puzzles, solutions, forms), strict=True):
            part.append(rows[first])
        if sum(map(len, parts[0])) == count:
            break
    puzzles, solutions, forms = map(np.concatenate, parts)
    return puzzles, solutions, forms


def is_test(forms: np.ndarray, seed: int, fraction: float) -> np.ndarray:
    """Which puzzles are for the test: this depends on the canonical form and on the seed alone."""
    key = seed.to_bytes(8, "little")
    words = b"".join(blake2b(form, digest_size=8, key=key).digest() for form in forms)
    return np.frombuffer(words, "<u8") < np.uint64(int(fraction * (2**64 - 1)))


def table_of(
    first: int, puzzles: np.ndarray, solutions: np.ndarray, *, images: int, seed: int, schema: pa.Schema
) -> pa.Table:
    """The rows of some puzzles, each followed by its images."""
    each = 1 + images
    moves = random_numbers(each * len(puzzles), seed, each * first).reshape(-1, each)
    moves[:, 0] = 0  # the identity: the puzzle itself
    rated = measure_many(puzzles)
    columns = {
        "id": np.repeat(np.arange(first, first + len(puzzles)), each),
        "image": np.tile(np.arange(each, dtype=np.int32), len(puzzles)),
        "puzzle": strings(np.repeat(puzzles, each, axis=0), moves.reshape(-1)),
        "solution": strings(np.repeat(solutions, each, axis=0), moves.reshape(-1)),
        "clues": np.repeat(np.count_nonzero(puzzles, axis=1).astype(np.int8), each),
        "class": np.repeat(rated.classes.astype(np.int8), each),
        "steps": np.repeat(rated.steps.astype(np.int64), each),
        "level": np.repeat(rated.level.astype(np.int16), each),
    }
    return pa.table(columns, schema=schema)


def strings(rows: np.ndarray, moves: np.ndarray) -> pa.Array:
    """Images of puzzles or solutions as strings of 81 digits, 0 for an empty cell."""
    images = unidoku.transform_many(rows, moves).puzzle | np.uint8(48)
    offsets = np.arange(0, images.size + 1, 81, dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), len(rows), [None, pa.py_buffer(offsets), pa.py_buffer(images)])


def make(
    folder: Path, count: int, images: int, seed: int, test: float, *, request: Request
) -> dict[str, int]:
    """Write ``train.parquet`` and ``test.parquet``, which must not exist; returns the puzzles in each."""
    parameters: dict[str, Any] = {"count": count, "images": images, "seed": seed, "test": test}
    parameters |= {"version": unidoku.__version__, "request": request.to_json()}
    schema = pa.schema(SCHEMA, metadata={"dataset": json.dumps(parameters)})
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.parquet" for name in ("train", "test")}
    for path in paths.values():
        if path.exists():
            raise FileExistsError(f"{path} exists already")
    puzzles, solutions, forms = new_puzzles(count, seed, request)
    chosen = is_test(forms, seed, test)
    written = {}
    for name, mine in (("train", ~chosen), ("test", chosen)):
        rows = np.flatnonzero(mine)
        written[name] = len(rows)
        temporary = paths[name].with_suffix(".partial")
        with open(temporary, "xb") as file, pq.ParquetWriter(file, schema) as writer:
            for begin in range(0, len(rows), GROUP):
                some = rows[begin : begin + GROUP]
                # each file has its own numbers, so that its images depend on its own rows alone
                offset = 0 if name == "train" else count
                writer.write_table(
                    table_of(
                        offset + begin,
                        puzzles[some],
                        solutions[some],
                        images=images,
                        seed=seed,
                        schema=schema,
                    )
                )
        temporary.rename(paths[name])
    return written


def numbers(text: str) -> tuple[int, int]:
    """A number, or the least and the greatest."""
    least, _, most = text.partition("-")
    return int(least), int(most or least)


def main() -> None:
    """Read the command line and write the data set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the two files are written")
    parser.add_argument("--count", type=int, default=1000, help="puzzles (default: 1000)")
    parser.add_argument("--images", type=int, default=4, help="images of each puzzle (default: 4)")
    parser.add_argument("--seed", type=int, default=1, help="0 to 2**64 - 1 (default: 1)")
    parser.add_argument(
        "--test", type=float, default=0.1, help="part of the puzzles for the test (default: 0.1)"
    )
    parser.add_argument("--class", dest="classes", type=numbers, help="class 1 to 4, or a range: 3-4")
    parser.add_argument("--steps", type=numbers, help="steps of the step engine, or a range: 50-200")
    parser.add_argument(
        "--guess-level", dest="level", type=numbers, help="biggest guess level, or a range: 1-2"
    )
    options = parser.parse_args()
    if options.count < 1 or options.images < 0 or not 0 <= options.test <= 1 or not 0 <= options.seed < 2**64:
        parser.error(
            "count must be at least 1, images at least 0, test from 0 to 1, and seed from 0 to 2**64 - 1"
        )
    try:
        request = Request(minimal=True, classes=options.classes, steps=options.steps, level=options.level)
    except ValueError as error:
        parser.error(str(error))
    written = make(options.folder, options.count, options.images, options.seed, options.test, request=request)
    for name, number in written.items():
        print(f"{options.folder / name}.parquet: {number:,} puzzles, {number * (1 + options.images):,} rows")


if __name__ == "__main__":
    main()
