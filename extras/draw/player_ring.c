/* SPDX-License-Identifier: MIT */
/* What a ring fabric does, as a schedule, because the player plays schedules.
 *
 * A round is a step of the fabric in which arcs carry something. What a node receives in it follows from the step's
 * number alone (docs/guide/ring-fabrics.md): one counter is replayed here, and what is made can be verified by what
 * knows nothing of rings. */
#include "player_internal.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct played {
    const gfab_ring_fabric *ring;
    gfab_schedule *schedule;
    uint32_t *room; /* a number for each ring and node */
} played;

/* Tokens from one node of the fabric to its neighbour. */
static gfab_status append(const played *p, uint32_t round, uint32_t from, uint32_t to, const uint32_t *tokens,
                          size_t count)
{
    const gfab_ring_fabric *ring = p->ring;
    gfab_arc arc;
    if (!gfab_topology_find_arc(ring->topology, ring->order[from], ring->order[to], &arc))
        return GFAB_ERR_INVALID;
    return gfab_schedule_append_packet(p->schedule, round, &arc, 1, tokens, count);
}

/* K tokens side by side: round 1 goes over the chords, the others along the ring. */
static gfab_status add_flows(const played *p)
{
    const gfab_ring_fabric *ring = p->ring;
    const uint32_t nodes = ring->nodes, turn = nodes / ring->abreast;
    for (uint32_t flow = 1; flow < ring->abreast; flow++)
        for (uint32_t v = 0; v < nodes; v++) {
            const uint32_t from = (v + nodes - flow * turn) % nodes;
            GFAB_TRY(append(p, 1, from, v, &ring->order[from], 1));
        }
    for (uint32_t step = 1; step < turn; step++)
        for (uint32_t v = 0; v < nodes; v++) {
            for (uint32_t flow = 0; flow < ring->abreast; flow++)
                p->room[flow] = ring->order[(v + 2 * nodes - flow * turn - step) % nodes];
            GFAB_TRY(append(p, step + 1, (v + nodes - 1) % nodes, v, p->room, ring->abreast));
        }
    return GFAB_OK;
}

/* N - 1 rounds after round `before`: on each ring every node gets the part of the node that is `first` arcs away, then
 * of the next one. A node's part is its number-th for each ring. */
static gfab_status add_turn(const played *p, uint32_t before, uint32_t first, uint32_t number, uint32_t combine)
{
    const gfab_ring_fabric *ring = p->ring;
    uint32_t *home = p->room;
    const uint32_t nodes = ring->nodes, parts = ring->rings * (ring->blocks ? ring->rounds : 1);
    for (size_t i = 0; i < (size_t)ring->rings * nodes; i++) {
        const uint32_t *from = ring->from + i / nodes * nodes;
        home[i] = first > 1 ? from[from[i % nodes]] : from[i % nodes];
    }
    for (uint32_t step = 1; step < nodes; step++)
        for (size_t i = 0; i < (size_t)ring->rings * nodes; i++) {
            const uint32_t *from = ring->from + i / nodes * nodes;
            const uint32_t part = number * ring->rings + (uint32_t)(i / nodes);
            const uint32_t token = (ring->order[home[i]] * parts + part) | combine;
            GFAB_TRY(append(p, before + step, from[i % nodes], (uint32_t)(i % nodes), &token, 1));
            home[i] = from[home[i]];
        }
    return GFAB_OK;
}

/* All that is sent. Of blocks those of each round travel as partial results for N - 1 steps, and in an all-reduce as
 * totals for N - 1 more. */
static gfab_status add_packets(const played *p)
{
    const gfab_ring_fabric *ring = p->ring;
    uint32_t before = 0;
    if (!ring->blocks)
        return ring->abreast > 1 ? add_flows(p) : add_turn(p, 0, 1, 0, 0);
    for (uint32_t number = 0; number < ring->rounds; number++) {
        GFAB_TRY(add_turn(p, before, 2, number, GFAB_COMBINE));
        before += ring->nodes - 1;
        if (ring->collective != GFAB_ALL_REDUCE)
            continue;
        GFAB_TRY(add_turn(p, before, 1, number, 0));
        before += ring->nodes - 1;
    }
    return GFAB_OK;
}

gfab_status gfab_player_ring_schedule(const gfab_ring_fabric *ring, gfab_schedule **schedule)
{
    gfab_model model = gfab_model_default();
    model.link_mode = ring->full_duplex ? GFAB_LINK_FULL : GFAB_LINK_HALF;
    model.packet_tokens = ring->abreast;
    const uint64_t parts = (uint64_t)ring->rings * (ring->blocks ? ring->rounds : 1);
    if (parts * ring->nodes * ring->nodes > GFAB_MAX_PLAYED_MOVES)
        return GFAB_ERR_LIMIT;
    const gfab_goal goal = {.collective = ring->collective, .blocks = (uint32_t)parts * ring->nodes};
    GFAB_FREED uint32_t *room = malloc((size_t)ring->nodes * ring->rings * sizeof *room);
    gfab_status status = room ? gfab_schedule_create(ring->topology, &model, schedule) : GFAB_ERR_NO_MEMORY;
    if (status)
        return status;
    status = ring->blocks         ? gfab_schedule_set_goal(*schedule, &goal, NULL)
             : ring->abreast == 1 ? gfab_schedule_set_load(*schedule, NULL, ring->rings)
                                  : GFAB_OK;
    GFAB_THEN(status, gfab_schedule_set_solver(*schedule, "rings"));
    GFAB_THEN(status, add_packets(&(played){ring, *schedule, room}));
    if (status) {
        gfab_schedule_destroy(*schedule);
        *schedule = NULL;
    }
    return status;
}

/* Cycles from the start to the end of a round. A turn of blocks has steps in which arcs carry nothing: in the last ones
 * they are emptied, and between partial results and totals these become those. */
static uint64_t cycles_of(const gfab_ring_fabric *ring, uint32_t round)
{
    const uint32_t turns = ring->collective == GFAB_ALL_REDUCE ? 2 : 1, moving = turns * (ring->nodes - 1);
    if (!ring->blocks)
        return (uint64_t)round * ring->step_cycles;
    return ((uint64_t)((round - 1) / moving) * ring->steps + (round - 1) % moving + 1) * ring->flits;
}

void gfab_player_put_ring(const gfab_ring_fabric *ring, uint32_t rounds, FILE *file)
{
    fprintf(file, ",\n\"ring\":{\"rings\":%" PRIu32 ",\"abreast\":%" PRIu32 ",\"words\":%" PRIu32 ",\"room\":%" PRIu32,
            ring->rings, ring->abreast, ring->words, ring->padding_blocks);
    fputs(",\n\"order\":[", file);
    for (uint32_t k = 0; k < ring->nodes; k++)
        fprintf(file, k > 0 ? ",%" PRIu32 : "%" PRIu32, ring->order[k]);
    fputs("],\n\"from\":[", file);
    for (size_t i = 0; i < (size_t)ring->rings * ring->nodes; i++)
        fprintf(file, i > 0 ? ",%" PRIu32 : "%" PRIu32, ring->order[ring->from[i]]);
    fputs("],\n\"cycles\":[0", file);
    for (uint32_t round = 1; round <= rounds; round++)
        fprintf(file, ",%" PRIu64, round < rounds ? cycles_of(ring, round) : ring->run_cycles);
    fputs("]}", file);
}
