"""The counting kernel for any processor, with 8 configurations per vector."""

include "count.pxi"
