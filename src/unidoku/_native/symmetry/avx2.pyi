from unidoku._native.symmetry.base import (
    least_images as least_images,
    least_through_solutions as least_through_solutions,
    transform as transform,
)
