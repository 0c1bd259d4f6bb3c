/* Sets of bits, and what every assumption reaches over chains with one start. */
#ifndef UNIDOKU_RATING_REACH_H
#define UNIDOKU_RATING_REACH_H

#include "../bits.h"
#include "../vectors.h"
#include <stdlib.h>

/* Sets of bits, in blocks of the size of a register: GCC splits larger vectors badly. */
#define BLOCK_BYTES REGISTER
#define BLOCK_BITS (8 * BLOCK_BYTES)
#define BLOCK_WORDS (BLOCK_BYTES / 8)

typedef uint64_t block_t __attribute__((vector_size(BLOCK_BYTES)));

static inline int block_any(block_t block)
{
    uint64_t any = 0;
    for (int word = 0; word < BLOCK_WORDS; word++)
        any |= block[word];
    return any != 0;
}

/* The ancestors of a chain's nodes: bit r is candidate r "on", bit n + r candidate r "off", for n candidates of the
 * position.
 */
static inline void ancestors_clear(block_t *set, int blocks)
{
    for (int block = 0; block < blocks; block++)
        set[block] = (block_t){0};
}

static inline void ancestors_join(block_t *set, const block_t *other, int blocks)
{
    for (int block = 0; block < blocks; block++)
        set[block] |= other[block];
}

static inline void ancestors_add(block_t *set, int bit)
{
    ((uint64_t *)set)[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

static inline int ancestors_count(const block_t *set, int blocks)
{
    int count = 0;
    for (int word = 0; word < BLOCK_WORDS * blocks; word++)
        count += __builtin_popcountll(((const uint64_t *)set)[word]);
    return count;
}

/* Memory that begins at a line of the cache; NULL if there is none. Freed by free_lines. */
static inline void *allocate_lines(size_t size)
{
    void *memory = malloc(size + 64 + sizeof(void *));
    if (!memory)
        return NULL;
    void **aligned = (void **)(((uintptr_t)memory + sizeof(void *) + 63) & ~(uintptr_t)63);
    aligned[-1] = memory;
    return aligned;
}

static inline void free_lines(void *aligned)
{
    if (aligned)
        free(((void **)aligned)[-1]);
}

/* Candidates that chains reach from one start, for all starts at once: one bit a start.
 *
 * Bit s of a set is the start "candidate s on", bit s of its second half the start "candidate s off". The blocks of
 * starts are worked on one after another, and lie apart: block b of candidate k is b * n + k.
 *
 * The graph of implications is its own contrapositive. So a start implies its own negation over 2 k + 1 links when k
 * is the first layer with a conflict: two "on" in a cell or house, or both ends of a strong link "off".
 */
#define REACH_MOST 729
#define REACH_BLOCKS (1536 / BLOCK_BITS)
#define REACH_GROUPS (81 + 243)
#define REACH_NEVER 255
#define REACH_ROWS 768
#define REACH_WORDS 12
#define REACH_INLINE static inline __attribute__((always_inline))

/* Which links count: from a kind of groups on (0: cells, 1: houses), and strong links up to a kind. */
typedef struct {
    int first_weak, first_strong, last_strong;
} Links;

typedef struct {
    block_t on[REACH_BLOCKS * REACH_MOST]; /* for each candidate the starts that turn it on */
    block_t off[REACH_BLOCKS * REACH_MOST];
    block_t link_on[REACH_MOST];     /* the same for the work of reach_lengths */
    block_t link_off[REACH_MOST];
    block_t before[REACH_MOST];
    block_t ends[REACH_MOST];
    block_t next[REACH_MOST];
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

/* The blocks that starts of `n` candidates need. */
static inline int reach_blocks(int n) { return (2 * n + BLOCK_BITS - 1) / BLOCK_BITS; }

/* A word of a candidate's set. */
static inline uint64_t *reach_word(block_t *set, int n, int candidate, int word)
{
    return (uint64_t *)&set[word / BLOCK_WORDS * n + candidate] + word % BLOCK_WORDS;
}

/* Weak links of the groups of one size: everything next to an "on" is off. Two "on" are a conflict. */
REACH_INLINE void reach_weak_size(const Reach *reach, const block_t *on, block_t *off, block_t *conflict, int first,
                                  int last, const int size)
{
    const uint16_t *member = &reach->member[reach->begin[first]];
    block_t both = {0}; /* in a register: the compiler cannot know that `conflict` is none of the sets */
    for (int group = first; group < last; group++, member += size) {
        block_t any = {0}, two = {0}, from[9];
        for (int k = 0; k < size; k++) {
            from[k] = on[member[k]];
            two |= any & from[k];
            any |= from[k];
        }
        both |= two;
        for (int k = 0; k < size; k++)
            off[member[k]] |= (any & ~from[k]) | two;
    }
    *conflict |= both;
}

/* Called, not inlined: otherwise each caller would hold nine copies of a loop. */
static __attribute__((noinline)) void reach_weak(const Reach *reach, const block_t *on, block_t *off,
                                                 block_t *conflict, Links links)
{
    for (int kind = links.first_weak; kind < 2; kind++) {
        const int *begin = reach->size_begin[kind];
        reach_weak_size(reach, on, off, conflict, begin[2], begin[3], 2);
        reach_weak_size(reach, on, off, conflict, begin[3], begin[4], 3);
        reach_weak_size(reach, on, off, conflict, begin[4], begin[5], 4);
        reach_weak_size(reach, on, off, conflict, begin[5], begin[6], 5);
        for (int size = 6; size < 10; size++)
            reach_weak_size(reach, on, off, conflict, begin[size], begin[size + 1], size);
    }
}

/* Strong links: if one of two candidates is off, the other one is on. Return whether anything changes. */
static int reach_strong(const Reach *reach, block_t *on, const block_t *off, Links links)
{
    block_t changed = {0};
    for (int kind = links.first_strong; kind < links.last_strong; kind++) {
        int first = reach->size_begin[kind][2], last = reach->size_begin[kind][3];
        const uint16_t *member = &reach->member[reach->begin[first]];
        for (int group = first; group < last; group++, member += 2) {
            int a = member[0], b = member[1];
            changed |= (off[b] & ~on[a]) | (off[a] & ~on[b]);
            on[a] |= off[b];
            on[b] |= off[a];
        }
    }
    return block_any(changed);
}

/* Write the layers of starts with a new conflict; return the lowest of these layers. */
static int reach_note(Reach *reach, block_t *known, block_t conflict, int block, int layer_on, int layer_off)
{
    int first = REACH_NEVER, half = BLOCK_BITS / 2 * reach->blocks;
    block_t fresh = conflict & ~known[block];
    known[block] |= conflict;
    for (int word = 0; word < BLOCK_WORDS; word++) {
        int start = BLOCK_BITS * block + 64 * word, on = start < half, layer = on ? layer_on : layer_off;
        for (uint64_t left = fresh[word]; left; left &= left - 1) {
            reach->layer[on][start + lowest_bit(left) - (on ? 0 : half)] = (uint8_t)layer;
            if (layer < first)
                first = layer;
        }
    }
    return first;
}

/* Every start reaches itself. */
static void reach_starts(Reach *reach)
{
    int n = reach->n, half = BLOCK_WORDS * reach->blocks / 2;
    memset(reach->on, 0, sizeof(block_t) * reach->blocks * n);
    memset(reach->off, 0, sizeof(block_t) * reach->blocks * n);
    for (int start = 0; start < n; start++) {
        uint64_t bit = (uint64_t)1 << (start & 63);
        *reach_word(reach->on, n, start, start >> 6) |= bit;
        *reach_word(reach->off, n, start, half + (start >> 6)) |= bit;
    }
}

/* Run up to layer `most`, and no further than `window[first]` after a first conflict; most < REACH_NEVER.
 * The first layer with a conflict, or REACH_NEVER. */
static int reach_run(Reach *reach, Links links, int most, const uint8_t *window)
{
    int first = REACH_NEVER, n = reach->n, changed = 1;
    block_t known[REACH_BLOCKS];
    uint8_t ended[REACH_BLOCKS] = {0};
    ancestors_clear(known, reach->blocks);
    memset(reach->layer, REACH_NEVER, sizeof(reach->layer));
    reach_starts(reach);
    for (int layer = 0; changed && layer <= most; layer += 2) {
        /* `layer` is the layer of starts that are on; starts that are off are one layer ahead */
        int found = REACH_NEVER;
        changed = 0;
        for (int block = 0; block < reach->blocks; block++) {
            block_t *on = &reach->on[block * n], *off = &reach->off[block * n], conflict = {0};
            if (ended[block] || (!reach_strong(reach, on, off, links) && layer > 0)) {
                ended[block] = 1;
                continue;
            }
            changed = 1;
            reach_weak(reach, on, off, &conflict, links);
            int other = reach_note(reach, known, conflict, block, layer, layer + 1);
            found = other < found ? other : found;
            conflict = (block_t){0};
            for (int kind = links.first_strong; kind < links.last_strong; kind++)
                for (int group = reach->size_begin[kind][2]; group < reach->size_begin[kind][3]; group++) {
                    const uint16_t *member = &reach->member[reach->begin[group]];
                    conflict |= off[member[0]] & off[member[1]];
                }
            other = reach_note(reach, known, conflict, block, layer + 1, layer + 2);
            found = other < found ? other : found;
        }
        if (found < first) {
            first = found;
            if (window[first] < most)
                most = window[first];
        }
    }
    return first;
}

/* A word of the candidates "on" that turn all candidates of a group off. */
static inline uint64_t reach_common(const Reach *reach, int group, int word)
{
    const uint64_t *off = (const uint64_t *)&reach->off[word / BLOCK_WORDS * reach->n] + word % BLOCK_WORDS;
    uint64_t common = ~(uint64_t)0;
    for (int k = reach->begin[group]; k < reach->begin[group + 1]; k++)
        common &= off[BLOCK_WORDS * reach->member[k]];
    return common;
}

/* Keep the cycles of a length that may remove something: a candidate that has a chain of a complexity up to length + 2
 * and sees an "on" and an "off" of its digit that the start reaches. */
static block_t reach_victims(Reach *reach, block_t closed, int length)
{
    block_t kept = {0};
    if (!block_any(closed))
        return closed;
    memset(reach->next, 0, sizeof(block_t) * reach->n);
    memset(reach->before, 0, sizeof(block_t) * reach->n);
    for (int group = reach->size_begin[1][2]; group < reach->groups; group++) {
        const uint16_t *member = &reach->member[reach->begin[group]];
        int size = reach->begin[group + 1] - reach->begin[group], victims = 0;
        block_t on = {0}, off = {0};
        for (int k = 0; k < size; k++)
            victims |= reach->layer[1][member[k]] <= length / 2;
        if (!victims)
            continue;
        for (int k = 0; k < size; k++) {
            on |= reach->on[member[k]];
            off |= reach->off[member[k]];
        }
        for (int k = 0; k < size; k++)
            if (reach->layer[1][member[k]] <= length / 2) {
                reach->next[member[k]] |= on;
                reach->before[member[k]] |= off;
            }
    }
    for (int k = 0; k < reach->n; k++)
        kept |= reach->next[k] & reach->before[k];
    return closed & kept;
}

/* The lengths of the cycles of a block of strong links: one bit for each, from its end b to its start s. A cycle of n
 * nodes over it closes at an "on" next to b whose least distance from s is n - 2, with and without ways over b. Whether
 * there are no longer cycles. */
static int reach_lengths_block(Reach *reach, Links links, int least, int longest, const uint16_t *start,
                               const uint16_t *end, int many)
{
    size_t size = sizeof(block_t) * reach->n;
    block_t unused = {0};
    memset(reach->on, 0, size);
    memset(reach->off, 0, size);
    memset(reach->link_off, 0, size);
    memset(reach->ends, 0, size);
    for (int bit = 0; bit < many; bit++) {
        ancestors_add(&reach->on[start[bit]], bit);
        ancestors_add(&reach->ends[end[bit]], bit);
    }
    memcpy(reach->link_on, reach->on, size);
    for (int length = 4; length <= longest; length += 2) {
        memcpy(reach->before, reach->on, size);
        reach_weak(reach, reach->on, reach->off, &unused, links);
        reach_weak(reach, reach->link_on, reach->link_off, &unused, links);
        for (int k = 0; k < reach->n; k++)
            reach->link_off[k] &= ~reach->ends[k];
        reach_strong(reach, reach->on, reach->off, links);
        if (!reach_strong(reach, reach->link_on, reach->link_off, links))
            return 1;
        if (length < least)
            continue;
        /* what is new, with and without ways over the end at the same distance, and what is next to it */
        block_t closed = {0};
        memset(reach->next, 0, size);
        for (int k = 0; k < reach->n; k++)
            reach->before[k] = reach->link_on[k] & ~reach->before[k];
        reach_weak(reach, reach->before, reach->next, &unused, links);
        for (int k = 0; k < reach->n; k++)
            closed |= reach->next[k] & reach->ends[k];
        closed = reach_victims(reach, closed, length);
        for (int word = 0; word < BLOCK_WORDS; word++)
            for (uint64_t left = closed[word]; left; left &= left - 1)
                reach->lengths[start[64 * word + lowest_bit(left)]] |= (uint64_t)1 << length / 2;
    }
    return 0;
}

/* Find which lengths from `least` to `longest` cycles from each start may have. */
static void reach_lengths(Reach *reach, Links links, int least, int longest)
{
    uint16_t start[2 * REACH_GROUPS], end[2 * REACH_GROUPS];
    int many = 0, complete = 1, most = longest < 126 ? longest : 126; /* the bits of a word */
    for (int kind = links.first_strong; kind < links.last_strong; kind++)
        for (int group = reach->size_begin[kind][2]; group < reach->size_begin[kind][3]; group++)
            for (int side = 0; side < 2; side++) {
                const uint16_t *member = &reach->member[reach->begin[group]];
                start[many] = member[side];
                end[many++] = member[1 - side];
            }
    memset(reach->lengths, 0, sizeof(uint64_t) * reach->n);
    for (int first = 0; first < many; first += BLOCK_BITS) {
        int bits = many - first < BLOCK_BITS ? many - first : BLOCK_BITS;
        complete &= reach_lengths_block(reach, links, least, most, &start[first], &end[first], bits);
    }
    if (!complete && longest > most)
        memset(reach->lengths, 255, sizeof(reach->lengths));
}

/* Singles, from the starts of a block at once and without order. A start has a conflict if two of a group are on or all
 * are off; what changes for other starts is added to `changed`. */
REACH_INLINE void reach_singles_size(const Reach *reach, block_t *all_on, block_t *all_off, block_t *conflict,
                                     block_t *changed, int first, int last, const int size)
{
    const uint16_t *member = &reach->member[reach->begin[first]];
    block_t wrong = *conflict, differ = *changed; /* in registers */
    for (int group = first; group < last; group++, member += size) {
        block_t any = {0}, two = {0}, rest = {0}, more = {0}, on[9], off[9];
        for (int k = 0; k < size; k++) {
            on[k] = all_on[member[k]];
            two |= any & on[k];
            any |= on[k];
        }
        for (int k = 0; k < size; k++) {
            off[k] = all_off[member[k]];
            block_t now = off[k] | (any & ~on[k]) | two;
            differ |= now & ~off[k] & ~wrong;
            off[k] = now;
            more |= rest & ~now;
            rest |= ~now;
            all_off[member[k]] = now;
        }
        wrong |= two | ~rest;
        for (int k = 0; k < size; k++) {
            block_t now = ~off[k] & ~more & ~on[k];
            differ |= now & ~wrong;
            all_on[member[k]] = on[k] | now;
        }
    }
    *conflict = wrong;
    *changed = differ;
}

/* Singles until nothing changes for a start without a conflict; the starts with one. */
static block_t reach_singles_block(const Reach *reach, block_t *on, block_t *off)
{
    block_t conflict = {0}, changed;
    do {
        changed = (block_t){0};
        for (int kind = 0; kind < 2; kind++) {
            const int *begin = reach->size_begin[kind];
            reach_singles_size(reach, on, off, &conflict, &changed, begin[2], begin[3], 2);
            reach_singles_size(reach, on, off, &conflict, &changed, begin[3], begin[4], 3);
            reach_singles_size(reach, on, off, &conflict, &changed, begin[4], begin[5], 4);
            for (int size = 5; size < 10; size++)
                reach_singles_size(reach, on, off, &conflict, &changed, begin[size], begin[size + 1], size);
        }
    } while (block_any(changed));
    return conflict;
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
    block_t conflict[REACH_BLOCKS];
    int blocks = reach->blocks, n = reach->n, words = (n + 63) / 64, any = 0;
    reach_starts(reach);
    for (int block = 0; block < blocks; block++)
        conflict[block] = reach_singles_block(reach, &reach->on[block * n], &reach->off[block * n]);
    for (int on = 0; on < 2; on++)
        for (int column = 0; column < words; column++) {
            int at = column + (on ? 0 : BLOCK_WORDS * blocks / 2);
            uint64_t wrong = ((const uint64_t *)conflict)[at], bits[64];
            const uint64_t *off = reach_word(reach->off, n, 0, at);
            for (int word = 0; word < words; word++) {
                for (int k = 0; k < 64; k++)
                    bits[k] = 64 * word + k < n ? off[BLOCK_WORDS * (64 * word + k)] | wrong : 0;
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
#define LEFT_BLOCKS ((2 * 81 + BLOCK_BYTES - 1) / BLOCK_BYTES)

typedef struct {
    block_t left[2][REACH_MOST][LEFT_BLOCKS]; /* of candidate 9 * cell + digit off, on; nothing after a conflict */
    uint8_t state[2][REACH_MOST];             /* 0: not found yet */
} Assumed;

/* Whether what was left of a position is within the bits of its cells. */
static inline int left_within(const block_t *bits, const block_t *left)
{
    block_t outside = {0};
    for (int block = 0; block < LEFT_BLOCKS; block++)
        outside |= left[block] & ~bits[block];
    return !block_any(outside);
}

/* Whether what was left is, in empty cells, what a board has. */
static inline int left_equal(const block_t *left, const uint16_t *candidates, const uint8_t *values)
{
    unsigned differ = 0;
    for (int cell = 0; cell < 81; cell++)
        differ |= values[cell] ? 0u : (unsigned)(((const uint16_t *)left)[cell] ^ candidates[cell]);
    return !differ;
}

/* Whether several assumptions have removed the same candidate. */
static inline int assumed_meet(const block_t *all, const block_t *const *left, int count)
{
    block_t any = {0};
    for (int block = 0; block < LEFT_BLOCKS; block++) {
        block_t common = all[block];
        for (int k = 0; k < count; k++)
            common &= ~left[k][block];
        any |= common;
    }
    return block_any(any);
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
