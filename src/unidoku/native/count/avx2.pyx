"""The counting kernel for AVX2, with 16 configurations per vector."""

include "count.pxi"
