/* SPDX-License-Identifier: MIT */
/* A broadcast of many blocks in few steps: in every step each rank takes in as many blocks as its links bring, those
 * first that the fewest others have. So the root sends new blocks alone while it has any, and whoever got one sends it
 * on to all others. In groups first a block comes to a group that nobody of it has, by the links across; then blocks go
 * round in the groups; last what is left of the links across brings what ranks still want.
 *
 * An example: 8 GPUs on a switch by links of weight 9. Each of the first 4 steps brings 9 new blocks to one GPU each;
 * each step but the first those of the step before to all others. 35 blocks take 5 steps so; no schedule of 5 steps has
 * more than 37 (bound_pipeline.c).
 *
 * Rarest first is how BitTorrent's peers choose (Cohen 2003); rounds that are full from the first to the last are the
 * aim of Träff & Ripke, "Optimal broadcast for fully connected processor-node networks" (2008). The levels are ours. */
#include "library_plan.h"

#include <gossipfab/base/arena.h>
#include <string.h>

#define NONE UINT32_MAX
/* Ranks times blocks squared: what choosing takes; a second at most. */
#define MOST_WORK ((uint64_t)1 << 28)

enum { LACKS, COMES, HAS };

typedef struct swarm {
    const gfab_library_ranks *at;
    uint32_t n, blocks, root;
    uint32_t stride[GFAB_MAX_DIMENSIONS + 1]; /* places of a group of each level; [0] is 1 */
    uint8_t *state;                           /* [place * blocks] */
    uint32_t *owners[GFAB_MAX_DIMENSIONS];    /* [group of the next level * blocks]: how many groups of a level in it
                                               * have the block, or will have it after the step */
    uint32_t width[GFAB_MAX_DIMENSIONS];      /* of a rank's links that lead to others of a level, and to none above */
    uint32_t *out[GFAB_MAX_DIMENSIONS];       /* [place]: messages that such links still take in the step */
    uint32_t *in[GFAB_MAX_DIMENSIONS];
    bool *spent;   /* like owners: nobody sends the block any more, as links are filled */
    uint64_t left; /* blocks that ranks lack */
    gfab_arena arena;
} swarm;
GFAB_HOLDS_ARENA(swarm)

static gfab_status open(swarm *s, const gfab_library_ranks *at, const gfab_goal *goal)
{
    *s = (swarm){.at = at, .n = at->ranks, .blocks = goal->blocks, .stride = {1}};
    while (at->rank[s->root] != goal->root)
        s->root++;
    s->left = (uint64_t)(s->n - 1) * s->blocks;
    s->state = gfab_arena_zeroed2(&s->arena, s->n, s->blocks, sizeof *s->state);
    s->spent = gfab_arena_zeroed2(&s->arena, s->n, s->blocks, sizeof *s->spent);
    for (uint32_t level = 0; level < at->levels; level++) {
        s->stride[level + 1] = s->stride[level] * at->within[level];
        s->owners[level] = gfab_arena_zeroed2(&s->arena, s->n / s->stride[level + 1], s->blocks, sizeof(uint32_t));
        const uint32_t ports = at->ports[level], above = level + 1 < at->levels ? at->ports[level + 1] : 0;
        s->width[level] = ports < above ? ports : ports - above;
        s->out[level] = gfab_arena_zeroed(&s->arena, s->n, sizeof(uint32_t));
        s->in[level] = gfab_arena_zeroed(&s->arena, s->n, sizeof(uint32_t));
    }
    GFAB_NEED(!s->arena.failed);
    memset(s->state + (size_t)s->root * s->blocks, HAS, s->blocks);
    for (uint32_t level = 0; level < at->levels; level++)
        for (uint32_t b = 0; b < s->blocks; b++)
            s->owners[level][(size_t)(s->root / s->stride[level + 1]) * s->blocks + b] = 1;
    return GFAB_OK;
}

static size_t index_of(const swarm *s, uint32_t level, uint32_t place, uint32_t block)
{
    return (size_t)(place / s->stride[level + 1]) * s->blocks + block;
}

static uint32_t *owners_of(const swarm *s, uint32_t level, uint32_t place, uint32_t block)
{
    return &s->owners[level][index_of(s, level, place, block)];
}

/* Has somebody of the place's group of a level the block, or will have it after the step? */
static bool is_known(const swarm *s, uint32_t level, uint32_t place, uint32_t block)
{
    return level ? *owners_of(s, level - 1, place, block) > 0 : s->state[(size_t)place * s->blocks + block] != LACKS;
}

/* What goes to a group of level `of`: from another group of a level, in the same one of the next, over links of a level
 * that is no lower. */
typedef struct wish {
    uint32_t of, level, links;
} wish;

/* Who can send the block, and most besides; the root where nobody else can. Where cards are on rails it comes from the
 * same place in another group. */
static uint32_t find_sender(const swarm *s, const wish *w, uint32_t to, uint32_t block)
{
    const uint32_t side = s->stride[w->level], all = s->stride[w->level + 1], first = to - to % all;
    const uint32_t *out = s->out[w->links];
    uint32_t best = NONE;
    for (uint32_t i = 1; i < all; i++) {
        const uint32_t v = first + (to - first + i) % all;
        const bool leads = v / side != to / side && (s->at->crosses || v % side == to % side);
        const bool may = out[v] > 0 && leads && s->state[(size_t)v * s->blocks + block] == HAS;
        if (may && (best == NONE || best == s->root || (v != s->root && out[v] > out[best])))
            best = v;
    }
    return best;
}

/* To a rank the rarest block of those that its group has not. False where there is none. */
static bool pick(swarm *s, const wish *w, uint32_t to, gfab_library_plan *plan, gfab_status *status)
{
    uint32_t best = NONE, from = NONE, fewest = NONE;
    for (uint32_t b = 0; b < s->blocks && s->in[w->links][to] > 0 && fewest > 1; b++) {
        const size_t at = index_of(s, w->level, to, b);
        const uint32_t others = s->owners[w->level][at];
        if (others == 0 || others >= fewest || s->spent[at] || is_known(s, w->of, to, b))
            continue;
        const uint32_t sender = find_sender(s, w, to, b);
        s->spent[at] = sender == NONE && w->level == 0; /* from any place, then */
        if (sender != NONE) {
            best = b;
            from = sender;
            fewest = others;
        }
    }
    if (best == NONE)
        return false;
    s->out[w->links][from]--;
    s->in[w->links][to]--;
    s->left--;
    for (uint32_t l = s->at->levels; l-- > 0;)
        *owners_of(s, l, to, best) += !is_known(s, l, to, best);
    s->state[(size_t)to * s->blocks + best] = COMES;
    *status = gfab_library_send(plan, s->at->rank[from], s->at->rank[to]);
    GFAB_THEN(*status, gfab_library_carry(plan, best));
    return true;
}

/* Ranks by turns, one block each, until links or wishes are used up. */
static gfab_status fill(swarm *s, const wish *w, uint32_t step, gfab_library_plan *plan)
{
    gfab_status status = GFAB_OK;
    memset(s->spent, 0, (size_t)s->n * s->blocks * sizeof *s->spent);
    for (bool more = true; more && status == GFAB_OK;) {
        more = false;
        for (uint32_t i = 0; i < s->n && status == GFAB_OK; i++)
            more = pick(s, w, (i + step) % s->n, plan, &status) || more;
    }
    return status;
}

static gfab_status send_step(swarm *s, uint32_t step, gfab_library_plan *plan)
{
    gfab_status status = GFAB_OK;
    for (uint32_t level = 0; level < s->at->levels; level++)
        for (uint32_t v = 0; v < s->n; v++)
            s->out[level][v] = s->in[level][v] = s->width[level];
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t level = s->at->levels; level-- > pass;)
            for (uint32_t links = level; links < s->at->levels; links++)
                GFAB_THEN(status, fill(s, &(wish){pass ? 0 : level, level, links}, step, plan));
    for (size_t i = 0; i < (size_t)s->n * s->blocks; i++)
        s->state[i] = s->state[i] == COMES ? HAS : s->state[i];
    GFAB_THEN(status, gfab_library_end_step(plan));
    return status;
}

gfab_status gfab_library_plan_rarest(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                     gfab_diag *diag)
{
    GFAB_AT_END(swarm_release) swarm s = {0};
    if ((uint64_t)at->ranks * goal->blocks > MOST_WORK / goal->blocks)
        return GFAB_REFUSE(diag, "%s chooses among %u blocks for %u ranks; fewer, please", plan->name, goal->blocks,
                           at->ranks);
    GFAB_TRY(open(&s, at, goal));
    for (uint32_t step = 0; s.left > 0; step++)
        GFAB_TRY(send_step(&s, step, plan));
    return GFAB_OK;
}
