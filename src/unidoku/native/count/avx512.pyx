"""The counting kernel for AVX-512, 32 configurations side by side."""

include "count.pxi"
