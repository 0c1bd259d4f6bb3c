from unidoku.native.rating.base import (
    find_paths as find_paths,
    find_step as find_step,
    find_steps as find_steps,
    group_position as group_position,
    rate_cells as rate_cells,
    rate_position as rate_position,
)
