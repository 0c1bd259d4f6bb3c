/* Eight lanes, and no permutes of bytes that could read and write text at once: SSE2, NEON, any other. */
#ifndef UNIDOKU_LANES_EIGHT_H
#define UNIDOKU_LANES_EIGHT_H

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
