/* Naked and hidden pairs and triplets, X-wings and swordfish, direct hidden sets, on all lanes.
 *
 * All of them are the same question about nine sets: of the candidates in the cells of a house, of the places of the
 * digits of a house, or of the places of a digit in nine lines.  Of a proper puzzle, n sets whose union has n
 * elements are never within another such group unless they are its members. */
#ifndef UNIDOKU_RATING_LANES_SUBSETS_H
#define UNIDOKU_RATING_LANES_SUBSETS_H

#include "lanes_round.h"

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

/* The digits (sets are places) that a group leaves one place: added to `found`; the lanes that have some. */
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

INLINE void house_marks(const LanesBoard *board, int house, lanes_vec *set) {
  UNROLL for (int k = 0; k < 9; k++) set[k] = board->marks[board->house[house][k]];
}
static __attribute__((noinline)) void find_places(LanesBoard *board) {
  for (int house = 0; house < 27; house++) {
    lanes_vec set[9];
    house_marks(board, house, set);
    transpose9(set, board->places[house]);
  }
}
/* Takes over into the cells what was removed from the places of the digits of a house. */
static __attribute__((noinline)) void take_places(LanesBoard *board, int house) {
  lanes_vec set[9];
  transpose9(board->places[house], set);
  UNROLL for (int k = 0; k < 9; k++) board->marks[board->house[house][k]] &= set[k];
}

/* The following apply a technique once in some lanes and return the lanes that change. */
INLINE uint32_t naked_groups(LanesBoard *board, const int size, uint32_t lanes) {
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
INLINE uint32_t hidden_groups(LanesBoard *board, const int size, uint32_t lanes) {
  uint32_t changed = 0;
  for (int house = 0; house < 27; house++) {
    lanes_vec *set = board->places[house];
    uint32_t here = strike_others(set, groups(set, size, set_of(lanes)));
    if (here) take_places(board, house);
    changed |= here;
  }
  return changed;
}
INLINE uint32_t direct_groups(LanesBoard *board, const int size, uint32_t lanes) {
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
INLINE uint32_t fish(LanesBoard *board, const int size, uint32_t lanes) {
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
  static __attribute__((noinline)) uint32_t name(LanesBoard *board, uint32_t lanes) { return function(board, size, lanes); }
TECHNIQUE(naked_pairs, naked_groups, 2)
TECHNIQUE(naked_triplets, naked_groups, 3)
TECHNIQUE(hidden_pairs, hidden_groups, 2)
TECHNIQUE(hidden_triplets, hidden_groups, 3)
TECHNIQUE(direct_pairs, direct_groups, 2)
TECHNIQUE(direct_triplets, direct_groups, 3)
TECHNIQUE(x_wings, fish, 2)
TECHNIQUE(swordfish, fish, 3)
#undef TECHNIQUE

#endif
