# The flag that ends native work: a byte that another thread sets. Loops look at it every few milliseconds.
#
# Tests end work at the n-th look instead of at a time: their flag has nine bytes, 2 and a number of 64 bits, which each
# look counts down; after 0 the flag is set. Without a test, a flag that is not set costs what one byte costs.

from libc.stdint cimport uint8_t

from unidoku._native.atomics cimport shared_flag


cdef extern from * nogil:
    """
    #ifndef UNIDOKU_STOP_H
    #define UNIDOKU_STOP_H
    #include <stdint.h>
    #include <string.h>
    #define STOP_COUNTS 2
    static uint8_t *stop_counted; /* the flag of nine bytes that this module was given last, or NULL */

    static __attribute__((noinline, cold, unused)) int stop_reached(const uint8_t *flag) {
      uint8_t *counted = stop_counted;
      uint64_t left;
      if (*flag != STOP_COUNTS || counted != flag) return 1;
      memcpy(&left, counted + 1, sizeof(left));
      if (!left) {
        *counted = 1;
        return 1;
      }
      left--;
      memcpy(counted + 1, &left, sizeof(left));
      return 0;
    }
    #endif
    """
    enum:
        STOP_COUNTS
    uint8_t* stop_counted
    int stop_reached(const uint8_t* flag)


cdef inline bint is_set(const uint8_t* flag) noexcept nogil:
    """Whether the work must end; without a flag, NULL, never."""
    return flag != NULL and shared_flag(flag) != 0 and stop_reached(flag)


cdef inline const uint8_t* flag_of(const uint8_t[::1] stop) except? NULL:
    """The flag in a buffer of one byte, or of a test's nine; NULL for None."""
    if stop is None:
        return NULL
    return flag_at(&stop[0] if stop.shape[0] else NULL, stop.shape[0])


cdef inline const uint8_t* flag_at(const uint8_t* flag, Py_ssize_t size) except? NULL:
    """The flag in this many bytes, one or a test's nine."""
    global stop_counted
    if size == 9 and flag[0] == STOP_COUNTS:
        stop_counted = <uint8_t*> flag
        return flag
    if size != 1 and size != 9:
        raise ValueError(f"stop has {size} bytes, 1 is needed")
    if stop_counted == flag:  # a test's flag that is set, or its memory, used again
        stop_counted = NULL
    return flag
