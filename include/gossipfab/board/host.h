/* SPDX-License-Identifier: MIT */
/* A fabric on a board, driven over its serial line. docs/reference/host-protocol.md has what goes over the line: every
 * request is answered, and asked again until it is, so that a line which loses or changes bytes costs time alone. */
#ifndef GOSSIPFAB_HOST_H
#define GOSSIPFAB_HOST_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stdint.h>

GFAB_C_BEGIN

typedef struct gfab_host gfab_host;

typedef struct gfab_host_options {
    const char *port;    /* "/dev/ttyUSB1" */
    uint32_t baud;       /* bits a second, one of those that POSIX systems name: 9600 .. 4000000 */
    uint32_t timeout_ms; /* to wait for an answer beside the time that its bytes take, 1 or more, USB needs 20; longer
                          * where the board turns out to be slow */
    uint32_t tries;      /* of one request, 1 or more, before the line is given up; a silent board is before */
    const gfab_progress *progress; /* INTERRUPTED within timeout_ms where it says so; may be NULL. Borrowed */
} gfab_host_options;

/* 115200 baud, 100 ms, 200 tries; port is to be set. */
gfab_host_options gfab_host_options_default(void);

/* What the board says of its fabric. An open host's is possible: without programs loads divide W into parts of
 * span_bits at most, and reads = N loads; with programs W <= span_bits. */
typedef struct gfab_host_shape {
    uint32_t programs;   /* of collectives of blocks; 0: an all-gather of one token a node */
    uint32_t nodes;      /* N */
    uint32_t token_bits; /* W, of a block */
    uint32_t span_bits;  /* of a slot: a token's part, or a block, with the padding of its last store word */
    uint32_t loads;      /* slots that a node is loaded with: a token's parts, or blocks */
    uint32_t reads;      /* slots that are read from a node: parts of all tokens, P N of them, or blocks */
    uint32_t identity;   /* CRC-32 of gossip_fabric.v and its ROMs, as manifest.json has it */
} gfab_host_shape;

/* What the line was like since it was opened. */
typedef struct gfab_host_counts {
    uint64_t requests, repeats; /* those that were asked again are in both */
    uint64_t sent, received;    /* bytes */
    uint64_t damaged;           /* answers that came, but not whole */
} gfab_host_counts;

/* Opens the port, for this process alone, and asks who is there. IO where it does not exist, is no serial line, is
 * held by another program, or nothing answers, or not this protocol, or what has a shape that no fabric has; INVALID
 * for options out of range; UNSUPPORTED for another version of the protocol. *host is NULL then. */
gfab_status gfab_host_open(const gfab_host_options *options, gfab_host **host, gfab_diag *diag);
/* NULL does nothing. */
void gfab_host_close(gfab_host *host);

const gfab_host_shape *gfab_host_shape_of(const gfab_host *host); /* borrowed */
gfab_host_counts gfab_host_counts_of(const gfab_host *host);
/* Nothing was loaded since the board's reset: no host has greeted it before. */
bool gfab_host_was_fresh(const gfab_host *host);
/* ceil(span_bits / 8): what a slot takes in the arrays below; bit 0 of byte 0 is its lowest, bits behind a token's part
 * are 0. */
size_t gfab_host_slot_bytes(const gfab_host *host);

/* All of the following: IO where the port went away, the board was reset since it was opened, or the line is so bad
 * that no answer came in all tries; FAULT where the fabric itself says that something is wrong; INTERRUPTED. */

/* Loads one slot of a node, slot_bytes. INVALID for no such node or slot. */
gfab_status gfab_host_load(gfab_host *host, uint32_t node, uint32_t slot, const uint8_t *bytes, gfab_diag *diag);
/* Plays a program once, with an operator (0 .. 7, of <gossipfab/fabric/op.h>, less 1) where the fabric has all of them,
 * and waits for its end. *cycles: those that it took. FAULT where it is not over in limit_ms, or was played more than
 * once. INVALID for no such program or operator. */
gfab_status gfab_host_run(gfab_host *host, uint32_t program, uint32_t op, uint32_t limit_ms, uint64_t *cycles,
                          gfab_diag *diag);
/* Reads count slots of a node from slot on, slot_bytes each. INVALID for no such node or slots. */
gfab_status gfab_host_read(gfab_host *host, uint32_t node, uint32_t slot, uint32_t count, uint8_t *bytes,
                           gfab_diag *diag);

/* FAULT where the fabric has noticed a fault since the last start, in a collective or in what was read. Those without
 * protection notice none. */
gfab_status gfab_host_check(gfab_host *host, gfab_diag *diag);

GFAB_C_END
#endif
