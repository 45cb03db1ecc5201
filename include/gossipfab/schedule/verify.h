/* SPDX-License-Identifier: MIT */
/* The checker: replays a schedule under a model, knowing nothing of how it was made. */
#ifndef GOSSIPFAB_VERIFY_H
#define GOSSIPFAB_VERIFY_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

typedef enum gfab_fault {
    GFAB_FAULT_NONE,
    GFAB_FAULT_LINK_BUSY,         /* more packets in a round than a link's weight; full duplex: one way of it; where
                                   * there are switches more tokens than its weight times the longest packet's */
    GFAB_FAULT_WRONG_WAY,         /* a packet against a link's direction */
    GFAB_FAULT_PORT_BUSY,         /* one-port: a node uses a second link in a round; circuit: has a second packet */
    GFAB_FAULT_TOKEN_MISSING,     /* the sender has never had the token */
    GFAB_FAULT_TOKEN_TOO_NEW,     /* the sender has it, but for less than hop_rounds rounds */
    GFAB_FAULT_PACKET_SIZE,       /* a packet of no token, of more than packet_tokens, or with a token twice */
    GFAB_FAULT_PATH_BROKEN,       /* a packet's links do not join up, or its path visits a node twice */
    GFAB_FAULT_PATH_TOO_LONG,     /* a packet past what is no switch under a store-and-forward model */
    GFAB_FAULT_SWITCH_END,        /* a packet that begins or ends at a switch */
    GFAB_FAULT_WRONG_COMBINE,     /* combined in a collective that stores what moves, or at a relay without the block */
    GFAB_FAULT_STORE_CLASH,       /* two messages of one block reach a node in one round, and one of them is stored */
    GFAB_FAULT_COUNTED_TWICE,     /* two partial results that are combined both have a node's contribution */
    GFAB_FAULT_CONTRIBUTION_LOST, /* at the end a total lacks a contribution that no node has any more */
    GFAB_FAULT_PARTIAL_TOTAL,     /* at the end a total lacks a contribution that some node has */
    GFAB_FAULT_INCOMPLETE,        /* at the end a node lacks a token */
    GFAB_FAULT_WRONG_TOPOLOGY     /* the schedule is for another topology */
} gfab_fault;

/* A short hyphenated name, "link-busy". Static. */
const char *gfab_fault_name(gfab_fault fault);

typedef struct gfab_verify_report {
    gfab_fault fault; /* the first fault: lowest round, then order of appending */
    uint32_t round;   /* of the fault; the number of rounds for INCOMPLETE */
    uint32_t link;    /* UINT32_MAX where it does not apply; likewise below */
    uint32_t node;
    uint32_t token;
    uint32_t source;    /* node whose contribution counts twice, or is lacking */
    char message[256];  /* one line saying all of it */
    uint32_t rounds;    /* the schedule's rounds */
    uint64_t moves;     /* link uses; past switches that copy or combine as these count them */
    uint64_t redundant; /* deliveries of a token its receiver had or was getting in that round anyway; not a fault */
    uint64_t missing;   /* deliveries missing at the end (only when nothing else is wrong) */
    uint64_t startups;  /* rounds that have a packet */
    uint64_t transfers; /* sum over the rounds of the tokens of the longest packet; startups, transfers and parts are
                         * the schedule's cost (gossipfab/schedule/cost.h) */
    uint64_t link_transfers; /* sum over the rounds of the most tokens over a link for its weight, in half duplex both
                              * ways together, in parts of a token; at most transfers */
    uint32_t link_parts;     /* so many parts are a token; 4,096 at most: a round's sum is rounded up to them */
    uint64_t path_links;     /* sum over the rounds of the links of the longest path */
    uint32_t parts;          /* of the schedule */
    uint64_t max_link_moves; /* uses of the busiest link, both directions together */
    uint64_t min_link_moves; /* and of the idlest */
} gfab_verify_report;

/* Checks that schedule does what its goal says, on topology under model (which need not be the schedule's own). Returns
 * OK, FAULT (see report->fault), NO_MEMORY, or INTERRUPTED where progress (may be NULL) says so. O(moves) time, O(N x
 * tokens) memory; where contributions are combined O(moves N / 64) time, O(moves + N^2 / 8) memory. The rules, and
 * partial results as sets of contributions: docs/theory/collectives.md.
 *
 * A repeating schedule is held to what makes it right for every number of blocks
 * (docs/theory/long-vectors/periodic.md): its group 0 alone, whose faults are named by the blocks' numbers in the
 * group, and then what moves of it fall in one round when it repeats: then LINK_BUSY and PORT_BUSY name two moves of
 * different groups, and the round in which they first meet. Time and memory as above, of the kept packets and the
 * blocks of a group; the counts below `fault` are of all blocks, but for `missing`, which is of a group. */
gfab_status gfab_verify(const gfab_topology *topology, const gfab_model *model, const gfab_schedule *schedule,
                        const gfab_progress *progress, gfab_verify_report *report);

GFAB_C_END
#endif
