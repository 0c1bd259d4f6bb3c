"""The lanes kernel for AVX2, 16 puzzles at once."""

include "lanes.pxi"
