/* XY-wings and XYZ-wings on all lanes. */
#ifndef UNIDOKU_RATING_LANES_WINGS_H
#define UNIDOKU_RATING_LANES_WINGS_H

#include "lanes_sets.h"
#include "lanes_round.h"

enum { NO_PAIR = 0x8000 }; /* instead of the candidates of a cell that has not two */

INLINE void find_bivalues(const LanesBoard *board, lanes_vec *two) {
  for (int cell = 0; cell < 81; cell++)
    two[cell] = set_pick(vec_has_two(board->marks[cell]), board->marks[cell], vec_fill(NO_PAIR));
}
INLINE lanes_vec strike(LanesBoard *board, int cell, lanes_vec digits, lanes_vec changed) {
  lanes_vec x = board->marks[cell];
  board->marks[cell] = x & ~digits;
  return vec_or_both(changed, x, digits);
}

/* What the wings around a pivot could remove: the digit that they do not share with it. */
typedef struct {
  lanes_vec low, high; /* of wings that share the pivot's lower digit, its higher digit */
} Wings;

INLINE Wings wings_none(void) {
  Wings none = {vec_fill(0), vec_fill(0)};
  return none;
}
INLINE Wings wing_of(lanes_vec cell, lanes_vec pivot, lanes_vec low, lane_set lanes) {
  lanes_vec shared = cell & pivot, other = cell & ~pivot;
  Wings wings = {set_keep(vec_same_in(lanes, shared, low), other), set_keep(vec_same_in(lanes, shared, pivot ^ low), other)};
  return wings;
}
INLINE Wings wings_both(Wings a, Wings b) {
  Wings wings = {a.low | b.low, a.high | b.high};
  return wings;
}
INLINE Wings wings_three(Wings a, Wings b, Wings c) {
  Wings wings = {vec_any(a.low, b.low, c.low), vec_any(a.high, b.high, c.high)};
  return wings;
}
/* the digit that a wing of one kind and a wing of the other kind have in common */
INLINE lanes_vec wings_meet(Wings a, Wings b) { return vec_or_both(a.low & b.high, a.high, b.low); }

/* Pivot {a, b}, wings {a, z} and {b, z} in two different houses of the pivot; in one house they are a naked triplet. */
static __attribute__((noinline)) uint32_t xy_wings(LanesBoard *board, uint32_t lanes) {
  lanes_vec two[81], changed = vec_fill(0);
  find_bivalues(board, two);
  for (int cell = 0; cell < 81; cell++) {
    const lanes_vec pivot = two[cell], low = vec_lowest(pivot);
    const lane_set here = set_of(lanes) & vec_apart(pivot, vec_fill(NO_PAIR));
    if (!set_any(here)) continue;
    const int r = cell / 9, c = cell % 9, band = r / 3, stack = c / 3, corner = 27 * band + 3 * stack;
    Wings box[9], row[9], column[9], row_in[3], column_in[3]; /* row_in: of the row in a box, without the pivot's */
    UNROLL for (int k = 0; k < 9; k++) {
      box[k] = wing_of(two[corner + k / 3 * 9 + k % 3], pivot, low, here);
      row[k] = wing_of(two[9 * r + k], pivot, low, here);
      column[k] = wing_of(two[9 * k + c], pivot, low, here);
    }
    UNROLL for (int b = 0; b < 3; b++) {
      row_in[b] = wings_three(row[3 * b], row[3 * b + 1], row[3 * b + 2]);
      column_in[b] = wings_three(column[3 * b], column[3 * b + 1], column[3 * b + 2]);
    }
    row_in[stack] = column_in[band] = wings_none();
    Wings in_row = wings_three(row_in[0], row_in[1], row_in[2]);
    Wings in_column = wings_three(column_in[0], column_in[1], column_in[2]);
    Wings in_box = wings_three(wings_three(box[0], box[1], box[2]), wings_three(box[3], box[4], box[5]),
                               wings_three(box[6], box[7], box[8]));
    if (!vec_lanes(wings_meet(in_row, in_column) | wings_meet(wings_both(in_row, in_column), in_box))) continue;
    for (int o = 0; o < 3; o++) {
      if (o != r % 3) { /* a wing in another row of the box, one in the pivot's row in another box */
        Wings wing = wings_three(box[3 * o], box[3 * o + 1], box[3 * o + 2]);
        for (int b = 0; b < 3; b++) {
          lanes_vec z = wings_meet(wing, row_in[b]);
          if (b == stack || !vec_lanes(z)) continue;
          for (int k = 0; k < 3; k++) {
            changed = strike(board, 9 * r + 3 * stack + k, z, changed);
            changed = strike(board, 27 * band + 9 * o + 3 * b + k, z, changed);
          }
        }
      }
      if (o != c % 3) { /* the same with columns */
        Wings wing = wings_three(box[o], box[o + 3], box[o + 6]);
        for (int b = 0; b < 3; b++) {
          lanes_vec z = wings_meet(wing, column_in[b]);
          if (b == band || !vec_lanes(z)) continue;
          for (int k = 0; k < 3; k++) {
            changed = strike(board, 27 * band + 9 * k + c, z, changed);
            changed = strike(board, 27 * b + 9 * k + 3 * stack + o, z, changed);
          }
        }
      }
    }
    if (vec_lanes(wings_meet(in_row, in_column))) /* one in the row, one in the column: the cell opposite */
      for (int i = 0; i < 9; i++) {
        if (i / 3 == band || !vec_lanes(column[i].low | column[i].high)) continue;
        for (int j = 0; j < 9; j++)
          if (j / 3 != stack) changed = strike(board, 9 * i + j, wings_meet(row[j], column[i]), changed);
      }
  }
  return vec_lanes(changed);
}

/* The digits of a pivot of three that a wing lacks. */
INLINE lanes_vec lacking(lanes_vec cell, lanes_vec pivot, lane_set lanes) {
  return set_keep(lanes & vec_apart(cell, ~pivot), pivot & ~cell);
}
/* Pivot {a, b, z}, wing {a, z} in its box, wing {b, z} in its row (column): z is removed where row (column) and box meet. */
static __attribute__((noinline)) uint32_t xyz_wings(LanesBoard *board, uint32_t lanes) {
  lanes_vec two[81], changed = vec_fill(0);
  find_bivalues(board, two);
  for (int cell = 0; cell < 81; cell++) {
    const lanes_vec pivot = board->marks[cell];
    const lane_set here = set_of(lanes) & vec_has_three(pivot);
    if (!set_any(here)) continue;
    const int r = cell / 9, c = cell % 9, band = r / 3, stack = c / 3, corner = 27 * band + 3 * stack;
    /* what the wings lack: in the rest of the row and column; in the box off the row, off the column */
    lanes_vec line[2] = {vec_fill(0), vec_fill(0)}, box[2] = {vec_fill(0), vec_fill(0)};
    for (int k = 0; k < 9; k++) {
      if (k / 3 != stack) line[0] |= lacking(two[9 * r + k], pivot, here);
      if (k / 3 != band) line[1] |= lacking(two[9 * k + c], pivot, here);
    }
    if (!vec_lanes(line[0] | line[1])) continue;
    for (int k = 0; k < 9; k++) {
      lanes_vec lack = lacking(two[corner + k / 3 * 9 + k % 3], pivot, here);
      if (k / 3 != r % 3) box[0] |= lack;
      if (k % 3 != c % 3) box[1] |= lack;
    }
    const lanes_vec first = vec_lowest(pivot), second = vec_lowest(pivot ^ first), third = pivot ^ first ^ second;
    for (int across = 0; across < 2; across++) {
      const lanes_vec a = box[across], b = line[across];
      if (!vec_lanes(a) || !vec_lanes(b)) continue;
      const lane_set a1 = vec_meet(a, first), a2 = vec_meet(a, second), a3 = vec_meet(a, third);
      const lane_set b1 = vec_meet(b, first), b2 = vec_meet(b, second), b3 = vec_meet(b, third);
      const lanes_vec z = vec_any(set_keep((a2 & b3) | (a3 & b2), first), set_keep((a1 & b3) | (a3 & b1), second),
                                  set_keep((a1 & b2) | (a2 & b1), third));
      for (int k = 0; k < 3; k++) {
        const int target = across ? 27 * band + 9 * k + c : 9 * r + 3 * stack + k;
        if (target != cell) changed = strike(board, target, z, changed);
      }
    }
  }
  return vec_lanes(changed);
}

#endif
