/* The vector types and operations of the counting kernel.
 *
 * A count_vec holds one 16-bit number for each of COUNT_LANES configurations of a stack.  Two adjacent lanes belong to
 * configurations with the same partition in the first band, so a product of two vectors is summed in pairs: a
 * count_sum holds one 32-bit sum for each pair, and a count_total two vectors of 64-bit sums, one for even and one for
 * odd pairs.
 */
#ifndef UNIDOKU_COUNT_H
#define UNIDOKU_COUNT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#if defined(__AVX512BW__) && defined(__AVX512VNNI__)
#define COUNT_LANES 32
#elif defined(__AVX2__)
#define COUNT_LANES 16
#else
#define COUNT_LANES 8
#endif
#define COUNT_PAIRS (COUNT_LANES / 2)

typedef uint16_t count_vec __attribute__((vector_size(2 * COUNT_LANES)));
typedef uint32_t count_sum __attribute__((vector_size(2 * COUNT_LANES)));
typedef uint64_t count_wide __attribute__((vector_size(2 * COUNT_LANES)));

typedef struct {
  count_wide even, odd; /* pairs 0, 2, 4 … and 1, 3, 5 … */
} count_total;

#define INLINE static inline __attribute__((always_inline))

INLINE count_vec vec_zero(void) { return (count_vec){0}; }
INLINE count_sum sum_zero(void) { return (count_sum){0}; }

/* sum + a[0] * b[0] + a[1] * b[1], and so on for each pair; numbers are below 2^15 */
INLINE count_sum sum_products(count_sum sum, count_vec a, count_vec b) {
#if COUNT_LANES == 32
  /* not dpwssd: its latency of four cycles would be on the path from one sum to the next */
  return sum + (count_sum)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif COUNT_LANES == 16
  return sum + (count_sum)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__) || defined(_M_X64)
  return sum + (count_sum)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  uint32x4_t low = vmull_u16(vget_low_u16((uint16x8_t)a), vget_low_u16((uint16x8_t)b));
  uint32x4_t high = vmull_high_u16((uint16x8_t)a, (uint16x8_t)b);
  return sum + (count_sum)vpaddq_u32(low, high);
#else
  for (int pair = 0; pair < COUNT_PAIRS; pair++)
    sum[pair] += (uint32_t)a[2 * pair] * b[2 * pair] + (uint32_t)a[2 * pair + 1] * b[2 * pair + 1];
  return sum;
#endif
}

/* 64-bit products of the even numbers of 32 bits; of the odd ones after a shift */
INLINE count_wide wide_products(count_sum a, count_sum b) {
#if COUNT_LANES == 32
  return (count_wide)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif COUNT_LANES == 16
  return (count_wide)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__) || defined(_M_X64)
  return (count_wide)_mm_mul_epu32((__m128i)a, (__m128i)b);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  return (count_wide)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
#else
  return ((count_wide)a & 0xFFFFFFFF) * ((count_wide)b & 0xFFFFFFFF);
#endif
}
INLINE count_sum odd_numbers(count_sum v) { return (count_sum)((count_wide)v >> 32); }

/* total += sum * first * weight, pair by pair; `first` is the same in both lanes of a pair */
INLINE void total_add(count_total *total, count_sum sum, count_vec first, uint32_t weight) {
  count_sum factor = ((count_sum)first & 0xFFFF) * weight;
  total->even += wide_products(sum, factor);
  total->odd += wide_products(odd_numbers(sum), odd_numbers(factor));
}
INLINE uint64_t total_of_pair(const count_total *total, int pair) {
  return pair % 2 ? total->odd[pair / 2] : total->even[pair / 2];
}

INLINE count_vec vec_max(count_vec a, count_vec b) {
#if COUNT_LANES == 32
  return (count_vec)_mm512_max_epu16((__m512i)a, (__m512i)b);
#elif COUNT_LANES == 16
  return (count_vec)_mm256_max_epu16((__m256i)a, (__m256i)b);
#else
  count_vec less = (count_vec)(a < b);
  return (b & less) | (a & ~less);
#endif
}
INLINE int vec_any_lane(count_vec v) {
#if COUNT_LANES == 32
  return _mm512_test_epi16_mask((__m512i)v, (__m512i)v) != 0;
#elif COUNT_LANES == 16
  return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
  uint64_t half[2];
  memcpy(half, &v, sizeof half);
  return (half[0] | half[1]) != 0;
#endif
}

#endif
