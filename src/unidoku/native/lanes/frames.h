/* Frames: the 81 candidate sets of one lane in a row, as they stand on the lane's stack.
 *
 * Copies between the board (one vector a cell) and frames, from text to frame, from frame to digits.
 * A frame is padded to FRAME words; the words after the 81st are zero always, since the choice of a
 * guess reads whole vectors.
 */
#ifndef UNIDOKU_FRAMES_H
#define UNIDOKU_FRAMES_H

#include "lanes.h"

#define FRAME 96

static uint16_t frame_of_byte[256]; /* digit '1'..'9' minus '1' + 0..8: its set; any other byte: all nine */

/* Fills the tables; once, while the module is imported. */
static void frames_prepare(void) {
  for (int k = 0; k < 256; k++) frame_of_byte[k] = k < 9 ? (uint16_t)(1 << k) : 0x1FF;
}

/* --- one lane at a time: with few lanes a register as good as any other way ------------------------ */

INLINE void frame_out(const lanes_vec *cells, int lane, uint16_t *frame) {
  const uint16_t *from = (const uint16_t *)cells + lane;
  UNROLL_ALL for (int k = 0; k < 81; k++) frame[k] = from[k * LANES];
}
INLINE void frame_in(lanes_vec *cells, int lane, const uint16_t *frame) {
  uint16_t *to = (uint16_t *)cells + lane;
  UNROLL_ALL for (int k = 0; k < 81; k++) to[k * LANES] = frame[k];
}

#if LANES == 32
/* --- eight lanes at a time ------------------------------------------------------------------------- */

/* Transposes the 8 x 8 words in each 128 bits of eight registers. */
INLINE void transpose8(__m512i *row) {
  UNROLL for (int step = 0; step < 3; step++) {
    __m512i mixed[8];
    UNROLL for (int k = 0; k < 4; k++) {
      mixed[2 * k] = _mm512_unpacklo_epi16(row[k], row[k + 4]);
      mixed[2 * k + 1] = _mm512_unpackhi_epi16(row[k], row[k + 4]);
    }
    UNROLL for (int k = 0; k < 8; k++) row[k] = mixed[k];
  }
}

/* The states of `lanes` to their frames: words of the eight lanes are gathered by permutes, cells 8q + j
 * of all eight into quarter q of register j, and transposed. */
static __attribute__((noinline)) void frames_out(const lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  if (!(lanes & (lanes - 1))) {
    if (lanes) frame_out(cells, lane_lowest(lanes), frame[lane_lowest(lanes)]);
    return;
  }
  while (lanes) {
    uint64_t chosen = 0;
    uint16_t nowhere[FRAME] __attribute__((aligned(64)));
    uint16_t *to[8];
    UNROLL for (int k = 0; k < 8; k++) {
      to[k] = nowhere;
      if (lanes) {
        uint64_t lane = (uint64_t)lane_lowest(lanes);
        chosen |= lane << 8 * k;
        to[k] = frame[lane];
        lanes &= lanes - 1;
      }
    }
    const __m512i gather = _mm512_broadcast_i32x4(_mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)chosen)));
    _Pragma("GCC unroll 3") for (int base = 0; base < FRAME; base += 32) {
      __m512i row[8];
      UNROLL for (int j = 0; j < 8; j++) {
        row[j] = _mm512_setzero_si512();
        UNROLL for (int q = 0; q < 4; q++)
          if (base + 8 * q + j < 81)
            row[j] = _mm512_mask_permutexvar_epi16(row[j], 0xFFu << 8 * q, gather, (__m512i)cells[base + 8 * q + j]);
      }
      transpose8(row);
      UNROLL for (int k = 0; k < 8; k++) _mm512_store_si512(to[k] + base, row[k]);
    }
  }
}

/* The same backwards. */
static __attribute__((noinline)) void frames_in(lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  if (!(lanes & (lanes - 1))) {
    if (lanes) frame_in(cells, lane_lowest(lanes), frame[lane_lowest(lanes)]);
    return;
  }
  while (lanes) {
    uint32_t chosen = 0;
    const uint16_t *from[8];
    __m512i scatter = _mm512_setzero_si512(), quarter[4];
    __asm__ volatile("" ::: "memory"); /* or gcc keeps all 81 cells on the stack throughout the loop */
    UNROLL for (int k = 0; k < 8; k++) {
      if (lanes) {
        uint32_t low = lanes & -lanes;
        from[k] = frame[lane_lowest(lanes)];
        scatter = _mm512_mask_set1_epi16(scatter, low, (short)k);
        chosen |= low;
        lanes ^= low;
      } else {
        from[k] = from[0]; /* any frame: no lane takes it */
      }
    }
    UNROLL for (int q = 0; q < 4; q++) quarter[q] = _mm512_add_epi16(scatter, _mm512_set1_epi16((short)(8 * q)));
    _Pragma("GCC unroll 3") for (int base = 0; base < FRAME; base += 32) {
      __m512i row[8];
      UNROLL for (int k = 0; k < 8; k++) row[k] = _mm512_load_si512(from[k] + base);
      transpose8(row);
      UNROLL for (int q = 0; q < 4; q++) UNROLL for (int j = 0; j < 8; j++)
        if (base + 8 * q + j < 81) {
          lanes_vec *cell = cells + base + 8 * q + j;
          *cell = (lanes_vec)_mm512_mask_permutexvar_epi16((__m512i)*cell, chosen, quarter[q], row[j]);
        }
    }
  }
}

#else

static void frames_out(const lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_out(cells, lane_lowest(lanes), frame[lane_lowest(lanes)]);
}
static void frames_in(lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_in(cells, lane_lowest(lanes), frame[lane_lowest(lanes)]);
}

#endif

/* --- from 81 bytes (zero + 1 .. zero + 9: a clue, any other: empty) to a frame, and back ----------- */

INLINE void frame_read(const uint8_t *text, uint8_t zero, uint16_t *frame) {
  const uint8_t first = (uint8_t)(zero + 1);
#if LANES == 32
  const __m512i one = _mm512_set1_epi16(1);
  for (int base = 0; base < FRAME; base += 32) {
    uint32_t there = base == 64 ? 0x1FFFF : ~0u;
    __m256i bytes = _mm256_sub_epi8(_mm256_maskz_loadu_epi8(there, text + base), _mm256_set1_epi8((char)first));
    __m512i digit = _mm512_cvtepu8_epi16(bytes);
    __mmask32 clue = _mm512_cmplt_epu16_mask(digit, _mm512_set1_epi16(9));
    __m512i sets = _mm512_mask_sllv_epi16(_mm512_set1_epi16(0x1FF), clue, one, digit);
    _mm512_store_si512(frame + base, _mm512_maskz_mov_epi16(there, sets));
  }
#elif LANES == 16
  /* low and high byte of the set of digit 0..8, and of an empty cell (9) */
  const __m128i low = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, -1, -1, -1, -1, -1, -1, -1);
  const __m128i high = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  for (int base = 0; base < 80; base += 16) {
    __m128i bytes = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(text + base)), _mm_set1_epi8((char)first));
    __m128i digit = _mm_min_epu8(bytes, _mm_set1_epi8(9));
    __m128i lows = _mm_shuffle_epi8(low, digit), highs = _mm_shuffle_epi8(high, digit);
    _mm_store_si128((__m128i *)(frame + base), _mm_unpacklo_epi8(lows, highs));
    _mm_store_si128((__m128i *)(frame + base + 8), _mm_unpackhi_epi8(lows, highs));
  }
  frame[80] = frame_of_byte[(uint8_t)(text[80] - first)];
#else
  for (int k = 0; k < 81; k++) frame[k] = frame_of_byte[(uint8_t)(text[k] - first)];
#endif
}

/* Starting candidates instead of clues: bit d - 1 for digit d, higher bits are dropped. */
INLINE void frame_read_masks(const uint16_t *masks, uint16_t *frame) {
  for (int k = 0; k < 81; k++) frame[k] = masks[k] & 0x1FF;
}

/* A frame of 81 single candidates as 81 bytes zero + 1 .. zero + 9. */
INLINE void frame_write(const uint16_t *frame, uint8_t zero, uint8_t *text) {
#if LANES == 32
  for (int base = 0; base < FRAME; base += 32) {
    __m512i below = _mm512_sub_epi16(_mm512_load_si512(frame + base), _mm512_set1_epi16(1));
    __m512i digit = _mm512_add_epi16(_mm512_popcnt_epi16(below), _mm512_set1_epi16((short)(zero + 1)));
    _mm256_mask_storeu_epi8(text + base, base == 64 ? 0x1FFFF : ~0u, _mm512_cvtepi16_epi8(digit));
  }
#elif LANES == 16
  /* digit of a set by its two nibbles; digit 9 stands in the high byte */
  const __m128i low = _mm_setr_epi8(0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0);
  const __m128i high = _mm_setr_epi8(0, 5, 6, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0);
  const __m128i nibble = _mm_set1_epi8(15), byte = _mm_set1_epi16(255);
  for (int base = 0; base < 80; base += 16) {
    __m128i a = _mm_load_si128((const __m128i *)(frame + base));
    __m128i b = _mm_load_si128((const __m128i *)(frame + base + 8));
    __m128i sets = _mm_packus_epi16(_mm_and_si128(a, byte), _mm_and_si128(b, byte));
    __m128i nine = _mm_packs_epi16(_mm_cmpgt_epi16(a, byte), _mm_cmpgt_epi16(b, byte));
    __m128i digit = _mm_or_si128(_mm_shuffle_epi8(low, _mm_and_si128(sets, nibble)),
                                 _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16(sets, 4), nibble)));
    digit = _mm_or_si128(digit, _mm_and_si128(nine, _mm_set1_epi8(9)));
    _mm_storeu_si128((__m128i *)(text + base), _mm_add_epi8(digit, _mm_set1_epi8((char)zero)));
  }
  text[80] = (uint8_t)(zero + 1 + __builtin_ctz(frame[80]));
#else
  for (int k = 0; k < 81; k++) text[k] = (uint8_t)(zero + 1 + __builtin_ctz(frame[k]));
#endif
}

#endif
