"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku._clue_symmetry import SYMMETRIES as SYMMETRIES
from unidoku.craft._canonical import canonical_many as canonical_many
from unidoku.craft._generate import AttemptsError as AttemptsError
from unidoku.craft._minimize import minimal_puzzles as minimal_puzzles, minimize_many as minimize_many
from unidoku.craft._request import Request as Request
from unidoku.craft._series import Series as Series
from unidoku.craft._transform import transform_many as transform_many
