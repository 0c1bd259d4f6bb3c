/* Sets of ancestors, and what every assumption reaches over chains with one start. */
#ifndef UNIDOKU_RATING_REACH_H
#define UNIDOKU_RATING_REACH_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Sets of ancestors of a chain's nodes: 512 bits a block, one to three blocks a set.
 *
 * Bit r is candidate r "on", bit n + r candidate r "off", for n candidates of the position.
 */

typedef uint64_t ancestors_t __attribute__((vector_size(64)));

/* The lowest bit of a word that is not zero. */
static inline int first_bit(uint64_t word) { return __builtin_ctzll(word); }

static inline void ancestors_clear(ancestors_t *set, int blocks)
{
    for (int block = 0; block < blocks; block++)
        set[block] = (ancestors_t){0};
}

static inline void ancestors_join(ancestors_t *set, const ancestors_t *other, int blocks)
{
    for (int block = 0; block < blocks; block++)
        set[block] |= other[block];
}

static inline void ancestors_add(ancestors_t *set, int bit)
{
    ((uint64_t *)set)[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

static inline int ancestors_count(const ancestors_t *set, int blocks)
{
    int count = 0;
    for (int word = 0; word < 8 * blocks; word++)
        count += __builtin_popcountll(((const uint64_t *)set)[word]);
    return count;
}

/* Memory for a number of blocks, aligned; NULL if there is none. Freed by ancestors_free. */
static inline void *ancestors_allocate(size_t blocks)
{
    void *memory = malloc(64 * blocks + 64 + sizeof(void *));
    if (!memory)
        return NULL;
    void **aligned = (void **)(((uintptr_t)memory + sizeof(void *) + 63) & ~(uintptr_t)63);
    aligned[-1] = memory;
    return aligned;
}

static inline void ancestors_free(void *aligned)
{
    if (aligned)
        free(((void **)aligned)[-1]);
}

/* Candidates that chains reach from one start, for all starts at once: one bit a start.
 *
 * Bit s of a set is the start "candidate s on", bit 256 * blocks + s the start "candidate s off".
 *
 * The graph of implications is its own contrapositive. So a start implies its own negation over 2 k + 1 links when k
 * is the first layer with a conflict: two "on" in a cell or house, or both ends of a strong link "off".
 */
#define REACH_MOST 729
#define REACH_GROUPS (81 + 243)
#define REACH_NEVER 255
#define REACH_ROWS 768  /* 256 a block */
#define REACH_WORDS 12
#define REACH_INLINE static inline __attribute__((always_inline))

/* Which links count: from a kind of groups on (0: cells, 1: houses), and strong links up to a kind. */
typedef struct {
    int first_weak, first_strong, last_strong;
} Links;

typedef struct {
    ancestors_t on[3 * REACH_MOST];  /* for each candidate the starts that turn it on */
    ancestors_t off[3 * REACH_MOST];
    ancestors_t link_on[2 * REACH_MOST]; /* the same for the work of reach_lengths */
    ancestors_t link_off[2 * REACH_MOST];
    ancestors_t before[2 * REACH_MOST];
    ancestors_t ends[2 * REACH_MOST];
    ancestors_t next[2 * REACH_MOST];
    int n, blocks;
    int groups;                      /* cells, then houses of a digit, of two candidates or more; by size */
    int size_begin[2][11];           /* for cells and houses: the first group of a size; [10]: the end */
    uint16_t begin[REACH_GROUPS + 1];
    uint16_t source[REACH_GROUPS];   /* cell, or 9 * house + digit */
    uint16_t member[4 * REACH_MOST];
    int complete;                    /* everything that the starts of this board reach is found, no conflicts */
    uint8_t cell_matters[81];        /* set by the filters: its chains have a common conclusion */
    uint8_t house_matters[27][9];
    uint8_t both_matter[REACH_MOST]; /* the same of a candidate on and off */
    uint64_t lengths[REACH_MOST];    /* bit n / 2: a cycle of n nodes from this start may remove something */
    uint8_t layer[2][REACH_MOST];    /* the first layer with a conflict, of starts that are off, on */
    uint64_t row[2][REACH_ROWS][REACH_WORDS]; /* what a start that is off, on turns off, or all if it has a conflict */
} Reach;

/* Weak links of the groups of one size: everything next to an "on" is off. Two "on" are a conflict. */
REACH_INLINE void reach_weak_size(const Reach *reach, const ancestors_t *on, ancestors_t *off, ancestors_t *conflict,
                                  int first, int last, const int size, const int blocks)
{
    const uint16_t *member = &reach->member[reach->begin[first]];
    ancestors_t both[3]; /* in registers: the compiler cannot know that `conflict` is none of the sets */
    ancestors_clear(both, blocks);
    for (int group = first; group < last; group++, member += size)
        for (int block = 0; block < blocks; block++) {
            ancestors_t any = {0}, two = {0}, from[9];
            for (int k = 0; k < size; k++) {
                from[k] = on[blocks * member[k] + block];
                two |= any & from[k];
                any |= from[k];
            }
            both[block] |= two;
            for (int k = 0; k < size; k++)
                off[blocks * member[k] + block] |= (any & ~from[k]) | two;
        }
    ancestors_join(conflict, both, blocks);
}

REACH_INLINE void reach_weak_blocks(const Reach *reach, const ancestors_t *on, ancestors_t *off,
                                    ancestors_t *conflict, Links links, const int blocks)
{
    for (int kind = links.first_weak; kind < 2; kind++) {
        const int *begin = reach->size_begin[kind];
        reach_weak_size(reach, on, off, conflict, begin[2], begin[3], 2, blocks);
        reach_weak_size(reach, on, off, conflict, begin[3], begin[4], 3, blocks);
        reach_weak_size(reach, on, off, conflict, begin[4], begin[5], 4, blocks);
        reach_weak_size(reach, on, off, conflict, begin[5], begin[6], 5, blocks);
        for (int size = 6; size < 10; size++)
            reach_weak_size(reach, on, off, conflict, begin[size], begin[size + 1], size, blocks);
    }
}

/* Called, not inlined: otherwise the callers, which are inlined for each number of blocks, would hold nine copies. */
#define REACH_WEAK(count) \
    static __attribute__((noinline)) void reach_weak_##count(const Reach *reach, const ancestors_t *on, \
                                                             ancestors_t *off, ancestors_t *conflict, Links links) \
    { \
        reach_weak_blocks(reach, on, off, conflict, links, count); \
    }
REACH_WEAK(1)
REACH_WEAK(2)
REACH_WEAK(3)
#undef REACH_WEAK

REACH_INLINE void reach_weak(const Reach *reach, const ancestors_t *on, ancestors_t *off, ancestors_t *conflict,
                             Links links, const int blocks)
{
    (blocks == 1 ? reach_weak_1 : blocks == 2 ? reach_weak_2 : reach_weak_3)(reach, on, off, conflict, links);
}

/* Strong links: if one of two candidates is off, the other one is on. Return whether anything changes. */
REACH_INLINE int reach_strong(const Reach *reach, ancestors_t *on, const ancestors_t *off, Links links,
                              const int blocks)
{
    ancestors_t changed[3];
    ancestors_clear(changed, blocks);
    for (int kind = links.first_strong; kind < links.last_strong; kind++) {
        int first = reach->size_begin[kind][2], last = reach->size_begin[kind][3];
        const uint16_t *member = &reach->member[reach->begin[first]];
        for (int group = first; group < last; group++, member += 2) {
            int a = blocks * member[0], b = blocks * member[1];
            for (int block = 0; block < blocks; block++) {
                changed[block] |= (off[b + block] & ~on[a + block]) | (off[a + block] & ~on[b + block]);
                on[a + block] |= off[b + block];
                on[b + block] |= off[a + block];
            }
        }
    }
    return ancestors_count(changed, blocks) != 0;
}

/* Write the layers of starts with a new conflict; return the lowest of these layers. */
REACH_INLINE int reach_note(Reach *reach, ancestors_t *known, const ancestors_t *conflict, int layer_on, int layer_off,
                            const int blocks)
{
    int first = REACH_NEVER;
    for (int word = 0; word < 8 * blocks; word++) {
        uint64_t left = ((const uint64_t *)conflict)[word] & ~((uint64_t *)known)[word];
        ((uint64_t *)known)[word] |= left;
        int on = word < 4 * blocks, layer = on ? layer_on : layer_off;
        for (; left; left &= left - 1) {
            reach->layer[on][64 * word + __builtin_ctzll(left) - (on ? 0 : 256 * blocks)] = (uint8_t)layer;
            if (layer < first)
                first = layer;
        }
    }
    return first;
}

/* Every start reaches itself. */
REACH_INLINE void reach_starts(Reach *reach, const int blocks)
{
    memset(reach->on, 0, sizeof(ancestors_t) * blocks * reach->n);
    memset(reach->off, 0, sizeof(ancestors_t) * blocks * reach->n);
    for (int start = 0; start < reach->n; start++) {
        ancestors_add(&reach->on[blocks * start], start);
        ancestors_add(&reach->off[blocks * start], 256 * blocks + start);
    }
}

REACH_INLINE int reach_blocks(Reach *reach, Links links, int most, const uint8_t *window, const int blocks)
{
    int first = REACH_NEVER;
    ancestors_t known[3], conflict[3];
    ancestors_clear(known, blocks);
    memset(reach->layer, REACH_NEVER, sizeof(reach->layer));
    reach_starts(reach, blocks);
    for (int layer = 0; layer <= most; layer += 2) {
        /* `layer` is the layer of starts that are on; starts that are off are one layer ahead */
        if (!reach_strong(reach, reach->on, reach->off, links, blocks) && layer > 0)
            break;
        ancestors_clear(conflict, blocks);
        reach_weak(reach, reach->on, reach->off, conflict, links, blocks);
        int found = reach_note(reach, known, conflict, layer, layer + 1, blocks);
        ancestors_clear(conflict, blocks);
        for (int kind = links.first_strong; kind < links.last_strong; kind++)
            for (int group = reach->size_begin[kind][2]; group < reach->size_begin[kind][3]; group++) {
                const uint16_t *member = &reach->member[reach->begin[group]];
                for (int block = 0; block < blocks; block++)
                    conflict[block] |= reach->off[blocks * member[0] + block] & reach->off[blocks * member[1] + block];
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

/* Run up to layer `most`, and no further than `window[first]` after a first conflict; most < REACH_NEVER.
 * The first layer with a conflict, or REACH_NEVER. */
static int reach_run(Reach *reach, Links links, int most, const uint8_t *window)
{
    if (reach->blocks == 1)
        return reach_blocks(reach, links, most, window, 1);
    if (reach->blocks == 2)
        return reach_blocks(reach, links, most, window, 2);
    return reach_blocks(reach, links, most, window, 3);
}

/* A word of the candidates "on" that turn all candidates of a group off. */
static inline uint64_t reach_common(const Reach *reach, int group, int word)
{
    uint64_t common = ~(uint64_t)0;
    for (int k = reach->begin[group]; k < reach->begin[group + 1]; k++)
        common &= ((const uint64_t *)&reach->off[reach->blocks * reach->member[k]])[word];
    return common;
}

/* Keep the cycles of a length that may remove something: a candidate that has a chain of a complexity up to length + 2
 * and sees an "on" and an "off" of its digit that the start reaches. */
REACH_INLINE void reach_victims(Reach *reach, ancestors_t *closed, int length, const int blocks)
{
    ancestors_t kept[3];
    if (!ancestors_count(closed, blocks))
        return;
    ancestors_clear(kept, blocks);
    memset(reach->next, 0, sizeof(ancestors_t) * blocks * reach->n);
    memset(reach->before, 0, sizeof(ancestors_t) * blocks * reach->n);
    for (int group = reach->size_begin[1][2]; group < reach->groups; group++) {
        const uint16_t *member = &reach->member[reach->begin[group]];
        int size = reach->begin[group + 1] - reach->begin[group], victims = 0;
        ancestors_t on[3], off[3];
        for (int k = 0; k < size; k++)
            victims |= reach->layer[1][member[k]] <= length / 2;
        if (!victims)
            continue;
        ancestors_clear(on, blocks);
        ancestors_clear(off, blocks);
        for (int k = 0; k < size; k++) {
            ancestors_join(on, &reach->on[blocks * member[k]], blocks);
            ancestors_join(off, &reach->off[blocks * member[k]], blocks);
        }
        for (int k = 0; k < size; k++)
            if (reach->layer[1][member[k]] <= length / 2) {
                ancestors_join(&reach->next[blocks * member[k]], on, blocks);
                ancestors_join(&reach->before[blocks * member[k]], off, blocks);
            }
    }
    for (int k = 0; k < reach->n; k++)
        for (int block = 0; block < blocks; block++)
            kept[block] |= reach->next[blocks * k + block] & reach->before[blocks * k + block];
    for (int block = 0; block < blocks; block++)
        closed[block] &= kept[block];
}

/* One bit for each strong link from its end b to its start s. A cycle of n nodes over it closes at an "on" next to b
 * whose least distance from s is n - 2, with and without ways over b. Whether there are no longer cycles. */
REACH_INLINE int reach_lengths_blocks(Reach *reach, Links links, int least, int longest, const int blocks)
{
    size_t size = sizeof(ancestors_t) * blocks * reach->n;
    uint16_t start[2 * REACH_GROUPS];
    ancestors_t unused[3];
    int bits = 0;
    ancestors_clear(unused, blocks);
    memset(reach->lengths, 0, sizeof(uint64_t) * reach->n);
    memset(reach->on, 0, size);
    memset(reach->off, 0, size);
    memset(reach->link_off, 0, size);
    memset(reach->ends, 0, size);
    for (int kind = links.first_strong; kind < links.last_strong; kind++)
        for (int group = reach->size_begin[kind][2]; group < reach->size_begin[kind][3]; group++)
            for (int side = 0; side < 2; side++) {
                const uint16_t *member = &reach->member[reach->begin[group]];
                ancestors_add(&reach->on[blocks * member[side]], bits);
                ancestors_add(&reach->ends[blocks * member[1 - side]], bits);
                start[bits++] = member[side];
            }
    memcpy(reach->link_on, reach->on, size);
    for (int length = 4; length <= longest; length += 2) {
        memcpy(reach->before, reach->on, size);
        reach_weak(reach, reach->on, reach->off, unused, links, blocks);
        reach_weak(reach, reach->link_on, reach->link_off, unused, links, blocks);
        for (int k = 0; k < blocks * reach->n; k++)
            reach->link_off[k] &= ~reach->ends[k];
        reach_strong(reach, reach->on, reach->off, links, blocks);
        if (!reach_strong(reach, reach->link_on, reach->link_off, links, blocks))
            return 1;
        if (length < least)
            continue;
        /* what is new, with and without ways over the end at the same distance, and what is next to it */
        ancestors_t closed[3];
        ancestors_clear(closed, blocks);
        memset(reach->next, 0, size);
        for (int k = 0; k < blocks * reach->n; k++)
            reach->before[k] = reach->link_on[k] & ~reach->before[k];
        reach_weak(reach, reach->before, reach->next, unused, links, blocks);
        for (int k = 0; k < reach->n; k++)
            for (int block = 0; block < blocks; block++)
                closed[block] |= reach->next[blocks * k + block] & reach->ends[blocks * k + block];
        reach_victims(reach, closed, length, blocks);
        for (int word = 0; word < 8 * blocks; word++)
            for (uint64_t left = ((const uint64_t *)closed)[word]; left; left &= left - 1)
                reach->lengths[start[64 * word + __builtin_ctzll(left)]] |= (uint64_t)1 << length / 2;
    }
    return 0;
}

/* Find which lengths from `least` to `longest` cycles from each start may have. */
static void reach_lengths(Reach *reach, Links links, int least, int longest)
{
    int strong = 0, end, most = longest < 126 ? longest : 126; /* the bits of a word */
    for (int kind = links.first_strong; kind < links.last_strong; kind++)
        strong += reach->size_begin[kind][3] - reach->size_begin[kind][2];
    if (strong <= 256)
        end = reach_lengths_blocks(reach, links, least, most, 1);
    else
        end = reach_lengths_blocks(reach, links, least, most, 2);
    if (!end && longest > most)
        memset(reach->lengths, 255, sizeof(reach->lengths));
}

/* Singles, from all starts at once and without order: until nothing changes for a start without a conflict. A start has
 * a conflict if two of a group are on or all are off. */
REACH_INLINE void reach_singles_size(Reach *reach, ancestors_t *conflict, ancestors_t *changed, int first, int last,
                                     const int size, const int blocks)
{
    const uint16_t *member = &reach->member[reach->begin[first]];
    for (int group = first; group < last; group++, member += size)
        for (int block = 0; block < blocks; block++) {
            ancestors_t any = {0}, two = {0}, rest = {0}, more = {0}, on[9], off[9];
            for (int k = 0; k < size; k++) {
                on[k] = reach->on[blocks * member[k] + block];
                two |= any & on[k];
                any |= on[k];
            }
            for (int k = 0; k < size; k++) {
                off[k] = reach->off[blocks * member[k] + block];
                ancestors_t now = off[k] | (any & ~on[k]) | two;
                changed[block] |= now & ~off[k] & ~conflict[block];
                off[k] = now;
                more |= rest & ~now;
                rest |= ~now;
                reach->off[blocks * member[k] + block] = now;
            }
            conflict[block] |= two | ~rest;
            for (int k = 0; k < size; k++) {
                ancestors_t now = ~off[k] & ~more & ~on[k];
                changed[block] |= now & ~conflict[block];
                reach->on[blocks * member[k] + block] = on[k] | now;
            }
        }
}

REACH_INLINE void reach_singles_blocks(Reach *reach, ancestors_t *conflict, const int blocks)
{
    ancestors_t changed[3];
    reach_starts(reach, blocks);
    ancestors_clear(conflict, blocks);
    do {
        ancestors_clear(changed, blocks);
        for (int kind = 0; kind < 2; kind++) {
            const int *begin = reach->size_begin[kind];
            reach_singles_size(reach, conflict, changed, begin[2], begin[3], 2, blocks);
            reach_singles_size(reach, conflict, changed, begin[3], begin[4], 3, blocks);
            reach_singles_size(reach, conflict, changed, begin[4], begin[5], 4, blocks);
            for (int size = 5; size < 10; size++)
                reach_singles_size(reach, conflict, changed, begin[size], begin[size + 1], size, blocks);
        }
    } while (ancestors_count(changed, blocks));
}

/* Swap rows and columns of 64 x 64 bits. */
static inline void turn_bits(uint64_t *row)
{
    uint64_t mask = 0x00000000FFFFFFFFull;
    for (int step = 32; step; step >>= 1, mask ^= mask << step)
        for (int k = 0; k < 64; k = ((k | step) + 1) & ~step) {
            uint64_t swap = (row[k] >> step ^ row[k | step]) & mask;
            row[k] ^= swap << step;
            row[k | step] ^= swap;
        }
}

/* Find which starts come to a conflict by singles (layer 0), and fill their rows. Whether any does. */
static int reach_singles(Reach *reach)
{
    ancestors_t conflict[3];
    int blocks = reach->blocks, n = reach->n, words = (n + 63) / 64, any = 0;
    if (blocks == 1)
        reach_singles_blocks(reach, conflict, 1);
    else if (blocks == 2)
        reach_singles_blocks(reach, conflict, 2);
    else
        reach_singles_blocks(reach, conflict, 3);
    for (int on = 0; on < 2; on++)
        for (int column = 0; column < words; column++) {
            int at = column + (on ? 0 : 4 * blocks);
            uint64_t wrong = ((const uint64_t *)conflict)[at], bits[64];
            for (int word = 0; word < words; word++) {
                for (int k = 0; k < 64; k++)
                    bits[k] = 64 * word + k < n ? ((const uint64_t *)&reach->off[blocks * (64 * word + k)])[at] | wrong : 0;
                turn_bits(bits);
                for (int k = 0; k < 64; k++)
                    reach->row[on][64 * column + k][word] = bits[k];
            }
            for (int k = 64 * column; k < n && k < 64 * column + 64; k++) {
                reach->layer[on][k] = wrong >> (k & 63) & 1 ? 0 : REACH_NEVER;
                any |= reach->layer[on][k] == 0;
            }
        }
    return any;
}

/* A word of the candidates that all candidates of a group turn off by singles, by their rows. */
static inline uint64_t reach_rows_common(const Reach *reach, int group, int word)
{
    uint64_t common = ~(uint64_t)0;
    for (int k = reach->begin[group]; k < reach->begin[group + 1]; k++)
        common &= reach->row[1][reach->member[k]][word];
    return common;
}

/* Candidates that remain after assumptions by the rules of a level of nesting, in any order: for each cell 16 bits. */
#define LEFT_VECTORS 3

typedef struct {
    ancestors_t left[2][REACH_MOST][LEFT_VECTORS]; /* of candidate 9 * cell + digit off, on; nothing after a conflict */
    uint8_t state[2][REACH_MOST];                  /* 0: not found yet */
} Assumed;

/* Whether what was left of a position is within the bits of its cells. */
static inline int left_within(const ancestors_t *bits, const ancestors_t *left)
{
    uint64_t outside = 0;
    for (int vector = 0; vector < LEFT_VECTORS; vector++) {
        ancestors_t gone = left[vector] & ~bits[vector];
        for (int word = 0; word < 8; word++)
            outside |= gone[word];
    }
    return outside == 0;
}

/* Whether what was left is, in empty cells, what a board has. */
static inline int left_equal(const ancestors_t *left, const uint16_t *candidates, const uint8_t *values)
{
    unsigned differ = 0;
    for (int cell = 0; cell < 81; cell++)
        differ |= values[cell] ? 0u : (unsigned)(((const uint16_t *)left)[cell] ^ candidates[cell]);
    return !differ;
}

/* Whether several assumptions have removed the same candidate. */
static inline int assumed_meet(const ancestors_t *all, const ancestors_t *const *left, int count)
{
    uint64_t any = 0;
    for (int vector = 0; vector < LEFT_VECTORS; vector++) {
        ancestors_t common = all[vector];
        for (int k = 0; k < count; k++)
            common &= ~left[k][vector];
        for (int word = 0; word < 8; word++)
            any |= common[word];
    }
    return any != 0;
}

/* Assumptions about one digit, all of them at once. Bit c is the start "cell c on", bit 128 + c the start "cell c off". */
typedef uint64_t nishio_t __attribute__((vector_size(32)));

static inline int nishio_any(const nishio_t *set) { return ((*set)[0] | (*set)[1] | (*set)[2] | (*set)[3]) != 0; }

/* Whether one of them leads to a contradiction. `places` are the places of the digits in the houses, `cell` the cells
 * of the houses. */
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
