/* SPDX-License-Identifier: MIT */
/* The best rate with one port: a game. One player chooses a matching for a round; the other one chooses a certificate
 * of all ports, parts of the nodes, and gets of each of its messages what a round of that matching cannot carry. By
 * chance the first one's matchings are so good that no certificate says more than the rate, and the second one's
 * certificates, each so many times, say that much of every matching: the duality of linear programs. The players learn
 * as they go (McMahan, Gordon & Blum 2003, double oracle): the game of a few matchings and certificates is solved; then
 * the heaviest matching against these certificates comes in, by Edmonds, and the best certificate where each link is as
 * wide as these matchings make it, until neither helps. On path:4, half duplex, the outer two links and the middle one
 * are matchings: with half of all rounds for each, every link carries half a message a round, two rounds a block. No
 * schedule does better: the two links of node 1 carry a message of each block each.
 *
 * All this is done in rounded numbers. What comes out is in whole ones: factors of the certificates, and the weights of
 * nodes and odd sets that show what a matching can carry at most; whatever the factors are, it is a bound. */
#include "port_rate.h"

#include "base/divisor.h"
#include "base/progress.h"
#include "flow/game.h"
#include "flow/lemon_matching.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/rate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 256u /* matchings, and certificates */
#define RECENT 32u
#define NEAR 1e-7
#define WIDEST 1073741824.0      /* of a link's weight, where matchings say how wide it is */
#define HEAVIEST 1099511627776.0 /* of a link's weight in a matching */
#define MOST_PARTS 5040u         /* of a factor of 1 */
#define WHOLE 1e-6
#define FINE 1048576u

typedef struct game {
    const gfab_topology *topology;
    gfab_link_mode link_mode;
    const gfab_goal *goal;
    const gfab_progress *progress;
    size_t nodes, links;
    gfab_arena arena;
    gfab_port_mix mix;     /* share[] of the last game */
    gfab_certificate *row; /* [MOST] */
    size_t rows;
    double *load;            /* [MOST * links]: of a row's messages, what a link carries */
    double *payoff, *packed; /* [MOST * MOST] */
    double *chance, *best;   /* [MOST]: of rows, in the last game and in the best one */
    double value, least, most;
    bool tight;
    uint32_t *ends, *mate, *wide; /* [2 * links], [nodes], [2 * links] */
    uint64_t *weight;             /* [links] */
    double *work;                 /* [2 * links] */
} game;

void gfab_port_mix_shares(const gfab_port_mix *mix, double *share)
{
    for (size_t l = 0; l < mix->links; l++) {
        share[l] = 0;
        for (size_t m = 0; m < mix->count; m++)
            share[l] += mix->uses[m * mix->links + l] ? mix->share[m] : 0;
    }
}

static gfab_status open_mix(gfab_port_mix *mix, size_t links, size_t most)
{
    *mix = (gfab_port_mix){.links = links};
    mix->uses = gfab_arena_zeroed2(&mix->arena, most, links, sizeof *mix->uses);
    mix->share = gfab_arena_zeroed(&mix->arena, most, sizeof *mix->share);
    return mix->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

static gfab_status open(game *g)
{
    g->row = gfab_arena_zeroed(&g->arena, MOST, sizeof *g->row);
    g->load = gfab_arena_zeroed2(&g->arena, MOST, g->links, sizeof *g->load);
    g->payoff = gfab_arena_zeroed2(&g->arena, MOST, MOST, sizeof *g->payoff);
    g->packed = gfab_arena_zeroed2(&g->arena, MOST, MOST, sizeof *g->packed);
    GFAB_ARRAYS(&g->arena, MOST, g->chance, g->best);
    g->ends = gfab_arena_zeroed2(&g->arena, 2, g->links, sizeof *g->ends);
    g->mate = gfab_arena_zeroed(&g->arena, g->nodes, sizeof *g->mate);
    g->wide = gfab_arena_zeroed2(&g->arena, 2, g->links, sizeof *g->wide);
    g->weight = gfab_arena_zeroed(&g->arena, g->links, sizeof *g->weight);
    g->work = gfab_arena_zeroed2(&g->arena, 2, g->links, sizeof *g->work);
    GFAB_NEED(!g->arena.failed);
    GFAB_TRY(open_mix(&g->mix, g->links, MOST));
    for (size_t l = 0; l < g->links; l++)
        for (int i = 0; i < 2; i++)
            g->ends[2 * l + i] = gfab_topology_link(g->topology, l).node[i];
    return GFAB_OK;
}

static void release(game *g)
{
    for (size_t i = 0; i < g->rows; i++)
        gfab_certificate_release(&g->row[i]);
    gfab_arena_release(&g->arena);
}

/* Of a certificate's messages, the part that a matching carries in a round. */
static void pay(game *g, size_t row, size_t column)
{
    double sum = 0;
    for (size_t l = 0; l < g->links; l++)
        if (g->mix.uses[column * g->links + l])
            sum += g->load[row * g->links + l];
    g->payoff[row * MOST + column] = sum;
}

/* The heaviest matching, by links' weights; its weight in all. */
static gfab_status add_matching(game *g, const double *weight, double *sum)
{
    double heaviest = 0;
    bool *uses = g->mix.uses + g->mix.count * g->links;
    for (size_t l = 0; l < g->links; l++)
        heaviest = weight[l] > heaviest ? weight[l] : heaviest;
    for (size_t l = 0; l < g->links; l++) /* one that weighs nothing does no harm */
        g->weight[l] = 1 + (uint64_t)(weight[l] / heaviest * HEAVIEST);
    GFAB_TRY(gfab_lemon_matching(g->nodes, g->links, g->ends, g->weight, g->mate, NULL));
    *sum = 0;
    for (size_t l = 0; l < g->links; l++) {
        uses[l] = g->mate[g->ends[2 * l]] == g->ends[2 * l + 1];
        *sum += uses[l] ? weight[l] : 0;
    }
    for (size_t row = 0; row < g->rows; row++)
        pay(g, row, g->mix.count);
    g->mix.count++;
    return GFAB_OK;
}

/* The best certificate of all ports where links are so wide; *part gets what the matchings' shares carry of it. */
static gfab_status add_certificate(game *g, const double *width, double *part)
{
    double widest = 0;
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *wide = NULL;
    uint32_t *links = NULL;
    gfab_certificate *c = &g->row[g->rows];
    for (gfab_arc arc = 0; arc < 2 * g->links; arc++)
        widest = fmax(widest, width[arc / 2] * gfab_topology_arc_weight(g->topology, arc));
    for (gfab_arc arc = 0; arc < 2 * g->links; arc++) {
        const double share = width[arc / 2] * gfab_topology_arc_weight(g->topology, arc) / widest;
        g->wide[arc] = gfab_topology_arc_weight(g->topology, arc) ? 1 + (uint32_t)(share * WIDEST) : 0;
    }
    gfab_status status = gfab_topology_weigh(g->topology, g->wide, &wide, &links);
    GFAB_THEN(status, gfab_rate(wide, g->link_mode, g->goal, g->progress, c, &g->tight));
    free(links);
    GFAB_TRY(status);
    g->rows++;
    *part = 0;
    GFAB_TRY(gfab_certificate_count(g->topology, c, &c->demand, &c->capacity));
    for (size_t l = 0; l < g->links; l++) {
        const double carries = (double)gfab_certificate_link(g->topology, c, l) / (double)c->demand;
        g->load[(g->rows - 1) * g->links + l] = carries;
        *part += carries * width[l];
    }
    for (size_t column = 0; column < g->mix.count; column++)
        pay(g, g->rows - 1, column);
    return GFAB_OK;
}

/* Matchings that have every link between them. */
static gfab_status cover(game *g)
{
    double *weight = g->work;
    for (bool more = true; more;) {
        double sum;
        more = false;
        for (size_t l = 0; l < g->links; l++) {
            bool has = false;
            for (size_t column = 0; column < g->mix.count && !has; column++)
                has = g->mix.uses[column * g->links + l];
            weight[l] = has ? 1.0 / (double)(g->nodes + 1) : 1;
            more = more || !has;
        }
        if (more)
            GFAB_TRY(g->mix.count + 1 < MOST ? add_matching(g, weight, &sum) : GFAB_ERR_LIMIT);
    }
    return GFAB_OK;
}

/* The game of what there is, and one more of each. *more: one of them helps. */
static gfab_status step(game *g, bool *more)
{
    double *packed = g->packed, *work = g->work, most, least;
    for (size_t row = 0; row < g->rows; row++)
        memcpy(packed + row * g->mix.count, g->payoff + row * MOST, g->mix.count * sizeof *packed);
    GFAB_TRY(gfab_game_solve(g->rows, g->mix.count, packed, g->chance, g->mix.share, &g->value));
    for (size_t l = 0; l < g->links; l++) {
        work[l] = work[g->links + l] = 0;
        for (size_t row = 0; row < g->rows; row++)
            work[l] += g->chance[row] * g->load[row * g->links + l];
        for (size_t column = 0; column < g->mix.count; column++)
            work[g->links + l] += g->mix.uses[column * g->links + l] ? g->mix.share[column] : 0;
    }
    GFAB_TRY(add_matching(g, work, &most));
    GFAB_TRY(add_certificate(g, work + g->links, &least));
    if (most < g->most) {
        g->most = most;
        memcpy(g->best, g->chance, g->rows * sizeof *g->best);
    }
    g->least = least > g->least ? least : g->least;
    *more = most > g->value * (1 + NEAR) || least < g->value * (1 - NEAR);
    return GFAB_OK;
}

/* Where there are too many, those that nobody plays and that are not of late are forgotten. */
static void forget_certificates(game *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->rows; i++) {
        if (g->chance[i] <= 0 && g->best[i] <= 0 && i + RECENT < g->rows) {
            gfab_certificate_release(&g->row[i]);
            continue;
        }
        if (kept < i) {
            g->row[kept] = g->row[i];
            g->chance[kept] = g->chance[i];
            g->best[kept] = g->best[i];
            memcpy(g->load + kept * g->links, g->load + i * g->links, g->links * sizeof *g->load);
            memcpy(g->payoff + kept * MOST, g->payoff + i * MOST, MOST * sizeof *g->payoff);
            g->best[i] = 0;
        }
        kept++;
    }
    g->rows = kept;
}

static void forget_matchings(game *g)
{
    const size_t count = g->mix.count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool last = false; /* of some link's: every link stays in a matching */
        for (size_t l = 0; l < g->links && !last; l++) {
            last = g->mix.uses[i * g->links + l];
            for (size_t k = 0; k < count && last; k++)
                last = k == i || (k >= kept && k < i) || !g->mix.uses[k * g->links + l];
        }
        if (g->mix.share[i] <= 0 && i + RECENT < count && !last)
            continue;
        if (kept < i) {
            memcpy(g->mix.uses + kept * g->links, g->mix.uses + i * g->links, g->links * sizeof *g->mix.uses);
            g->mix.share[kept] = g->mix.share[i];
            for (size_t row = 0; row < g->rows; row++)
                g->payoff[row * MOST + kept] = g->payoff[row * MOST + i];
        }
        kept++;
    }
    for (size_t i = kept; i < count; i++)
        g->mix.share[i] = 0;
    g->mix.count = kept;
}

static void make_room(game *g)
{
    if (g->rows + 1 >= MOST)
        forget_certificates(g);
    if (g->mix.count + 1 >= MOST)
        forget_matchings(g);
}

/* ---- in whole numbers ---- */

/* Factors of the rows, by which their messages and not their shares count. */
static void find_factors(const game *g, uint64_t *factor)
{
    double greatest = 0;
    for (size_t i = 0; i < g->rows; i++)
        greatest = fmax(greatest, g->best[i] / (double)g->row[i].demand);
    uint32_t parts = 1;
    for (bool whole = false; parts < MOST_PARTS && !whole; parts += !whole) {
        whole = true;
        for (size_t i = 0; i < g->rows && whole; i++) {
            const double part = g->best[i] / (double)g->row[i].demand / greatest * parts;
            whole = fabs(part - nearbyint(part)) < WHOLE * parts;
        }
    }
    parts = parts < MOST_PARTS ? parts : FINE;
    for (size_t i = 0; i < g->rows; i++)
        factor[i] = (uint64_t)nearbyint(g->best[i] / (double)g->row[i].demand / greatest * parts);
}

/* Divides all of them by what they have in common. */
static void shorten(size_t nodes, gfab_port_certificate *ports)
{
    uint64_t *const list[] = {ports->factor, ports->node, ports->set};
    const size_t count[] = {ports->terms, nodes, ports->sets};
    uint64_t common = 0;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < count[k]; i++)
            common = gfab_common_divisor(common, list[k][i]);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < count[k]; i++)
            list[k][i] /= common;
}

gfab_status gfab_port_weigh(const gfab_topology *topology, const uint32_t *ends, gfab_port_certificate *ports)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    gfab_matching_dual dual = {0};
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    uint64_t *weight = gfab_arena_zeroed(&arena, links, sizeof *weight);
    uint32_t *mate = gfab_arena_zeroed(&arena, nodes, sizeof *mate);
    gfab_status status = arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
    for (size_t l = 0; l < links && status == GFAB_OK; l++) {
        for (uint32_t i = 0; i < ports->terms; i++)
            weight[l] += ports->factor[i] * gfab_certificate_link(topology, &ports->term[i], l);
        if (weight[l] >= GFAB_MATCHING_MAX_WEIGHT / 4)
            status = GFAB_ERR_LIMIT;
    }
    GFAB_THEN(status, gfab_lemon_matching(nodes, links, ends, weight, mate, &dual));
    for (uint32_t i = 0; i < ports->terms; i++)
        ports->factor[i] *= 4; /* these weights are in quarters */
    ports->sets = (uint32_t)dual.sets;
    ports->node = dual.node;
    ports->set = dual.set;
    ports->in = status == GFAB_OK ? calloc(dual.sets + 1, sizeof *ports->in) : NULL;
    if (status == GFAB_OK && !ports->in)
        status = GFAB_ERR_NO_MEMORY;
    for (size_t i = 0; i < dual.sets && status == GFAB_OK; i++) {
        ports->in[i] = calloc(nodes, sizeof **ports->in);
        if (!ports->in[i])
            status = GFAB_ERR_NO_MEMORY;
        for (size_t k = dual.from[i]; k < dual.from[i + 1] && status == GFAB_OK; k++)
            ports->in[i][dual.member[k]] = true;
    }
    if (status == GFAB_OK)
        shorten(nodes, ports);
    GFAB_FREE(dual.from, dual.member);
    return status;
}

static gfab_status prove(game *g, gfab_certificate *c)
{
    gfab_port_certificate *ports = calloc(1, sizeof *ports);
    *c = (gfab_certificate){.goal = g->row[0].goal, .link_mode = g->link_mode, .ports = ports};
    GFAB_NEED(ports);
    ports->term = malloc(g->rows * sizeof *ports->term);
    ports->factor = malloc(g->rows * sizeof *ports->factor);
    GFAB_NEED(ports->term && ports->factor);
    find_factors(g, ports->factor);
    for (size_t i = 0; i < g->rows; i++)
        if (ports->factor[i]) {
            ports->factor[ports->terms] = ports->factor[i];
            ports->term[ports->terms++] = g->row[i];
            g->row[i].part = NULL;
        }
    GFAB_TRY(gfab_port_weigh(g->topology, g->ends, ports));
    return gfab_certificate_count(g->topology, c, &c->demand, &c->capacity);
}

/* ---- one round after the other ---- */

/* Each round's matching is the heaviest against all certificates before, the best ones for the rounds before (Brown
 * 1951, fictitious play) and that of the best rate. */
static gfab_status play(game *g, gfab_port_mix *turns)
{
    double *width = g->work, *weight = g->work + g->links, sum, part;
    GFAB_TRY(open_mix(turns, g->links, GFAB_PORT_TURNS));
    for (size_t l = 0; l < g->links; l++) {
        width[l] = weight[l] = 0;
        for (size_t row = 0; row < g->rows; row++)
            weight[l] += g->best[row] * g->load[row * g->links + l];
    }
    for (; turns->count < GFAB_PORT_TURNS; turns->count++) {
        make_room(g);
        GFAB_TRY(add_matching(g, weight, &sum));
        const bool *uses = g->mix.uses + (g->mix.count - 1) * g->links;
        memcpy(turns->uses + turns->count * g->links, uses, g->links * sizeof *uses);
        turns->share[turns->count] = 1.0 / GFAB_PORT_TURNS;
        for (size_t l = 0; l < g->links; l++)
            width[l] += uses[l];
        GFAB_TRY(add_certificate(g, width, &part));
        for (size_t l = 0; l < g->links; l++)
            weight[l] += g->load[(g->rows - 1) * g->links + l];
    }
    return GFAB_OK;
}

/* Steps until none gets further, or the rate is above one that is known. */
static gfab_status approach(game *g, double known, uint32_t most_steps)
{
    bool more = true;
    for (uint32_t steps = 0; more && steps < most_steps && g->rows < MOST && g->mix.count < MOST; steps++) {
        const gfab_status status = step(g, &more);
        make_room(g);
        GFAB_TRY(status);
        if (known > 0 && (double)g->row[0].goal.blocks * known * g->least >= 1)
            return GFAB_ERR_UNSUPPORTED;
        GFAB_TRY(gfab_progress_report(g->progress, "matchings", steps, most_steps));
    }
    return GFAB_OK;
}

gfab_status gfab_port_rate(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal, double known,
                           uint32_t most_steps, const gfab_progress *progress, gfab_certificate *certificate,
                           bool *tight, gfab_port_mix *mix)
{
    GFAB_AT_END(release)
    game g = {.topology = topology,
              .link_mode = link_mode,
              .goal = goal,
              .progress = progress,
              .nodes = gfab_topology_node_count(topology),
              .links = gfab_topology_link_count(topology),
              .most = INFINITY};
    *certificate = (gfab_certificate){.parts = 0};
    for (int i = 0; i < 2 && mix; i++)
        mix[i] = (gfab_port_mix){0};
    if (gfab_topology_marks(topology) & (GFAB_MARK_PARALLEL | GFAB_MARK_SWITCHES)) /* a switch has many calls at once */
        return GFAB_ERR_UNSUPPORTED;
    double part;
    gfab_status status = open(&g);
    for (size_t l = 0; l < g.links && status == GFAB_OK; l++)
        g.work[l] = 1;
    GFAB_THEN(status, add_certificate(&g, g.work, &part));
    GFAB_THEN(status, cover(&g));
    GFAB_THEN(status, approach(&g, known, most_steps));
    if (mix)
        GFAB_THEN(status, play(&g, &mix[1]));
    GFAB_THEN(status, prove(&g, certificate));
    if (status != GFAB_OK)
        gfab_certificate_release(certificate);
    *tight = g.tight;
    if (status == GFAB_OK && mix)
        mix[0] = g.mix;
    else
        gfab_port_mix_release(&g.mix);
    if (status != GFAB_OK && mix)
        gfab_port_mix_release(&mix[1]);
    return status;
}

gfab_status gfab_rate_one_port(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal,
                               const gfab_progress *progress, gfab_certificate *certificate, bool *tight)
{
    if (gfab_topology_has_single_links(topology))
        return gfab_rate(topology, link_mode, goal, progress, certificate, tight);
    return gfab_port_rate(topology, link_mode, goal, 0, GFAB_PORT_STEPS, progress, certificate, tight, NULL);
}
