/* SPDX-License-Identifier: MIT */
/* Compare a row of distances with what is wanted of each column, 64 columns an instruction where the processor can:
 * the outcome masks an addition. Counts are kept in bytes as long as they fit, then widened; values are summed a plane
 * of bytes at a time. */
#include "matching_kernel.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_X86 1
#include <immintrin.h>
#endif

static void count_portable(const uint8_t *rows, const uint32_t *list, const uint8_t *add, size_t count,
                           const uint8_t *want, uint16_t *counts)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
        for (size_t v = 0; v < GFAB_TILE; v++) {
            const uint32_t sum = counts[v] + (row[v] == want[v] ? (uint32_t)add[i] : 0u);
            counts[v] = sum > UINT16_MAX ? UINT16_MAX : (uint16_t)sum;
        }
    }
}

static void sum_portable(const uint8_t *rows, const uint32_t *list, size_t count, const uint8_t *want,
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

static void lower_portable(const uint8_t *rows, const uint32_t *list, size_t count, uint8_t *far)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
        for (size_t v = 0; v < GFAB_TILE; v++)
            far[v] = row[v] < far[v] ? row[v] : far[v];
    }
}

#ifdef HAVE_X86

/* How many entries from here on add up to at most 255. */
static size_t run_length(const uint8_t *add, size_t count)
{
    uint32_t sum = 0;
    size_t n = 0;
    while (n < count && (sum += add[n]) <= UINT8_MAX)
        n++;
    return n;
}

#define VECTORS 4 /* of 32 bytes */

__attribute__((target("avx2"))) static void count_avx2(const uint8_t *rows, const uint32_t *list, const uint8_t *add,
                                                       size_t count, const uint8_t *want, uint16_t *counts)
{
    __m256i wanted[VECTORS];
    for (size_t k = 0; k < VECTORS; k++)
        wanted[k] = _mm256_loadu_si256((const __m256i *)(want + 32 * k));
    while (count > 0) {
        const size_t run = run_length(add, count);
        __m256i sum[VECTORS];
        for (size_t k = 0; k < VECTORS; k++)
            sum[k] = _mm256_setzero_si256();
        for (size_t i = 0; i < run; i++) {
            const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
            const __m256i more = _mm256_set1_epi8((char)add[i]);
            for (size_t k = 0; k < VECTORS; k++) {
                const __m256i same = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(row + 32 * k)), wanted[k]);
                sum[k] = _mm256_add_epi8(sum[k], _mm256_and_si256(same, more));
            }
        }
        for (size_t k = 0; k < 2 * VECTORS; k++) {
            const __m128i half = k % 2 ? _mm256_extracti128_si256(sum[k / 2], 1) : _mm256_castsi256_si128(sum[k / 2]);
            __m256i *at = (__m256i *)(counts + 16 * k);
            _mm256_storeu_si256(at, _mm256_adds_epu16(_mm256_loadu_si256(at), _mm256_cvtepu8_epi16(half)));
        }
        list += run;
        add += run;
        count -= run;
    }
}

__attribute__((target("avx2"))) static void sum_avx2(const uint8_t *rows, const uint32_t *list, size_t count,
                                                     const uint8_t *want,
                                                     const uint8_t planes[GFAB_TILE_PLANES][GFAB_TILE], uint64_t *sums)
{
    const __m256i zero = _mm256_setzero_si256();
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
        __m256i sum[GFAB_TILE_PLANES] = {zero, zero, zero};
        for (size_t k = 0; k < VECTORS; k++) {
            const __m256i same = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(row + 32 * k)),
                                                   _mm256_loadu_si256((const __m256i *)(want + 32 * k)));
            for (size_t p = 0; p < GFAB_TILE_PLANES; p++) {
                const __m256i value = _mm256_loadu_si256((const __m256i *)(planes[p] + 32 * k));
                sum[p] = _mm256_add_epi64(sum[p], _mm256_sad_epu8(_mm256_and_si256(same, value), zero));
            }
        }
        __m256i all = _mm256_add_epi64(sum[0], _mm256_slli_epi64(sum[1], 8));
        all = _mm256_add_epi64(all, _mm256_slli_epi64(sum[2], 16));
        __m128i half = _mm_add_epi64(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
        half = _mm_add_epi64(half, _mm_unpackhi_epi64(half, half));
        sums[i] += (uint64_t)_mm_cvtsi128_si64(half);
    }
}

__attribute__((target("avx2"))) static void lower_avx2(const uint8_t *rows, const uint32_t *list, size_t count,
                                                       uint8_t *far)
{
    __m256i least[VECTORS];
    for (size_t k = 0; k < VECTORS; k++)
        least[k] = _mm256_loadu_si256((const __m256i *)(far + 32 * k));
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
        for (size_t k = 0; k < VECTORS; k++)
            least[k] = _mm256_min_epu8(least[k], _mm256_loadu_si256((const __m256i *)(row + 32 * k)));
    }
    for (size_t k = 0; k < VECTORS; k++)
        _mm256_storeu_si256((__m256i *)(far + 32 * k), least[k]);
}

#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vnni")))

TARGET_AVX512 static void count_avx512(const uint8_t *rows, const uint32_t *list, const uint8_t *add, size_t count,
                                       const uint8_t *want, uint16_t *counts)
{
    const __m512i want0 = _mm512_loadu_si512(want), want1 = _mm512_loadu_si512(want + 64);
    while (count > 0) {
        const size_t run = run_length(add, count);
        __m512i sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        for (size_t i = 0; i < run; i++) {
            const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
            const __m512i more = _mm512_set1_epi8((char)add[i]);
            sum[0] = _mm512_mask_add_epi8(sum[0], _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(row), want0), sum[0], more);
            sum[1] =
                _mm512_mask_add_epi8(sum[1], _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(row + 64), want1), sum[1], more);
        }
        for (size_t k = 0; k < 4; k++) {
            const __m256i half = k % 2 ? _mm512_extracti64x4_epi64(sum[k / 2], 1) : _mm512_castsi512_si256(sum[k / 2]);
            uint16_t *at = counts + 32 * k;
            _mm512_storeu_si512(at, _mm512_adds_epu16(_mm512_loadu_si512(at), _mm512_cvtepu8_epi16(half)));
        }
        list += run;
        add += run;
        count -= run;
    }
}

/* 16 partial sums of a row; they add up to less than 2^31. */
TARGET_AVX512 static inline __m512i row_sums(const uint8_t *row, __m512i want0, __m512i want1, const __m512i *value)
{
    const __m512i ones = _mm512_set1_epi8(1), zero = _mm512_setzero_si512();
    const __m512i same0 = _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(_mm512_loadu_si512(row), want0), ones);
    const __m512i same1 = _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(_mm512_loadu_si512(row + 64), want1), ones);
    __m512i sum = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(zero, value[2], same0), value[5], same1);
    sum = _mm512_slli_epi32(sum, 8);
    sum = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(sum, value[1], same0), value[4], same1);
    sum = _mm512_slli_epi32(sum, 8);
    return _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(sum, value[0], same0), value[3], same1);
}

TARGET_AVX512 static void sum_avx512(const uint8_t *rows, const uint32_t *list, size_t count, const uint8_t *want,
                                     const uint8_t planes[GFAB_TILE_PLANES][GFAB_TILE], uint64_t *sums)
{
    const __m512i want0 = _mm512_loadu_si512(want), want1 = _mm512_loadu_si512(want + 64);
    __m512i value[2 * GFAB_TILE_PLANES];
    for (size_t p = 0; p < GFAB_TILE_PLANES; p++) {
        value[p] = _mm512_loadu_si512(planes[p]);
        value[GFAB_TILE_PLANES + p] = _mm512_loadu_si512(planes[p] + 64);
    }
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m512i s[4];
        for (size_t r = 0; r < 4; r++)
            s[r] = row_sums(rows + (size_t)list[i + r] * GFAB_TILE, want0, want1, value);
        const __m512i low = _mm512_add_epi32(_mm512_unpacklo_epi32(s[0], s[1]), _mm512_unpackhi_epi32(s[0], s[1]));
        const __m512i high = _mm512_add_epi32(_mm512_unpacklo_epi32(s[2], s[3]), _mm512_unpackhi_epi32(s[2], s[3]));
        const __m512i all = _mm512_add_epi32(_mm512_unpacklo_epi64(low, high), _mm512_unpackhi_epi64(low, high));
        const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
        const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        __m256i *at = (__m256i *)(sums + i);
        _mm256_storeu_si256(at, _mm256_add_epi64(_mm256_loadu_si256(at), _mm256_cvtepu32_epi64(four)));
    }
    for (; i < count; i++)
        sums[i] += (uint32_t)_mm512_reduce_add_epi32(row_sums(rows + (size_t)list[i] * GFAB_TILE, want0, want1, value));
}

TARGET_AVX512 static void lower_avx512(const uint8_t *rows, const uint32_t *list, size_t count, uint8_t *far)
{
    __m512i least0 = _mm512_loadu_si512(far), least1 = _mm512_loadu_si512(far + 64);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = rows + (size_t)list[i] * GFAB_TILE;
        least0 = _mm512_min_epu8(least0, _mm512_loadu_si512(row));
        least1 = _mm512_min_epu8(least1, _mm512_loadu_si512(row + 64));
    }
    _mm512_storeu_si512(far, least0);
    _mm512_storeu_si512(far + 64, least1);
}

static const gfab_matching_kernel kernel_avx512 = {"avx512", count_avx512, sum_avx512, lower_avx512};
static const gfab_matching_kernel kernel_avx2 = {"avx2", count_avx2, sum_avx2, lower_avx2};

#endif

static const gfab_matching_kernel kernel_portable = {"portable", count_portable, sum_portable, lower_portable};

const gfab_matching_kernel *gfab_matching_kernel_find(const char *name)
{
#ifdef HAVE_X86
    const int has_avx512 =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni");
    if (has_avx512 && (!name || !strcmp(name, kernel_avx512.name)))
        return &kernel_avx512;
    if (__builtin_cpu_supports("avx2") && (!name || !strcmp(name, kernel_avx2.name)))
        return &kernel_avx2;
#endif
    return !name || !strcmp(name, kernel_portable.name) ? &kernel_portable : NULL;
}
