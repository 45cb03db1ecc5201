/* SPDX-License-Identifier: MIT */
/* A queue in a ring of a power of two places, so that a position is masked instead of divided. When it is full the
 * ring doubles and the items that had wrapped round are put in order. */
#include "fifo.h"

#include <assert.h>
#include <stdlib.h>

gfab_status gfab_fifo_push(gfab_fifo *fifo, uint32_t item)
{
    if (fifo->count == fifo->capacity) {
        if (fifo->capacity > SIZE_MAX / 2 / sizeof(uint32_t))
            return GFAB_ERR_NO_MEMORY;
        const size_t capacity = fifo->capacity ? 2 * fifo->capacity : 16;
        uint32_t *items = malloc(capacity * sizeof *items);
        GFAB_NEED(items);
        for (size_t i = 0; i < fifo->count; i++)
            items[i] = fifo->items[(fifo->head + i) & (fifo->capacity - 1)];
        free(fifo->items);
        *fifo = (gfab_fifo){items, capacity, 0, fifo->count};
    }
    fifo->items[(fifo->head + fifo->count++) & (fifo->capacity - 1)] = item;
    return GFAB_OK;
}

uint32_t gfab_fifo_first(const gfab_fifo *fifo)
{
    assert(fifo->count > 0);
    return fifo->items[fifo->head];
}

uint32_t gfab_fifo_pop(gfab_fifo *fifo)
{
    const uint32_t item = gfab_fifo_first(fifo);
    fifo->head = (fifo->head + 1) & (fifo->capacity - 1);
    fifo->count--;
    return item;
}
