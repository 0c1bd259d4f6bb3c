/* AVX2: 16 lanes. */
#ifndef UNIDOKU_AVX2_H
#define UNIDOKU_AVX2_H

#include "x86.h"
#include "sse4.h"

INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm256_min_epi16((__m256i)a, (__m256i)b); }
INLINE lanes_vec vec_max(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm256_max_epu16((__m256i)a, (__m256i)b); }
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm256_subs_epu16((__m256i)a, (__m256i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  __m256i zero = _mm256_cmpeq_epi16((__m256i)v, _mm256_setzero_si256());
  __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(zero), _mm256_extracti128_si256(zero, 1));
  return ALL_LANES & ~(uint32_t)_mm_movemask_epi8(bytes);
}
INLINE int vec_some(lanes_vec v) { return !_mm256_testz_si256((__m256i)v, (__m256i)v); }

INLINE pairs_vec vec_products(lanes_vec a, lanes_vec b) { return (pairs_vec)_mm256_madd_epi16((__m256i)a, (__m256i)b); }
INLINE fours_vec pairs_products(pairs_vec a, pairs_vec b) { return (fours_vec)_mm256_mul_epu32((__m256i)a, (__m256i)b); }

INLINE bytes_vec vec_bytes_min(bytes_vec a, bytes_vec b) { return (bytes_vec)_mm256_min_epu8((__m256i)a, (__m256i)b); }
INLINE bytes_vec vec_bytes_sum(bytes_vec a, bytes_vec b) { return (bytes_vec)_mm256_adds_epu8((__m256i)a, (__m256i)b); }

#endif
