from unidoku.native.lanes.base import (
    SolutionSearch as SolutionSearch,
    native_check as native_check,
    native_check_many as native_check_many,
    native_count as native_count,
    native_solve as native_solve,
    remove_clues as remove_clues,
    solve_cells as solve_cells,
)
