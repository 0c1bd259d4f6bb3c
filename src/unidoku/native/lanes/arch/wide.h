/* A lane into a frame where a choice loads whole registers: AVX-512 and AVX2. */
#ifndef UNIDOKU_LANES_WIDE_H
#define UNIDOKU_LANES_WIDE_H

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

#endif
