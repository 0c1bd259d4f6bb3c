from unidoku.native.symmetry.base import (
    least_grids as least_grids,
    least_puzzles as least_puzzles,
    least_through_solutions as least_through_solutions,
    moved as moved,
)

__all__ = ["least_grids", "least_puzzles", "least_through_solutions", "moved"]
