/* On all lanes: naked and hidden pairs and triplets, X-wings and swordfish, direct hidden sets; XY-wings and XYZ-wings.
 *
 * All but the wings are the same question about nine sets: of the candidates in the cells of a house, of the places of the
 * digits of a house, or of the places of a digit in nine lines.  Of a proper puzzle, n sets whose union has n
 * elements are never within another such group unless they are its members. */
#ifndef UNIDOKU_RATING_PATTERNS_H
#define UNIDOKU_RATING_PATTERNS_H

#include "pack.h"

/* Transposes 9 x 9 bits: bit j of in[i] goes to bit i of out[j]. */
INLINE void transpose9(const lanes_vec *in, lanes_vec *out) {
  lanes_vec row[8], last = in[8] & vec_fill(0x100);
  UNROLL for (int i = 0; i < 8; i++) {
    row[i] = in[i];
    last = vec_or_both(last, in[i] >> (8 - i), vec_fill((uint16_t)(1 << i)));
  }
#define SWAP(i, j, by, bits) { lanes_vec t = ((row[i] >> by) ^ row[j]) & vec_fill(bits); row[j] ^= t; row[i] ^= t << by; }
  UNROLL for (int i = 0; i < 4; i++) SWAP(i, i + 4, 4, 0x0F)
  UNROLL for (int i = 0; i < 8; i++) if (!(i & 2)) SWAP(i, i + 2, 2, 0x33)
  UNROLL for (int i = 0; i < 8; i += 2) SWAP(i, i + 1, 1, 0x55)
#undef SWAP
  UNROLL for (int i = 0; i < 8; i++)
    out[i] = vec_or_both((in[8] << (8 - i)) & vec_fill(0x100), row[i], vec_fill(0xFF));
  out[8] = last;
}

/* The union of all pairs: two equal sets of two.  Different pairs share nothing, so adding is uniting. */
INLINE lanes_vec pairs(const lanes_vec *set, lane_set lanes) {
  lanes_vec two[9], in = vec_fill(0);
  UNROLL for (int i = 0; i < 9; i++) two[i] = set_pick(vec_has_two(set[i]), set[i], vec_fill((uint16_t)(0x8000 + i)));
  UNROLL for (int i = 0; i < 8; i++) UNROLL for (int j = i + 1; j < 9; j++)
    in = set_add(vec_same_in(lanes, two[i], two[j]), in, two[i]);
  return in;
}
/* The union of all triplets: three sets of two or three, three in all. */
INLINE lanes_vec triplets(const lanes_vec *set, lane_set lanes) {
  lanes_vec few[9], in = vec_fill(0);
  UNROLL for (int i = 0; i < 9; i++) few[i] = set_pick(vec_has_two_or_three(set[i]) & lanes, set[i], vec_fill(0xFFFF));
  UNROLL for (int i = 0; i < 7; i++) UNROLL for (int j = i + 1; j < 8; j++) {
    lanes_vec both = few[i] | few[j], own = vec_fill(0);
    UNROLL for (int k = j + 1; k < 9; k++) {
      lanes_vec all = both | few[k];
      own |= set_keep(vec_has_at_most_three(all), all);
    }
    in |= own;
  }
  return in;
}
INLINE lanes_vec groups(const lanes_vec *set, const int size, lane_set lanes) {
  return size == 2 ? pairs(set, lanes) : triplets(set, lanes);
}

/* Removes a union of groups from the sets that are not within it; the lanes that change. */
INLINE uint32_t strike_others(lanes_vec *set, lanes_vec in) {
  lanes_vec changed = vec_fill(0);
  UNROLL for (int i = 0; i < 9; i++) {
    lanes_vec left = set[i] & ~in;
    left = set_pick(vec_is_zero(left), set[i], left);
    changed = vec_or_change(changed, left, set[i]);
    set[i] = left;
  }
  return vec_lanes(changed);
}

/* Adds to `found` the digits to which a group leaves one place (the sets are places); the lanes that have any. */
INLINE uint32_t fill_others(const lanes_vec *set, lanes_vec in, lane_set lanes, lanes_vec *found) {
  lanes_vec any = vec_fill(0);
  UNROLL for (int i = 0; i < 9; i++) {
    lanes_vec left = set[i] & ~in;
    left = set_keep(vec_meet(set[i], in) & vec_has_at_most_one(left), left);
    found[i] |= set_keep(lanes, left);
    any |= left;
  }
  return vec_lanes(any);
}
/* The same for every group on its own. */
static __attribute__((noinline)) uint32_t fill_others_each(const lanes_vec *set, const int size, uint32_t lanes, lanes_vec *found) {
  uint32_t any = 0;
  for (int i = 0; i < 8; i++) for (int j = i + 1; j < 9; j++) for (int k = size > 2 ? j + 1 : j; k < (size > 2 ? 9 : j + 1); k++) {
    lanes_vec in = vec_any(set[i], set[j], set[k]);
    lane_set good = set_of(lanes) & (size > 2 ? vec_has_three(in) : vec_has_two(in));
    good = good & ~(vec_has_at_most_one(set[i]) | vec_has_at_most_one(set[j]) | vec_has_at_most_one(set[k]));
    if (set_any(good)) any |= fill_others(set, set_keep(good, in), good, found);
  }
  return any;
}
/* A direct step uses one group: where there are several, their union would conclude too much. */
INLINE uint32_t fill_direct(const lanes_vec *set, const int size, uint32_t lanes, lanes_vec *found) {
  lanes_vec in = groups(set, size, set_of(lanes));
  lane_set several = size > 2 ? ~vec_has_at_most_three(in) : ~(vec_has_at_most_one(in) | vec_has_two(in));
  uint32_t any = fill_others(set, in, ~several, found), again = any & set_lanes(several);
  if (__builtin_expect(again != 0, 0)) any = (any & ~again) | fill_others_each(set, size, again, found);
  return any;
}

INLINE void house_marks(const PackBoard *board, int house, lanes_vec *set) {
  UNROLL for (int k = 0; k < 9; k++) set[k] = board->marks[board->house[house][k]];
}
static __attribute__((noinline)) void find_places(PackBoard *board) {
  for (int house = 0; house < 27; house++) {
    lanes_vec set[9];
    house_marks(board, house, set);
    transpose9(set, board->places[house]);
  }
}
/* Removes from the cells of a house what was removed from the places of its digits. */
static __attribute__((noinline)) void take_places(PackBoard *board, int house) {
  lanes_vec set[9];
  transpose9(board->places[house], set);
  UNROLL for (int k = 0; k < 9; k++) board->marks[board->house[house][k]] &= set[k];
}

/* The following apply a technique once in some lanes and return the lanes that change. */
INLINE uint32_t naked_groups(PackBoard *board, const int size, uint32_t lanes) {
  uint32_t changed = 0;
  for (int house = 0; house < 27; house++) {
    lanes_vec set[9];
    house_marks(board, house, set);
    uint32_t here = strike_others(set, groups(set, size, set_of(lanes)));
    if (here) UNROLL for (int k = 0; k < 9; k++) board->marks[board->house[house][k]] = set[k];
    changed |= here;
  }
  return changed;
}
INLINE uint32_t hidden_groups(PackBoard *board, const int size, uint32_t lanes) {
  uint32_t changed = 0;
  for (int house = 0; house < 27; house++) {
    lanes_vec *set = board->places[house];
    uint32_t here = strike_others(set, groups(set, size, set_of(lanes)));
    if (here) take_places(board, house);
    changed |= here;
  }
  return changed;
}
INLINE uint32_t direct_groups(PackBoard *board, const int size, uint32_t lanes) {
  uint32_t changed = 0;
  for (int house = 0; house < 27; house++) {
    lanes_vec found[9], by_cell[9];
    UNROLL for (int k = 0; k < 9; k++) found[k] = vec_fill(0);
    uint32_t here = fill_direct(board->places[house], size, lanes, found);
    if (here) {
      transpose9(found, by_cell);
      UNROLL for (int k = 0; k < 9; k++) board->found[board->house[house][k]] |= by_cell[k];
    }
    changed |= here;
  }
  return changed;
}
INLINE uint32_t fish(PackBoard *board, const int size, uint32_t lanes) {
  uint32_t changed = 0;
  for (int base = 0; base < 18; base += 9) {
    uint32_t here = 0;
    for (int digit = 0; digit < 9; digit++) {
      lanes_vec set[9];
      UNROLL for (int k = 0; k < 9; k++) set[k] = board->places[base + k][digit];
      uint32_t now = strike_others(set, groups(set, size, set_of(lanes)));
      if (now) UNROLL for (int k = 0; k < 9; k++) board->places[base + k][digit] = set[k];
      here |= now;
    }
    for (int line = base; here && line < base + 9; line++) take_places(board, line);
    changed |= here;
  }
  return changed;
}
#define TECHNIQUE(name, function, size) \
  static __attribute__((noinline)) uint32_t name(PackBoard *board, uint32_t lanes) { return function(board, size, lanes); }
TECHNIQUE(naked_pairs, naked_groups, 2)
TECHNIQUE(naked_triplets, naked_groups, 3)
TECHNIQUE(hidden_pairs, hidden_groups, 2)
TECHNIQUE(hidden_triplets, hidden_groups, 3)
TECHNIQUE(direct_pairs, direct_groups, 2)
TECHNIQUE(direct_triplets, direct_groups, 3)
TECHNIQUE(x_wings, fish, 2)
TECHNIQUE(swordfish, fish, 3)
#undef TECHNIQUE

/* --- XY-wings and XYZ-wings. */

enum { NO_PAIR = 0x8000 }; /* instead of the candidates of a cell that has not two */

INLINE void find_bivalues(const PackBoard *board, lanes_vec *two) {
  for (int cell = 0; cell < 81; cell++)
    two[cell] = set_pick(vec_has_two(board->marks[cell]), board->marks[cell], vec_fill(NO_PAIR));
}
INLINE lanes_vec strike(PackBoard *board, int cell, lanes_vec digits, lanes_vec changed) {
  lanes_vec x = board->marks[cell];
  board->marks[cell] = x & ~digits;
  return vec_or_both(changed, x, digits);
}

/* Wings around a pivot, by the digit that they could remove: they do not share it with the pivot. */
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
static __attribute__((noinline)) uint32_t xy_wings(PackBoard *board, uint32_t lanes) {
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
static __attribute__((noinline)) uint32_t xyz_wings(PackBoard *board, uint32_t lanes) {
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
