/* The functions of depths.h that look at single bytes, against plain loops: the number of those that are wrong. */
#include <stdio.h>

#include "depths.h"

static uint64_t state = 88172645463325252ull;

static uint64_t random_word(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int layer_at(const uint64_t *word[LAYER_BITS], int start)
{
    int layer = 0;
    for (int bit = 0; bit < LAYER_BITS; bit++)
        layer |= (int)(*word[bit] >> start & 1) << bit;
    return layer;
}

static int nodes_of(int layer, int first)
{
    int nodes = 2 * layer + first - 2;
    return layer == 0 ? DEPTH_NEVER : nodes < MOST_DEPTH_NODES ? nodes : MOST_DEPTH_NODES;
}

static int wrong_minimum(void)
{
    depths_t numbers[64 / BLOCK_BYTES];
    int least = 255;
    for (int k = 0; k < 64; k++) {
        uint8_t number = (uint8_t)(random_word() | (random_word() & 128));
        ((uint8_t *)numbers)[k] = number;
        least = number < least ? number : least;
    }
    int found = 255;
    for (int part = 0; part < 64 / BLOCK_BYTES; part++) {
        int here = depths_minimum(numbers[part]);
        found = here < found ? here : found;
    }
    return found != least;
}

static int wrong_row(void)
{
    uint64_t bits[LAYER_BITS];
    const uint64_t *word[LAYER_BITS];
    depths_t row[64 / BLOCK_BYTES];
    int wrong = 0;
    for (int bit = 0; bit < LAYER_BITS; bit++) {
        bits[bit] = random_word();
        word[bit] = &bits[bit];
    }
    depths_of_layers(row, bits, 2);
    for (int start = 0; start < 64; start++)
        wrong |= ((uint8_t *)row)[start] != nodes_of(layer_at(word, start), 2);
    return wrong;
}

int main(void)
{
    int minimum = 0, row = 0;
    for (int k = 0; k < 2000; k++) {
        minimum += wrong_minimum();
        row += wrong_row();
    }
    printf("%d %d\n", minimum, row);
    return 0;
}
