"""The symmetry kernel for AVX-512."""

include "symmetry.pxi"
