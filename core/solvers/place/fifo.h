/* SPDX-License-Identifier: MIT */
/* Private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_FIFO_H
#define GOSSIPFAB_SOLVERS_FIFO_H

#include <gossipfab/base/status.h>
#include <stddef.h>
#include <stdint.h>

/* A first-in first-out queue of numbers that grows as needed. All zero is an empty one. */
typedef struct gfab_fifo {
    uint32_t *items;
    size_t capacity; /* 0 or a power of two */
    size_t head;
    size_t count;
} gfab_fifo;

gfab_status gfab_fifo_push(gfab_fifo *fifo, uint32_t item);
/* fifo must not be empty. */
uint32_t gfab_fifo_first(const gfab_fifo *fifo);
uint32_t gfab_fifo_pop(gfab_fifo *fifo);

#endif
