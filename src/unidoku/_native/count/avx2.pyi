from unidoku._native.count.base import Sum as Sum
