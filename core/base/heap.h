/* SPDX-License-Identifier: MIT */
/* A binary heap in an array of the caller's: the lowest key comes out first. Of equal keys the order is that of the
 * moves inside the heap, the same for the same calls. Inline, since what lies in it is popped in innermost loops. */
#ifndef GOSSIPFAB_BASE_HEAP_H
#define GOSSIPFAB_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct gfab_heap_entry {
    uint64_t key;
    uint32_t item;
} gfab_heap_entry;

/* The array must have room for *count + 1. */
static inline void gfab_heap_push(gfab_heap_entry *heap, size_t *count, uint64_t key, uint32_t item)
{
    size_t at = (*count)++;
    for (; at > 0 && heap[(at - 1) / 2].key > key; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = (gfab_heap_entry){key, item};
}

/* *count must not be 0. */
static inline gfab_heap_entry gfab_heap_pop(gfab_heap_entry *heap, size_t *count)
{
    const gfab_heap_entry top = heap[0], last = heap[--*count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < *count; at = child) {
        child += child + 1 < *count && heap[child + 1].key < heap[child].key;
        if (heap[child].key >= last.key)
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

#endif
