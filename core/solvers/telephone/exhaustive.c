/* SPDX-License-Identifier: MIT */
/* Fewest rounds of a telephone gossip on a small graph, by trying everything that could matter: Beier & Sibeyn, section
 * 1, speak of such a program for up to 20 nodes and 30 links; how theirs prunes is not said. Here:
 * - Knowing more never hurts, so all that can be told is told, and a round is a matching to which no link can be added
 *   that would tell anything new.
 * - The fewest rounds in which a token known to a set of nodes can reach all others, were it the only one, are found
 *   beforehand for all connected sets (informing()). A round is put together node by node; when, even if every
 *   node not yet decided told all its neighbours, some token could not reach all in the rounds left, that is enough.
 * - A node with bridges has to cross some of them again: bridge_calls().
 * - A state from which no gossip was found is kept, in the first rounds up to the symmetry of the graph.
 * A number of rounds that takes this too long is handed to SAT (gossipfab/schedule/prove.h), which is better where
 * links are few, and worse where a graph has much symmetry; if that takes too long as well, both get more time. Numbers
 * of rounds are tried from a lower bound on, so that the first gossip found is as short as can be. Where the linear
 * cost counts, SAT is asked for less and less of it (reduce_cost()). */
#include "exhaustive.h"

#include "telephone.h"

#include "exchange.h"

#include <assert.h>
#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/prove.h>
#include <string.h>

#define MAX_NODES GFAB_EXHAUSTIVE_MAX_NODES
#define MAX_ROUNDS (2 * MAX_NODES)
#define NEVER UINT8_MAX
/* Symmetries that are made use of, and in how many first rounds. */
#define MAX_SYMMETRIES 2048
#define SYMMETRIC_ROUNDS 2
#define LOG_FAILED 17
/* What the search and SAT may take at first for a number of rounds: steps, and conflicts. */
#define FIRST_STEPS 4000000u
#define FIRST_CONFLICTS 20000u
/* With --effort, for each once more: conflicts of each question about the cost. */
#define CONFLICTS 1000u

/* Who knows what: by token, the nodes that know it. A set is a word with a bit for each member. */
typedef struct state {
    uint32_t informed[MAX_NODES];
} state;

typedef struct failure {
    state at;
    uint32_t left; /* rounds; 0: an empty entry */
} failure;

typedef struct search {
    const gfab_topology *topology;
    const gfab_solver_options *options;
    uint32_t nodes;
    uint32_t all; /* the set of all nodes */
    uint32_t neighbours[MAX_NODES];
    uint32_t bridges[MAX_NODES];           /* at each node: links whose removal parts the graph */
    uint32_t behind[MAX_NODES][MAX_NODES]; /* and the nodes behind each */
    uint8_t *informing;                    /* by connected set of nodes: rounds for a token that they know */
    uint8_t (*symmetries)[MAX_NODES];
    size_t symmetry_count;
    failure *failed; /* a table, 1 << LOG_FAILED entries */
    uint32_t rounds;
    uint32_t partner[MAX_ROUNDS][MAX_NODES];
    uint64_t work, enough_work; /* steps done, and those allowed */
    gfab_status status;         /* other than OK: stop. LIMIT: enough steps were done */
} search;

/* A round being put together. */
typedef struct round {
    const state *before;
    uint32_t known[MAX_NODES];  /* by node: the tokens it knows before the round */
    uint32_t useful[MAX_NODES]; /* neighbours that know other tokens */
    uint32_t open;              /* nodes not yet decided */
    uint32_t idle;              /* nodes that stay alone */
    uint32_t *partner;
    uint32_t left; /* rounds left after this one */
    uint32_t level;
} round;

static uint32_t lowest(uint32_t set)
{
    return (uint32_t)__builtin_ctz(set);
}

static uint32_t size_of(uint32_t set)
{
    return (uint32_t)__builtin_popcount(set);
}

static uint32_t neighbours_of(const search *s, uint32_t set)
{
    uint32_t result = 0;
    for (; set; set &= set - 1)
        result |= s->neighbours[lowest(set)];
    return result;
}

/* Fewest rounds from `set`, of whose nodes `callers` can still call one node in this round, which has informed
 * `set | told`. */
static uint8_t informing_from(const search *s, uint32_t set, uint32_t callers, uint32_t told, uint8_t best)
{
    while (callers) {
        const uint32_t v = lowest(callers);
        uint32_t choices = s->neighbours[v] & ~set & ~told;
        callers &= callers - 1;
        if (!choices)
            continue;
        for (; choices; choices &= choices - 1)
            best = informing_from(s, set, callers, told | (choices & -choices), best);
        /* Silent, so that others may call its neighbours: of use only if they all do. */
        choices = s->neighbours[v] & ~set & ~told;
        if ((neighbours_of(s, callers) & choices) != choices)
            return best;
    }
    const uint8_t after = s->informing[set | told];
    return after < NEVER && after + 1 < best ? after + 1 : best;
}

/* Larger sets first: a set is a higher number than its parts. Sets that are not connected are left at NEVER; they are
 * never asked for. */
static void find_informing(search *s)
{
    memset(s->informing, NEVER, (size_t)s->all + 1);
    s->informing[s->all] = 0;
    for (uint32_t set = s->all - 1; set > 0; set--) {
        uint32_t part = set & -set, grown;
        while ((grown = (part | neighbours_of(s, part)) & set) != part)
            part = grown;
        if (part == set)
            s->informing[set] = informing_from(s, set, set, 0, NEVER);
    }
}

/* Puts the images of nodes from `at` on; the first MAX_SYMMETRIES symmetries in lexicographic order are kept. */
static void find_symmetries(search *s, uint8_t *image, uint32_t used, uint32_t at)
{
    if (s->symmetry_count == MAX_SYMMETRIES)
        return;
    if (at == s->nodes) {
        memcpy(s->symmetries[s->symmetry_count++], image, s->nodes);
        return;
    }
    for (uint32_t v = 0; v < s->nodes; v++) {
        bool fits = !(used >> v & 1) && size_of(s->neighbours[v]) == size_of(s->neighbours[at]);
        for (uint32_t w = 0; w < at && fits; w++)
            fits = (s->neighbours[at] >> w & 1) == (s->neighbours[v] >> image[w] & 1);
        if (fits) {
            image[at] = (uint8_t)v;
            find_symmetries(s, image, used | (uint32_t)1 << v, at + 1);
        }
    }
}

static state image_of(const search *s, const state *from, const uint8_t *image)
{
    state to;
    for (uint32_t t = 0; t < s->nodes; t++) {
        uint32_t set = 0;
        for (uint32_t from_set = from->informed[t]; from_set; from_set &= from_set - 1)
            set |= (uint32_t)1 << image[lowest(from_set)];
        to.informed[image[t]] = set;
    }
    return to;
}

/* The lowest of a state's images. */
static state canonical(const search *s, const state *from)
{
    state best = *from;
    for (size_t i = 0; i < s->symmetry_count; i++) {
        const state image = image_of(s, from, s->symmetries[i]);
        uint32_t t = 0;
        while (t < s->nodes && image.informed[t] == best.informed[t])
            t++;
        if (t < s->nodes && image.informed[t] < best.informed[t])
            best = image;
    }
    return best;
}

static failure *entry_of(const search *s, const state *at, uint32_t left)
{
    uint64_t hash = left;
    for (uint32_t t = 0; t < s->nodes; t++)
        hash = (hash ^ at->informed[t]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    return &s->failed[hash >> (64 - LOG_FAILED)];
}

static void find_bridges(search *s)
{
    for (uint32_t v = 0; v < s->nodes; v++)
        for (uint32_t set = s->neighbours[v]; set; set &= set - 1) {
            const uint32_t w = lowest(set);
            uint32_t part = (uint32_t)1 << w, grown = part;
            do { /* what is connected to w other than by this link */
                part = grown;
                for (uint32_t left = part; left; left &= left - 1) {
                    const uint32_t u = lowest(left);
                    grown |= u == w ? s->neighbours[u] & ~((uint32_t)1 << v) : s->neighbours[u];
                }
            } while (grown != part);
            if (!(part >> v & 1))
                s->behind[v][s->bridges[v]++] = part;
        }
}

/* A bound for the rounds left, from the bridges at each node. A bridge is crossed again if a token has yet to go in, or
 * to come out. It is crossed twice if both, but for one bridge at most: before one can do with once, all tokens
 * have come out of the others, and when it has been crossed they all have to go in there. */
static uint32_t bridge_calls(const search *s, const state *at)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < s->nodes; v++) {
        uint32_t calls = 0, once = 0;
        for (uint32_t i = 0; i < s->bridges[v]; i++) {
            const uint32_t behind = s->behind[v][i];
            uint32_t in = 0, out = 0;
            for (uint32_t t = 0; t < s->nodes; t++) {
                in |= !(at->informed[t] & behind);
                out |= !(at->informed[t] & ~behind);
            }
            calls += in + out;
            once |= in & out;
        }
        calls -= once;
        if (calls > most)
            most = calls;
    }
    return most;
}

static bool descend(search *s, const state *at, uint32_t level);

/* Whether every token can still reach all, were every open node to tell all its neighbours. */
static bool hopeful(const search *s, const round *r)
{
    for (uint32_t t = 0; t < s->nodes; t++) {
        const uint32_t informed = r->before->informed[t];
        uint32_t set = informed;
        for (uint32_t left = informed & ~r->idle; left; left &= left - 1) {
            const uint32_t v = lowest(left);
            set |= r->open >> v & 1 ? s->neighbours[v] & r->open : (uint32_t)1 << r->partner[v];
        }
        if (s->informing[set] > r->left)
            return false;
    }
    return true;
}

static bool finish_round(search *s, const round *r)
{
    state next;
    for (uint32_t t = 0; t < s->nodes; t++) {
        next.informed[t] = r->before->informed[t];
        for (uint32_t left = next.informed[t]; left; left &= left - 1)
            next.informed[t] |= (uint32_t)1 << r->partner[lowest(left)];
    }
    return descend(s, &next, r->level + 1);
}

/* Decides the open nodes, first one that has fewest choices. */
static bool fill_round(search *s, round *r)
{
    if (s->status == GFAB_OK && (++s->work & 4095) == 0)
        s->status = s->work > s->enough_work ? GFAB_ERR_LIMIT : gfab_solver_report(s->options, "steps", s->work, 0);
    if (s->status != GFAB_OK || !hopeful(s, r))
        return false;
    uint32_t node = MAX_NODES, fewest = UINT32_MAX;
    for (uint32_t left = r->open; left; left &= left - 1) {
        const uint32_t v = lowest(left), choices = size_of(r->useful[v] & r->open);
        if (choices > 0 && choices < fewest) {
            fewest = choices;
            node = v;
        }
    }
    const uint32_t open = r->open, idle = r->idle;
    if (node == MAX_NODES) {
        for (uint32_t left = r->open; left; left &= left - 1) {
            const uint32_t v = lowest(left);
            r->partner[v] = v;
            if (r->useful[v] & r->idle)
                return false; /* a link could be added, which is tried elsewhere */
        }
        return finish_round(s, r);
    }
    uint32_t choices = r->useful[node] & open;
    while (choices) { /* first the partner with most to tell and to hear */
        uint32_t best = lowest(choices);
        for (uint32_t left = choices; left; left &= left - 1)
            if (size_of(r->known[lowest(left)] ^ r->known[node]) > size_of(r->known[best] ^ r->known[node]))
                best = lowest(left);
        choices &= ~((uint32_t)1 << best);
        r->partner[node] = best;
        r->partner[best] = node;
        r->open = open & ~((uint32_t)1 << node) & ~((uint32_t)1 << best);
        if (fill_round(s, r))
            return true;
    }
    /* Alone: then all its useful neighbours have other partners. */
    bool possible = !(r->useful[node] & idle);
    for (uint32_t left = r->useful[node] & open; left && possible; left &= left - 1)
        possible = (r->useful[lowest(left)] & open & ~idle & ~((uint32_t)1 << node)) != 0;
    r->open = open & ~((uint32_t)1 << node);
    r->idle = idle | (uint32_t)1 << node;
    r->partner[node] = node;
    const bool found = possible && fill_round(s, r);
    r->open = open;
    r->idle = idle;
    return found;
}

/* Enters the state after `level` rounds; on success s->partner has the rounds after it. */
static bool descend(search *s, const state *at, uint32_t level)
{
    bool complete = true;
    for (uint32_t t = 0; t < s->nodes; t++)
        complete = complete && at->informed[t] == s->all;
    if (complete) {
        s->rounds = level;
        return true;
    }
    const uint32_t left = s->rounds - level;
    if (left == 0 || bridge_calls(s, at) > left)
        return false;
    const state key = level > 0 && level <= SYMMETRIC_ROUNDS ? canonical(s, at) : *at;
    failure *entry = entry_of(s, &key, left);
    if (entry->left == left && !memcmp(entry->at.informed, key.informed, s->nodes * sizeof *key.informed))
        return false;
    round r = {.before = at, .open = s->all, .partner = s->partner[level], .left = left - 1, .level = level};
    for (uint32_t t = 0; t < s->nodes; t++)
        for (uint32_t set = at->informed[t]; set; set &= set - 1)
            r.known[lowest(set)] |= (uint32_t)1 << t;
    for (uint32_t v = 0; v < s->nodes; v++)
        for (uint32_t set = s->neighbours[v]; set; set &= set - 1)
            if (r.known[lowest(set)] != r.known[v])
                r.useful[v] |= (uint32_t)1 << lowest(set);
    if (fill_round(s, &r))
        return true;
    if (s->status == GFAB_OK)
        *entry = (failure){key, left};
    return false;
}

/* The lower bound to start from. */
static gfab_status least_rounds(const search *s, const gfab_model *model, const state *start, uint32_t *least)
{
    gfab_bound bound;
    GFAB_TRY(gfab_bound_best(s->topology, model, s->options->progress, &bound));
    *least = (uint32_t)bound.rounds;
    for (uint32_t v = 0; v < s->nodes; v++)
        if (s->informing[(uint32_t)1 << v] > *least)
            *least = s->informing[(uint32_t)1 << v];
    const uint32_t calls = bridge_calls(s, start);
    if (calls > *least)
        *least = calls;
    return GFAB_OK;
}

/* The pairs of a schedule's rounds. */
static void take_pairs(search *s, const gfab_schedule *schedule)
{
    for (uint32_t i = 0; i < s->rounds; i++) {
        for (uint32_t v = 0; v < s->nodes; v++)
            s->partner[i][v] = v;
        gfab_packet_iter packets = gfab_schedule_round(schedule, i + 1);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
            const uint32_t from = gfab_topology_arc_from(s->topology, packet.arcs[0]);
            const uint32_t to = gfab_topology_arc_to(s->topology, packet.arcs[0]);
            s->partner[i][from] = to;
            s->partner[i][to] = from;
        }
    }
}

/* Whether there is a gossip of s->rounds rounds; if so, s->partner is one. */
static bool is_possible(search *s, const gfab_model *model, const state *start)
{
    uint64_t steps = FIRST_STEPS;
    gfab_prove_options options = gfab_prove_options_default();
    options.progress = s->options->progress;
    options.max_conflicts = FIRST_CONFLICTS;
    while (s->status == GFAB_OK) {
        const uint32_t rounds = s->rounds;
        s->enough_work = s->work + steps;
        const bool found = descend(s, start, 0);
        if (found || s->status != GFAB_ERR_LIMIT)
            return found;
        gfab_prove_report report;
        gfab_schedule *schedule = NULL;
        s->rounds = rounds;
        s->status = gfab_prove_rounds(s->topology, model, rounds, &options, &report, &schedule, NULL);
        if (s->status == GFAB_OK && report.answer == GFAB_PROVE_POSSIBLE)
            take_pairs(s, schedule);
        gfab_schedule_destroy(schedule);
        if (s->status == GFAB_OK && report.answer != GFAB_PROVE_UNKNOWN)
            return report.answer == GFAB_PROVE_POSSIBLE;
        steps *= 2;
        options.max_conflicts = options.max_conflicts > UINT32_MAX / 2 ? 0 : 2 * options.max_conflicts;
    }
    return false;
}

/* On success s->rounds and s->partner are a gossip; s->rounds is above `most` where that has none. */
static gfab_status run(search *s, const gfab_model *model, uint32_t most)
{
    uint8_t image[MAX_NODES];
    state start;
    uint32_t least = 0;
    for (uint32_t v = 0; v < s->nodes; v++)
        start.informed[v] = (uint32_t)1 << v;
    find_informing(s);
    find_symmetries(s, image, 0, 0);
    find_bridges(s);
    s->status = least_rounds(s, model, &start, &least);
    for (s->rounds = least; s->status == GFAB_OK && s->rounds <= most; s->rounds++) {
        assert(s->rounds <= MAX_ROUNDS); /* along a spanning tree, gathered and spread link by link: 2 N - 3 rounds */
        if (is_possible(s, model, &start))
            break;
    }
    return s->status;
}

/* Replaces a schedule of fewest rounds by one of least cost: for each number of rounds SAT is asked for fewer and fewer
 * transfers. It ends: a node receives N - 1 tokens, so that more rounds cost too much at last, and a round has a
 * transfer at least. With an effort it ends at a question that takes too many conflicts, and the cost may not be the
 * least. */
static gfab_status reduce_cost(search *s, const gfab_model *model, gfab_schedule **best)
{
    const gfab_ratio startup = s->options->startup;
    gfab_prove_options options = gfab_prove_options_default();
    options.progress = s->options->progress;
    options.max_conflicts = s->options->effort * CONFLICTS;
    gfab_cost least;
    gfab_status status = GFAB_OK;
    least = gfab_solver_schedule_cost(*best);
    const uint64_t most = s->options->rounds ? s->options->rounds : UINT32_MAX;
    gfab_cost wanted = {least.startups, least.transfers, 1};
    while (status == GFAB_OK && wanted.startups <= most) {
        for (wanted.transfers = least.transfers + least.startups; /* more than enough */
             wanted.transfers + 1 >= s->nodes && gfab_cost_compare(&wanted, &least, startup) >= 0;)
            wanted.transfers--;
        if (wanted.transfers + 1 < s->nodes || wanted.transfers < wanted.startups)
            break;
        gfab_prove_report report;
        gfab_schedule *better = NULL;
        options.max_transfers = (uint32_t)wanted.transfers;
        status = gfab_prove_rounds(s->topology, model, (uint32_t)wanted.startups, &options, &report, &better, NULL);
        if (status == GFAB_OK && better) {
            gfab_schedule_destroy(*best);
            *best = better;
            least = gfab_solver_schedule_cost(better);
        } else if (status == GFAB_OK && report.answer == GFAB_PROVE_UNKNOWN) {
            break;
        } else {
            wanted.startups++;
        }
    }
    return status;
}

static gfab_status write_rounds(search *s, const gfab_model *model, gfab_schedule *schedule)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *best = NULL;
    GFAB_AT_END(gfab_exchange_release) gfab_exchange exchange = {.schedule = NULL};
    GFAB_TRY(gfab_schedule_create(s->topology, model, &best));
    GFAB_TRY(gfab_exchange_create(best, &exchange));
    for (uint32_t i = 0; i < s->rounds; i++)
        GFAB_TRY(gfab_exchange_matching(&exchange, s->partner[i]));
    if (s->options->linear)
        GFAB_TRY(reduce_cost(s, model, &best));
    return gfab_schedule_append_all(schedule, best);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    search *s = gfab_arena_zeroed(&arena, 1, sizeof *s);
    GFAB_NEED(s);
    s->topology = topology;
    s->options = options;
    s->nodes = (uint32_t)gfab_topology_node_count(topology);
    s->all = UINT32_MAX >> (32 - s->nodes);
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        s->neighbours[link.node[0]] |= (uint32_t)1 << link.node[1];
        s->neighbours[link.node[1]] |= (uint32_t)1 << link.node[0];
    }
    s->informing = gfab_arena_zeroed(&arena, (size_t)s->all + 1, 1);
    s->symmetries = gfab_arena_zeroed(&arena, MAX_SYMMETRIES, sizeof *s->symmetries);
    s->failed = gfab_arena_zeroed(&arena, (size_t)1 << LOG_FAILED, sizeof *s->failed);
    const uint32_t most = options->rounds ? options->rounds : UINT32_MAX;
    GFAB_TRY(arena.failed ? GFAB_ERR_NO_MEMORY : run(s, model, most));
    if (s->rounds > most)
        return GFAB_REFUSE(diag, "no gossip of %u rounds is possible here", (unsigned)most);
    return write_rounds(s, model, schedule);
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    GFAB_TRY(gfab_telephone_check(topology, model, diag));
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    if (nodes > GFAB_EXHAUSTIVE_MAX_NODES || links > GFAB_EXHAUSTIVE_MAX_LINKS)
        return GFAB_REFUSE(diag, "exhaustive is for up to %d nodes and %d links; %s has %zu and %zu",
                           GFAB_EXHAUSTIVE_MAX_NODES, GFAB_EXHAUSTIVE_MAX_LINKS, gfab_topology_name(topology), nodes,
                           links);
    return GFAB_OK;
}

GFAB_SOLVE(solve, exhaustive, build)

const gfab_solver gfab_solver_exhaustive = {
    .name = "exhaustive",
    .summary = "telephone gossip in the fewest rounds possible, on graphs of up to 20 nodes and 30 links",
    .source = "Beier & Sibeyn, A powerful heuristic for telephone gossiping, section 1",
    .applies = applies,
    .solve = solve,
    .on_request = true,
    .exact = true,
    .only = GFAB_ONLY_TELEPHONE,
};
