/* What SSE2 and any other processor have in common: text cell by cell, the choice by a table. */
#ifndef UNIDOKU_LANES_TABLES_H
#define UNIDOKU_LANES_TABLES_H

INLINE lanes_vec vec_two(lanes_vec a, lanes_vec b, lanes_vec c) { return (a & b) | (c & (a ^ b)); }
INLINE lanes_vec vec_after_singles(lanes_vec cell, lanes_vec hidden, lanes_vec naked, lanes_vec single) {
  lanes_vec gone = cell & hidden;
  gone = (lanes_vec)(gone != 0) & ~hidden;
  return (cell & ~(gone | naked)) | single;
}

INLINE int text_has_only(const uint8_t *text, uint8_t empty) {
  uint8_t wrong = 0;
  for (int k = 0; k < 81; k++) wrong |= (uint8_t)((uint8_t)(text[k] - '1') > 8) & (text[k] != empty);
  return !wrong;
}

#include "wider.h"

/* The choice: a cell gives points to each of its candidates: a vector of bytes, one for each
 * digit, from a table.  The points of three cells in a row or column of a box are added once; those of the peers of a
 * cell are the sum of the two other such triples of its row, the two of its column, and its box without the cell: 20
 * peers with 6 points at most.
 */

typedef uint8_t points __attribute__((vector_size(16))); /* of digit d in byte d - 1 */

static points points_of_set[512];
static struct {
  uint8_t box, across[2], down[2]; /* numbers of the box and of the other triples in the row and the column */
} around[FRAME];

static __attribute__((unused)) void choice_prepare(void) {
  for (int place = 0; place < FRAME; place++) {
    const int row = cell_of_place[place] / 9, column = cell_of_place[place] % 9;
    around[place].box = (uint8_t)(row / 3 * 3 + column / 3);
    for (int k = 0; k < 2; k++) {
      around[place].across[k] = (uint8_t)(row * 3 + (column / 3 + k + 1) % 3);
      around[place].down[k] = (uint8_t)((row / 3 + k + 1) % 3 * 9 + column);
    }
  }
  for (int set = 0; set < 512; set++) {
    const int count = __builtin_popcount((unsigned)set);
    for (int digit = 0; digit < 9; digit++)
      if (set >> digit & 1) points_of_set[set][digit] = count == 2 ? 6 : count == 3 ? 2 : 1;
  }
}

/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) {
  Cells cells = places_with(frame, 2);
  if (__builtin_expect(!(cells.low | cells.high), 0)) cells = wider_cells(frame);
  points across[27], down[27], box[9];
  _Pragma("GCC unroll 1") for (int b = 0; b < 9; b++) {
    const uint16_t *corner = frame + b / 3 * 9 + b % 3 * 3;
    points *to = across + b / 3 * 9 + b % 3, w[9];
    UNROLL for (int k = 0; k < 9; k++) w[k] = points_of_set[corner[k / 3 * THIRD + k % 3]];
    UNROLL for (int k = 0; k < 3; k++) {
      to[3 * k] = w[3 * k] + w[3 * k + 1] + w[3 * k + 2];
      down[3 * b + k] = w[k] + w[k + 3] + w[k + 6];
    }
    box[b] = to[0] + to[3] + to[6];
  }
  int best = 0, left = 16;
  for (int half = 0; half < 2; half++)
    for (uint64_t some = half ? cells.high : cells.low; some && left; some &= some - 1, left--) {
      const int place = half * 64 + __builtin_ctzll(some);
      const uint32_t set = frame[place];
      const points peers = across[around[place].across[0]] + across[around[place].across[1]] + down[around[place].down[0]] +
                           down[around[place].down[1]] + (box[around[place].box] - points_of_set[set]);
      uint8_t of_digit[16];
      memcpy(of_digit, &peers, 16);
      const int low = of_digit[__builtin_ctz(set)], high = of_digit[31 - __builtin_clz(set)];
      const int score = (low + high) << 8 | place << 1 | (high > low);
      if (score > best) best = score;
    }
  return best & 255;
}

#endif
