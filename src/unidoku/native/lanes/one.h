/* The vector type of the kernel for one puzzle, and its operations.
 *
 * A third holds row i of each band: 27 cells, in the order of a third of a frame (places.h).  Word (A, B, j) is
 * the cell in band A, stack B and column j of the stack.  Three thirds are a grid.
 *
 *   AVX-512   one register:    A0 B0 j012, A0 B1 j012, A0 B2 j012, A1 ...        words 27 to 31 repeat 0 to 4
 *   AVX2      three registers, a band each:   B0 j0120, B1 j0120, B2 j0120, B0 j0120
 *   others    six registers:   the same in halves
 *
 * The padding always repeats other words: every permutation below keeps it so, and the rules of the round treat
 * it like the words it repeats.  So nothing has to be masked out.
 */
#ifndef UNIDOKU_ONE_H
#define UNIDOKU_ONE_H

#include "lanes.h"

#if LANES == 32
#define PARTS 1
#define EACH_PART(of, operation) ((third){{of(operation, 0)}})
#define JOINED(a) ((a).part[0])
#elif LANES == 16
#define PARTS 3
#define EACH_PART(of, operation) ((third){{of(operation, 0), of(operation, 1), of(operation, 2)}})
#define JOINED(a) ((a).part[0] | (a).part[1] | (a).part[2])
#else
#define PARTS 6
#define EACH_PART(of, operation) \
  ((third){{of(operation, 0), of(operation, 1), of(operation, 2), of(operation, 3), of(operation, 4), of(operation, 5)}})
#define JOINED(a) ((a).part[0] | (a).part[1] | (a).part[2] | (a).part[3] | (a).part[4] | (a).part[5])
#endif

typedef struct {
  lanes_vec part[PARTS];
} third;

typedef struct {
  uint16_t word[FRAME];
} __attribute__((aligned(64))) Frame;

/* --- operations word by word, as in lanes.h --------------------------------------------------------- */

#define OF_ONE(operation, k) operation(a.part[k])
#define OF_TWO(operation, k) operation(a.part[k], b.part[k])
#define OF_THREE(operation, k) operation(a.part[k], b.part[k], c.part[k])
#define OF_FOUR(operation, k) operation(a.part[k], b.part[k], c.part[k], d.part[k])

#define VEC_AND(a, b) ((a) & (b))
#define VEC_XOR(a, b) ((a) ^ (b))
#define VEC_SEVERAL(a) ((a) & ((a) - 1))

INLINE third third_and(third a, third b) { return EACH_PART(OF_TWO, VEC_AND); }
INLINE third third_min(third a, third b) { return EACH_PART(OF_TWO, vec_min); }
INLINE third third_single(third a) { return EACH_PART(OF_ONE, vec_single); }
INLINE third third_any(third a, third b, third c) { return EACH_PART(OF_THREE, vec_any); }
INLINE third third_one(third a, third b, third c) { return EACH_PART(OF_THREE, vec_one); }
INLINE third third_or_both(third a, third b, third c) { return EACH_PART(OF_THREE, vec_or_both); }
INLINE third third_without(third a, third b, third c) { return EACH_PART(OF_THREE, vec_without); }
INLINE third third_after_singles(third a, third b, third c, third d) { return EACH_PART(OF_FOUR, vec_after_singles); }
INLINE third third_neither(third a, third b, third c) { return EACH_PART(OF_THREE, vec_neither); }
INLINE third third_xor(third a, third b) { return EACH_PART(OF_TWO, VEC_XOR); }
/* not zero where a cell has several candidates */
INLINE third third_several(third a) { return EACH_PART(OF_ONE, VEC_SEVERAL); }

/* --- tests ------------------------------------------------------------------------------------------ */

/* whether any word is not zero */
INLINE int third_some(third a) { return vec_some(JOINED(a)); }
/* whether a word of `digits` is not all nine digits, or a word of `least` is zero */
#if LANES == 32
INLINE int third_lacks(third digits, third least) {
  __m512i d = (__m512i)digits.part[0], l = (__m512i)least.part[0];
  return (_mm512_cmpneq_epi16_mask(d, _mm512_set1_epi16(0x1FF)) | _mm512_testn_epi16_mask(l, l)) != 0;
}
#else
#define VEC_LACKS(a, b) (((a) ^ vec_fill(0x1FF)) | vec_equal(b, vec_fill(0)))
INLINE int third_lacks(third digits, third least) {
  third a = digits, b = least;
  return third_some(EACH_PART(OF_TWO, VEC_LACKS));
}
#endif

/* --- permutations ----------------------------------------------------------------------------------- */

#if LANES == 32

static uint16_t turn_none[THIRD] __attribute__((aligned(64)));
static uint16_t turn_columns[2][THIRD] __attribute__((aligned(64)));
static uint16_t turn_stacks[2][THIRD] __attribute__((aligned(64)));
static uint16_t turn_both[4][THIRD] __attribute__((aligned(64)));

#define PERMUTED(v, index) ((lanes_vec)_mm512_permutexvar_epi16(_mm512_load_si512(index), (__m512i)(v)))

/* word (A, B, j) of the result is word (A, B, j + k) of the argument, modulo 3; k is 1 or 2 */
INLINE third third_columns(third a, int k) { return (third){{PERMUTED(a.part[0], turn_columns[k - 1])}}; }
/* word (A, B + k, j) */
INLINE third third_stacks(third a, int k) { return (third){{PERMUTED(a.part[0], turn_stacks[k - 1])}}; }
/* Digits that may stay in the columns of boxes: in each stack a 3 x 3 matrix by band and column, of which the
 * other two lines must match the other two (matched() of round.pxi). */
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

#else

#if LANES == 16
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
#else
#ifdef __clang__
#define VEC_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define VEC_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (lanes_vec){__VA_ARGS__})
#endif
INLINE lanes_vec vec_turn_columns(lanes_vec v, int k) {
  return k == 1 ? VEC_SHUFFLE(v, v, 1, 2, 0, 1, 5, 6, 4, 5) : VEC_SHUFFLE(v, v, 2, 0, 1, 2, 6, 4, 5, 6);
}
/* stacks 0 1 | 2 0 become 1 2 | 0 1, or 2 0 | 1 2: one new half, and one that is there */
INLINE third third_stacks(third a, int k) {
#define STACKS12(A) VEC_SHUFFLE(a.part[2 * A], a.part[2 * A + 1], 4, 5, 6, 7, 8, 9, 10, 11)
  return k == 1 ? (third){{STACKS12(0), a.part[0], STACKS12(1), a.part[2], STACKS12(2), a.part[4]}}
                : (third){{a.part[1], STACKS12(0), a.part[3], STACKS12(1), a.part[5], STACKS12(2)}};
}
#endif

#define VEC_TURN_COLUMNS1(a) vec_turn_columns(a, 1)
#define VEC_TURN_COLUMNS2(a) vec_turn_columns(a, 2)
INLINE third third_columns(third a, int k) {
  return k == 1 ? EACH_PART(OF_ONE, VEC_TURN_COLUMNS1) : EACH_PART(OF_ONE, VEC_TURN_COLUMNS2);
}
INLINE third third_match_columns(third a) {
  const third p = third_columns(a, 1), q = third_columns(a, 2);
  /* bands need no permutation: they are registers */
#define BAND(k, turn) ((k + PARTS / 3 * turn) % PARTS)
#define MATCHED(operation, k) \
  operation(p.part[BAND(k, 1)] & q.part[BAND(k, 2)], q.part[BAND(k, 1)], p.part[BAND(k, 2)])
  return EACH_PART(MATCHED, vec_or_both);
}
static void permutations_prepare(void) {}

#endif

/* --- between frames and thirds ---------------------------------------------------------------------- */

#if LANES == 32

INLINE third third_load(const uint16_t *words) {
  const __m512i repeat = _mm512_load_si512(turn_none);
  return (third){{(lanes_vec)_mm512_permutexvar_epi16(repeat, _mm512_load_si512(words))}};
}
INLINE void third_store(third a, uint16_t *words) { _mm512_store_si512(words, (__m512i)a.part[0]); }

#elif LANES == 16

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

#else

INLINE third third_load(const uint16_t *words) {
  third a;
  UNROLL for (int part = 0; part < PARTS; part++) {
    const uint16_t *row = words + part / 2 * 9;
    lanes_vec v;
    memcpy(&v, part % 2 ? row + 6 : row, 8);
    memcpy((uint16_t *)&v + 4, part % 2 ? row : row + 3, 8);
    a.part[part] = VEC_SHUFFLE(v, v, 0, 1, 2, 0, 4, 5, 6, 4);
  }
  return a;
}
INLINE void third_store(third a, uint16_t *words) {
  UNROLL for (int A = 0; A < 3; A++) { /* each quarter's padding is overwritten by the next */
    memcpy(words + 9 * A, &a.part[2 * A], 8);
    memcpy(words + 9 * A + 3, (const uint16_t *)&a.part[2 * A] + 4, 8);
    memcpy(words + 9 * A + 6, &a.part[2 * A + 1], 8);
  }
}

#endif

INLINE third third_none(void) {
  third none;
  memset(&none, 0, sizeof(none));
  return none;
}

/* The place of each word, padding included. */
static Frame place_words;
static third places_in_third[3];

/* `a` is third i of a grid; the cell at `place`, if it is in this third, becomes `set`. */
#if LANES == 32
#define REPLACED(operation, k) \
  (lanes_vec)_mm512_mask_mov_epi16((__m512i)a.part[k], _mm512_cmpeq_epi16_mask((__m512i)b.part[k], (__m512i)target), \
                                   (__m512i)value)
#else
#define REPLACED(operation, k) operation(a.part[k], value, vec_equal(b.part[k], target))
#endif
#define VEC_REPLACED(a, value, where) (((a) & ~(where)) | ((value) & (where)))
INLINE third third_replace(third a, int i, int place, uint16_t set) {
  const third b = places_in_third[i];
  const lanes_vec target = vec_fill((uint16_t)place), value = vec_fill(set);
  return EACH_PART(REPLACED, VEC_REPLACED);
}

/* Fills the tables; once, while the module is imported. */
static void one_prepare(void) {
  permutations_prepare();
  for (int place = 0; place < FRAME; place++) place_words.word[place] = (uint16_t)place;
  for (int i = 0; i < 3; i++) places_in_third[i] = third_load(place_words.word + THIRD * i);
}

#endif
