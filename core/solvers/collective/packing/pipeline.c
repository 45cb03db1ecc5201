/* SPDX-License-Identifier: MIT */
/* List scheduling modulo the period: round by round each link takes the messages that can go and have the longest way
 * before them, if it is free in all rounds that are the same modulo the period. */
#include "pipeline.h"

#include "base/ascending.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_PIPELINE_NONE
#define EARLY ((uint32_t)1 << 31)

/* ---- setting up ---- */

static bool allocate(gfab_pipeline *p)
{
    const size_t moves = 2 * (size_t)p->cells;
    p->weight = gfab_arena_zeroed(&p->arena, p->resources, sizeof *p->weight);
    GFAB_ARRAYS(&p->arena, p->cells, p->parent, p->child, p->wait, p->first);
    p->child_from = gfab_arena_zeroed(&p->arena, (size_t)p->cells + 1, sizeof *p->child_from);
    GFAB_ARRAYS(&p->arena, p->trees, p->twin, p->last, p->meet, p->pair);
    GFAB_ARRAYS(&p->arena, moves, p->resource, p->tail, p->round, p->key);
    p->used = gfab_arena_zeroed2(&p->arena, p->resources, p->period, sizeof *p->used);
    gfab_ready_create(&p->ready, &p->arena, moves, p->resources, p->hop);
    return !p->arena.failed;
}

gfab_arc gfab_pipeline_arc(const gfab_pipeline *p, uint32_t move)
{
    const uint32_t link = p->up[move / 2], node = move / 2 % p->nodes;
    const bool from_first = gfab_topology_link(p->topology, link).node[0] == node;
    return 2 * link + (from_first == (move % 2 == 1));
}

/* Parents, children, and what each move takes. */
static void find_families(gfab_pipeline *p)
{
    for (gfab_arc arc = 0; arc < 2 * p->images->links; arc++)
        p->weight[p->full ? p->images->arc_class[arc] : p->images->link_class[arc / 2]] =
            gfab_topology_weight(p->topology, arc / 2);
    for (uint32_t cell = 0; cell < p->cells; cell++) {
        p->parent[cell] = NONE;
        if (p->up[cell] == NONE)
            continue;
        const gfab_link link = gfab_topology_link(p->topology, p->up[cell]);
        p->parent[cell] = cell - cell % p->nodes + (link.node[0] ^ link.node[1] ^ cell % p->nodes);
        p->child_from[p->parent[cell] + 1]++;
        for (uint32_t move = 2 * cell; move < 2 * cell + 2; move++) {
            const gfab_arc arc = gfab_pipeline_arc(p, move);
            p->resource[move] = p->full ? p->images->arc_class[arc] : p->images->link_class[arc / 2];
            gfab_ready_count(&p->ready, p->resource[move]);
        }
    }
    gfab_ready_cut(&p->ready);
    for (uint32_t cell = 0; cell < p->cells; cell++)
        p->child_from[cell + 1] += p->child_from[cell];
    memset(p->wait, 0, p->cells * sizeof *p->wait);
    for (uint32_t cell = 0; cell < p->cells; cell++)
        if (p->parent[cell] != NONE)
            p->child[p->child_from[p->parent[cell]] + p->wait[p->parent[cell]]++] = cell;
}

/* Of a root: its deepest child, unless there is another one as deep, or deeper than one link less. */
static uint32_t find_twin(const gfab_pipeline *p, uint32_t root)
{
    uint32_t best = NONE, highest = 0, second = 0;
    for (uint32_t i = p->child_from[root]; i < p->child_from[root + 1]; i++) {
        const uint32_t height = p->tail[2 * p->child[i] + 1];
        if (height > highest) {
            second = highest;
            highest = height;
            best = p->child[i];
        } else if (height > second) {
            second = height;
        }
    }
    const bool relays = gfab_topology_is_relay(p->topology, root % p->nodes) ||
                        (best != NONE && gfab_topology_is_relay(p->topology, best % p->nodes));
    const bool apart = best != NONE && p->resource[2 * best] != p->resource[2 * best + 1];
    return p->full && highest > second && !relays && apart ? best : NONE;
}

/* Down moves first: the links on the longest way to a leaf. Before a move up there is the way to the root, and then the
 * longest one down. */
static void find_tails(gfab_pipeline *p)
{
    for (uint32_t cell = 0; cell < p->cells; cell++) {
        uint32_t height = 1;
        for (uint32_t at = cell; p->parent[at] != NONE && p->tail[2 * at + 1] < height; at = p->parent[at])
            p->tail[2 * at + 1] = height++;
    }
    for (uint32_t tree = 0; tree < p->trees; tree++)
        p->twin[tree] = NONE;
    for (uint32_t cell = 0; cell < p->cells; cell++) {
        uint32_t above = 0, at = cell, down = 0;
        if (p->parent[cell] == NONE && p->child_from[cell] != p->child_from[cell + 1])
            p->twin[cell / p->nodes] = find_twin(p, cell);
        for (; p->parent[at] != NONE; at = p->parent[at])
            above++;
        for (uint32_t i = p->child_from[at]; i < p->child_from[at + 1]; i++)
            down = p->tail[2 * p->child[i] + 1] > down ? p->tail[2 * p->child[i] + 1] : down;
        p->tail[2 * cell] = above + down;
    }
}

gfab_status gfab_pipeline_create(const gfab_images *images, const gfab_model *model, uint32_t trees, uint32_t period,
                                 const uint32_t *up, gfab_pipeline *pipeline)
{
    const uint32_t nodes = images->nodes;
    const bool full = model->link_mode == GFAB_LINK_FULL;
    *pipeline = (gfab_pipeline){.topology = images->topology,
                                .images = images,
                                .nodes = nodes,
                                .trees = trees,
                                .cells = trees * nodes,
                                .period = period,
                                .hop = model->hop_rounds,
                                .resources = full ? images->arc_classes : images->link_classes,
                                .full = full,
                                .up = up,
                                .random = 1};
    GFAB_NEED(allocate(pipeline));
    find_families(pipeline);
    find_tails(pipeline);
    return GFAB_OK;
}

/* ---- the run ---- */

/* A node has its total: it goes down to the children. */
static void spread(gfab_pipeline *p, uint32_t cell, uint32_t round)
{
    for (uint32_t i = p->child_from[cell]; i < p->child_from[cell + 1]; i++)
        if (!gfab_pipeline_is_twin(p, p->child[i]))
            gfab_ready_allow(&p->ready, 2 * p->child[i] + 1, round);
}

/* All that a node waits for has come up to it. */
static void complete(gfab_pipeline *p, uint32_t cell, uint32_t round)
{
    const uint32_t tree = cell / p->nodes, twin = p->twin[tree];
    const bool root = p->parent[cell] == NONE;
    if (twin != NONE && (root || cell == twin)) {
        if (--p->meet[tree] == 0)
            gfab_ready_allow(&p->ready, 2 * twin, round);
    } else if (root) {
        spread(p, cell, round);
    } else {
        gfab_ready_allow(&p->ready, 2 * cell, round);
    }
}

static void note(gfab_pipeline *p, uint32_t move, uint32_t round)
{
    uint32_t *last = &p->last[move / 2 / p->nodes];
    p->round[move] = round;
    *last = round > *last ? round : *last;
    p->used[(size_t)p->resource[move] * p->period + round % p->period]++;
}

/* False where it may not come in this round: the first message that comes up to a relay comes alone. */
static bool move_on(gfab_pipeline *p, uint32_t move, uint32_t round)
{
    const uint32_t cell = move / 2, parent = p->parent[cell];
    if (move % 2 == 0 && p->first[parent] == round && gfab_topology_is_relay(p->topology, parent % p->nodes))
        return false;
    note(p, move, round);
    if (move % 2) {
        spread(p, cell, round + p->hop);
        return true;
    }
    if (p->first[parent] == 0)
        p->first[parent] = round;
    if (--p->wait[parent] == 0)
        complete(p, parent, round + p->hop);
    return true;
}

static bool has_room(const gfab_pipeline *p, uint32_t resource, uint32_t round)
{
    return p->used[(size_t)resource * p->period + round % p->period] < p->weight[resource];
}

/* The exchanges that have room both ways. One that has found none in a whole period never will: root and twin then do
 * without it. Returns how many moves were made. */
static uint32_t exchange(gfab_pipeline *p, uint32_t round)
{
    uint32_t kept = 0, made = 0;
    for (uint32_t i = 0; i < p->pairs; i++) {
        const uint32_t twin = p->pair[i], tree = twin / p->nodes;
        if (!has_room(p, p->resource[2 * twin], round) || !has_room(p, p->resource[2 * twin + 1], round)) {
            if (round - p->meet[tree] < p->period) {
                p->pair[kept++] = twin;
                continue;
            }
            p->twin[tree] = NONE;
            p->wait[p->parent[twin]] = 1;
            gfab_ready_allow(&p->ready, 2 * twin, round + 1);
            continue;
        }
        note(p, 2 * twin, round);
        note(p, 2 * twin + 1, round);
        spread(p, twin, round + p->hop);
        spread(p, p->parent[twin], round + p->hop);
        made += 2;
    }
    p->pairs = kept;
    return made;
}

/* How many moves there are. */
static uint32_t set_up(gfab_pipeline *p, uint32_t early)
{
    uint32_t count = 0;
    memset(p->used, 0, (size_t)p->resources * p->period * sizeof *p->used);
    memset(p->last, 0, p->trees * sizeof *p->last);
    memset(p->first, 0, p->cells * sizeof *p->first);
    for (uint32_t tree = 0; tree < p->trees; tree++)
        p->meet[tree] = 2;
    p->pairs = 0;
    for (uint32_t cell = 0; cell < p->cells; cell++) {
        const uint32_t twin = p->twin[cell / p->nodes];
        const bool meets = p->parent[cell] == NONE && twin != NONE && p->parent[twin] == cell;
        p->wait[cell] = p->child_from[cell + 1] - p->child_from[cell] - meets;
        for (uint32_t move = 2 * cell; move < 2 * cell + 2; move++)
            p->key[move] =
                (cell / p->nodes < early ? EARLY : 0) | p->tail[move] << 10 | gfab_random_below(&p->random, 1 << 10);
        count += p->parent[cell] != NONE ? 2 : 0;
        if (p->wait[cell] == 0 && (p->parent[cell] != NONE || meets))
            complete(p, cell, 1);
    }
    return count;
}

uint32_t gfab_pipeline_rest(const gfab_pipeline *p, uint32_t blocks)
{
    return (blocks - 1) % (p->trees * p->images->count) / p->images->count + 1;
}

void gfab_pipeline_run(gfab_pipeline *p, uint32_t early)
{
    uint32_t left = set_up(p, early);
    for (uint32_t round = 1; left; round++) {
        for (uint32_t next, move = gfab_ready_due(&p->ready, round); move != NONE; move = next) {
            next = p->ready.next[move];
            if (!gfab_pipeline_is_twin(p, move / 2)) {
                gfab_ready_push(&p->ready, p->resource[move], ~(uint64_t)p->key[move], move);
                continue;
            }
            p->meet[move / 2 / p->nodes] = round;
            p->pair[p->pairs++] = move / 2;
        }
        left -= exchange(p, round);
        for (uint32_t r = 0; r < p->resources; r++)
            while (p->ready.size[r] > 0 && has_room(p, r, round)) {
                const uint32_t move = gfab_ready_pop(&p->ready, r);
                if (move_on(p, move, round))
                    left--;
                else
                    gfab_ready_allow(&p->ready, move, round + 1);
            }
    }
}

/* ---- what it makes ---- */

uint32_t *gfab_pipeline_save(const gfab_pipeline *p)
{
    const size_t moves = 2 * (size_t)p->cells;
    uint32_t *saved = malloc((moves + 2 * (size_t)p->trees) * sizeof *saved);
    if (!saved)
        return NULL;
    memcpy(saved, p->round, moves * sizeof *saved);
    memcpy(saved + moves, p->last, p->trees * sizeof *saved);
    memcpy(saved + moves + p->trees, p->twin, p->trees * sizeof *saved);
    return saved;
}

void gfab_pipeline_restore(gfab_pipeline *p, const uint32_t *saved)
{
    const size_t moves = 2 * (size_t)p->cells;
    memcpy(p->round, saved, moves * sizeof *saved);
    memcpy(p->last, saved + moves, p->trees * sizeof *saved);
    memcpy(p->twin, saved + moves + p->trees, p->trees * sizeof *saved);
}

gfab_status gfab_pipeline_rounds(const gfab_pipeline *p, uint32_t blocks, uint64_t *rounds)
{
    const uint32_t group = p->trees * p->images->count;
    GFAB_FREED uint32_t *sorted = malloc(p->trees * sizeof *sorted);
    GFAB_NEED(sorted);
    memcpy(sorted, p->last, p->trees * sizeof *sorted);
    qsort(sorted, p->trees, sizeof *sorted, gfab_ascending32);
    const uint64_t groups = (blocks - 1) / group;
    *rounds = groups * p->period + sorted[gfab_pipeline_rest(p, blocks) - 1];
    if (groups > 0 && (groups - 1) * p->period + sorted[p->trees - 1] > *rounds)
        *rounds = (groups - 1) * p->period + sorted[p->trees - 1];
    return GFAB_OK;
}
