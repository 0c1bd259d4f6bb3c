"""The lanes kernel for any processor, 8 puzzles at once."""

include "lanes.pxi"
