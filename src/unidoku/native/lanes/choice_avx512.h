/* Which cell to guess in, AVX-512 form.  The rule is in search.pxi; all forms choose the same cell.
 *
 * Two stages over up to eight frames, so that the frames hide each other's latencies.  The first turns a
 * frame into 27-bit boards: for each third and digit the cells of the third that have the digit (words to
 * bytes by permutes, then 8 x 8 bit transposes by GFNI).  The second scores 16 listed cells at once: it
 * masks each cell's peers in each third out of its two digits' boards and counts.
 */
#ifndef UNIDOKU_CHOICE_H
#define UNIDOKU_CHOICE_H

#include "choice_cells.h"

static uint8_t bytes_thirds01[64]; /* low bytes of the cells of thirds 0 and 1, in the order the transpose wants */
static uint8_t bytes_third2[64];   /* and of third 2 */
static uint8_t board_bytes[2][64]; /* gathers a digit's four bytes after the transpose, per half register */
static uint16_t place_tags[FRAME]; /* place << 9 */
static uint32_t peers_own[32];     /* peers of a word inside its own third */
static uint32_t peers_other[32];   /* and in each of the other two */

static void choice_prepare(void) {
  for (int k = 0; k < 64; k++) {
    int word = (k & 31) ^ 7;
    bytes_thirds01[k] = (uint8_t)(2 * word + (k >= 32 ? 64 : 0));
    bytes_third2[k] = (uint8_t)(2 * word);
    board_bytes[0][k] = (uint8_t)(k / 4 % 8 + k % 4 * 8);
    board_bytes[1][k] = (uint8_t)(32 + board_bytes[0][k]);
  }
  for (int place = 0; place < FRAME; place++) place_tags[place] = (uint16_t)(place << 9);
  for (int a = 0; a < 27; a++)
    for (int b = 0; b < 27; b++) {
      peers_own[a] |= (uint32_t)places_are_peers(a, b) << b;
      peers_other[a] |= (uint32_t)places_are_peers(a, THIRD + b) << b;
    }
}

typedef struct {
  __m512i board[3];     /* per third: 27-bit boards of the nine digits */
  __m256i list;         /* the first 16 listed cells: candidates | place << 9 */
  uint32_t bivalue[3];  /* per third: the cells with two candidates */
  uint32_t narrow[3];   /* and those with three at most, which may be padding too */
  uint32_t count;       /* of listed cells */
} Choice;

INLINE void choice_boards(const uint16_t *frame, Choice *choice) {
  const __m512i third[3] = {_mm512_load_si512(frame), _mm512_load_si512(frame + THIRD), _mm512_load_si512(frame + 2 * THIRD)};
  __m512i number[3]; /* of candidates */
  uint32_t listed[3], nine[3];
  UNROLL for (int i = 0; i < 3; i++) {
    number[i] = _mm512_popcnt_epi16(third[i]);
    listed[i] = _mm512_cmpeq_epi16_mask(number[i], _mm512_set1_epi16(2)) & THIRD_CELLS;
    choice->bivalue[i] = listed[i];
    choice->narrow[i] = _mm512_cmple_epu16_mask(number[i], _mm512_set1_epi16(3));
    nine[i] = _mm512_movepi16_mask(_mm512_slli_epi16(third[i], 7));
  }
  if (__builtin_expect(!(listed[0] | listed[1] | listed[2]), 0)) {
    UNROLL for (int i = 0; i < 3; i++) listed[i] = _mm512_cmpeq_epi16_mask(number[i], _mm512_set1_epi16(3)) & THIRD_CELLS;
    if (!(listed[0] | listed[1] | listed[2]))
      UNROLL for (int i = 0; i < 3; i++) listed[i] = _mm512_cmpgt_epi16_mask(number[i], _mm512_set1_epi16(3)) & THIRD_CELLS;
  }
  __m512i list = _mm512_setzero_si512();
  uint32_t count = 0;
  UNROLL for (int i = 0; i < 3; i++) { /* those of each third after those of the previous one */
    __m512i tagged = _mm512_or_si512(third[i], _mm512_loadu_si512(place_tags + THIRD * i));
    tagged = _mm512_maskz_compress_epi16(listed[i], tagged);
    list = i ? _mm512_mask_expand_epi16(list, (uint32_t)(~0ull << count), tagged) : tagged;
    count += (uint32_t)__builtin_popcount(listed[i]);
  }
  choice->list = _mm512_castsi512_si256(list);
  choice->count = count;

  /* digits 1..8 by the transpose of the low bytes, digit 9 from bit 8 of the words */
  const __m512i identity = _mm512_set1_epi64(0x8040201008040201ll);
  __m512i thirds01 = _mm512_permutex2var_epi8(third[0], _mm512_loadu_si512(bytes_thirds01), third[1]);
  __m512i third2 = _mm512_permutexvar_epi8(_mm512_loadu_si512(bytes_third2), third[2]);
  thirds01 = _mm512_gf2p8affine_epi64_epi8(identity, thirds01, 0);
  third2 = _mm512_gf2p8affine_epi64_epi8(identity, third2, 0);
  const __m512i first = _mm512_loadu_si512(board_bytes[0]), second = _mm512_loadu_si512(board_bytes[1]);
  choice->board[0] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(first, thirds01), 0x100, (int)nine[0]);
  choice->board[1] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(second, thirds01), 0x100, (int)nine[1]);
  choice->board[2] = _mm512_mask_set1_epi32(_mm512_permutexvar_epi8(first, third2), 0x100, (int)nine[2]);
}

INLINE int choice_best(const Choice *choice) {
  const __m512i tagged = _mm512_cvtepu16_epi32(choice->list);
  const __m512i place = _mm512_srli_epi32(tagged, 9), set = _mm512_and_si512(tagged, _mm512_set1_epi32(511));
  /* lowest and highest digit */
  const __m512i below = _mm512_andnot_si512(set, _mm512_add_epi32(set, _mm512_set1_epi32(-1)));
  const __m512i low = _mm512_popcnt_epi32(below), high = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(set));
  /* the tables take the last five bits of a place; its third is in bits 14 and 15 of the tagged word */
  const __m512i own = _mm512_permutex2var_epi32(_mm512_loadu_si512(peers_own), place, _mm512_loadu_si512(peers_own + 16));
  const __m512i other = _mm512_permutex2var_epi32(_mm512_loadu_si512(peers_other), place, _mm512_loadu_si512(peers_other + 16));
  const __mmask16 in1 = _mm512_movepi32_mask(_mm512_slli_epi32(tagged, 17)), in2 = _mm512_movepi32_mask(_mm512_slli_epi32(tagged, 16));
  const __mmask16 in[3] = {(__mmask16)_knot_mask16(_kor_mask16(in1, in2)), in1, in2};
  __m512i points[2]; /* of the lowest and of the highest digit */
  UNROLL for (int k = 0; k < 2; k++) {
    const __m512i digit = k ? high : low;
    __m512i all = _mm512_setzero_si512(), three = all, two = all;
    UNROLL for (int i = 0; i < 3; i++) {
      const __m512i bivalue = _mm512_set1_epi32((int)choice->bivalue[i]), narrow = _mm512_set1_epi32((int)choice->narrow[i]);
      const __m512i peers = _mm512_mask_mov_epi32(other, in[i], own);
      const __m512i x = _mm512_and_si512(_mm512_permutexvar_epi32(digit, choice->board[i]), peers);
      all = _mm512_add_epi32(all, _mm512_popcnt_epi32(x));
      three = _mm512_add_epi32(three, _mm512_popcnt_epi32(_mm512_and_si512(x, narrow)));
      two = _mm512_add_epi32(two, _mm512_popcnt_epi32(_mm512_and_si512(x, bivalue)));
    }
    points[k] = _mm512_add_epi32(_mm512_add_epi32(all, two), _mm512_add_epi32(_mm512_slli_epi32(three, 1), _mm512_slli_epi32(two, 2)));
  }
  const __m512i score = _mm512_add_epi32(points[0], points[1]), both = _mm512_add_epi32(place, place);
  const __m512i found = _mm512_mask_add_epi32(both, _mm512_cmpgt_epi32_mask(points[1], points[0]), both, _mm512_set1_epi32(1));
  const __mmask16 there = (__mmask16)_bzhi_u32(0xFFFF, choice->count < 16 ? choice->count : 16);
  return (int)_mm512_mask_reduce_max_epu32(there, _mm512_or_si512(_mm512_slli_epi32(score, 8), found)) & 255;
}

#endif
