/* Lists of the possible places of a guess, as two words of bits: places 0..63 and 64..95.
 */
#ifndef UNIDOKU_CHOICE_CELLS_H
#define UNIDOKU_CHOICE_CELLS_H

#include "lanes.h"

typedef struct {
  uint64_t low, high;
} Cells;

/* all ones where a word has two bits exactly */
INLINE lanes_vec vec_bivalue(lanes_vec cell) {
  lanes_vec rest = cell & (cell - 1);
  return (lanes_vec)(rest != 0) & (lanes_vec)((rest & (rest - 1)) == 0);
}

/* all ones where a word has three bits at most */
INLINE lanes_vec vec_narrow(lanes_vec cell) {
  lanes_vec rest = cell & (cell - 1);
  rest &= rest - 1;
  return (lanes_vec)((rest & (rest - 1)) == 0);
}

INLINE Cells bivalue_cells(const uint16_t *frame) {
#if LANES == 32
  uint64_t bits[3];
  UNROLL for (int i = 0; i < 3; i++) {
    __m512i number = _mm512_popcnt_epi16(_mm512_load_si512(frame + THIRD * i));
    bits[i] = _mm512_cmpeq_epi16_mask(number, _mm512_set1_epi16(2)) & THIRD_CELLS;
  }
  return (Cells){bits[0] | bits[1] << 32, bits[2]};
#else
  const lanes_vec *words = (const lanes_vec *)frame;
  uint64_t bits[6];
#if LANES == 16
  UNROLL for (int k = 0; k < 3; k++) {
    __m256i bytes = _mm256_packs_epi16((__m256i)vec_bivalue(words[2 * k]), (__m256i)vec_bivalue(words[2 * k + 1]));
    bits[2 * k] = (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xD8));
    bits[2 * k + 1] = 0;
  }
#elif defined(__SSE2__) || defined(_M_X64)
  UNROLL for (int k = 0; k < 6; k++) {
    __m128i bytes = _mm_packs_epi16((__m128i)vec_bivalue(words[2 * k]), (__m128i)vec_bivalue(words[2 * k + 1]));
    bits[k] = (uint32_t)_mm_movemask_epi8(bytes);
  }
#else
  UNROLL for (int k = 0; k < 6; k++)
    bits[k] = vec_lanes(vec_bivalue(words[2 * k])) | vec_lanes(vec_bivalue(words[2 * k + 1])) << 8;
#endif
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){(bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48) & cells01, (bits[4] | bits[5] << 16) & THIRD_CELLS};
#endif
}

#if LANES != 32
/* Where no cell has two candidates: those with three, or else with more. */
static __attribute__((noinline)) Cells wider_cells(const uint16_t *frame) {
  Cells three = {0, 0}, more = {0, 0};
  for (int place = 0; place < FRAME; place++) {
    int count = __builtin_popcount(frame[place]);
    if (count < 3 || !place_is_cell(place)) continue;
    Cells *cells = count == 3 ? &three : &more;
    if (place < 64) cells->low |= 1ull << place;
    else cells->high |= 1ull << (place - 64);
  }
  return three.low | three.high ? three : more;
}
#endif

/* The lower digit of the first cell with two candidates; -1 if there is none, or if there are `many` or more. */
INLINE int choose_first(const uint16_t *frame, int many) {
  const Cells cells = bivalue_cells(frame);
  const int count = __builtin_popcountll(cells.low) + __builtin_popcountll(cells.high);
  const int in_high = 64 + __builtin_ctzll(cells.high | 1ull << 63), place = cells.low ? __builtin_ctzll(cells.low) : in_high;
  return count && count < many ? 2 * place : -1;
}

#endif
