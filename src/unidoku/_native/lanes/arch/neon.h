/* NEON of ARM64: selects by bits, tests, tables of bytes. */
#ifndef UNIDOKU_LANES_NEON_H
#define UNIDOKU_LANES_NEON_H

#include "shared.h"

/* --- operations ------------------------------------------------------------------------------------- */

INLINE lanes_vec vec_two(lanes_vec a, lanes_vec b, lanes_vec c) {
  return (lanes_vec)vbslq_u16((uint16x8_t)(a ^ b), (uint16x8_t)c, (uint16x8_t)a);
}
INLINE lanes_vec vec_after_singles(lanes_vec cell, lanes_vec hidden, lanes_vec naked, lanes_vec single) {
  uint16x8_t here = vtstq_u16((uint16x8_t)cell, (uint16x8_t)hidden);
  lanes_vec gone = (lanes_vec)vbslq_u16(here, (uint16x8_t)~hidden, (uint16x8_t)naked); /* a digit is only in one of both here */
  return (cell & ~gone) | single;
}

/* --- text ----------------------------------------------------------------------------------------------- */

INLINE int text_has_only(const uint8_t *text, uint8_t empty) {
  const uint8x16_t one = vdupq_n_u8('1'), eight = vdupq_n_u8(8), sign = vdupq_n_u8(empty);
  uint8x16_t fits = vdupq_n_u8(255);
  UNROLL for (int k = 0; k < 6; k++) { /* the last bytes are 65..80 */
    uint8x16_t bytes = vld1q_u8(text + (k < 5 ? 16 * k : 65));
    fits = vandq_u8(fits, vorrq_u8(vcleq_u8(vsubq_u8(bytes, one), eight), vceqq_u8(bytes, sign)));
  }
  return vminvq_u8(fits) != 0;
}

/* --- the choice ------------------------------------------------------------------------------------------ */

INLINE Cells places_with(const uint16_t *frame, int number) {
  const uint64_t eight = 0x8040201008040201ull;
  const uint8x16_t *words = (const uint8x16_t *)frame, place = (uint8x16_t)vdupq_n_u64(eight), wanted = vdupq_n_u8((uint8_t)number);
  uint8x16_t bit[6];
  UNROLL for (int k = 0; k < 6; k++) { /* candidates: the bits of the low byte, and the high one for the last digit */
    const uint8x16_t low = vuzp1q_u8(words[2 * k], words[2 * k + 1]), high = vuzp2q_u8(words[2 * k], words[2 * k + 1]);
    const uint8x16_t count = vaddq_u8(vcntq_u8(low), high);
    bit[k] = vandq_u8(number < 4 ? vceqq_u8(count, wanted) : vcgeq_u8(count, wanted), place);
  }
  const uint8x16_t fours = vpaddq_u8(vpaddq_u8(bit[0], bit[1]), vpaddq_u8(bit[2], bit[3])), last = vpaddq_u8(bit[4], bit[5]);
  const uint64x2_t all = (uint64x2_t)vpaddq_u8(fours, vpaddq_u8(last, last));
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){all[0] & cells01, all[1] & THIRD_CELLS};
}

/* The points as on AVX2, one frame after the other. */

static void choice_prepare(void) { peers_prepare(); }

/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) {
  Cells cells = places_with(frame, 2);
  if (__builtin_expect(!(cells.low | cells.high), 0)) cells = wider_cells(frame);
  const uint8x16_t worth = {0, 1, 6, 2, 1, 1, 1, 1, 1, 1}; /* the points by the number of candidates */
  const uint8x16_t *words = (const uint8x16_t *)frame;
  uint8x16_t low[6], high[6], given[6]; /* candidates, the last digit's, points */
  UNROLL for (int k = 0; k < 6; k++) {
    low[k] = vuzp1q_u8(words[2 * k], words[2 * k + 1]);
    high[k] = vuzp2q_u8(words[2 * k], words[2 * k + 1]);
    given[k] = vqtbl1q_u8(worth, vaddq_u8(vcntq_u8(low[k]), high[k]));
  }
  Points points[9][4]; /* of each digit: in each third, and their sum */
  UNROLL for (int digit = 0; digit < 9; digit++) {
    uint8x16_t part[6];
    UNROLL for (int k = 0; k < 6; k++) {
      part[k] = vandq_u8(given[k], digit < 8 ? vtstq_u8(low[k], vdupq_n_u8((uint8_t)(1 << digit % 8))) : vtstq_u8(high[k], high[k]));
      vst1q_u8(points[digit][k / 2] + 16 * (k % 2), part[k]);
    }
    UNROLL for (int k = 0; k < 2; k++)
      vst1q_u8(points[digit][3] + 16 * k, vaddq_u8(vaddq_u8(part[k], part[2 + k]), part[4 + k]));
  }
  int best = 0, left = 16;
  for (int half = 0; half < 2; half++)
    for (uint64_t some = half ? cells.high : cells.low; some && left; some &= some - 1, left--) {
      const int place = half * 64 + __builtin_ctzll(some);
      const uint32_t set = frame[place];
      const uint8_t *row = peers_of[place].row, *box_column = peers_of[place].box_column;
      int sum[2]; /* of the lowest and of the highest digit */
      UNROLL for (int i = 0; i < 2; i++) {
        const Points *of_digit = points[i ? 31 - __builtin_clz(set) : __builtin_ctz(set)];
        uint8x16_t part[2];
        UNROLL for (int k = 0; k < 2; k++)
          part[k] = vaddq_u8(vandq_u8(vld1q_u8(of_digit[place / THIRD] + 16 * k), vld1q_u8(row + 16 * k)),
                             vandq_u8(vld1q_u8(of_digit[3] + 16 * k), vld1q_u8(box_column + 16 * k)));
        sum[i] = vaddvq_u8(vaddq_u8(part[0], part[1]));
      }
      const int score = (sum[0] + sum[1]) << 8 | place << 1 | (sum[1] > sum[0]);
      if (score > best) best = score;
    }
  return best & 255;
}

#endif
