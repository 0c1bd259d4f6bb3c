/* Thirds of several registers: all but AVX-512. */
#ifndef UNIDOKU_ONE_PARTS_H
#define UNIDOKU_ONE_PARTS_H

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
