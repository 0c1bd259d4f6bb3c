/* 16 bytes on any x86-64. */
#ifndef UNIDOKU_X86_H
#define UNIDOKU_X86_H

#if defined(__AVX2__)
#include <immintrin.h>
#else
#include <smmintrin.h> /* a tenth of the time of all */
#endif

INLINE bytes16 bytes_min(bytes16 a, bytes16 b) { return (bytes16)_mm_min_epu8((__m128i)a, (__m128i)b); }
INLINE bytes16 bytes_max(bytes16 a, bytes16 b) { return (bytes16)_mm_max_epu8((__m128i)a, (__m128i)b); }
INLINE uint32_t bytes_bits(bytes16 mask) { return (uint32_t)_mm_movemask_epi8((__m128i)mask); }
INLINE int bytes_greatest(bytes16 v) {
  v = bytes_max(v, (bytes16)_mm_srli_si128((__m128i)v, 8));
  v = bytes_max(v, (bytes16)_mm_srli_si128((__m128i)v, 4));
  v = bytes_max(v, (bytes16)_mm_srli_si128((__m128i)v, 2));
  v = bytes_max(v, (bytes16)_mm_srli_si128((__m128i)v, 1));
  return v[0];
}

#endif
