/* Sets of ancestors of a chain's nodes: 512 bits a block, one to three blocks a set.
 *
 * Bit r is candidate r "on", bit n + r candidate r "off", for n candidates of the position.
 */
#ifndef UNIDOKU_RATING_ANCESTORS_H
#define UNIDOKU_RATING_ANCESTORS_H

#include <stdint.h>
#include <stdlib.h>

typedef uint64_t ancestors_t __attribute__((vector_size(64)));

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

#endif
