"""The capability `convert`: puzzles as they are, in another format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from unidoku.cli.inputs import single_puzzle
from unidoku.cli.run import write
from unidoku.options import PARTS, RUNNING, WRITING, Option, choice
from unidoku.table.batch import Batch
from unidoku.task import Declaration, ResultBatch, Task
from unidoku.tasks.dedupe import Dedupe
from unidoku.threads import Cancel


@dataclass(frozen=True)
class Convert(Task):
    """Write puzzles in another format, all or each only once.

    With --unique, the first one of puzzles that are equal, or images of each other, is written. It takes up
    to 43 bytes of memory per puzzle.

    The suffixes of --output: .txt .sdm .csv .tsv .jsonl .sdk .ss .opensudoku (also with .gz .bz2 .xz
    .zst), .parquet, .arrow.
    """

    name: ClassVar[str] = "convert"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"puzzle": ("cells", "")}

    def work(self, batch: Batch, cancel: Cancel) -> Iterator[ResultBatch]:
        """Return the puzzles."""
        yield ResultBatch(batch, {"puzzle": batch.puzzles()})


def command(inputs: list[Any], *, output: str, unique: str | None, as_json: bool, **options: Any) -> int:
    """Write the puzzles."""
    task: Task = Convert()
    report_counts: tuple[str, ...] = ()
    if unique is not None:
        task = Dedupe("puzzle" if unique == "text" else unique)
        report_counts = ("duplicates",)
        options = {name: value for name, value in options.items() if value or name not in PARTS}
    is_one = as_json and single_puzzle(inputs, output, options) is not None
    return write(
        task,
        inputs,
        output,
        report_counts=report_counts,
        drawn=None,
        as_json=as_json,
        is_one=is_one,
        **options,
    )


COMMAND = Declaration(
    Convert,
    examples=(
        "unidoku convert puzzles.txt -o puzzles.jsonl",
        "unidoku convert puzzles.txt --unique canonical -o different.txt",
    ),
    function=command,
    options=(
        Option(
            "unique",
            "Write only the first of puzzles that are equal (text) or images of each other (canonical).",
            type=choice(["text", "canonical"]),
            is_flag=False,
            flag_value="text",
            show_default="all puzzles",
        ),
    ),
    common=(*WRITING, *RUNNING),
)
