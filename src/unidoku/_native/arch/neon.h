/* NEON of 64-bit ARM: 8 lanes. */
#ifndef UNIDOKU_NEON_H
#define UNIDOKU_NEON_H

#include <arm_neon.h>

INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)vminq_u16((uint16x8_t)a, (uint16x8_t)b); }
INLINE lanes_vec vec_max(lanes_vec a, lanes_vec b) { return (lanes_vec)vmaxq_u16((uint16x8_t)a, (uint16x8_t)b); }
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)vqsubq_u16((uint16x8_t)a, (uint16x8_t)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128};
  return vaddvq_u16((uint16x8_t)((lanes_vec)(v != 0) & bits));
}
INLINE int vec_some(lanes_vec v) { return vmaxvq_u16((uint16x8_t)v) != 0; }

INLINE pairs_vec vec_products(lanes_vec a, lanes_vec b) {
  uint32x4_t low = vmull_u16(vget_low_u16((uint16x8_t)a), vget_low_u16((uint16x8_t)b));
  uint32x4_t high = vmull_high_u16((uint16x8_t)a, (uint16x8_t)b);
  return (pairs_vec)vpaddq_u32(low, high);
}
INLINE fours_vec pairs_products(pairs_vec a, pairs_vec b) {
  return (fours_vec)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
}

INLINE bytes_vec vec_bytes_min(bytes_vec a, bytes_vec b) { return (bytes_vec)vminq_u8((uint8x16_t)a, (uint8x16_t)b); }
INLINE bytes_vec vec_bytes_sum(bytes_vec a, bytes_vec b) { return (bytes_vec)vqaddq_u8((uint8x16_t)a, (uint8x16_t)b); }

INLINE bytes16 bytes_min(bytes16 a, bytes16 b) { return (bytes16)vminq_u8((uint8x16_t)a, (uint8x16_t)b); }
INLINE bytes16 bytes_max(bytes16 a, bytes16 b) { return (bytes16)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b); }
INLINE uint32_t bytes_bits(bytes16 mask) {
  const bytes16 bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t each = (uint8x16_t)(mask & bits);
  return vaddv_u8(vget_low_u8(each)) | (uint32_t)vaddv_u8(vget_high_u8(each)) << 8;
}
INLINE int bytes_greatest(bytes16 v) { return vmaxvq_u8((uint8x16_t)v); }

#define HAS_LEAST 1
INLINE int bytes_least(bytes16 v) { return vminvq_u8((uint8x16_t)v); }

#define HAS_SHUFFLE 1
INLINE bytes16 bytes_shuffle(bytes16 table, bytes16 index) {
  return (bytes16)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)index);
}

#endif
