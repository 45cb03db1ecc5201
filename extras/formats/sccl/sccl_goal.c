/* SPDX-License-Identifier: MIT */
/* What a file of SCCL's is for, found from who has and who wants each chunk, and what its moves carry. */
#include "sccl.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static gfab_status unsupported(const gfab_sccl *r, const char *why)
{
    return GFAB_REFUSE(r->diag, "collective.chunks: %s; what gossipfab list collectives has is read", why);
}

static int by_address(const void *a, const void *b)
{
    const gfab_sccl_chunk *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->holder > y->holder) - (x->holder < y->holder);
}

/* By the node that has or wants it, then by address: as blocks are numbered by their owners. */
static int by_holder(const void *a, const void *b)
{
    const gfab_sccl_chunk *x = a, *y = b;
    return x->holder != y->holder ? (x->holder > y->holder) - (x->holder < y->holder) : by_address(a, b);
}

static int by_wanting(const void *a, const void *b)
{
    const gfab_sccl_chunk *x = a, *y = b;
    return x->wanted_by != y->wanted_by ? (x->wanted_by > y->wanted_by) - (x->wanted_by < y->wanted_by)
                                        : by_address(a, b);
}

static int compare_blocks(const void *a, const void *b)
{
    const gfab_sccl_block *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* Chunks of an address stand together: one each, or a contribution of every node each. */
static gfab_status check_addresses(const gfab_sccl *r, bool *combines)
{
    const gfab_sccl_chunk *c = r->chunks;
    *combines = r->chunk_count > 1 && c[1].address == c[0].address;
    const size_t each = *combines ? r->nodes : 1;
    if (r->chunk_count % each != 0)
        return unsupported(r, "some address has more chunks than another");
    for (size_t i = 0; i < r->chunk_count; i++) {
        if (c[i].address != c[i - i % each].address || (i % each == 0 && i > 0 && c[i].address == c[i - 1].address))
            return unsupported(r, "some address has more chunks than another");
        if (*combines && (c[i].holder != i % each || c[i].wanted_by != c[i - i % each].wanted_by))
            return unsupported(r, "the contributions to an address are not one from each node, wanted alike");
    }
    return GFAB_OK;
}

typedef struct counts {
    bool all, none_all;           /* every block is wanted by all; none is */
    bool one_holder, one_wanting; /* the same for every block */
} counts;

static counts count(const gfab_sccl *r)
{
    counts n = {true, true, true, true};
    for (size_t i = 0; i < r->chunk_count; i++) {
        const gfab_sccl_chunk *c = &r->chunks[i];
        n.all = n.all && c->wanted_by == GFAB_SCCL_ALL;
        n.none_all = n.none_all && c->wanted_by != GFAB_SCCL_ALL;
        n.one_holder = n.one_holder && c->holder == r->chunks[0].holder;
        n.one_wanting = n.one_wanting && c->wanted_by == r->chunks[0].wanted_by;
    }
    return n;
}

/* As many at each node as gfab_goal_owner says, chunks being in its order. */
static bool is_even(const gfab_sccl *r)
{
    const size_t each = r->chunk_count / r->nodes;
    bool even = r->chunk_count % r->nodes == 0;
    for (size_t i = 0; i < r->chunk_count && even; i++)
        even = r->chunks[i].wanted_by == i / each;
    return even;
}

static gfab_status set_load(gfab_sccl *r)
{
    GFAB_FREED uint32_t *load = calloc(r->nodes, sizeof *load);
    GFAB_NEED_TOLD(load, r->diag);
    for (size_t i = 0; i < r->chunk_count; i++)
        load[r->chunks[i].holder]++;
    const gfab_status status = gfab_schedule_set_load(r->schedule, load, 1);
    return status == GFAB_OK ? status
                             : gfab_fail(r->diag, 0, status, "collective.chunks: %s", gfab_status_string(status));
}

/* Nothing is combined. */
static gfab_status find_moving(gfab_sccl *r, gfab_goal *goal)
{
    const counts n = count(r);
    if (n.all && n.one_holder) {
        *goal = (gfab_goal){.collective = GFAB_BROADCAST, .root = r->chunks[0].holder};
        return GFAB_OK;
    }
    qsort(r->chunks, r->chunk_count, sizeof *r->chunks, n.none_all ? by_wanting : by_holder);
    if (n.all) {
        *goal = (gfab_goal){.collective = GFAB_ALL_GATHER};
        return set_load(r);
    }
    const uint64_t pairs = (uint64_t)r->nodes * r->nodes;
    if (!n.none_all || r->chunk_count != pairs)
        return unsupported(r, "neither an all-gather nor a broadcast nor an all-to-all");
    for (size_t i = 0; i < r->chunk_count; i++) /* one each way: block u N + v goes from u to v */
        for (size_t j = i - i % r->nodes; j < i; j++)
            if (r->chunks[i].wanted_by != i / r->nodes || r->chunks[j].holder == r->chunks[i].holder)
                return unsupported(r, "not one chunk for every pair of nodes");
    *goal = (gfab_goal){.collective = GFAB_ALL_TO_ALL};
    return GFAB_OK;
}

/* Contributions are combined; one chunk of each address is left. */
static gfab_status find_combining(gfab_sccl *r, gfab_goal *goal)
{
    const counts n = count(r);
    if (n.all) {
        *goal = (gfab_goal){.collective = GFAB_ALL_REDUCE};
        return GFAB_OK;
    }
    if (n.none_all && n.one_wanting) {
        *goal = (gfab_goal){.collective = GFAB_REDUCE, .root = r->chunks[0].wanted_by};
        return GFAB_OK;
    }
    qsort(r->chunks, r->chunk_count, sizeof *r->chunks, by_wanting);
    if (!is_even(r))
        return unsupported(r, "neither an all-reduce nor a reduce nor a reduce-scatter");
    *goal = (gfab_goal){.collective = GFAB_REDUCE_SCATTER};
    return GFAB_OK;
}

static gfab_status number_blocks(gfab_sccl *r, const gfab_goal *goal)
{
    r->block_count = r->chunk_count;
    r->blocks = malloc(r->block_count * sizeof *r->blocks);
    GFAB_NEED_TOLD(r->blocks, r->diag);
    for (uint32_t i = 0; i < r->chunk_count; i++) {
        const gfab_sccl_chunk *c = &r->chunks[i];
        r->blocks[i] = (gfab_sccl_block){c->address,
                                         goal->collective == GFAB_ALL_TO_ALL ? c->holder * r->nodes + c->wanted_by : i};
    }
    qsort(r->blocks, r->block_count, sizeof *r->blocks, compare_blocks);
    return GFAB_OK;
}

gfab_status gfab_sccl_find_goal(gfab_sccl *r)
{
    gfab_goal goal = {0};
    bool combines = false;
    if (r->chunk_count >= (uint32_t)1 << 31)
        return gfab_fail(r->diag, 0, GFAB_ERR_LIMIT, "collective.chunks: 2^31 or more");
    qsort(r->chunks, r->chunk_count, sizeof *r->chunks, by_address);
    GFAB_TRY(check_addresses(r, &combines));
    if (combines) {
        r->chunk_count /= r->nodes;
        for (size_t i = 1; i < r->chunk_count; i++)
            r->chunks[i] = r->chunks[i * r->nodes];
    }
    GFAB_TRY(combines ? find_combining(r, &goal) : find_moving(r, &goal));
    goal.blocks = (uint32_t)r->chunk_count;
    if (goal.collective != GFAB_ALL_GATHER)
        GFAB_TRY(gfab_schedule_set_goal(r->schedule, &goal, r->diag));
    return number_blocks(r, &goal);
}

bool gfab_sccl_find_block(const gfab_sccl *r, uint32_t address, uint32_t *block)
{
    if (!r->blocks) {
        *block = address;
        return address < gfab_schedule_token_count(r->schedule);
    }
    const gfab_sccl_block key = {.address = address};
    const gfab_sccl_block *found = bsearch(&key, r->blocks, r->block_count, sizeof key, compare_blocks);
    if (found)
        *block = found->block;
    return found;
}

/* ---- what moves ---- */

/* How a block stands at a node. */
typedef struct holding {
    uint32_t now, next;
} holding;

/* The moves of a step, all of which read what there was before it: what they carry, and whether it is combined. */
static gfab_status replay_step(gfab_sccl *r, gfab_sets *sets, holding *holdings, size_t first, size_t end)
{
    const size_t blocks = gfab_schedule_token_count(r->schedule);
    const bool combines = gfab_collective_combines(gfab_schedule_goal(r->schedule).collective);
    for (size_t i = first; i < end; i++) {
        gfab_move *m = &r->moves.at[i];
        holding *to = &holdings[m->to * blocks + m->block];
        m->set = holdings[m->from * blocks + m->block].now;
        if (m->set == 0)
            return gfab_fail(r->diag, 0, GFAB_ERR_FAULT, "steps[%u]: node %u sends node %u what it does not have",
                             m->round - 1, m->from, m->to);
        m->combine = combines && gfab_sets_disjoint(sets, to->next, m->set);
        if (combines && !m->combine && !gfab_sets_within(sets, to->next, m->set))
            return gfab_fail(r->diag, 0, GFAB_ERR_FAULT,
                             "steps[%u]: what node %u sends node %u has contributions that are there already",
                             m->round - 1, m->from, m->to);
        to->next = gfab_sets_union(sets, to->next, m->set);
    }
    for (size_t i = first; i < end; i++) {
        holding *to = &holdings[r->moves.at[i].to * blocks + r->moves.at[i].block];
        to->now = to->next;
    }
    return GFAB_OK;
}

static gfab_status replay(gfab_sccl *r, gfab_sets *sets)
{
    const size_t blocks = gfab_schedule_token_count(r->schedule);
    if (r->nodes * (uint64_t)blocks > GFAB_MAX_FILE_HOLDINGS)
        return gfab_fail(r->diag, 0, GFAB_ERR_LIMIT, "%u nodes times %zu chunks; at most %u are supported", r->nodes,
                         blocks, GFAB_MAX_FILE_HOLDINGS);
    GFAB_FREED holding *holdings = calloc(r->nodes * blocks, sizeof *holdings);
    GFAB_NEED_TOLD(holdings, r->diag);
    for (uint32_t v = 0; v < r->nodes; v++)
        for (uint32_t b = 0; b < blocks; b++)
            if (gfab_moves_holds(r->schedule, v, b))
                holdings[v * blocks + b].now = holdings[v * blocks + b].next = gfab_sets_single(sets, v);
    gfab_status status = GFAB_OK;
    for (size_t i = 0, end; i < r->moves.count && status == GFAB_OK; i = end) {
        for (end = i; end < r->moves.count && r->moves.at[end].round == r->moves.at[i].round; end++)
            continue;
        status = replay_step(r, sets, holdings, i, end);
    }
    return status == GFAB_OK && sets->failed ? gfab_format_no_memory(r->diag) : status;
}

gfab_status gfab_sccl_add_step(gfab_sccl *r, uint32_t rounds)
{
    const uint64_t end = (r->steps ? r->ends[r->steps - 1] : 0) + (uint64_t)rounds;
    if (end > GFAB_MAX_ROUNDS)
        return gfab_fail(r->diag, 0, GFAB_ERR_LIMIT, "steps: more than %u rounds", GFAB_MAX_ROUNDS);
    GFAB_NEED_TOLD(gfab_grow(&r->ends, r->steps, &r->step_room, sizeof *r->ends), r->diag);
    r->ends[r->steps++] = (uint32_t)end;
    return GFAB_OK;
}

/* Gives a move the earliest of its step's rounds in which its link has room; false where none has. */
static bool place(const gfab_sccl *r, gfab_move *m, uint32_t *used, uint32_t *step)
{
    const gfab_model *model = gfab_schedule_model(r->schedule);
    const uint32_t first = m->round > 1 ? r->ends[m->round - 2] : 0, end = r->ends[m->round - 1];
    gfab_arc arc = 0;
    gfab_topology_find_arc(r->topology, m->from, m->to, &arc);
    const uint64_t room = (uint64_t)model->packet_tokens * gfab_topology_arc_weight(r->topology, arc);
    used[arc] = step[arc] == m->round ? used[arc] + 1 : 1;
    step[arc] = m->round;
    if (room == 0 || (model->link_mode != GFAB_LINK_FULL && step[arc ^ 1] == m->round))
        return false;
    m->round = first + 1 + (uint32_t)((used[arc] - 1) / room);
    return m->round <= end;
}

/* Every move in a round of its step, where the links have room. All of a step was there before it, so that any of its
 * rounds will do; but where contributions are combined, and it takes several, what a node sends could be changed. */
static gfab_status fit(gfab_sccl *r, gfab_move *moves, bool *good)
{
    const size_t arcs = 2 * gfab_topology_link_count(r->topology);
    GFAB_FREED uint32_t *used = calloc(arcs, sizeof *used), *step = calloc(arcs, sizeof *step);
    const gfab_status status = used && step ? GFAB_OK : gfab_format_no_memory(r->diag);
    const bool combines = gfab_collective_combines(gfab_schedule_goal(r->schedule).collective);
    *good = !combines || r->steps == 0 || r->ends[r->steps - 1] == r->steps;
    for (size_t i = 0; i < r->moves.count && *good && status == GFAB_OK; i++)
        *good = place(r, &moves[i], used, step);
    return status;
}

/* In rounds of the steps, or else all anew. */
static gfab_status time_moves(gfab_sccl *r, gfab_sets *sets, const gfab_progress *progress)
{
    bool good = false;
    GFAB_FREED gfab_move *moves = malloc((r->moves.count + 1) * sizeof *moves);
    GFAB_NEED_TOLD(moves, r->diag);
    if (r->moves.count)
        memcpy(moves, r->moves.at, r->moves.count * sizeof *moves);
    const gfab_status status = fit(r, moves, &good);
    if (status == GFAB_OK && good && r->moves.count)
        memcpy(r->moves.at, moves, r->moves.count * sizeof *moves);
    return status == GFAB_OK && !good ? gfab_moves_time(&r->moves, sets, r->schedule, progress, r->diag) : status;
}

gfab_status gfab_sccl_time(gfab_sccl *r, const gfab_progress *progress)
{
    gfab_sets sets;
    gfab_sets_begin(&sets, r->nodes);
    gfab_status status = replay(r, &sets);
    GFAB_THEN(status, time_moves(r, &sets, progress));
    gfab_sets_end(&sets);
    return status;
}
