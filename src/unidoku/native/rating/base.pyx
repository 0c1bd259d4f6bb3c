"""The rating engine for any processor."""

include "rating.pxi"
