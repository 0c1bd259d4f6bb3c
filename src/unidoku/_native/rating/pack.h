/* More operations for rating many puzzles at once: sets of lanes, as comparisons give them, and counting.
 *
 * A lane_set is a mask register with AVX-512 and a vector of all ones or zeros elsewhere; & | ~ work on both. */
#ifndef UNIDOKU_RATING_PACK_H
#define UNIDOKU_RATING_PACK_H

#include "../lanes/lanes.h"

#if defined(FOR_AVX512)
#include "arch/pack_avx512.h"
#else
#include "arch/pack_other.h"
#endif

/* where v has one bit at most */
INLINE lane_set vec_has_at_most_one(lanes_vec v) { return vec_apart(v, v - 1); }
INLINE lane_set vec_is_zero(lanes_vec v) { return vec_apart(v, v); }
/* the lowest bit */
INLINE lanes_vec vec_lowest(lanes_vec v) { return v & (0 - v); }

/* --- One round on all lanes: hidden singles; on request also naked singles, direct pointing and claiming, pointing and
 * claiming.  All conclusions of a round follow from the board before it, except that digits that the round fills in
 * are removed from their peers.
 *
 * The three cells that a row or a column has in a box are a triple.  Sets of digits of triples are in arrays
 * 9 * band + 3 * row + stack, and 9 * stack + 3 * column + band. */

/* A register full of puzzles. */
typedef struct {
  lanes_vec marks[81];     /* candidates of an empty cell, none of a filled one */
  lanes_vec digit[81];     /* the digit of a filled cell */
  lanes_vec found[81];     /* digits that direct subsets fill in; the next round takes them */
  lanes_vec places[27][9]; /* places of the digits in each house, where looked at: bit p for the p-th cell */
  uint8_t (*house)[9];     /* the cells of the 27 houses */
} PackBoard;

/* The lanes that a round changed, those in which it filled a cell, and those that still have empty cells. */
typedef struct {
  uint32_t changed, filled, open;
} LanesSeen;

/* Rules of a round besides hidden singles. */
enum {
  NAKED = 1,       /* naked singles */
  DIRECT = 2,      /* direct pointing and claiming */
  LOCKED = 4,      /* pointing and claiming */
  LAST_CELLS = 8,  /* in lanes below 1.5, lines only where it is their last cell */
};

/* Digits with one place in a line, of the sets with one place and with more places in its triples. */
INLINE lanes_vec line_singles(const int what, const lanes_vec *one, const lanes_vec *more, lane_set lines) {
  lanes_vec several = vec_any(more[0], more[1], more[2]);
  lanes_vec single = vec_one(one[0], one[1], one[2]) & ~several;
  if (!(what & LAST_CELLS)) return single;
  return set_keep(lines | vec_has_at_most_one(vec_any(one[0], one[1], one[2]) | several), single);
}

/* Locked candidates in the 3 x 3 triples of a band (stack): direct steps are added to `fill`, other steps to
   `strike`. */
INLINE void intersections(const int what, const lanes_vec *one, const lanes_vec *more, lanes_vec point, lanes_vec claim,
                          lanes_vec *fill, lanes_vec *strike) {
  lanes_vec in[9], in_box[9], in_line[9]; /* digits of a triple, and those confined to it in its box, in its line */
  UNROLL for (int k = 0; k < 9; k++) in[k] = one[k] | more[k];
  UNROLL for (int i = 0; i < 3; i++) UNROLL for (int b = 0; b < 3; b++) {
    in_box[3 * i + b] = vec_neither(in[3 * i + b], in[(i + 1) % 3 * 3 + b], in[(i + 2) % 3 * 3 + b]);
    in_line[3 * i + b] = vec_neither(in[3 * i + b], in[3 * i + (b + 1) % 3], in[3 * i + (b + 2) % 3]);
  }
  UNROLL for (int i = 0; i < 3; i++) UNROLL for (int b = 0; b < 3; b++) {
    const int line = 3 * i, line1 = (i + 1) % 3 * 3, line2 = (i + 2) % 3 * 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
    lanes_vec pointed = (in_box[line + b1] | in_box[line + b2]) & point; /* out of another box along this line */
    lanes_vec claimed = (in_line[line1 + b] | in_line[line2 + b]) & claim; /* by another line of this box */
    if (what & LOCKED) strike[line + b] = pointed | claimed;
    if (what & DIRECT) {
      /* the one place that is left in the box, in its other lines; in the line, in the other boxes */
      pointed &= vec_neither(one[line1 + b] ^ one[line2 + b], more[line1 + b], more[line2 + b]);
      fill[line1 + b] |= pointed;
      fill[line2 + b] |= pointed;
      claimed &= vec_neither(one[line + b1] ^ one[line + b2], more[line + b1], more[line + b2]);
      fill[line + b1] |= claimed;
      fill[line + b2] |= claimed;
    }
  }
}

/* The digits of each triple that a round fills in, and those that it removes; a triple has a place in each array. */
typedef struct {
  lanes_vec row_fill[27], column_fill[27], row_strike[27], column_strike[27], box_strike[9];
} Triples;

/* Find what to fill in and, by intersections, to remove. */
INLINE void find_fills(const PackBoard *board, Triples *triples, const int what, lane_set lines, lanes_vec points,
                       lanes_vec claims) {
  for (int band = 0; band < 3; band++) {
    const lanes_vec *x = board->marks + 27 * band;
    lanes_vec one[9], more[9], box[3];
    UNROLL for (int k = 0; k < 9; k++) {
      one[k] = vec_one(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
      more[k] = vec_two(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
    }
    UNROLL for (int b = 0; b < 3; b++)
      box[b] = vec_one(one[b], one[3 + b], one[6 + b]) & ~vec_any(more[b], more[3 + b], more[6 + b]);
    UNROLL for (int i = 0; i < 3; i++) {
      lanes_vec row = line_singles(what, one + 3 * i, more + 3 * i, lines);
      UNROLL for (int b = 0; b < 3; b++) triples->row_fill[9 * band + 3 * i + b] = row | box[b];
    }
    if (what & (DIRECT | LOCKED))
      intersections(what, one, more, points, claims, triples->row_fill + 9 * band, triples->row_strike + 9 * band);
  }
  for (int stack = 0; stack < 3; stack++) {
    lanes_vec one[9], more[9];
    UNROLL for (int k = 0; k < 9; k++) {
      const lanes_vec *x = board->marks + 3 * stack + k / 3 + k % 3 * 27;
      one[k] = vec_one(x[0], x[9], x[18]);
      more[k] = vec_two(x[0], x[9], x[18]);
    }
    UNROLL for (int j = 0; j < 3; j++) {
      lanes_vec column = line_singles(what, one + 3 * j, more + 3 * j, lines);
      UNROLL for (int b = 0; b < 3; b++) triples->column_fill[9 * stack + 3 * j + b] = column;
    }
    if (what & (DIRECT | LOCKED))
      intersections(what, one, more, points, claims, triples->column_fill + 9 * stack,
                    triples->column_strike + 9 * stack);
  }
}

/* Fill cells in; row_fill and column_fill become the digits that are filled in somewhere in the triple. Return all. */
INLINE lanes_vec place_fills(PackBoard *board, Triples *triples, const int what, int found) {
  lanes_vec filled = vec_fill(0), *row_fill = triples->row_fill, *column_fill = triples->column_fill;
  for (int band = 0; band < 3; band++) for (int stack = 0; stack < 3; stack++) {
    const int corner = 27 * band + 3 * stack;
    lanes_vec in[9], box;
    UNROLL for (int k = 0; k < 9; k++) {
      const int i = k / 3, j = k % 3, cell = corner + 9 * i + j;
      lanes_vec x = board->marks[cell];
      lanes_vec y = vec_and_any(x, row_fill[9 * band + 3 * i + stack], column_fill[9 * stack + 3 * j + band]);
      if (found) {
        y = vec_or_both(y, x, board->found[cell]);
        board->found[cell] = vec_fill(0);
      }
      if (what & NAKED) y = set_pick(vec_has_at_most_one(x), x, y);
      in[k] = y;
      board->digit[cell] |= y;
      board->marks[cell] = set_keep(vec_is_zero(y), x);
    }
    UNROLL for (int i = 0; i < 3; i++) row_fill[9 * band + 3 * i + stack] = vec_any(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    UNROLL for (int j = 0; j < 3; j++) column_fill[9 * stack + 3 * j + band] = vec_any(in[j], in[j + 3], in[j + 6]);
    box = vec_any(row_fill[9 * band + stack], row_fill[9 * band + 3 + stack], row_fill[9 * band + 6 + stack]);
    triples->box_strike[3 * band + stack] = box;
    filled |= box;
  }
  return filled;
}

/* Remove from the triples what intersections remove from them, and the digits filled in from their peers. */
INLINE LanesSeen strike_peers(PackBoard *board, Triples *triples, const int what, lanes_vec filled) {
  lanes_vec *row_strike = triples->row_strike, *column_strike = triples->column_strike;
  const lanes_vec *row_fill = triples->row_fill, *column_fill = triples->column_fill;
  lanes_vec changed = vec_fill(0), open = changed;
  for (int k = 0; k < 9; k++) {
    lanes_vec row = vec_any(row_fill[3 * k], row_fill[3 * k + 1], row_fill[3 * k + 2]);
    lanes_vec column = vec_any(column_fill[3 * k], column_fill[3 * k + 1], column_fill[3 * k + 2]);
    UNROLL for (int b = 0; b < 3; b++) {
      lanes_vec out = row | triples->box_strike[k / 3 * 3 + b];
      row_strike[3 * k + b] = what & LOCKED ? out | row_strike[3 * k + b] : out;
      column_strike[3 * k + b] = what & LOCKED ? column | column_strike[3 * k + b] : column;
    }
  }
  for (int row = 0; row < 9; row++) UNROLL for (int c = 0; c < 9; c++) {
    lanes_vec *cell = board->marks + 9 * row + c, x = *cell;
    lanes_vec y = vec_neither(x, row_strike[3 * row + c / 3], column_strike[3 * c + row / 3]);
    *cell = y;
    open |= y;
    if (what & LOCKED) changed = vec_or_change(changed, x, y);
  }
  LanesSeen seen;
  seen.filled = vec_lanes(filled);
  seen.changed = what & LOCKED ? seen.filled | vec_lanes(changed) : seen.filled;
  seen.open = vec_lanes(open);
  return seen;
}

/* Run one round. `lines` are the lanes that fill hidden singles of rows and columns, `point` and `claim` those that
 * point and claim. With `found`, take what direct subsets found. */
INLINE LanesSeen board_round(PackBoard *board, const int what, uint32_t lines, uint32_t point, uint32_t claim,
                             int found) {
  Triples triples;
  find_fills(board, &triples, what, set_of(lines), vec_of_lanes(point), vec_of_lanes(claim));
  return strike_peers(board, &triples, what, place_fills(board, &triples, what, found));
}

/* Every combination that occurs, compiled once.  Direct and other intersections: claiming only in some lanes. */
#define ROUND(name, what, lines, point) \
  static __attribute__((noinline)) LanesSeen name(PackBoard *board, uint32_t lanes, int found) { \
    return board_round(board, what, lines, point, lanes, found); \
  }
ROUND(round_direct, DIRECT, ALL_LANES, ALL_LANES)
ROUND(round_naked, DIRECT | NAKED, ALL_LANES, ALL_LANES)
ROUND(round_locked, LOCKED | NAKED, ALL_LANES, ALL_LANES)
#undef ROUND
/* Only hidden singles; the lanes fill them in rows and columns. */
static __attribute__((noinline)) LanesSeen round_hidden(PackBoard *board, uint32_t lanes) {
  return board_round(board, LAST_CELLS, lanes, 0, 0, 0);
}

/* Removes the digits of the clues from their peers; the lanes that have a house with one empty cell. */
static uint32_t strike_clues(PackBoard *board, uint32_t lanes) {
  lanes_vec in[27], last = vec_fill(0);
  for (int h = 0; h < 27; h++) {
    in[h] = vec_fill(0);
    UNROLL for (int k = 0; k < 9; k++) in[h] |= board->digit[board->house[h][k]];
    lanes_vec missing = in[h] ^ vec_fill(0x1FF);
    last |= set_keep(vec_has_at_most_one(missing) & ~vec_is_zero(missing), missing);
  }
  for (int cell = 0; cell < 81; cell++)
    board->marks[cell] &= ~vec_any(in[cell / 9], in[9 + cell % 9], in[18 + cell / 27 * 3 + cell % 9 / 3]);
  return vec_lanes(last) & lanes;
}

/* The lanes with a correct full grid. */
static uint32_t solved_lanes(const PackBoard *board) {
  lanes_vec wrong = vec_fill(0);
  for (int h = 0; h < 27; h++) {
    lanes_vec in = vec_fill(0);
    UNROLL for (int k = 0; k < 9; k++) in |= board->digit[board->house[h][k]];
    wrong |= in ^ vec_fill(0x1FF);
  }
  for (int cell = 0; cell < 81; cell++) wrong |= board->digit[cell] & (board->digit[cell] - 1);
  return ALL_LANES & ~vec_lanes(wrong);
}

/* --- Puzzles into lanes and out of them.  A frame (_native/lanes/places.h) holds for each cell its candidates, or its digit
 * and the bit FILLED. */

enum { FILLED = 0x8000, QUEUE = 512 };

/* Puzzles on their way to a stage: the last one in is the first one out. */
typedef struct {
  uint16_t word[QUEUE][FRAME] __attribute__((aligned(64))); /* written by aligned stores */
  int id[QUEUE];
  uint8_t level[QUEUE];
  int count;
} Frames;

/* Load frames into these lanes: frame[l] into lane l.  `clues`: a single candidate is a clue. */
static __attribute__((noinline)) void board_in(PackBoard *board, uint32_t lanes, uint16_t *const *frame, int clues) {
  lanes_vec word[81];
  const lane_set in = set_of(lanes);
  frames_in(word, lanes, frame);
  for (int cell = 0; cell < 81; cell++) {
    lanes_vec set = word[cell] & vec_fill(0x1FF);
    lane_set filled = clues ? vec_has_at_most_one(set) : vec_meet(word[cell], vec_fill(FILLED));
    board->marks[cell] = set_pick(in, set_keep(~filled, set), board->marks[cell]);
    board->digit[cell] = set_pick(in, set_keep(filled, set), board->digit[cell]);
  }
}
/* The same backwards; the lanes are empty then. */
static __attribute__((noinline)) void board_out(PackBoard *board, uint32_t lanes, uint16_t *const *frame) {
  lanes_vec word[81];
  const lanes_vec stay = vec_of_lanes(~lanes & ALL_LANES);
  for (int cell = 0; cell < 81; cell++) {
    lanes_vec x = board->marks[cell];
    word[cell] = set_pick(vec_is_zero(x), board->digit[cell] | vec_fill(FILLED), x);
    board->marks[cell] = x & stay;
  }
  frames_out(word, lanes, frame);
}

#endif
