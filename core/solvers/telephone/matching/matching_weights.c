/* SPDX-License-Identifier: MIT */
/* Weights of links. Who lies at distance D > 0 from a token's region gives weight D^Dist_Exp / c^Num_Exp to each of the
 * c links that leave the region on a shortest path to it (Beier & Sibeyn, formula 9). Link (a, b), b on the frontier,
 * is such a link for v exactly if d(b, v) = D(v) - 1, d being the distance in the graph: with all distances in a table
 * there is nothing to search for. A token takes two passes over the table's rows of its frontier: the first counts c
 * for every v, the second sums up for every b what the v give. Values are whole numbers below 2^24, so that sums do
 * not depend on their order, nor on the number of threads. */
#include "matching_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK GFAB_MATCHING_BLOCK
#define VALUE_SCALE 16777215.0
#define MAX_COUNT 65535u
/* Entries of the lists of one token, without a table; where they are not enough the token's weights flow. */
#define MAX_LIST ((size_t)1 << 26)
/* What going through a row of a tile, and making an entry of a list, take, in steps of about a nanosecond. */
#define STEPS_OF_ROW 6u
#define STEPS_OF_ENTRY 4u

typedef gfab_matching_worker worker;

typedef struct weights_loop {
    const gfab_matching_graph *g;
    const gfab_matching_state *s;
    const gfab_matching_settings *settings;
    const gfab_matching_kernel *kernel;
    gfab_matching_scratch *scratch;
    uint64_t *weights;
    uint32_t *priority;
    unsigned priority_shift;
} weights_loop;

static gfab_status worker_init(worker *w, const gfab_matching_graph *g)
{
    const size_t n = g->nodes;
    w->weights = gfab_arena_zeroed(&w->arena, g->links, sizeof *w->weights);
    for (size_t i = 0; g->distance && i < BLOCK; i++) {
        GFAB_ARRAYS(&w->arena, n, w->list[i], w->add[i], w->sums[i], w->into_count[i]);
        w->into[i] = gfab_arena_zeroed(&w->arena, g->links + 1, sizeof *w->into[i]);
    }
    GFAB_ARRAYS(&w->arena, n, w->distance, w->order, w->flow, w->mark, w->list_start, w->list_count, w->links,
                w->node_sums);
    return w->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

gfab_status gfab_matching_scratch_init(gfab_matching_scratch *scratch, const gfab_matching_graph *g, unsigned workers)
{
    scratch->workers = workers;
    scratch->num_exp = UINT32_MAX;
    scratch->counts = 2 * g->links < MAX_COUNT ? (uint32_t)(2 * g->links) : MAX_COUNT;
    scratch->worker = gfab_arena_zeroed(&scratch->arena, workers, sizeof *scratch->worker);
    scratch->distance_power = gfab_arena_zeroed(&scratch->arena, g->nodes + 1, sizeof *scratch->distance_power);
    scratch->need = gfab_arena_zeroed(&scratch->arena, g->padded, sizeof *scratch->need);
    scratch->count_power = gfab_arena_zeroed(&scratch->arena, scratch->counts + 1, sizeof *scratch->count_power);
    GFAB_NEED(!scratch->arena.failed);
    for (unsigned i = 0; i < workers; i++)
        GFAB_TRY(worker_init(&scratch->worker[i], g));
    return GFAB_OK;
}

void gfab_matching_scratch_free(gfab_matching_scratch *scratch)
{
    for (unsigned i = 0; scratch->worker && i < scratch->workers; i++) {
        free(scratch->worker[i].entries);
        gfab_arena_release(&scratch->worker[i].arena);
    }
    gfab_arena_release(&scratch->arena);
}

double gfab_matching_power(double base, uint32_t quarters)
{
    double factor = sqrt(sqrt(base)), result = 1.0;
    for (; quarters; quarters >>= 1, factor *= factor)
        if (quarters & 1)
            result *= factor;
    return result;
}

static void set_powers(gfab_matching_scratch *scratch, const gfab_matching_settings *settings,
                       const gfab_matching_state *s)
{
    const uint32_t first = settings->dist_exp[0], last = settings->dist_exp[1];
    const uint32_t range = s->farthest_first > 1 ? s->farthest_first - 1 : 1;
    const uint32_t far = s->farthest > 1 ? s->farthest - 1 : 0;
    const uint32_t part = far < range ? far : range;
    const uint32_t exponent = first >= last ? last + (uint32_t)((uint64_t)(first - last) * part / range)
                                            : last - (uint32_t)((uint64_t)(last - first) * part / range);
    for (uint32_t d = 0; d <= s->farthest; d++)
        scratch->distance_power[d] = (float)(VALUE_SCALE * gfab_matching_power((double)d / s->farthest, exponent));
    if (scratch->num_exp == settings->num_exp)
        return;
    scratch->num_exp = settings->num_exp;
    scratch->count_power[0] = 0;
    for (uint32_t c = 1; c <= scratch->counts; c++)
        scratch->count_power[c] = (float)(1.0 / gfab_matching_power(c, settings->num_exp));
}

/* What a node lacks beside who lacks most. */
static void set_need(gfab_matching_scratch *scratch, const gfab_matching_graph *g, const gfab_matching_state *s,
                     uint32_t exponent)
{
    uint32_t most = 1;
    for (size_t v = 0; v < g->nodes; v++) {
        uint32_t lacks = (uint32_t)s->tokens;
        for (size_t i = 0; exponent > 0 && i < s->words; i++)
            lacks -= (uint32_t)__builtin_popcountll(s->known[v * s->words + i]);
        scratch->need[v] = (float)lacks;
        most = lacks > most ? lacks : most;
    }
    for (size_t v = 0; v < g->nodes; v++)
        scratch->need[v] = exponent > 0 ? (float)gfab_matching_power(scratch->need[v] / most, exponent) : 1.0f;
    for (size_t v = g->nodes; v < g->padded; v++)
        scratch->need[v] = 0;
}

static inline uint32_t value_of(const gfab_matching_scratch *scratch, size_t node, uint32_t distance, uint32_t count)
{
    const uint32_t value =
        (uint32_t)(scratch->distance_power[distance] * scratch->count_power[count] * scratch->need[node]);
    return value > 0 ? value : 1;
}

/* ---- by lists of frontier nodes ---- */

static bool push_entry(worker *w, size_t at, uint32_t node)
{
    if (at == w->entry_capacity) {
        const size_t capacity = 2 * at + 1024;
        uint32_t *grown = capacity <= MAX_LIST ? realloc(w->entries, capacity * sizeof *grown) : NULL;
        if (!grown) {
            w->failed = w->failed || capacity <= MAX_LIST;
            return false;
        }
        w->entries = grown;
        w->entry_capacity = capacity;
    }
    w->entries[at] = node;
    return true;
}

/* The frontier nodes on shortest paths to v: those of its neighbours nearer the region, each once. The links that they
 * have into the region, or 0 where the lists grow too long. */
static uint32_t list_frontier(const gfab_matching_graph *g, worker *w, uint32_t v, size_t *end)
{
    const uint32_t nearer = w->distance[v] - 1;
    uint32_t links = 0;
    w->list_start[v] = *end;
    for (size_t i = g->start[v]; i < g->start[v + 1]; i++) {
        const uint32_t u = g->peer[i];
        if (w->distance[u] != nearer)
            continue;
        for (size_t k = w->list_start[u], last = k + w->list_count[u]; k < last; k++) {
            const uint32_t b = w->entries[k];
            if (w->mark[b] == v)
                continue;
            w->mark[b] = v;
            if (!push_entry(w, *end, b))
                return 0;
            ++*end;
            links += w->links[b];
        }
    }
    w->list_count[v] = *end - w->list_start[v];
    return links < MAX_COUNT ? links : MAX_COUNT;
}

/* Formula (9), by lists of at most limit entries in all, into node_sums; false where they grow longer. */
static bool sum_lists(const weights_loop *loop, worker *w, size_t region, size_t limit)
{
    const gfab_matching_graph *g = loop->g;
    size_t end = 0;
    memset(w->mark, 0xff, g->nodes * sizeof *w->mark);
    for (size_t i = region; i < g->nodes; i++) {
        const uint32_t v = w->order[i];
        uint32_t links = w->links[v];
        if (w->distance[v] == 1) {
            w->node_sums[v] = 0;
            if (!push_entry(w, end, v))
                return false;
            w->list_start[v] = end++;
            w->list_count[v] = 1;
        } else if ((links = list_frontier(g, w, v, &end)) == 0 || end > limit) {
            return false;
        }
        const uint64_t value = value_of(loop->scratch, v, w->distance[v], links);
        for (size_t k = w->list_start[v]; k < end; k++)
            w->node_sums[w->entries[k]] += value;
    }
    return true;
}

/* ---- with a table of distances ---- */

/* The frontier of a token, its links into the region, and what its nodes give to them. */
static void find_frontier(const weights_loop *loop, const uint8_t *far, worker *w, size_t i)
{
    const gfab_matching_graph *g = loop->g;
    uint32_t *into = w->into[i];
    size_t count = 0;
    for (size_t v = 0; v < g->nodes; v += 8) {
        if (!gfab_matching_any_one(far + v))
            continue;
        for (size_t b = v; b < v + 8; b++) {
            if (far[b] != 1)
                continue;
            const uint32_t *first = into;
            for (size_t j = g->start[b]; j < g->start[b + 1]; j++) { /* without a branch that could go either way */
                *into = g->by[j];
                into += far[g->peer[j]] == 0;
            }
            const size_t links = (size_t)(into - first);
            w->list[i][count] = (uint32_t)b;
            w->into_count[i][count] = (uint32_t)links;
            w->add[i][count] = links > UINT8_MAX ? UINT8_MAX : (uint8_t)links;
            w->sums[i][count] = value_of(loop->scratch, b, 1, w->add[i][count]);
            count++;
        }
    }
    w->count[i] = count;
}

/* What a tile's columns want of a frontier node's row; false where they are all nearer than 2. */
static bool set_wanted(const uint8_t *far, uint8_t *want)
{
    uint8_t any = 0;
    for (size_t v = 0; v < GFAB_TILE; v++) {
        const uint8_t beyond = far[v] >= 2;
        want[v] = (uint8_t)(beyond ? far[v] - 1 : UINT8_MAX);
        any |= beyond;
    }
    return any;
}

static void add_tile(const weights_loop *loop, size_t tile, const uint8_t *far, worker *w, size_t i)
{
    const uint8_t *rows = loop->g->distance + tile * loop->g->nodes * GFAB_TILE;
    uint8_t want[GFAB_TILE], planes[GFAB_TILE_PLANES][GFAB_TILE];
    uint16_t counts[GFAB_TILE] = {0};
    const size_t first = tile * GFAB_TILE; /* columns past the nodes want nothing */
    if (!set_wanted(far, want))
        return;
    loop->kernel->count(rows, w->list[i], w->add[i], w->count[i], want, counts);
    const gfab_matching_scratch *scratch = loop->scratch;
    uint32_t values[GFAB_TILE];
    for (size_t v = 0; v < GFAB_TILE; v++) /* as value_of, without its branches */
        values[v] =
            (uint32_t)(scratch->distance_power[far[v]] * scratch->count_power[counts[v]] * scratch->need[first + v]);
    for (size_t v = 0; v < GFAB_TILE; v++) {
        const uint32_t value = values[v] + (values[v] == 0 && want[v] != UINT8_MAX);
        planes[0][v] = (uint8_t)value;
        planes[1][v] = (uint8_t)(value >> 8);
        planes[2][v] = (uint8_t)(value >> 16);
    }
    loop->kernel->sum(rows, w->list[i], w->count[i], want, planes, w->sums[i]);
}

static void set_priority(const weights_loop *loop, size_t token, size_t node, uint64_t sum)
{
    const uint64_t shifted = sum >> loop->priority_shift;
    loop->priority[token * loop->g->nodes + node] = shifted > 0 ? (uint32_t)shifted : 1;
}

/* The nodes by rising distance, from the table; the number of nodes in the region. */
static size_t sort_nodes(const gfab_matching_graph *g, worker *w, const uint8_t *far)
{
    size_t at[GFAB_MATCHING_FAR + 2] = {0};
    for (size_t v = 0; v < g->nodes; v++)
        at[far[v] + 1]++;
    const size_t region = at[1];
    for (size_t d = 1; d <= GFAB_MATCHING_FAR; d++)
        at[d] += at[d - 1];
    for (size_t v = 0; v < g->nodes; v++) {
        w->distance[v] = far[v];
        w->order[at[far[v]]++] = (uint32_t)v;
    }
    return region;
}

/* Formula (9) for a token by lists, where its frontier is so large that they may be the shorter way; false if not.
 * Either way gives the same sums. */
static bool try_lists(const weights_loop *loop, worker *w, const uint8_t *far, size_t i)
{
    const gfab_matching_graph *g = loop->g;
    const size_t by_table = w->count[i] * g->tiles * STEPS_OF_ROW, least = 4 * (g->nodes + g->links);
    if (by_table < least)
        return false;
    const size_t region = sort_nodes(g, w, far);
    for (size_t k = 0; k < w->count[i]; k++)
        w->links[w->list[i][k]] = w->add[i][k];
    if (!sum_lists(loop, w, region, by_table / STEPS_OF_ENTRY))
        return false;
    for (size_t k = 0; k < w->count[i]; k++)
        w->sums[i][k] = w->node_sums[w->list[i][k]];
    return true;
}

static void block_weights(void *context, unsigned number, size_t index)
{
    const weights_loop *loop = context;
    const gfab_matching_graph *g = loop->g;
    worker *w = &loop->scratch->worker[number];
    const size_t first = index * BLOCK;
    const size_t tokens = loop->s->tokens - first < BLOCK ? loop->s->tokens - first : BLOCK;
    const uint8_t *far = loop->s->far + first * g->padded;
    bool open[BLOCK];
    for (size_t i = 0; i < tokens; i++) {
        find_frontier(loop, far + i * g->padded, w, i);
        open[i] = w->count[i] > 0 && !try_lists(loop, w, far + i * g->padded, i);
    }
    for (size_t t = 0; t < g->tiles; t++)
        for (size_t i = 0; i < tokens; i++)
            if (open[i])
                add_tile(loop, t, far + i * g->padded + t * GFAB_TILE, w, i);
    for (size_t i = 0; i < tokens; i++) {
        const uint32_t *link = w->into[i];
        for (size_t k = 0; k < w->count[i]; k++) {
            const uint64_t sum = w->sums[i][k];
            for (const uint32_t *end = link + w->into_count[i][k]; link < end; link++)
                w->weights[*link] += sum;
            if (loop->priority)
                set_priority(loop, first + i, w->list[i][k], sum);
        }
    }
}

/* ---- by search, a token at a time ---- */

/* Distances to a token's region, and the nodes in their order; the number of nodes in the region. */
static size_t search(const gfab_matching_graph *g, const gfab_matching_state *s, worker *w, size_t token)
{
    size_t tail = 0;
    for (size_t v = 0; v < g->nodes; v++) {
        const bool knows = gfab_matching_knows(s, v, token);
        w->distance[v] = knows ? 0 : UINT32_MAX;
        if (knows)
            w->order[tail++] = (uint32_t)v;
    }
    const size_t region = tail;
    for (size_t head = 0; head < tail; head++) {
        const uint32_t v = w->order[head];
        for (size_t i = g->start[v]; i < g->start[v + 1]; i++)
            if (w->distance[g->peer[i]] == UINT32_MAX) {
                w->distance[g->peer[i]] = w->distance[v] + 1;
                w->order[tail++] = g->peer[i];
            }
    }
    return region;
}

/* Every node's own weight and what flows in from farther ones is split evenly among the links to nearer ones. */
static void sum_flow(const weights_loop *loop, worker *w, size_t region)
{
    const gfab_matching_graph *g = loop->g;
    for (size_t i = region; i < g->nodes; i++)
        w->flow[w->order[i]] =
            loop->scratch->distance_power[w->distance[w->order[i]]] * loop->scratch->need[w->order[i]];
    for (size_t i = g->nodes; i-- > region;) {
        const uint32_t v = w->order[i], nearer = w->distance[v] - 1;
        uint32_t links = 0;
        for (size_t j = g->start[v]; j < g->start[v + 1]; j++)
            links += w->distance[g->peer[j]] == nearer;
        const double share = w->flow[v] / links;
        w->node_sums[v] = share >= 1.0 ? (uint64_t)share : 1;
        for (size_t j = g->start[v]; nearer > 0 && j < g->start[v + 1]; j++)
            if (w->distance[g->peer[j]] == nearer)
                w->flow[g->peer[j]] += share;
    }
}

static void token_weights(void *context, unsigned number, size_t token)
{
    const weights_loop *loop = context;
    const gfab_matching_graph *g = loop->g;
    worker *w = &loop->scratch->worker[number];
    const size_t region = search(g, loop->s, w, token);
    size_t frontier = region;
    for (; frontier < g->nodes && w->distance[w->order[frontier]] == 1; frontier++) {
        const uint32_t b = w->order[frontier];
        uint32_t links = 0;
        for (size_t j = g->start[b]; j < g->start[b + 1]; j++)
            links += w->distance[g->peer[j]] == 0;
        w->links[b] = links > UINT8_MAX ? UINT8_MAX : (uint8_t)links;
    }
    if (loop->settings->rule == GFAB_MATCHING_FLOW || !sum_lists(loop, w, region, SIZE_MAX))
        sum_flow(loop, w, region);
    for (size_t i = region; i < frontier; i++) {
        const uint32_t b = w->order[i];
        for (size_t j = g->start[b]; j < g->start[b + 1]; j++)
            if (w->distance[g->peer[j]] == 0)
                w->weights[g->by[j]] += w->node_sums[b];
        if (loop->priority)
            set_priority(loop, token, b, w->node_sums[b]);
    }
}

static void token_depth(void *context, unsigned number, size_t token)
{
    const weights_loop *loop = context;
    worker *w = &loop->scratch->worker[number];
    (void)search(loop->g, loop->s, w, token);
    const uint32_t deepest = w->distance[w->order[loop->g->nodes - 1]];
    if (deepest > w->deepest)
        w->deepest = deepest;
}

/* ---- all ---- */

#define LINKS_AT_ONCE 256u

static void link_potentials(void *context, unsigned number, size_t index)
{
    const weights_loop *loop = context;
    const gfab_matching_graph *g = loop->g;
    const gfab_matching_state *s = loop->s;
    const size_t last = (index + 1) * LINKS_AT_ONCE < g->links ? (index + 1) * LINKS_AT_ONCE : g->links;
    (void)number;
    for (size_t l = index * LINKS_AT_ONCE; l < last; l++) {
        const uint64_t *a = s->known + g->ends[2 * l] * s->words, *b = s->known + g->ends[2 * l + 1] * s->words;
        uint64_t sum = 0;
        for (size_t i = 0; i < s->words; i++)
            sum += (uint64_t)__builtin_popcountll(a[i] ^ b[i]);
        loop->weights[l] = sum;
    }
}

/* The highest distance of any token at any node, where no table keeps it. */
static void measure_depth(weights_loop *loop, gfab_matching_state *s)
{
    gfab_matching_scratch *scratch = loop->scratch;
    for (unsigned i = 0; i < scratch->workers; i++)
        scratch->worker[i].deepest = 0;
    gfab_parallel_for(scratch->workers, s->tokens, token_depth, loop);
    s->farthest = 0;
    for (unsigned i = 0; i < scratch->workers; i++)
        if (scratch->worker[i].deepest > s->farthest)
            s->farthest = scratch->worker[i].deepest;
    if (s->farthest > s->farthest_first)
        s->farthest_first = s->farthest;
}

gfab_status gfab_matching_weights(const gfab_matching_problem *problem, gfab_matching_state *s,
                                  const gfab_matching_settings *settings, gfab_matching_scratch *scratch,
                                  uint64_t *weights, uint32_t *priority)
{
    const gfab_matching_graph *g = &problem->graph;
    weights_loop loop = {.g = g,
                         .s = s,
                         .settings = settings,
                         .kernel = problem->kernel,
                         .scratch = scratch,
                         .weights = weights,
                         .priority = priority};
    if (settings->rule == GFAB_MATCHING_POTENTIAL) {
        gfab_parallel_for(scratch->workers, (g->links + LINKS_AT_ONCE - 1) / LINKS_AT_ONCE, link_potentials, &loop);
        for (size_t i = 0; priority && i < s->tokens * g->nodes; i++)
            priority[i] = 1;
        return GFAB_OK;
    }
    if (!s->far)
        measure_depth(&loop, s);
    if (s->farthest == 0) {
        memset(weights, 0, g->links * sizeof *weights);
        return GFAB_OK;
    }
    set_powers(scratch, settings, s);
    set_need(scratch, g, s, settings->need_exp);
    for (size_t n = g->nodes; n > 127; n /= 2)
        loop.priority_shift++;
    for (unsigned i = 0; i < scratch->workers; i++) {
        memset(scratch->worker[i].weights, 0, g->links * sizeof *weights);
        scratch->worker[i].failed = false;
    }
    if (s->far && settings->rule == GFAB_MATCHING_BFS)
        gfab_parallel_for(scratch->workers, (s->tokens + BLOCK - 1) / BLOCK, block_weights, &loop);
    else
        gfab_parallel_for(scratch->workers, s->tokens, token_weights, &loop);
    memcpy(weights, scratch->worker[0].weights, g->links * sizeof *weights);
    bool failed = scratch->worker[0].failed;
    for (unsigned i = 1; i < scratch->workers; i++) {
        for (size_t l = 0; l < g->links; l++)
            weights[l] += scratch->worker[i].weights[l];
        failed = failed || scratch->worker[i].failed;
    }
    return failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}
