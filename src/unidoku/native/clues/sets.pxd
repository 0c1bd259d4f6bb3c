# Sets of cells as two words, with inline functions for the modules of this package.

from libc.stdint cimport uint8_t, uint64_t

cdef extern from "sets.h" nogil:
    ctypedef struct Set:
        uint64_t low    # cells 0 to 63
        uint64_t high   # cells 64 to 80
    ctypedef uint64_t bytes16  # a vector of 16 bytes; Cython only passes it on
    bytes16 bytes_load(const uint8_t*)
    bytes16 bytes_fill(uint8_t)
    bytes16 bytes_max(bytes16, bytes16)
    int greatest(bytes16)
    void same_bytes(const uint8_t* bytes, uint8_t byte, Set* cells)
    int lowest_bit "lowest_word_bit"(uint64_t word)
    int bits(uint64_t word)
    int difference(const uint8_t* one, const uint8_t* other, const uint8_t* place, Set* cells)


cdef inline void add(Set* cells, int cell) noexcept nogil:
    if cell < 64:
        cells.low |= <uint64_t> 1 << cell
    else:
        cells.high |= <uint64_t> 1 << (cell - 64)


cdef inline void remove(Set* cells, int cell) noexcept nogil:
    if cell < 64:
        cells.low &= ~(<uint64_t> 1 << cell)
    else:
        cells.high &= ~(<uint64_t> 1 << (cell - 64))


cdef inline bint contains(const Set* cells, int cell) noexcept nogil:
    return (cells.low >> cell if cell < 64 else cells.high >> (cell - 64)) & 1


cdef inline int take_first(Set* cells) noexcept nogil:
    """Remove and return the first cell."""
    cdef int cell
    if cells.low:
        cell = lowest_bit(cells.low)
        cells.low &= cells.low - 1
    else:
        cell = 64 + lowest_bit(cells.high)
        cells.high &= cells.high - 1
    return cell


cdef inline int number(const Set* cells) noexcept nogil:
    return bits(cells.low) + bits(cells.high)


cdef inline bint within(const Set* inner, const Set* outer) noexcept nogil:
    return not (inner.low & ~outer.low) and not (inner.high & ~outer.high)


cdef inline bint meet(const Set* one, const Set* other) noexcept nogil:
    return (one.low & other.low | one.high & other.high) != 0
