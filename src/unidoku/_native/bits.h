/* Words of bits. */
#ifndef UNIDOKU_BITS_H
#define UNIDOKU_BITS_H

#include <stdint.h>

/* Whether the first byte of a word in memory is its highest one. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HIGH_BYTE_FIRST 1
#else
#define HIGH_BYTE_FIRST 0
#endif

/* How many bits are set. */
static inline __attribute__((always_inline)) int bit_count(uint32_t bits) { return __builtin_popcount(bits); }

/* The same of a set of digits or of places in a house, of at most fifteen bits. If the processor has no instruction
 * for it, one multiplication does it: with the compilers' own code, the search of native/steps takes a sixth longer. */
#if defined(__x86_64__) && !defined(__POPCNT__)
static inline __attribute__((always_inline)) int set_size(uint32_t bits) {
  const uint64_t thirds = 0x111111111111111;
  return (int)((bits * (uint64_t)0x200040008001 & thirds) * (uint64_t)0x1111111111111111 >> 60);
}
#else
static inline __attribute__((always_inline)) int set_size(uint32_t bits) { return __builtin_popcount(bits); }
#endif

/* The place of the lowest bit that is set; there is one. */
static inline __attribute__((always_inline)) int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }

#endif
