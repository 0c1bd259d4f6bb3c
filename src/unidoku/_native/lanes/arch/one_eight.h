/* Thirds with eight lanes: six registers, half a band each. */
#ifndef UNIDOKU_ONE_EIGHT_H
#define UNIDOKU_ONE_EIGHT_H

#define PARTS 6
#define EACH_PART(of, operation) \
  ((third){{of(operation, 0), of(operation, 1), of(operation, 2), of(operation, 3), of(operation, 4), of(operation, 5)}})
#define JOINED(a) ((a).part[0] | (a).part[1] | (a).part[2] | (a).part[3] | (a).part[4] | (a).part[5])

#include "../thirds.h"

/* --- permutations ----------------------------------------------------------------------------------- */

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

/* --- between frames and thirds ---------------------------------------------------------------------- */

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
