/* SPDX-License-Identifier: MIT */
/* Private: an array of ROM words in 16 bits each where they fit, in 32 otherwise. */
#ifndef GOSSIPFAB_WORD_ARRAY_H
#define GOSSIPFAB_WORD_ARRAY_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct word_array {
    union {
        uint16_t *narrow;
        uint32_t *wide;
        void *data; /* NULL where the allocation failed */
    } at;
    bool is_wide;
} word_array;

/* a * b, or SIZE_MAX where that is too large. */
static inline size_t word_array_product(size_t a, size_t b)
{
    return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* count words of `bits` bits, all 0. Freed with free(array.at.data). */
static inline word_array word_array_create(size_t count, uint32_t bits)
{
    word_array array = {.is_wide = bits > 16};
    array.at.data = calloc(count ? count : 1, array.is_wide ? sizeof(uint32_t) : sizeof(uint16_t));
    return array;
}

static inline uint32_t word_array_get(const word_array *array, size_t index)
{
    return array->is_wide ? array->at.wide[index] : array->at.narrow[index];
}

static inline void word_array_set(word_array *array, size_t index, uint32_t word)
{
    if (array->is_wide) {
        array->at.wide[index] = word;
        return;
    }
    assert(word <= UINT16_MAX);
    array->at.narrow[index] = (uint16_t)word;
}

#endif
