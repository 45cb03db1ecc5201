/* SPDX-License-Identifier: MIT */
/* Switches that send more than they take in, or less: which part of every link is used, at the best rate there is. What
 * passes a switch comes and goes, so that the parts are balanced there, and of balanced parts all can be split off. A
 * game (McMahan, Gordon & Blum 2003, double oracle, as in core/rate/port_rate.c): one player chooses whole weights that
 * are balanced, the other one a set of nodes that some member has to send out of. By chance the first one's weights
 * carry as many blocks a round as the second one's sets let out at most: the duality of linear programs. The best
 * weights against given sets are a circulation in which all members are one node, found by ways that gain (Klein 1967);
 * the best set against given weights is the certificate of gfab_rate.
 *
 * Ours: what is used by chance becomes whole weights for a few rounds together, the fewest in which nothing is lost, so
 * that rounds take turns. An example: a root sends three blocks a round to a switch, and this two to each of two
 * members, who cannot send to each other. So 1.5 blocks a round reach both: one of them gets two, then the other. */
#include "base/divisor.h"
#include "flow/game.h"
#include "out_trees.h"

#include <gossipfab/schedule/rate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE
#define MOST 128u /* weights, and sets */
#define NEAR 1e-7
#define FINE 1073741824.0
#define MOST_WORK ((uint64_t)1 << 22) /* arcs times nodes times all weights: a second */

typedef struct trim {
    const gfab_topology *topology;
    const gfab_goal *goal;
    const gfab_solver_options *options;
    uint32_t arcs, nodes;
    uint32_t turns;      /* rounds together, while weights are made */
    uint32_t *from, *to; /* [arcs]: all that stores is node 0 */
    uint32_t *weights;   /* [MOST * arcs] */
    bool *set;           /* [MOST * arcs]: arcs out of it */
    uint64_t *need;      /* [MOST]: so many of what is carried out of it are a block */
    uint32_t weight_count, set_count;
    double *payoff, *by_set, *by_weights; /* [MOST * MOST], [MOST], [MOST] */
    int64_t *gain, *loss;                 /* [arcs]: of one more, of one less */
    double *used, *whole;                 /* [arcs]: by chance; scratch */
    int64_t *best;                        /* [nodes]: scratch */
    uint32_t *came;                       /* [nodes]: scratch */
    uint32_t *scratch;                    /* [arcs] */
    gfab_arena arena;
} trim;
GFAB_HOLDS_ARENA(trim)

/* ---- circulations ---- */

/* A round of ways that gains: one more or one less of each of its arcs. False: there is none. (Bellman, Ford) */
static bool find_gain(trim *t, uint32_t *x)
{
    uint32_t last = NONE;
    memset(t->best, 0, t->nodes * sizeof *t->best);
    for (uint32_t pass = 0; pass <= t->nodes && (pass == 0 || last != NONE); pass++) {
        last = NONE;
        for (uint32_t i = 0; i < 2 * t->arcs; i++) {
            const uint32_t a = i / 2, from = i % 2 ? t->to[a] : t->from[a], to = i % 2 ? t->from[a] : t->to[a];
            const bool has = i % 2 ? x[a] > 0 : x[a] < t->turns * (uint64_t)gfab_topology_arc_weight(t->topology, a);
            const int64_t gain = i % 2 ? t->loss[a] : t->gain[a];
            if (!has || t->best[from] + gain <= t->best[to])
                continue;
            t->best[to] = t->best[from] + gain;
            t->came[to] = i;
            last = to;
        }
    }
    for (uint32_t i = 0; i < t->nodes && last != NONE; i++) /* now it is on the round */
        last = t->came[last] % 2 ? t->to[t->came[last] / 2] : t->from[t->came[last] / 2];
    for (uint32_t v = last; v != NONE;) {
        const uint32_t i = t->came[v];
        x[i / 2] += i % 2 ? -1u : 1u;
        v = i % 2 ? t->to[i / 2] : t->from[i / 2];
        if (v == last)
            return true;
    }
    return false;
}

/* The heaviest weights by what one more of an arc gains, for a round. */
static void find_weights(trim *t)
{
    uint32_t *x = t->weights + (size_t)t->weight_count * t->arcs;
    double most = 0;
    for (uint32_t a = 0; a < t->arcs; a++) {
        t->whole[a] = 0;
        for (uint32_t i = 0; i < t->set_count; i++)
            t->whole[a] += t->set[(size_t)i * t->arcs + a] ? t->by_set[i] / (double)t->need[i] : 0;
        most = fmax(most, t->whole[a]);
    }
    for (uint32_t a = 0; a < t->arcs; a++) {
        t->gain[a] = 1 + (int64_t)(t->whole[a] / most * FINE); /* what counts for nothing does no harm */
        t->loss[a] = -t->gain[a];
        x[a] = 0;
    }
    for (t->turns = 1; find_gain(t, x);)
        ;
    t->weight_count++;
}

/* Of what is used in so many rounds the nearest whole weights, and what there is still room for beside them. */
static void round_weights(trim *t, uint32_t turns, uint32_t *x)
{
    t->turns = turns;
    memset(x, 0, t->arcs * sizeof *x);
    do
        for (uint32_t a = 0; a < t->arcs; a++) {
            const double far = t->used[a] * turns - x[a];
            t->gain[a] = (int64_t)(FINE * (fabs(far) - fabs(far - 1) + NEAR));
            t->loss[a] = (int64_t)(FINE * (fabs(far) - fabs(far + 1) - 2 * NEAR));
        }
    while (find_gain(t, x));
    for (uint32_t a = 0; a < t->arcs; a++) {
        t->gain[a] = 1;
        t->loss[a] = -(int64_t)t->arcs;
    }
    while (find_gain(t, x))
        ;
}

/* ---- sets ---- */

static double carried(const trim *t, uint32_t set, uint32_t weights)
{
    double sum = 0;
    for (uint32_t a = 0; a < t->arcs; a++)
        if (t->set[(size_t)set * t->arcs + a])
            sum += t->weights[(size_t)weights * t->arcs + a];
    return sum / (double)t->need[set];
}

gfab_status gfab_out_least_set(const gfab_topology *topology, const uint32_t *weight, const gfab_goal *goal,
                               const gfab_solver_options *options, gfab_certificate *certificate)
{
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *used = NULL;
    GFAB_FREED uint32_t *links = NULL;
    bool tight;
    *certificate = (gfab_certificate){.parts = 0};
    GFAB_TRY(gfab_topology_weigh(topology, weight, &used, &links));
    return gfab_rate(used, GFAB_LINK_FULL, goal, options->progress, certificate, &tight);
}

/* The set out of which least is carried, where arcs carry so much, comes in. */
static gfab_status add_set(trim *t, const double *carry)
{
    GFAB_AT_END(gfab_certificate_release) gfab_certificate c = {0};
    bool *set = t->set + (size_t)t->set_count * t->arcs;
    double most = 0;
    for (uint32_t a = 0; a < t->arcs; a++)
        most = fmax(most, carry[a]);
    for (uint32_t a = 0; a < t->arcs; a++) /* what carries nothing stays a little: all is connected */
        t->scratch[a] = gfab_topology_arc_weight(t->topology, a) ? 1 + (uint32_t)(carry[a] / most * FINE) : 0;
    GFAB_TRY(gfab_out_least_set(t->topology, t->scratch, t->goal, t->options, &c));
    for (uint32_t a = 0; a < t->arcs; a++)
        set[a] =
            c.part[gfab_topology_arc_from(t->topology, a)] == 0 && c.part[gfab_topology_arc_to(t->topology, a)] == 1;
    t->need[t->set_count++] = c.demand;
    return GFAB_OK;
}

/* ---- the game ---- */

static gfab_status open(trim *t)
{
    const size_t cells = (size_t)MOST * t->arcs;
    uint32_t next = 1;
    t->from = gfab_arena_zeroed(&t->arena, t->arcs, sizeof *t->from);
    t->to = gfab_arena_zeroed(&t->arena, t->arcs, sizeof *t->to);
    t->weights = gfab_arena_zeroed(&t->arena, cells, sizeof *t->weights);
    t->set = gfab_arena_zeroed(&t->arena, cells, sizeof *t->set);
    t->need = gfab_arena_zeroed(&t->arena, MOST, sizeof *t->need);
    t->payoff = gfab_arena_zeroed(&t->arena, (size_t)MOST * MOST, sizeof *t->payoff);
    t->by_set = gfab_arena_zeroed(&t->arena, MOST, sizeof *t->by_set);
    t->by_weights = gfab_arena_zeroed(&t->arena, MOST, sizeof *t->by_weights);
    t->gain = gfab_arena_zeroed(&t->arena, t->arcs, sizeof *t->gain);
    t->loss = gfab_arena_zeroed(&t->arena, t->arcs, sizeof *t->loss);
    t->used = gfab_arena_zeroed(&t->arena, t->arcs, sizeof *t->used);
    t->whole = gfab_arena_zeroed(&t->arena, t->arcs, sizeof *t->whole);
    t->best = gfab_arena_zeroed(&t->arena, t->nodes, sizeof *t->best);
    t->came = gfab_arena_zeroed(&t->arena, t->nodes, sizeof *t->came);
    t->scratch = gfab_arena_zeroed(&t->arena, (size_t)t->arcs + t->nodes, sizeof *t->scratch);
    if (t->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; v < t->nodes; v++)
        t->scratch[v] = gfab_topology_is_switch(t->topology, v) ? next++ : 0;
    for (uint32_t a = 0; a < t->arcs; a++) {
        t->from[a] = t->scratch[gfab_topology_arc_from(t->topology, a)];
        t->to[a] = t->scratch[gfab_topology_arc_to(t->topology, a)];
        t->used[a] = gfab_topology_arc_weight(t->topology, a);
    }
    return GFAB_OK;
}

/* The last set's best weights. UNSUPPORTED where none carry anything out of it. */
static gfab_status answer_set(trim *t)
{
    memset(t->by_set, 0, MOST * sizeof *t->by_set);
    t->by_set[t->set_count - 1] = 1;
    find_weights(t);
    return carried(t, t->set_count - 1, t->weight_count - 1) > 0 ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
}

/* The game of what there is, and one more of each; *more: they help. */
static gfab_status step(trim *t, double *value, bool *more)
{
    const uint32_t weights = t->weight_count, set = t->set_count;
    double most = 0, least = 0, alone = 0;
    for (uint32_t i = 0; i < set; i++)
        for (uint32_t k = 0; k < weights; k++)
            t->payoff[i * weights + k] = carried(t, i, k);
    GFAB_TRY(gfab_game_solve(set, weights, t->payoff, t->by_set, t->by_weights, value));
    find_weights(t);
    for (uint32_t i = 0; i < set; i++)
        most += t->by_set[i] * carried(t, i, weights);
    for (uint32_t a = 0; a < t->arcs; a++) {
        t->used[a] = 0;
        for (uint32_t i = 0; i < weights; i++)
            t->used[a] += t->by_weights[i] * t->weights[(size_t)i * t->arcs + a];
    }
    GFAB_TRY(add_set(t, t->used));
    for (uint32_t k = 0; k <= weights; k++) {
        const double one = carried(t, set, k);
        least += k < weights ? t->by_weights[k] * one : 0;
        alone = fmax(alone, one);
    }
    *more = most > *value * (1 + NEAR) || least < *value * (1 - NEAR);
    return alone > 0 ? GFAB_OK : answer_set(t);
}

/* The fewest rounds together in which whole weights carry the most, or come nearest to it. */
static gfab_status choose_turns(trim *t, double value, uint32_t most_turns, gfab_out_trimmed *trimmed)
{
    gfab_status status = GFAB_OK;
    double best = 0;
    for (uint32_t k = 1; k <= most_turns && best < value * (1 - NEAR) && status == GFAB_OK; k++) {
        uint64_t sum = 0;
        round_weights(t, k, t->weights);
        for (uint32_t a = 0; a < t->arcs; a++)
            t->whole[a] = t->weights[a];
        t->set_count = 0;
        status = add_set(t, t->whole);
        for (uint32_t a = 0; a < t->arcs && status == GFAB_OK; a++)
            sum += t->set[a] ? t->weights[a] : 0;
        if (status != GFAB_OK || (double)sum / (double)t->need[0] <= best * k * (1 + NEAR))
            continue;
        const uint64_t divisor = gfab_common_divisor(sum, t->need[0]);
        best = (double)sum / (double)t->need[0] / k;
        trimmed->turns = k;
        trimmed->trees = sum / divisor;
        trimmed->rounds = t->need[0] / divisor;
        memcpy(trimmed->weight, t->weights, t->arcs * sizeof *t->weights);
    }
    return status == GFAB_OK && best <= 0 ? GFAB_ERR_UNSUPPORTED : status;
}

gfab_status gfab_out_trim(const gfab_topology *topology, const gfab_goal *goal, uint32_t most_turns,
                          const gfab_solver_options *options, gfab_out_trimmed *trimmed)
{
    GFAB_AT_END(trim_release)
    trim t = {.topology = topology,
              .goal = goal,
              .options = options,
              .arcs = 2 * (uint32_t)gfab_topology_link_count(topology),
              .nodes = (uint32_t)gfab_topology_node_count(topology)};
    uint64_t all = 0;
    double value = 0;
    for (gfab_arc a = 0; a < t.arcs; a++)
        all += gfab_topology_arc_weight(topology, a);
    if (all > MOST_WORK || all * t.arcs * t.nodes > MOST_WORK)
        return GFAB_ERR_UNSUPPORTED;
    GFAB_TRY(open(&t));
    GFAB_TRY(add_set(&t, t.used));
    GFAB_TRY(answer_set(&t));
    for (bool more = true; more && t.weight_count + 2 < MOST && t.set_count + 1 < MOST;) {
        GFAB_TRY(step(&t, &value, &more));
        GFAB_TRY(gfab_solver_report(options, "weights", t.weight_count, MOST));
    }
    return choose_turns(&t, value, most_turns, trimmed);
}
