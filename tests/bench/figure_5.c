/* The loop of Figure 5 of SIGMOD 2003, fed by its rolling hash H', modulo 2^64.
 *
 * It keeps the figure's ring of w hashes and its tie rule of robust winnowing, section 5.1. */
#include <stdint.h>
#include <stdlib.h>

long figure_5(const uint64_t *codes, long count, long k, int w, uint64_t base, int64_t *selected)
{
    uint64_t *ring = malloc(sizeof *ring * (size_t)w);
    uint64_t leaving = base, hash = 0;
    long recorded = 0;
    int right = 0, minimum = 0;
    if (!ring)
        return -1;
    for (long i = 0; i < k; i++)
        leaving *= base;
    for (int i = 0; i < w; i++)
        ring[i] = UINT64_MAX;
    for (long i = 0; i < count; i++) {
        hash = (hash + codes[i]) * base;
        if (i >= k)
            hash -= codes[i - k] * leaving;
        if (i < k - 1)
            continue;
        right = (right + 1) % w;
        ring[right] = hash;
        if (minimum == right) {
            for (int j = (right - 1 + w) % w; j != right; j = (j - 1 + w) % w)
                if (ring[j] < ring[minimum])
                    minimum = j;
            selected[recorded++] = i - k + 1 - (right - minimum + w) % w;
        } else if (ring[right] < ring[minimum]) {
            minimum = right;
            selected[recorded++] = i - k + 1;
        }
    }
    free(ring);
    return recorded;
}
