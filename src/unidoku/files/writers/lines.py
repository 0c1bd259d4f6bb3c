"""Lines of 81 or 729 characters: ``.txt``, and SudoCue's collections ``.sdm``."""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.files.base import Batch, Column
from unidoku.files.readers.records import PuzzleRecord
from unidoku.files.writers.base import Writer, plain_cells
from unidoku.native.text.columns import gather_lines

__all__ = ["LinesWriter"]


class LinesWriter(Writer):
    """81 characters per line, ``.`` for an empty cell; 729 with pencil marks (not in ``.sdm``).

    A column ``rest`` follows the puzzle and a tab.
    """

    def puzzles(self, batch: Batch, columns: Sequence[Column]) -> bytes:
        """Return all puzzles, joined by native code unless some have pencil marks or a rest."""
        if not len(batch.marked) and not any(column.name == "rest" for column in columns):
            return gather_lines(batch.text, batch.starts, batch.zero)
        return super().puzzles(batch, columns)

    def puzzle(self, record: PuzzleRecord) -> str:
        """One line."""
        if self.suffix == ".sdm":
            return plain_cells(record, ".sdm") + "\n"
        rest = record.extra.get("rest")
        return f"{record.cells}\t{rest}\n" if rest else f"{record.cells}\n"
