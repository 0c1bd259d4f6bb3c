"""The capability `convert`: puzzles as they are, in another format."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from unidoku.column import Column
from unidoku.options import PARTS, RUNNING, WRITING, Option
from unidoku.task import Need, Task

if TYPE_CHECKING:
    from unidoku.batch import Batch
    from unidoku.files.inputs import Input
    from unidoku.options import OptionFields
    from unidoku.runner.summary import Summary


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
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku convert puzzles.txt -o puzzles.jsonl",
        "unidoku convert puzzles.txt --unique canonical -o different.txt",
    )
    command_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "Write only the first of puzzles that are equal (text) or images of each other (canonical).",
            choices=("text", "canonical"),
            absent="all puzzles",
            metavar="[text|canonical]",
            name="unique",
            alone="text",
        ),
    )
    common_options: ClassVar[tuple[str | Option, ...]] = (*WRITING, *RUNNING, "as_json")
    told: ClassVar[tuple[str, ...]] = ()

    def work(self, batch: Batch, need: Need) -> dict[str, Any]:
        """Return the puzzles."""
        return {"puzzle": Column(batch.puzzles)}

    @staticmethod
    def command(inputs: list[Any], *, output: str, unique: str | None, **options: Any) -> int:
        """Write the puzzles."""
        from unidoku.cli.run import write
        from unidoku.runner.task import run
        from unidoku.tasks.dedupe import Dedupe

        task: Task = Convert()
        if unique is not None:
            task = Dedupe("puzzle" if unique == "text" else unique)
            options = {name: value for name, value in options.items() if value or name not in PARTS}
        return write(partial(run, task), inputs, output, task=task, drawn=None, **options)


def convert_file(
    inputs: Input | Sequence[Input], output: str | os.PathLike[str], **options: Unpack[OptionFields]
) -> Summary:
    """Write the puzzles of some files in another format.

    Parameters
    ----------
    inputs, **options
        As for `check_file`. The other columns of the input are written too, if the format can hold them and
        ``keep`` is not ``"none"``. ``to`` is any format of puzzles; for ``-`` the default is ``lines``.
    output : path or URL
        The suffix names the format (see docs/files.md), perhaps followed by ``.gz``, ``.bz2``, ``.xz`` or
        ``.zst``; ``-`` is standard output. It appears when it is complete, like that of `check_file`.

    Returns
    -------
    Summary
        ``written`` is the number of puzzles in the output.

    Raises
    ------
    UnidokuError
        An input cannot be read, the output cannot be written, or the format cannot hold
        a puzzle.
    ValueError
        A number is out of range.
    """
    from unidoku.runner.task import run

    return run(Convert(), inputs, output, **options)
