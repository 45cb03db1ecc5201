/* SPDX-License-Identifier: MIT */
/* Beier & Sibeyn, A powerful heuristic for telephone gossiping, section 6: a depth-first search for a sequence of
 * matchings. A state has for each node the set of tokens it knows, of those that stand for all (colouring_symmetry.c).
 * Matchings that would move few tokens are left out, the others tried by falling numbers of tokens moved. Then what
 * the paper calls testing the last levels exhaustively: for each possible ending the knowledge of one node is traced
 * back over the rounds, and a node that ends incomplete rules the ending out; it is the first to be asked for the same
 * ending of other states. */
#include <gossipfab/base/arena.h>
#include <gossipfab/telephone/colouring.h>

#include "base/bits.h"
#include "colouring_internal.h"
#include "matchings_internal.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MAX_BYTES ((size_t)2 << 30)
#define MAX_ENDING 12          /* rounds */
#define ENDING_STEPS 1         /* visits of an ending for each one of a state */
#define RECENT 8               /* witnesses */
#define MOST_VISITS 6000000000 /* of nodes, by the search for one number of rounds; fewer on small graphs: */
#define VISITS_A_NODE 1800000
#define FEWEST_STATES 64 /* what the shortest search may enter */
#define SENTRIES 8
#define FEW_TOKENS 8 /* so many are followed over the graph one by one */

/* One way to search; the values of f in turn, and whether a matching may come back after one other. */
typedef struct way {
    uint32_t keep_percent;
    bool no_return;
} way;

/* A node to ask whether it can still be complete in time. */
typedef struct sentry {
    uint32_t *order;                      /* all nodes, the nearest first; NULL: not posted yet */
    uint32_t ball[GFAB_MAX_SEQUENCE + 1]; /* how many are at a distance of at most that */
} sentry;

typedef enum outcome { FOUND, NOT_FOUND, TOO_LONG, STOPPED, NO_MEMORY } outcome;

typedef struct search {
    const gfab_matchings *matchings;
    const gfab_colouring_options *options;
    size_t nodes, count, words;
    size_t tokens;                      /* that stand for all */
    uint64_t all;                       /* deliveries of a gossip of those: nodes * tokens */
    uint64_t last_mask;                 /* all tokens in the last word */
    bool narrow;                        /* one byte holds the tokens: a state then stays in the cache */
    void *known[GFAB_MAX_SEQUENCE + 1]; /* by level: [node * words + word] of uint64_t; narrow: [node] of uint8_t */
    gfab_sequence sequence;
    size_t target; /* rounds */
    way way;
    uint64_t visits, limit;
    unsigned long long work;             /* of all searches, for progress */
    size_t ending;                       /* rounds of the longest endings */
    size_t ending_start[MAX_ENDING + 2]; /* endings of j rounds: from ending_start[j] on, read as numbers */
    uint32_t *witness;                   /* by ending: a node that it left incomplete */
    uint32_t last_witness;
    uint32_t recent[RECENT]; /* witnesses found last */
    uint32_t *walk, *trail;  /* scratch: the nodes from which a node hears */
    sentry sentries[SENTRIES];
    size_t next_sentry; /* that is posted elsewhere when a new one is needed */
    uint32_t *queue;    /* scratch of breadth-first searches */
    bool *seen;
    gfab_arena arena;
} search;

static size_t state_bytes(const search *s)
{
    return s->narrow ? s->nodes : s->nodes * s->words * sizeof(uint64_t);
}

static uint64_t word_at(const search *s, const void *known, size_t node, size_t word)
{
    return s->narrow ? ((const uint8_t *)known)[node] : ((const uint64_t *)known)[node * s->words + word];
}

/* Tokens that a matching moves in a state. */
GFAB_COUNTS_BITS static uint64_t gain(const search *s, const void *known, const uint32_t *partner)
{
    uint64_t sum = 0;
    const uint8_t *bytes = known;
    const uint64_t *words = known;
    if (s->narrow)
        for (size_t v = 0; v < s->nodes; v++)
            sum += gfab_count_bits((uint64_t)bytes[partner[v]] & ~(uint64_t)bytes[v]);
    else
        for (size_t v = 0; v < s->nodes; v++)
            for (size_t w = 0; w < s->words; w++)
                sum += gfab_count_bits(words[partner[v] * s->words + w] & ~words[v * s->words + w]);
    return sum;
}

static void apply(const search *s, const void *known, const uint32_t *partner, void *next)
{
    const uint8_t *bytes = known;
    const uint64_t *words = known;
    uint8_t *next_bytes = next;
    uint64_t *next_words = next;
    if (s->narrow)
        for (size_t v = 0; v < s->nodes; v++)
            next_bytes[v] = bytes[v] | bytes[partner[v]];
    else
        for (size_t v = 0; v < s->nodes; v++)
            for (size_t w = 0; w < s->words; w++)
                next_words[v * s->words + w] = words[v * s->words + w] | words[partner[v] * s->words + w];
}

static uint64_t all_of_word(const search *s, size_t word)
{
    return word + 1 < s->words ? UINT64_MAX : s->last_mask;
}

/* Whether a node ends complete after the ending's rounds. */
static bool completes(search *s, const void *known, const uint8_t *rounds, size_t length, uint32_t node)
{
    size_t heard = 1;
    s->walk[0] = node;
    for (size_t j = length; j-- > 0;) {
        const uint32_t *partner = gfab_matchings_partners(s->matchings, rounds[j]);
        for (size_t i = 0, end = heard; i < end; i++)
            if (partner[s->walk[i]] != s->walk[i])
                s->walk[heard++] = partner[s->walk[i]];
    }
    for (size_t w = 0; w < s->words; w++) {
        uint64_t word = 0;
        for (size_t i = 0; i < heard; i++)
            word |= word_at(s, known, s->walk[i], w);
        if (word != all_of_word(s, w))
            return false;
    }
    return true;
}

static bool ending_works(search *s, const void *known, const uint8_t *rounds, size_t length, uint32_t *witness)
{
    if (*witness != NONE && !completes(s, known, rounds, length, *witness)) {
        s->last_witness = *witness;
        return false;
    }
    for (size_t i = 0; i < RECENT; i++)
        if (!completes(s, known, rounds, length, s->recent[i])) {
            *witness = s->recent[i];
            return false;
        }
    for (uint32_t i = 0, v = s->recent[0]; i < s->nodes; i++, v = v + 1 < s->nodes ? v + 1 : 0)
        if (!completes(s, known, rounds, length, v)) {
            memmove(s->recent + 1, s->recent, (RECENT - 1) * sizeof *s->recent);
            s->last_witness = *witness = s->recent[0] = v;
            s->visits += (uint64_t)i << length;
            return false;
        }
    return true;
}

/* Endings of `length` rounds from a state. Choosing goes on from the last round to the first, so that endings share the
 * nodes traced back. */
typedef struct ending {
    const void *known;
    uint8_t *rounds;
    size_t length;
    size_t before; /* the matching before the ending; SIZE_MAX: none */
} ending;

/* How far the choice has come. */
typedef struct traced {
    size_t at;           /* the rounds from there on are chosen */
    size_t heard;        /* nodes in s->trail: those from which the witness hears in these rounds */
    uint64_t word;       /* the first word of what these know */
    size_t number, unit; /* of the ending among all; of its next digit */
} traced;

static outcome try_endings(search *s, const ending *e, traced now)
{
    const size_t index = now.at - 1, heard = now.heard;
    for (size_t c = 0; c < s->count; c++) {
        if ((now.at < e->length && e->rounds[now.at] == c) || (index == 0 && e->before == c))
            continue;
        const uint32_t *partner = gfab_matchings_partners(s->matchings, c);
        uint64_t more = now.word;
        size_t end = heard;
        for (size_t i = 0; i < heard; i++) {
            const uint32_t from = partner[s->trail[i]];
            more |= word_at(s, e->known, from, 0);
            if (index > 0 && from != s->trail[i])
                s->trail[end++] = from;
        }
        s->visits += heard;
        e->rounds[index] = (uint8_t)c;
        const size_t number = now.number + c * now.unit;
        if (index > 0) {
            if (try_endings(s, e, (traced){index, end, more, number, now.unit * s->count}) == FOUND)
                return FOUND;
        } else if (more == all_of_word(s, 0) &&
                   ending_works(s, e->known, e->rounds, e->length, &s->witness[s->ending_start[e->length] + number]))
            return FOUND;
    }
    return NOT_FOUND;
}

/* All endings of `length` rounds, no matching twice in a row. */
static outcome end_here(search *s, const void *known, size_t level, size_t length)
{
    const ending e = {known, s->sequence.at + level, length, level ? s->sequence.at[level - 1] : SIZE_MAX};
    s->trail[0] = s->last_witness;
    return try_endings(s, &e, (traced){length, 1, word_at(s, known, s->last_witness, 0), 0, 1});
}

/* Nodes in the order in which a breadth-first search over the links of all matchings meets them, after the first
 * `known` in queue; returns how many it meets up to a distance. ball: by distance, NULL if not wanted. */
static size_t spread(search *s, size_t known, size_t distance, uint32_t *ball)
{
    memset(s->seen, 0, s->nodes * sizeof *s->seen);
    for (size_t i = 0; i < known; i++)
        s->seen[s->queue[i]] = true;
    for (size_t d = 0, from = 0; d < distance; d++) {
        const size_t to = known;
        if (ball)
            ball[d] = (uint32_t)to;
        for (size_t c = 0; c < s->count && known < s->nodes; c++) {
            const uint32_t *partner = gfab_matchings_partners(s->matchings, c);
            for (size_t i = from; i < to; i++) {
                const uint32_t v = partner[s->queue[i]];
                if (!s->seen[v]) {
                    s->seen[v] = true;
                    s->queue[known++] = v;
                }
            }
        }
        if (!ball && (known == to || known == s->nodes))
            break;
        from = to;
    }
    s->visits += known;
    return known;
}

static void post_sentry(search *s, uint32_t node)
{
    sentry *at = &s->sentries[s->next_sentry];
    if (!at->order && !(at->order = malloc(s->nodes * sizeof *at->order)))
        return; /* it does without */
    s->next_sentry = (s->next_sentry + 1) % SENTRIES;
    s->queue[0] = node;
    spread(s, 1, GFAB_MAX_SEQUENCE, at->ball);
    at->ball[GFAB_MAX_SEQUENCE] = (uint32_t)s->nodes;
    memcpy(at->order, s->queue, s->nodes * sizeof *at->order);
}

/* Whether all tokens are at most `left` links from a sentry. */
static bool sentry_agrees(search *s, const sentry *at, const void *known, size_t left)
{
    const size_t ball = at->ball[left];
    for (size_t w = 0; w < s->words; w++) {
        const uint64_t wanted = all_of_word(s, w);
        uint64_t word = 0;
        size_t i = 0;
        for (; i < ball && word != wanted; i++)
            word |= word_at(s, known, at->order[i], w);
        s->visits += i;
        if (word != wanted)
            return false;
    }
    return true;
}

/* Whether every token is within `left` links of every node. The sentries are asked first; where tokens are many they
 * are the only ones asked. */
static bool in_reach(search *s, const void *known, size_t left)
{
    for (size_t i = 0; i < SENTRIES && s->sentries[i].order; i++)
        if (!sentry_agrees(s, &s->sentries[i], known, left))
            return false;
    for (size_t t = 0; t < s->tokens && s->tokens <= FEW_TOKENS; t++) {
        size_t informed = 0;
        for (uint32_t v = 0; v < s->nodes; v++)
            if (word_at(s, known, v, 0) >> t & 1)
                s->queue[informed++] = v;
        if (spread(s, informed, left, NULL) < s->nodes) {
            uint32_t far = 0;
            while (s->seen[far])
                far++;
            post_sentry(s, far);
            return false;
        }
    }
    return true;
}

static bool allowed(const search *s, size_t level, size_t index)
{
    const uint8_t *at = s->sequence.at;
    if (level >= 1 && at[level - 1] == index)
        return false;
    if (s->way.no_return && level >= 2 && at[level - 2] == index)
        return false;
    if (!s->options->every_window || level < s->count)
        return true;
    uint64_t used = (uint64_t)1 << index; /* in the window of count + 1 rounds that ends here */
    for (size_t i = level - s->count; i < level; i++)
        used |= (uint64_t)1 << at[i];
    return used == ((uint64_t)1 << s->count) - 1;
}

typedef struct move {
    uint64_t gain;
    uint32_t index;
} move;

/* The matchings worth trying in a state, best first. */
static size_t rank_moves(search *s, const void *known, size_t level, move *moves)
{
    size_t count = 0;
    for (uint32_t c = 0; c < s->count; c++) {
        if (!allowed(s, level, c))
            continue;
        const uint64_t moved = gain(s, known, gfab_matchings_partners(s->matchings, c));
        s->visits += s->nodes * s->words;
        size_t at = count;
        if (moved == 0)
            continue;
        for (; at > 0 && moves[at - 1].gain < moved; at--)
            moves[at] = moves[at - 1];
        moves[at] = (move){moved, c};
        count++;
    }
    while (count > 1 && moves[count - 1].gain * 100 < moves[0].gain * s->way.keep_percent)
        count--;
    return count;
}

static outcome open_level(search *s, size_t level)
{
    if (s->known[level])
        return FOUND;
    if (state_bytes(s) > MAX_BYTES / (level + 1))
        return TOO_LONG;
    s->known[level] = malloc(state_bytes(s));
    return s->known[level] ? FOUND : NO_MEMORY;
}

/* Enters a level whose state, with `have` deliveries made, is in known[level]. */
static outcome descend(search *s, size_t level, uint64_t have)
{
    const size_t left = s->target - level;
    if (have == s->all) {
        s->sequence.length = level;
        return FOUND;
    }
    if (left == 0 || (left < 64 && have < (s->all + ((uint64_t)1 << left) - 1) >> left))
        return NOT_FOUND;
    if (s->visits > s->limit)
        return TOO_LONG;
    if (level > 0 && left < GFAB_MAX_SEQUENCE / 2 && !in_reach(s, s->known[level], left))
        return NOT_FOUND;
    if (left <= s->ending) {
        const outcome result = end_here(s, s->known[level], level, left);
        s->sequence.length = s->target;
        return result;
    }
    const gfab_progress *progress = s->options->progress;
    s->work++;
    if (progress && !progress->report(progress->context, "states", s->work, 0))
        return STOPPED;
    move moves[GFAB_MAX_MATCHINGS];
    const size_t count = rank_moves(s, s->known[level], level, moves);
    outcome result = open_level(s, level + 1);
    if (result != FOUND)
        return result;
    result = NOT_FOUND;
    for (size_t i = 0; i < count && result == NOT_FOUND; i++) {
        s->sequence.at[level] = (uint8_t)moves[i].index;
        apply(s, s->known[level], gfab_matchings_partners(s->matchings, moves[i].index), s->known[level + 1]);
        s->visits += s->nodes * s->words;
        result = descend(s, level + 1, have + moves[i].gain);
    }
    return result;
}

static outcome run(search *s, size_t target, way how, uint64_t limit)
{
    s->target = target;
    s->way = how;
    s->visits = 0;
    s->limit = limit;
    return descend(s, 0, s->tokens);
}

/* The first way down that the ranking takes: a gossip, though a long one. */
static outcome run_greedy(search *s)
{
    const size_t longest = s->ending;
    s->ending = 0;
    const outcome result = run(s, GFAB_MAX_SEQUENCE, (way){100, false}, UINT64_MAX);
    s->ending = longest;
    return result;
}

/* Searches for fewer and fewer rounds, in several ways and longer and longer. */
static const way ways[] = {{95, false}, {90, true},  {90, false}, {80, true},  {80, false},
                           {65, true},  {65, false}, {50, true},  {50, false}, {0, false}};
#define WAYS (sizeof ways / sizeof *ways)

/* The way of a try, three of which are made of each, for the most rounds that are of use, the least, and half way. */
static way way_of(const gfab_colouring_options *options, bool one, size_t which)
{
    return one ? (way){options->keep_percent, options->no_return}
               : (way){ways[which / 3].keep_percent, ways[which / 3].no_return || options->no_return};
}

static size_t target_of(size_t which, size_t least, size_t most)
{
    return which % 3 == 0 ? most : which % 3 == 1 ? least : (least + most) / 2;
}

/* Is the target that of an earlier try of the way? */
static bool repeats(size_t which, size_t least, size_t most)
{
    const size_t target = target_of(which, least, most);
    return (which % 3 > 0 && target == most) || (which % 3 == 2 && target == least);
}

static outcome improve(search *s, gfab_sequence *best)
{
    const gfab_colouring_options *options = s->options;
    const uint64_t usual = VISITS_A_NODE * s->nodes * s->words;
    const uint64_t effort = options->effort ? options->effort : usual < MOST_VISITS ? usual : MOST_VISITS;
    const bool one = options->keep_percent <= 100;
    const size_t least = options->enough_rounds > 1 ? options->enough_rounds : 1;
    uint64_t limit = one ? effort : FEWEST_STATES * s->nodes * s->words * s->count;
    uint64_t spent = 0;
    bool open[3 * WAYS];
    memset(open, 1, sizeof open);
    for (bool any = true; any && spent < effort;) {
        any = false;
        for (size_t i = 0; i < (one ? 1 : WAYS) * 3 && spent < effort; i++) {
            if (best->length <= least)
                return FOUND;
            const size_t most = best->length - 1;
            if (!open[i] || repeats(i, least, most))
                continue;
            const outcome result = run(s, target_of(i, least, most), way_of(options, one, i),
                                       limit < effort - spent ? limit : effort - spent);
            spent += s->visits;
            if (result == STOPPED || result == NO_MEMORY)
                return result;
            if (result == FOUND) {
                *best = s->sequence;
                memset(open, 1, sizeof open);
                spent = 0;
                any = true;
                i = SIZE_MAX; /* from the first way again */
                continue;
            }
            open[i] = result == TOO_LONG;
            any = any || result == TOO_LONG;
        }
        limit = limit > UINT64_MAX / 2 ? limit : 2 * limit;
    }
    return FOUND;
}

/* The longest endings such that trying all takes no longer than entering a state. */
static void choose_ending(search *s)
{
    size_t endings = 1, total = 0;
    s->ending = 0;
    for (size_t j = 1; j <= MAX_ENDING; j++) {
        endings *= s->count;
        s->ending_start[j] = total;
        total += endings;
        s->ending_start[j + 1] = total;
        s->ending = j;
        if (endings << j > ENDING_STEPS * s->nodes * s->count || endings > ((size_t)1 << 18) || s->count == 1)
            break;
    }
}

static gfab_status prepare(search *s, gfab_diag *diag)
{
    GFAB_FREED uint32_t *origin = malloc(s->nodes * sizeof *origin);
    gfab_status status = origin ? gfab_matchings_origins(s->matchings, origin, &s->tokens) : GFAB_ERR_NO_MEMORY;
    if (status == GFAB_ERR_UNSUPPORTED)
        gfab_fail(diag, 0, status, "the matchings together do not connect all nodes");
    if (status == GFAB_OK) {
        s->words = (s->tokens + 63) / 64;
        s->narrow = s->tokens <= 8;
        s->all = (uint64_t)s->nodes * s->tokens;
        s->last_mask = UINT64_MAX >> (64 * s->words - s->tokens);
        choose_ending(s);
        s->witness = gfab_arena_zeroed(&s->arena, s->ending_start[s->ending + 1], sizeof *s->witness);
        GFAB_ARRAYS(&s->arena, ((size_t)1 << s->ending), s->walk, s->trail);
        GFAB_ARRAYS(&s->arena, s->nodes, s->queue, s->seen);
        const outcome opened = open_level(s, 0);
        if (opened == TOO_LONG)
            status =
                gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a state of the search would take more than %zu bytes", MAX_BYTES);
        else if (opened != FOUND || s->arena.failed)
            status = GFAB_ERR_NO_MEMORY;
    }
    if (status == GFAB_OK) {
        memset(s->known[0], 0, state_bytes(s));
        for (size_t t = 0; t < s->tokens; t++)
            if (s->narrow)
                ((uint8_t *)s->known[0])[origin[t]] = (uint8_t)(1u << t);
            else
                ((uint64_t *)s->known[0])[origin[t] * s->words + t / 64] = (uint64_t)1 << (t % 64);
        for (size_t i = 0; i < s->ending_start[s->ending + 1]; i++)
            s->witness[i] = NONE;
    }
    return status;
}

static gfab_status result_of(const search *s, outcome result, const gfab_sequence *best, gfab_diag *diag)
{
    const uint32_t most = s->options->rounds;
    switch (result) {
    case STOPPED:
        return GFAB_ERR_INTERRUPTED;
    case NO_MEMORY:
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    case TOO_LONG:
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the search would take more than %zu bytes", MAX_BYTES);
    case NOT_FOUND:
        return GFAB_REFUSE(diag, "the matchings make no gossip of at most %d rounds", GFAB_MAX_SEQUENCE);
    case FOUND:
        break;
    }
    if (most && best->length > most)
        return GFAB_REFUSE(diag, "the shortest sequence found takes %zu rounds, more than the %u asked for",
                           best->length, (unsigned)most);
    return GFAB_OK;
}

gfab_colouring_options gfab_colouring_options_default(void)
{
    return (gfab_colouring_options){.keep_percent = 101};
}

gfab_status gfab_colouring_find(const gfab_matchings *matchings, const gfab_colouring_options *options,
                                gfab_sequence *sequence, gfab_diag *diag)
{
    if (options->keep_percent > 101)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "f is %u %%; it is at most 100 %%",
                         (unsigned)options->keep_percent);
    GFAB_FREED search *s = calloc(1, sizeof *s);
    GFAB_NEED_TOLD(s, diag);
    s->matchings = matchings;
    s->options = options;
    s->nodes = gfab_topology_node_count(gfab_matchings_topology(matchings));
    s->count = gfab_matchings_count(matchings);
    gfab_status status = prepare(s, diag);
    if (status == GFAB_OK) {
        outcome result = run_greedy(s);
        if (result == FOUND) {
            *sequence = s->sequence;
            result = improve(s, sequence);
        }
        status = result_of(s, result, sequence, diag);
    } else if (status == GFAB_ERR_NO_MEMORY)
        gfab_fail(diag, 0, status, "out of memory");
    for (size_t i = 0; i <= GFAB_MAX_SEQUENCE; i++)
        free(s->known[i]);
    gfab_arena_release(&s->arena);
    for (size_t i = 0; i < SENTRIES; i++)
        free(s->sentries[i].order);
    return status;
}
