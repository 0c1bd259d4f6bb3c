from unidoku._native.lanes.base import (
    SolutionSearch as SolutionSearch,
    quick_check as quick_check,
    quick_check_many as quick_check_many,
    quick_count as quick_count,
    quick_solve as quick_solve,
    remove_clues as remove_clues,
    solve_cells as solve_cells,
)
