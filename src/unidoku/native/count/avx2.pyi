from unidoku.native.count.base import Sum as Sum

__all__ = ["Sum"]
