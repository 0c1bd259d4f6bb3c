/* Vectors of the size of a register, and of 16 bytes: which instruction set a module is compiled for, and the operations
 * that are single instructions on some processors.
 *
 * A lanes_vec has a 16-bit word in each of LANES lanes; a bytes_vec as many bytes as the register holds.  Plain & | ~ + -
 * work on them through the compilers' vector extensions.  None of the functions moves a word from one lane to another.
 *
 * This is the one place that asks the compiler for vectors.  A header of arch/ has the code of one instruction set,
 * here and in lanes/arch/, rating/arch/ and symmetry/arch/. Headers that other headers include have code that several
 * sets share.  ARCH is its name, here and in lanes/.
 *
 *                 x86.h  sse4.h    what they share: 16 bytes on any x86-64, and with SSE4.1
 *     avx512.h      x       x      Ice Lake's set
 *     avx2.h        x       x
 *     sse2.h        x      (x)     any x86-64; SSE4.1 where the flags have it, as on a Mac
 *     neon.h                       64-bit ARM
 *     plain.h                      any other
 */
#ifndef UNIDOKU_VECTORS_H
#define UNIDOKU_VECTORS_H

#include <stdint.h>
#include <string.h>

#include "bits.h"

#if defined(__AVX512VBMI2__) && defined(__AVX512BITALG__) && defined(__AVX512VNNI__) && defined(__GFNI__)
#define FOR_AVX512
#define ARCH "arch/avx512.h"
#define LANES 32
#elif defined(__AVX2__)
#define ARCH "arch/avx2.h"
#define LANES 16
#elif defined(__SSE2__) || defined(_M_X64)
#define ARCH "arch/sse2.h"
#define LANES 8
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define ARCH "arch/neon.h"
#define LANES 8
#else
#define ARCH "arch/plain.h"
#define LANES 8
#endif

#define INLINE static inline __attribute__((always_inline, unused))
#define UNROLL _Pragma("GCC unroll 9")
#define UNROLL_ALL _Pragma("GCC unroll 81")

#define REGISTER (2 * LANES) /* bytes */
#define ALL_LANES ((uint32_t)((1ull << LANES) - 1))

typedef uint16_t lanes_vec __attribute__((vector_size(REGISTER)));
typedef uint8_t bytes_vec __attribute__((vector_size(REGISTER)));
/* a number for each pair of lanes, and for each four */
typedef uint32_t pairs_vec __attribute__((vector_size(REGISTER)));
typedef uint64_t fours_vec __attribute__((vector_size(REGISTER)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

INLINE lanes_vec vec_fill(uint16_t word) { return (lanes_vec){0} + word; }
INLINE lanes_vec vec_load(const uint16_t *words) {
  lanes_vec v;
  memcpy(&v, words, sizeof(v));
  return v;
}
/* all ones where the words are equal, otherwise zero */
INLINE lanes_vec vec_equal(lanes_vec a, lanes_vec b) { return (lanes_vec)(a == b); }

INLINE bytes16 bytes_load(const uint8_t *from) {
  bytes16 v;
  memcpy(&v, from, 16);
  return v;
}
INLINE void bytes_store(uint8_t *to, bytes16 v) { memcpy(to, &v, 16); }
INLINE bytes16 bytes_fill(uint8_t byte) { return (bytes16){0} + byte; }
INLINE bytes16 bytes_equal(bytes16 a, bytes16 b) { return (bytes16)(a == b); }

/* vec_min(a, b), vec_max(a, b): of each word; vec_min of words below 2^15.
 * vec_minus(a, b): a - b, zero where b is larger.
 * vec_lanes(v): the lanes that are not zero, as bits.
 * vec_some(v): whether any word is not zero.
 * vec_products(a, b): a[0] * b[0] + a[1] * b[1], and so on for each pair of lanes; words are below 2^15.
 * pairs_products(a, b): the 64-bit products of the even numbers of 32 bits.
 * vec_bytes_min(a, b), vec_bytes_sum(a, b): the lesser of two bytes; their sum, at most 255.
 * bytes_min, bytes_max: of each of 16 bytes.
 * bytes_bits(mask): bit i is set if byte i is; the bytes are 0 or 255.
 * bytes_greatest(v), bytes_least(v): the greatest and the least of 16 bytes.
 * bytes_shuffle(table, index): byte i is byte index[i] of table; indices are 0 to 15.  HAS_SHUFFLE: it is one instruction.
 * bytes_choose(mask, a, b): each byte from a where the mask is all ones, from b where it is zero. */

#include ARCH

#ifndef HAS_SHUFFLE
#define HAS_SHUFFLE 0
INLINE bytes16 bytes_shuffle(bytes16 table, bytes16 index) {
  uint8_t t[16], i[16], r[16];
  bytes_store(t, table);
  bytes_store(i, index);
  for (int k = 0; k < 16; k++) r[k] = t[i[k]];
  return bytes_load(r);
}
#endif

#ifndef HAS_LEAST
INLINE int bytes_least(bytes16 v) {
  typedef uint64_t words2 __attribute__((vector_size(16)));
  for (int bits = 64; bits >= 8; bits /= 2) {
    words2 word = (words2)v;
    bytes16 other = (bytes16)(bits == 64 ? (words2){word[1], word[0]} : word >> bits);
    bytes16 less = (bytes16)(v < other);
    v = (v & less) | (other & ~less);
  }
  return (int)(((words2)v)[0] & 255); /* the first byte, or the last one if the order of bytes is big-endian */
}
#endif

#ifndef HAS_BLEND
INLINE bytes16 bytes_choose(bytes16 mask, bytes16 a, bytes16 b) { return (a & mask) | (b & ~mask); }
#endif

/* A word where it has one bit, otherwise zero.  With lowest bit L, the two words are 2 L - 1 and word - 1, and the
 * first one is larger only if L is the word. */
INLINE lanes_vec vec_single(lanes_vec word) { return vec_minus(word ^ (word - 1), word - 1); }

#endif
