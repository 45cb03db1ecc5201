/* SPDX-License-Identifier: MIT */
/* From MSCCL's XML to a schedule. A file of ours has the round in each step; any other is carried out, and what it
 * sends gets its rounds from what waits for what. */
#include "msccl.h"

#include <stdlib.h>

/* ---- files of ours ---- */

/* The step that takes what the number-th step of tb to send sends. */
static const gfab_msccl_step *receiver(const gfab_msccl *m, const gfab_msccl_tb *partner, size_t number)
{
    for (size_t i = 0; i < partner->step_count; i++) {
        const gfab_msccl_step *s = &m->steps[partner->first_step + i];
        if ((s->type == GFAB_MSCCL_RECV || s->type == GFAB_MSCCL_RECV_REDUCE_COPY) && number-- == 0)
            return s;
    }
    return NULL;
}

static gfab_status read_sends(const gfab_msccl *m, const gfab_msccl_tb *tb, const gfab_schedule *schedule,
                              gfab_moves *moves)
{
    const size_t blocks = gfab_schedule_token_count(schedule);
    const bool combines = gfab_collective_combines(gfab_schedule_goal(schedule).collective);
    const gfab_msccl_tb *partner = NULL;
    size_t sent = 0;
    for (size_t i = 0; i < tb->step_count; i++) {
        const gfab_msccl_step *s = &m->steps[tb->first_step + i];
        if (s->type != GFAB_MSCCL_SEND)
            continue;
        if (!partner && !(partner = gfab_msccl_partner(m, tb, true)))
            return GFAB_ERR_PARSE;
        const gfab_msccl_step *taken = receiver(m, partner, sent++);
        if (!taken)
            return gfab_fail(m->diag, s->line, GFAB_ERR_PARSE, "no step of GPU %d takes what is sent here", tb->send);
        if (s->round == 0 || s->block >= blocks)
            return gfab_fail(m->diag, s->line, GFAB_ERR_PARSE,
                             "gossipfab's round, from 1, and block, below %zu, are expected in this file", blocks);
        const gfab_move move = {.round = s->round,
                                .from = tb->gpu,
                                .to = (uint32_t)tb->send,
                                .block = s->block,
                                .place = s->place,
                                .combine = taken->type == GFAB_MSCCL_RECV_REDUCE_COPY};
        if (move.combine && !combines)
            return gfab_fail(m->diag, taken->line, GFAB_ERR_PARSE, "nothing is combined in this collective");
        gfab_moves_push(moves, &move);
    }
    return GFAB_OK;
}

static gfab_status read_own(const gfab_msccl *m, gfab_topology **topology, gfab_schedule **schedule, gfab_moves *moves)
{
    GFAB_TRY(gfab_format_read_head(m->head, topology, schedule, m->diag));
    if (gfab_topology_node_count(*topology) != m->nodes)
        return gfab_fail(m->diag, 0, GFAB_ERR_PARSE, "ngpus is %u; gossipfab's head has %zu nodes", m->nodes,
                         gfab_topology_node_count(*topology));
    for (size_t t = 0; t < m->tb_count; t++)
        GFAB_TRY(read_sends(m, &m->tbs[t], *schedule, moves));
    return moves->failed ? gfab_format_no_memory(m->diag) : GFAB_OK;
}

/* ---- files of other tools ---- */

/* The one GPU that never receives, or never sends: MSCCL's files name no root. */
static gfab_status find_root(const gfab_msccl *m, bool broadcast, uint32_t *root)
{
    GFAB_FREED bool *busy = calloc(m->nodes, sizeof *busy);
    uint32_t idle = 0;
    GFAB_NEED_TOLD(busy, m->diag);
    for (size_t t = 0; t < m->tb_count; t++)
        for (size_t i = 0; i < m->tbs[t].step_count; i++) {
            const gfab_msccl_type type = m->steps[m->tbs[t].first_step + i].type;
            const bool receives = gfab_msccl_receives(type);
            busy[m->tbs[t].gpu] |= broadcast ? receives : gfab_msccl_sends(type);
        }
    for (uint32_t v = 0; v < m->nodes; v++)
        if (!busy[v]) {
            *root = v;
            idle++;
        }
    return idle == 1 ? GFAB_OK
                     : GFAB_REFUSE(m->diag, "%u GPUs never %s: which one is the root of the %s is not clear", idle,
                                   broadcast ? "receive" : "send", broadcast ? "broadcast" : "reduce");
}

static gfab_status find_goal(const gfab_msccl *m, gfab_goal *goal)
{
    *goal = (gfab_goal){.collective = m->collective, .blocks = m->chunks};
    if (m->collective == GFAB_ALL_TO_ALL) {
        if (m->chunks % m->nodes != 0)
            return gfab_fail(m->diag, 0, GFAB_ERR_INVALID,
                             "nchunksperloop is %u; of an all-to-all it is a multiple of the %u GPUs", m->chunks,
                             m->nodes);
        goal->blocks = m->nodes * m->nodes;
    }
    if (gfab_collective_has_root(m->collective))
        GFAB_TRY(find_root(m, m->collective == GFAB_BROADCAST, &goal->root));
    return gfab_goal_check(goal, m->nodes, m->diag);
}

/* The graph of what is sent. */
static gfab_status find_topology(const gfab_msccl *m, const gfab_moves *moves, gfab_topology **topology)
{
    GFAB_FREED uint64_t *links = malloc((moves->count + 1) * sizeof *links);
    GFAB_NEED_TOLD(links, m->diag);
    for (size_t i = 0; i < moves->count; i++)
        links[i] = gfab_format_link(moves->at[i].from, moves->at[i].to);
    return gfab_format_graph(m->nodes, links, moves->count, "", topology, m->diag);
}

static gfab_status read_foreign(gfab_msccl *m, const gfab_format_options *options, gfab_topology **topology,
                                gfab_schedule **schedule, gfab_moves *moves)
{
    gfab_goal goal = {0};
    gfab_sets sets;
    if (m->custom)
        return GFAB_REFUSE(m->diag, "coll=\"custom\" is not read: it says not what comes out");
    if (m->collective == GFAB_ALL_TO_ALL && m->chunks != m->nodes)
        return GFAB_REFUSE(m->diag, "nchunksperloop is %u; an all-to-all of one chunk for each of %u GPUs is read",
                           m->chunks, m->nodes);
    gfab_status status = find_goal(m, &goal);
    if (status == GFAB_OK && options->topology && gfab_topology_node_count(options->topology) != m->nodes)
        return gfab_fail(m->diag, 0, GFAB_ERR_INVALID, "ngpus is %u; %s has %zu nodes", m->nodes,
                         gfab_topology_name(options->topology), gfab_topology_node_count(options->topology));
    if (status != GFAB_OK)
        return status;
    gfab_sets_begin(&sets, m->nodes);
    status = gfab_msccl_run(m, &goal, &sets, moves);
    if (status == GFAB_OK && !options->topology)
        status = find_topology(m, moves, topology);
    GFAB_THEN(status, gfab_told(gfab_schedule_create(options->topology ? options->topology : *topology, &options->model,
                                                     schedule),
                                m->diag));
    GFAB_THEN(status, gfab_schedule_set_goal(*schedule, &goal, m->diag));
    GFAB_THEN(status, gfab_moves_time(moves, &sets, *schedule, options->progress, m->diag));
    gfab_sets_end(&sets);
    return status;
}

gfab_status gfab_msccl_read(FILE *file, const gfab_format_options *options, gfab_topology **topology,
                            gfab_schedule **schedule, gfab_diag *diag)
{
    GFAB_AT_END(gfab_msccl_release) gfab_msccl m = {.diag = diag};
    GFAB_AT_END(gfab_moves_release) gfab_moves moves = {0};
    gfab_topology *graph = NULL;
    gfab_schedule *made = NULL;
    gfab_status status = gfab_msccl_parse(file, &m);
    GFAB_THEN(status, m.head ? read_own(&m, &graph, &made, &moves) : read_foreign(&m, options, &graph, &made, &moves));
    GFAB_THEN(status, gfab_moves_append(&moves, made, diag));
    if (status == GFAB_OK) {
        *topology = graph;
        *schedule = made;
    } else {
        gfab_schedule_destroy(made);
        gfab_topology_destroy(graph);
    }
    return status;
}

/* ---- programs as they are ---- */

static gfab_status check_program(gfab_msccl *m)
{
    gfab_goal goal = {.collective = m->collective};
    gfab_sets sets;
    GFAB_AT_END(gfab_moves_release) gfab_moves moves = {0};
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    gfab_status status = GFAB_OK;
    if (m->head && (status = gfab_format_read_head(m->head, &topology, &schedule, m->diag)) == GFAB_OK)
        goal = gfab_schedule_goal(schedule);
    else if (!m->head && !m->custom)
        status = find_goal(m, &goal);
    if (status != GFAB_OK)
        return status;
    gfab_sets_begin(&sets, m->nodes);
    status = gfab_msccl_run(m, &goal, &sets, &moves);
    gfab_sets_end(&sets);
    return status;
}

gfab_status gfab_msccl_check(FILE *file, gfab_msccl_report *report, gfab_diag *diag)
{
    GFAB_AT_END(gfab_msccl_release) gfab_msccl m = {.diag = diag};
    gfab_status status = gfab_msccl_parse(file, &m);
    GFAB_THEN(status, check_program(&m));
    *report = (gfab_msccl_report){.gpus = m.nodes,
                                  .thread_blocks = m.tb_count,
                                  .steps = m.step_count,
                                  .is_custom = m.custom,
                                  .cut = m.collective == GFAB_ALL_TO_ALL && m.nodes ? m.chunks / m.nodes : 1};
    return status;
}
