from unidoku.native.rating.base import path_cells as path_cells, rate_cells as rate_cells

__all__ = ["path_cells", "rate_cells"]
