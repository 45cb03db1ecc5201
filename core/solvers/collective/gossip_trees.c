/* SPDX-License-Identifier: MIT */
/* A node sends a token on only after it has got it, so the first arrivals of a token make a tree with its origin as the
 * root, and rounds rise along every path from it. Read backwards, rounds fall towards the leaves: a node has combined
 * all its children's partial results before it sends its own to its parent, hop_rounds before where the gossip waited
 * so long. A link, a port or a packet is used as often as in the gossip. */
#include "gossip_trees.h"

#include "solvers/candidates.h"

#include <stdlib.h>

/* Room for a packet that is rewritten. */
typedef struct buffer {
    gfab_arc *arcs;
    uint32_t *tokens;
    size_t arc_room, token_room;
} buffer;

static void release(buffer *b)
{
    GFAB_FREE(b->arcs, b->tokens);
}

static gfab_status reserve(buffer *b, const gfab_packet *packet)
{
    if (packet->arc_count > b->arc_room) {
        gfab_arc *arcs = realloc(b->arcs, packet->arc_count * sizeof *arcs);
        GFAB_NEED(arcs);
        b->arcs = arcs;
        b->arc_room = packet->arc_count;
    }
    if (packet->token_count > b->token_room) {
        uint32_t *tokens = realloc(b->tokens, packet->token_count * sizeof *tokens);
        GFAB_NEED(tokens);
        b->tokens = tokens;
        b->token_room = packet->token_count;
    }
    return GFAB_OK;
}

/* Appends to trees what reaches a node that is not yet marked in has, N bits a node. */
static gfab_status keep_first_arrivals(const gfab_schedule *gossip, const gfab_solver_options *options, uint64_t *has,
                                       buffer *b, gfab_schedule *trees)
{
    const gfab_topology *topology = gfab_schedule_topology(gossip);
    const size_t words = (gfab_topology_node_count(topology) + 63) / 64;
    const uint32_t rounds = gfab_schedule_rounds(gossip);
    gfab_status status = GFAB_OK;
    for (uint32_t round = 1; round <= rounds && status == GFAB_OK; round++) {
        gfab_packet_iter packets = gfab_schedule_round(gossip, round);
        status = gfab_solver_report(options, "rounds", round, rounds);
        for (gfab_packet packet; status == GFAB_OK && gfab_packet_next(&packets, &packet);) {
            if ((status = reserve(b, &packet)) != GFAB_OK)
                break;
            uint64_t *to = has + words * gfab_topology_arc_to(topology, packet.arcs[packet.arc_count - 1]);
            size_t count = 0;
            for (size_t i = 0; i < packet.token_count; i++) {
                const uint32_t token = packet.tokens[i];
                if (!(to[token / 64] >> token % 64 & 1))
                    b->tokens[count++] = token;
                to[token / 64] |= (uint64_t)1 << token % 64;
            }
            if (count)
                status = gfab_schedule_append_packet(trees, round, packet.arcs, packet.arc_count, b->tokens, count);
        }
    }
    return status;
}

/* Keeps the shorter of the two in *best. */
/* The shortest gossip of all solvers that keep a token in one piece. */
static gfab_status solve_whole(const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule **gossip, gfab_diag *diag)
{
    const gfab_solver *solver;
    gfab_status status = GFAB_OK;
    for (size_t i = 0; (solver = gfab_candidate_at(i)) && !gfab_solver_cut_short(status); i++) {
        gfab_schedule *made = NULL;
        if (solver->on_request)
            continue;
        status = gfab_solver_applies(solver, topology, model, NULL);
        GFAB_THEN(status, solver->solve(topology, model, options, &made, NULL));
        if (made && gfab_schedule_parts(made) > 1) {
            gfab_schedule_destroy(made);
            made = NULL;
        }
        gfab_solver_keep_shorter(made, gossip);
    }
    if (gfab_solver_cut_short(status))
        return status;
    return *gossip ? GFAB_OK : GFAB_REFUSE(diag, "no gossip that keeps a token in one piece is known here");
}

/* What auto_gossip makes; with one port the shorter of that and of calls. TorGo cuts tokens in parts, which a block's
 * tree can't be: then another solver's. */
static gfab_status solve_gossip(const gfab_topology *topology, const gfab_model *model,
                                const gfab_solver_options *options, gfab_schedule **gossip, gfab_diag *diag)
{
    gfab_status status = gfab_solver_auto_gossip.solve(topology, model, options, gossip, diag);
    if (status == GFAB_OK && gfab_schedule_parts(*gossip) > 1) {
        gfab_schedule_destroy(*gossip);
        *gossip = NULL;
        status = solve_whole(topology, model, options, gossip, diag);
    }
    if (status == GFAB_OK && model->packet_tokens == 1 &&
        gfab_solver_applies(&gfab_solver_calls, topology, model, NULL) == GFAB_OK) {
        const gfab_goal goal = gfab_goal_default(gfab_topology_node_count(topology));
        gfab_solver_options also = *options;
        gfab_schedule *calls = NULL;
        also.goal = &goal;
        const gfab_status called = gfab_solver_calls.solve(topology, model, &also, &calls, NULL);
        gfab_solver_keep_shorter(calls, gossip);
        status = gfab_solver_cut_short(called) ? called : GFAB_OK;
    }
    return GFAB_LEAVE(status, gfab_schedule_destroy, gossip);
}

gfab_status gfab_gossip_trees(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule **trees, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology), words = (nodes + 63) / 64;
    gfab_solver_options plain = *options;
    plain.goal = NULL;
    plain.parameters = NULL;
    plain.rounds = 0;
    *trees = NULL;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *gossip = NULL;
    GFAB_TRY(solve_gossip(topology, model, &plain, &gossip, diag));
    GFAB_FREED uint64_t *has = calloc(nodes * words, sizeof *has);
    GFAB_AT_END(release) buffer b = {NULL, NULL, 0, 0};
    gfab_status status = has ? gfab_schedule_create(topology, model, trees) : GFAB_ERR_NO_MEMORY;
    for (size_t v = 0; has && v < nodes; v++)
        has[v * words + v / 64] |= (uint64_t)1 << v % 64;
    GFAB_THEN(status, keep_first_arrivals(gossip, options, has, &b, *trees));
    return GFAB_LEAVE(status, gfab_schedule_destroy, trees);
}

/* A packet of the trees as one of the schedule, in a round. */
static gfab_status append(const gfab_packet *packet, const gfab_gossip_place *place, uint32_t round, buffer *b,
                          gfab_schedule *schedule)
{
    const bool back = place->backwards;
    GFAB_TRY(reserve(b, packet));
    for (size_t i = 0; i < packet->arc_count; i++)
        b->arcs[i] = back ? packet->arcs[packet->arc_count - 1 - i] ^ 1 : packet->arcs[i];
    for (size_t i = 0; i < packet->token_count; i++)
        b->tokens[i] = (packet->tokens[i] * place->stride + place->first) | (back ? GFAB_COMBINE : 0);
    return gfab_schedule_append_packet(schedule, round, b->arcs, packet->arc_count, b->tokens, packet->token_count);
}

gfab_status gfab_gossip_trees_append(const gfab_schedule *trees, const gfab_solver_options *options,
                                     gfab_gossip_place place, gfab_schedule *schedule)
{
    const uint32_t rounds = gfab_schedule_rounds(trees);
    GFAB_AT_END(release) buffer b = {NULL, NULL, 0, 0};
    for (uint32_t i = 1; i <= rounds; i++) {
        gfab_packet_iter packets = gfab_schedule_round(trees, place.backwards ? rounds + 1 - i : i);
        GFAB_TRY(gfab_solver_report(options, "rounds", i, rounds));
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            GFAB_TRY(append(&packet, &place, place.after + i, &b, schedule));
    }
    return GFAB_OK;
}
