"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku.files.inputs import PuzzleBatch as PuzzleBatch
from unidoku.table.column import Column as Column, Rows as Rows
