# The flag that ends native work: a byte that another thread sets. Loops look at it every few milliseconds.

from libc.stdint cimport uint8_t


cdef inline bint is_set(const uint8_t* flag) noexcept nogil:
    """Whether the work must end; without a flag, NULL, never."""
    return flag != NULL and (<const volatile uint8_t*> flag)[0] != 0
