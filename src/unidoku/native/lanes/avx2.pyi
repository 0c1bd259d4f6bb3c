from unidoku.native.lanes.base import (
    Search as Search,
    solve_cells as solve_cells,
    solve_masks as solve_masks,
)

__all__ = ["Search", "solve_cells", "solve_masks"]
