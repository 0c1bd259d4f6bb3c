"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku.clue_symmetry import SYMMETRIES as SYMMETRIES
from unidoku.craft.canonical import canonical_many as canonical_many
from unidoku.craft.generate import AttemptsError as AttemptsError
from unidoku.craft.minimize import minimal_puzzles as minimal_puzzles, minimize_many as minimize_many
from unidoku.craft.request import Request as Request
from unidoku.craft.series import Series as Series
from unidoku.craft.transform import transform_many as transform_many
