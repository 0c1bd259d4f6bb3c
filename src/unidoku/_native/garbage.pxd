# An object that is used again is reset by one function, which sets every field.  A build with UNIDOKU_GARBAGE=1 fills
# the object with garbage first (`.ci/sanitize garbage`), so that the tests see a field that the function leaves out.
# In any other build `spoil` is nothing.

cdef extern from *:
    """
    #ifdef UNIDOKU_GARBAGE
    #include <stdint.h>
    #include <string.h>
    /* Of four calls, one writes 0xA5, one 0xFF, and two write random bytes. */
    __attribute__((unused)) static void spoil(void *memory, size_t size) {
      static uint64_t calls;
      uint64_t call = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED), state = call, word = 0;
      if (call % 4 < 2) {
        memset(memory, call % 4 ? 0xFF : 0xA5, size);
        return;
      }
      for (size_t k = 0; k < size; k += sizeof word) { /* SplitMix64 */
        word = state += 0x9E3779B97F4A7C15u;
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
        word = (word ^ word >> 27) * 0x94D049BB133111EBu;
        word ^= word >> 31;
        memcpy((uint8_t *)memory + k, &word, size - k < sizeof word ? size - k : sizeof word);
      }
    }
    #else
    #define spoil(memory, size) ((void)(memory), (void)(size))
    #endif
    """
    void spoil(void* memory, size_t size) noexcept nogil
