/* SPDX-License-Identifier: MIT */
/* Private: arrays that grow by doubling. */
#ifndef GOSSIPFAB_GROW_H
#define GOSSIPFAB_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An array of *room elements of `size` bytes, with so many in use and room for one more: the array itself, or what it
 * has become, with *room set. NULL without memory; the array is then as it was. */
static inline void *gfab_grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    const size_t more = *room ? 2 * *room : 64;
    void *grown = more <= SIZE_MAX / size ? realloc(array, more * size) : NULL;
    if (grown)
        *room = more;
    return grown;
}

/* The same in place: `array` is the address of the pointer to the array. Is there room for one more?
 *
 *     if (!gfab_grow(&list->at, list->count, &list->room, sizeof *list->at))
 *         return GFAB_ERR_NO_MEMORY;
 *     list->at[list->count++] = item; */
static inline bool gfab_grow(void *array, size_t count, size_t *room, size_t size)
{
    void *at;
    memcpy(&at, array, sizeof at);
    at = gfab_grown(at, count, room, size);
    if (at)
        memcpy(array, &at, sizeof at);
    return at;
}

#endif
