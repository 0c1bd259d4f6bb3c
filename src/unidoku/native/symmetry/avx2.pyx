"""The symmetry kernel for AVX2."""

include "symmetry.pxi"
