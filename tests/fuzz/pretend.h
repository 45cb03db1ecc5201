/* SPDX-License-Identifier: MIT */
/* A board that is none, behind gfab_port_*: what it says comes from the fuzzer. Each answer has its request's number
 * and a right check sequence, since no fuzzer finds one; its length is that which this board says its slots have. */
#ifndef GFAB_FUZZ_PRETEND_H
#define GFAB_FUZZ_PRETEND_H

#include "fuzz.h"

typedef struct pretend_board {
    gfab_host_shape shape;
    /* An event for every answer, from the first on; 0 where there are no more. Its bits: 2:0 the status, 3 no answer, 4
     * a byte too few, 5 a byte too many, 6 another number, 7 a bit of the line is wrong. */
    const uint8_t *events;
    size_t event_count;
} pretend_board;

/* From now on the port has this board, which is borrowed. Time passes where a host waits, and in no other way. */
void pretend(const pretend_board *board);

/* Takes a shape of so many bytes (as in an answer to a query) and up to count events from an input; false where there
 * are not enough bytes. */
#define PRETEND_SHAPE_BYTES 11
bool pretend_take(const uint8_t **data, size_t *size, size_t count, pretend_board *board);
/* The identity of every board that is taken, for the manifests in a corpus. */
#define PRETEND_IDENTITY 7u

#endif
