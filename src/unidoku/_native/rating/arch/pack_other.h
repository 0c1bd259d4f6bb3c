/* Sets of lanes elsewhere: vectors of all ones or zeros. */
#ifndef UNIDOKU_RATING_PACK_OTHER_H
#define UNIDOKU_RATING_PACK_OTHER_H

typedef lanes_vec lane_set;

INLINE lane_set set_of(uint32_t lanes) { return vec_of_lanes(lanes); }
INLINE uint32_t set_lanes(lane_set set) { return vec_lanes(set); }
INLINE int set_any(lane_set set) { return vec_lanes(set) != 0; }
INLINE lanes_vec set_keep(lane_set set, lanes_vec v) { return v & set; }
INLINE lanes_vec set_pick(lane_set set, lanes_vec a, lanes_vec b) { return (a & set) | (b & ~set); }
INLINE lanes_vec set_add(lane_set set, lanes_vec u, lanes_vec v) { return u + (v & set); }
INLINE lane_set vec_meet(lanes_vec a, lanes_vec b) { return (lanes_vec)((a & b) != 0); }
INLINE lane_set vec_apart(lanes_vec a, lanes_vec b) { return (lanes_vec)((a & b) == 0); }
INLINE lane_set vec_same(lanes_vec a, lanes_vec b) { return vec_equal(a, b); }
INLINE lane_set vec_same_in(lane_set set, lanes_vec a, lanes_vec b) { return set & vec_equal(a, b); }
/* bits are counted by taking away the lowest */
INLINE lanes_vec vec_less(lanes_vec v) { return v & (v - 1); }
INLINE lane_set vec_has_two(lanes_vec v) {
  lanes_vec rest = vec_less(v);
  return (lanes_vec)(rest != 0) & (lanes_vec)(vec_less(rest) == 0);
}
INLINE lane_set vec_has_three(lanes_vec v) { return vec_has_two(vec_less(v)); }
INLINE lane_set vec_has_at_most_three(lanes_vec v) { return (lanes_vec)(vec_less(vec_less(vec_less(v))) == 0); }
INLINE lane_set vec_has_two_or_three(lanes_vec v) { return vec_has_at_most_three(v) & (lanes_vec)(vec_less(v) != 0); }
INLINE lanes_vec vec_and_any(lanes_vec a, lanes_vec b, lanes_vec c) { return a & (b | c); }
INLINE lanes_vec vec_or_change(lanes_vec a, lanes_vec b, lanes_vec c) { return a | (b ^ c); }

#endif
