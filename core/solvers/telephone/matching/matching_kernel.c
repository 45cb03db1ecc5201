/* SPDX-License-Identifier: MIT */
/* Compare a row of distances with what is wanted of each column; the outcome masks an addition. The loops are over
 * vectors of bytes, which the compiler turns into the instructions of a processor, 16, 32 or 64 columns each: they are
 * compiled once for every kind, and the best that there is is chosen when the program runs. Counts are kept in bytes as
 * long as they fit, then widened. */
#include "matching_kernel.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_X86 1
#endif

#define INLINE static inline __attribute__((always_inline))

/* 32 columns; where a processor has shorter instructions, or longer ones, the compiler cuts or joins. */
#define COLUMNS 32u
#define VECTORS (GFAB_TILE / COLUMNS)
typedef uint8_t bytes __attribute__((vector_size(COLUMNS), aligned(1), may_alias));
typedef uint16_t pairs __attribute__((vector_size(2 * COLUMNS), aligned(2), may_alias));

/* How many entries from here on add up to at most 255. */
INLINE size_t run_length(const uint8_t *add, size_t count)
{
    uint32_t sum = 0;
    size_t n = 0;
    while (n < count && (sum += add[n]) <= UINT8_MAX)
        n++;
    return n;
}

INLINE void count_rows(const uint8_t *rows, const uint32_t *list, const uint8_t *add, size_t count, const uint8_t *want,
                       uint16_t *counts)
{
    const bytes *wanted = (const bytes *)want;
    pairs *all = (pairs *)counts;
    for (size_t run; count > 0; list += run, add += run, count -= run) {
        bytes sum[VECTORS] = {{0}};
        run = run_length(add, count);
        for (size_t i = 0; i < run; i++) {
            const bytes *row = (const bytes *)(rows + (size_t)list[i] * GFAB_TILE);
            for (size_t k = 0; k < VECTORS; k++)
                sum[k] += (bytes)(row[k] == wanted[k]) & add[i];
        }
        for (size_t k = 0; k < VECTORS; k++) {
            const pairs more = __builtin_convertvector(sum[k], pairs);
            all[k] += more;
            all[k] |= (pairs)(all[k] < more); /* at most 65535 */
        }
    }
}

INLINE void sum_rows(const uint8_t *rows, const uint32_t *list, size_t count, const uint8_t *want,
                     const uint8_t planes[GFAB_TILE_PLANES][GFAB_TILE], uint64_t *sums)
{
    uint32_t values[GFAB_TILE];
    for (size_t v = 0; v < GFAB_TILE; v++)
        values[v] = planes[0][v] | (uint32_t)planes[1][v] << 8 | (uint32_t)planes[2][v] << 16;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
        uint32_t sum = 0; /* 128 values below 2^24 */
        for (size_t v = 0; v < GFAB_TILE; v++)
            sum += row[v] == want[v] ? values[v] : 0u;
        sums[i] += sum;
    }
}

INLINE void lower_rows(const uint8_t *rows, const uint32_t *list, size_t count, uint8_t *far)
{
    bytes *least = (bytes *)far;
    for (size_t i = 0; i < count; i++) {
        const bytes *row = (const bytes *)(rows + (size_t)list[i] * GFAB_TILE);
        for (size_t k = 0; k < VECTORS; k++) {
            const bytes less = (bytes)(row[k] < least[k]);
            least[k] = (row[k] & less) | (least[k] & ~less);
        }
    }
}

#define KERNEL(id, how)                                                                                     \
    how static void count_##id(const uint8_t *rows, const uint32_t *list, const uint8_t *add, size_t count, \
                               const uint8_t *want, uint16_t *counts)                                       \
    {                                                                                                       \
        count_rows(rows, list, add, count, want, counts);                                                   \
    }                                                                                                       \
    how static void sum_##id(const uint8_t *rows, const uint32_t *list, size_t count, const uint8_t *want,  \
                             const uint8_t planes[GFAB_TILE_PLANES][GFAB_TILE], uint64_t *sums)             \
    {                                                                                                       \
        sum_rows(rows, list, count, want, planes, sums);                                                    \
    }                                                                                                       \
    how static void lower_##id(const uint8_t *rows, const uint32_t *list, size_t count, uint8_t *far)       \
    {                                                                                                       \
        lower_rows(rows, list, count, far);                                                                 \
    }                                                                                                       \
    static const gfab_matching_kernel kernel_##id = {#id, count_##id, sum_##id, lower_##id};

KERNEL(portable, )
#ifdef HAVE_X86
KERNEL(avx2, __attribute__((target("avx2"))))
KERNEL(avx512, __attribute__((target("avx512f,avx512bw"))))
#endif

const gfab_matching_kernel *gfab_matching_kernel_find(const char *name)
{
#ifdef HAVE_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && (!name || !strcmp(name, "avx512")))
        return &kernel_avx512;
    if (__builtin_cpu_supports("avx2") && (!name || !strcmp(name, "avx2")))
        return &kernel_avx2;
#endif
    return !name || !strcmp(name, "portable") ? &kernel_portable : NULL;
}
