"""Write a data set of puzzles in the forms that training programs read.

    python export.py train.parquet --csv train.csv --arrays data/train --source unidoku

The input is any Parquet file of unidoku's commands with the columns ``puzzle`` and ``solution``, and perhaps
``image_of``, as `unidoku transform` writes it, and ``er`` as the rating.

``--csv`` writes the columns source, question, answer, rating. ``--arrays`` writes the folder that
hierarchical and tiny recursive models read: inputs and labels (uint8[n, 81], digit + 1: 1 is an empty cell,
0 is never used), a group for each puzzle with its images, and the facts about them as JSON. The same input
gives the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import unidoku


def write_csv(path: Path, columns: dict[str, list[object]], source: str) -> None:
    """Write a row for each puzzle: where it is from, puzzle, solution and rating."""
    ratings = columns.get("er") or [""] * len(columns["puzzle"])
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["source", "question", "answer", "rating"])
        for puzzle, solution, rating in zip(columns["puzzle"], columns["solution"], ratings, strict=True):
            rows.writerow([source, puzzle, solution, rating])


def group_starts(columns: dict[str, list[object]]) -> NDArray[np.int32]:
    """Return where the groups begin, and the end: the images of a puzzle are consecutive."""
    originals = columns.get("image_of") or columns["puzzle"]
    starts = [row for row in range(len(originals)) if row == 0 or originals[row] != originals[row - 1]]
    return np.array([*starts, len(originals)], np.int32)


def write_arrays(folder: Path, columns: dict[str, list[object]]) -> None:
    """Write inputs, labels, indices and the facts about them."""
    folder.mkdir(parents=True, exist_ok=True)
    n, groups = len(columns["puzzle"]), group_starts(columns)
    arrays: dict[str, NDArray[Any]] = {
        "inputs": unidoku.cells(columns["puzzle"]) + 1,
        "labels": unidoku.cells(columns["solution"]) + 1,
        "group_indices": groups,
        "puzzle_indices": np.arange(n + 1, dtype=np.int32),
        "puzzle_identifiers": np.zeros(n, np.int32),
    }
    for name, array in arrays.items():
        np.save(folder / f"all__{name}.npy", array)
    facts = {
        "seq_len": 81,
        "vocab_size": 11,
        "pad_id": 0,
        "ignore_label_id": 0,
        "blank_identifier_id": 0,
        "num_puzzle_identifiers": 1,
        "total_groups": len(groups) - 1,
        "total_puzzles": n,
        "mean_puzzle_examples": 1,
        "sets": ["all"],
    }
    (folder / "dataset.json").write_text(json.dumps(facts), encoding="utf-8")
    (folder.parent / "identifiers.json").write_text(json.dumps(["<blank>"]), encoding="utf-8")


def main() -> None:
    """Export one file."""
    parser = argparse.ArgumentParser(description="Write a data set in the forms that training programs read.")
    parser.add_argument("input", type=Path)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--arrays", type=Path, metavar="FOLDER")
    parser.add_argument("--source", default="unidoku")
    asked = parser.parse_args()
    columns = pq.read_table(asked.input).to_pydict()
    if asked.csv:
        write_csv(asked.csv, columns, asked.source)
    if asked.arrays:
        write_arrays(asked.arrays, columns)


if __name__ == "__main__":
    main()
