/* SPDX-License-Identifier: MIT */
/* A schedule: for each round the packets that move, each along a path of one
 * link or more, with one token or more. Rounds count from 1. Its tokens are the
 * blocks of its goal (gossipfab/schedule/goal.h).
 * Text form: docs/reference/schedule-format.md. */
#ifndef GOSSIPFAB_SCHEDULE_H
#define GOSSIPFAB_SCHEDULE_H

#include <gossipfab/schedule/goal.h>
#include <gossipfab/schedule/model.h>
#include <gossipfab/topology/topology.h>
#include <stdio.h>

GFAB_C_BEGIN

typedef struct gfab_schedule gfab_schedule;

/* The highest round number; LIMIT above it. */
#define GFAB_MAX_ROUNDS ((uint32_t)1 << 24)

/* The highest round that a repeating schedule is played to; LIMIT above it. */
#define GFAB_MAX_PLAYED_ROUNDS (((uint32_t)1 << 31) - 1)

/* What a file's lines "parts" and "load" may ask for, LIMIT above: parts, and nodes times tokens. A checker needs
 * 4 bytes for each of the latter. */
#define GFAB_MAX_FILE_PARTS ((uint32_t)1 << 16)
#define GFAB_MAX_FILE_HOLDINGS ((uint32_t)1 << 28)

/* Of a schedule kept as one tree, or as one group that repeats, at most so many packets are gone through one by one. */
#define GFAB_MAX_LISTED_PACKETS ((uint32_t)1 << 28)

/* Set in a packet's token: the receiver combines it with what it has. Else it stores it. An all-gather's tokens never
 * have it (INVALID). */
#define GFAB_COMBINE ((uint32_t)1 << 31)

/* A packet as stored: borrowed until the schedule is changed or destroyed. Of a repeating schedule its token is in the
 * iterator, and so until the iterator's next packet. */
typedef struct gfab_packet {
    const gfab_arc *arcs; /* its path, in order: arcs[i] ends where arcs[i+1] starts */
    size_t arc_count;
    const uint32_t *tokens; /* with GFAB_COMBINE where they are combined */
    size_t token_count;
} gfab_packet;

/* An empty schedule, for an all-gather of one token a node. topology is borrowed and must outlive the schedule. */
gfab_status gfab_schedule_create(const gfab_topology *topology, const gfab_model *model, gfab_schedule **schedule);
void gfab_schedule_destroy(gfab_schedule *schedule);
/* Destroys the schedule at this address, for GFAB_AT_END. */
void gfab_schedule_at_end(gfab_schedule **schedule);
/* An empty one of the model, the goal or load, and the solver of another, for a topology of the same nodes.
 * NO_MEMORY. */
gfab_status gfab_schedule_create_like(const gfab_schedule *from, const gfab_topology *topology,
                                      gfab_schedule **schedule);
/* A schedule for weighted links as one for gfab_topology_split's: the packets that a link carries in a round go over
 * one of its links each, in the order of appending. Groups of a repeating schedule are all listed. FAULT where a link
 * carries more than its weight; errors of gfab_schedule_check_listed; NO_MEMORY. */
gfab_status gfab_schedule_split(const gfab_schedule *schedule, const gfab_topology *parallel, gfab_schedule **made,
                                gfab_diag *diag);

/* What it is for. Before the first packet alone (INVALID), in place of what was set before, a load too. An all-gather
 * of k N blocks is a load of k at every node. Errors: those of gfab_goal_check; NO_MEMORY. */
gfab_status gfab_schedule_set_goal(gfab_schedule *schedule, const gfab_goal *goal, gfab_diag *diag);
/* Its goal; of an all-gather the blocks are the tokens of all nodes, even or not. */
gfab_goal gfab_schedule_goal(const gfab_schedule *schedule);

/* What the nodes start with, where it is not one token each. load[v] tokens start at node v, numbered from the first
 * node's on: node v has the tokens first_token(v) .. first_token(v + 1) - 1. NULL stands for `parts` at every member; a
 * relay has none. A token of the schedule is then one of the `parts` pieces (>= 1) that a node's data is cut in, and
 * takes 1 / parts of the transfer of the whole (gossipfab/schedule/cost.h). With one token at node v and none elsewhere
 * the schedule is a broadcast from v. Before the first packet alone (INVALID). INVALID where parts is 0, there is no
 * token, a relay has one, or the goal is not an all-gather; LIMIT above 2^31 - 1 tokens. */
gfab_status gfab_schedule_set_load(gfab_schedule *schedule, const uint32_t *load, uint32_t parts);
/* Keeps it as one tree: only the packets of token 0 are appended, each of one token over one link, and each stands for
 * its translates, one for every node v of the torus: it moves token v over the link that is v further on, where nodes
 * are added coordinate by coordinate, each modulo its side. So memory is that of the tree, 1 / N of what all packets
 * take. Before the first packet, after the goal and the load. INVALID where the topology is no torus, or the schedule
 * not for an all-gather of one token a node; from then on append takes token 0 alone. NO_MEMORY. */
gfab_status gfab_schedule_set_translated(gfab_schedule *schedule);
bool gfab_schedule_translated(const gfab_schedule *schedule);

/* Keeps it as one group that repeats (docs/theory/long-vectors/periodic.md). Only the packets of the first `group`
 * blocks are appended, each of one token over one link, or past switches over several, the tokens numbered as in a
 * goal of `group` blocks. Group g
 * makes the same moves g * period rounds later with the blocks after those of group g - 1: block b of the group is
 * block g * group + b. Of an all-gather or a reduce-scatter, where `group` is a multiple of the N nodes, a node's j-th
 * block of the group is its (g * group / N + j)-th block of all. The goal's blocks B need be no multiple of group, and
 * may be fewer: moves of blocks that the last group has not are left out. Memory is that of the one group. Before the
 * first packet and after the goal. INVALID where period or group is 0, group no multiple of N as above, the goal an
 * all-to-all, a barrier, or an all-gather that starts with other than B / N tokens at each member, where packets may
 * have several tokens or go over several links, or the schedule is kept as one tree; LIMIT where period is above
 * GFAB_MAX_ROUNDS, or the last group begins after GFAB_MAX_PLAYED_ROUNDS, here and in append. */
gfab_status gfab_schedule_set_period(gfab_schedule *schedule, uint32_t period, uint32_t group);
/* 0 where it does not repeat. */
uint32_t gfab_schedule_period(const gfab_schedule *schedule);
/* Blocks of a group; all blocks where it does not repeat. */
uint32_t gfab_schedule_group(const gfab_schedule *schedule);
/* How many groups are played, the last perhaps in part; 1 where it does not repeat. */
uint32_t gfab_schedule_group_count(const gfab_schedule *schedule);
/* A block of the kept group, as it is numbered among all blocks in a group that is played, from 0; UINT32_MAX where
 * that group has it not. Where the schedule does not repeat, the block itself. */
uint32_t gfab_schedule_block_in(const gfab_schedule *schedule, uint32_t group, uint32_t block);
/* And back: the block of the kept group whose moves a block makes; of any length that of a vector as long as it needs
 * to be. Where the schedule does not repeat, the block itself. */
uint32_t gfab_schedule_kept_block(const gfab_schedule *schedule, uint32_t block);
/* Another number of blocks for the same packets of a repeating schedule, whole groups or not. O(kept packets). INVALID
 * where it does not repeat or the collective does not take so many; LIMIT as above; NO_MEMORY. Nothing changes after an
 * error. */
gfab_status gfab_schedule_set_blocks(gfab_schedule *schedule, uint32_t blocks);
/* Says of a repeating schedule that it is for every number of blocks: what is asked of it in rounds and packets is then
 * of one group, until gfab_schedule_set_blocks says how many. INVALID where it does not repeat; else as that call. */
gfab_status gfab_schedule_set_any_length(gfab_schedule *schedule);
bool gfab_schedule_any_length(const gfab_schedule *schedule);
uint32_t gfab_schedule_parts(const gfab_schedule *schedule);
/* True where it is an all-gather and every member has `parts` tokens. */
bool gfab_schedule_even_load(const gfab_schedule *schedule);
/* Of an all-gather how many tokens each member starts with; 0: they differ. */
uint32_t gfab_schedule_load(const gfab_schedule *schedule);
size_t gfab_schedule_token_count(const gfab_schedule *schedule);
/* All-gather: the lowest token that starts at node, or above; node may be the number of nodes, for the number of
 * tokens. */
uint32_t gfab_schedule_first_token(const gfab_schedule *schedule, size_t node);
/* The node that token starts at, where only one has it (all-gather, broadcast, all-to-all). O(log N). */
uint32_t gfab_schedule_origin(const gfab_schedule *schedule, uint32_t token);

/* Adds a packet of one token over one link to a round. Rounds must not fall
 * from one call to the next (INVALID); rounds left out are empty. The arc and
 * the token, which may have GFAB_COMBINE, must exist (INVALID). Nothing else is checked here: a schedule can
 * be wrong, and gfab_verify says how. */
gfab_status gfab_schedule_append(gfab_schedule *schedule, uint32_t round, gfab_arc arc, uint32_t token);
/* The general packet: at least one arc (INVALID otherwise); no token at all is stored, but has no text form. */
gfab_status gfab_schedule_append_packet(gfab_schedule *schedule, uint32_t round, const gfab_arc *arcs, size_t arc_count,
                                        const uint32_t *tokens, size_t token_count);
/* Every packet of another schedule, in its rounds, as by the calls above; of one kept as one tree every translate, of
 * a repeating one every group (errors as of gfab_schedule_check_listed). After an error the packets before the one at
 * fault stay. */
gfab_status gfab_schedule_append_all(gfab_schedule *schedule, const gfab_schedule *from);
/* Who made it, for the file's header: at most 63 letters, digits, '-', and not "-"
 * alone (INVALID otherwise). "" if unknown. */
gfab_status gfab_schedule_set_solver(gfab_schedule *schedule, const char *name);
const char *gfab_schedule_solver(const gfab_schedule *schedule);

const gfab_topology *gfab_schedule_topology(const gfab_schedule *schedule);
const gfab_model *gfab_schedule_model(const gfab_schedule *schedule);
/* Number of the last round that has a packet; 0 for an empty schedule. */
uint32_t gfab_schedule_rounds(const gfab_schedule *schedule);
/* The same of the packets that were appended: of a repeating schedule the last round of group 0. */
uint32_t gfab_schedule_kept_rounds(const gfab_schedule *schedule);
/* Packets, and link uses (a packet over h links counts h), in all rounds; translates and groups count. */
uint64_t gfab_schedule_packet_count(const gfab_schedule *schedule);
uint64_t gfab_schedule_move_count(const gfab_schedule *schedule);
/* Packets that were appended: all, or those of the one tree or group. */
uint64_t gfab_schedule_kept_count(const gfab_schedule *schedule);
/* For what goes through all packets: LIMIT, with a message, for a schedule kept as one tree or group that has more than
 * GFAB_MAX_LISTED_PACKETS; UNSUPPORTED for one of any length. */
gfab_status gfab_schedule_check_listed(const gfab_schedule *schedule, gfab_diag *diag);

/* Iterates over the packets of a round, in the order of appending:
 *   gfab_packet_iter it = gfab_schedule_round(s, round);
 *   while (gfab_packet_next(&it, &packet)) ...
 * A round outside 1..rounds has no packets. Of a schedule kept as one tree it gives each packet's translates, by rising
 * sender; of a repeating one the packets of group after group. */
typedef struct gfab_packet_iter {
    const uint32_t *at;
    const uint32_t *end;
    const gfab_schedule *whole; /* what kept packets stand for more in; NULL: packets as they were appended */
    uint32_t next;              /* one tree: the next translate's sender; repeating: the next group, of .. */
    uint32_t groups_end;        /* .. those before this one */
    uint32_t round;
    uint32_t token; /* of the packet that was given last */
} gfab_packet_iter;
gfab_packet_iter gfab_schedule_round(const gfab_schedule *schedule, uint32_t round);
/* The same, of packets as they were appended: of a schedule kept as one tree those of token 0 alone, of a repeating one
 * those of group 0. */
gfab_packet_iter gfab_schedule_kept_round(const gfab_schedule *schedule, uint32_t round);
bool gfab_packet_next(gfab_packet_iter *iter, gfab_packet *packet);

/* Writes the .gfs text (UNSUPPORTED where a packet has no token or its links do not join up: no
 * text form), or the CSV (round,from,to,token, where the goal is not an all-gather round,from,to,block,combine; rows
 * sorted; only packets of one link and one token, else UNSUPPORTED; errors of gfab_schedule_check_listed). Both are
 * a function of the schedule's content alone, not of the order of appending. IO on a write error; INTERRUPTED by
 * progress, which may be NULL. */
gfab_status gfab_schedule_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                gfab_diag *diag);
gfab_status gfab_schedule_write_csv(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                    gfab_diag *diag);

/* Reads .gfs text from file. On GFAB_OK both results are owned by the caller
 * (destroy the schedule first). Errors: PARSE with the line; LIMIT; IO; NO_MEMORY; INTERRUPTED by progress, which may
 * be NULL. */
gfab_status gfab_schedule_read(FILE *file, const gfab_progress *progress, gfab_topology **topology,
                               gfab_schedule **schedule, gfab_diag *diag);
/* Reads CSV for a given topology, model and goal; NULL is an all-gather of one token a node. */
gfab_status gfab_schedule_read_csv(FILE *file, const gfab_topology *topology, const gfab_model *model,
                                   const gfab_goal *goal, const gfab_progress *progress, gfab_schedule **schedule,
                                   gfab_diag *diag);

GFAB_C_END
#endif
