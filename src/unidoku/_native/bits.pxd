# Words of bits: how many are set, and the place of the lowest one, if there is one.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from "bits.h" nogil:
    int bit_count(uint32_t bits)
    int set_size(uint32_t bits)  # fifteen bits at most
    int lowest_bit(uint64_t bits)
