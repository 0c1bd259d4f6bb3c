/* Which cell to guess in, AVX-512 form.  The rule stands in search.pxi; all forms choose the same cell.
 *
 * Two stages over up to eight frames, so that the frames hide each other's latencies.  The first turns a
 * frame into 27-bit boards: for each band and digit the cells of the band that have the digit (words to
 * bytes by permutes, then 8 x 8 bit transposes by GFNI).  The second scores 16 listed cells at once: it
 * masks each cell's peers in each band out of its two digits' boards and counts.
 */
#ifndef UNIDOKU_CHOICE_H
#define UNIDOKU_CHOICE_H

#include "lanes.h"

static uint8_t bytes_bands01[64]; /* low bytes of the cells of bands 0 and 1, in the order the transpose wants */
static uint8_t bytes_band2[64];   /* and of band 2, out of words 32..95 */
static uint8_t board_bytes[2][64]; /* gathers a digit's four bytes after the transpose, per half register */
static uint16_t cell_tags[FRAME]; /* cell << 9 */
static uint32_t band_peers[32];   /* peers of a cell inside its own band; bits 28..31: its column */

static void choice_prepare(void) {
  for (int k = 0; k < 64; k++) {
    int cell = (k & 31) ^ 7;
    bytes_bands01[k] = (uint8_t)(cell < 27 ? 2 * (k / 32 * 27 + cell) : 0);
    bytes_band2[k] = (uint8_t)(2 * (cell + 22));
    board_bytes[0][k] = (uint8_t)(k / 4 % 8 + k % 4 * 8);
    board_bytes[1][k] = (uint8_t)(32 + board_bytes[0][k]);
  }
  for (int cell = 0; cell < FRAME; cell++) cell_tags[cell] = (uint16_t)(cell << 9);
  for (int a = 0; a < 27; a++) {
    band_peers[a] = (uint32_t)(a % 9) << 28;
    for (int b = 0; b < 27; b++)
      if (a != b && (a / 9 == b / 9 || a % 9 == b % 9 || a % 9 / 3 == b % 9 / 3)) band_peers[a] |= 1u << b;
  }
}

typedef struct {
  __m512i board[3];    /* per band: 27-bit boards of the nine digits */
  uint32_t bivalue[3]; /* per band: the cells with two candidates */
  int count;           /* cells in the list, of which the first 16 are looked at */
  uint16_t list[FRAME]; /* candidates | cell << 9 */
} Choice;

/* 81 bits in three 32-bit words (cells 0..31, 32..63, 64..80) to three bands of 27. */
INLINE void split_bands(uint32_t *band, uint32_t w0, uint32_t w1, uint32_t w2) {
  uint64_t low = w0 | (uint64_t)w1 << 32;
  band[0] = low & 0x7FFFFFF;
  band[1] = low >> 27 & 0x7FFFFFF;
  band[2] = (uint32_t)(low >> 54) | w2 << 10;
}

INLINE void choice_boards(const uint16_t *frame, Choice *choice) {
  const __m512i w0 = _mm512_load_si512(frame), w1 = _mm512_load_si512(frame + 32), w2 = _mm512_load_si512(frame + 64);
  const __m512i n0 = _mm512_popcnt_epi16(w0), n1 = _mm512_popcnt_epi16(w1), n2 = _mm512_popcnt_epi16(w2);
  __m512i want = _mm512_set1_epi16(2);
  uint32_t k0 = _mm512_cmpeq_epi16_mask(n0, want), k1 = _mm512_cmpeq_epi16_mask(n1, want), k2 = _mm512_cmpeq_epi16_mask(n2, want);
  split_bands(choice->bivalue, k0, k1, k2);
  if (__builtin_expect(!(k0 | k1 | k2), 0)) {
    want = _mm512_set1_epi16(3);
    k0 = _mm512_cmpeq_epi16_mask(n0, want), k1 = _mm512_cmpeq_epi16_mask(n1, want), k2 = _mm512_cmpeq_epi16_mask(n2, want);
    if (!(k0 | k1 | k2))
      k0 = _mm512_cmpgt_epi16_mask(n0, want), k1 = _mm512_cmpgt_epi16_mask(n1, want), k2 = _mm512_cmpgt_epi16_mask(n2, want);
  }
  uint16_t *to = choice->list;
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi16(k0, _mm512_or_si512(w0, _mm512_loadu_si512(cell_tags))));
  to += __builtin_popcount(k0);
  if (to < choice->list + 16) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi16(k1, _mm512_or_si512(w1, _mm512_loadu_si512(cell_tags + 32))));
    to += __builtin_popcount(k1);
  }
  if (to < choice->list + 16) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi16(k2, _mm512_or_si512(w2, _mm512_loadu_si512(cell_tags + 64))));
    to += __builtin_popcount(k2);
  }
  choice->count = (int)(to - choice->list);

  /* digits 1..8 by the transpose of the low bytes, digit 9 from bit 8 of the words */
  const __m512i identity = _mm512_set1_epi64(0x8040201008040201ll), bit8 = _mm512_set1_epi16(256);
  __m512i bands01 = _mm512_maskz_permutex2var_epi8(0xE0FFFFFFE0FFFFFFull, w0, _mm512_loadu_si512(bytes_bands01), w1);
  __m512i band2 = _mm512_permutex2var_epi8(w1, _mm512_loadu_si512(bytes_band2), w2);
  bands01 = _mm512_gf2p8affine_epi64_epi8(identity, bands01, 0);
  band2 = _mm512_gf2p8affine_epi64_epi8(identity, band2, 0);
  uint32_t nine[3];
  split_bands(nine, _mm512_test_epi16_mask(w0, bit8), _mm512_test_epi16_mask(w1, bit8), _mm512_test_epi16_mask(w2, bit8));
  const __m512i first = _mm512_loadu_si512(board_bytes[0]), second = _mm512_loadu_si512(board_bytes[1]);
  choice->board[0] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(first, bands01), 0x100, (int)nine[0]);
  choice->board[1] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(second, bands01), 0x100, (int)nine[1]);
  choice->board[2] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(first, band2), 0x100, (int)nine[2]);
}

INLINE int choice_best(const Choice *choice) {
  const __m512i tagged = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)choice->list));
  const __m512i cell = _mm512_srli_epi32(tagged, 9), set = _mm512_and_si512(tagged, _mm512_set1_epi32(511));
  /* lowest and highest digit */
  const __m512i below = _mm512_andnot_si512(set, _mm512_add_epi32(set, _mm512_set1_epi32(-1)));
  const __m512i low = _mm512_popcnt_epi32(below), high = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(set));
  /* peers per band: row, column and box in the cell's own, the column's three cells in the others */
  const __m512i n27 = _mm512_set1_epi32(27);
  const __mmask16 lower = _mm512_cmpge_epu32_mask(cell, n27), lowest = _mm512_cmpge_epu32_mask(cell, _mm512_set1_epi32(54));
  __m512i in_band = _mm512_mask_sub_epi32(cell, lower, cell, n27);
  in_band = _mm512_mask_sub_epi32(in_band, lowest, in_band, n27);
  const __m512i own = _mm512_permutex2var_epi32(_mm512_loadu_si512(band_peers), in_band, _mm512_loadu_si512(band_peers + 16));
  const __m512i column = _mm512_sllv_epi32(_mm512_set1_epi32(0x40201), _mm512_srli_epi32(own, 28));
  const __m512i peers[3] = {_mm512_mask_mov_epi32(own, lower, column), _mm512_mask_mov_epi32(column, lower & ~lowest, own),
                            _mm512_mask_mov_epi32(column, lowest, own)};
  __m512i all = _mm512_setzero_si512(), two = all;
  UNROLL for (int b = 0; b < 3; b++) {
    const __m512i bivalue = _mm512_set1_epi32((int)choice->bivalue[b]);
    __m512i x = _mm512_and_si512(_mm512_permutexvar_epi32(low, choice->board[b]), peers[b]);
    __m512i y = _mm512_and_si512(_mm512_permutexvar_epi32(high, choice->board[b]), peers[b]);
    all = _mm512_add_epi32(all, _mm512_add_epi32(_mm512_popcnt_epi32(x), _mm512_popcnt_epi32(y)));
    x = _mm512_and_si512(x, bivalue);
    y = _mm512_and_si512(y, bivalue);
    two = _mm512_add_epi32(two, _mm512_add_epi32(_mm512_popcnt_epi32(x), _mm512_popcnt_epi32(y)));
  }
  const __m512i score = _mm512_add_epi32(_mm512_add_epi32(all, two), _mm512_add_epi32(two, two));
  const __mmask16 there = (__mmask16)_bzhi_u32(0xFFFF, (uint32_t)(choice->count < 16 ? choice->count : 16));
  return (int)_mm512_mask_reduce_max_epu32(there, _mm512_or_si512(_mm512_slli_epi32(score, 7), cell)) & 127;
}

/* The cell to guess in for each of `count` frames. */
static void choose_best(uint16_t *const *frame, int count, uint8_t *cell) {
  Choice choice[8];
  for (int k = 0; k < count; k += 8) {
    int some = count - k < 8 ? count - k : 8;
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++) choice_boards(frame[k + i], choice + i);
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++) cell[k + i] = (uint8_t)choice_best(choice + i);
  }
}

/* The first cell with two candidates, or 81. */
INLINE int choose_first(const uint16_t *frame) {
  for (int base = 0; base < FRAME; base += 32) {
    __m512i count = _mm512_popcnt_epi16(_mm512_load_si512(frame + base));
    uint32_t found = _mm512_cmpeq_epi16_mask(count, _mm512_set1_epi16(2));
    if (found) return base + __builtin_ctz(found);
  }
  return 81;
}

#endif
