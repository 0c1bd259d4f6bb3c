"""The counting kernel for any processor, 8 configurations side by side."""

include "count.pxi"
