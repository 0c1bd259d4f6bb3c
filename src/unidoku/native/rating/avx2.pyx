"""The rating engine for AVX2."""

include "rating.pxi"
