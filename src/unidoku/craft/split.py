"""Split data sets without leaks: all puzzles of one class go to the same output."""

from __future__ import annotations

import math
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.craft.canonical import canonical_many
from unidoku.craft.changes import cells_of, located
from unidoku.craft.seeds import row_words, seed_of
from unidoku.files.inputs import expand, read_chunks
from unidoku.files.options import InputOptions
from unidoku.files.overlap import refuse_overlap
from unidoku.many import invalid_row, solve
from unidoku.run.convert import batch_at
from unidoku.run.sinks import open_sink
from unidoku.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from unidoku.files.inputs import Input
    from unidoku.files.options import InputFields

__all__ = ["CLASSES", "split_file"]

CLASSES = ("canonical", "solution", "puzzle")
"""What puzzles of one class have in common: canonical form, canonical form of the solution, or cells."""


def split_file(
    path: Input | Sequence[Input],
    outputs: Sequence[str | os.PathLike[str]],
    fractions: Sequence[float] | None = None,
    *,
    by: str = "canonical",
    seed: int | None = None,
    to: str | None = None,
    comment: bool = False,
    carry: bool = True,
    threads: int | None = None,
    options: InputOptions | None = None,
    **fields: Unpack[InputFields],
) -> list[int]:
    """Write the puzzles of some files to several outputs, each class of puzzles to one of them.

    Parameters
    ----------
    path : path, binary file, or a sequence of these
    outputs : sequence of paths
        As for `unidoku.convert_file`; each appears when it is complete.
    fractions : sequence of float, optional
        Expected fraction of the classes for each output, with sum 1; by default equal fractions.
    by : {'canonical', 'solution', 'puzzle'}, optional
        Puzzles of one class are: ``canonical``: equivalent puzzles; ``solution``: puzzles with equivalent
        solutions, for proper puzzles only; ``puzzle``: equal puzzles.
    seed : int or None, optional
        The output of a class depends on its canonical form and this seed alone, so a class goes to the same
        output in every call; by default it is a fresh one.
    to, carry, options, **fields
        As for `unidoku.convert_file`.
    comment : bool, optional
        Begin each output of lines or CSV with a comment that has the parameters.
    threads : int, optional
        Worker threads; by default one per available core.

    Returns
    -------
    list of int
        The number of puzzles in each output.

    Raises
    ------
    UnidokuError
        An input cannot be read, a record is not a puzzle or has no class, or an output cannot be written.
    ValueError
        `by` is not one of these, or the fractions are invalid.
    """
    if by not in CLASSES:
        raise ValueError(f"invalid class {by!r}; choose from: {', '.join(CLASSES)}")
    shares = _shares(len(outputs), fractions)
    bounds = np.cumsum(shares)[:-1]
    start = seed_of(seed)
    names = [os.fspath(each) for each in outputs]
    inputs = expand(path)
    refuse_overlap(inputs, names)
    counts = [0] * len(names)
    scratch: dict[str, Any] = {}
    options = InputOptions.of(options, fields)
    with ExitStack() as stack:
        about: dict[str, Any] = {"command": "split", "by": by, "seed": start, "fractions": shares}
        common: dict[str, Any] = {"to": to, "puzzles": True, "atomic": True, "comment": comment}
        sinks = [
            stack.enter_context(open_sink(each, options={**about, "part": number}, **common))
            for number, each in enumerate(names, 1)
        ]
        for chunk in read_chunks(inputs, options, carry=carry):
            try:
                batch = chunk.parse(scratch)
                for reject in batch.rejects:
                    raise reject.error(batch.source)
                keys = located(batch, lambda: _keys(cells_of(batch), by, start, threads))  # noqa: B023
                places = np.searchsorted(bounds, keys, side="right")
                for k, sink in enumerate(sinks):
                    chosen = np.flatnonzero(places == k)
                    sink.write(sink.render(batch_at(batch, chosen), None))
                    counts[k] += len(chosen)
            finally:
                chunk.release()
    return counts


def _shares(count: int, fractions: Sequence[float] | None) -> list[float]:
    """Return the fraction of the classes for each output."""
    if count < 1:
        raise ValueError("at least one output is needed")
    if fractions is None:
        fractions = [1 / count] * count
    if len(fractions) != count:
        raise ValueError(f"{count} outputs need {count} fractions, not {len(fractions)}")
    if any(not math.isfinite(each) or each < 0 for each in fractions) or abs(sum(fractions) - 1) > 1e-9:
        raise ValueError(
            f"fractions must be at least 0 and have the sum 1, not {', '.join(map(str, fractions))}"
        )
    return [float(each) for each in fractions]


def _keys(cells: NDArray[np.uint8], by: str, seed: int, threads: int | None) -> NDArray[np.float64]:
    """Return a number from 0 to 1 for each puzzle, the same for all puzzles of a class."""
    forms = cells
    if by == "solution":
        found = solve(cells)
        forms = found.solutions
        wrong = np.flatnonzero(found.verdicts != Verdict.UNIQUE)
        if wrong.size:
            raise invalid_row(int(wrong[0]), "not a proper puzzle, so it has no class by its solution")
    if by != "puzzle":
        forms = canonical_many(forms, threads=threads)
    return (row_words(forms, seed)[:, 0] >> np.uint64(11)).astype(np.float64) * 2.0**-53
