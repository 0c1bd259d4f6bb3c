"""The counting kernel for AVX2, 16 configurations side by side."""

include "count.pxi"
