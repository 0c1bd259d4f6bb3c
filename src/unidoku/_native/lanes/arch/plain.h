/* Any processor: only the vector extensions of GCC and Clang. */
#ifndef UNIDOKU_LANES_PLAIN_H
#define UNIDOKU_LANES_PLAIN_H

#include "shared.h"

INLINE Cells places_with(const uint16_t *frame, int number) {
  const lanes_vec *words = (const lanes_vec *)frame;
  uint64_t bits[6];
  UNROLL for (int k = 0; k < 6; k++)
    bits[k] = vec_lanes(vec_has(words[2 * k], number)) | vec_lanes(vec_has(words[2 * k + 1], number)) << 8;
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){(bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48) & cells01, (bits[4] | bits[5] << 16) & THIRD_CELLS};
}

#endif
