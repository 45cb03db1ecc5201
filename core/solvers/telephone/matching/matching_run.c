/* SPDX-License-Identifier: MIT */
/* One gossip, round by round (Beier & Sibeyn, algorithm Round_Heuristic): weigh the links, match, and where rounds
 * have a length, set it and choose the packets; then move the tokens. */
#include "matching_state.h"

#include "flow/lemon_matching.h"

#include <string.h>

typedef gfab_matching_candidate candidate;

/* ---- the matching ---- */

/* Falling weight, links of the same weight by number. */
static void sort_links(const uint64_t *weights, uint32_t *order, size_t count)
{
    for (size_t start = count / 2, end = count; end > 1;) { /* heap sort: the lightest link on top */
        if (start > 0) {
            start--;
        } else {
            const uint32_t top = order[0];
            order[0] = order[--end];
            order[end] = top;
        }
        for (size_t at = start, child; (child = 2 * at + 1) < end; at = child) {
            const uint32_t a = order[child], b = child + 1 < end ? order[child + 1] : a;
            if (weights[b] < weights[a] || (weights[b] == weights[a] && b > a))
                child++;
            const uint32_t c = order[child], p = order[at];
            if (weights[p] < weights[c] || (weights[p] == weights[c] && p >= c))
                break;
            order[at] = c;
            order[child] = p;
        }
    }
}

/* The heaviest link, then the heaviest of those that are left without a node of it, and so on: at least half of the
 * highest weight (Avis 1983). */
static void match_greedily(const gfab_matching_graph *g, const uint64_t *weights, uint32_t *order, uint32_t *mate)
{
    size_t count = 0;
    for (size_t v = 0; v < g->nodes; v++)
        mate[v] = GFAB_NO_MATE;
    for (size_t l = 0; l < g->links; l++)
        if (weights[l] > 0)
            order[count++] = (uint32_t)l;
    sort_links(weights, order, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = g->ends[2 * order[i]], b = g->ends[2 * order[i] + 1];
        if (mate[a] == GFAB_NO_MATE && mate[b] == GFAB_NO_MATE) {
            mate[a] = b;
            mate[b] = a;
        }
    }
}

static gfab_status match(gfab_matching_run *run, const gfab_matching_settings *settings, const uint64_t *weights,
                         uint32_t *mate)
{
    const gfab_matching_graph *g = &run->problem->graph;
    if (!settings->greedy)
        return gfab_lemon_matching(g->nodes, g->links, g->ends, weights, mate, NULL);
    match_greedily(g, weights, run->order, mate);
    return GFAB_OK;
}

/* Raises weights by their noise. They are multiplied first where they are small, so that a thousandth counts. */
static void add_noise(const gfab_matching_graph *g, const gfab_matching_settings *settings, uint32_t round,
                      uint64_t *weights)
{
    uint64_t highest = 0;
    unsigned shift = 0;
    for (size_t l = 0; l < g->links; l++)
        highest = weights[l] > highest ? weights[l] : highest;
    while (highest << (shift + 3) < GFAB_MATCHING_MAX_WEIGHT && shift < 20)
        shift++;
    for (size_t l = 0; l < g->links; l++) {
        const uint64_t at_link = gfab_matching_hash(settings->seed ^ gfab_matching_hash((uint64_t)round << 32 | l));
        const uint64_t at_class = gfab_matching_hash(settings->seed ^ ~(uint64_t)g->link_class[l]);
        const uint64_t more = (at_link >> 32) * settings->noise + (at_class >> 32) * settings->class_noise;
        weights[l] <<= shift;
        weights[l] += (uint64_t)((unsigned __int128)weights[l] * (more >> 12) / ((uint64_t)1000 << 20));
    }
}

/* ---- what is sent ---- */

/* What each node would get if packets held all that there is to send. */
static void choose_all(gfab_matching_run *run, const gfab_matching_state *s, const uint32_t *mate)
{
    for (size_t v = 0; v < run->problem->graph.nodes; v++) {
        uint64_t *chosen = run->chosen + v * s->words;
        run->gets[v] = 0;
        if (mate[v] == GFAB_NO_MATE)
            continue;
        const uint64_t *has = s->known + v * s->words, *given = s->known + mate[v] * s->words;
        for (size_t i = 0; i < s->words; i++) {
            chosen[i] = given[i] & ~has[i];
            run->gets[v] += (uint32_t)__builtin_popcountll(chosen[i]);
        }
    }
}

/* The s for which the deliveries of packets of at most s tokens are the most for their cost, startup + s (section 4.1),
 * the startup taken for haste hundredths of what it is. */
static uint32_t best_length(gfab_matching_run *run, uint32_t haste)
{
    const gfab_matching_problem *problem = run->problem;
    uint32_t longest = 0, best = 1;
    uint64_t moved = 0, best_moved = 0, open = 0;
    memset(run->counts, 0, (problem->tokens + 1) * sizeof *run->counts);
    for (size_t v = 0; v < problem->graph.nodes; v++) {
        run->counts[run->gets[v]]++;
        open += run->gets[v] > 0;
        longest = run->gets[v] > longest ? run->gets[v] : longest;
    }
    const unsigned __int128 base = (unsigned __int128)problem->startup.numerator * haste;
    const unsigned __int128 unit = (unsigned __int128)problem->startup.denominator * 100;
    for (uint32_t length = 1; length <= longest; length++) {
        moved += open; /* nodes that get at least so many */
        open -= run->counts[length];
        if (moved * (base + best * unit) > best_moved * (base + length * unit)) {
            best = length;
            best_moved = moved;
        }
    }
    return best;
}

/* Brings the count best of all to the front. */
static void select_best(candidate *all, size_t size, size_t count)
{
    for (size_t low = 0, high = size; high - low > 1 && count > low && count < high;) {
        const candidate pivot = all[low + (high - low - 1) / 2];
        size_t i = low, j = high - 1;
        for (;;) {
            while (all[i].key > pivot.key || (all[i].key == pivot.key && all[i].token < pivot.token))
                i++;
            while (all[j].key < pivot.key || (all[j].key == pivot.key && all[j].token > pivot.token))
                j--;
            if (i >= j)
                break;
            const candidate swapped = all[i];
            all[i++] = all[j];
            all[j--] = swapped;
        }
        const size_t middle = j + 1; /* all before are at least as good as all from here on */
        if (count < middle)
            high = middle;
        else if (count > middle)
            low = middle;
        else
            return;
    }
}

typedef struct choice_loop {
    gfab_matching_run *run;
    const gfab_matching_state *s;
    uint64_t seed;
    uint32_t length;
} choice_loop;

/* The tokens that are in a set, the best length of them for a node first; how many there are. */
static size_t rank(const choice_loop *loop, candidate *all, const uint64_t *given, const uint64_t *has, size_t node)
{
    const gfab_matching_run *run = loop->run;
    size_t size = 0;
    for (size_t i = 0; i < loop->s->words; i++)
        for (uint64_t bits = given[i] & ~has[i]; bits; bits &= bits - 1) {
            const uint32_t token = (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(bits);
            const uint64_t tie = gfab_matching_hash(loop->seed ^ ((uint64_t)token << 32 | node)) >> 32;
            const uint64_t priority = run->priority[token * run->problem->graph.nodes + node];
            all[size++] = (candidate){priority << 32 | tie, token};
        }
    if (size > loop->length)
        select_best(all, size, loop->length);
    return size;
}

/* Keeps of what a node could get the tokens of highest priority. */
static void cut_packet(void *context, unsigned worker, size_t node)
{
    const choice_loop *loop = context;
    gfab_matching_run *run = loop->run;
    if (run->gets[node] <= loop->length)
        return;
    const candidate *all = run->candidates[worker];
    const uint64_t *known = loop->s->known + node * loop->s->words;
    uint64_t *chosen = run->chosen + node * loop->s->words;
    rank(loop, run->candidates[worker], chosen, known, node);
    memset(chosen, 0, loop->s->words * sizeof *chosen);
    for (size_t i = 0; i < loop->length; i++)
        chosen[all[i].token / 64] |= (uint64_t)1 << (all[i].token % 64);
    run->gets[node] = loop->length;
}

/* A link's weight as the priorities of what it would carry, both ways. */
static void weigh_packets(void *context, unsigned worker, size_t link)
{
    const choice_loop *loop = context;
    gfab_matching_run *run = loop->run;
    const candidate *all = run->candidates[worker];
    uint64_t sum = 0;
    for (size_t end = 0; end < 2; end++) {
        const uint32_t to = run->problem->graph.ends[2 * link + end],
                       from = run->problem->graph.ends[2 * link + 1 - end];
        const size_t size = rank(loop, run->candidates[worker], loop->s->known + from * loop->s->words,
                                 loop->s->known + to * loop->s->words, to);
        for (size_t i = 0; i < size && i < loop->length; i++)
            sum += all[i].key >> 32;
    }
    run->weights[link] = sum;
}

/* Sets chosen and gets to all that the matching can carry. The length of the round: that of the longest packet, or
 * where packets are cut what they are cut to. A round that can finish the gossip is as long as that takes. */
static uint32_t choose_length(gfab_matching_run *run, const gfab_matching_settings *settings,
                              const gfab_matching_state *s, const uint32_t *mate)
{
    const gfab_matching_problem *problem = run->problem;
    uint64_t all = 0;
    uint32_t longest = 0;
    choose_all(run, s, mate);
    for (size_t v = 0; v < problem->graph.nodes; v++) {
        all += run->gets[v];
        longest = run->gets[v] > longest ? run->gets[v] : longest;
    }
    uint32_t length = problem->packet;
    if (problem->linear && (all < s->missing || longest > problem->packet)) {
        const uint32_t best = best_length(run, settings->haste);
        length = best < length ? best : length;
    }
    return length < longest ? length : longest;
}

/* Cuts the packets to length. */
static void cut_packets(gfab_matching_run *run, const gfab_matching_settings *settings, const gfab_matching_state *s,
                        uint32_t round, uint32_t length)
{
    choice_loop loop = {.run = run, .s = s, .seed = settings->seed + round, .length = length};
    if (run->priority)
        gfab_parallel_for(run->scratch.workers, run->problem->graph.nodes, cut_packet, &loop);
}

static uint32_t choose(gfab_matching_run *run, const gfab_matching_settings *settings, const gfab_matching_state *s,
                       const uint32_t *mate, uint32_t round)
{
    const uint32_t length = choose_length(run, settings, s, mate);
    cut_packets(run, settings, s, round, length);
    return length;
}

/* ---- moving it ---- */

typedef struct move_loop {
    gfab_matching_run *run;
    gfab_matching_state *s;
    uint32_t farthest[GFAB_MAX_WORKERS];
} move_loop;

/* The nodes that get a token. */
static size_t find_receivers(const gfab_matching_run *run, const gfab_matching_state *s, size_t token, uint32_t *list)
{
    const gfab_matching_graph *g = &run->problem->graph;
    const uint8_t *far = s->far + token * g->padded;
    size_t count = 0;
    for (size_t v = 0; v < g->nodes; v += 8)
        for (size_t b = v; gfab_matching_any_one(far + v) && b < v + 8; b++)
            if (far[b] == 1 && run->gets[b] > 0 && run->chosen[b * s->words + token / 64] >> (token % 64) & 1)
                list[count++] = (uint32_t)b;
    return count;
}

/* The distances of a token lowered by breadth-first search from the nodes that get it, as far as anything changes. */
static void relax(const gfab_matching_graph *g, gfab_matching_worker *w, const uint32_t *list, size_t count,
                  uint8_t *far)
{
    uint32_t *queue = w->order;
    size_t tail = count;
    memcpy(queue, list, count * sizeof *queue);
    for (size_t i = 0; i < count; i++)
        far[queue[i]] = 0;
    for (size_t head = 0; head < tail; head++) {
        const uint32_t v = queue[head];
        const uint8_t next = (uint8_t)(far[v] + 1);
        for (size_t i = g->start[v]; i < g->start[v + 1]; i++)
            if (far[g->peer[i]] > next) {
                far[g->peer[i]] = next;
                queue[tail++] = g->peer[i];
            }
    }
}

/* The distances of a block of tokens, lowered to those from the nodes that get them: by the rows of these in the table,
 * or, where they are many, by a search. known is not changed yet. */
static void lower_block(void *context, unsigned worker, size_t index)
{
    move_loop *loop = context;
    const gfab_matching_run *run = loop->run;
    const gfab_matching_graph *g = &run->problem->graph;
    const gfab_matching_state *s = loop->s;
    gfab_matching_worker *w = &run->scratch.worker[worker];
    const size_t first = index * GFAB_MATCHING_BLOCK;
    const size_t tokens = s->tokens - first < GFAB_MATCHING_BLOCK ? s->tokens - first : GFAB_MATCHING_BLOCK;
    bool open[GFAB_MATCHING_BLOCK];
    for (size_t i = 0; i < tokens; i++) {
        uint8_t *far = s->far + (first + i) * g->padded;
        w->count[i] = find_receivers(run, s, first + i, w->list[i]);
        open[i] = 8 * w->count[i] * g->tiles < g->nodes + 2 * g->links;
        if (!open[i])
            relax(g, w, w->list[i], w->count[i], far);
    }
    for (size_t t = 0; t < g->tiles; t++)
        for (size_t i = 0; i < tokens; i++)
            if (open[i] && w->count[i] > 0)
                run->problem->kernel->lower(g->distance + t * g->nodes * GFAB_TILE, w->list[i], w->count[i],
                                            s->far + (first + i) * g->padded + t * GFAB_TILE);
    uint8_t farthest = 0;
    const uint8_t *far = s->far + first * g->padded;
    for (size_t t = 0; t < tokens * g->tiles; t++, far += GFAB_TILE) { /* a fixed length, for the compiler's vectors */
        uint8_t tile = 0;
        for (size_t v = 0; v < GFAB_TILE; v++)
            tile = far[v] > tile ? far[v] : tile;
        farthest = tile > farthest ? tile : farthest;
    }
    if (farthest > loop->farthest[worker])
        loop->farthest[worker] = farthest;
}

/* Gives the nodes what was chosen for them. */
static void move(gfab_matching_run *run, gfab_matching_state *s)
{
    const gfab_matching_graph *g = &run->problem->graph;
    move_loop loop = {.run = run, .s = s};
    if (s->far) {
        gfab_parallel_for(run->scratch.workers, (s->tokens + GFAB_MATCHING_BLOCK - 1) / GFAB_MATCHING_BLOCK,
                          lower_block, &loop);
        s->farthest = 0;
        for (unsigned i = 0; i < run->scratch.workers; i++)
            s->farthest = loop.farthest[i] > s->farthest ? loop.farthest[i] : s->farthest;
    }
    for (size_t v = 0; v < g->nodes; v++) {
        if (run->gets[v] == 0)
            continue;
        s->missing -= run->gets[v];
        for (size_t i = 0; i < s->words; i++)
            s->known[v * s->words + i] |= run->chosen[v * s->words + i];
    }
}

static gfab_status append(gfab_matching_run *run, const uint32_t *mate, uint32_t round, gfab_schedule *schedule)
{
    const gfab_matching_graph *g = &run->problem->graph;
    for (size_t v = 0; v < g->nodes; v++) {
        if (run->gets[v] == 0)
            continue;
        size_t i = g->start[v], count = 0;
        while (g->peer[i] != mate[v])
            i++;
        const gfab_arc arc = 2 * g->by[i] + (g->ends[2 * g->by[i]] == v ? 1 : 0);
        for (size_t k = 0; k < run->state.words; k++)
            for (uint64_t bits = run->chosen[v * run->state.words + k]; bits; bits &= bits - 1)
                run->counts[count++] = (uint32_t)(64 * k) + (uint32_t)__builtin_ctzll(bits);
        GFAB_TRY(gfab_schedule_append_packet(schedule, round, &arc, 1, run->counts, count));
    }
    return GFAB_OK;
}

/* ---- rounds ---- */

static gfab_status weigh(gfab_matching_run *run, gfab_matching_state *s, const gfab_matching_settings *settings,
                         uint32_t round, uint64_t *weights)
{
    GFAB_TRY(gfab_matching_weights(run->problem, s, settings, &run->scratch, weights, run->priority));
    add_noise(&run->problem->graph, settings, round, weights);
    return GFAB_OK;
}

/* What is still to do, to compare states: the sum of all distances, each to the power of Dist_Exp. */
static uint64_t burden(const gfab_matching_graph *g, const gfab_matching_state *s,
                       const gfab_matching_settings *settings)
{
    uint64_t counts[GFAB_MATCHING_FAR + 1] = {0};
    for (size_t i = 0; i < s->tokens * g->padded; i++)
        counts[s->far[i]]++;
    double sum = 0;
    for (uint32_t d = 1; d <= s->farthest_first; d++)
        sum += (double)counts[d] * gfab_matching_power((double)d / s->farthest_first, settings->dist_exp[0]);
    return (uint64_t)(sum * 65536.0);
}

/* How a matching turns out: plays depth rounds from it in the trial state. */
static gfab_status look(gfab_matching_run *run, const gfab_matching_settings *settings, uint32_t round, uint64_t *cost)
{
    gfab_status status = GFAB_OK;
    gfab_matching_state_copy(&run->trial, &run->state, &run->problem->graph);
    for (uint32_t i = 0; status == GFAB_OK; i++) {
        (void)choose(run, settings, &run->trial, run->mate[1], round + i);
        move(run, &run->trial);
        if (i == settings->depth || run->trial.missing == 0)
            break;
        status = weigh(run, &run->trial, settings, round + i + 1, run->altered);
        GFAB_THEN(status, match(run, settings, run->altered, run->mate[1]));
    }
    *cost = burden(&run->problem->graph, &run->trial, settings);
    return status;
}

/* Makes links of the heaviest matching weightless, a few at random, to get another one. */
static void alter(gfab_matching_run *run, uint64_t seed)
{
    const gfab_matching_graph *g = &run->problem->graph;
    uint64_t matched = 0;
    for (size_t l = 0; l < g->links; l++)
        matched += run->mate[0][g->ends[2 * l]] == g->ends[2 * l + 1];
    memcpy(run->altered, run->weights, g->links * sizeof *run->altered);
    for (size_t l = 0; l < g->links; l++)
        if (run->mate[0][g->ends[2 * l]] == g->ends[2 * l + 1] &&
            (gfab_matching_hash(seed + l) >> 32) * (matched + 1) >> 32 < 2)
            run->altered[l] = 0;
}

/* Replaces the round's matching by the one of several after which least is to do some rounds on (section 4.2). */
static gfab_status look_ahead(gfab_matching_run *run, const gfab_matching_settings *settings, uint32_t round)
{
    const size_t bytes = run->problem->graph.nodes * sizeof *run->mate[0];
    uint64_t least = UINT64_MAX;
    memcpy(run->mate[2], run->mate[0], bytes);
    for (uint32_t i = 0; i < settings->lookahead; i++) {
        uint64_t cost = 0;
        if (i == 0) {
            memcpy(run->mate[1], run->mate[0], bytes);
        } else {
            alter(run, gfab_matching_hash(settings->seed ^ ((uint64_t)round << 32 | i)));
            GFAB_TRY(match(run, settings, run->altered, run->mate[1]));
        }
        memcpy(run->mate[3], run->mate[1], bytes);
        GFAB_TRY(look(run, settings, round, &cost));
        if (cost < least) {
            least = cost;
            memcpy(run->mate[2], run->mate[3], bytes);
        }
    }
    memcpy(run->mate[0], run->mate[2], bytes);
    return GFAB_OK;
}

/* Where packets are cut, weighs links by what packets of that length would carry, and matches anew. */
static gfab_status match_capped(gfab_matching_run *run, const gfab_matching_settings *settings, uint32_t round)
{
    const gfab_matching_graph *g = &run->problem->graph;
    const uint32_t length = choose_length(run, settings, &run->state, run->mate[0]);
    bool cut = false;
    for (size_t v = 0; v < g->nodes; v++)
        cut = cut || run->gets[v] > length;
    if (!cut)
        return GFAB_OK;
    choice_loop loop = {.run = run, .s = &run->state, .seed = settings->seed + round, .length = length};
    gfab_parallel_for(run->scratch.workers, g->links, weigh_packets, &loop);
    add_noise(g, settings, round, run->weights);
    return match(run, settings, run->weights, run->mate[0]);
}

/* The most that any node still lacks, or 1: no fewer tokens have to be transferred. */
static uint64_t most_lacked(const gfab_matching_run *run)
{
    const gfab_matching_state *s = &run->state;
    uint64_t most = 0;
    for (size_t v = 0; v < run->problem->graph.nodes; v++) {
        uint64_t lacks = s->tokens;
        for (size_t i = 0; i < s->words; i++)
            lacks -= (uint64_t)__builtin_popcountll(s->known[v * s->words + i]);
        most = lacks > most ? lacks : most;
    }
    return most;
}

gfab_status gfab_matching_play(gfab_matching_run *run, const gfab_matching_settings *settings,
                               const gfab_matching_judge *judge, gfab_schedule *schedule, uint64_t *transfers)
{
    const gfab_matching_problem *problem = run->problem;
    gfab_matching_state *s = &run->state;
    gfab_matching_state_reset(s, &problem->graph, problem->origin);
    *transfers = 0;
    for (uint32_t round = 1; s->missing > 0; round++) {
        const uint32_t least = s->far || s->farthest <= 1 ? s->farthest : s->farthest - 1;
        GFAB_TRY(judge->go_on(judge->context, round - 1 + (least > 0 ? least : 1), *transfers + most_lacked(run),
                              s->missing));
        GFAB_TRY(weigh(run, s, settings, round, run->weights));
        GFAB_TRY(match(run, settings, run->weights, run->mate[0]));
        if (settings->capped && run->priority)
            GFAB_TRY(match_capped(run, settings, round));
        if (settings->lookahead > 1 && s->far && s->farthest > 1)
            GFAB_TRY(look_ahead(run, settings, round));
        *transfers += choose(run, settings, s, run->mate[0], round);
        GFAB_TRY(append(run, run->mate[0], round, schedule));
        move(run, s);
    }
    return GFAB_OK;
}
