/* Whether an assumption about one digit leads to a contradiction, for all assumptions at once: one bit a start. */
#ifndef UNIDOKU_RATING_NISHIO_H
#define UNIDOKU_RATING_NISHIO_H

#include <stdint.h>

/* Bit c is the start "cell c on", bit 128 + c the start "cell c off". */
typedef uint64_t nishio_t __attribute__((vector_size(32)));

static inline int nishio_any(const nishio_t *set) { return ((*set)[0] | (*set)[1] | (*set)[2] | (*set)[3]) != 0; }

/* `places` are the places of the digits in the houses, `cell` the cells of the houses. */
static int nishio_contradiction(const uint16_t (*places)[9], const uint8_t (*cell)[9], int digit)
{
    nishio_t on[81], off[81], all = {0}, conflict = {0};
    uint8_t member[27 * 9];
    int begin[28], groups = 0, members = 0, changed = 1;
    for (int house = 0; house < 27; house++) {
        unsigned left = places[house][digit];
        if (!(left & (left - 1)))
            continue;
        begin[groups++] = members;
        for (; left; left &= left - 1) {
            int c = cell[house][__builtin_ctz(left)];
            member[members++] = (uint8_t)c;
            if (house < 9) { /* rows: each cell once */
                nishio_t start = {0};
                start[c >> 6] = (uint64_t)1 << (c & 63);
                on[c] = start;
                off[c] = (nishio_t){0, 0, start[0], start[1]};
                all |= on[c] | off[c];
            }
        }
    }
    begin[groups] = members;
    while (changed) {
        nishio_t more = {0};
        for (int group = 0; group < groups; group++) {
            nishio_t any = {0}, two = {0}, rest = {0}, rest_two = {0};
            for (int k = begin[group]; k < begin[group + 1]; k++) {
                two |= any & on[member[k]];
                any |= on[member[k]];
            }
            for (int k = begin[group]; k < begin[group + 1]; k++) {
                nishio_t *to = &off[member[k]];
                *to |= any & ~on[member[k]];
                nishio_t left = all & ~*to;
                rest_two |= rest & left;
                rest |= left;
            }
            conflict |= two | (all & ~rest);
            for (int k = begin[group]; k < begin[group + 1]; k++) {
                nishio_t single = rest & ~rest_two & ~off[member[k]] & ~on[member[k]];
                on[member[k]] |= single;
                more |= single;
            }
        }
        if (nishio_any(&conflict))
            return 1;
        changed = nishio_any(&more);
    }
    return 0;
}

#endif
