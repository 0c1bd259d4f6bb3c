"""The rating engine for AVX-512."""

include "rating.pxi"
