/* Lists of the possible places of a guess, as two words of bits: places 0..63 and 64..95.
 */
#ifndef UNIDOKU_CHOICE_CELLS_H
#define UNIDOKU_CHOICE_CELLS_H

#include "lanes.h"

typedef struct {
  uint64_t low, high;
} Cells;

/* all ones where a word has exactly `number` bits (2 or 3), or at least four (4) */
INLINE lanes_vec vec_has(lanes_vec word, int number) {
  lanes_vec rest = word & (word - 1);
  for (int k = 2; k < number; k++) rest &= rest - 1;
  const lanes_vec enough = (lanes_vec)(rest != 0);
  return number < 4 ? enough & (lanes_vec)((rest & (rest - 1)) == 0) : enough;
}

/* all ones where a word has three bits at most */
INLINE lanes_vec vec_narrow(lanes_vec word) { return ~vec_has(word, 4); }

/* The cells with exactly `number` candidates (2 or 3), or with at least four (4). */
INLINE Cells cells_with(const uint16_t *frame, int number) {
#if LANES == 32
  uint64_t bits[3];
  UNROLL for (int i = 0; i < 3; i++) {
    const __m512i count = _mm512_popcnt_epi16(_mm512_load_si512(frame + THIRD * i)), wanted = _mm512_set1_epi16((short)number);
    bits[i] = (number < 4 ? _mm512_cmpeq_epi16_mask(count, wanted) : _mm512_cmpge_epi16_mask(count, wanted)) & THIRD_CELLS;
  }
  return (Cells){bits[0] | bits[1] << 32, bits[2]};
#else
  const lanes_vec *words = (const lanes_vec *)frame;
  uint64_t bits[6];
#if LANES == 16
  UNROLL for (int k = 0; k < 3; k++) {
    __m256i bytes = _mm256_packs_epi16((__m256i)vec_has(words[2 * k], number), (__m256i)vec_has(words[2 * k + 1], number));
    bits[2 * k] = (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xD8));
    bits[2 * k + 1] = 0;
  }
#elif defined(__SSE2__) || defined(_M_X64)
  UNROLL for (int k = 0; k < 6; k++) {
    __m128i bytes = _mm_packs_epi16((__m128i)vec_has(words[2 * k], number), (__m128i)vec_has(words[2 * k + 1], number));
    bits[k] = (uint32_t)_mm_movemask_epi8(bytes);
  }
#else
  UNROLL for (int k = 0; k < 6; k++)
    bits[k] = vec_lanes(vec_has(words[2 * k], number)) | vec_lanes(vec_has(words[2 * k + 1], number)) << 8;
#endif
  const uint64_t cells01 = THIRD_CELLS | (uint64_t)THIRD_CELLS << 32;
  return (Cells){(bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48) & cells01, (bits[4] | bits[5] << 16) & THIRD_CELLS};
#endif
}

#if LANES != 32
/* Where no cell has two candidates: those with three, or else with more. */
static __attribute__((noinline)) Cells wider_cells(const uint16_t *frame) {
  const Cells three = cells_with(frame, 3);
  return three.low | three.high ? three : cells_with(frame, 4);
}
#endif

static Cells apart[FRAME]; /* of each cell: the others that are not its peers */

static void cells_prepare(void) {
  for (int a = 0; a < FRAME; a++)
    for (int b = 0; b < FRAME; b++)
      if (place_is_cell(b) && a != b && !places_are_peers(a, b)) *(b < 64 ? &apart[a].low : &apart[a].high) |= 1ull << b % 64;
}

/* The place of the first one, or 127. */
INLINE int first_cell(Cells cells) {
  const int in_high = 64 + __builtin_ctzll(cells.high | 1ull << 63);
  return cells.low ? __builtin_ctzll(cells.low) : in_high;
}

/* The choice of the lower digit in the first cell with two candidates; -1 if there is no such cell, or if there are `many`
 * or more.  If `two`, the first such cell that is not a peer of this one is chosen too, where there is one: its choice is
 * added 256 times.  It is never place 0, so a result of 512 or more holds two choices. */
INLINE int choose_first(const uint16_t *frame, int many, int two) {
  const Cells cells = cells_with(frame, 2);
  const int count = __builtin_popcountll(cells.low) + __builtin_popcountll(cells.high), place = first_cell(cells);
  const int unfit = !count || count >= many;
  if (LANES == 32 ? unfit : __builtin_expect(unfit, 0)) return -1; /* a hint gains 1 % with AVX2, none with AVX-512 */
  if (!two) return 2 * place;
  const int second = first_cell((Cells){cells.low & apart[place].low, cells.high & apart[place].high});
  return second == 127 ? 2 * place : 2 * place + 512 * second;
}

#endif
