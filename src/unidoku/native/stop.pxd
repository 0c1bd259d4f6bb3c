# The flag that ends native work: a byte that another thread sets. Loops look at it every few milliseconds.

from libc.stdint cimport uint8_t

from unidoku.native.atomics cimport shared_flag


cdef inline bint is_set(const uint8_t* flag) noexcept nogil:
    """Whether the work must end; without a flag, NULL, never."""
    return flag != NULL and shared_flag(flag) != 0


cdef inline const uint8_t* flag_of(const uint8_t[::1] stop) except? NULL:
    """The flag in a buffer of one byte; NULL for None."""
    if stop is None:
        return NULL
    if stop.shape[0] != 1:
        raise ValueError(f"stop has {stop.shape[0]} bytes, 1 is needed")
    return &stop[0]
