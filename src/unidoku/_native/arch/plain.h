/* Any other processor, only by the vector extensions of GCC and Clang: 8 lanes. */
#ifndef UNIDOKU_PLAIN_H
#define UNIDOKU_PLAIN_H

INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) {
  lanes_vec less = (lanes_vec)(a < b);
  return (a & less) | (b & ~less);
}
INLINE lanes_vec vec_max(lanes_vec a, lanes_vec b) {
  lanes_vec less = (lanes_vec)(a < b);
  return (b & less) | (a & ~less);
}
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (a - b) & (lanes_vec)(a > b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < LANES; lane++) lanes |= (uint32_t)(v[lane] != 0) << lane;
  return lanes;
}
INLINE int vec_some(lanes_vec v) {
  uint64_t half[2];
  memcpy(half, &v, sizeof(v));
  return (half[0] | half[1]) != 0;
}

INLINE pairs_vec vec_products(lanes_vec a, lanes_vec b) {
  pairs_vec sum = {0};
  for (int pair = 0; pair < LANES / 2; pair++)
    sum[pair] = (uint32_t)a[2 * pair] * b[2 * pair] + (uint32_t)a[2 * pair + 1] * b[2 * pair + 1];
  return sum;
}
INLINE fours_vec pairs_products(pairs_vec a, pairs_vec b) { return ((fours_vec)a & 0xFFFFFFFF) * ((fours_vec)b & 0xFFFFFFFF); }

INLINE bytes16 bytes_min(bytes16 a, bytes16 b) { return (a & (bytes16)(a < b)) | (b & ~(bytes16)(a < b)); }
INLINE bytes16 bytes_max(bytes16 a, bytes16 b) { return (b & (bytes16)(a < b)) | (a & ~(bytes16)(a < b)); }
INLINE uint32_t bytes_bits(bytes16 mask) {
  uint32_t bits = 0;
  for (int k = 0; k < 16; k++) bits |= (uint32_t)(mask[k] & 1) << k;
  return bits;
}
INLINE int bytes_greatest(bytes16 v) {
  int most = 0;
  for (int k = 0; k < 16; k++) most = v[k] > most ? v[k] : most;
  return most;
}

INLINE bytes_vec vec_bytes_min(bytes_vec a, bytes_vec b) { return bytes_min(a, b); }
INLINE bytes_vec vec_bytes_sum(bytes_vec a, bytes_vec b) { return (a + b) | (bytes_vec)((bytes_vec)(a + b) < b); }

#endif
