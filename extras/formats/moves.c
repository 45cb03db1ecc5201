/* SPDX-License-Identifier: MIT */
/* Schedules as lists of moves - round, from, to, block - which is what most other formats consist of. Writers take a
 * schedule apart here, readers build one: moves of a link in a round become a packet again. A relay is skipped where a
 * format knows members only: what node 2 gets from a switch came from node 0, and the move is 0 to 2. */
#include "formats/formats.h"

#include <stdlib.h>

void gfab_moves_push(gfab_moves *moves, const gfab_move *move)
{
    if (moves->failed)
        return;
    if (moves->count == moves->capacity) {
        const size_t capacity = moves->capacity ? 2 * moves->capacity : 64;
        gfab_move *grown = realloc(moves->at, capacity * sizeof *grown);
        moves->failed = !grown;
        if (!grown)
            return;
        moves->at = grown;
        moves->capacity = capacity;
    }
    moves->at[moves->count++] = *move;
}

void gfab_moves_release(gfab_moves *moves)
{
    free(moves->at);
    *moves = (gfab_moves){0};
}

static int compare(const void *a, const void *b)
{
    const gfab_move *x = a, *y = b;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* Does the packet go over one link, or past switches alone? Then it is one move, from its first node to its last. */
static bool is_move(const gfab_topology *topology, const gfab_packet *p)
{
    for (size_t i = 1; i < p->arc_count; i++)
        if (!gfab_topology_is_switch(topology, gfab_topology_arc_from(topology, p->arcs[i])))
            return false;
    return p->arc_count > 0;
}

/* Of a schedule that repeats, `kept`: of its one group. */
static gfab_status collect(const gfab_schedule *schedule, bool kept, gfab_moves *moves, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const uint32_t rounds = kept ? gfab_schedule_kept_rounds(schedule) : gfab_schedule_rounds(schedule);
    for (uint32_t round = 1; round <= rounds; round++) {
        gfab_packet_iter it = kept ? gfab_schedule_kept_round(schedule, round) : gfab_schedule_round(schedule, round);
        for (gfab_packet p; gfab_packet_next(&it, &p);) {
            if (!is_move(topology, &p))
                return GFAB_REFUSE(diag, "round %u has a packet over %zu links; this format has packets over one link",
                                   round, p.arc_count);
            for (uint32_t i = 0; i < p.token_count; i++) {
                const gfab_move move = {.round = round,
                                        .from = gfab_topology_arc_from(topology, p.arcs[0]),
                                        .to = gfab_topology_arc_to(topology, p.arcs[p.arc_count - 1]),
                                        .block = p.tokens[i] & ~GFAB_COMBINE,
                                        .place = i,
                                        .combine = p.tokens[i] & GFAB_COMBINE};
                gfab_moves_push(moves, &move);
            }
        }
    }
    GFAB_NEED_TOLD(!moves->failed, diag);
    if (moves->count)
        qsort(moves->at, moves->count, sizeof *moves->at, compare);
    return GFAB_OK;
}

gfab_status gfab_moves_of(const gfab_schedule *schedule, gfab_moves *moves, gfab_diag *diag)
{
    GFAB_TRY(gfab_schedule_check_listed(schedule, diag));
    return collect(schedule, false, moves, diag);
}

gfab_status gfab_moves_of_group(const gfab_schedule *schedule, gfab_moves *moves, gfab_diag *diag)
{
    return gfab_schedule_period(schedule) ? collect(schedule, true, moves, diag) : gfab_moves_of(schedule, moves, diag);
}

gfab_status gfab_moves_past_relays(const gfab_schedule *schedule, const gfab_moves *moves, const gfab_move ***firsts,
                                   gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const size_t nodes = gfab_topology_node_count(topology), blocks = gfab_schedule_token_count(schedule);
    const bool relays = gfab_topology_marks(topology) & GFAB_MARK_RELAYS;
    const gfab_move **held =
        calloc(relays ? nodes * blocks : 1, sizeof *held); /* what a relay has, by node and block */
    const gfab_move **first = malloc((moves->count + 1) * sizeof *first);
    gfab_status status = held && first ? GFAB_OK : gfab_format_no_memory(diag);
    for (size_t i = 0, end; i < moves->count && status == GFAB_OK; i = end) {
        for (end = i; end < moves->count && moves->at[end].round == moves->at[i].round; end++) {
            const gfab_move *m = &moves->at[end];
            const bool member = gfab_topology_rank(topology, m->from) != GFAB_NO_RANK;
            first[end] = member ? m : held[m->from * blocks + m->block];
        }
        for (size_t j = i; j < end && status == GFAB_OK; j++) {
            const gfab_move *m = &moves->at[j];
            if (m->to == first[j]->from)
                status = GFAB_REFUSE(diag, "node %u gets its own block %u back from a relay", m->to, m->block);
            if (gfab_topology_rank(topology, m->to) != GFAB_NO_RANK)
                continue;
            if (m->combine)
                status = GFAB_REFUSE(diag, "relay %u adds up; here only members do", m->to);
            held[m->to * blocks + m->block] = first[j];
        }
    }
    free(held);
    if (status == GFAB_OK)
        *firsts = first;
    else
        free(first);
    return status;
}

/* Moves of one link in one round: how many from m on, up to so many. */
static size_t of_one_packet(const gfab_move *m, const gfab_move *end, size_t most)
{
    size_t count = 1;
    while (count < most && m + count < end && m[count].round == m->round && m[count].from == m->from &&
           m[count].to == m->to)
        count++;
    return count;
}

gfab_status gfab_moves_append(gfab_moves *moves, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const gfab_model *model = gfab_schedule_model(schedule);
    GFAB_FREED uint32_t *tokens = malloc((moves->count + 1) * sizeof *tokens);
    gfab_status status = tokens && !moves->failed ? GFAB_OK : gfab_format_no_memory(diag);
    if (moves->count && status == GFAB_OK)
        qsort(moves->at, moves->count, sizeof *moves->at, compare);
    for (size_t i = 0, count; i < moves->count && status == GFAB_OK; i += count) {
        const gfab_move *m = &moves->at[i];
        gfab_arc arc = 0;
        const bool found = gfab_topology_find_arc(topology, m->from, m->to, &arc);
        /* Over a link that carries several packets they are full ones. */
        const bool several = found && gfab_topology_arc_weight(topology, arc) > 1;
        count = of_one_packet(m, moves->at + moves->count, several ? model->packet_tokens : SIZE_MAX);
        for (size_t j = 0; j < count; j++)
            tokens[j] = m[j].block | (m[j].combine ? GFAB_COMBINE : 0);
        if (!found)
            status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s has no link from node %u to node %u",
                               gfab_topology_name(topology), m->from, m->to);
        else if ((status = gfab_schedule_append_packet(schedule, m->round, &arc, 1, tokens, count)) != GFAB_OK)
            gfab_fail(diag, 0, status, "block %u in round %u: %s", m->block, m->round, gfab_status_string(status));
    }
    return status;
}

bool gfab_moves_holds(const gfab_schedule *schedule, uint32_t node, uint32_t block)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    if (goal.collective == GFAB_ALL_GATHER) /* nodes may start with different numbers of blocks */
        return gfab_schedule_origin(schedule, block) == node;
    return gfab_goal_node_holds(&goal, gfab_schedule_topology(schedule), node, block);
}
