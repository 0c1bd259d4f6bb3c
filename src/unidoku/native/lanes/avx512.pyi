from unidoku.native.lanes.base import (
    SolutionSearch as SolutionSearch,
    solve_cells as solve_cells,
    solve_masks as solve_masks,
)

__all__ = ["SolutionSearch", "solve_cells", "solve_masks"]
