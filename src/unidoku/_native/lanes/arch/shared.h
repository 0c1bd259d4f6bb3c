/* The headers of instruction sets share this code. Each includes it first, and gets by LANES what it needs.
 *
 *                             32 lanes    16      8
 *                             avx512.h    avx2.h  neon.h  sse2.h, plain.h
 *     logic of three operands (its own)   x       x       x
 *     fewest cells to choose  (its own)   x       x       x
 *     frames by registers     x           x
 *     frames and text by words                    x       x
 *     peers as bytes                      x       x
 *     choice by a table                                   x
 */
#ifndef UNIDOKU_LANES_SHARED_H
#define UNIDOKU_LANES_SHARED_H

#if LANES < 32 /* --- logic: a processor has instructions of two operands ------------------------------------------ */

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

/* --- the fewest candidates -------------------------------------------------------------------------------- */

INLINE Cells places_with(const uint16_t *frame, int number);

/* Where no cell has two candidates: those with three; if there are none, those with more. */
static __attribute__((noinline)) Cells wider_cells(const uint16_t *frame) {
  const Cells three = places_with(frame, 3);
  return three.low | three.high ? three : places_with(frame, 4);
}

#endif
#if LANES > 8 /* --- frames by registers, which a choice loads ------------------------------------------------------- */

INLINE void frame_out(const lanes_vec *cells, int lane, uint16_t *frame) {
  const uint16_t *from = (const uint16_t *)cells + lane;
  /* eight words a store: the choice loads whole registers, which would wait for narrow stores */
  _Pragma("GCC unroll 12") for (int base = 0; base < FRAME; base += 8) {
    eight_words words = {0};
    UNROLL for (int k = 0; k < 8; k++)
      if (place_is_cell(base + k)) words[k] = from[place_cell(base + k) * LANES];
    *(eight_words *)(frame + base) = words;
  }
}

#define CHOICE_IN_STAGES 1 /* Choice, choice_boards, choice_best */

#else /* --- frames and text by words: no permutes of bytes could read and write text at once ------------------------ */

#define FEW 3
#define AT_REST 1 /* each is copied by itself */
#define SIMPLE_FIRST 0
#define GRIDS_FROM_LANES 0
#define ARCH_ONE "arch/one_eight.h"

INLINE lanes_vec vec_of_lanes(uint32_t lanes) {
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128};
  return (lanes_vec)((vec_fill((uint16_t)lanes) & bits) != 0);
}

INLINE void frame_out(const lanes_vec *cells, int lane, uint16_t *frame) {
  const uint16_t *from = (const uint16_t *)cells + lane;
  UNROLL_ALL for (int k = 0; k < 81; k++) frame[cell_place(k)] = from[k * LANES];
}
static void frames_out(const lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_out(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
}
static void frames_in(lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_in(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
}

static uint16_t set_of_byte[256]; /* digit '1'..'9' minus '1' + 0..8: its set; any other byte: all nine */

/* Fills the table; once, while the module is imported. */
static void text_prepare(void) {
  for (int k = 0; k < 256; k++) set_of_byte[k] = k < 9 ? (uint16_t)(1 << k) : 0x1FF;
}

INLINE void frame_read(const uint8_t *text, uint8_t zero, uint16_t *frame) {
  const uint8_t first = (uint8_t)(zero + 1);
  UNROLL for (int row = 0; row < 9; row++)
    UNROLL for (int c = 0; c < 9; c++) frame[cell_place(9 * row) + c] = set_of_byte[(uint8_t)(text[9 * row + c] - first)];
}

INLINE void frame_write(const uint16_t *frame, uint8_t zero, uint8_t *text) {
  UNROLL for (int row = 0; row < 9; row++)
    UNROLL for (int c = 0; c < 9; c++) text[9 * row + c] = (uint8_t)(zero + 1 + __builtin_ctz(frame[cell_place(9 * row) + c]));
}

#endif
#if LANES == 16 || (defined(__ARM_NEON) && defined(__aarch64__)) /* --- peers as bytes ----------------------------------------------------------- */

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

#elif LANES == 8 /* --- text cell by cell, and the choice by a table ---------------------------------------------------- */

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

/* The choice: a cell gives points to each of its candidates: a vector of bytes, one for each
 * digit, from a table.  The points of three cells in a row or column of a box are added once. The points of the peers
 * of a cell are the sum of the two other such triples of its row, the two of its column, and its box without the
 * cell: 20 peers with 6 points at most.
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

#endif
