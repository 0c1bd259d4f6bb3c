"""Files: Split puzzles into several files.

Data sets without leaks: all puzzles of a class go to the same output.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from functools import partial
from typing import Any, ClassVar, Literal, Self

import click

from unidoku._arguments import no_column, real, seed_of, wrong_type
from unidoku._cli.call import Call
from unidoku._cli.command import Command
from unidoku._cli.run import CommandResult, run_with_progress
from unidoku._cli.terminal import amount
from unidoku._columns import ColumnSpec
from unidoku._compat import NDArray, np
from unidoku._options import RUNNING, TABLE, Choice, CommandOptions, Options, option
from unidoku._table.batch import Batch
from unidoku._table.column import Column, Rows
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku.craft._seeds import random_bits
from unidoku.errors import ArgumentError, FormatError, Message
from unidoku.files._inputs import Input, Inputs
from unidoku.files._output import refuse_outputs
from unidoku.runner._run import run
from unidoku.runner._summary import Summary
from unidoku.runner._writer import Writer, open_writer
from unidoku.tasks._keys import KEY_SIZE, keys_of
from unidoku.tasks._shared import SEED

__all__ = ["split_file"]

_PART = "part="  # of a column: a condition cannot name it, and so takes a column ``part`` of the input


def split_file(
    inputs: Input | Sequence[Input],
    outputs: Sequence[str | os.PathLike[str]],
    *,
    fractions: Sequence[float] | None = None,
    by: Literal["canonical", "puzzle"] = "canonical",
    seed: int | None = None,
    stratify: str | None = None,
    empty: bool = True,
    **options: Any,
) -> Summary:
    """Split the puzzles of files between outputs, so that equivalent puzzles stay together.

    Parameters
    ----------
    inputs, empty, **options
        As for `unidoku.run`.
    outputs : sequence of paths
        Each appears when it is complete.
    fractions : sequence of float, optional
        Expected fraction of the classes for each output, with sum 1; by default equal fractions.
    by : {'canonical', 'puzzle'}, optional
        The property that puzzles of one class share:

        - ``canonical``: a symmetry maps one to the other
        - ``puzzle``: they are equal

        A record that is not a puzzle is omitted.
    seed : int or None, optional
        The output of a class depends only on the class, the fractions and this seed, so it is the same in all
        calls with this seed. By default the seed is fresh.
    stratify : str, optional
        A column of the inputs: each of its values has the same fractions in all outputs, as near as whole
        classes allow. The output of a class then also depends on the puzzles before it.

    Returns
    -------
    Summary
        ``outputs`` has the number of puzzles in each output.

    Raises
    ------
    UnidokuError
        An input cannot be read, or an output cannot be written.
    ValueError
        `by` is not one of these, or the fractions are invalid.

    Examples
    --------
    >>> import io, pathlib, tempfile
    >>> puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     outputs = [pathlib.Path(folder, name) for name in ("train.txt", "test.txt")]
    ...     split_file(io.BytesIO(puzzle), outputs, fractions=[0.9, 0.1], seed=1).puzzles
    1
    """
    if isinstance(outputs, str | bytes | os.PathLike) or not isinstance(outputs, Iterable):
        raise wrong_type("outputs", "an iterable of paths", outputs)
    if not isinstance(fractions, Iterable | None):
        raise wrong_type("fractions", "an iterable of numbers", fractions)
    names = [*map(os.fsdecode, outputs)]
    if not names:
        raise ArgumentError(Message("outputs is empty; give at least one path"))
    shares = [1 / len(names)] * len(names)
    if fractions is not None:
        shares = [real("fractions", fraction) for fraction in fractions]
    if len(shares) != len(names) or not (min(shares) >= 0 and abs(sum(shares) - 1) <= 1e-9):  # NaN is neither
        text = "{n} outputs need {n} fractions of at least 0 that add up to 1"
        rule = Message(text, n=len(names))
        raise ArgumentError(
            Message("{rule}, not {fractions}", rule=rule, fractions=", ".join(map(str, shares)))
        )
    task = Split(by, seed_of(seed), tuple(shares), stratify=stratify)
    sources = Inputs(inputs, options.get("cancel"))
    writer_options = replace(Options(**options), columns=None)
    refuse_outputs(sources, [*names, *filter(None, [writer_options.rejects])])
    writer = _Writers(
        [open_writer(name, replace(task, part=part), writer_options) for part, name in enumerate(names, 1)]
    )
    summary = run(task, sources, writer, empty=empty, **options)
    summary.outputs = writer.counts
    return summary


class Split(Task):
    """Split puzzles into several files.

    Give --output once for each file. All puzzles of one class go to the same file. The file depends only on
    the class and the seed, and with --stratify also on the puzzles before it. Records that are not puzzles
    are omitted.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "puzzle": ColumnSpec("cells", "the puzzle"),
        _PART: ColumnSpec("int64", ""),  # the number of its output, from 0, which is not written
    }
    default_columns: ClassVar[tuple[str, ...]] = ("puzzle",)
    by: str = option(
        "canonical",
        "Put puzzles into one class if they are equal (puzzle) or symmetric copies (canonical).",
        Choice(["puzzle", "canonical"]),
    )
    seed: int | None = SEED.field()
    fractions: tuple[float, ...] = ()
    part: int = 0
    """Number of the output, from 1; 0 for the input."""
    stratify: str | None = option(
        None, "Keep the shares of the values of this input column.", str, metavar="COLUMN"
    )
    outputs: dict[bytes, int] = field(default_factory=dict, init=False, compare=False, repr=False)
    """With `stratify`, the output of each class so far."""
    counts: dict[str | None, NDArray[np.int64]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """And how many puzzles with each value each output has."""

    @property
    def in_order(self) -> bool:  # type: ignore[override]
        """Whether the output of a class depends on the puzzles before it."""
        return self.stratify is not None

    @property
    def columns_read(self) -> Collection[str]:
        """The column of the input that decides, if any."""
        if self.stratify is None:
            return ()
        return (self.stratify,)

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Return puzzles and the numbers of their outputs."""
        low, high = random_bits(self.seed or 0, 0, 2).tolist()
        keys = keys_of(batch, self.by, (low, high), cancel)
        # points of the interval from 0 to 1, which the outputs share
        points = np.frombuffer(keys, "<u8")[::2] * 2.0**-64
        bounds = np.cumsum(self.fractions)[:-1]
        parts = np.searchsorted(bounds, points, side="right")
        if self.stratify is not None:
            column = batch.puzzle_columns().get(self.stratify)
            if column is None:
                raise FormatError(no_column(self.stratify, batch.columns), file=batch.source)
            fractions = np.array(self.fractions)
            for row, value in enumerate(Column(column.as_strings().values).to_list()):
                key = bytes(keys[KEY_SIZE * row : KEY_SIZE * (row + 1)])
                counts = self.counts.setdefault(value, np.zeros(len(fractions), np.int64))
                if key not in self.outputs:
                    # the output with most room for the value; among equal ones, that of the class by its key
                    room = fractions * (counts.sum() + 1) - counts
                    room[fractions == 0] = -np.inf
                    is_best = room > room.max() - 1e-9
                    self.outputs[key] = int(parts[row] if is_best[parts[row]] else np.argmax(is_best))
                parts[row] = self.outputs[key]
                counts[parts[row]] += 1
        yield ResultBatch(batch, {"puzzle": batch.puzzles(), _PART: parts})


class _Writers(Writer):
    """Writer that sends each puzzle to the writer of its part."""

    columns = ("puzzle", _PART)

    def __init__(self, writers: Sequence[Writer]) -> None:
        self._writers = writers
        self._stack = ExitStack()
        self.has_passthrough = any(writer.has_passthrough for writer in writers)
        self.takes_late = all(writer.takes_late for writer in writers)
        self.max_pending = min(writer.max_pending for writer in writers)
        self.counts = [0] * len(writers)

    def render(self, rows: Rows) -> list[tuple[int, Any]]:
        """Render the puzzles of each writer; return their number and the content."""
        rows = rows.puzzles()
        numbers = rows.columns[_PART].values
        parts = [rows.take(np.flatnonzero(numbers == number)) for number in range(len(self._writers))]
        return [(len(part), writer.render(part)) for part, writer in zip(parts, self._writers, strict=True)]

    def write(self, content: list[tuple[int, Any]]) -> None:
        """Write the next content of each writer."""
        for number, (count, part) in enumerate(content):
            self._writers[number].write(part)
            self.counts[number] += count

    def partial_paths(self) -> list[str]:
        """Return the names of the files with the rows of an unfinished run."""
        return [name for writer in self._writers for name in writer.partial_paths()]

    def __enter__(self) -> Self:
        with ExitStack() as stack:  # an error closes those before it
            for writer in self._writers:
                stack.enter_context(writer)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)


def _fractions(text: str) -> list[float]:
    """Return the shares of the outputs."""
    try:
        return [*map(float, text.split(","))]
    except ValueError:
        message = Message(
            "{text} is not a list of numbers; write one for each output, such as 0.8,0.1,0.1",
            text=repr(text[:60]),
        )
        raise click.BadParameter(message) from None


class _SplitOptions(CommandOptions):
    fractions: list[float] | None = option(
        None,
        "Give each --output this fraction of the classes; the sum is 1.",
        _fractions,
        show_default="equal parts",
        metavar="F,F,...",
    )


def command(call: Call[Split, _SplitOptions]) -> CommandResult:
    """Write the puzzles of each class to one of several files."""
    task, seed = call.about, seed_of(call.about.seed)
    shares: dict[str, Any] = {
        "fractions": call.own.fractions,
        "by": task.by,
        "seed": seed,
        "stratify": task.stratify,
    }
    summary = run_with_progress(
        partial(split_file, **shares), call.inputs, call.output, call.options, call.show
    )
    outputs = dict(zip(call.output or (), summary.outputs, strict=False))  # none after an error
    notes = [f"{path}: {amount(count, 'puzzle')}" for path, count in outputs.items() if summary.complete]
    return call.told(summary, notes=notes, seed=seed, outputs=outputs)


COMMAND = Command(
    Split,
    examples=(
        "unidoku split puzzles.txt -o train.txt -o test.txt --fractions 0.9,0.1",
        "unidoku split puzzles.txt -o one.csv -o other.csv --by puzzle",
    ),
    function=command,
    own=_SplitOptions,
    options=(
        TABLE["output"].replace(multiple=True, required=True, default=None, show_default=None),
        *("to", "where", "keep", *RUNNING),
    ),
)
