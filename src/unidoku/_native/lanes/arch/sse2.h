/* SSE2: any x86-64. */
#ifndef UNIDOKU_LANES_SSE2_H
#define UNIDOKU_LANES_SSE2_H

#include "shared.h"

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

#endif
