/* Vectors of bytes for the symmetry kernel.
 *
 * A line of a grid (a row or a column) is nine bytes at the start of a bytes16.  `bytes_shuffle` is one
 * instruction with SSSE3 and NEON, a loop elsewhere.  WIDE is 1 if a whole grid fits into two registers whose
 * bytes can be permuted freely (AVX-512 VBMI with GFNI).
 */
#ifndef UNIDOKU_SYMMETRY_BYTES_H
#define UNIDOKU_SYMMETRY_BYTES_H

#include "../bits.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512VBMI__) && defined(__AVX512BITALG__) && defined(__GFNI__)
#define WIDE 1
#else
#define WIDE 0
#endif

#if defined(__SSSE3__) || (defined(__ARM_NEON) && defined(__aarch64__))
#define HAS_SHUFFLE 1
#else
#define HAS_SHUFFLE 0
#endif

#define INLINE static inline __attribute__((always_inline, unused))

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint32_t words4 __attribute__((vector_size(16)));

INLINE bytes16 bytes_load(const uint8_t *from) {
  bytes16 v;
  memcpy(&v, from, 16);
  return v;
}
INLINE void bytes_store(uint8_t *to, bytes16 v) { memcpy(to, &v, 16); }
INLINE bytes16 bytes_fill(uint8_t byte) { return (bytes16){0} + byte; }

/* byte i of the result is byte index[i] of table; indices are 0 to 15 */
INLINE bytes16 bytes_shuffle(bytes16 table, bytes16 index) {
#if defined(__SSSE3__)
  return (bytes16)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  return (bytes16)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)index);
#else
  uint8_t t[16], i[16], r[16];
  bytes_store(t, table);
  bytes_store(i, index);
  for (int k = 0; k < 16; k++) r[k] = t[i[k]];
  return bytes_load(r);
#endif
}
/* byte i of the result is byte inner[index[i]] of outer, where bytes 0, 4, 8 and 12 to 15 of index are 15 and those of
   the result may be anything */
INLINE bytes16 bytes_lookup(const uint8_t *outer, const uint8_t *inner, const uint8_t *index) {
#if !HAS_SHUFFLE && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  /* not through memory: the processor is slow to load as one what was stored in smaller pieces */
  typedef uint64_t words2 __attribute__((vector_size(16)));
  uint64_t low = 0, high = 0;
  for (int i = 7; i > 0; i--) low = low << 8 | (i == 4 ? 0 : outer[inner[index[i]]]);
  for (int i = 11; i > 8; i--) high = high << 8 | outer[inner[index[i]]];
  return (bytes16)(words2){low << 8, high << 8};
#else
  return bytes_shuffle(bytes_load(outer), bytes_shuffle(bytes_load(inner), bytes_load(index)));
#endif
}
/* a shuffle that moves whole groups of four bytes and leaves the last one */
INLINE bytes16 bytes_regroup(bytes16 v, const uint8_t *index) {
#if HAS_SHUFFLE
  return bytes_shuffle(v, bytes_load(index));
#else
  words4 x = (words4)v;
  uint32_t word[4] = {x[0], x[1], x[2], x[3]};
  return (bytes16)(words4){word[index[0] / 4], word[index[4] / 4], word[index[8] / 4], word[3]};
#endif
}
/* each four bytes with their last two exchanged (pair 0) or their middle two (pair 1) */
INLINE bytes16 bytes_exchange(bytes16 v, int pair) {
#if !HAS_SHUFFLE && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  words4 x = (words4)v;
  words4 high = pair ? (x & 0xFF0000) : (x & 0xFF000000), low = pair ? (x & 0xFF00) : (x & 0xFF0000);
  words4 rest = pair ? (x & 0xFF0000FF) : (x & 0xFFFF);
  return (bytes16)(rest | high >> 8 | low << 8);
#else
  static const uint8_t exchange[2][16] = {{0, 1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14},
                                          {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15}};
  return bytes_shuffle(v, bytes_load(exchange[pair]));
#endif
}
/* each byte from a where the mask is all ones, from b where it is zero */
INLINE bytes16 bytes_choose(bytes16 mask, bytes16 a, bytes16 b) {
#if defined(__SSE4_1__)
  return (bytes16)_mm_blendv_epi8((__m128i)b, (__m128i)a, (__m128i)mask);
#else
  return (a & mask) | (b & ~mask);
#endif
}
INLINE bytes16 bytes_min(bytes16 a, bytes16 b) {
#if defined(__SSE2__) || defined(_M_X64)
  return (bytes16)_mm_min_epu8((__m128i)a, (__m128i)b);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  return (bytes16)vminq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
  bytes16 less = (bytes16)(a < b);
  return (a & less) | (b & ~less);
#endif
}
INLINE bytes16 bytes_max(bytes16 a, bytes16 b) {
#if defined(__SSE2__) || defined(_M_X64)
  return (bytes16)_mm_max_epu8((__m128i)a, (__m128i)b);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  return (bytes16)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
  bytes16 less = (bytes16)(a < b);
  return (b & less) | (a & ~less);
#endif
}
/* bit i: byte i is not zero; the bytes are 0 or 255 */
INLINE uint32_t bytes_bits(bytes16 mask) {
#if defined(__SSE2__) || defined(_M_X64)
  return (uint32_t)_mm_movemask_epi8((__m128i)mask);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const bytes16 bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t each = (uint8x16_t)(mask & bits);
  return vaddv_u8(vget_low_u8(each)) | (uint32_t)vaddv_u8(vget_high_u8(each)) << 8;
#else
  uint32_t bits = 0;
  for (int k = 0; k < 16; k++) bits |= (uint32_t)(mask[k] & 1) << k;
  return bits;
#endif
}
INLINE bytes16 bytes_equal(bytes16 a, bytes16 b) { return (bytes16)(a == b); }
/* bytes 0 to 7 as one number, byte 0 the highest */
INLINE uint64_t bytes_number(bytes16 v) {
  uint64_t number;
  memcpy(&number, &v, 8);
  return __builtin_bswap64(number);
}

/* bytes 4k to 4k + 3 as one number, the last byte the highest */
INLINE uint32_t bytes_word(bytes16 v, int k) {
  uint32_t word = ((words4)v)[k];
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap32(word);
#endif
  return word;
}

#endif
