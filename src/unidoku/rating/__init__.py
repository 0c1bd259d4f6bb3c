"""Ratings of puzzles: on the scale of Sudoku Explainer, by the step engine, and by the book's classes.

The steps of one puzzle need no NumPy, so names are imported on first use.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.rating.measure import measure_many as measure_many
else:
    from unidoku.lazy import lazy

    __all__, __getattr__, __dir__ = lazy(__name__)
