/* AVX-512 (Ice Lake's set): 32 lanes. */
#ifndef UNIDOKU_AVX512_H
#define UNIDOKU_AVX512_H

#include "x86.h"
#include "sse4.h"

INLINE lanes_vec vec_min(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm512_min_epi16((__m512i)a, (__m512i)b); }
INLINE lanes_vec vec_max(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm512_max_epu16((__m512i)a, (__m512i)b); }
INLINE lanes_vec vec_minus(lanes_vec a, lanes_vec b) { return (lanes_vec)_mm512_subs_epu16((__m512i)a, (__m512i)b); }
INLINE uint32_t vec_lanes(lanes_vec v) { return _mm512_test_epi16_mask((__m512i)v, (__m512i)v); }
INLINE int vec_some(lanes_vec v) { return _mm512_test_epi16_mask((__m512i)v, (__m512i)v) != 0; }

/* not dpwssd, which also adds: its latency of four cycles would be on the path from one sum to the next */
INLINE pairs_vec vec_products(lanes_vec a, lanes_vec b) { return (pairs_vec)_mm512_madd_epi16((__m512i)a, (__m512i)b); }
INLINE fours_vec pairs_products(pairs_vec a, pairs_vec b) { return (fours_vec)_mm512_mul_epu32((__m512i)a, (__m512i)b); }

INLINE bytes_vec vec_bytes_min(bytes_vec a, bytes_vec b) { return (bytes_vec)_mm512_min_epu8((__m512i)a, (__m512i)b); }
INLINE bytes_vec vec_bytes_sum(bytes_vec a, bytes_vec b) { return (bytes_vec)_mm512_adds_epu8((__m512i)a, (__m512i)b); }

#endif
