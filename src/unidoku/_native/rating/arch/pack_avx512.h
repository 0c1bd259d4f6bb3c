/* Sets of lanes with AVX-512: mask registers. */
#ifndef UNIDOKU_RATING_PACK_AVX512_H
#define UNIDOKU_RATING_PACK_AVX512_H

typedef uint32_t lane_set;

INLINE lane_set set_of(uint32_t lanes) { return lanes; }
INLINE uint32_t set_lanes(lane_set set) { return set; }
INLINE int set_any(lane_set set) { return set != 0; }
/* v in these lanes, otherwise zero; a in these lanes, otherwise b */
INLINE lanes_vec set_keep(lane_set set, lanes_vec v) { return (lanes_vec)_mm512_maskz_mov_epi16(set, (__m512i)v); }
INLINE lanes_vec set_pick(lane_set set, lanes_vec a, lanes_vec b) {
  return (lanes_vec)_mm512_mask_mov_epi16((__m512i)b, set, (__m512i)a);
}
/* u with v added in these lanes */
INLINE lanes_vec set_add(lane_set set, lanes_vec u, lanes_vec v) {
  return (lanes_vec)_mm512_mask_add_epi16((__m512i)u, set, (__m512i)u, (__m512i)v);
}
/* where a and b share a bit, share none, are equal */
INLINE lane_set vec_meet(lanes_vec a, lanes_vec b) { return _mm512_test_epi16_mask((__m512i)a, (__m512i)b); }
INLINE lane_set vec_apart(lanes_vec a, lanes_vec b) { return _mm512_testn_epi16_mask((__m512i)a, (__m512i)b); }
INLINE lane_set vec_same(lanes_vec a, lanes_vec b) { return _mm512_cmpeq_epi16_mask((__m512i)a, (__m512i)b); }
/* the same as vec_same, within some lanes: without a mask operation */
INLINE lane_set vec_same_in(lane_set set, lanes_vec a, lanes_vec b) {
  return _mm512_mask_cmpeq_epi16_mask(set, (__m512i)a, (__m512i)b);
}
INLINE lanes_vec vec_count(lanes_vec v) { return (lanes_vec)_mm512_popcnt_epi16((__m512i)v); }
INLINE lane_set vec_has_two(lanes_vec v) { return vec_same(vec_count(v), vec_fill(2)); }
INLINE lane_set vec_has_three(lanes_vec v) { return vec_same(vec_count(v), vec_fill(3)); }
INLINE lane_set vec_has_two_or_three(lanes_vec v) {
  return _mm512_cmplt_epu16_mask((__m512i)(vec_count(v) - 2), (__m512i)vec_fill(2));
}
INLINE lane_set vec_has_at_most_three(lanes_vec v) {
  return _mm512_cmplt_epu16_mask((__m512i)vec_count(v), (__m512i)vec_fill(4));
}
/* a & (b | c); a | b ^ c; bits of b where c has them, else of a */
INLINE lanes_vec vec_and_any(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0xE0); }
INLINE lanes_vec vec_or_change(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0xF6); }

#endif
