/* What every assumption reaches over chains with one start, for all assumptions at once: one bit a start.
 *
 * Bit s of a set is the start "candidate s on", bit 256 * blocks + s the start "candidate s off".
 *
 * The graph of implications is its own contrapositive. So a start implies its own negation over 2 k + 1 links when k
 * is the first layer with a conflict: two "on" in a cell or house, or both ends of a strong link "off".
 */
#ifndef UNIDOKU_RATING_REACH_H
#define UNIDOKU_RATING_REACH_H

#include <stdint.h>
#include <string.h>

#include "ancestors.h"

#define REACH_MOST 729
#define REACH_NEVER 255

typedef struct {
    ancestors_t on[3 * REACH_MOST];  /* for each candidate the starts that turn it on */
    ancestors_t off[3 * REACH_MOST];
    int n, blocks;
    int groups, cells;               /* cells and houses of a digit with two candidates or more; cells come first */
    int pairs, cell_pairs;           /* those with exactly two; cells come first */
    uint16_t begin[81 + 243 + 1];
    uint16_t member[4 * REACH_MOST];
    uint16_t pair[81 + 243][2];
    uint8_t house[81 + 243];         /* of a group that is no cell */
    int complete;                    /* everything that the starts of this board reach is found, no conflicts */
    uint8_t cell_matters[81];        /* set by reach_filter */
    uint8_t house_matters[27][9];
    uint64_t lengths[REACH_MOST];    /* bit n / 2: a cycle of n nodes from this start may remove something */
    ancestors_t link_on[2 * REACH_MOST]; /* as on and off, for the work of reach_lengths */
    ancestors_t link_off[2 * REACH_MOST];
    ancestors_t before[2 * REACH_MOST];
    ancestors_t ends[2 * REACH_MOST];
    uint8_t layer[2][REACH_MOST];    /* the first layer with a conflict, of starts that are off, on */
} Reach;

static inline __attribute__((always_inline)) int reach_note(Reach *reach, ancestors_t *known, const ancestors_t *conflict,
                                                            int layer_on, int layer_off, const int blocks)
{
    int first = REACH_NEVER;
    for (int word = 0; word < 8 * blocks; word++) {
        uint64_t left = ((const uint64_t *)conflict)[word] & ~((uint64_t *)known)[word];
        ((uint64_t *)known)[word] |= left;
        int on = word < 4 * blocks, layer = on ? layer_on : layer_off;
        while (left) {
            int start = 64 * word + __builtin_ctzll(left) - (on ? 0 : 256 * blocks);
            reach->layer[on][start] = (uint8_t)layer;
            if (layer < first)
                first = layer;
            left &= left - 1;
        }
    }
    return first;
}

/* Run up to layer `most`, and no further than `window[first]` after a first conflict; most < REACH_NEVER.
 * Weak links are those of the groups from first_group on, strong links those of the pairs first_pair to last_pair.
 * The first layer with a conflict, or REACH_NEVER.
 */
static inline __attribute__((always_inline)) int reach_blocks(Reach *reach, int first_group, int first_pair, int last_pair,
                                                              int most, const uint8_t *window, const int blocks)
{
    int n = reach->n, first = REACH_NEVER;
    ancestors_t known[3], conflict[3];
    ancestors_clear(known, blocks);
    memset(reach->on, 0, sizeof(ancestors_t) * blocks * n);
    memset(reach->off, 0, sizeof(ancestors_t) * blocks * n);
    memset(reach->layer, REACH_NEVER, sizeof(reach->layer));
    for (int start = 0; start < n; start++) {
        ancestors_add(&reach->on[blocks * start], start);
        ancestors_add(&reach->off[blocks * start], 256 * blocks + start);
    }
    for (int layer = 0; layer <= most; layer += 2) {
        /* strong links: layer `layer` of starts that are on, the next one of starts that are off */
        ancestors_t changed[3];
        ancestors_clear(changed, blocks);
        for (int pair = first_pair; pair < last_pair; pair++) {
            int a = blocks * reach->pair[pair][0], b = blocks * reach->pair[pair][1];
            for (int block = 0; block < blocks; block++) {
                ancestors_t to_a = reach->off[b + block] & ~reach->on[a + block];
                ancestors_t to_b = reach->off[a + block] & ~reach->on[b + block];
                changed[block] |= to_a | to_b;
                reach->on[a + block] |= to_a;
                reach->on[b + block] |= to_b;
            }
        }
        if (layer > 0 && !ancestors_count(changed, blocks))
            break;
        /* weak links: the next layer */
        ancestors_clear(conflict, blocks);
        for (int group = first_group; group < reach->groups; group++) {
            int begin = reach->begin[group], end = reach->begin[group + 1];
            ancestors_t any[3], two[3];
            ancestors_clear(any, blocks);
            ancestors_clear(two, blocks);
            for (int k = begin; k < end; k++) {
                const ancestors_t *on = &reach->on[blocks * reach->member[k]];
                for (int block = 0; block < blocks; block++) {
                    two[block] |= any[block] & on[block];
                    any[block] |= on[block];
                }
            }
            ancestors_join(conflict, two, blocks);
            for (int k = begin; k < end; k++) {
                const ancestors_t *on = &reach->on[blocks * reach->member[k]];
                ancestors_t *off = &reach->off[blocks * reach->member[k]];
                for (int block = 0; block < blocks; block++)
                    off[block] |= (any[block] & ~on[block]) | two[block];
            }
        }
        int found = reach_note(reach, known, conflict, layer, layer + 1, blocks);
        ancestors_clear(conflict, blocks);
        for (int pair = first_pair; pair < last_pair; pair++) {
            int a = blocks * reach->pair[pair][0], b = blocks * reach->pair[pair][1];
            for (int block = 0; block < blocks; block++)
                conflict[block] |= reach->off[a + block] & reach->off[b + block];
        }
        int other = reach_note(reach, known, conflict, layer + 1, layer + 2, blocks);
        if (other < found)
            found = other;
        if (found < first) {
            first = found;
            if (window[first] < most)
                most = window[first];
        }
    }
    return first;
}

/* Whether there is a candidate "on" that turns all candidates of a group off. */
static inline int reach_common(const Reach *reach, int group)
{
    int blocks = reach->blocks;
    for (int word = 0; word < 4 * blocks; word++) {
        uint64_t common = ~(uint64_t)0;
        for (int k = reach->begin[group]; k < reach->begin[group + 1]; k++)
            common &= ((const uint64_t *)&reach->off[blocks * reach->member[k]])[word];
        if (common)
            return 1;
    }
    return 0;
}

static int reach_run(Reach *reach, int first_group, int first_pair, int last_pair, int most, const uint8_t *window)
{
    if (reach->blocks == 1)
        return reach_blocks(reach, first_group, first_pair, last_pair, most, window, 1);
    if (reach->blocks == 2)
        return reach_blocks(reach, first_group, first_pair, last_pair, most, window, 2);
    return reach_blocks(reach, first_group, first_pair, last_pair, most, window, 3);
}

/* Weak links: everything next to an "on" is off. */
static inline __attribute__((always_inline)) void reach_weak(const Reach *reach, const ancestors_t *on, ancestors_t *off,
                                                             int first_group, const int blocks)
{
    for (int group = first_group; group < reach->groups; group++) {
        int begin = reach->begin[group], end = reach->begin[group + 1];
        ancestors_t any[3], two[3];
        ancestors_clear(any, blocks);
        ancestors_clear(two, blocks);
        for (int k = begin; k < end; k++) {
            const ancestors_t *from = &on[blocks * reach->member[k]];
            for (int block = 0; block < blocks; block++) {
                two[block] |= any[block] & from[block];
                any[block] |= from[block];
            }
        }
        for (int k = begin; k < end; k++) {
            const ancestors_t *from = &on[blocks * reach->member[k]];
            ancestors_t *to = &off[blocks * reach->member[k]];
            for (int block = 0; block < blocks; block++)
                to[block] |= (any[block] & ~from[block]) | two[block];
        }
    }
}

static inline __attribute__((always_inline)) void reach_strong(const Reach *reach, ancestors_t *on, const ancestors_t *off,
                                                               int first_pair, int last_pair, const int blocks)
{
    for (int pair = first_pair; pair < last_pair; pair++) {
        int a = blocks * reach->pair[pair][0], b = blocks * reach->pair[pair][1];
        for (int block = 0; block < blocks; block++) {
            on[a + block] |= off[b + block];
            on[b + block] |= off[a + block];
        }
    }
}

/* One bit for each strong link from its end b to its start s. A cycle of n nodes over it closes at an "on" next to b
 * whose least distance from s is n - 2, with and without ways over b. */
static inline __attribute__((always_inline)) void reach_lengths_blocks(Reach *reach, int first_group, int first_pair,
                                                                       int last_pair, int least, int longest,
                                                                       const int blocks)
{
    size_t size = sizeof(ancestors_t) * blocks * reach->n;
    memset(reach->lengths, 0, sizeof(uint64_t) * reach->n);
    memset(reach->on, 0, size);
    memset(reach->off, 0, size);
    memset(reach->link_off, 0, size);
    memset(reach->ends, 0, size);
    for (int pair = first_pair; pair < last_pair; pair++)
        for (int side = 0; side < 2; side++) {
            int bit = 2 * (pair - first_pair) + side;
            ancestors_add(&reach->on[blocks * reach->pair[pair][side]], bit);
            ancestors_add(&reach->ends[blocks * reach->pair[pair][1 - side]], bit);
        }
    memcpy(reach->link_on, reach->on, size);
    for (int length = 4; length <= longest; length += 2) {
        memcpy(reach->before, reach->on, size);
        reach_weak(reach, reach->on, reach->off, first_group, blocks);
        reach_weak(reach, reach->link_on, reach->link_off, first_group, blocks);
        for (int k = 0; k < blocks * reach->n; k++)
            reach->link_off[k] &= ~reach->ends[k];
        reach_strong(reach, reach->on, reach->off, first_pair, last_pair, blocks);
        reach_strong(reach, reach->link_on, reach->link_off, first_pair, last_pair, blocks);
        if (length < least)
            continue;
        /* `before` becomes what is new, and with and without ways over the end at the same distance */
        for (int k = 0; k < blocks * reach->n; k++)
            reach->before[k] = reach->link_on[k] & ~reach->before[k];
        ancestors_t closed[3];
        ancestors_clear(closed, blocks);
        for (int group = first_group; group < reach->groups; group++) {
            int begin = reach->begin[group], end = reach->begin[group + 1];
            for (int block = 0; block < blocks; block++) {
                ancestors_t any = {0}, two = {0};
                for (int k = begin; k < end; k++) {
                    ancestors_t from = reach->before[blocks * reach->member[k] + block];
                    two |= any & from;
                    any |= from;
                }
                for (int k = begin; k < end; k++) {
                    ancestors_t from = reach->before[blocks * reach->member[k] + block];
                    closed[block] |= ((any & ~from) | two) & reach->ends[blocks * reach->member[k] + block];
                }
            }
        }
        for (int word = 0; word < 8 * blocks; word++)
            for (uint64_t left = ((const uint64_t *)closed)[word]; left; left &= left - 1) {
                int bit = 64 * word + __builtin_ctzll(left);
                reach->lengths[reach->pair[first_pair + bit / 2][bit & 1]] |= (uint64_t)1 << (length / 2 & 63);
            }
    }
}

/* Find which lengths from `least` to `longest` cycles from each start may have. */
static void reach_lengths(Reach *reach, int first_group, int first_pair, int last_pair, int least, int longest)
{
    if (longest > 126)
        memset(reach->lengths, 255, sizeof(reach->lengths));
    else if (last_pair - first_pair <= 256)
        reach_lengths_blocks(reach, first_group, first_pair, last_pair, least, longest, 1);
    else
        reach_lengths_blocks(reach, first_group, first_pair, last_pair, least, longest, 2);
}

#endif
