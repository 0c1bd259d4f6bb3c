# Arrays that grow, and texts with a puzzle at each start.

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport realloc


cdef inline bint make_room(void** items, Py_ssize_t* capacity, Py_ssize_t needed, size_t size) noexcept nogil:
    """Provide memory for at least `needed` items of `size` bytes; false, with nothing changed, if there is none."""
    cdef Py_ssize_t more = max(needed, 2 * capacity[0])
    cdef void* grown
    if needed <= capacity[0]:
        return True
    grown = realloc(items[0], more * size)
    if grown == NULL:
        return False
    items[0] = grown
    capacity[0] = more
    return True


cdef inline int check_starts(const int64_t* starts, Py_ssize_t count, Py_ssize_t size) except -1:
    """Raise an error unless the 81 bytes from each start on are inside a text of this size."""
    cdef Py_ssize_t k
    cdef bint inside = True
    for k in range(count):
        inside = inside & (starts[k] >= 0) & (starts[k] <= size - 81)
    if not inside:
        raise ValueError("a start is outside the text")
    return 0


cdef inline Py_ssize_t start_of(const int64_t* start, Py_ssize_t size) noexcept nogil:
    """A start that `check_starts` has checked, read once, inside a text of this size whatever was written there since.

    An output may lie over the starts, and another thread may change them: the results mean nothing then, but no other
    memory is read.
    """
    cdef uint64_t place = <uint64_t> (<const volatile int64_t*> start)[0]
    return min(<Py_ssize_t> min(place, <uint64_t> size), size - 81)
