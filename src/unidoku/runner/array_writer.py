"""Writer of rows as NumPy arrays: ``.npz`` with an array for each column, ``.npy`` with the puzzles alone."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from unidoku.compat import np
from unidoku.files.formats import OutputFormat
from unidoku.files.output import OutputFile
from unidoku.options import Options
from unidoku.runner.results import typed_column
from unidoku.runner.writer import FileWriter
from unidoku.table.batch import Batch
from unidoku.table.column import Column, Strings
from unidoku.table.rows import Rows
from unidoku.task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PLURALS = {"puzzle": "puzzles", "solution": "solutions", "file": "files"}
"""Names of the arrays whose columns have another one; NumPy's own argument is called ``file``."""


class ArrayWriter(FileWriter):
    """Rows in memory until the end, since a file of NumPy begins with their number."""

    has_begun = True

    def __init__(
        self, file: OutputFile, output: OutputFormat, task: Task, options: Options, *, several: bool
    ) -> None:
        super().__init__(file, output, task, options, several=several)
        self.columns = tuple(name for name in self.columns if name != "reason")  # all rows are puzzles
        self._kinds = {**task.column_types, "puzzle": "cells"}
        kinds = {name: self._kinds.get(name, "string") for name in self.columns}
        self._arrays = {name: [_array(typed_column(name, kinds[name], None), kinds[name])] for name in kinds}

    def render(self, rows: Rows) -> dict[str, NDArray[Any]]:
        """Return an array for each column; records that are no puzzles are left out."""
        columns = self.columns_of(rows.puzzles())
        return {name: _array(column, self._kinds.get(name, "")) for name, column in columns.items()}

    def write(self, content: dict[str, NDArray[Any]]) -> None:
        """Keep the arrays of a batch."""
        for name, array in content.items():
            self._arrays.setdefault(name, []).append(array)

    def close(self) -> None:
        """Write the arrays."""
        arrays = {_PLURALS.get(name, name): np.concatenate(parts) for name, parts in self._arrays.items()}
        content = io.BytesIO()
        if self.output.format.name == "npz":
            np.savez(content, **arrays)  # type: ignore[arg-type]
        else:
            np.save(content, arrays["puzzles"])
        self.file.write(content.getbuffer())


def _array(column: Column, kind: str) -> NDArray[Any]:
    """Copy a column to an array of numbers, of cells 0 to 9, or of texts: JSON for lists.

    A missing value is 0, NaN, False, or an empty text.
    """
    values = column.values
    if kind == "cells" and isinstance(values, Strings):
        cells = np.zeros((len(column), 81), np.uint8)
        has_value = column.has_value()
        cells[has_value] = Batch("", values.text, values.starts[has_value], ()).cells
        return cells
    if isinstance(values, np.ndarray) and column.categories is None:
        return np.array(column.array())  # its memory may be that of a scanner, which is used again
    return np.array(Column(column.as_strings().values).to_list(), np.str_)
