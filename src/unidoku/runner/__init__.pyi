"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku._options import Progress as Progress
from unidoku.runner._writer import Writer as Writer
