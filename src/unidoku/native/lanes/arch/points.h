/* What a choice by bytes needs: AVX2 and NEON. */
#ifndef UNIDOKU_LANES_POINTS_H
#define UNIDOKU_LANES_POINTS_H

/* The points of a digit in each third: a byte for each cell that has the digit, and the sum of the three
 * thirds.  The peers of a cell are the six cells of the row outside the box, all in the cell's own third, and the box and
 * the column, which are the same five places of each third.  The cell itself is among these, but each listed cell gives
 * itself as many points as any other.
 */

typedef uint8_t Points[THIRD] __attribute__((aligned(32))); /* of the cells of a third; or all ones for some, zero for others */

static struct {
  Points row, box_column;
} peers_of[FRAME];

static void peers_prepare(void) {
  for (int a = 0; a < FRAME; a++)
    for (int b = 0; b < 27; b++) {
      const int place = a % THIRD, same_band = place / 9 == b / 9, same_stack = place % 9 / 3 == b % 9 / 3;
      peers_of[a].row[b] = (uint8_t)-(same_band && !same_stack);
      peers_of[a].box_column[b] = (uint8_t)-((same_band && same_stack) || place % 9 == b % 9);
    }
}

#endif
