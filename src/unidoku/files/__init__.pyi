"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku._table.column import Column as Column, Rows as Rows
from unidoku.files._inputs import PuzzleBatch as PuzzleBatch
