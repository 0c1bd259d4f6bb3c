"""The capability `convert`: puzzles as they are, in another format, all or each only once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from unidoku.cli.command import Command
from unidoku.cli.inputs import single_puzzle
from unidoku.cli.run import write
from unidoku.craft.keys import keys_of, random_seeds
from unidoku.native.text.seen import Seen
from unidoku.options import PARTS, RUNNING, WRITING, choice, option
from unidoku.table.batch import Batch
from unidoku.task import ResultBatch, Task
from unidoku.threads import Cancel


@dataclass(frozen=True)
class Convert(Task):
    """Write puzzles in another format, all or each only once.

    With --unique, the first one of puzzles that are equal, or images of each other, is written. It takes up
    to 43 bytes of memory per puzzle.

    The suffixes of --output: .txt .sdm .csv .tsv .jsonl .sdk .ss .opensudoku (also with .gz .bz2 .xz
    .zst), .parquet, .arrow.

    Parameters
    ----------
    unique : {"text", "canonical"}, optional
        Puzzles to write once. Those with two equal clues in a house are compared cell by cell.
    """

    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"puzzle": ("cells", "")}
    unique: str | None = option(
        None,
        "Write only the first of puzzles that are equal (text) or images of each other (canonical).",
        choice(["text", "canonical"]),
        is_flag=False,
        flag_value="text",
        show_default="all puzzles",
    )
    keys: Seen = field(init=False, compare=False, repr=False)
    """Keys of the puzzles so far."""
    seeds: tuple[int, int] = field(init=False, compare=False, repr=False)
    """Of the hashes."""

    def __post_init__(self) -> None:
        """Begin with an empty set."""
        super().__post_init__()
        values = {"keys": Seen(), "seeds": random_seeds(), "in_order": self.unique is not None}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def work(self, batch: Batch, cancel: Cancel) -> Iterator[ResultBatch]:
        """Return the puzzles, or those whose keys are not in the set, and add these."""
        puzzles, rows, counts = batch.puzzles(), None, {}
        if self.unique is not None:
            is_new = np.zeros(len(batch), np.uint8)
            way = "puzzle" if self.unique == "text" else self.unique
            self.keys.add(keys_of(batch, way, self.seeds, cancel).reshape(-1), is_new)
            counts = {"duplicates": len(batch) - int(is_new.sum())}
            if not is_new.all():
                rows = np.flatnonzero(is_new)
                puzzles = puzzles.take(rows)
        yield ResultBatch(batch, {"puzzle": puzzles}, rows, counts=counts)


def command(inputs: list[Any], *, output: str, unique: str | None, as_json: bool, **options: Any) -> int:
    """Write the puzzles."""
    if unique is not None:
        options = {name: value for name, value in options.items() if value or name not in PARTS}
    is_one = as_json and single_puzzle(inputs, output, options) is not None
    settings = {"drawn": None, "as_json": as_json, "is_one": is_one, **options}
    report_counts = () if unique is None else ("duplicates",)
    return write(Convert(unique), inputs, output, report_counts=report_counts, **settings)


COMMAND = Command(
    Convert,
    examples=(
        "unidoku convert puzzles.txt -o puzzles.jsonl",
        "unidoku convert puzzles.txt --unique canonical -o different.txt",
    ),
    function=command,
    options=(*WRITING, *RUNNING),
)
