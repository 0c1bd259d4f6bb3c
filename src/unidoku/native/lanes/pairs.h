/* Naked and hidden pairs in the round, an experiment: they save guesses, but cost more (bench/kernel-log.md).
 *
 * PAIRS is the sum of their kinds: 1 naked ones, 2 hidden ones; 4 of all houses instead of boxes; 8 only once after lanes
 * were served instead of in every round.  Only a build with UNIDOKU_PAIRS has any.
 */
#ifndef PAIRS
#define PAIRS 0
#endif

/* Both cells of each pair get the digits of the pair. */
#define EACH_PAIR(digits) \
  UNROLL for (int i = 0; i < 8; i++) UNROLL for (int j = i + 1; j < 9; j++) { \
    const lanes_vec pair = digits; \
    own[i] |= pair, own[j] |= pair; \
  }

/* all digits where there are two at least, otherwise zero */
INLINE lanes_vec vec_several(lanes_vec v) { return v & ~vec_equal(v & vec_minus(v, vec_fill(1)), vec_fill(0)); }

/* Removes candidates from nine cells: `width` ones in steps of `across`, and so on in steps of `down`. */
INLINE void pairs_in_house(lanes_vec *first, int across, int down, int width) {
  lanes_vec cell[9], part[9], own[9] = {0}, gone = {0}, once = {0}, twice = {0}, thrice = {0};
  UNROLL for (int k = 0; k < 9; k++) cell[k] = first[k % width * across + k / width * down];
  if (PAIRS & 1) {
    UNROLL for (int k = 0; k < 9; k++) { /* cells with two candidates: without the lowest one they are single */
      const lanes_vec single = vec_single(cell[k] & vec_minus(cell[k], vec_fill(1)));
      part[k] = cell[k] & ~vec_equal(single, vec_fill(0));
    }
    EACH_PAIR(part[i] & vec_equal(part[i], part[j]))
    UNROLL for (int k = 0; k < 9; k++) gone |= own[k];
    UNROLL for (int k = 0; k < 9; k++) cell[k] = vec_without(cell[k], gone, own[k]), own[k] = vec_fill(0);
  }
  if (PAIRS & 2) {
    UNROLL for (int k = 0; k < 9; k++) {
      thrice = vec_or_both(thrice, twice, cell[k]);
      twice = vec_or_both(twice, once, cell[k]);
      once |= cell[k];
    }
    UNROLL for (int k = 0; k < 9; k++) part[k] = cell[k] & twice & ~thrice; /* digits with two places */
    EACH_PAIR(vec_several(part[i] & part[j]))
    UNROLL for (int k = 0; k < 9; k++) cell[k] &= own[k] | vec_equal(own[k], vec_fill(0));
  }
  UNROLL for (int k = 0; k < 9; k++) first[k % width * across + k / width * down] = cell[k];
}

INLINE void apply_pairs(lanes_vec *cell) {
  for (int k = 0; k < 9; k++) pairs_in_house(cell + k / 3 * 27 + k % 3 * 3, 1, 9, 3);
  for (int k = 0; k < 9 && PAIRS & 4; k++) {
    pairs_in_house(cell + 9 * k, 1, 0, 9);
    pairs_in_house(cell + k, 9, 0, 9);
  }
}
