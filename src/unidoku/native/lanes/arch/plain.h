/* Any processor: the vector extensions of GCC and Clang alone. */
#ifndef UNIDOKU_LANES_PLAIN_H
#define UNIDOKU_LANES_PLAIN_H

#define LANES 8
#define FEW 3
#define AT_REST 1 /* each is copied by itself */
#define SIMPLE_FIRST 0
#define GRIDS_FROM_LANES 0

#include "../vec.h"
#include "logic.h"
#include "eight.h"

INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) {
  lanes_vec less = (lanes_vec)(a < b);
  return (a & less) | (b & ~less);
}
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (a - b) & (lanes_vec)(a > b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < LANES; lane++) lanes |= (uint32_t)(v[lane] != 0) << lane;
  return lanes;
}

INLINE Cells places_with(const uint16_t *frame, int number) {
  const lanes_vec *words = (const lanes_vec *)frame;
  uint64_t bits[6];
  UNROLL for (int k = 0; k < 6; k++)
    bits[k] = vec_lanes(vec_has(words[2 * k], number)) | vec_lanes(vec_has(words[2 * k + 1], number)) << 8;
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){(bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48) & cells01, (bits[4] | bits[5] << 16) & THIRD_CELLS};
}

#include "tables.h"

#endif
