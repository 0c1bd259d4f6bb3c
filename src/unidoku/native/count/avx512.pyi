from unidoku.native.count.base import Sum as Sum
