/* SPDX-License-Identifier: MIT */
/* Traces of other tools, as far as they can be checked. They say who sends how many bytes to whom, and what waits for
 * what, but not which bytes a message has. So a trace can be refused, and never be proved right. What is asked:
 *
 * - Do sends and receives pair, between the same ranks, with the same tag, in their order, of the same length?
 * - Does nothing wait for itself? A node waits for its dependencies, and a receive for its send.
 * - With the best content of all messages, can everybody hear of everyone whose data he wants? A message may have what
 *   its rank starts with and all that any receive may have brought that does not wait for it. That is more than can be
 *   there at once, so that what is refused is wrong in any case.
 * - Where the length of the vector is known: do enough bytes leave each rank and come to it?
 *
 * The best content is found by rounds of "who may have heard of whom", until nothing changes. */
#include "chakra_fields.h"

#include "base/grow.h"
#include "formats/formats.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/formats/chakra.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MOST_NODES ((size_t)1 << 20)
#define MOST_DEPS ((size_t)1 << 24)
#define MOST_WORK ((uint64_t)1 << 31) /* sends times nodes of their rank, and times ranks */
#define SET_BITS 64

/* A node of a trace: a send, a receive, or what both may wait for. */
typedef struct node {
    uint64_t id;
    uint64_t bytes, tag;
    uint32_t rank, peer;
    uint32_t type;
    uint32_t mate;  /* of a receive its send, and back */
    size_t dep;     /* in deps, up to the next node's */
    uint32_t waits; /* of so many nodes that are not done */
} node;

typedef struct check {
    gfab_chakra_file file;
    gfab_goal goal;
    uint32_t ranks;
    uint64_t bytes; /* of the vector; 0: not known */
    node *nodes;
    uint64_t *deps; /* ids, then indices of nodes */
    size_t count, room, dep_count, dep_room;
    uint32_t *first; /* [rank + 1]: its nodes are in the order of their ids */
    size_t *after;   /* [node + 1]: where those that wait for it begin in `next` */
    uint32_t *next;
    uint64_t *known;    /* [node * words]: of sends, whose data they may have */
    uint64_t *heard;    /* [rank * words]: in the end */
    uint64_t *in, *out; /* [rank]: bytes */
    size_t words;
    gfab_chakra_report *report;
    gfab_arena arena;
} check;
GFAB_HOLDS_ARENA(check)

#define WRONG(c, ...) ((void)snprintf((c)->report->message, sizeof(c)->report->message, __VA_ARGS__), GFAB_ERR_FAULT)

/* ---- reading ---- */

static gfab_status add_dep(check *c, uint64_t id)
{
    if (c->dep_count == MOST_DEPS)
        return gfab_fail(c->file.diag, 0, GFAB_ERR_LIMIT, "more than %zu dependencies", MOST_DEPS);
    GFAB_NEED_TOLD(gfab_grow(&c->deps, c->dep_count, &c->dep_room, sizeof *c->deps), c->file.diag);
    c->deps[c->dep_count++] = id;
    return GFAB_OK;
}

/* One id, or several side by side. */
static gfab_status read_deps(check *c, const gfab_chakra_field *f)
{
    gfab_chakra_cursor at = f->bytes;
    if (!f->is_bytes)
        return add_dep(c, f->value);
    while (at.at < at.end) {
        uint64_t id = 0;
        GFAB_TRY(gfab_chakra_varint(&c->file, &at, &id));
        GFAB_TRY(add_dep(c, id));
    }
    return GFAB_OK;
}

static gfab_status read_node(check *c, gfab_chakra_cursor at)
{
    static const char *const names[] = {"comm_size", "comm_src", "comm_dst", "comm_tag"};
    enum { SIZE, SOURCE, TARGET, TAG, COUNT };
    uint64_t numbers[COUNT] = {[SOURCE] = NONE, [TARGET] = NONE};
    const gfab_chakra_cursor start = at;
    node n = {.rank = c->file.rank, .mate = NONE, .dep = c->dep_count};
    while (at.at < at.end) {
        gfab_chakra_field f, value = {0};
        gfab_chakra_cursor name;
        GFAB_TRY(gfab_chakra_next(&c->file, &at, &f));
        if (f.number == GFAB_CHAKRA_CTRL_DEPS || f.number == GFAB_CHAKRA_DATA_DEPS)
            GFAB_TRY(read_deps(c, &f));
        else if (f.number == GFAB_CHAKRA_ATTRIBUTE && f.is_bytes) {
            GFAB_TRY(gfab_chakra_attribute(&c->file, f.bytes, &name, &value));
            for (int i = 0; i < COUNT; i++)
                if (gfab_chakra_is(&name, names[i]))
                    numbers[i] = value.value;
        } else if (f.number == GFAB_CHAKRA_ID)
            n.id = f.value;
        else if (f.number == GFAB_CHAKRA_TYPE)
            n.type = (uint32_t)f.value;
    }
    const bool sends = n.type == GFAB_CHAKRA_SEND, takes = n.type == GFAB_CHAKRA_RECV;
    if ((sends || takes) && (numbers[sends ? TARGET : SOURCE] >= c->ranks || numbers[SIZE] == 0))
        return gfab_chakra_bad(&c->file, &start, "a send or a receive without a rank that has a trace, or of no bytes");
    if (n.type == GFAB_CHAKRA_COLLECTIVE)
        return gfab_chakra_bad(&c->file, &start, "a collective: sends and receives are checked, as of a custom one");
    n.peer = (uint32_t)numbers[sends ? TARGET : SOURCE];
    n.bytes = numbers[SIZE];
    n.tag = numbers[TAG];
    if (c->count == MOST_NODES)
        return gfab_fail(c->file.diag, 0, GFAB_ERR_LIMIT, "more than %zu nodes", MOST_NODES);
    GFAB_NEED_TOLD(gfab_grow(&c->nodes, c->count, &c->room, sizeof *c->nodes), c->file.diag);
    c->nodes[c->count++] = n;
    return GFAB_OK;
}

static gfab_status read_rank(check *c, FILE *file)
{
    GFAB_TRY(gfab_chakra_load(&c->file, file));
    gfab_chakra_cursor at = {c->file.text, c->file.text + c->file.size}, message;
    for (bool first = true; first || at.at < at.end; first = false) {
        GFAB_TRY(gfab_chakra_bytes(&c->file, &at, &message));
        if (!first)
            GFAB_TRY(read_node(c, message));
    }
    return GFAB_OK;
}

/* ---- what belongs together ---- */

typedef struct key {
    uint64_t rank, second, third, index;
} key;

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b; /* four numbers each */
    for (size_t i = 0; i < sizeof(key) / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Ids of dependencies become indices. */
static gfab_status find_deps(check *c)
{
    key *ids = gfab_arena_zeroed(&c->arena, c->count + 1, sizeof *ids);
    GFAB_NEED_TOLD(ids, c->file.diag);
    for (size_t i = 0; i < c->count; i++)
        ids[i] = (key){c->nodes[i].rank, c->nodes[i].id, 0, i};
    qsort(ids, c->count, sizeof *ids, by_key);
    for (size_t i = 1; i < c->count; i++)
        if (ids[i].rank == ids[i - 1].rank && ids[i].second == ids[i - 1].second)
            return WRONG(c, "rank %" PRIu64 ": two nodes have the id %" PRIu64, ids[i].rank, ids[i].second);
    for (size_t i = 0; i < c->count; i++)
        for (size_t d = c->nodes[i].dep; d < (i + 1 < c->count ? c->nodes[i + 1].dep : c->dep_count); d++) {
            size_t low = 0, high = c->count;
            const key wanted = {c->nodes[i].rank, c->deps[d], 0, 0};
            while (low < high) {
                const size_t middle = (low + high) / 2;
                if (by_key(&ids[middle], &wanted) < 0)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low == c->count || ids[low].rank != wanted.rank || ids[low].second != wanted.second)
                return WRONG(c,
                             "rank %u, node %" PRIu64 ": it waits for node %" PRIu64 ", which the trace does not have",
                             c->nodes[i].rank, c->nodes[i].id, c->deps[d]);
            c->deps[d] = ids[low].index;
        }
    return GFAB_OK;
}

/* Sends and receives between the same ranks and of the same tag, in their order. */
static gfab_status pair(check *c)
{
    key *ends[2] = {gfab_arena_zeroed(&c->arena, c->count + 1, sizeof(key)),
                    gfab_arena_zeroed(&c->arena, c->count + 1, sizeof(key))};
    size_t counts[2] = {0, 0};
    GFAB_NEED_TOLD(ends[0] && ends[1], c->file.diag);
    for (size_t i = 0; i < c->count; i++) {
        const node *n = &c->nodes[i];
        const int takes = n->type == GFAB_CHAKRA_RECV;
        if (takes || n->type == GFAB_CHAKRA_SEND)
            ends[takes][counts[takes]++] = (key){takes ? n->peer : n->rank, takes ? n->rank : n->peer, n->tag, i};
    }
    for (int k = 0; k < 2; k++)
        qsort(ends[k], counts[k], sizeof(key), by_key);
    for (size_t i = 0; i < counts[0] || i < counts[1]; i++) {
        const key none = {UINT64_MAX, 0, 0, 0}, s = i < counts[0] ? ends[0][i] : none,
                  r = i < counts[1] ? ends[1][i] : none;
        const bool same = s.rank == r.rank && s.second == r.second && s.third == r.third;
        const bool lone = !same && by_key(&s, &r) < 0; /* a send whose receive is not there */
        const key *at = same || lone ? &s : &r;
        const node *n = &c->nodes[at->index];
        if (!same)
            return WRONG(c,
                         "rank %u, node %" PRIu64 ": %s rank %u, tag %" PRIu64 ", %" PRIu64 " bytes, has no %s there",
                         n->rank, n->id, lone ? "a send to" : "a receive from", n->peer, n->tag, n->bytes,
                         lone ? "receive" : "send");
        c->nodes[s.index].mate = (uint32_t)r.index;
        c->nodes[r.index].mate = (uint32_t)s.index;
        if (n->bytes != c->nodes[r.index].bytes)
            return WRONG(c,
                         "rank %u, node %" PRIu64 ": it sends %" PRIu64 " bytes to rank %u, whose node %" PRIu64
                         " takes %" PRIu64,
                         n->rank, n->id, n->bytes, n->peer, c->nodes[r.index].id, c->nodes[r.index].bytes);
        c->out[n->rank] += n->bytes;
        c->in[n->peer] += n->bytes;
        c->report->sends++;
        c->report->bytes += n->bytes;
    }
    return GFAB_OK;
}

static size_t end_of_deps(const check *c, size_t i)
{
    return i + 1 < c->count ? c->nodes[i + 1].dep : c->dep_count;
}

/* Who waits for each node: on its rank; of sends their receives are known. */
static gfab_status turn_deps(check *c)
{
    c->after = gfab_arena_zeroed(&c->arena, c->count + 2, sizeof *c->after);
    c->next = gfab_arena_zeroed(&c->arena, c->dep_count + 1, sizeof *c->next);
    GFAB_NEED_TOLD(c->after && c->next, c->file.diag);
    for (size_t d = 0; d < c->dep_count; d++)
        c->after[c->deps[d] + 2]++;
    for (size_t i = 2; i < c->count + 2; i++)
        c->after[i] += c->after[i - 1];
    for (size_t i = 0; i < c->count; i++)
        for (size_t d = c->nodes[i].dep; d < end_of_deps(c, i); d++)
            c->next[c->after[c->deps[d] + 1]++] = (uint32_t)i;
    return GFAB_OK;
}

/* Does everything come to its turn? */
static gfab_status run(check *c)
{
    uint32_t *queue = gfab_arena_zeroed(&c->arena, c->count + 1, sizeof *queue);
    size_t head = 0, tail = 0;
    GFAB_NEED_TOLD(queue, c->file.diag);
    for (size_t i = 0; i < c->count; i++) {
        node *n = &c->nodes[i];
        n->waits = (uint32_t)(end_of_deps(c, i) - n->dep) + (n->type == GFAB_CHAKRA_RECV);
        if (n->waits == 0)
            queue[tail++] = (uint32_t)i;
    }
    while (head < tail) {
        const uint32_t i = queue[head++];
        for (size_t k = c->after[i]; k < c->after[i + 1]; k++)
            if (--c->nodes[c->next[k]].waits == 0)
                queue[tail++] = c->next[k];
        if (c->nodes[i].type == GFAB_CHAKRA_SEND && --c->nodes[c->nodes[i].mate].waits == 0)
            queue[tail++] = c->nodes[i].mate;
    }
    for (size_t i = 0; i < c->count && tail < c->count; i++)
        if (c->nodes[i].waits > 0)
            return WRONG(c, "%zu nodes wait for each other for ever, such as rank %u's node %" PRIu64, c->count - tail,
                         c->nodes[i].rank, c->nodes[i].id);
    return GFAB_OK;
}

/* ---- the best content ---- */

static bool join(const check *c, uint64_t *set, const uint64_t *more)
{
    uint64_t changed = 0;
    for (size_t w = 0; w < c->words; w++) {
        changed |= more[w] & ~set[w];
        set[w] |= more[w];
    }
    return changed;
}

/* Marks, of the send's rank, what waits for it. */
static void mark_after(const check *c, uint32_t send, uint32_t *mark, uint32_t turn, uint32_t *stack)
{
    size_t top = 0;
    stack[top++] = send;
    mark[send] = turn;
    while (top > 0) {
        const uint32_t i = stack[--top];
        for (size_t k = c->after[i]; k < c->after[i + 1]; k++)
            if (mark[c->next[k]] != turn) {
                mark[c->next[k]] = turn;
                stack[top++] = c->next[k];
            }
    }
}

/* Nodes of a rank stand together, as its file was read. */
static gfab_status spread(check *c)
{
    uint32_t *mark = gfab_arena_zeroed(&c->arena, c->count + 1, sizeof *mark);
    uint32_t *stack = gfab_arena_zeroed(&c->arena, c->count + 1, sizeof *stack), turn = 0;
    GFAB_NEED_TOLD(mark && stack, c->file.diag);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < c->count; i++) {
            const node *n = &c->nodes[i];
            if (n->type != GFAB_CHAKRA_SEND)
                continue;
            mark_after(c, i, mark, ++turn, stack);
            uint64_t *set = c->known + i * c->words;
            for (uint32_t k = c->first[n->rank]; k < c->first[n->rank + 1]; k++)
                if (c->nodes[k].type == GFAB_CHAKRA_RECV && mark[k] != turn)
                    changed = join(c, set, c->known + c->nodes[k].mate * c->words) || changed;
        }
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (c->nodes[i].type == GFAB_CHAKRA_RECV)
            (void)join(c, c->heard + c->nodes[i].rank * c->words, c->known + c->nodes[i].mate * c->words);
    return GFAB_OK;
}

static gfab_status find_content(check *c)
{
    uint64_t work = 0, sends = 0;
    c->words = (c->ranks + SET_BITS - 1) / SET_BITS;
    for (size_t i = 0; i < c->count; i++)
        if (c->nodes[i].type == GFAB_CHAKRA_SEND) {
            work += c->first[c->nodes[i].rank + 1] - c->first[c->nodes[i].rank];
            sends++;
        }
    if (work * c->words > MOST_WORK / SET_BITS)
        return gfab_fail(c->file.diag, 0, GFAB_ERR_LIMIT, "%" PRIu64 " sends are too many to follow what they may have",
                         sends);
    c->known = gfab_arena_zeroed2(&c->arena, c->count + 1, c->words, sizeof *c->known);
    c->heard = gfab_arena_zeroed2(&c->arena, c->ranks, c->words, sizeof *c->heard);
    GFAB_NEED_TOLD(c->known && c->heard, c->file.diag);
    for (size_t i = 0; i < c->count; i++)
        c->known[i * c->words + c->nodes[i].rank / SET_BITS] = (uint64_t)1 << c->nodes[i].rank % SET_BITS;
    for (uint32_t r = 0; r < c->ranks; r++)
        c->heard[r * c->words + r / SET_BITS] = (uint64_t)1 << r % SET_BITS;
    return spread(c);
}

/* Does the rank want something of the other one's? */
static bool wants_of(const check *c, uint32_t rank, uint32_t other)
{
    const gfab_collective what = c->goal.collective;
    return what == GFAB_BROADCAST ? other == c->goal.root : what == GFAB_REDUCE ? rank == c->goal.root : true;
}

/* The fewest bytes that come to a rank, or leave it, of a vector of so many. Of vectors that belong to ranks in parts
 * the largest part is rounded up. */
static uint64_t least(const check *c, uint32_t rank, bool out)
{
    const uint64_t all = c->bytes, part = (all + c->ranks - 1) / c->ranks, others = all - (part < all ? part : all);
    const bool root = rank == c->goal.root;
    switch (c->goal.collective) {
    case GFAB_ALL_GATHER:
        return out ? all / c->ranks : others;
    case GFAB_REDUCE_SCATTER:
        return out ? others : all / c->ranks;
    case GFAB_ALL_TO_ALL:
        return others;
    case GFAB_ALL_REDUCE:
        return all;
    case GFAB_BROADCAST:
        return out == root ? all : 0;
    case GFAB_REDUCE:
        return out != root ? all : 0;
    case GFAB_BARRIER:
        break;
    }
    return 0;
}

static gfab_status check_goal(check *c)
{
    for (uint32_t r = 0; r < c->ranks; r++)
        for (uint32_t of = 0; of < c->ranks; of++)
            if (wants_of(c, r, of) && !(c->heard[r * c->words + of / SET_BITS] >> of % SET_BITS & 1))
                return WRONG(c, "nothing of rank %u can come to rank %u, whatever the messages have", of, r);
    for (uint32_t r = 0; r < c->ranks && c->bytes; r++)
        for (int out = 0; out < 2; out++) {
            const uint64_t moved = out ? c->out[r] : c->in[r], needed = least(c, r, out);
            if (moved < needed)
                return WRONG(c, "%" PRIu64 " bytes %s rank %u; %s of %" PRIu64 " bytes takes %" PRIu64 " or more",
                             moved, out ? "leave" : "come to", r, gfab_collective_name(c->goal.collective), c->bytes,
                             needed);
        }
    const uint64_t calls = 2 * ((uint64_t)c->ranks - 1);
    if (c->bytes && c->goal.collective == GFAB_ALL_REDUCE && c->report->bytes / calls < c->bytes)
        return WRONG(c,
                     "%" PRIu64 " bytes are sent; an all-reduce takes 2 (N - 1) = %" PRIu64 " times its %" PRIu64
                     " bytes or more",
                     c->report->bytes, calls, c->bytes);
    return GFAB_OK;
}

gfab_status gfab_chakra_check(gfab_chakra_open *open, void *context, const gfab_goal *goal, uint64_t bytes,
                              gfab_chakra_report *report, gfab_diag *diag)
{
    GFAB_AT_END(check_release) check c = {.file = {.diag = diag}, .goal = *goal, .bytes = bytes, .report = report};
    *report = (gfab_chakra_report){.ranks = 0};
    for (FILE *file; c.ranks <= GFAB_MAX_CHAKRA_RANKS && (file = open(context, c.ranks)); c.ranks++)
        fclose(file);
    report->ranks = c.ranks;
    if (c.ranks < 2 || c.ranks > GFAB_MAX_CHAKRA_RANKS)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the traces of %u ranks; 2 to %u are expected", c.ranks,
                         GFAB_MAX_CHAKRA_RANKS);
    if (goal->root >= c.ranks)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the root is rank %u; there are %u", goal->root, c.ranks);
    c.first = gfab_arena_zeroed(&c.arena, (size_t)c.ranks + 1, sizeof *c.first);
    GFAB_ARRAYS(&c.arena, c.ranks, c.in, c.out);
    gfab_status status = c.arena.failed ? gfab_format_no_memory(diag) : GFAB_OK;
    for (; c.file.rank < c.ranks && status == GFAB_OK; c.file.rank++) {
        FILE *file = open(context, c.file.rank);
        status = file ? read_rank(&c, file)
                      : gfab_fail(diag, 0, GFAB_ERR_IO, "the trace of rank %u is missing", c.file.rank);
        c.first[c.file.rank + 1] = (uint32_t)c.count;
        if (file)
            fclose(file);
    }
    GFAB_THEN(status, find_deps(&c));
    GFAB_THEN(status, pair(&c));
    GFAB_THEN(status, turn_deps(&c));
    GFAB_THEN(status, run(&c));
    GFAB_THEN(status, find_content(&c));
    GFAB_THEN(status, check_goal(&c));
    GFAB_FREE(c.file.text, c.nodes, c.deps);
    return status;
}
