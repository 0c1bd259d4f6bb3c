"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku.rating._names import NAMES as NAMES, TECHNIQUES as TECHNIQUES
from unidoku.rating._scale import DIFFICULTIES as DIFFICULTIES, SCALE as SCALE
