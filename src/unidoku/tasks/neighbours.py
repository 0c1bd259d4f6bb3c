"""The capability `neighbours`: the proper puzzles near a puzzle.

The functions in memory are in `unidoku.craft.neighbours`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from unidoku.options import option
from unidoku.task import Need, Task
from unidoku.tasks.columns import RATINGS, ratings_of, scaled

if TYPE_CHECKING:
    from unidoku.batch import Batch
    from unidoku.column import Column
    from unidoku.files.inputs import Input
    from unidoku.options import OptionFields
    from unidoku.runner.summary import Summary


@dataclass(frozen=True)
class Neighbours(Task):
    """Write the proper puzzles near a puzzle.

    A neighbour is the puzzle with N clues removed and M added. No two neighbours of one puzzle are images of
    each other under the symmetry group. Those of different puzzles may be; convert --unique canonical leaves
    one of each class. Formats with columns also have the ratings of each new puzzle, unless --keep none is
    given.
    """

    name: ClassVar[str] = "neighbours"
    columns: ClassVar[Mapping[str, tuple[str, str]]] = {"puzzle": ("cells", "the neighbour"), **RATINGS}
    examples: ClassVar[tuple[str, ...]] = (
        "unidoku neighbours few.txt -o near.txt",
        "unidoku neighbours few.txt --remove 2 --add 1 --to csv",
    )
    remove: int = option(1, "Remove N clues.", least=0, most=81)
    add: int = option(1, "Add M clues.", least=0, most=81, metavar="M")

    batch_size: ClassVar[int] = 50  # one may have thousands of neighbours

    def to_json(self) -> dict[str, Any]:
        """Return the name and the parameters, and the scale of the ratings."""
        return scaled(super().to_json())

    def work(self, batch: Batch, need: Need) -> dict[str, Any]:
        """Find the neighbours of each puzzle."""
        from unidoku.craft.neighbours import neighbours_of

        of, puzzles = neighbours_of(batch.cells, self.remove, self.add, need.threads(), need.cancel)
        return {"of": of, "puzzle": puzzles, **ratings_of(puzzles, need)}

    def carried(self, batch: Batch, found: Mapping[str, Any]) -> dict[str, Column]:
        """Return no column of the input: a neighbour is another puzzle."""
        return {}


def neighbours_file(
    inputs: Input | Sequence[Input],
    output: str | os.PathLike[str],
    *,
    remove: int = 1,
    add: int = 1,
    **options: Unpack[OptionFields],
) -> Summary:
    """Write the neighbours of the puzzles of some files.

    Parameters
    ----------
    inputs, output, **options
        As for `convert_file`; unless ``keep`` is ``"none"``, the ratings of the new puzzles are written too
        if the format has columns.
    remove, add
        As for `unidoku.neighbours`. Neighbours of different puzzles may be images of each other;
        `dedupe_file` with ``by="canonical"`` leaves one of each class.

    Returns
    -------
    Summary
        ``puzzles`` is the number of puzzles read, ``written`` the number of puzzles in the output.

    Raises
    ------
    UnidokuError, ValueError
        As for `convert_file`; also if `remove` or `add` is out of range for a puzzle.
    """
    from unidoku.runner.task import run

    return run(Neighbours(remove, add), inputs, output, **options)
