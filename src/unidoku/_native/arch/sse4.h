/* 16 bytes with SSE4.1: AVX-512, AVX2, and x86-64 where the flags have it. */
#ifndef UNIDOKU_SSE4_H
#define UNIDOKU_SSE4_H

#define HAS_SHUFFLE 1
INLINE bytes16 bytes_shuffle(bytes16 table, bytes16 index) {
  return (bytes16)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
}

#define HAS_BLEND 1
INLINE bytes16 bytes_choose(bytes16 mask, bytes16 a, bytes16 b) {
  return (bytes16)_mm_blendv_epi8((__m128i)b, (__m128i)a, (__m128i)mask);
}

#define HAS_LEAST 1
INLINE int bytes_least(bytes16 v) {
  __m128i word = (__m128i)v;
  return _mm_extract_epi16(_mm_minpos_epu16(_mm_min_epu8(word, _mm_srli_epi16(word, 8))), 0);
}

#endif
