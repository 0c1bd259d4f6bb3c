/* The vector type of LANES puzzles, and what is the same for every instruction set. */
#ifndef UNIDOKU_LANES_VEC_H
#define UNIDOKU_LANES_VEC_H

#define ALL_LANES ((uint32_t)((1ull << LANES) - 1))

typedef uint16_t lanes_vec __attribute__((vector_size(2 * LANES)));

INLINE lanes_vec vec_fill(uint16_t word) { return (lanes_vec){0} + word; }
INLINE lanes_vec vec_load(const uint16_t *words) {
  lanes_vec v;
  memcpy(&v, words, sizeof(v));
  return v;
}
/* all ones where the words are equal, otherwise zero */
INLINE lanes_vec vec_equal(lanes_vec a, lanes_vec b) { return (lanes_vec)(a == b); }

typedef uint16_t eight_words __attribute__((vector_size(16)));

/* Whether each of eight sets has all digits. */
INLINE int are_full(eight_words sets) {
  uint64_t half[2];
  memcpy(half, &sets, sizeof(sets));
  return (half[0] & half[1]) == 0x01FF01FF01FF01FFull;
}

/* Whether the columns of a frame have each digit once; all boxes have.  So the last column is right if the others are. */
INLINE int columns_fit(const uint16_t *frame) {
  eight_words seen = {0};
  UNROLL for (int row = 0; row < 9; row++) {
    eight_words cells;
    memcpy(&cells, frame + cell_place(9 * row), sizeof(cells));
    seen |= cells;
  }
  return are_full(seen);
}

/* A frame into a lane: with few lanes in a register as fast as any other way. */
INLINE void frame_in(lanes_vec *cells, int lane, const uint16_t *frame) {
  uint16_t *to = (uint16_t *)cells + lane;
  UNROLL_ALL for (int k = 0; k < 81; k++) to[k * LANES] = frame[cell_place(k)];
}

#endif
