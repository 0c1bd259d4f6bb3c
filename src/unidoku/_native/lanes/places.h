/* Where a puzzle apart from the lanes has its cells: no vectors here. */
#ifndef UNIDOKU_LANES_PLACES_H
#define UNIDOKU_LANES_PLACES_H

/* Frames: the 81 candidate sets of one puzzle as consecutive words, the form on the stacks of the search.
 *
 * A frame holds three thirds of 32 words.  Third i holds row i of each band. Word 32 i + 9 A + c is the cell in row 3
 * A + i and column c, so a row of the grid is nine words next to each other:
 *
 *     third 0:  row 1 . . . . . . . .  row 4 . . . . . . . .  row 7 . . . . . . . .  5 words of padding
 *     third 1:  row 2                  row 5                  row 8
 *     third 2:  row 3                  row 6                  row 9
 *
 * The number of a word is the *place* of its cell.  This is the order of the registers of the kernel for one
 * puzzle (one.h), so both kernels choose guesses by the same rule and in the same order.  The padding is
 * undefined: every reader of a frame masks it out.
 */

#define FRAME 96
#define THIRD 32             /* words of a third */
#define THIRD_CELLS 0x7FFFFFF /* bits of the 27 words that are cells */

INLINE int place_row(int place) { return place % THIRD / 9 * 3 + place / THIRD; }
INLINE int place_column(int place) { return place % THIRD % 9; }
INLINE int place_is_cell(int place) { return place % THIRD < 27; }
INLINE int place_cell(int place) { return 9 * place_row(place) + place_column(place); }
INLINE int cell_place(int cell) { return THIRD * (cell / 9 % 3) + cell / 27 * 9 + cell % 9; }
INLINE int places_are_peers(int a, int b) {
  int rows = place_row(a) == place_row(b), columns = place_column(a) == place_column(b);
  int boxes = place_row(a) / 3 == place_row(b) / 3 && place_column(a) / 3 == place_column(b) / 3;
  return a != b && (rows || columns || boxes);
}

/* A choice, the result of choice.h: twice the place of a cell, plus one if the highest of its candidates is tried
 * first, not the lowest. */
INLINE uint16_t guessed_digit(uint16_t candidates, int choice) {
  unsigned lowest = candidates & -candidates, highest = 1u << (31 - __builtin_clz(candidates));
  return (uint16_t)(lowest ^ ((lowest ^ highest) & -(unsigned)(choice & 1))); /* a branch would often be mispredicted */
}

static uint8_t cell_of_place[FRAME];

/* Some places, as two words of bits: places 0..63 and 64..95. */
typedef struct {
  uint64_t low, high;
} Cells;

static Cells apart[FRAME]; /* of each cell: the cells that are not its peers */

static __attribute__((unused)) void cells_prepare(void) {
  for (int a = 0; a < FRAME; a++)
    for (int b = 0; b < FRAME; b++)
      if (place_is_cell(b) && a != b && !places_are_peers(a, b)) *(b < 64 ? &apart[a].low : &apart[a].high) |= 1ull << b % 64;
}

/* The place of the first one, or 127. */
INLINE int first_cell(Cells cells) {
  const int in_high = 64 + __builtin_ctzll(cells.high | 1ull << 63);
  return cells.low ? __builtin_ctzll(cells.low) : in_high;
}

#endif
