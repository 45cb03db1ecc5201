/* SPDX-License-Identifier: MIT */
/* What nodes have, by playing the rounds: sets of contributions, a bit for each node. A round's packets carry what was
 * there before it, and so there are two of each set. */
#include "show_sets.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *set_of(const show_sets *sets, uint64_t *all, uint32_t node, uint32_t block)
{
    return all + ((size_t)node * sets->goal.blocks + block) * sets->words;
}

int show_sets_begin(show_sets *sets, const gfab_schedule *schedule)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    *sets = (show_sets){.schedule = schedule, .goal = gfab_schedule_goal(schedule)};
    sets->nodes = gfab_topology_node_count(topology);
    sets->combines = gfab_collective_combines(sets->goal.collective);
    sets->full = sets->combines ? (uint32_t)gfab_topology_member_count(topology) : 1;
    sets->words = sets->combines ? (sets->nodes + 63) / 64 : 1;
    sets->now = calloc(sets->nodes * sets->goal.blocks, sets->words * sizeof *sets->now);
    sets->before = calloc(sets->nodes * sets->goal.blocks, sets->words * sizeof *sets->before);
    CLI_NEED("show", sets->now && sets->before);
    for (uint32_t node = 0; node < sets->nodes; node++)
        for (uint32_t block = 0; block < sets->goal.blocks; block++)
            if (!sets->combines)
                *set_of(sets, sets->now, node, block) = gfab_schedule_origin(schedule, block) == node;
            else if (!gfab_topology_is_relay(topology, node))
                set_of(sets, sets->now, node, block)[node / 64] = (uint64_t)1 << node % 64;
    return CLI_GO_ON;
}

void show_sets_release(show_sets *sets)
{
    GFAB_FREE(sets->now, sets->before);
}

static void receive(show_sets *sets, const gfab_packet *packet)
{
    const gfab_topology *topology = gfab_schedule_topology(sets->schedule);
    const uint32_t from = gfab_topology_arc_from(topology, packet->arcs[0]);
    const uint32_t to = gfab_topology_arc_to(topology, packet->arcs[packet->arc_count - 1]);
    for (size_t i = 0; i < packet->token_count; i++) {
        const uint32_t block = packet->tokens[i] & ~GFAB_COMBINE;
        const uint64_t *sent = set_of(sets, sets->before, from, block);
        uint64_t *set = set_of(sets, sets->now, to, block);
        for (size_t w = 0; w < sets->words; w++)
            set[w] = packet->tokens[i] & GFAB_COMBINE ? set[w] | sent[w] : sent[w];
    }
}

void show_sets_play(show_sets *sets, uint32_t round)
{
    gfab_packet_iter packets = gfab_schedule_round(sets->schedule, round);
    memcpy(sets->before, sets->now, sets->nodes * sets->goal.blocks * sets->words * sizeof *sets->now);
    for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
        receive(sets, &packet);
}

uint32_t show_sets_amount(const show_sets *sets, uint32_t node, uint32_t block)
{
    const uint64_t *set = set_of(sets, sets->now, node, block);
    uint32_t amount = 0;
    for (size_t w = 0; w < sets->words; w++)
        amount += (uint32_t)__builtin_popcountll(set[w]);
    return amount;
}
