/* The vector type of the lanes kernel and its vocabulary.
 *
 * A lanes_vec holds one 16-bit word for each of LANES puzzles, as many as a native register
 * holds.  Plain & | ~ + - work on it through the compilers' vector extensions.  The functions below are those
 * that need more than one operator, or that are a single instruction on some processors.  None of them moves
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

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
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

typedef uint16_t lanes_vec __attribute__((vector_size(2 * LANES)));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 9")
#define UNROLL_ALL _Pragma("GCC unroll 81")

/* --- sets of lanes: one bit each ------------------------------------------------------------------ */

INLINE int lane_lowest(uint32_t lanes) { return __builtin_ctz(lanes); }
INLINE int lane_count(uint32_t lanes) { return __builtin_popcount(lanes); }

INLINE void prefetch(const void *address) { __builtin_prefetch(address); }

/* --- every instruction set ------------------------------------------------------------------------ */

INLINE lanes_vec vec_fill(uint16_t word) { return (lanes_vec){0} + word; }
/* all ones where the words are equal, else zero */
INLINE lanes_vec vec_equal(lanes_vec a, lanes_vec b) { return (lanes_vec)(a == b); }

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
/* first, or second in the lanes where first is zero */
INLINE lanes_vec vec_prefer(lanes_vec first, lanes_vec second) {
  __mmask32 none = _mm512_testn_epi16_mask((__m512i)first, (__m512i)first);
  return (lanes_vec)_mm512_mask_mov_epi16((__m512i)first, none, (__m512i)second);
}
/* cell where it has one candidate at most, else zero */
INLINE lanes_vec vec_single(lanes_vec cell) {
  __mmask32 single = _mm512_testn_epi16_mask((__m512i)cell, (__m512i)(cell - 1));
  return (lanes_vec)_mm512_maskz_mov_epi16(single, (__m512i)cell);
}
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm512_min_epi16((__m512i)a, (__m512i)b); }
/* the lanes that are not zero */
INLINE uint32_t vec_lanes(lanes_vec v) { return _mm512_test_epi16_mask((__m512i)v, (__m512i)v); }
/* all ones in these lanes */
INLINE lanes_vec vec_of_lanes(uint32_t lanes) { return (lanes_vec)_mm512_movm_epi16(lanes); }

#else
/* --- AVX2, SSE2, NEON, WebAssembly ----------------------------------------------------------------- */

INLINE lanes_vec vec_any(lanes_vec a, lanes_vec b, lanes_vec c) { return a | b | c; }
INLINE lanes_vec vec_two(lanes_vec a, lanes_vec b, lanes_vec c) { return (a & b) | (c & (a ^ b)); }
INLINE lanes_vec vec_odd(lanes_vec a, lanes_vec b, lanes_vec c) { return a ^ b ^ c; }
INLINE lanes_vec vec_one(lanes_vec a, lanes_vec b, lanes_vec c) { return (a ^ b ^ c) & ~(a & b); }
INLINE lanes_vec vec_all(lanes_vec a, lanes_vec b, lanes_vec c) { return a & b & c; }
INLINE lanes_vec vec_or_both(lanes_vec a, lanes_vec b, lanes_vec c) { return a | (b & c); }
INLINE lanes_vec vec_without(lanes_vec a, lanes_vec b, lanes_vec c) { return a & ~(b & ~c); }
INLINE lanes_vec vec_neither(lanes_vec a, lanes_vec b, lanes_vec c) { return a & ~(b | c); }
INLINE lanes_vec vec_single(lanes_vec cell) { return cell & (lanes_vec)((cell & (cell - 1)) == 0); }

INLINE lanes_vec vec_of_lanes(uint32_t lanes) {
#if LANES == 16
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
#else
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128};
#endif
  return (lanes_vec)((vec_fill((uint16_t)lanes) & bits) != 0);
}

#if LANES == 16
/* `first` is part of `second` wherever this is used; zero minus one is the largest word.  A blend would be shorter, but is
 * three operations on newer Intel processors, and vec_single needs the word minus one as well. */
INLINE lanes_vec vec_prefer(lanes_vec first, lanes_vec second) {
  return (lanes_vec)_mm256_min_epu16((__m256i)(first - 1), (__m256i)(second - 1)) + 1;
}
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm256_min_epi16((__m256i)a, (__m256i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  __m256i zero = _mm256_cmpeq_epi16((__m256i)v, _mm256_setzero_si256());
  __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(zero), _mm256_extracti128_si256(zero, 1));
  return ALL_LANES & ~(uint32_t)_mm_movemask_epi8(bytes);
}
#else
/* `first` is part of `second` wherever this is used, so no blend is needed */
INLINE lanes_vec vec_prefer(lanes_vec first, lanes_vec second) { return second & ((lanes_vec)(first == 0) | first); }
#if defined(__SSE2__) || defined(_M_X64)
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm_min_epi16((__m128i)a, (__m128i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  __m128i zero = _mm_cmpeq_epi16((__m128i)v, _mm_setzero_si128());
  return ALL_LANES & ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(zero, zero));
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)vminq_u16((uint16x8_t)a, (uint16x8_t)b); }
INLINE uint32_t vec_lanes(lanes_vec v) {
  const lanes_vec bits = {1, 2, 4, 8, 16, 32, 64, 128};
  return vaddvq_u16((uint16x8_t)((lanes_vec)(v != 0) & bits));
}
#elif defined(__wasm_simd128__)
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)wasm_u16x8_min((v128_t)a, (v128_t)b); }
INLINE uint32_t vec_lanes(lanes_vec v) { return wasm_i16x8_bitmask((v128_t)(v != 0)); }
#else
INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) {
  lanes_vec less = (lanes_vec)(a < b);
  return (a & less) | (b & ~less);
}
INLINE uint32_t vec_lanes(lanes_vec v) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < LANES; lane++) lanes |= (uint32_t)(v[lane] != 0) << lane;
  return lanes;
}
#endif
#endif
#endif

#include "frames.h"
#if LANES == 32
#include "choice_avx512.h"
#elif LANES == 16
#include "choice_avx2.h"
#else
#include "choice_base.h"
#endif

#if LANES > 8
/* The guess for one frame. */
INLINE int choose_one(const uint16_t *frame) {
  Choice choice;
  choice_boards(frame, &choice);
  return choice_best(&choice);
}

/* The guess for each of `count` frames. */
static void choose_best(uint16_t *const *frame, int count, uint8_t *choices) {
  Choice choice[8];
  for (int k = 0; k < count; k += 8) {
    int some = count - k < 8 ? count - k : 8;
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++) choice_boards(frame[k + i], choice + i);
    _Pragma("GCC unroll 1") for (int i = 0; i < some; i++)
      choices[k + i] = (uint8_t)choice_best(choice + i);
  }
}
#endif

#endif
