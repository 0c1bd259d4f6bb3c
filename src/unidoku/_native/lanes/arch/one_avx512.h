/* Thirds with AVX-512: one register. */
#ifndef UNIDOKU_ONE_AVX512_H
#define UNIDOKU_ONE_AVX512_H

#define PARTS 1
#define EACH_PART(of, operation) ((third){{of(operation, 0)}})
#define JOINED(a) ((a).part[0])

#include "../thirds.h"

INLINE int third_lacks(third digits, third least) {
  __m512i d = (__m512i)digits.part[0], l = (__m512i)least.part[0];
  return (_mm512_cmpneq_epi16_mask(d, _mm512_set1_epi16(0x1FF)) | _mm512_testn_epi16_mask(l, l)) != 0;
}

/* --- permutations ----------------------------------------------------------------------------------- */

static uint16_t turn_none[THIRD] __attribute__((aligned(64)));
static uint16_t turn_columns[2][THIRD] __attribute__((aligned(64)));
static uint16_t turn_stacks[2][THIRD] __attribute__((aligned(64)));
static uint16_t turn_both[4][THIRD] __attribute__((aligned(64)));

#define PERMUTED(v, index) ((lanes_vec)_mm512_permutexvar_epi16(_mm512_load_si512(index), (__m512i)(v)))

/* word (A, B, j) of the result is word (A, B, j + k) of the argument, modulo 3; k is 1 or 2 */
INLINE third third_columns(third a, int k) { return (third){{PERMUTED(a.part[0], turn_columns[k - 1])}}; }
/* word (A, B + k, j) */
INLINE third third_stacks(third a, int k) { return (third){{PERMUTED(a.part[0], turn_stacks[k - 1])}}; }
/* Digits that may stay in the columns of boxes: in each stack a 3 x 3 matrix by band and column, whose other two
 * lines must match the other two (matched() of round.pxi). */
INLINE third third_match_columns(third a) {
  lanes_vec v = a.part[0], both = PERMUTED(v, turn_both[0]) & PERMUTED(v, turn_both[1]);
  return (third){{vec_or_both(both, PERMUTED(v, turn_both[2]), PERMUTED(v, turn_both[3]))}};
}

static void permutations_prepare(void) {
  for (int k = 0; k < THIRD; k++) {
    int word = k % 27, A = word / 9, B = word / 3 % 3, j = word % 3;
#define WORD(A, B, j) (uint16_t)((A) % 3 * 9 + (B) % 3 * 3 + (j) % 3)
    turn_none[k] = (uint16_t)word;
    for (int turn = 1; turn <= 2; turn++) {
      turn_columns[turn - 1][k] = WORD(A, B, j + turn);
      turn_stacks[turn - 1][k] = WORD(A, B + turn, j);
      turn_both[turn - 1][k] = WORD(A + turn, B, j + turn);
      turn_both[turn + 1][k] = WORD(A + turn, B, j + 3 - turn);
    }
#undef WORD
  }
}

/* --- between frames and thirds ---------------------------------------------------------------------- */

INLINE third third_load(const uint16_t *words) {
  const __m512i repeat = _mm512_load_si512(turn_none);
  return (third){{(lanes_vec)_mm512_permutexvar_epi16(repeat, _mm512_load_si512(words))}};
}
INLINE void third_store(third a, uint16_t *words) { _mm512_store_si512(words, (__m512i)a.part[0]); }

#define REPLACED(operation, k) \
  (lanes_vec)_mm512_mask_mov_epi16((__m512i)a.part[k], _mm512_cmpeq_epi16_mask((__m512i)b.part[k], (__m512i)target), \
                                   (__m512i)value)

#endif
