"""The counting kernel for AVX-512, with 32 configurations per vector."""

include "count.pxi"
