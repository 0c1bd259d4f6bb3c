/* AVX-512 (Ice Lake's set): any function of three bits is one instruction. It has masks, and permutes of words and
   bytes. */
#ifndef UNIDOKU_LANES_AVX512_H
#define UNIDOKU_LANES_AVX512_H

#define FEW 10
#define AT_REST 11 /* eight are copied at a time */
#define SIMPLE_FIRST 1
#define GRIDS_FROM_LANES 0
#define ARCH_ONE "arch/one_avx512.h"

#include "shared.h"

/* --- operations ------------------------------------------------------------------------------------- */

#define VEC_TERNARY(a, b, c, table) \
  ((lanes_vec)_mm512_ternarylogic_epi32((__m512i)(a), (__m512i)(b), (__m512i)(c), table))

/* in any of three, in two at least, in one or three, in exactly one */
INLINE lanes_vec vec_any(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0xFE); }
INLINE lanes_vec vec_two(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0xE8); }
INLINE lanes_vec vec_odd(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0x96); }
INLINE lanes_vec vec_one(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0x16); }
/* a & b & c */
INLINE lanes_vec vec_all(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0x80); }
/* a | b & c */
INLINE lanes_vec vec_or_both(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0xF8); }
/* a without b, except for what is in c: a & (~b | c) */
INLINE lanes_vec vec_without(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0xB0); }
/* a & ~b & ~c */
INLINE lanes_vec vec_neither(lanes_vec a, lanes_vec b, lanes_vec c) { return VEC_TERNARY(a, b, c, 0x10); }
/* vec_after_singles below, by a mask */
INLINE lanes_vec vec_after_singles(lanes_vec cell, lanes_vec hidden, lanes_vec naked, lanes_vec single) {
  __mmask32 elsewhere = _mm512_testn_epi16_mask((__m512i)cell, (__m512i)hidden);
  lanes_vec gone = (lanes_vec)_mm512_mask_mov_epi16((__m512i)~hidden, elsewhere, (__m512i)naked);
  return VEC_TERNARY(cell, gone, single, 0xBA); /* cell & ~gone | single */
}
/* all ones in these lanes */
INLINE lanes_vec vec_of_lanes(uint32_t lanes) { return (lanes_vec)_mm512_movm_epi16(lanes); }

/* --- frames: eight lanes at a time --------------------------------------------------------------------- */

/* Transposes the 8 x 8 words in each 128 bits of eight registers. */
INLINE void transpose8(__m512i *row) {
  /* Intel has one port for 512-bit shuffles: steps of 16 and 32 bits are double shifts and blends instead */
  UNROLL for (int k = 0; k < 8; k += 2) {
    __m512i a = row[k], b = row[k + 1], c = _mm512_shldi_epi32(b, a, 16);
    row[k] = _mm512_mask_blend_epi16(0xAAAAAAAA, a, c);
    row[k + 1] = _mm512_mask_blend_epi16(0xAAAAAAAA, c, b);
  }
  UNROLL for (int k = 0; k < 8; k++)
    if (!(k & 2)) {
      __m512i a = row[k], b = row[k + 2], c = _mm512_shldi_epi64(b, a, 32);
      row[k] = _mm512_mask_blend_epi32(0xAAAA, a, c);
      row[k + 2] = _mm512_mask_blend_epi32(0xAAAA, c, b);
    }
  UNROLL for (int k = 0; k < 4; k++) {
    __m512i a = row[k], b = row[k + 4];
    row[k] = _mm512_unpacklo_epi64(a, b);
    row[k + 4] = _mm512_unpackhi_epi64(a, b);
  }
}

/* The states of `lanes` to their frames: words of the eight lanes are gathered by permutes, places 8q + j of a
 * third of all eight into quarter q of register j, and transposed. */
static __attribute__((noinline)) void frames_out(const lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  while (lanes) {
    if (!(lanes & (lanes - 1))) { /* one only, or one left */
      frame_out(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
      return;
    }
    uint64_t chosen = 0;
    uint16_t nowhere[FRAME] __attribute__((aligned(64)));
    uint16_t *to[8];
    UNROLL for (int k = 0; k < 8; k++) {
      to[k] = nowhere;
      if (lanes) {
        uint64_t lane = (uint64_t)lowest_bit(lanes);
        chosen |= lane << 8 * k;
        to[k] = frame[lane];
        lanes &= lanes - 1;
      }
    }
    const __m512i gather = _mm512_broadcast_i32x4(_mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)chosen)));
    _Pragma("GCC unroll 3") for (int base = 0; base < FRAME; base += THIRD) {
      __m512i row[8];
      UNROLL for (int j = 0; j < 8; j++) {
        row[j] = _mm512_maskz_permutexvar_epi16(0xFF, gather, (__m512i)cells[place_cell(base + j)]);
        UNROLL for (int q = 1; q < 4; q++)
          if (place_is_cell(8 * q + j))
            row[j] = _mm512_mask_permutexvar_epi16(row[j], 0xFFu << 8 * q, gather, (__m512i)cells[place_cell(base + 8 * q + j)]);
      }
      transpose8(row);
      UNROLL for (int k = 0; k < 8; k++) _mm512_store_si512(to[k] + base, row[k]);
    }
  }
}

/* The same backwards. */
static __attribute__((noinline)) void frames_in(lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  while (lanes) {
    if (!(lanes & (lanes - 1))) { /* one only, or one left */
      frame_in(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
      return;
    }
    uint32_t chosen = 0;
    const uint16_t *from[8];
    __m512i scatter = _mm512_setzero_si512(), quarter[4];
    __asm__ volatile("" ::: "memory"); /* otherwise gcc keeps all 81 cells on the stack in the loop */
    UNROLL for (int k = 0; k < 8; k++) {
      if (lanes) {
        uint32_t low = lanes & -lanes;
        from[k] = frame[lowest_bit(lanes)];
        scatter = _mm512_mask_set1_epi16(scatter, low, (short)k);
        chosen |= low;
        lanes ^= low;
      } else {
        from[k] = from[0]; /* any frame: no lane takes it */
      }
    }
    UNROLL for (int q = 0; q < 4; q++) quarter[q] = _mm512_add_epi16(scatter, _mm512_set1_epi16((short)(8 * q)));
    _Pragma("GCC unroll 3") for (int base = 0; base < FRAME; base += THIRD) {
      __m512i row[8];
      UNROLL for (int k = 0; k < 8; k++) row[k] = _mm512_load_si512(from[k] + base);
      transpose8(row);
      UNROLL for (int q = 0; q < 4; q++) UNROLL for (int j = 0; j < 8; j++)
        if (place_is_cell(8 * q + j)) {
          lanes_vec *cell = cells + place_cell(base + 8 * q + j);
          *cell = (lanes_vec)_mm512_mask_permutexvar_epi16((__m512i)*cell, chosen, quarter[q], row[j]);
        }
    }
  }
}

/* --- text ----------------------------------------------------------------------------------------------- */

static uint8_t text_of_thirds01[64], text_of_third2[64]; /* which byte of the text a place takes; padding repeats cells */
static uint8_t place_of_text[128];

/* Fills the tables; once, while the module is imported. */
static void text_prepare(void) {
  for (int k = 0; k < THIRD; k++) {
    int word = k < 27 ? k : k - 27;
    text_of_thirds01[k] = (uint8_t)place_cell(word);
    text_of_thirds01[THIRD + k] = (uint8_t)place_cell(THIRD + word);
    text_of_third2[k] = (uint8_t)place_cell(2 * THIRD + word);
  }
  for (int cell = 0; cell < 81; cell++) place_of_text[cell] = (uint8_t)cell_place(cell);
}

INLINE __m512i text_low(const uint8_t *text) { return _mm512_loadu_si512(text); }
INLINE __m512i text_high(const uint8_t *text) { return _mm512_maskz_loadu_epi8(0x1FFFF, text + 64); }

INLINE int text_has_only(const uint8_t *text, uint8_t empty) {
  const __m512i one = _mm512_set1_epi8('1'), eight = _mm512_set1_epi8(8), sign = _mm512_set1_epi8((char)empty);
  const __m512i a = text_low(text), b = text_high(text);
#define WRONG(bytes) _mm512_mask_cmpneq_epi8_mask(_mm512_cmpgt_epu8_mask(_mm512_sub_epi8(bytes, one), eight), bytes, sign)
  return !(WRONG(a) | (WRONG(b) & 0x1FFFF));
}

INLINE void frame_read(const uint8_t *text, uint8_t zero, uint16_t *frame) {
  const uint8_t first = (uint8_t)(zero + 1);
  const __m512i low = text_low(text), high = text_high(text), less = _mm512_set1_epi8((char)first);
  __m512i thirds01 = _mm512_permutex2var_epi8(low, _mm512_loadu_si512(text_of_thirds01), high);
  __m512i third2 = _mm512_permutex2var_epi8(low, _mm512_loadu_si512(text_of_third2), high);
  thirds01 = _mm512_sub_epi8(thirds01, less);
  third2 = _mm512_sub_epi8(third2, less);
  const __m512i digit[3] = {_mm512_cvtepu8_epi16(_mm512_castsi512_si256(thirds01)),
                            _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(thirds01, 1)),
                            _mm512_cvtepu8_epi16(_mm512_castsi512_si256(third2))};
  UNROLL for (int i = 0; i < 3; i++) {
    __mmask32 clue = _mm512_cmplt_epu16_mask(digit[i], _mm512_set1_epi16(9));
    _mm512_store_si512(frame + THIRD * i, _mm512_mask_sllv_epi16(_mm512_set1_epi16(0x1FF), clue, _mm512_set1_epi16(1), digit[i]));
  }
}

INLINE void frame_write(const uint16_t *frame, uint8_t zero, uint8_t *text) {
  __m256i third[3];
  UNROLL for (int i = 0; i < 3; i++) {
    __m512i below = _mm512_sub_epi16(_mm512_load_si512(frame + THIRD * i), _mm512_set1_epi16(1));
    third[i] = _mm512_cvtepi16_epi8(_mm512_add_epi16(_mm512_popcnt_epi16(below), _mm512_set1_epi16((short)(zero + 1))));
  }
  const __m512i low = _mm512_inserti64x4(_mm512_castsi256_si512(third[0]), third[1], 1), high = _mm512_castsi256_si512(third[2]);
  _mm512_storeu_si512(text, _mm512_permutex2var_epi8(low, _mm512_loadu_si512(place_of_text), high));
  _mm512_mask_storeu_epi8(text + 64, 0x1FFFF, _mm512_permutex2var_epi8(low, _mm512_loadu_si512(place_of_text + 64), high));
}

/* --- the choice ------------------------------------------------------------------------------------------ */

INLINE Cells places_with(const uint16_t *frame, int number) {
  uint64_t bits[3];
  UNROLL for (int i = 0; i < 3; i++) {
    const __m512i count = _mm512_popcnt_epi16(_mm512_load_si512(frame + THIRD * i)), wanted = _mm512_set1_epi16((short)number);
    bits[i] = (number < 4 ? _mm512_cmpeq_epi16_mask(count, wanted) : _mm512_cmpge_epi16_mask(count, wanted)) & THIRD_CELLS;
  }
  return (Cells){bits[0] | bits[1] << 32, bits[2]};
}

/* --- AVX-512: two stages over up to eight frames, so that the frames hide each other's latencies.  The first turns a
 * frame into 27-bit boards: for each third and digit the cells of the third that have the digit (words to
 * bytes by permutes, then 8 x 8 bit transposes by GFNI).  The second scores 16 listed cells at once: it
 * masks each cell's peers in each third out of its two digits' boards and counts.
 */

static uint8_t bytes_thirds01[64]; /* low bytes of the cells of thirds 0 and 1, in the order the transpose wants */
static uint8_t bytes_third2[64];   /* and of third 2 */
static uint8_t board_bytes[2][64]; /* gathers a digit's four bytes after the transpose, per half register */
static uint16_t place_tags[FRAME]; /* place << 9 */
static uint32_t peers_own[32];     /* peers of a word inside its own third */
static uint32_t peers_other[32];   /* and in each of the other two */

static __attribute__((unused)) void choice_prepare(void) {
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
  uint32_t narrow[3];   /* and those with three at most, which can also be padding */
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
  UNROLL for (int i = 0; i < 3; i++) { /* the cells of each third after the cells of the previous third */
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
    points[k] = _mm512_add_epi32(_mm512_add_epi32(all, three), _mm512_slli_epi32(two, 2));
  }
  const __m512i score = _mm512_add_epi32(points[0], points[1]), both = _mm512_add_epi32(place, place);
  const __m512i found = _mm512_mask_add_epi32(both, _mm512_cmpgt_epi32_mask(points[1], points[0]), both, _mm512_set1_epi32(1));
  const __mmask16 there = (__mmask16)_bzhi_u32(0xFFFF, choice->count < 16 ? choice->count : 16);
  return (int)_mm512_mask_reduce_max_epu32(there, _mm512_or_si512(_mm512_slli_epi32(score, 8), found)) & 255;
}

#endif
