# Pools of memory for one use at a time, such as a solver: memory that is new to the process costs more time than the
# work on one puzzle.  Memory that is taken from a pool is as its last use has left it.

from unidoku._native.atomics cimport slot_set, slot_take

cdef enum:
    IDLE = 8  # pieces that a pool keeps

cdef struct Pool:
    void* slot[IDLE]


cdef inline void* pool_take(Pool* pool) noexcept nogil:
    """Memory of the pool that only the caller uses; NULL if there is none."""
    cdef int k
    cdef void* memory
    for k in range(IDLE):
        memory = slot_take(&pool.slot[k])
        if memory != NULL:
            return memory
    return NULL


cdef inline bint pool_keep(Pool* pool, void* memory) noexcept nogil:
    """Give memory to the pool; false if it is full: then the caller frees it."""
    cdef int k
    for k in range(IDLE):
        if slot_set(&pool.slot[k], memory) == memory:
            return True
    return False
