/* SPDX-License-Identifier: MIT */
/* Sets of nodes, each kept once (hash consing), so that two are equal where their numbers are. Readers play a foreign
 * schedule with the set of contributions that each block has: many blocks have the same set, and are one number. A set
 * is a row of 64-bit words, a bit for each node, found by FNV-1a in a table with open addressing. */
#include "formats/sets.h"

#include <gossipfab/base/status.h>
#include <stdlib.h>
#include <string.h>

#define SET_BITS 64

static const uint64_t *set_at(const gfab_sets *sets, uint32_t set)
{
    return sets->bits + set * sets->words;
}

static size_t hash_of(const uint64_t *bits, size_t words)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < words; i++)
        hash = (hash ^ bits[i]) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

static bool grow_table(gfab_sets *sets)
{
    const size_t size = sets->table_size ? 2 * sets->table_size : 64;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (uint32_t i = 0; i < sets->count; i++) {
        size_t place = hash_of(set_at(sets, i), sets->words) & (size - 1);
        while (table[place])
            place = (place + 1) & (size - 1);
        table[place] = i + 1;
    }
    free(sets->table);
    sets->table = table;
    sets->table_size = size;
    return true;
}

/* Room for one more; its bits are where the next set will be. */
static uint64_t *open_room(gfab_sets *sets)
{
    if (!sets->failed && sets->count == sets->capacity) {
        const size_t capacity = sets->capacity ? 2 * sets->capacity : 64;
        uint64_t *grown = realloc(sets->bits, capacity * sets->words * sizeof *grown);
        sets->failed = !grown;
        if (grown) {
            sets->bits = grown;
            sets->capacity = capacity;
        }
    }
    if (!sets->failed && 2 * sets->count >= sets->table_size)
        sets->failed = !grow_table(sets);
    return sets->failed ? NULL : sets->bits + sets->count * sets->words;
}

/* The number of the set in the room, which is taken if it is new. */
static uint32_t intern(gfab_sets *sets)
{
    const uint64_t *bits = set_at(sets, (uint32_t)sets->count);
    size_t place = hash_of(bits, sets->words) & (sets->table_size - 1);
    for (; sets->table[place]; place = (place + 1) & (sets->table_size - 1))
        if (memcmp(set_at(sets, sets->table[place] - 1), bits, sets->words * sizeof *bits) == 0)
            return sets->table[place] - 1;
    sets->table[place] = (uint32_t)++sets->count;
    return sets->table[place] - 1;
}

void gfab_sets_begin(gfab_sets *sets, size_t nodes)
{
    *sets = (gfab_sets){.words = (nodes + SET_BITS - 1) / SET_BITS};
    uint64_t *bits = open_room(sets);
    if (!bits)
        return;
    memset(bits, 0, sets->words * sizeof *bits);
    intern(sets);
}

void gfab_sets_end(gfab_sets *sets)
{
    GFAB_FREE(sets->bits, sets->table);
    *sets = (gfab_sets){0};
}

uint32_t gfab_sets_single(gfab_sets *sets, uint32_t node)
{
    uint64_t *bits = open_room(sets);
    if (!bits)
        return 0;
    memset(bits, 0, sets->words * sizeof *bits);
    bits[node / SET_BITS] = (uint64_t)1 << node % SET_BITS;
    return intern(sets);
}

uint32_t gfab_sets_union(gfab_sets *sets, uint32_t a, uint32_t b)
{
    if (a == b || b == 0)
        return a;
    uint64_t *bits = open_room(sets);
    if (!bits)
        return 0;
    for (size_t i = 0; i < sets->words; i++)
        bits[i] = set_at(sets, a)[i] | set_at(sets, b)[i];
    return intern(sets);
}

bool gfab_sets_disjoint(const gfab_sets *sets, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < sets->words && !sets->failed; i++)
        if (set_at(sets, a)[i] & set_at(sets, b)[i])
            return false;
    return true;
}

bool gfab_sets_within(const gfab_sets *sets, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < sets->words && !sets->failed && a != b; i++)
        if (set_at(sets, a)[i] & ~set_at(sets, b)[i])
            return false;
    return true;
}

uint32_t gfab_sets_lacking(const gfab_sets *sets, uint32_t a, uint32_t b)
{
    uint32_t node = 0;
    while (!(set_at(sets, a)[node / SET_BITS] & ~set_at(sets, b)[node / SET_BITS] & (uint64_t)1 << node % SET_BITS))
        node++;
    return node;
}
