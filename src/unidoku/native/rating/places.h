/* The places of one digit in the 27 houses, a vector of 9 bits each. */
#ifndef UNIDOKU_RATING_PLACES_H
#define UNIDOKU_RATING_PLACES_H

#include <stdint.h>
#include <string.h>
#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#endif

typedef uint16_t places_t __attribute__((vector_size(64)));

/* The places of a digit, from those of all digits in the order of houses. */
static inline void places_take(places_t *out, const uint16_t *all, int digit)
{
    uint16_t place[32] = {0};
    for (int house = 0; house < 27; house++)
        place[house] = all[9 * house + digit];
    memcpy(out, place, sizeof(*out));
}

/* Whether a house that has places keeps none of them in both sets. */
static inline int places_lack(const places_t *all, const places_t *one, const places_t *other)
{
    places_t left = *all & *one & *other;
#if defined(__AVX512BW__)
    __m512i now = (__m512i)left, before = (__m512i)*all;
    return (_mm512_testn_epi16_mask(now, now) & _mm512_test_epi16_mask(before, before)) != 0;
#elif defined(__AVX2__)
    const __m256i *now = (const __m256i *)&left, *before = (const __m256i *)all;
    __m256i zero = _mm256_setzero_si256();
    return !_mm256_testc_si256(_mm256_cmpeq_epi16(before[0], zero), _mm256_cmpeq_epi16(now[0], zero))
        || !_mm256_testc_si256(_mm256_cmpeq_epi16(before[1], zero), _mm256_cmpeq_epi16(now[1], zero));
#else
    places_t lacking = (places_t)((left == 0) & (*all != 0));
    uint64_t word[8], any = 0;
    memcpy(word, &lacking, sizeof(word));
    for (int k = 0; k < 8; k++)
        any |= word[k];
    return any != 0;
#endif
}

#endif
