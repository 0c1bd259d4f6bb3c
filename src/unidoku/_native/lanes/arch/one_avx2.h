/* Thirds with AVX2: three registers, a band each. */
#ifndef UNIDOKU_ONE_AVX2_H
#define UNIDOKU_ONE_AVX2_H

#define PARTS 3
#define EACH_PART(of, operation) ((third){{of(operation, 0), of(operation, 1), of(operation, 2)}})
#define JOINED(a) ((a).part[0] | (a).part[1] | (a).part[2])

#include "../thirds.h"

/* --- permutations ----------------------------------------------------------------------------------- */

/* the three words of each quarter, or the three quarters, turned by one or two places */
INLINE lanes_vec vec_turn_columns(lanes_vec v, int k) {
  const __m256i one = _mm256_setr_epi8(2, 3, 4, 5, 0, 1, 2, 3, 10, 11, 12, 13, 8, 9, 10, 11,
                                       2, 3, 4, 5, 0, 1, 2, 3, 10, 11, 12, 13, 8, 9, 10, 11);
  const __m256i two = _mm256_setr_epi8(4, 5, 0, 1, 2, 3, 4, 5, 12, 13, 8, 9, 10, 11, 12, 13,
                                       4, 5, 0, 1, 2, 3, 4, 5, 12, 13, 8, 9, 10, 11, 12, 13);
  return (lanes_vec)_mm256_shuffle_epi8((__m256i)v, k == 1 ? one : two);
}
INLINE third third_stacks(third a, int k) {
#define VEC_TURN_STACKS1(a) ((lanes_vec)_mm256_permute4x64_epi64((__m256i)(a), 0x49))
#define VEC_TURN_STACKS2(a) ((lanes_vec)_mm256_permute4x64_epi64((__m256i)(a), 0x92))
  return k == 1 ? EACH_PART(OF_ONE, VEC_TURN_STACKS1) : EACH_PART(OF_ONE, VEC_TURN_STACKS2);
}

/* --- between frames and thirds ---------------------------------------------------------------------- */

INLINE third third_load(const uint16_t *words) {
  const __m256i repeat = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 0, 1, 8, 9, 10, 11, 12, 13, 8, 9,
                                          0, 1, 2, 3, 4, 5, 0, 1, 8, 9, 10, 11, 12, 13, 8, 9);
  third a;
  UNROLL for (int A = 0; A < 3; A++) {
    const uint16_t *row = words + 9 * A;
    __m128i stack0 = _mm_loadl_epi64((const __m128i *)row), stack1 = _mm_loadl_epi64((const __m128i *)(row + 3));
    __m128i stack2 = _mm_loadl_epi64((const __m128i *)(row + 6));
    __m256i quarters = _mm256_setr_m128i(_mm_unpacklo_epi64(stack0, stack1), _mm_unpacklo_epi64(stack2, stack0));
    a.part[A] = (lanes_vec)_mm256_shuffle_epi8(quarters, repeat);
  }
  return a;
}
/* Writes up to word 27. */
INLINE void third_store(third a, uint16_t *words) {
  const __m256i pack = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1,
                                        0, 1, 2, 3, 4, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  UNROLL for (int A = 0; A < 3; A++) {
    __m256i row = _mm256_shuffle_epi8((__m256i)a.part[A], pack);
    _mm_storeu_si128((__m128i *)(words + 9 * A), _mm256_castsi256_si128(row));
    _mm_storel_epi64((__m128i *)(words + 9 * A + 6), _mm256_extracti128_si256(row, 1));
  }
}

#endif
