# The cells of grids of 81 bytes that have a digit, or differ.

from libc.stdint cimport uint8_t, uint64_t

from unidoku._native.cells cimport cells_t

cdef extern from * nogil:
    """
    #include "../vectors.h"

    /* 81 cells as bits: five parts of 16, and the last one. */
    INLINE cells_t cells_of_parts(const uint64_t *part, uint64_t last) {
      uint64_t low = part[0] | part[1] << 16 | part[2] << 32 | part[3] << 48;
      return (cells_t)(part[4] | last << 16) << 64 | low;
    }

    /* The cells of a grid of 81 bytes that have a byte. */
    INLINE cells_t same_bytes(const uint8_t *bytes, uint8_t byte) {
      bytes16 repeated = bytes_fill(byte);
      uint64_t part[5];
      for (int k = 0; k < 5; k++) part[k] = bytes_bits(bytes_equal(bytes_load(bytes + 16 * k), repeated));
      return cells_of_parts(part, bytes[80] == byte);
    }

    /* The cells where two grids of 81 bytes differ; returns the greatest `place` of these cells (0 if none). */
    INLINE int difference(const uint8_t *one, const uint8_t *other, const uint8_t *place, cells_t *cells) {
      bytes16 most = bytes_fill(0);
      uint64_t part[5];
      for (int k = 0; k < 5; k++) {
        bytes16 same = bytes_equal(bytes_load(one + 16 * k), bytes_load(other + 16 * k));
        part[k] = ~bytes_bits(same) & 0xFFFF;
        most = bytes_max(most, bytes_load(place + 16 * k) & ~same);
      }
      int last = one[80] != other[80];
      *cells = cells_of_parts(part, last);
      int top = bytes_greatest(most);
      return last && place[80] > top ? place[80] : top;
    }
    """
    ctypedef uint64_t bytes16  # a vector of 16 bytes; Cython only passes it on
    bytes16 bytes_load(const uint8_t*)
    bytes16 bytes_max(bytes16, bytes16)
    int bytes_greatest(bytes16)
    cells_t same_bytes(const uint8_t* bytes, uint8_t byte)
    int difference(const uint8_t* one, const uint8_t* other, const uint8_t* place, cells_t* cells)
