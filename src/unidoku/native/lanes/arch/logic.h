/* Functions of three operands, where a processor has instructions of two: AVX2, SSE2, NEON, any other. */
#ifndef UNIDOKU_LANES_LOGIC_H
#define UNIDOKU_LANES_LOGIC_H

INLINE lanes_vec vec_any(lanes_vec a, lanes_vec b, lanes_vec c) { return a | b | c; }
INLINE lanes_vec vec_odd(lanes_vec a, lanes_vec b, lanes_vec c) { return a ^ b ^ c; }
INLINE lanes_vec vec_one(lanes_vec a, lanes_vec b, lanes_vec c) { return (a ^ b ^ c) & ~(a & b); }
INLINE lanes_vec vec_all(lanes_vec a, lanes_vec b, lanes_vec c) { return a & b & c; }
INLINE lanes_vec vec_or_both(lanes_vec a, lanes_vec b, lanes_vec c) { return a | (b & c); }
INLINE lanes_vec vec_without(lanes_vec a, lanes_vec b, lanes_vec c) { return a & ~(b & ~c); }
INLINE lanes_vec vec_neither(lanes_vec a, lanes_vec b, lanes_vec c) { return a & ~(b | c); }

/* all ones where a word has exactly `number` bits (2 or 3), or at least four (4) */
INLINE lanes_vec vec_has(lanes_vec word, int number) {
  lanes_vec rest = word & (word - 1);
  for (int k = 2; k < number; k++) rest &= rest - 1;
  const lanes_vec enough = (lanes_vec)(rest != 0);
  return number < 4 ? enough & (lanes_vec)((rest & (rest - 1)) == 0) : enough;
}

#endif
