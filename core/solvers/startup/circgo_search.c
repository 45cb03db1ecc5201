/* SPDX-License-Identifier: MIT */
/* The cheapest CircGo on a line: bridgeheads to begin with, then for each level the pieces and messages, by dynamic
 * programming over the spacing of the heads. The price of a level depends on nothing else, so this is the optimum. */
#include "circgo_plan.h"

#include "circgo_shape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

#define NONE UINT32_MAX

/* The cheapest levels from a spacing on. */
typedef struct state {
    gfab_circgo_spacing spacing;
    uint32_t depth; /* levels before it; 0 where no wish tells levels apart */
    bool possible;
    gfab_cost cost; /* of this level and all behind it */
    gfab_circgo_level choice;
    uint32_t next; /* state after the level */
} state;

typedef struct search {
    const gfab_circgo_line *line;
    const gfab_circgo_wish *wish;
    gfab_ratio startup;
    bool counts_levels;
    state *states;
    size_t count, capacity;
    uint32_t *slots; /* hash table of state numbers, NONE if free; a power of two, twice capacity */
    gfab_status status;
} search;

static bool cheaper(const search *in, const gfab_cost *a, const gfab_cost *b)
{
    const int order = gfab_cost_compare(a, b, in->startup);
    return order < 0 || (order == 0 && a->startups < b->startups);
}

static uint32_t from_list(const uint32_t *list, uint32_t count, uint32_t index)
{
    return count ? list[index < count ? index : count - 1] : 0;
}

static size_t hash_of(const gfab_circgo_spacing *spacing, uint32_t depth)
{
    uint64_t hash = spacing->gap;
    hash = hash * 0x9e3779b97f4a7c15U + spacing->inner;
    hash = hash * 0x9e3779b97f4a7c15U + spacing->end[0];
    hash = hash * 0x9e3779b97f4a7c15U + spacing->end[1];
    hash = (hash * 0x9e3779b97f4a7c15U + depth) * 0x9e3779b97f4a7c15U;
    return (size_t)(hash >> 32);
}

/* The slot of the state, or the free one where it belongs. */
static uint32_t *slot_of(const search *in, const gfab_circgo_spacing *spacing, uint32_t depth)
{
    const size_t mask = 2 * in->capacity - 1;
    size_t at = hash_of(spacing, depth) & mask;
    for (; in->slots[at] != NONE; at = (at + 1) & mask) {
        const state *s = &in->states[in->slots[at]];
        if (s->depth == depth && s->spacing.gap == spacing->gap && s->spacing.inner == spacing->inner &&
            s->spacing.end[0] == spacing->end[0] && s->spacing.end[1] == spacing->end[1])
            break;
    }
    return &in->slots[at];
}

static bool grow(search *in)
{
    const size_t capacity = in->capacity ? 2 * in->capacity : 256;
    state *states = realloc(in->states, capacity * sizeof *states);
    if (states)
        in->states = states;
    uint32_t *slots = states ? malloc(2 * capacity * sizeof *slots) : NULL;
    if (!slots) {
        in->status = GFAB_ERR_NO_MEMORY;
        return false;
    }
    free(in->slots);
    in->slots = slots;
    in->capacity = capacity;
    memset(slots, 0xff, 2 * capacity * sizeof *slots);
    for (uint32_t i = 0; i < in->count; i++)
        *slot_of(in, &in->states[i].spacing, in->states[i].depth) = i;
    return true;
}

static uint32_t relaxed_items(const search *in)
{
    return gfab_circgo_total(in->line) - (in->wish->spare ? in->line->items : 0);
}

/* Twice the price of a level with k messages, were rounds halves and messages equal: a convex function of k that the
 * true price is never below. As a cost whose parts are k. */
static gfab_cost relaxed(const search *in, const gfab_circgo_level_shape *level, uint32_t k)
{
    const uint64_t inside = level->pieces < 2 ? 0 : (uint64_t)k + level->pieces - 2;
    const uint64_t outside = level->beyond ? (uint64_t)k + level->beyond - 1 : 0;
    const uint64_t rounds = in->line->one_port ? 2 * inside : inside < 2 * outside ? 2 * outside : inside;
    return (gfab_cost){.startups = rounds, .transfers = rounds * relaxed_items(in), .parts = k};
}

static gfab_cost price(const search *in, gfab_circgo_level_shape *level, uint32_t k)
{
    gfab_circgo_set_messages(in->line, level, k, in->wish->spare);
    return (gfab_cost){
        .startups = level->rounds, .transfers = gfab_circgo_level_transfers(in->line, level), .parts = 1};
}

/* Where the relaxed price is least, about: sqrt((w - 1) items / r), w = new heads in a row. Only a place to start. */
static uint32_t likely_messages(const search *in, const gfab_circgo_level_shape *level)
{
    const uint32_t total = gfab_circgo_total(in->line);
    const uint32_t row = level->pieces - 1 > level->beyond ? level->pieces - 1 : level->beyond;
    if (!in->startup.numerator)
        return row > 1 ? total : 1;
    const u128 square = (u128)(row - 1) * total * in->startup.denominator / in->startup.numerator;
    uint64_t low = 1, high = total;
    while (low < high) {
        const uint64_t middle = (low + high + 1) / 2;
        if ((u128)middle * middle <= square)
            low = middle;
        else
            high = middle - 1;
    }
    return (uint32_t)low;
}

static bool fits(const search *in, const gfab_circgo_level_shape *level)
{
    return gfab_circgo_divide_up(gfab_circgo_level_items(in->line, level), level->messages) <= in->line->longest;
}

/* A number of messages, 0: none yet, and the level's cost with it. */
typedef struct message_count {
    uint32_t k;
    gfab_cost cost;
} message_count;

/* k is tried from the likely one up and down, until the relaxed price is above the best and rising. */
static void try_messages(const search *in, gfab_circgo_level_shape *level, uint32_t k, int step, uint32_t least,
                         message_count *best)
{
    const uint32_t total = gfab_circgo_total(in->line);
    for (; k >= least && k <= total; k = (uint32_t)((int64_t)k + step)) {
        const gfab_cost cost = price(in, level, k);
        if (fits(in, level) && (!best->k || cheaper(in, &cost, &best->cost)))
            *best = (message_count){k, cost};
        if ((step < 0 && k == least) || (step > 0 && k == total))
            return;
        if (!best->k)
            continue;
        const gfab_cost here = relaxed(in, level, k);
        const gfab_cost beyond = relaxed(in, level, (uint32_t)((int64_t)k + step));
        const gfab_cost twice = {
            .startups = 2 * best->cost.startups, .transfers = 2 * best->cost.transfers, .parts = 1};
        if (gfab_cost_compare(&here, &twice, in->startup) >= 0 && gfab_cost_compare(&beyond, &here, in->startup) >= 0)
            return;
    }
}

/* The best number of messages for the level, and its cost; false where the wish leaves none. */
static bool choose_messages(const search *in, gfab_circgo_level_shape *level, uint32_t depth, gfab_cost *cost,
                            uint32_t *messages)
{
    const uint32_t total = gfab_circgo_total(in->line),
                   fewest = gfab_circgo_divide_up(relaxed_items(in), in->line->longest);
    const uint32_t least = fewest ? fewest : 1;
    uint32_t k = from_list(in->wish->messages, in->wish->messages_count, depth);
    const uint32_t b = from_list(in->wish->rounds, in->wish->rounds_count, depth);
    k = k < total ? k : total;
    if (b && !k && !gfab_circgo_most_messages(in->line, level, b))
        return false;
    if (b && !k)
        k = gfab_circgo_most_messages(in->line, level, b);
    else if (b && gfab_circgo_fewest_rounds(in->line, level, k) != b)
        return false;
    if (k || b) {
        *messages = k;
        *cost = price(in, level, k);
        return fits(in, level);
    }
    message_count best = {.k = 0};
    const uint32_t likely = likely_messages(in, level), start = likely < least ? least : likely;
    try_messages(in, level, start, 1, least, &best);
    if (start > least)
        try_messages(in, level, start - 1, -1, least, &best);
    *messages = best.k;
    *cost = best.cost;
    return best.k > 0;
}

static uint32_t solve(search *in, const gfab_circgo_spacing *spacing, uint32_t depth);

/* Is the level with these pieces, and the best behind it, cheaper than what the state has? */
static void try_pieces(search *in, state *best, uint32_t pieces)
{
    gfab_circgo_spacing after = best->spacing;
    gfab_circgo_level_shape level = gfab_circgo_split_level(in->line, &after, pieces);
    gfab_cost cost;
    gfab_circgo_level choice = {pieces, 0};
    if ((level.pieces < 2 && !level.beyond) || !choose_messages(in, &level, best->depth, &cost, &choice.messages))
        return;
    const uint32_t next = solve(in, &after, best->depth + 1);
    if (in->status != GFAB_OK || !in->states[next].possible)
        return;
    cost.startups += in->states[next].cost.startups;
    cost.transfers += in->states[next].cost.transfers;
    if (!best->possible || cheaper(in, &cost, &best->cost)) {
        best->possible = true;
        best->cost = cost;
        best->choice = choice;
        best->next = next;
    }
}

/* Number of the solved state; what it is if memory runs out does not matter. Depth is at most GFAB_CIRCGO_MAX_LEVELS +
 * 1. */
static uint32_t solve(search *in, const gfab_circgo_spacing *spacing, uint32_t depth)
{
    depth = in->counts_levels ? depth : 0;
    if (in->status != GFAB_OK || (in->count == in->capacity && !grow(in)))
        return 0;
    const uint32_t known = *slot_of(in, spacing, depth);
    if (known != NONE)
        return known;
    state best = {.spacing = *spacing, .depth = depth, .cost = {.parts = 1}, .next = NONE};
    const bool last = depth == (in->wish->levels_given ? in->wish->level_count : GFAB_CIRCGO_MAX_LEVELS);
    if (gfab_circgo_complete(spacing)) {
        best.possible = last || !in->wish->levels_given;
    } else if (!last) {
        const uint32_t wanted = from_list(in->wish->pieces, in->wish->pieces_count, depth);
        /* Of all numbers of pieces that leave gaps of the same length the fewest is best. */
        for (uint32_t gap = spacing->gap, pieces = 2; wanted == 0 && gap > 1;) {
            try_pieces(in, &best, pieces);
            gap = gfab_circgo_divide_up(spacing->gap, pieces);
            pieces = gap > 1 ? gfab_circgo_divide_up(spacing->gap, gap - 1) : pieces;
        }
        if (wanted)
            try_pieces(in, &best, wanted);
    }
    if (in->status != GFAB_OK || (in->count == in->capacity && !grow(in)))
        return 0;
    const uint32_t number = (uint32_t)in->count++;
    in->states[number] = best;
    *slot_of(in, spacing, depth) = number;
    return number;
}

static uint32_t longest_cell(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads)
{
    uint32_t longest = gfab_circgo_divide_up(line->nodes, heads);
    for (uint32_t i = 0; i < heads && form == GFAB_CIRCGO_ENDS; i++) {
        const uint32_t size = gfab_circgo_cell(line, form, heads, i + 1) - gfab_circgo_cell(line, form, heads, i);
        longest = i == 0 || longest < size ? size : longest;
    }
    return longest;
}

typedef struct candidate {
    gfab_circgo_form form;
    uint32_t heads;
    uint32_t first; /* state; NONE: no candidate at all */
    gfab_cost cost;
    bool too_long; /* one was left out for the length of its messages */
} candidate;

static void try_heads(search *in, candidate *best, gfab_circgo_form form, uint32_t heads)
{
    const gfab_circgo_line *line = in->line;
    const uint64_t gathered =
        heads == 1 ? gfab_circgo_total(line) - line->items : (uint64_t)longest_cell(line, form, heads) * line->items;
    if (gathered > line->longest) {
        best->too_long = true;
        return;
    }
    const gfab_circgo_spacing spacing = gfab_circgo_start(line, form, heads);
    const uint32_t first = solve(in, &spacing, 0);
    if (in->status != GFAB_OK || !in->states[first].possible)
        return;
    gfab_cost cost;
    gfab_circgo_first_steps(line, form, heads, &cost);
    cost.startups += in->states[first].cost.startups;
    cost.transfers += in->states[first].cost.transfers;
    if (best->first == NONE || cheaper(in, &cost, &best->cost)) {
        best->form = form;
        best->heads = heads;
        best->first = first;
        best->cost = cost;
    }
}

/* All numbers of heads worth a try: of those with cells (gaps) of the same length the fewest. */
static void try_form(search *in, candidate *best, gfab_circgo_form form)
{
    const uint32_t n = in->line->nodes, ends = form == GFAB_CIRCGO_ENDS ? 1 : 0;
    if (in->wish->heads) {
        if (in->wish->heads > ends && in->wish->heads <= n)
            try_heads(in, best, form, in->wish->heads);
        return;
    }
    const uint32_t length = n - ends;
    for (uint32_t parts = 1, cell = length; cell >= 1 && in->status == GFAB_OK;) {
        try_heads(in, best, form, parts + ends);
        cell = gfab_circgo_divide_up(length, parts);
        if (cell == 1)
            break;
        parts = gfab_circgo_divide_up(length, cell - 1);
    }
}

gfab_status gfab_circgo_search(const gfab_circgo_line *line, const gfab_circgo_wish *wish, gfab_ratio startup,
                               gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    static const gfab_circgo_wish any = {.heads = 0};
    search in = {.line = line, .wish = wish ? wish : &any, .startup = startup};
    in.counts_levels =
        in.wish->levels_given || in.wish->pieces_count > 1 || in.wish->rounds_count > 1 || in.wish->messages_count > 1;
    candidate best = {.first = NONE};
    if (!in.wish->form_given || in.wish->form == GFAB_CIRCGO_CENTRES)
        try_form(&in, &best, GFAB_CIRCGO_CENTRES);
    if (line->nodes > 1 && !line->cycle && !line->one_port &&
        (!in.wish->form_given || in.wish->form == GFAB_CIRCGO_ENDS))
        try_form(&in, &best, GFAB_CIRCGO_ENDS);
    gfab_status status = in.status;
    if (status == GFAB_OK && best.first == NONE)
        status = best.too_long || line->longest < gfab_circgo_total(line)
                     ? GFAB_REFUSE(diag, "no choice keeps every message to %u items", line->longest)
                     : gfab_fail(diag, 0, GFAB_ERR_INVALID, "no CircGo on %u nodes has these settings", line->nodes);
    if (status == GFAB_OK) {
        *recipe = (gfab_circgo_recipe){.form = best.form, .heads = best.heads, .spare = in.wish->spare};
        for (const state *at = &in.states[best.first]; at->next != NONE; at = &in.states[at->next])
            recipe->levels[recipe->level_count++] = at->choice;
        assert(gfab_circgo_check(line, recipe, NULL) == GFAB_OK);
    }
    GFAB_FREE(in.states, in.slots);
    return status;
}

gfab_status gfab_circgo_best(const gfab_circgo_line *line, gfab_ratio startup, gfab_circgo_recipe *recipe,
                             gfab_diag *diag)
{
    gfab_circgo_recipe tree = gfab_circgo_approach2();
    const bool fits = gfab_circgo_check(line, &tree, NULL) == GFAB_OK;
    GFAB_TRY(gfab_circgo_search(line, NULL, startup, recipe, diag));
    gfab_cost cost, tree_cost;
    gfab_circgo_cost(line, recipe, &cost);
    gfab_circgo_cost(line, &tree, &tree_cost);
    if (fits && gfab_cost_compare(&tree_cost, &cost, startup) < 0)
        *recipe = tree;
    return GFAB_OK;
}
