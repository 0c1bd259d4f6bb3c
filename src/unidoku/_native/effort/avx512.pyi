from unidoku._native.effort.base import efforts as efforts
