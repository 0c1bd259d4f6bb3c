/* Which cell to guess in, the form for SSE2, NEON and anything else.  The rule is in search.pxi; all
 * forms choose the same cell.
 *
 * Plain C with packed counters: per house, nine fields of seven bits count for each digit the cells that
 * have it, cells with two candidates four times.  A house holds nine cells, three houses add up to 108.
 */
#ifndef UNIDOKU_CHOICE_H
#define UNIDOKU_CHOICE_H

#include "choice_cells.h"

static uint64_t cell_weight[512]; /* what a cell adds to the counters, by its candidates */
static struct {
  uint8_t row, column, box, row_part, column_part; /* parts: the three cells of a row or column in a box */
} houses[FRAME];

static void choice_prepare(void) {
  for (int place = 0; place < FRAME; place++) {
    int cell = cell_of_place[place];
    houses[place].row = (uint8_t)(cell / 9);
    houses[place].column = (uint8_t)(cell % 9);
    houses[place].box = (uint8_t)(cell / 27 * 3 + cell % 9 / 3);
    houses[place].row_part = (uint8_t)(cell / 3);
    houses[place].column_part = (uint8_t)(cell / 27 * 9 + cell % 9);
  }
  for (int set = 0; set < 512; set++)
    for (int digit = 0; digit < 9; digit++)
      if (set >> digit & 1) cell_weight[set] += (uint64_t)(__builtin_popcount((unsigned)set) == 2 ? 4 : 1) << 7 * digit;
}

static int choice_best(const uint16_t *frame) {
  Cells cells = bivalue_cells(frame);
  if (__builtin_expect(!(cells.low | cells.high), 0)) cells = wider_cells(frame);
  uint64_t row[9], column[9], box[9], row_part[27], column_part[27];
  for (int b = 0; b < 9; b++) {
    const uint16_t *corner = frame + b / 3 * 9 + b % 3 * 3;
    uint64_t *across = row_part + b / 3 * 9 + b % 3, *down = column_part + 3 * b;
    uint64_t w[9];
    UNROLL for (int k = 0; k < 9; k++) w[k] = cell_weight[corner[k / 3 * THIRD + k % 3]];
    UNROLL for (int k = 0; k < 3; k++) {
      across[3 * k] = w[3 * k] + w[3 * k + 1] + w[3 * k + 2];
      down[k] = w[k] + w[k + 3] + w[k + 6];
    }
    box[b] = across[0] + across[3] + across[6];
  }
  for (int k = 0; k < 9; k++) {
    row[k] = row_part[3 * k] + row_part[3 * k + 1] + row_part[3 * k + 2];
    column[k] = column_part[k] + column_part[9 + k] + column_part[18 + k];
  }
  int best = 0, left = 16;
  for (int half = 0; half < 2; half++)
    for (uint64_t some = half ? cells.high : cells.low; some && left; some &= some - 1, left--) {
      int place = half * 64 + __builtin_ctzll(some);
      uint32_t set = frame[place];
      uint64_t peers = row[houses[place].row] + column[houses[place].column] + box[houses[place].box] -
                       row_part[houses[place].row_part] - column_part[houses[place].column_part] - cell_weight[set];
      int low = peers >> 7 * __builtin_ctz(set) & 127, high = peers >> 7 * (31 - __builtin_clz(set)) & 127;
      int score = (low + high) << 8 | place << 1 | (high > low);
      if (score > best) best = score;
    }
  return best & 255;
}

/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) { return choice_best(frame); }

/* The guess for each of `count` frames. */
static void choose_best(uint16_t *const *frame, int count, uint8_t *choices) {
  for (int k = 0; k < count; k++) choices[k] = (uint8_t)choice_best(frame[k]);
}

#endif
