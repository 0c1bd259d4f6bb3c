/* The vector type of the lanes kernel and its operations.
 *
 * A lanes_vec holds one 16-bit word for each of LANES puzzles, as many as a native register
 * holds.  Plain & | ~ + - work on it through the compilers' vector extensions.  Each function below
 * needs more than one operator, or is a single instruction on some processors.  None of them moves
 * a word from one lane to another.
 *
 * The width follows from the flags a module is compiled with: 32 lanes with AVX-512 (Ice Lake's set),
 * 16 with AVX2, 8 anywhere else.
 */
#ifndef UNIDOKU_LANES_H
#define UNIDOKU_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../bits.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#if defined(__AVX512VBMI2__) && defined(__AVX512BITALG__) && defined(__GFNI__)
#define LANES 32
#elif defined(__AVX2__)
#define LANES 16
#else
#define LANES 8
#endif
#define ALL_LANES ((uint32_t)((1ull << LANES) - 1))

/* Up to FEW puzzles are solved one after the other by the kernel for one puzzle.  A puzzle of which more than HARD
 * branches were searched is continued by all lanes.  At both limits the two kernels take the same time, measured
 * with puzzles of 17 clues and with one hard puzzle (docs/kernel.md). */
#define FEW (LANES == 32 ? 10 : LANES == 16 ? 4 : 3)
#define HARD 16
/* Lanes are served when so many of all are at rest: with AVX-512 eight are copied at a time, elsewhere each by itself. */
#define AT_REST (LANES == 32 ? 11 : LANES == 16 ? 3 : 1)

typedef uint16_t lanes_vec __attribute__((vector_size(2 * LANES)));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 9")
#define UNROLL_ALL _Pragma("GCC unroll 81")

INLINE void prefetch(const void *address) { __builtin_prefetch(address); }

/* --- every instruction set ------------------------------------------------------------------------ */

INLINE lanes_vec vec_fill(uint16_t word) { return (lanes_vec){0} + word; }
INLINE lanes_vec vec_load(const uint16_t *words) {
  lanes_vec v;
  memcpy(&v, words, sizeof(v));
  return v;
}
/* all ones where the words are equal, otherwise zero */
INLINE lanes_vec vec_equal(lanes_vec a, lanes_vec b) { return (lanes_vec)(a == b); }

/* Clang begins a step of a round before the one before it has ended.  AVX2 has 16 registers, so nearly half of all stores were of
 * values that wait.  There `vec_step` ends a step, and `vec_now` makes a value before what follows. */
#if LANES == 16 && defined(__clang__)
#define IN_STEPS 1
INLINE void vec_step(void) { __asm__ volatile("" ::: "memory"); }
INLINE lanes_vec vec_now(lanes_vec v) {
  __asm__ volatile("" : "+x"(v));
  return v;
}
#else
#define IN_STEPS 0
INLINE void vec_step(void) {}
INLINE lanes_vec vec_now(lanes_vec v) { return v; }
#endif

#if LANES == 32
/* --- AVX-512: any function of three bits is one instruction ---------------------------------------- */

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
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm512_min_epi16((__m512i)a, (__m512i)b); }
/* a - b, zero where b is larger */
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm512_subs_epu16((__m512i)a, (__m512i)b); }
/* the lanes that are not zero */
INLINE uint32_t vec_lanes(lanes_vec v) { return _mm512_test_epi16_mask((__m512i)v, (__m512i)v); }
/* all ones in these lanes */
INLINE lanes_vec vec_of_lanes(uint32_t lanes) { return (lanes_vec)_mm512_movm_epi16(lanes); }

#else
/* --- AVX2, SSE2, NEON ------------------------------------------------------------------------------- */

INLINE lanes_vec vec_any(lanes_vec a, lanes_vec b, lanes_vec c) { return a | b | c; }
INLINE lanes_vec vec_two(lanes_vec a, lanes_vec b, lanes_vec c) {
#if defined(__ARM_NEON) && defined(__aarch64__)
  return (lanes_vec)vbslq_u16((uint16x8_t)(a ^ b), (uint16x8_t)c, (uint16x8_t)a);
#else
  return (a & b) | (c & (a ^ b));
#endif
}
INLINE lanes_vec vec_odd(lanes_vec a, lanes_vec b, lanes_vec c) { return a ^ b ^ c; }
INLINE lanes_vec vec_one(lanes_vec a, lanes_vec b, lanes_vec c) { return (a ^ b ^ c) & ~(a & b); }
INLINE lanes_vec vec_all(lanes_vec a, lanes_vec b, lanes_vec c) { return a & b & c; }
INLINE lanes_vec vec_or_both(lanes_vec a, lanes_vec b, lanes_vec c) { return a | (b & c); }
INLINE lanes_vec vec_without(lanes_vec a, lanes_vec b, lanes_vec c) { return a & ~(b & ~c); }
INLINE lanes_vec vec_neither(lanes_vec a, lanes_vec b, lanes_vec c) { return a & ~(b | c); }

INLINE lanes_vec vec_of_lanes(uint32_t lanes) {
#if LANES == 16
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
#else
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128};
#endif
  return (lanes_vec)((vec_fill((uint16_t)lanes) & bits) != 0);
}

/* A cell of a box after its singles: `hidden` are the digits with one place in the box, `naked` those of its naked
 * singles, and `single` is this cell if it is one. */
INLINE lanes_vec vec_after_singles(lanes_vec cell, lanes_vec hidden, lanes_vec naked, lanes_vec single) {
  lanes_vec gone = cell & hidden;
#if LANES == 16
  gone = (lanes_vec)_mm256_sign_epi16((__m256i)~hidden, (__m256i)gone); /* zero where the second one is */
#elif defined(__ARM_NEON) && defined(__aarch64__)
  uint16x8_t here = vtstq_u16((uint16x8_t)cell, (uint16x8_t)hidden);
  gone = (lanes_vec)vbslq_u16(here, (uint16x8_t)~hidden, (uint16x8_t)naked); /* a digit is only in one of both here */
  return (cell & ~gone) | single;
#else
  gone = (lanes_vec)(gone != 0) & ~hidden;
#endif
  return (cell & ~(gone | naked)) | single;
}

#if LANES == 16
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm256_min_epi16((__m256i)a, (__m256i)b); }
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm256_subs_epu16((__m256i)a, (__m256i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  __m256i zero = _mm256_cmpeq_epi16((__m256i)v, _mm256_setzero_si256());
  __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(zero), _mm256_extracti128_si256(zero, 1));
  return ALL_LANES & ~(uint32_t)_mm_movemask_epi8(bytes);
}
#else
#if defined(__SSE2__) || defined(_M_X64)
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm_min_epi16((__m128i)a, (__m128i)b); }
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm_subs_epu16((__m128i)a, (__m128i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  __m128i zero = _mm_cmpeq_epi16((__m128i)v, _mm_setzero_si128());
  return ALL_LANES & ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(zero, zero));
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)vminq_u16((uint16x8_t)a, (uint16x8_t)b); }
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)vqsubq_u16((uint16x8_t)a, (uint16x8_t)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128};
  return vaddvq_u16((uint16x8_t)((lanes_vec)(v != 0) & bits));
}
#else
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) {
  lanes_vec less = (lanes_vec)(a < b);
  return (a & less) | (b & ~less);
}
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (a - b) & (lanes_vec)(a > b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < LANES; lane++) lanes |= (uint32_t)(v[lane] != 0) << lane;
  return lanes;
}
#endif
#endif
#endif

/* Cell where it has one candidate, otherwise zero.  With lowest candidate L, the two words are 2 L - 1 and cell - 1, and the
 * first one is larger only if L is the cell. */
INLINE lanes_vec vec_single(lanes_vec cell) { return vec_minus(cell ^ (cell - 1), cell - 1); }

/* Frames: the 81 candidate sets of one puzzle as consecutive words, the form on the stacks of the search.
 *
 * A frame holds three thirds of 32 words.  Third i holds row i of each band: word 32 i + 9 A + c is the cell in
 * row 3 A + i and column c, so that a row of the grid is nine words next to each other:
 *
 *     third 0:  row 1 . . . . . . . .  row 4 . . . . . . . .  row 7 . . . . . . . .  5 words of padding
 *     third 1:  row 2                  row 5                  row 8
 *     third 2:  row 3                  row 6                  row 9
 *
 * The number of a word is the *place* of its cell.  This is the order of the registers of the kernel for one
 * puzzle (one.h), so both kernels choose guesses by the same rule and in the same order.  The padding is
 * undefined: every reader of a frame masks it out.
 */

#define FRAME 96
#define THIRD 32             /* words of a third */
#define THIRD_CELLS 0x7FFFFFF /* bits of the 27 words that are cells */

INLINE int place_row(int place) { return place % THIRD / 9 * 3 + place / THIRD; }
INLINE int place_column(int place) { return place % THIRD % 9; }
INLINE int place_is_cell(int place) { return place % THIRD < 27; }
INLINE int place_cell(int place) { return 9 * place_row(place) + place_column(place); }
INLINE int cell_place(int cell) { return THIRD * (cell / 9 % 3) + cell / 27 * 9 + cell % 9; }
INLINE int places_are_peers(int a, int b) {
  int rows = place_row(a) == place_row(b), columns = place_column(a) == place_column(b);
  int boxes = place_row(a) / 3 == place_row(b) / 3 && place_column(a) / 3 == place_column(b) / 3;
  return a != b && (rows || columns || boxes);
}

/* A choice, the result of choice.h: twice the place of a cell, plus one if the highest of its candidates is tried
 * first, not the lowest. */
INLINE uint16_t guessed_digit(uint16_t candidates, int choice) {
  unsigned lowest = candidates & -candidates, highest = 1u << (31 - __builtin_clz(candidates));
  return (uint16_t)(lowest ^ ((lowest ^ highest) & -(unsigned)(choice & 1))); /* a branch would often be mispredicted */
}

static uint8_t cell_of_place[FRAME];
#if LANES == 32
static uint8_t text_of_thirds01[64], text_of_third2[64]; /* which byte of the text a place takes; padding repeats cells */
static uint8_t place_of_text[128];
#else
static uint16_t set_of_byte[256]; /* digit '1'..'9' minus '1' + 0..8: its set; any other byte: all nine */
#endif

/* Fills the tables; once, while the module is imported. */
static void frames_prepare(void) {
  for (int place = 0; place < FRAME; place++) cell_of_place[place] = (uint8_t)(place_is_cell(place) ? place_cell(place) : 0);
#if LANES == 32
  for (int k = 0; k < THIRD; k++) {
    int word = k < 27 ? k : k - 27;
    text_of_thirds01[k] = (uint8_t)place_cell(word);
    text_of_thirds01[THIRD + k] = (uint8_t)place_cell(THIRD + word);
    text_of_third2[k] = (uint8_t)place_cell(2 * THIRD + word);
  }
  for (int cell = 0; cell < 81; cell++) place_of_text[cell] = (uint8_t)cell_place(cell);
#else
  for (int k = 0; k < 256; k++) set_of_byte[k] = k < 9 ? (uint16_t)(1 << k) : 0x1FF;
#endif
}

typedef uint16_t eight_words __attribute__((vector_size(16)));

/* Whether each of eight sets has all digits. */
INLINE int are_full(eight_words sets) {
  uint64_t half[2];
  memcpy(half, &sets, sizeof(sets));
  return (half[0] & half[1]) == 0x01FF01FF01FF01FFull;
}

/* Whether the columns of a frame have each digit once; all boxes have.  So the last column is right if the others are. */
INLINE int columns_fit(const uint16_t *frame) {
  eight_words seen = {0};
  UNROLL for (int row = 0; row < 9; row++) {
    eight_words cells;
    memcpy(&cells, frame + cell_place(9 * row), sizeof(cells));
    seen |= cells;
  }
  return are_full(seen);
}

/* --- one lane at a time: with few lanes in a register as fast as any other way --------------------- */

INLINE void frame_out(const lanes_vec *cells, int lane, uint16_t *frame) {
  const uint16_t *from = (const uint16_t *)cells + lane;
#if LANES == 8
  UNROLL_ALL for (int k = 0; k < 81; k++) frame[cell_place(k)] = from[k * LANES];
#else
  /* eight words a store: the choice loads whole registers, which would wait for narrow stores */
  _Pragma("GCC unroll 12") for (int base = 0; base < FRAME; base += 8) {
    eight_words words = {0};
    UNROLL for (int k = 0; k < 8; k++)
      if (place_is_cell(base + k)) words[k] = from[place_cell(base + k) * LANES];
    *(eight_words *)(frame + base) = words;
  }
#endif
}
INLINE void frame_in(lanes_vec *cells, int lane, const uint16_t *frame) {
  uint16_t *to = (uint16_t *)cells + lane;
  UNROLL_ALL for (int k = 0; k < 81; k++) to[k * LANES] = frame[cell_place(k)];
}

#if LANES == 32
/* --- eight lanes at a time ------------------------------------------------------------------------- */

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

#else

static void frames_out(const lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_out(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
}
static void frames_in(lanes_vec *cells, uint32_t lanes, uint16_t *const *frame) {
  for (; lanes; lanes &= lanes - 1) frame_in(cells, lowest_bit(lanes), frame[lowest_bit(lanes)]);
}

#endif

/* --- from 81 bytes (zero + 1 .. zero + 9: a clue, any other: empty) to a frame, and back ----------- */

#if LANES == 32
INLINE __m512i text_low(const uint8_t *text) { return _mm512_loadu_si512(text); }
INLINE __m512i text_high(const uint8_t *text) { return _mm512_maskz_loadu_epi8(0x1FFFF, text + 64); }
#endif

/* Whether 81 bytes are digits and signs for an empty cell, 0 . * _ - x X ?: as all_cells() of native/text, at once.
 * A code is known by its two halves: each has a bit for every row of the ASCII table that it may be in. */
#define HIGH_HALVES 0, 0, 1, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0
#define LOW_HALVES 2, 2, 2, 2, 2, 2, 2, 2, 2 | 4 | 8, 2, 1, 0, 0, 1, 1, 2 | 4
INLINE int text_is_puzzle(const uint8_t *text) {
#if LANES == 32
  const __m512i high = _mm512_broadcast_i32x4(_mm_setr_epi8(HIGH_HALVES)), low = _mm512_broadcast_i32x4(_mm_setr_epi8(LOW_HALVES));
  const __m512i half = _mm512_set1_epi8(15), a = text_low(text), b = text_high(text);
#define WRONG(bytes) \
  _mm512_testn_epi8_mask(_mm512_shuffle_epi8(high, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), half)), \
                         _mm512_shuffle_epi8(low, _mm512_and_si512(bytes, half)))
  return !(WRONG(a) | (WRONG(b) & 0x1FFFF));
#elif LANES == 16
  const __m256i high = _mm256_broadcastsi128_si256(_mm_setr_epi8(HIGH_HALVES)), low = _mm256_broadcastsi128_si256(_mm_setr_epi8(LOW_HALVES));
  const __m256i half = _mm256_set1_epi8(15);
  __m256i wrong = _mm256_setzero_si256();
  UNROLL for (int k = 0; k < 3; k++) { /* bytes 0..31, 32..63, 49..80 */
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + (k < 2 ? 32 * k : 49)));
    __m256i rows = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half));
    __m256i fits = _mm256_and_si256(rows, _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, half)));
    wrong = _mm256_or_si256(wrong, _mm256_cmpeq_epi8(fits, _mm256_setzero_si256()));
  }
  return _mm256_testz_si256(wrong, wrong);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  static const uint8_t halves[2][16] = {{HIGH_HALVES}, {LOW_HALVES}};
  const uint8x16_t high = vld1q_u8(halves[0]), low = vld1q_u8(halves[1]);
  uint8x16_t fits = vdupq_n_u8(255);
  UNROLL for (int k = 0; k < 6; k++) { /* the last bytes are 65..80 */
    uint8x16_t bytes = vld1q_u8(text + (k < 5 ? 16 * k : 65));
    uint8x16_t rows = vqtbl1q_u8(high, vshrq_n_u8(bytes, 4)), columns = vqtbl1q_u8(low, vandq_u8(bytes, vdupq_n_u8(15)));
    fits = vandq_u8(fits, vtstq_u8(rows, columns));
  }
  return vminvq_u8(fits) != 0;
#else
  static const uint8_t high[16] = {HIGH_HALVES}, low[16] = {LOW_HALVES};
  int wrong = 0;
  for (int k = 0; k < 81; k++) wrong |= !(high[text[k] >> 4] & low[text[k] & 15]);
  return !wrong;
#endif
}

/* Whether 81 bytes are numbers from 0 to 9. */
INLINE int numbers_are_puzzle(const uint8_t *numbers) {
  const uint64_t ones = 0x0101010101010101ull;
  uint64_t wrong = numbers[80] > 9;
  for (int k = 0; k < 80; k += 8) {
    uint64_t eight;
    memcpy(&eight, numbers + k, 8);
    wrong |= (eight | (eight + 0x76 * ones)) & 0x80 * ones; /* 10 and more reach the highest bit */
  }
  return !wrong;
}

INLINE void frame_read(const uint8_t *text, uint8_t zero, uint16_t *frame) {
  const uint8_t first = (uint8_t)(zero + 1);
#if LANES == 32
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
#elif LANES == 16
  /* low and high byte of the set of digit 0..8, and of an empty cell (9) */
  const __m128i low = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, -1, -1, -1, -1, -1, -1, -1);
  const __m128i high = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  UNROLL for (int row = 0; row < 9; row++) {
    /* Reads the row's 9 bytes and more, of the last row those before it; writes 12 words.  The next row of the third
     * overwrites the last three; behind a third they are padding. */
    uint16_t *to = frame + cell_place(9 * row);
    __m128i bytes = _mm_loadu_si128((const __m128i *)(text + (row < 8 ? 9 * row : 65)));
    if (row == 8) bytes = _mm_srli_si128(bytes, 7);
    bytes = _mm_sub_epi8(bytes, _mm_set1_epi8((char)first));
    __m128i digit = _mm_min_epu8(bytes, _mm_set1_epi8(9));
    __m128i lows = _mm_shuffle_epi8(low, digit), highs = _mm_shuffle_epi8(high, digit);
    _mm_storeu_si128((__m128i *)to, _mm_unpacklo_epi8(lows, highs));
    _mm_storel_epi64((__m128i *)(to + 8), _mm_unpackhi_epi8(lows, highs));
  }
#else
  UNROLL for (int row = 0; row < 9; row++)
    UNROLL for (int c = 0; c < 9; c++) frame[cell_place(9 * row) + c] = set_of_byte[(uint8_t)(text[9 * row + c] - first)];
#endif
}

#if LANES == 16
/* Sixteen sets of one digit as bytes: zero plus the digit. */
INLINE __m128i digits_of(__m128i a, __m128i b, uint8_t zero) {
  /* by the two nibbles; digit 9 is in the high byte */
  const __m128i low = _mm_setr_epi8(0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0);
  const __m128i high = _mm_setr_epi8(0, 5, 6, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0);
  const __m128i nibble = _mm_set1_epi8(15), byte = _mm_set1_epi16(255);
  __m128i sets = _mm_packus_epi16(_mm_and_si128(a, byte), _mm_and_si128(b, byte));
  __m128i nine = _mm_packs_epi16(_mm_cmpgt_epi16(a, byte), _mm_cmpgt_epi16(b, byte));
  __m128i digit = _mm_or_si128(_mm_shuffle_epi8(low, _mm_and_si128(sets, nibble)),
                               _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16(sets, 4), nibble)));
  digit = _mm_or_si128(digit, _mm_and_si128(nine, _mm_set1_epi8(9)));
  return _mm_add_epi8(digit, _mm_set1_epi8((char)zero));
}
#endif

/* A frame of 81 single candidates as 81 bytes zero + 1 .. zero + 9. */
INLINE void frame_write(const uint16_t *frame, uint8_t zero, uint8_t *text) {
#if LANES == 32
  __m256i third[3];
  UNROLL for (int i = 0; i < 3; i++) {
    __m512i below = _mm512_sub_epi16(_mm512_load_si512(frame + THIRD * i), _mm512_set1_epi16(1));
    third[i] = _mm512_cvtepi16_epi8(_mm512_add_epi16(_mm512_popcnt_epi16(below), _mm512_set1_epi16((short)(zero + 1))));
  }
  const __m512i low = _mm512_inserti64x4(_mm512_castsi256_si512(third[0]), third[1], 1), high = _mm512_castsi256_si512(third[2]);
  _mm512_storeu_si512(text, _mm512_permutex2var_epi8(low, _mm512_loadu_si512(place_of_text), high));
  _mm512_mask_storeu_epi8(text + 64, 0x1FFFF, _mm512_permutex2var_epi8(low, _mm512_loadu_si512(place_of_text + 64), high));
#elif LANES == 16
  __m128i bytes[6]; /* 16 of a third's 27 digits and the others, for each third */
  UNROLL for (int k = 0; k < 6; k++) {
    const __m128i *words = (const __m128i *)(frame + 16 * k);
    bytes[k] = digits_of(words[0], words[1], zero);
  }
  /* each row by a store of 16 bytes, of which the next row overwrites the last ones; nothing is behind the last row */
  UNROLL for (int i = 0; i < 3; i++) _mm_storeu_si128((__m128i *)(text + 9 * i), bytes[2 * i]);
  UNROLL for (int i = 0; i < 3; i++)
    _mm_storeu_si128((__m128i *)(text + 27 + 9 * i), _mm_alignr_epi8(bytes[2 * i + 1], bytes[2 * i], 9));
  UNROLL for (int i = 0; i < 2; i++) _mm_storeu_si128((__m128i *)(text + 54 + 9 * i), _mm_srli_si128(bytes[2 * i + 1], 2));
  _mm_storel_epi64((__m128i *)(text + 72), _mm_srli_si128(bytes[5], 2));
  text[80] = (uint8_t)_mm_extract_epi8(bytes[5], 10);
#else
  UNROLL for (int row = 0; row < 9; row++)
    UNROLL for (int c = 0; c < 9; c++) text[9 * row + c] = (uint8_t)(zero + 1 + __builtin_ctz(frame[cell_place(9 * row) + c]));
#endif
}

/* The full grid of a lane as 81 bytes zero + 1 .. zero + 9; 0 if a column lacks a digit.  All boxes have each digit once, so
 * the last column is right if the others are.  With AVX2 the grid is read from the lane, elsewhere from its frame. */
#if LANES == 16
INLINE int grid_write(const lanes_vec *cells, int lane, const uint16_t *frame, uint8_t zero, uint8_t *text) {
  (void)frame;
  const uint16_t *from = (const uint16_t *)cells + lane;
  eight_words row[9], seen = {0};
  UNROLL for (int i = 0; i < 9; i++) {
    eight_words words = {0};
    UNROLL for (int k = 0; k < 8; k++) words[k] = from[(9 * i + k) * LANES];
    row[i] = words;
    seen |= words;
  }
  UNROLL for (int i = 0; i < 9; i += 2) { /* two rows at once; the last one alone */
    const __m128i digits = digits_of((__m128i)row[i], (__m128i)row[i < 8 ? i + 1 : i], zero);
    _mm_storel_epi64((__m128i *)(text + 9 * i), digits);
    if (i < 8) _mm_storel_epi64((__m128i *)(text + 9 * i + 9), _mm_unpackhi_epi64(digits, digits));
  }
  UNROLL for (int i = 8; i < 81; i += 9) text[i] = (uint8_t)(zero + 1 + __builtin_ctz(from[i * LANES]));
  return are_full(seen);
}
#else
INLINE int grid_write(const lanes_vec *cells, int lane, const uint16_t *frame, uint8_t zero, uint8_t *text) {
  (void)cells, (void)lane;
  if (!columns_fit(frame)) return 0;
  frame_write(frame, zero, text);
  return 1;
}
#endif

#include "choice.h"

#endif
