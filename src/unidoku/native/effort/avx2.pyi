from unidoku.native.effort.base import efforts as efforts
