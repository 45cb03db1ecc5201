/* SPDX-License-Identifier: MIT */
/* Relative trees that fit a crossbar, by a random greedy growth: each round takes as many steps as go together, found
 * by a short depth-first search over the best few candidates of each class of links. */
#include "base/random.h"
#include "relative_tree.h"

#include <assert.h>
#include <gossipfab/base/arena.h>
#include <stdlib.h>

#define MAX_WAYS ((size_t)2 * GFAB_MAX_DIMENSIONS)
#define NONE UINT32_MAX
#define CANDIDATES 8
/* Partial choices looked at in a round, at most: two axes are searched whole, more are not. */
#define CHOICES 4096

/* A step that could be taken: from * 2 * axes + way. The better the higher. */
typedef struct candidate {
    uint32_t entry;
    uint32_t score;
} candidate;

/* What a round does, class by class; entry NONE for a class that rests. */
typedef struct choice {
    uint32_t entry[MAX_WAYS];
    size_t count;
    uint64_t score;
} choice;

typedef struct growth {
    const gfab_crossbar *crossbar;
    uint32_t lambda;
    uint64_t random;
    size_t axes;
    uint32_t sides[GFAB_MAX_DIMENSIONS];
    uint32_t strides[GFAB_MAX_DIMENSIONS];
    size_t nodes;
    /* by way, 2 * axis + direction */
    uint32_t lane[MAX_WAYS];    /* by which a step leaves; NONE where the axis has side 1 */
    uint32_t arrival[MAX_WAYS]; /* by which it arrives */
    uint8_t class[MAX_WAYS];
    size_t class_count;
    uint32_t *round;          /* [offset] in which it is reached; 0 for the origin, NONE: not yet */
    uint32_t *bank;           /* [offset] */
    uint32_t *open[MAX_WAYS]; /* by class: entries whose target may be open yet, in order of `from`'s round */
    size_t open_count[MAX_WAYS];
    candidate best[MAX_WAYS][CANDIDATES]; /* by class, falling */
    size_t best_count[MAX_WAYS];
    /* the search in a round */
    choice now, chosen;
    uint32_t *token_of_bank; /* what the bank gives in the round, NONE: nothing */
    size_t looked_at;
    gfab_arena arena;
} growth;

static uint32_t target(const growth *g, uint32_t entry)
{
    const uint32_t from = (uint32_t)(entry / (2 * g->axes));
    const size_t axis = entry % (2 * g->axes) / 2;
    const uint32_t side = g->sides[axis], stride = g->strides[axis], c = from / stride % side;
    return from - c * stride + (c + (entry % 2 ? side - 1 : 1)) % side * stride;
}

/* Links between the origin and an offset. */
static uint32_t distance(const growth *g, uint32_t offset)
{
    uint32_t sum = 0;
    for (size_t axis = 0; axis < g->axes; axis++) {
        const uint32_t c = offset / g->strides[axis] % g->sides[axis];
        sum += c < g->sides[axis] - c ? c : g->sides[axis] - c;
    }
    return sum;
}

/* Prefers steps to offsets that can go on to many others, then far ones; all of it with chance. */
static uint32_t score(growth *g, uint32_t entry)
{
    const uint32_t to = target(g, entry);
    uint32_t onward = 0;
    for (size_t way = 0; way < 2 * g->axes; way++)
        if (g->lane[way] != NONE && g->round[target(g, (uint32_t)(to * 2 * g->axes + way))] == NONE)
            for (uint32_t bank = 0; bank < g->crossbar->banks; bank++)
                onward += gfab_crossbar_takes(g->crossbar, g->arrival[entry % (2 * g->axes)], bank) &&
                          gfab_crossbar_gives(g->crossbar, g->lane[way], bank);
    return 256 * onward + gfab_random_below(&g->random, 384) +
           (distance(g, to) * gfab_random_below(&g->random, 256) * 77 >> 8);
}

/* The best few of a class that may be taken in a round. Entries that have lost their target are dropped. */
static void gather(growth *g, size_t class, uint32_t round)
{
    size_t kept = 0;
    g->best_count[class] = 0;
    for (size_t i = 0; i < g->open_count[class]; i++) {
        const uint32_t entry = g->open[class][i];
        const uint32_t since = g->round[entry / (2 * g->axes)];
        if (g->round[target(g, entry)] != NONE)
            continue;
        g->open[class][kept++] = entry;
        if (since != 0 && since + g->lambda > round)
            continue;
        const candidate new = {entry, score(g, entry)};
        candidate *best = g->best[class];
        size_t at = g->best_count[class];
        if (at == CANDIDATES && best[at - 1].score >= new.score)
            continue;
        at -= at == CANDIDATES;
        for (; at > 0 && best[at - 1].score < new.score; at--)
            best[at] = best[at - 1];
        best[at] = new;
        g->best_count[class] += g->best_count[class] < CANDIDATES;
    }
    g->open_count[class] = kept;
}

/* A bank that can give the step's token to its lane in this round, or NONE. */
static uint32_t bank_for(const growth *g, uint32_t entry)
{
    const uint32_t from = (uint32_t)(entry / (2 * g->axes));
    const uint32_t lane = g->lane[entry % (2 * g->axes)];
    for (uint32_t bank = 0; bank < g->crossbar->banks; bank++)
        if ((from == 0 ? gfab_crossbar_holds_own(g->crossbar, bank) : bank == g->bank[from]) &&
            gfab_crossbar_gives(g->crossbar, lane, bank) &&
            (g->token_of_bank[bank] == NONE || g->token_of_bank[bank] == from))
            return bank;
    return NONE;
}

static bool is_taken(const growth *g, size_t class, uint32_t offset)
{
    for (size_t c = 0; c < class; c++)
        if (g->now.entry[c] != NONE && target(g, g->now.entry[c]) == offset)
            return true;
    return false;
}

/* Tries the classes from `class` on, g->now being settled before it. */
static void choose(growth *g, size_t class)
{
    if (class == g->class_count) {
        if (g->now.count > g->chosen.count || (g->now.count == g->chosen.count && g->now.score > g->chosen.score))
            g->chosen = g->now;
        return;
    }
    if (g->now.count + g->class_count - class < g->chosen.count || ++g->looked_at > CHOICES)
        return;
    for (size_t i = 0; i < g->best_count[class]; i++) {
        const candidate *c = &g->best[class][i];
        const uint32_t bank = bank_for(g, c->entry);
        if (bank == NONE || is_taken(g, class, target(g, c->entry)))
            continue;
        const uint32_t before = g->token_of_bank[bank];
        g->token_of_bank[bank] = (uint32_t)(c->entry / (2 * g->axes));
        g->now.entry[class] = c->entry;
        g->now.count++;
        g->now.score += c->score;
        choose(g, class + 1);
        g->now.count--;
        g->now.score -= c->score;
        g->token_of_bank[bank] = before;
    }
    g->now.entry[class] = NONE;
    choose(g, class + 1);
}

static void reach(growth *g, uint32_t offset, uint32_t round, uint32_t bank)
{
    g->round[offset] = round;
    g->bank[offset] = bank;
    for (size_t way = 0; way < 2 * g->axes; way++) {
        const uint32_t entry = (uint32_t)(offset * 2 * g->axes + way);
        if (g->lane[way] != NONE && g->round[target(g, entry)] == NONE)
            g->open[g->class[way]][g->open_count[g->class[way]]++] = entry;
    }
}

static void take_round(growth *g, uint32_t round, gfab_relative_tree *tree)
{
    g->now = (choice){.count = 0};
    g->chosen = (choice){.count = 0};
    g->looked_at = 0;
    for (size_t class = 0; class < MAX_WAYS; class ++)
        g->chosen.entry[class] = NONE;
    for (uint32_t bank = 0; bank < g->crossbar->banks; bank++)
        g->token_of_bank[bank] = NONE;
    for (size_t class = 0; class < g->class_count; class ++)
        gather(g, class, round);
    choose(g, 0);
    for (size_t class = 0; class < g->class_count; class ++) {
        const uint32_t entry = g->chosen.entry[class];
        if (entry == NONE)
            continue;
        const size_t way = entry % (2 * g->axes);
        const uint32_t to = target(g, entry);
        tree->steps[tree->step_count++] = (gfab_relative_step){.round = round,
                                                               .from = (uint32_t)(entry / (2 * g->axes)),
                                                               .to = to,
                                                               .axis = (uint8_t)(way / 2),
                                                               .direction = (uint8_t)(way % 2),
                                                               .link_class = (uint8_t) class};
        uint32_t bank = 0;
        while (!gfab_crossbar_takes(g->crossbar, g->arrival[way], bank))
            bank++;
        reach(g, to, round, bank);
    }
}

static bool grow(growth *g, uint32_t most_rounds, gfab_relative_tree *tree)
{
    uint32_t last = 0; /* round with a step */
    reach(g, 0, 0, 0);
    for (uint32_t round = 1; tree->step_count < g->nodes - 1; round++) {
        const size_t before = tree->step_count;
        if (round > most_rounds || round - last > g->lambda)
            return false;
        take_round(g, round, tree);
        if (tree->step_count > before)
            last = round;
    }
    tree->rounds = last;
    return true;
}

static gfab_status growth_init(growth *g, const gfab_topology *topology, const gfab_model *model,
                               const gfab_crossbar *crossbar, uint64_t seed)
{
    *g = (growth){.crossbar = crossbar,
                  .lambda = model->hop_rounds,
                  .random = seed,
                  .axes = gfab_topology_dimensions(topology),
                  .nodes = gfab_topology_node_count(topology)};
    uint32_t stride = 1, lanes = 0;
    for (size_t axis = g->axes; axis-- > 0; stride *= g->sides[axis]) {
        g->sides[axis] = gfab_topology_side(topology, axis);
        g->strides[axis] = stride;
    }
    for (size_t axis = 0; axis < g->axes; axis++) {
        const uint32_t side = g->sides[axis];
        const bool half = model->link_mode == GFAB_LINK_HALF;
        for (size_t direction = 0; direction < 2; direction++) {
            const size_t way = 2 * axis + direction;
            g->lane[way] = side == 1 || (side == 2 && direction == 1) ? NONE : lanes++;
            if (g->lane[way] != NONE && (direction == 0 || !half))
                g->class_count++;
            g->class[way] = (uint8_t)(g->class_count - (g->class_count != 0));
        }
        g->arrival[2 * axis] = side > 2 ? g->lane[2 * axis + 1] : g->lane[2 * axis];
        g->arrival[2 * axis + 1] = g->lane[2 * axis];
    }
    assert(lanes == crossbar->lanes);
    g->round = malloc(g->nodes * sizeof *g->round);
    g->bank = gfab_arena_zeroed(&g->arena, g->nodes, sizeof *g->bank);
    g->token_of_bank = gfab_arena_zeroed(&g->arena, crossbar->banks, sizeof *g->token_of_bank);
    for (size_t class = 0; class < g->class_count; class ++)
        g->open[class] = gfab_arena_zeroed2(&g->arena, g->nodes, 2, sizeof *g->open[class]);
    const bool complete = g->round && !g->arena.failed;
    for (size_t i = 0; complete && i < g->nodes; i++)
        g->round[i] = NONE;
    return complete ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static void growth_free(growth *g)
{
    free(g->round);
    gfab_arena_release(&g->arena);
}

gfab_status gfab_relative_tree_create_banked(const gfab_topology *topology, const gfab_model *model,
                                             const gfab_crossbar *crossbar, uint64_t seed, uint32_t most_rounds,
                                             gfab_relative_tree **tree)
{
    gfab_crossbar fits;
    GFAB_TRY(gfab_relative_tree_applies(topology, model, NULL));
    GFAB_TRY(gfab_crossbar_make(topology, crossbar->kind, crossbar->banks, &fits, NULL));
    if (fits.kind == GFAB_CROSSBAR_FULL || (fits.kind == GFAB_CROSSBAR_AXES) != (model->link_mode == GFAB_LINK_HALF))
        return GFAB_ERR_UNSUPPORTED;
    GFAB_AT_END(growth_free) growth g = {0};
    gfab_status status = growth_init(&g, topology, model, &fits, seed);
    gfab_relative_tree *made = gfab_relative_tree_allocate(g.class_count, g.nodes);
    if (!made)
        status = GFAB_ERR_NO_MEMORY;
    const bool grown = status == GFAB_OK && grow(&g, most_rounds, made);
    if (grown) {
        *tree = made;
        return GFAB_OK;
    }
    gfab_relative_tree_destroy(made);
    return status == GFAB_OK ? GFAB_ERR_UNSUPPORTED : status;
}
