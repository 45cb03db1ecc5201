/* SPDX-License-Identifier: MIT */
/* Gossip in a strip of a mesh, two or three columns wide, on a ring that changes: Beier & Sibeyn, Lemmas 3 and 4,
 * Figures 1 and 2. A ring in a mesh has an even number of nodes. A strip with an odd number of them has one node too
 * many: it rests, and every few rounds it takes the place of the next one to rest, which lies beside its neighbours on
 * the ring. A last round tells those that rested what they missed. */
#ifndef GOSSIPFAB_SOLVERS_STRIP_H
#define GOSSIPFAB_SOLVERS_STRIP_H

#include <gossipfab/base/arena.h>
#include <gossipfab/base/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows `wide_from` .. `wide_to - 1` are three columns wide, the others two: those above lack the first column, those
 * below the last. */
typedef struct gfab_strip_shape {
    size_t rows;
    size_t wide_from, wide_to; /* an even number of wide rows, or an odd one from row 0 on */
} gfab_strip_shape;

typedef struct gfab_strip {
    size_t nodes;
    uint32_t *row, *column; /* of each node, the strip's first column 0 */
    size_t ring_length;     /* even */
    uint32_t *ring;         /* the nodes on it, in order; the last is beside the first */
    size_t resting;         /* nodes that may rest: as many as there are wide rows, where those are odd in number */
    uint32_t *rests;        /* these nodes in turn; the first is not on the ring */
    size_t links;
    uint32_t *ends; /* two nodes a link */
    gfab_arena arena;
} gfab_strip;

/* NO_MEMORY; to be released whatever is returned. */
gfab_status gfab_strip_create(gfab_strip_shape shape, gfab_strip *strip);
GFAB_HOLDS_ARENA(gfab_strip)

/* What of its knowledge a node sends as its own, of several nodes in the strip that know the same. */
typedef enum gfab_strip_share {
    GFAB_STRIP_ALL,   /* everything, whichever is of use the furthest */
    GFAB_STRIP_EQUAL, /* an equal share each */
    GFAB_STRIP_RING,  /* an equal share, but nodes that may rest have none */
    GFAB_STRIP_SHARES /* how many there are */
} gfab_strip_share;

typedef struct gfab_strip_plan {
    uint32_t rounds; /* on the ring */
    uint32_t shift;  /* 0: round 1 joins ring positions 1 and 2, 3 and 4, ...; 1: 0 and 1, 2 and 3, ... */
    gfab_strip_share share;
    const uint32_t *rest; /* how long each node rests that does, in turn; their sum is rounds */
    const uint32_t *most; /* [rounds + 1] tokens a packet of each round may hold, the last round's included */
} gfab_strip_plan;

/* What each node of the strip knows, as classes of nodes that know the same; borrowed. */
typedef struct gfab_strip_start {
    size_t tokens;            /* they are 0 .. tokens - 1 */
    const uint32_t *class_of; /* by the strip's node */
    const uint32_t *start;    /* class c knows known[start[c]] .. known[start[c + 1] - 1] */
    const uint32_t *known;
} gfab_strip_start;

typedef struct gfab_strip_packet {
    uint32_t round; /* from 1 */
    uint32_t from, to;
    size_t first, count; /* in the list's tokens */
} gfab_strip_packet;

/* All zero is an empty one. Packets in the order of their rounds. */
typedef struct gfab_strip_packets {
    gfab_strip_packet *at;
    size_t count, capacity;
    uint32_t *tokens;
    size_t used, room;
} gfab_strip_packets;

void gfab_strip_packets_release(gfab_strip_packets *packets);

/* Plays a plan. *complete: whether all nodes end with all tokens. longest[rounds + 1]: tokens of each round's longest
 * packet. packets: what is sent is appended to it; or NULL. NO_MEMORY. */
gfab_status gfab_strip_play(const gfab_strip *strip, const gfab_strip_start *start, const gfab_strip_plan *plan,
                            bool *complete, uint32_t *longest, gfab_strip_packets *packets);

#endif
