"""The symmetry kernel for any processor."""

include "symmetry.pxi"
