/* The boards of the nine digits, and what a look at all of them finds.
 *
 * A board has the cells where a digit is possible or filled in, in three words, one for each band: the cell in row r
 * of the band and column c is bit 10 r + c.  The bit after a row is 0, so that sums in a row do not reach the next one.
 *
 *     word of a band:   . 8 7 6 5 4 3 2 1 0   . 8 7 6 5 4 3 2 1 0   . 8 7 6 5 4 3 2 1 0
 *                       row 2                 row 1                 row 0
 *
 * A word of a vector is a digit: AVX-512 has all digits in one part, AVX2 in two, other sets in three.
 */
#ifndef UNIDOKU_EFFORT_BOARDS_H
#define UNIDOKU_EFFORT_BOARDS_H

#include "../bits.h"
#include "../vectors.h"

#define DIGITS (LANES / 2) /* in a part, a word of 32 bits each */
#define PARTS ((9 + DIGITS - 1) / DIGITS)

typedef pairs_vec part_vec;
typedef uint32_t four_words __attribute__((vector_size(16)));

/* A set of cells of each digit. */
typedef union {
  part_vec part[PARTS][3];
  uint32_t word[PARTS][3][DIGITS];
} Boards;

#define WORD(boards, digit, band) ((boards)->word[(digit) / DIGITS][band][(digit) % DIGITS])
INLINE uint32_t board_word(const Boards *boards, int digit, int band) { return WORD(boards, digit, band); }
INLINE void board_put(Boards *boards, int digit, int band, uint32_t cells) { WORD(boards, digit, band) |= cells; }
INLINE void boards_clear(Boards *boards) { memset(boards, 0, sizeof(*boards)); }

/* A grid: the boards, and the cells that have a digit. */
typedef struct {
  Boards on;
  uint32_t filled[3];
} Position;

/* The content of a position: hidden singles, naked singles, and whether there is a contradiction. */
typedef struct {
  Boards hidden;
  uint32_t naked[3];
  int broken; /* a cell without a candidate, or a house without a place for a digit */
} Found;

#define EACH_ROW(bits) ((uint32_t)(bits) * 0x100401u)
#define ALL_CELLS EACH_ROW(0x1FF)
#define AFTER_ROWS EACH_ROW(0x200)
#define FIRST_CELLS EACH_ROW(1)
#define FIRST_OF_BOXES 0x49u /* the first cell of a row in each box */

#define EACH_PART for (int p = 0; p < PARTS; p++)
#define EACH_BAND for (int b = 0; b < 3; b++)

/* The whole row of each cell. */
#define rows_of(cells, where) \
  part_vec where = ((cells) + ALL_CELLS) & AFTER_ROWS; \
  where -= where >> 9
/* At least one, and at least two, of the three rows of a band, as one row. */
#define any_row(a) (((a) | (a) >> 10 | (a) >> 20) & 0x1FF)
#define two_rows(a) ((((a) & (a) >> 10) | (((a) | (a) >> 10) & (a) >> 20)) & 0x1FF)
/* One row in all three. */
#define in_rows(a) ((a) | (a) << 10 | (a) << 20)
/* The first cell of a row of a box, for each that has one cell at least, or two. */
#define any_of_box(a) (((a) | (a) >> 1 | (a) >> 2) & FIRST_OF_BOXES)
#define two_of_box(a) ((((a) & (a) >> 1) | (((a) | (a) >> 1) & (a) >> 2)) & FIRST_OF_BOXES)
/* Three cells for the first. */
#define in_box(a) ((a) | (a) << 1 | (a) << 2)

/* Folds the lanes: the bits of at least one, and of at least two. */
INLINE void fold(part_vec once, part_vec twice, uint32_t *one, uint32_t *two) {
  four_words o[DIGITS / 4], t[DIGITS / 4];
  memcpy(o, &once, sizeof(o));
  memcpy(t, &twice, sizeof(t));
  for (int i = 1; i < DIGITS / 4; i++) {
    t[0] |= t[i] | (o[0] & o[i]);
    o[0] |= o[i];
  }
  uint64_t oo[2], tt[2];
  memcpy(oo, o, 16);
  memcpy(tt, t, 16);
  tt[0] |= tt[1] | (oo[0] & oo[1]);
  oo[0] |= oo[1];
  *one = (uint32_t)oo[0] | (uint32_t)(oo[0] >> 32);
  *two = (uint32_t)tt[0] | (uint32_t)(tt[0] >> 32) | ((uint32_t)oo[0] & (uint32_t)(oo[0] >> 32));
}

INLINE int has_any(const Boards *boards) {
  part_vec all = {0};
  uint32_t one, two;
  EACH_PART EACH_BAND all |= boards->part[p][b];
  fold(all, all, &one, &two);
  return one != 0;
}

/* The lanes that are digits. */
INLINE part_vec digits_of_part(int p) {
  part_vec digits;
  for (int i = 0; i < DIGITS; i++) digits[i] = DIGITS * p + i < 9 ? ~0u : 0;
  return digits;
}

/* Finds the singles of a position. */
INLINE void look(const Position *now, Found *found) {
  part_vec lack = {0}, once[3] = {{0}}, twice[3] = {{0}};
  uint32_t one, two;
  EACH_PART {
    part_vec any[3], more[3], missing = {0};
    EACH_BAND any[b] = any_row(now->on.part[p][b]), more[b] = two_rows(now->on.part[p][b]);
    const part_vec in_column = any[0] | any[1] | any[2];
    const part_vec column = more[0] | more[1] | more[2] | (any[0] & any[1]) | ((any[0] | any[1]) & any[2]);
    const part_vec columns = in_rows(column);
    missing |= in_column ^ 0x1FF;
    EACH_BAND {
      const part_vec cells = now->on.part[p][b];
      const part_vec box = two_of_box(any[b]) | any_of_box(more[b]), boxes = in_box(box);
      const part_vec later = cells & ((cells | AFTER_ROWS) - FIRST_CELLS); /* without the first of each row */
      rows_of(later, rows);
      missing |= any_of_box(any[b]) ^ FIRST_OF_BOXES;
      missing |= ((cells + ALL_CELLS) & AFTER_ROWS) ^ AFTER_ROWS;
      found->hidden.part[p][b] = cells & ~(rows & columns & in_rows(boxes)) & ~now->filled[b];
      twice[b] |= once[b] & cells;
      once[b] |= cells;
    }
    lack |= missing & digits_of_part(p);
  }
  fold(lack, lack, &one, &two);
  int broken = one != 0;
  EACH_BAND {
    fold(once[b], twice[b], &one, &two);
    broken |= one != ALL_CELLS;
    found->naked[b] = one & ~two & ~now->filled[b];
  }
  found->broken = broken;
}

/* Writes digits into cells; false if two of them clash. */
INLINE int put_digits(Position *now, const Boards *digits) {
  Boards out;
  uint32_t taken[3] = {0};
  memset(&out, 0, sizeof(out));
  for (int digit = 0; digit < 9; digit++) EACH_BAND {
    uint32_t cells = WORD(digits, digit, b);
    while (cells) {
      const int place = lowest_bit(cells), row = place / 10, column = place % 10;
      const uint32_t cell = 1u << place;
      if ((WORD(&out, digit, b) | taken[b]) & cell) return 0;
      taken[b] |= cell;
      for (int k = 0; k < 3; k++) WORD(&out, digit, k) |= FIRST_CELLS << column;
      WORD(&out, digit, b) |= 0x1FFu << (10 * row) | EACH_ROW(7) << (column / 3 * 3);
      cells &= cells - 1;
    }
  }
  EACH_PART EACH_BAND
    now->on.part[p][b] = (now->on.part[p][b] & ~out.part[p][b] & ~taken[b]) | digits->part[p][b];
  EACH_BAND now->filled[b] |= taken[b];
  return 1;
}

/* Adds the candidates in these cells. */
INLINE void add_candidates(const Position *now, const uint32_t *cells, Boards *boards) {
  EACH_PART EACH_BAND boards->part[p][b] |= now->on.part[p][b] & cells[b];
}

/* Return what locked candidates remove: a digit whose places in a house are all in a second house goes from the rest
   of the second house. */
INLINE void find_locked(const Position *now, Boards *gone) {
  EACH_PART {
    part_vec any[3], out[3];
    EACH_BAND any[b] = any_row(now->on.part[p][b]);
    EACH_BAND {
      const part_vec cells = now->on.part[p][b];
      const part_vec threes = (cells | cells >> 1 | cells >> 2) & EACH_ROW(FIRST_OF_BOXES); /* rows of boxes */
      const part_vec later = threes & ((threes | AFTER_ROWS) - FIRST_CELLS);
      rows_of(later, rows);
      const part_vec in_one_box = threes & ~rows, in_one_row = threes & ~in_rows(two_rows(threes));
      const part_vec a = in_box(in_one_box), c = in_box(in_one_row);
      part_vec off = (a << 10 | a << 20 | a >> 10 | a >> 20) & ALL_CELLS;
      off |= (c << 3 & EACH_ROW(0x1F8)) | (c << 6 & EACH_ROW(0x1C0)) | (c >> 3 & EACH_ROW(0x3F)) | (c >> 6 & EACH_ROW(7));
      /* of columns: those that have the digit only in this band */
      const part_vec own = any[b] & ~(any[(b + 1) % 3] | any[(b + 2) % 3]);
      const part_vec beside = (own << 1 & 0x1B6) | (own << 2 & 0x124) | (own >> 1 & 0xDB) | (own >> 2 & 0x49);
      out[b] = off | in_rows(beside);
    }
    part_vec one_column[3]; /* of a box */
    EACH_BAND {
      const part_vec two = two_of_box(any[b]);
      one_column[b] = any[b] & ~in_box(two);
    }
    EACH_BAND {
      const part_vec columns = one_column[(b + 1) % 3] | one_column[(b + 2) % 3];
      gone->part[p][b] = now->on.part[p][b] & (out[b] | in_rows(columns)) & ~now->filled[b];
    }
  }
}

/* Removes candidates. */
INLINE void strike(Position *now, const Boards *gone) {
  EACH_PART EACH_BAND now->on.part[p][b] &= ~gone->part[p][b];
}

#endif
