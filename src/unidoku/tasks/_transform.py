"""Make: Write symmetric copies of puzzles.

The task `transform`: images of puzzles under the symmetry group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from unidoku._arguments import seed_of
from unidoku._cli.command import Command
from unidoku._columns import ColumnSpec
from unidoku._compat import NDArray, np
from unidoku._options import POSITIVE, Choice, option
from unidoku._table.batch import Batch
from unidoku._task import ResultBatch, Task, Work
from unidoku._threads import Cancel
from unidoku.craft._canonical import forms_of
from unidoku.craft._transform import Transformation, random_symmetries, transform_many
from unidoku.errors import ArgumentError, Message
from unidoku.tasks._shared import SEED, SOLUTION

_IMAGES = 1 << 15  # in a piece


class Transform(Task):
    """Write symmetric copies of puzzles.

    With -n, the copies are random. A rotation, a reflection and new digits are applied in this order.

    Solutions in input columns are also transformed. Input ratings become input_er and so on, because the
    ratings of a copy can differ. To rate the copies, add: --to csv | unidoku rate

    Parameters
    ----------
    count, original, rotate, reflect, digits
        As the options of the command.
    seed : int, optional
        The images depend only on the seed and the puzzle, not on its place. By default the seed is fresh.
    solution : str, optional
        The column of solutions, by name or number; by default those with a name of solutions, or with a
        solution of the first puzzle.
    """

    columns: ClassVar[Mapping[str, ColumnSpec]] = {
        "puzzle": ColumnSpec("cells", "the image"),
        "image_of": ColumnSpec("cells", "the puzzle that it is a copy of"),
        "original": ColumnSpec("cells", "the same as image_of"),
        "symmetry": ColumnSpec("int64", "the number of the symmetry"),
        "automorphisms": ColumnSpec("int64", "how many symmetries map the puzzle to itself"),
    }
    searches: ClassVar[bool] = False
    default_columns: ClassVar[tuple[str, ...]] = ("puzzle", "image_of")
    summary_counts: ClassVar[tuple[str, ...]] = ("unmoved",)
    rare_counts: ClassVar[tuple[str, ...]] = summary_counts
    count: int | None = option(
        None, "Write N random copies of each puzzle.", POSITIVE, flags=("-n", "--count")
    )
    seed: int | None = SEED.field()
    solution: str | None = SOLUTION.field()
    original: bool = option(False, "Write each puzzle before its copies.")
    rotate: int | None = option(None, "Rotate clockwise by this angle in degrees.", Choice([90, 180, 270]))
    reflect: str | None = option(
        None,
        "Reflect in this axis: horizontal, vertical, diagonal or antidiagonal.",
        Choice(["horizontal", "vertical", "diagonal", "antidiagonal"]),
    )
    digits: str | None = option(
        None, "Give the digits 1 to 9 new labels, such as 912345678.", str, metavar="DIGITS"
    )

    def values(self) -> dict[str, Any]:
        """Check the digits, and that copies are random or by one symmetry; draw a seed for random copies."""
        values = super().values()
        if self.digits is not None and sorted(self.digits) != list("123456789"):
            text = "digits must be 1 to 9 in any order, not {digits}"
            raise ArgumentError(Message(text, digits=repr(self.digits)))
        if (self.count is None) == ({self.rotate, self.reflect, self.digits} == {None}):
            text = "choose either random copies (-n), or one or more of rotate, reflect and digits"
            raise ArgumentError(Message(text))
        return {**values, "seed": None if self.count is None else seed_of(values["seed"])}

    @property
    def symmetry(self) -> Transformation:
        """The symmetry of one copy: a rotation, then a reflection, then new digits."""
        symmetry = Transformation()
        if self.rotate is not None:
            symmetry = Transformation.rotation(self.rotate)
        axis: Any = self.reflect
        if axis is not None:
            symmetry = Transformation.reflection(axis) @ symmetry
        if self.digits is not None:
            symmetry = Transformation(digits=tuple(map(int, self.digits))) @ symmetry
        return symmetry

    def work(self, batch: Batch, work: Work, cancel: Cancel) -> Iterator[ResultBatch]:
        """Yield the images in pieces: a puzzle may have more than memory holds."""
        cells, count = batch.cells, (self.count or 1) + self.original  # images of a puzzle
        size = max(1, _IMAGES // count)  # puzzles in a piece
        for begin in range(0, max(1, len(cells)), size):
            for image in range(0, count, _IMAGES):
                symmetries = self._symmetries(cells[begin : begin + size], image, min(_IMAGES, count - image))
                rows = begin + np.repeat(np.arange(len(symmetries)), symmetries.shape[1])
                numbers = symmetries.reshape(-1)
                images = transform_many(cells[rows], numbers, threads=1, cancel=cancel).puzzle
                columns: dict[str, Any] = {"puzzle": images, "symmetry": numbers}
                for name in work.columns & {"image_of", "original"}:
                    columns[name] = cells[rows]
                if "automorphisms" in work.columns:
                    forms, _ = forms_of(Batch.of_cells(images), cancel=cancel)
                    columns["automorphisms"] = forms["automorphisms"]
                done = begin + len(symmetries) * (image + _IMAGES >= count)
                yield ResultBatch(batch, columns, rows, done=done)

    def _symmetries(self, cells: NDArray[np.uint8], image: int, count: int) -> NDArray[np.int64]:
        """Return the numbers of the symmetries, int64[n, count], of the images from number `image` on."""
        originals = int(self.original and not image)
        drawn = count - originals
        if self.count is None:
            symmetries = np.full((len(cells), drawn), self.symmetry.index, np.int64)
        else:
            position = image - self.original + originals
            symmetries = random_symmetries(cells, self.seed or 0, drawn, position)
        return np.pad(symmetries, ((0, 0), (originals, 0)))  # symmetry 0 changes nothing


COMMAND = Command(
    Transform,
    examples=(
        "unidoku transform puzzles.txt -n 10 --seed 1 -o copies.txt",
        "unidoku transform puzzles.txt --rotate 90 --digits 912345678",
    ),
)
