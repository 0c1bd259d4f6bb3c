/* The vectors of the kernel for one puzzle.
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
 *
 * A header of arch/ has what the width has of its own; what all have is in thirds.h:
 *
 *     third_lacks(digits, least)    whether a word of `digits` is not all nine digits, or a word of `least` is zero
 *     third_columns(a, k)           word (A, B, j) of the result is word (A, B, j + k) of the argument, modulo 3; k is 1 or 2
 *     third_stacks(a, k)            word (A, B + k, j)
 *     third_match_columns(a)        digits that may stay in the columns of boxes
 *     third_load, third_store       from and to the words of a frame
 *     REPLACED                      a word that third_replace sets
 */
#ifndef UNIDOKU_ONE_H
#define UNIDOKU_ONE_H

#include "lanes.h"

typedef struct {
  uint16_t word[FRAME];
} __attribute__((aligned(64))) Frame;

#include ARCH_ONE

#if PARTS > 1 /* thirds of several registers: all but AVX-512 */

#define VEC_LACKS(a, b) (((a) ^ vec_fill(0x1FF)) | vec_equal(b, vec_fill(0)))
INLINE int third_lacks(third digits, third least) {
  third a = digits, b = least;
  return third_some(EACH_PART(OF_TWO, VEC_LACKS));
}

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

#define REPLACED(operation, k) operation(a.part[k], value, vec_equal(b.part[k], target))

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
