/* SPDX-License-Identifier: MIT */
/* Private: arrays that grow by doubling. */
#ifndef GOSSIPFAB_GROW_H
#define GOSSIPFAB_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* An array of *room elements of `size` bytes, with so many in use and room for one more: the array itself, or what it
 * has become, with *room set. NULL without memory; the array is then as it was. */
static inline void *gfab_grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    const size_t more = *room ? 2 * *room : 64;
    void *grown = realloc(array, more * size);
    if (grown)
        *room = more;
    return grown;
}

#endif
