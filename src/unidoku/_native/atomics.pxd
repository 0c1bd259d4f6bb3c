# Numbers and pointers that threads share without a lock: they are read and written atomically.

from libc.stdint cimport uint8_t, uint64_t

cdef extern from * nogil:
    """
    #ifndef UNIDOKU_ATOMICS_H
    #define UNIDOKU_ATOMICS_H
    #include <stddef.h>

    /* Whoever reads that a part is done sees what was written before it was. */
    #define shared_next(number) __atomic_fetch_add(number, 1, __ATOMIC_RELAXED)
    #define shared_done(number) ((void)__atomic_fetch_add(number, 1, __ATOMIC_RELEASE))
    #define shared_read(number) __atomic_load_n(number, __ATOMIC_ACQUIRE)
    #define shared_add(number, more) ((void)__atomic_fetch_add(number, more, __ATOMIC_RELAXED))
    #define shared_flag(flag) __atomic_load_n(flag, __ATOMIC_RELAXED)

    /* A thread that takes a pointer from a slot sees everything that was written before it was put there. */
    #define slot_take(slot) __atomic_exchange_n(slot, NULL, __ATOMIC_ACQUIRE)
    #define slot_read(slot) __atomic_load_n(slot, __ATOMIC_ACQUIRE)
    static inline __attribute__((unused)) void *slot_set(void **slot, void *value) {
      void *found = NULL;
      return __atomic_compare_exchange_n(slot, &found, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? value : found;
    }
    #endif
    """
    int shared_next(int* number)  # increments a number and returns its old value
    void shared_done(int* number)  # increments a number of parts that are done
    int shared_read(int* number)
    void shared_add(uint64_t* number, uint64_t more)
    uint8_t shared_flag(const uint8_t* flag)

    void* slot_take(void** slot)  # leaves it empty
    void* slot_read(void** slot)
    void* slot_set(void** slot, void* value)  # if it is empty; the pointer in it afterwards
