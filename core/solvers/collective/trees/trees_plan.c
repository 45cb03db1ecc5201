/* SPDX-License-Identifier: MIT */
/* A plan of trees in time: what is free, and how a tree takes and gives back its slots. Searches attach and detach
 * nodes millions of times, so that each channel's free rounds are a bit set, a word for 64 rounds, and "the first free
 * round from 17 on" is a few instructions. A tree is grown by Dijkstra's algorithm over rounds: the length of a way is
 * when it arrives, and a list for each round takes the place of a heap. An in-tree is grown as the out-tree that it is
 * when time runs backwards, so that one algorithm makes both. */
#include "trees_plan.h"

#include "base/progress.h"

#include <string.h>

#define NONE GFAB_TREES_NONE

static bool allocate(gfab_trees_plan *p, uint32_t blocks)
{
    const size_t slots = (size_t)p->channels * p->period, trees = p->tree_count;
    GFAB_ARRAYS(&p->arena, p->arcs, p->from, p->to, p->channel);
    p->free = gfab_arena_zeroed2(&p->arena, p->channels, p->words, sizeof *p->free);
    p->owner = gfab_arena_zeroed(&p->arena, slots, sizeof *p->owner);
    p->trees = gfab_arena_zeroed(&p->arena, trees, sizeof *p->trees);
    GFAB_ARRAYS(&p->arena, p->cell_count, p->cells, p->children);
    p->exchanges = gfab_arena_zeroed2(&p->arena, blocks, GFAB_TREES_MAX_EXCHANGES, sizeof *p->exchanges);
    p->head = gfab_arena_zeroed(&p->arena, ((size_t)p->rounds + 1), sizeof *p->head);
    p->next = gfab_arena_zeroed(&p->arena, p->arcs, sizeof *p->next);
    GFAB_ARRAYS(&p->arena, p->nodes, p->best, p->best_arc);
    return !p->arena.failed;
}

static uint32_t count_channels(const gfab_images *images, size_t links, bool full)
{
    if (images)
        return full ? images->arc_classes : images->link_classes;
    return (uint32_t)(full ? 2 * links : links);
}

static uint32_t find_channel(const gfab_images *images, gfab_arc arc, bool full)
{
    if (images)
        return full ? images->arc_class[arc] : images->link_class[arc / 2];
    return full ? arc : arc / 2;
}

gfab_status gfab_trees_plan_create(const gfab_topology *topology, const gfab_model *model, gfab_trees_shape shape,
                                   uint64_t seed, gfab_trees_plan *plan)
{
    const uint32_t rounds = shape.rounds, period = shape.period;
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const uint32_t each = (uint32_t)shape.in + shape.out, trees = shape.blocks * each;
    const bool full = model->link_mode == GFAB_LINK_FULL;
    *plan = (gfab_trees_plan){.topology = topology,
                              .random = seed,
                              .hop = model->hop_rounds,
                              .nodes = (uint32_t)nodes,
                              .arcs = (uint32_t)(2 * links),
                              .channels = count_channels(shape.images, links, full),
                              .images = shape.images,
                              .rounds = rounds,
                              .period = period,
                              .words = (period + 63) / 64,
                              .tree_count = trees,
                              .cell_count = (uint32_t)(trees * nodes),
                              .missing = trees * nodes};
    GFAB_NEED(allocate(plan, shape.blocks));
    for (gfab_arc arc = 0; arc < plan->arcs; arc++) {
        plan->from[arc] = gfab_topology_arc_from(topology, arc);
        plan->to[arc] = gfab_topology_arc_to(topology, arc);
        plan->channel[arc] = find_channel(shape.images, arc, full);
    }
    for (size_t channel = 0; channel < plan->channels; channel++) {
        uint64_t *words = plan->free + channel * plan->words;
        memset(words, 0xff, plan->words * sizeof *words);
        if (period % 64)
            words[plan->words - 1] = ((uint64_t)1 << period % 64) - 1;
    }
    for (uint32_t tree = 0; tree < trees; tree++)
        plan->trees[tree] = (gfab_trees_tree){
            .block = tree / each, .backwards = shape.in && tree % each == 0, .missing = (uint32_t)nodes};
    for (uint32_t round = 0; round <= rounds; round++)
        plan->head[round] = NONE;
    return GFAB_OK;
}

void gfab_trees_plant(gfab_trees_plan *plan, uint32_t tree, const gfab_trees_roots *roots, const uint32_t *distance,
                      uint32_t start, uint32_t last)
{
    gfab_trees_tree *planted = &plan->trees[tree];
    planted->start = start;
    planted->last = last < plan->rounds ? last : plan->rounds;
    planted->distance = distance;
    for (uint32_t i = 0; i < roots->count; i++)
        plan->cells[(size_t)tree * plan->nodes + roots->node[i]] = (gfab_trees_cell){start, NONE};
    planted->missing -= roots->count;
    plan->missing -= roots->count;
}

static void take_slot(gfab_trees_plan *plan, uint32_t channel, uint32_t round, uint32_t owner)
{
    const uint32_t slot = gfab_trees_slot(plan, round);
    plan->free[(size_t)channel * plan->words + slot / 64] &= ~((uint64_t)1 << slot % 64);
    plan->owner[(size_t)channel * plan->period + slot] = owner;
}

/* The arcs of a stage of an exchange, on channels that are free in a round and not the same. */
static bool exchange_arcs(const gfab_trees_plan *plan, const gfab_trees_roots *roots, uint32_t stage, uint32_t round,
                          gfab_arc *arcs)
{
    for (uint32_t i = 0; i < roots->count; i++) {
        if (!gfab_topology_find_arc(plan->topology, roots->node[i], roots->node[i ^ 1u << stage], &arcs[i]) ||
            !gfab_trees_is_free(plan, plan->channel[arcs[i]], round))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (plan->channel[arcs[k]] == plan->channel[arcs[i]])
                return false;
    }
    return true;
}

bool gfab_trees_exchange_enter(gfab_trees_plan *plan, uint32_t block, const gfab_trees_roots *roots, uint32_t round)
{
    const uint32_t stages = roots->count == 4 ? 2 : roots->count == 2;
    gfab_arc arcs[2][GFAB_TREES_MAX_ROOTS];
    for (uint32_t stage = 0; stage < stages; stage++)
        if (!exchange_arcs(plan, roots, stage, round - (stages - 1 - stage) * plan->hop, arcs[stage]))
            return false;
    for (uint32_t stage = 0; stage < stages; stage++)
        for (uint32_t i = 0; i < roots->count; i++) {
            const gfab_arc arc = arcs[stage][i];
            take_slot(plan, plan->channel[arc], round - (stages - 1 - stage) * plan->hop,
                      plan->cell_count + plan->exchange_count);
            plan->exchanges[plan->exchange_count++] = (gfab_trees_exchange){block, arc};
        }
    return true;
}

void gfab_trees_attach(gfab_trees_plan *plan, uint32_t tree, gfab_arc arc, uint32_t view_round)
{
    const size_t cell = (size_t)tree * plan->nodes + plan->to[arc];
    take_slot(plan, gfab_trees_channel(plan, tree, arc), gfab_trees_round(plan, tree, view_round), (uint32_t)cell);
    plan->cells[cell] = (gfab_trees_cell){view_round + plan->hop, arc};
    plan->children[(size_t)tree * plan->nodes + plan->from[arc]]++;
    plan->trees[tree].missing--;
    plan->missing--;
}

void gfab_trees_detach(gfab_trees_plan *plan, uint32_t tree, uint32_t node)
{
    gfab_trees_cell *cell = &plan->cells[(size_t)tree * plan->nodes + node];
    const uint32_t channel = gfab_trees_channel(plan, tree, cell->arc);
    const uint32_t slot = gfab_trees_slot(plan, gfab_trees_round(plan, tree, cell->ready - plan->hop));
    plan->free[(size_t)channel * plan->words + slot / 64] |= (uint64_t)1 << slot % 64;
    cell->ready = 0;
    plan->children[(size_t)tree * plan->nodes + plan->from[cell->arc]]--;
    plan->trees[tree].missing++;
    plan->missing++;
}

/* The lowest bit set of from .. to, or the highest; 0 if none is. Bit i stands for i + 1. */
static uint32_t lowest(const uint64_t *set, uint32_t from, uint32_t to)
{
    for (uint32_t round = from; round <= to; round = (round - 1) / 64 * 64 + 65) {
        uint64_t bits = set[(round - 1) / 64] >> (round - 1) % 64;
        if (!bits)
            continue;
        for (; !(bits & 1); bits >>= 1)
            round++;
        return round <= to ? round : 0;
    }
    return 0;
}

static uint32_t highest(const uint64_t *set, uint32_t from, uint32_t to)
{
    for (uint32_t round = to; round >= from && round > 0; round = (round - 1) / 64 * 64) {
        uint64_t bits = set[(round - 1) / 64] << (63 - (round - 1) % 64);
        if (!bits)
            continue;
        for (; !(bits >> 63); bits <<= 1)
            round--;
        return round >= from ? round : 0;
    }
    return 0;
}

/* The same of rounds that follow each other, fewer than a period: their slots may go on from the first one. */
static uint32_t lowest_round(const gfab_trees_plan *plan, const uint64_t *set, uint32_t from, uint32_t to)
{
    const uint32_t before = from - 1 - gfab_trees_slot(plan, from), end = before + plan->period;
    const uint32_t found = lowest(set, from - before, (to < end ? to : end) - before);
    if (found || to <= end)
        return found ? found + before : 0;
    const uint32_t next = lowest(set, 1, to - end);
    return next ? next + end : 0;
}

static uint32_t highest_round(const gfab_trees_plan *plan, const uint64_t *set, uint32_t from, uint32_t to)
{
    const uint32_t before = to - 1 - gfab_trees_slot(plan, to);
    const uint32_t found = highest(set, from > before ? from - before : 1, to - before);
    if (found || from > before)
        return found ? found + before : 0;
    const uint32_t last = highest(set, from + plan->period - before, plan->period);
    return last ? last + before - plan->period : 0;
}

uint32_t gfab_trees_first_free(const gfab_trees_plan *plan, uint32_t tree, gfab_arc view_arc, uint32_t from,
                               uint32_t to)
{
    const uint64_t *set = plan->free + (size_t)gfab_trees_channel(plan, tree, view_arc) * plan->words;
    if (from > to)
        return 0;
    if (to - from >= plan->period)
        to = from + plan->period - 1;
    if (!plan->trees[tree].backwards)
        return lowest_round(plan, set, from, to);
    const uint32_t found = highest_round(plan, set, plan->rounds + 1 - to, plan->rounds + 1 - from);
    return found ? plan->rounds + 1 - found : 0;
}

uint32_t gfab_trees_deadline(const gfab_trees_plan *plan, uint32_t tree, uint32_t node)
{
    uint32_t least = plan->trees[tree].last + 2 * plan->hop; /* ready by then, if there are no children */
    GFAB_EACH_PORT(port, plan->topology, node) {
        const gfab_trees_cell *cell = &plan->cells[(size_t)tree * plan->nodes + port->peer];
        if (cell->ready && cell->arc == gfab_trees_arc_out(port) && cell->ready < least)
            least = cell->ready;
    }
    return least - 2 * plan->hop;
}

/* How far the direction in which an arc comes in is behind the tree's turn. */
static uint32_t behind(const gfab_trees_plan *plan, uint32_t tree, gfab_arc arc)
{
    const uint32_t directions = (uint32_t)gfab_topology_max_degree(plan->topology);
    return (gfab_topology_arrival(plan->topology, arc) + directions - plan->trees[tree].turn % directions) % directions;
}

/* Puts the arcs out of a node that has just been reached into the lists of the rounds in which they are free, where
 * they reach a node earlier than what is known. */
static uint32_t offer(gfab_trees_plan *plan, uint32_t tree, uint32_t node, bool narrow)
{
    const gfab_trees_cell *cells = plan->cells + (size_t)tree * plan->nodes;
    size_t count;
    const gfab_port *ports = gfab_topology_ports(plan->topology, node, &count);
    narrow = narrow && cells[node].arc == NONE;
    const size_t first = narrow ? plan->trees[tree].block % count : gfab_random_below(&plan->random, (uint32_t)count);
    uint32_t latest = 0;
    for (size_t i = 0; i < (narrow ? 1 : count); i++) {
        const gfab_port *port = &ports[(first + i) % count];
        if (cells[port->peer].ready)
            continue;
        const gfab_arc arc = gfab_trees_arc_out(port);
        const uint32_t round = gfab_trees_first_free(plan, tree, arc, cells[node].ready, plan->best[port->peer]);
        const gfab_arc known = plan->best_arc[port->peer];
        if (!round || (plan->in_turn && known != NONE && round == plan->best[port->peer] &&
                       behind(plan, tree, known) < behind(plan, tree, arc)))
            continue;
        plan->best[port->peer] = round;
        plan->best_arc[port->peer] = arc;
        plan->next[arc] = plan->head[round];
        plan->head[round] = arc;
        latest = round > latest ? round : latest;
    }
    return latest;
}

/* Dijkstra's algorithm, with a list for each round. An arc is offered once, as the node that it leaves is reached. Of
 * arcs that reach a node in the same round the last one offered is taken, or the one whose turn it is. */
void gfab_trees_grow(gfab_trees_plan *plan, uint32_t tree, bool narrow)
{
    const gfab_trees_cell *cells = plan->cells + (size_t)tree * plan->nodes;
    uint32_t latest = 0;
    for (uint32_t v = 0; v < plan->nodes; v++) {
        plan->best[v] = plan->trees[tree].last;
        plan->best_arc[v] = NONE;
    }
    for (uint32_t v = 0; v < plan->nodes; v++)
        if (cells[v].ready) {
            const uint32_t round = offer(plan, tree, v, narrow);
            latest = round > latest ? round : latest;
        }
    for (uint32_t round = plan->trees[tree].start; round <= latest; round++)
        while (plan->head[round] != NONE) {
            const gfab_arc arc = plan->head[round];
            plan->head[round] = plan->next[arc];
            if (cells[plan->to[arc]].ready)
                continue;
            uint32_t offered = gfab_trees_first_free(plan, tree, arc, round, plan->trees[tree].last);
            if (offered == round) {
                gfab_trees_attach(plan, tree, arc, round);
                offered = offer(plan, tree, plan->to[arc], narrow);
            } else if (offered) { /* an image of it went in this round */
                plan->next[arc] = plan->head[offered];
                plan->head[offered] = arc;
            }
            latest = offered > latest ? offered : latest;
        }
}

gfab_status gfab_trees_emit(const gfab_trees_plan *plan, const uint32_t *link_of, const gfab_progress *progress,
                            gfab_schedule *schedule)
{
    const uint32_t images = plan->images ? plan->images->count : 1;
    for (uint32_t round = 1; round <= plan->rounds; round++) {
        for (uint32_t channel = 0; channel < plan->channels; channel++) {
            if (gfab_trees_is_free(plan, channel, round))
                continue;
            const uint32_t owner = gfab_trees_owner(plan, channel, round), sent = owner - plan->cell_count;
            const bool exchanged = owner >= plan->cell_count;
            const gfab_trees_tree *tree = exchanged ? NULL : &plan->trees[owner / plan->nodes];
            const gfab_arc arc = exchanged ? plan->exchanges[sent].arc : plan->cells[owner].arc ^ tree->backwards;
            const uint32_t block = exchanged ? plan->exchanges[sent].block : tree->block;
            const uint32_t combine = exchanged || tree->backwards ? GFAB_COMBINE : 0;
            for (uint32_t k = 0; k < images; k++) {
                const gfab_arc image = k > 0 ? gfab_images_arc(plan->images, k, arc) : arc;
                GFAB_TRY(gfab_schedule_append(schedule, round, link_of ? 2 * link_of[image / 2] + image % 2 : image,
                                              (block * images + k) | combine));
            }
        }
        GFAB_TRY(gfab_progress_report(progress, "rounds", round, plan->rounds));
    }
    return GFAB_OK;
}
