/* SSE2: any x86-64. */
#ifndef UNIDOKU_LANES_SSE2_H
#define UNIDOKU_LANES_SSE2_H

#include <immintrin.h>

#define LANES 8
#define FEW 3
#define AT_REST 1 /* each is copied by itself */
#define SIMPLE_FIRST 0
#define GRIDS_FROM_LANES 0

#include "../vec.h"
#include "logic.h"
#include "eight.h"

INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm_min_epi16((__m128i)a, (__m128i)b); }
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm_subs_epu16((__m128i)a, (__m128i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  __m128i zero = _mm_cmpeq_epi16((__m128i)v, _mm_setzero_si128());
  return ALL_LANES & ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(zero, zero));
}

INLINE Cells places_with(const uint16_t *frame, int number) {
  const lanes_vec *words = (const lanes_vec *)frame;
  uint64_t bits[6];
  UNROLL for (int k = 0; k < 6; k++) {
    __m128i bytes = _mm_packs_epi16((__m128i)vec_has(words[2 * k], number), (__m128i)vec_has(words[2 * k + 1], number));
    bits[k] = (uint32_t)_mm_movemask_epi8(bytes);
  }
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){(bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48) & cells01, (bits[4] | bits[5] << 16) & THIRD_CELLS};
}

#include "tables.h"

#endif
