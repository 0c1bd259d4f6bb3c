/* Apply an element of the symmetry group to 81 cells; the six bands of a full grid. */
#ifndef UNIDOKU_SYMMETRY_GRIDS_H
#define UNIDOKU_SYMMETRY_GRIDS_H

#include "bytes.h"

/* Cell (i, j) of the image is digit[source(row[i], column[j])], the source transposed first if `transposed`.
   digit[0] is 0 and digits 1 to 9 are at their own places; bytes after the ninth are zero. */
typedef struct {
  uint8_t row[16], column[16], digit[16];
  int transposed;
} Move;

/* The six bands of a full grid: its three bands, and the three bands of its transpose (its stacks).
 *
 * A digit of a band is named by its place 0 to 8 in the first box.  A pattern gives the rows of the other two boxes:
 * the row of each name in box 2, one of 56. With its columns sorted by the first row, each box also has an
 * arrangement: the order of the second and third row relative to the first, one of 36.  These three numbers make the
 * index of the band, 0 to 72,575.
 *
 * Names are stored as codes: name q is 128 >> q, and 8 is 0.  Codes fall as names rise, and the sum of the codes of
 * different names determines the names.
 */

/* Tables indexed by quickly computed properties of a band; written when the module is imported, then constant. */
static uint32_t PATTERN_OF[256];        /* codes in rows 1 and 2 of box 2 -> pattern * 1296 */
static uint16_t ARRANGEMENT_OF[2][512]; /* comparisons -> arrangement * 36 (box 2), arrangement (box 3) */
static uint8_t COLUMN_ORDER[64][16];    /* comparisons in the first row of boxes 2 and 3 -> sorted columns */
static uint8_t SORTED[8][4];            /* comparisons of three values (0 > 1, 1 > 2, 2 > 0) -> their order */

/* One of the six bands under an order of its rows and columns, digits named 1 to 9 by its first row. */
typedef struct {
  uint8_t line[6][16]; /* the six other lines, in the names */
  bytes16 column;
  bytes16 name; /* of digits 0 to 8 */
} Turned;

static const uint8_t OTHER_LINE[3][6] = {{3, 4, 5, 6, 7, 8}, {0, 1, 2, 6, 7, 8}, {0, 1, 2, 3, 4, 5}};

INLINE int comparisons(uint8_t a, uint8_t b, uint8_t c) { return (a > b) | (b > c) << 1 | (c > a) << 2; }

/* Return the index of a band given as three lines of digits 0 to 8. */
INLINE uint32_t band_index(const uint8_t *one, const uint8_t *two, const uint8_t *three, uint8_t *order) {
  uint8_t code[16];
  for (int c = 0; c < 3; c++) {
    code[one[c]] = (uint8_t)(128 >> c);
    code[two[c]] = (uint8_t)(16 >> c);
    code[three[c]] = (uint8_t)(2 >> c);
  }
  uint32_t sum = 0, index = 0, first = 0;
  for (int c = 3; c < 6; c++) sum += (code[one[c]] & 0x1Fu) + (code[two[c]] & 0xE0u);
  index = PATTERN_OF[sum];
  for (int box = 0; box < 2; box++) {
    const uint8_t *a = one + 3 + 3 * box, *b = two + 3 + 3 * box, *c = three + 3 + 3 * box;
    /* codes fall as names rise: a greater name is a smaller code */
    uint32_t row1 = (uint32_t)comparisons((uint8_t)~code[a[0]], (uint8_t)~code[a[1]], (uint8_t)~code[a[2]]);
    uint32_t row2 = (uint32_t)comparisons((uint8_t)~code[b[0]], (uint8_t)~code[b[1]], (uint8_t)~code[b[2]]);
    uint32_t row3 = (uint32_t)comparisons((uint8_t)~code[c[0]], (uint8_t)~code[c[1]], (uint8_t)~code[c[2]]);
    index += ARRANGEMENT_OF[box][row1 | row2 << 3 | row3 << 6];
    first |= row1 << (3 * box);
  }
  *order = (uint8_t)first;
  return index;
}

/* moves_prepare(), bands_prepare(): fill the tables; once, while the module is imported.
 * move_cells(text, zero, move, image): an image of a puzzle.
 * bands_read(text, zero, bands): read a full grid; false if it is not one.
 * band_turn(bands, band, first, column, turned): apply an order of columns to a band, and move its row `first` to the top.
 * lines_turn(turned, column, digit, line): apply an automorphism of the band to the six lines.
 * fourth_line(turned, front, two, rest, digit): cells 2 to 9 of line 4 under an automorphism: the line whose first cell
 * becomes 2. */
#if defined(FOR_AVX512)
#include "arch/grids_avx512.h"
#else
#include "arch/grids_other.h"
#endif

/* Find the order in which six lines, two bands of three, become lines 4 to 9: sorted by their first cells. */
INLINE void line_order(const uint8_t (*line)[16], uint8_t *order) {
  const uint8_t *one = SORTED[comparisons(line[0][0], line[1][0], line[2][0])];
  const uint8_t *two = SORTED[comparisons(line[3][0], line[4][0], line[5][0])];
  int swap = line[one[0]][0] > line[3 + two[0]][0];
  for (int k = 0; k < 3; k++) {
    uint8_t a = one[k], b = (uint8_t)(3 + two[k]);
    order[k] = swap ? b : a;
    order[3 + k] = swap ? a : b;
  }
}

/* Write lines 4 to 9 of an image; `image` has 54 cells. */
INLINE void lines_put(const uint8_t (*line)[16], const uint8_t *order, uint8_t *image) {
  for (int k = 0; k < 5; k++) memcpy(image + 9 * k, line[order[k]], 16); /* the next line overwrites the surplus */
  memcpy(image + 45, line[order[5]], 9);
}

#endif
