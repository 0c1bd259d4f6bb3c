from unidoku._native.rating.base import (
    find_paths as find_paths,
    find_step as find_step,
    find_steps as find_steps,
    rate_cells as rate_cells,
    rate_further as rate_further,
)
