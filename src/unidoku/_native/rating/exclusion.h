/* Combinations of the digits of base cells that excluders forbid: a vector has a word for each digit. */
#ifndef UNIDOKU_RATING_EXCLUSION_H
#define UNIDOKU_RATING_EXCLUSION_H

#include <stdint.h>

typedef uint16_t digits_t __attribute__((vector_size(32)));

typedef struct {
    digits_t pairs;       /* for a digit the digits that make with it all candidates of an excluder */
    digits_t triplets[9]; /* for two digits the digits that make with them all candidates of an excluder */
} Forbidden;

/* Candidates of a third cell that excludes something, if all common excluders of two cells see it. */
typedef struct {
    int count;
    unsigned within[18]; /* its candidates lie in one of these sets: a digit of the two cells goes */
    unsigned meets;      /* or it has one of these candidates: that goes */
} Hopes;

#define EACH_DIGIT ((digits_t){1, 2, 4, 8, 16, 32, 64, 128, 256})

/* All bits in the words of the digits of a set. */
#define WORDS_OF_DIGITS(set) ((digits_t)((EACH_DIGIT & (uint16_t)(set)) != 0))

/* The bits of any word, and of all nine. */
static inline unsigned words_any(const digits_t *words)
{
    typedef uint64_t four_t __attribute__((vector_size(32)));
    four_t four = (four_t)*words;
    uint64_t any = four[0] | four[1] | four[2];
    any |= any >> 32;
    return (unsigned)(any | any >> 16) & 511;
}

static inline unsigned words_all(const digits_t *words)
{
    typedef uint64_t four_t __attribute__((vector_size(32)));
    four_t four = (four_t)*words;
    uint64_t all = four[0] & four[1];
    all &= all >> 32;
    return (unsigned)(all & all >> 16 & four[2]) & 511;
}

/* Collect for two cells what their combinations exclude in a third cell; `see`: 1 if they see each other. */
static inline void hope_for_thirds(const Forbidden *forbidden, unsigned one, unsigned two, unsigned see, Hopes *hopes)
{
    digits_t second = ~(digits_t){0};
    hopes->count = 0;
    hopes->meets = 511;
    for (unsigned digits = one; digits; digits &= digits - 1) {
        int x = __builtin_ctz(digits);
        unsigned out = forbidden->pairs[x], first;
        digits_t sets = forbidden->pairs | forbidden->triplets[x] | EACH_DIGIT | (uint16_t)(out | 1u << x)
            | ~WORDS_OF_DIGITS(two & ~out & ~(see << x));
        second &= sets;
        first = words_all(&sets);
        hopes->meets &= first;
        if (first & (first - 1))
            hopes->within[hopes->count++] = first;
    }
    for (; two; two &= two - 1) {
        unsigned out = second[__builtin_ctz(two)];
        if (out & (out - 1))
            hopes->within[hopes->count++] = out;
    }
}

/* The candidates of three cells that are in a combination. `see`: 1 if the first two, the first and the third, the
 * last two see each other. */
static inline void combine(const Forbidden *forbidden, const unsigned cells[3], const unsigned see[3], unsigned kept[3])
{
    digits_t all = {0}, out_of_third = forbidden->pairs | (EACH_DIGIT & (uint16_t)-see[2]);
    kept[0] = kept[1] = 0;
    for (unsigned digits = cells[0]; digits; digits &= digits - 1) {
        int x = __builtin_ctz(digits);
        unsigned out = forbidden->pairs[x], third = cells[2] & ~out & ~(see[1] << x);
        digits_t allowed = WORDS_OF_DIGITS(cells[1] & ~out & ~(see[0] << x)) & (uint16_t)third
            & ~(out_of_third | forbidden->triplets[x]);
        all |= allowed;
        kept[0] |= (unsigned)(words_any(&allowed) != 0) << x;
    }
    for (unsigned digits = cells[1]; digits; digits &= digits - 1) {
        int y = __builtin_ctz(digits);
        kept[1] |= (unsigned)(all[y] != 0) << y;
    }
    kept[2] = words_any(&all);
}

#endif
