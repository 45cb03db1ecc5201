/* SPDX-License-Identifier: MIT */
/* Does a program that loops do, for any number of groups, what hosts want of it? Rule 10 of
 * docs/reference/rom-format.md. It is played from the start on, and what every slot has is followed: of which group,
 * which block of that, and whose contributions. So a slot that is stored into while it is in use is seen: what is lost
 * never comes to its host. When all is the same after a body as after the one before, but for the numbers of groups, it
 * will be so for ever, by induction: what a body does depends on that alone. */
#include "base/progress.h"
#include "fabric/image_internal.h"

#include <gossipfab/base/arena.h>
#include <inttypes.h>
#include <string.h>

/* What is in a slot, or on a link. */
typedef struct content {
    int64_t group;  /* below 0: nothing that counts */
    uint32_t block; /* of the group */
} content;

typedef struct play {
    const gfab_image *image;
    const gfab_layout *layout;
    const gfab_topology *topology;
    size_t nodes, lanes, slots; /* slots of a node */
    size_t words;               /* of a set of members */
    uint32_t rounds, period;
    int64_t now;       /* the group that began last */
    content *has;      /* node * slots + slot, */
    uint64_t *whose;   /* and the set of it, words each */
    content *sent;     /* node * lanes + lane, */
    uint64_t *sent_by; /* likewise */
    uint64_t *all;     /* members that give */
    uint32_t *gives;   /* [rank]: blocks of a group */
    uint32_t *takes;   /* [rank] */
    int64_t *given;    /* [rank]: blocks so far */
    int64_t *taken;    /* [rank] */
    int64_t *before;   /* the same, and of slots, after the body before; relative to its groups */
    uint64_t *set_before;
    uint32_t each; /* blocks of a group */
    gfab_arena arena;
} play;
GFAB_HOLDS_ARENA(play)

static gfab_status fault(size_t node, size_t round, size_t lane, const char *text, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %zu, lane %zu: %s", node, round, lane, text);
}

static gfab_op op_at(const play *p, size_t i, size_t round, uint32_t half)
{
    return gfab_image_op(p->image, i / p->lanes, round, i % p->lanes, half);
}

static uint32_t rank_of(const play *p, size_t i)
{
    return gfab_topology_rank(p->topology, (uint32_t)(i / p->lanes));
}

/* What a host gives: its next block, which must be of the group that the op says. */
static gfab_status give(play *p, size_t i, size_t round, uint32_t age, gfab_diag *diag)
{
    const uint32_t rank = rank_of(p, i);
    const int64_t group = p->now - age;
    uint64_t *by = p->sent_by + i * p->words;
    memset(by, 0, p->words * sizeof *by);
    p->sent[i] = (content){group, 0};
    if (group < 0)
        return GFAB_OK;
    if (p->given[rank] / p->each != group)
        return fault(i / p->lanes, round, i % p->lanes, "a block is given out of turn", diag);
    p->sent[i].block = (uint32_t)(p->given[rank]++ % p->each);
    by[rank / 64] |= (uint64_t)1 << rank % 64;
    return GFAB_OK;
}

/* What arrives in a lane: the place of what the other end of its link sent. */
static size_t arriving(const play *p, size_t i)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(p->topology, i / p->lanes, &count);
    const gfab_port port = ports[gfab_layout_port(p->layout, i / p->lanes, i % p->lanes)];
    return port.peer * p->lanes + gfab_layout_lane(p->layout, port.peer, port.peer_port);
}

/* What a host takes: the block after the last one, with all contributions. */
static gfab_status take(play *p, size_t i, size_t round, uint32_t age, gfab_diag *diag)
{
    const uint32_t rank = rank_of(p, i);
    const int64_t group = p->now - age;
    const size_t from = arriving(p, i);
    char text[160];
    if (group < 0)
        return GFAB_OK;
    const content came = p->sent[from];
    const int64_t number = p->taken[rank]++;
    if (came.group == group && number / p->each == group && came.block == number % p->each &&
        memcmp(p->sent_by + from * p->words, p->all, p->words * sizeof *p->all) == 0)
        return GFAB_OK;
    snprintf(
        text, sizeof text,
        "block %" PRId64 " of group %" PRId64 " is wanted, but block %u of group %" PRId64 " comes, %s contributions",
        number % p->each, group, (unsigned)came.block, came.group,
        memcmp(p->sent_by + from * p->words, p->all, p->words * sizeof *p->all) == 0 ? "with all" : "not with all");
    return fault(i / p->lanes, round, i % p->lanes, text, diag);
}

/* What is combined with what a slot has: of one block, and nobody's contribution twice. */
static gfab_status combine(play *p, size_t i, size_t round, uint32_t slot, gfab_diag *diag)
{
    const size_t from = arriving(p, i), to = i / p->lanes * p->slots + slot;
    const content came = p->sent[from], has = p->has[to];
    char text[160];
    bool twice = false;
    if (came.group < 0 && has.group < 0)
        return GFAB_OK;
    for (size_t w = 0; w < p->words; w++) {
        twice = twice || (p->whose[to * p->words + w] & p->sent_by[from * p->words + w]);
        p->whose[to * p->words + w] |= p->sent_by[from * p->words + w];
    }
    if (came.group == has.group && came.block == has.block && !twice)
        return GFAB_OK;
    snprintf(text, sizeof text,
             "combine slot %u, which has block %u of group %" PRId64 ", with block %u of group %" PRId64 "%s",
             (unsigned)slot, (unsigned)has.block, has.group, (unsigned)came.block, came.group,
             twice ? ": a contribution counts twice" : "");
    return fault(i / p->lanes, round, i % p->lanes, text, diag);
}

static void store(play *p, size_t i, uint32_t slot)
{
    const size_t from = arriving(p, i), to = i / p->lanes * p->slots + slot;
    p->has[to] = p->sent[from];
    memcpy(p->whose + to * p->words, p->sent_by + from * p->words, p->words * sizeof *p->whose);
}

/* A round of all nodes: first what is sent, then what is received. */
static gfab_status play_round(play *p, size_t round, gfab_diag *diag)
{
    const uint32_t last = gfab_layout_halves(p->layout) - 1;
    for (size_t i = 0; i < p->nodes * p->lanes; i++) {
        const gfab_op op = op_at(p, i, round, 0);
        if (op.kind != GFAB_OP_SEND)
            continue;
        if (rank_of(p, i) != GFAB_NO_RANK) {
            GFAB_TRY(give(p, i, round, op.slot, diag));
            continue;
        }
        const size_t slot = i / p->lanes * p->slots + op.slot;
        p->sent[i] = p->has[slot];
        memcpy(p->sent_by + i * p->words, p->whose + slot * p->words, p->words * sizeof *p->whose);
    }
    for (size_t i = 0; i < p->nodes * p->lanes; i++) {
        const gfab_op op = op_at(p, i, round, last);
        if (op.kind != GFAB_OP_RECV && op.kind != GFAB_OP_COMBINE)
            continue;
        if (rank_of(p, i) != GFAB_NO_RANK)
            GFAB_TRY(take(p, i, round, op.slot, diag));
        else if (op.kind == GFAB_OP_COMBINE)
            GFAB_TRY(combine(p, i, round, op.slot, diag));
        else
            store(p, i, op.slot);
    }
    return GFAB_OK;
}

/* Is all as it was after the body before, relative to the groups that have begun? Keeps it as it is now. */
static bool settles(play *p)
{
    const size_t slots = p->nodes * p->slots, members = gfab_topology_member_count(p->topology);
    bool same = memcmp(p->set_before, p->whose, slots * p->words * sizeof *p->whose) == 0;
    for (size_t i = 0; i < slots + 2 * members; i++) {
        int64_t relative;
        if (i < slots)
            relative = p->has[i].group < 0 ? INT64_MIN : (p->has[i].group - p->now) * p->each + p->has[i].block;
        else
            relative = (i < slots + members ? p->given[i - slots] : p->taken[i - slots - members]) - p->now * p->each;
        same = same && (p->before[i] == relative ||
                        (i >= slots && !(i < slots + members ? p->gives[i - slots] : p->takes[i - slots - members])));
        p->before[i] = relative;
    }
    memcpy(p->set_before, p->whose, slots * p->words * sizeof *p->whose);
    return same;
}

/* Rules of the sequence: groups begin at equal distances, the first in the first round; the last round loops. */
static gfab_status check_sequence(play *p, gfab_diag *diag)
{
    const uint32_t first = gfab_image_first_round(p->image, 0);
    p->rounds = gfab_image_rounds(p->image, 0);
    p->period = 1;
    if (gfab_image_program_count(p->image) != 1 || first != 0 || p->rounds == 0)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "a fabric with streams has one program, from round 1 on");
    while (p->period < p->rounds && !gfab_image_begins(p->image, p->period + 1))
        p->period++;
    for (size_t round = 1; round <= (size_t)1 << gfab_image_round_bits(p->image); round++)
        if (gfab_image_begins(p->image, round) != (round <= p->rounds && (round - 1) % p->period == 0) ||
            gfab_image_loops(p->image, round) != (round == p->rounds))
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "round %zu: groups begin every %u of %u rounds, and the last of these loops", round,
                             (unsigned)p->period, (unsigned)p->rounds);
    return p->rounds % p->period == 0
               ? GFAB_OK
               : gfab_fail(diag, 0, GFAB_ERR_FAULT, "a body of %u rounds, in which groups begin every %u",
                           (unsigned)p->rounds, (unsigned)p->period);
}

/* How many blocks of a group each host gives and takes: all that do, as many. */
static gfab_status count_blocks(play *p, gfab_diag *diag)
{
    const uint32_t last = gfab_layout_halves(p->layout) - 1, groups = p->rounds / p->period;
    bool taken = false;
    for (size_t i = 0; i < p->nodes * p->lanes; i++)
        for (uint32_t round = 1; rank_of(p, i) != GFAB_NO_RANK && round <= p->rounds; round++) {
            const gfab_op_kind in = op_at(p, i, round, last).kind;
            p->gives[rank_of(p, i)] += op_at(p, i, round, 0).kind == GFAB_OP_SEND;
            p->takes[rank_of(p, i)] += in == GFAB_OP_RECV || in == GFAB_OP_COMBINE;
        }
    for (uint32_t rank = 0; rank < gfab_topology_member_count(p->topology); rank++) {
        if (p->gives[rank] && !p->each)
            p->each = p->gives[rank] / groups;
        if (p->gives[rank])
            p->all[rank / 64] |= (uint64_t)1 << rank % 64;
        taken = taken || p->takes[rank];
    }
    if (p->each > 1 && !gfab_layout_word_streams(p->layout))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "hosts give %u blocks of each group, ports have one",
                         (unsigned)p->each);
    for (uint32_t rank = 0; rank < gfab_topology_member_count(p->topology); rank++)
        if (!p->each || !taken || (p->gives[rank] && p->gives[rank] != p->each * groups) ||
            (p->takes[rank] && p->takes[rank] != p->each * groups))
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "host %u gives %u blocks and takes %u in %u groups of %u",
                             (unsigned)rank, (unsigned)p->gives[rank], (unsigned)p->takes[rank], (unsigned)groups,
                             (unsigned)p->each);
    return GFAB_OK;
}

/* A host of narrow nodes gives all its blocks at one age, as many groups behind the last that began, and takes all at
 * one: its port has these two numbers in its wiring. */
static gfab_status check_age(const play *p, size_t i, uint32_t half, bool gives, gfab_diag *diag)
{
    bool found = false;
    uint32_t age = 0;
    for (uint32_t round = 1; round <= p->rounds; round++) {
        const gfab_op op = op_at(p, i, round, half);
        char text[96];
        if (gives ? op.kind != GFAB_OP_SEND : op.kind != GFAB_OP_RECV && op.kind != GFAB_OP_COMBINE)
            continue;
        if (found && op.slot != age) {
            snprintf(text, sizeof text, "a block is %s at age %u, others at age %u: a port has one",
                     gives ? "given" : "taken", (unsigned)op.slot, (unsigned)age);
            return fault(i / p->lanes, round, i % p->lanes, text, diag);
        }
        found = true;
        age = op.slot;
    }
    return GFAB_OK;
}

static gfab_status check_ages(const play *p, gfab_diag *diag)
{
    const uint32_t last = gfab_layout_halves(p->layout) - 1;
    for (size_t i = 0; i < p->nodes * p->lanes; i++)
        if (rank_of(p, i) != GFAB_NO_RANK) {
            GFAB_TRY(check_age(p, i, 0, true, diag));
            GFAB_TRY(check_age(p, i, last, false, diag));
        }
    return GFAB_OK;
}

static gfab_status play_bodies(play *p, const gfab_progress *progress, gfab_diag *diag)
{
    const uint32_t most = gfab_image_ages(p->image) + 4;
    bool settled = false;
    p->now = -1;
    for (uint32_t body = 0; body < most && !settled; body++) {
        GFAB_TRY(gfab_progress_report(progress, "bodies of the loop played", body, most));
        for (uint32_t round = 1; round <= p->rounds; round++) {
            p->now += gfab_image_begins(p->image, round);
            GFAB_TRY(play_round(p, round, diag));
        }
        settled = settles(p);
    }
    if (!settled)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "the loop is not the same after %u bodies", (unsigned)most);
    return GFAB_OK;
}

static bool open_play(play *p)
{
    const size_t members = gfab_topology_member_count(p->topology);
    p->has = gfab_arena_zeroed2(&p->arena, p->nodes, p->slots, sizeof *p->has);
    p->whose = gfab_arena_zeroed(&p->arena, p->nodes * p->slots * p->words, sizeof *p->whose);
    p->sent = gfab_arena_zeroed2(&p->arena, p->nodes, p->lanes, sizeof *p->sent);
    p->sent_by = gfab_arena_zeroed(&p->arena, p->nodes * p->lanes * p->words, sizeof *p->sent_by);
    p->all = gfab_arena_zeroed(&p->arena, p->words, sizeof *p->all);
    GFAB_ARRAYS(&p->arena, members, p->gives, p->takes, p->given, p->taken);
    p->before = gfab_arena_zeroed(&p->arena, p->nodes * p->slots + 2 * members, sizeof *p->before);
    p->set_before = gfab_arena_zeroed(&p->arena, p->nodes * p->slots * p->words, sizeof *p->set_before);
    const bool ok = !p->arena.failed;
    for (size_t i = 0; ok && i < p->nodes * p->slots; i++)
        p->has[i] = (content){-1, 0};
    return ok;
}

gfab_status gfab_check_loop(const gfab_image *image, const gfab_progress *progress, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_layout_topology(image->layout);
    GFAB_AT_END(play_release)
    play p = {.image = image,
              .layout = image->layout,
              .topology = topology,
              .nodes = gfab_topology_node_count(topology),
              .lanes = gfab_layout_lane_count(image->layout),
              .slots = gfab_layout_slot_count(image->layout),
              .words = (gfab_topology_member_count(topology) + 63) / 64};
    GFAB_TRY(open_play(&p) ? GFAB_OK : gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the loop"));
    GFAB_TRY(check_sequence(&p, diag));
    GFAB_TRY(count_blocks(&p, diag));
    GFAB_TRY(play_bodies(&p, progress, diag));
    if (!gfab_layout_word_streams(p.layout))
        GFAB_TRY(check_ages(&p, diag));
    return GFAB_OK;
}
