"""The lanes kernel for AVX-512, 32 puzzles at once."""

include "lanes.pxi"
