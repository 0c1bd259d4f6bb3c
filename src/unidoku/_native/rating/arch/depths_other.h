/* Numbers of nodes elsewhere. */
#ifndef UNIDOKU_RATING_DEPTHS_OTHER_H
#define UNIDOKU_RATING_DEPTHS_OTHER_H

REACH_INLINE void depths_of_layers(depths_t *row, const uint64_t bits[LAYER_BITS], int first)
{
    const uint64_t each = 0x0101010101010101ull;
    const uint8_t bit_of_byte[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t pattern;
    memcpy(&pattern, bit_of_byte, sizeof(pattern)); /* in the order of the machine */
    const block_t one = (block_t){0} + pattern;
    for (int part = 0; part < 64 / BLOCK_BYTES; part++) {
        depths_t layer = {0}, nodes;
        for (int bit = 0; bit < LAYER_BITS; bit++) {
            block_t spread = {0};
            for (int word = 0; word < BLOCK_WORDS; word++)
                spread[word] = (bits[bit] >> 8 * (BLOCK_WORDS * part + word) & 255) * each;
            layer |= (depths_t)((depths_t)(spread & one) == (depths_t)one) & (uint8_t)(1 << bit);
        }
        nodes = layer + layer + (uint8_t)(first - 2);
        depths_t many = (depths_t)(nodes > MOST_DEPTH_NODES);
        row[part] = (nodes & ~many) | (many & MOST_DEPTH_NODES) | (depths_t)(layer == 0);
    }
}

REACH_INLINE void turn_words(uint64_t row[8][8])
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++) {
            uint64_t word = row[i][j];
            row[i][j] = row[j][i];
            row[j][i] = word;
        }
}

REACH_INLINE depths_t depths_without(depths_t sum, depths_t one)
{
    return (sum - one) | (depths_t)(sum == DEPTH_NEVER);
}

#endif
