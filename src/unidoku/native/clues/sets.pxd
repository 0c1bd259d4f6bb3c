# The cells of grids of 81 bytes that have a digit, or differ.

from libc.stdint cimport uint8_t, uint64_t

from unidoku.native.cells cimport cells_t

cdef extern from "sets.h" nogil:
    ctypedef uint64_t bytes16  # a vector of 16 bytes; Cython only passes it on
    bytes16 bytes_load(const uint8_t*)
    bytes16 bytes_max(bytes16, bytes16)
    int greatest(bytes16)
    int lowest_bit(unsigned int)
    int bit_count(unsigned int)
    cells_t same_bytes(const uint8_t* bytes, uint8_t byte)
    int difference(const uint8_t* one, const uint8_t* other, const uint8_t* place, cells_t* cells)
