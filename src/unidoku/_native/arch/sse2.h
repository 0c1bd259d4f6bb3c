/* SSE2, any x86-64: 8 lanes. */
#ifndef UNIDOKU_SSE2_H
#define UNIDOKU_SSE2_H

#include "x86.h"
#ifdef __SSE4_1__
#include "sse4.h"
#endif

INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm_min_epi16((__m128i)a, (__m128i)b); }
INLINE lanes_vec vec_max(lanes_vec a, lanes_vec b) {
  lanes_vec less = (lanes_vec)(a < b);
  return (b & less) | (a & ~less);
}
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm_subs_epu16((__m128i)a, (__m128i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  __m128i zero = _mm_cmpeq_epi16((__m128i)v, _mm_setzero_si128());
  return ALL_LANES & ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(zero, zero));
}
INLINE int vec_some(lanes_vec v) {
  uint64_t half[2];
  memcpy(half, &v, sizeof(v));
  return (half[0] | half[1]) != 0;
}

INLINE pairs_vec vec_products(lanes_vec a, lanes_vec b) { return (pairs_vec)_mm_madd_epi16((__m128i)a, (__m128i)b); }
INLINE fours_vec pairs_products(pairs_vec a, pairs_vec b) { return (fours_vec)_mm_mul_epu32((__m128i)a, (__m128i)b); }

INLINE bytes_vec vec_bytes_min(bytes_vec a, bytes_vec b) { return bytes_min(a, b); }
INLINE bytes_vec vec_bytes_sum(bytes_vec a, bytes_vec b) { return (bytes_vec)_mm_adds_epu8((__m128i)a, (__m128i)b); }

#endif
