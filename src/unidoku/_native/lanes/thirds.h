/* A third of a grid, and operations word by word, as in lanes.h.  Included by the headers arch/one_*.h, which say how many
 * registers it has: PARTS, EACH_PART, JOINED. */
#ifndef UNIDOKU_THIRDS_H
#define UNIDOKU_THIRDS_H

typedef struct {
  lanes_vec part[PARTS];
} third;

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

/* whether any word is not zero */
INLINE int third_some(third a) { return vec_some(JOINED(a)); }

#endif
