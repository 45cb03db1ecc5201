/* SPDX-License-Identifier: MIT */
/* Hosts that give and take streams: rtl/stream/gfab_stream_port.v, gfab_stream_groups.v, gfab_stream_fifo.v. */
#include "cmodel_stream.h"

#include <assert.h>
#include <string.h>

/* A group on its way. */
typedef struct group {
    bool counts;
    bool ends;     /* a vector ends with it */
    uint32_t beat; /* then its last beat */
} group;

typedef struct flit_flags {
    bool last, frees;
} flit_flags;

/* Flits in order. */
typedef struct fifo {
    uint32_t size, write, read, count;
    bool pushed; /* in the cycle before: it can be read from the next one on */
    uint8_t *flits;
    flit_flags *flags;
} fifo;

typedef struct host {
    uint32_t lane;
    uint32_t give_blocks, take_blocks; /* that there is room for; 0: it does not give, or take */
    /* inputs */
    bool give_valid, give_last, take_ready;
    uint8_t *give_data;
    /* giving */
    fifo given;
    uint32_t beat, sent, blocks, whole, planned;
    bool fill;
    uint32_t end;
    group *ends; /* of whole blocks, in a ring of give_blocks + 1 */
    uint32_t ends_write, ends_read;
    /* taking */
    fifo taken;
    uint32_t come, room;
} host;

struct cmodel_streams {
    size_t count;
    size_t first; /* node of host 0 */
    uint32_t ages, leader, flits;
    bool *begins; /* by round */
    bool can, more, more_before;
    group *groups; /* by age */
    group *now;    /* likewise, with the one that begins in this cycle */
    bool *gives;   /* period * count + host, as it was in the host's turn */
    group *takes;  /* likewise */
    host *hosts;
    uint8_t *word;
};

static void open_fifo(gfab_arena *arena, fifo *f, uint32_t blocks, uint32_t flits, size_t bytes)
{
    f->size = 2;
    while (f->size < blocks * flits)
        f->size *= 2;
    f->flits = gfab_arena_zeroed(arena, f->size, bytes);
    f->flags = gfab_arena_zeroed(arena, f->size, sizeof *f->flags);
}

static void push(const gfab_cmodel *cmodel, fifo *f, const uint8_t *flit, flit_flags flags)
{
    memcpy(f->flits + f->write * cmodel->flit_bytes, flit, cmodel->flit_bytes);
    f->flags[f->write] = flags;
    f->write = (f->write + 1) % f->size;
}

/* Its clock edge. */
static void clock_fifo(fifo *f, bool pushes, bool pops)
{
    f->count = f->count + f->pushed - pops;
    f->read = (f->read + pops) % f->size;
    f->pushed = pushes;
}

/* How many groups ago that of what it gives, or takes, began at most, and one more; 0: it does not. */
static uint32_t oldest(const gfab_image *image, size_t node, size_t lane, bool gives)
{
    const uint32_t half = gives ? 0 : gfab_layout_halves(gfab_image_layout(image)) - 1;
    uint32_t most = 0;
    for (size_t round = 1; round <= gfab_image_rounds(image, 0); round++) {
        const gfab_op op = gfab_image_op(image, node, round, lane, half);
        const bool is = gives ? op.kind == GFAB_OP_SEND : op.kind == GFAB_OP_RECV || op.kind == GFAB_OP_COMBINE;
        most = is && op.slot + 1 > most ? op.slot + 1 : most;
    }
    return most;
}

static void open_host(gfab_cmodel *cmodel, const gfab_image *image, size_t node, host *h)
{
    const cmodel_streams *s = cmodel->streams;
    const uint32_t lane = gfab_layout_lane(cmodel->layout, node, 0);
    const uint32_t gives = oldest(image, node, lane, true), takes = oldest(image, node, lane, false);
    h->lane = lane;
    h->give_blocks = gives ? gives + 2 : 0;
    h->take_blocks = takes ? takes + 2 : 0;
    h->give_data = gfab_arena_zeroed(&cmodel->arena, 1, cmodel->flit_bytes);
    h->ends = gfab_arena_zeroed(&cmodel->arena, h->give_blocks + 1, sizeof *h->ends);
    open_fifo(&cmodel->arena, &h->given, h->give_blocks, s->flits, cmodel->flit_bytes);
    open_fifo(&cmodel->arena, &h->taken, h->take_blocks, s->flits, cmodel->flit_bytes);
}

gfab_status gfab_cmodel_streams_create(gfab_cmodel *cmodel, const gfab_image *image)
{
    gfab_arena *arena = &cmodel->arena;
    cmodel_streams *s = gfab_arena_zeroed(arena, 1, sizeof *s);
    GFAB_NEED(s);
    cmodel->streams = s;
    s->count = gfab_topology_member_count(gfab_layout_topology(cmodel->layout));
    s->first = cmodel->nodes - s->count;
    s->ages = gfab_image_ages(image);
    s->flits = cmodel->timing.cycles_per_round;
    s->begins = gfab_arena_zeroed(arena, cmodel->round_count, sizeof *s->begins);
    s->groups = gfab_arena_zeroed(arena, s->ages, sizeof *s->groups);
    s->now = gfab_arena_zeroed(arena, s->ages + 1, sizeof *s->now);
    s->gives = gfab_arena_zeroed2(arena, cmodel->period_count, s->count, sizeof *s->gives);
    s->takes = gfab_arena_zeroed2(arena, cmodel->period_count, s->count, sizeof *s->takes);
    s->hosts = gfab_arena_zeroed(arena, s->count, sizeof *s->hosts);
    s->word = gfab_arena_zeroed(arena, 1, cmodel->word_bytes);
    for (size_t i = 0; s->hosts && i < s->count; i++)
        open_host(cmodel, image, s->first + i, &s->hosts[i]);
    gfab_cmodel_limit_create(cmodel, s->count);
    GFAB_NEED(!arena->failed);
    for (uint32_t round = 0; round < cmodel->round_count; round++) {
        s->begins[round] = gfab_image_begins(image, round + 1);
        cmodel->loops[round] = gfab_image_loops(image, round + 1);
    }
    s->leader = gfab_image_leader(image);
    gfab_cmodel_streams_reset(cmodel);
    return GFAB_OK;
}

static void empty(fifo *f)
{
    f->write = f->read = f->count = 0;
    f->pushed = false;
}

void gfab_cmodel_streams_reset(gfab_cmodel *cmodel)
{
    cmodel_streams *s = cmodel->streams;
    s->can = s->more = s->more_before = false;
    memset(s->groups, 0, s->ages * sizeof *s->groups);
    gfab_cmodel_limit_reset(cmodel);
    for (size_t i = 0; i < s->count; i++) {
        host *h = &s->hosts[i];
        empty(&h->given);
        empty(&h->taken);
        h->beat = h->sent = h->blocks = h->whole = h->planned = h->come = 0;
        h->ends_write = h->ends_read = 0;
        h->fill = false;
        h->room = h->take_blocks;
    }
}

bool gfab_cmodel_streams_start(const gfab_cmodel *cmodel)
{
    return cmodel->streams->can;
}

bool gfab_cmodel_streams_more(const gfab_cmodel *cmodel)
{
    return cmodel->streams->more_before;
}

bool gfab_cmodel_streams_sends(const gfab_cmodel *cmodel, size_t node, size_t period)
{
    const cmodel_streams *s = cmodel->streams;
    return !s || node < s->first || s->gives[period * s->count + node - s->first];
}

/* In a host's turn: does it send the word, and take what comes? The flits of the word are there. */
static void take_turn(gfab_cmodel *cmodel, size_t i, const turn *now)
{
    cmodel_streams *s = cmodel->streams;
    host *h = &s->hosts[i];
    const size_t node = s->first + i;
    const uint32_t round = cmodel->period_round[now->period], bits = cmodel->timing.link_bits;
    const gfab_op out = gfab_cmodel_op(cmodel, round, node, h->lane);
    const gfab_op in = gfab_cmodel_receive_op(cmodel, round, node, h->lane);
    const bool gives = out.kind == GFAB_OP_SEND && s->now[out.slot].counts;
    uint8_t *word = gfab_cmodel_sent_word(cmodel, now->period, node, h->lane);
    s->gives[now->period * s->count + i] = gives;
    s->takes[now->period * s->count + i] = (group){false, false, 0};
    if (in.kind == GFAB_OP_RECV || in.kind == GFAB_OP_COMBINE)
        s->takes[now->period * s->count + i] = s->now[in.slot];
    memset(word, 0, cmodel->word_bytes);
    for (uint32_t flit = 0; gives && flit < cmodel->timing.lanes; flit++) {
        gfab_cmodel_or_bits(word, (size_t)flit * bits, h->given.flits + h->planned * cmodel->flit_bytes, 0, bits);
        h->planned = (h->planned + 1) % h->given.size;
    }
}

/* The turn whose word is on the host's link, so many cycles later, and which flit of it. */
static const turn *window(const gfab_cmodel *cmodel, const host *h, uint32_t later, uint32_t *flit)
{
    for (*flit = 0; *flit < cmodel->timing.lanes; ++*flit) {
        const turn *then = gfab_cmodel_turn_before(cmodel, cmodel->out_delay + later + *flit);
        if (then && then->lane == h->lane)
            return then;
    }
    return NULL;
}

/* What comes in from the host, and leaves for the fabric; begins: a group that counts. */
static void step_giving(gfab_cmodel *cmodel, size_t i, bool begins)
{
    cmodel_streams *s = cmodel->streams;
    host *h = &s->hosts[i];
    uint32_t flit;
    const turn *then = window(cmodel, h, 0, &flit);
    const bool sends = then && s->gives[then->period * s->count + i];
    const bool accepts = h->give_valid && gfab_cmodel_give_ready(cmodel, i), pushes = accepts || h->fill;
    const bool opens = accepts && h->beat == 0, closes = pushes && h->beat == s->flits - 1;
    const bool leaves = sends && h->sent == s->flits - 1;
    if (h->give_blocks == 0)
        return;
    if (closes) {
        h->ends[h->ends_write] = (group){true, h->fill || h->give_last, h->fill ? h->end : s->flits - 1};
        h->ends_write = (h->ends_write + 1) % (h->give_blocks + 1);
    }
    if (begins)
        h->ends_read = (h->ends_read + 1) % (h->give_blocks + 1);
    if (pushes) {
        memset(s->word, 0, cmodel->word_bytes);
        push(cmodel, &h->given, h->fill ? s->word : h->give_data, (flit_flags){false, false});
    }
    clock_fifo(&h->given, pushes, sends);
    if (accepts)
        h->end = h->beat;
    h->blocks = h->blocks + opens - leaves;
    h->whole = h->whole + closes - begins;
    h->fill = (h->fill || (accepts && h->give_last)) && !closes;
    if (pushes)
        h->beat = closes ? 0 : h->beat + 1;
    if (sends)
        h->sent = leaves ? 0 : h->sent + 1;
}

/* What comes from the fabric, and leaves for the host. */
static void step_taking(gfab_cmodel *cmodel, size_t i, bool begins)
{
    cmodel_streams *s = cmodel->streams;
    host *h = &s->hosts[i];
    uint32_t flit;
    const turn *then = window(cmodel, h, cmodel->timing.latency_cycles, &flit);
    const group of = then ? s->takes[then->period * s->count + i] : (group){false, false, 0};
    const bool pops = h->taken.count > 0 && h->take_ready, frees = pops && h->taken.flags[h->taken.read].frees;
    const bool closes = h->come == s->flits - 1, ends = of.ends ? h->come == of.beat : closes;
    const bool keeps = of.counts && !(of.ends && h->come > of.beat);
    if (h->take_blocks == 0)
        return;
    if (keeps) {
        const lane_peer *peer = &cmodel->peers[(s->first + i) * cmodel->timing.lanes + h->lane];
        const uint32_t bits = cmodel->timing.link_bits, round = cmodel->period_round[then->period];
        memset(s->word, 0, cmodel->word_bytes);
        if (gfab_cmodel_op(cmodel, round, peer->node, peer->lane).kind == GFAB_OP_SEND)
            gfab_cmodel_or_bits(s->word, 0, gfab_cmodel_sent_word(cmodel, then->period, peer->node, peer->lane),
                                (size_t)flit * bits, bits);
        push(cmodel, &h->taken, s->word, (flit_flags){of.ends && ends, ends});
    }
    clock_fifo(&h->taken, keeps, pops);
    h->room = h->room + frees - begins;
    if (of.counts)
        h->come = closes ? 0 : h->come + 1;
}

static bool is_untaken(const gfab_cmodel *cmodel, size_t index)
{
    return cmodel->streams->hosts[index].taken.count > 0;
}

/* Does the host give, and no block is there? */
static bool lacks(const gfab_cmodel *cmodel, size_t index)
{
    const host *h = &cmodel->streams->hosts[index];
    return h->give_blocks > 0 && h->whole == 0;
}

/* Of the blocks of the next group, does one end a vector where another does not? */
static bool ends_differ(const cmodel_streams *s)
{
    const host *leader = &s->hosts[s->leader];
    const group first = leader->ends[leader->ends_read];
    for (size_t i = 0; i < s->count; i++) {
        const host *h = &s->hosts[i];
        const group next = h->ends[h->ends_read];
        if (h->give_blocks > 0 && (next.ends != first.ends || next.beat != first.beat))
            return true;
    }
    return false;
}

/* What the time limit sees of the hosts. */
static void step_limit(gfab_cmodel *cmodel)
{
    const cmodel_streams *s = cmodel->streams;
    bool waits = false, moves = false;
    for (size_t i = 0; i < s->count; i++) {
        const host *h = &s->hosts[i];
        const bool takes = h->taken.count > 0;
        waits = waits || h->blocks > 0 || takes;
        moves = moves || (h->give_valid && gfab_cmodel_give_ready(cmodel, i)) || (h->take_ready && takes);
    }
    gfab_cmodel_limit_step(cmodel, waits, moves, is_untaken, lacks);
}

/* Has every host a block to give, or room for one to take, whichever it does? */
static bool can_begin(const cmodel_streams *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const host *h = &s->hosts[i];
        if ((h->give_blocks > 0 && h->whole == 0) || (h->take_blocks > 0 && h->room == 0))
            return false;
    }
    return true;
}

void gfab_cmodel_streams_step(gfab_cmodel *cmodel, const turn *now)
{
    cmodel_streams *s = cmodel->streams;
    const bool begins = now && now->due && now->lane == 0 && cmodel->period_word[now->period] == 0 &&
                        s->begins[cmodel->period_round[now->period]];
    const bool counts = begins && s->can;
    const host *leader = &s->hosts[s->leader];
    memcpy(s->now + begins, s->groups, (s->ages + !begins - 1) * sizeof *s->now);
    if (begins) {
        s->now[0] = leader->ends[leader->ends_read];
        s->now[0].counts = s->can;
    }
    step_limit(cmodel);
    cmodel->limit.uneven |= counts && ends_differ(s);
    s->more_before = s->more;
    s->more = s->can;
    for (uint32_t age = 0; age + 1 < s->ages; age++)
        s->more = s->more || s->groups[age].counts;
    const bool can = can_begin(s);
    for (size_t i = 0; i < s->count; i++)
        if (now && now->due && now->lane == s->hosts[i].lane)
            take_turn(cmodel, i, now);
    for (size_t i = 0; i < s->count; i++) {
        step_giving(cmodel, i, counts);
        step_taking(cmodel, i, counts);
        s->hosts[i].give_valid = s->hosts[i].take_ready = false;
    }
    memcpy(s->groups, s->now, s->ages * sizeof *s->groups);
    s->can = can && !counts;
}

static host *host_of(const gfab_cmodel *cmodel, size_t index)
{
    assert(cmodel->streams && index < cmodel->streams->count);
    return &cmodel->streams->hosts[index];
}

void gfab_cmodel_set_give(gfab_cmodel *cmodel, size_t host_index, const uint8_t *data, bool last)
{
    if (cmodel->words) {
        gfab_cmodel_words_give(cmodel, host_index, data, last);
        return;
    }
    host *h = host_of(cmodel, host_index);
    memset(h->give_data, 0, cmodel->flit_bytes);
    gfab_cmodel_or_bits(h->give_data, 0, data, 0, cmodel->timing.link_bits);
    h->give_valid = true;
    h->give_last = last;
}

void gfab_cmodel_set_take(gfab_cmodel *cmodel, size_t host_index)
{
    if (cmodel->words)
        gfab_cmodel_words_take(cmodel, host_index);
    else
        host_of(cmodel, host_index)->take_ready = true;
}

bool gfab_cmodel_give_ready(const gfab_cmodel *cmodel, size_t host_index)
{
    if (cmodel->words)
        return gfab_cmodel_words_give_ready(cmodel, host_index);
    const host *h = host_of(cmodel, host_index);
    return h->give_blocks && !h->fill && (h->beat != 0 || h->blocks != h->give_blocks);
}

const uint8_t *gfab_cmodel_taken(const gfab_cmodel *cmodel, size_t host_index, bool *last)
{
    if (cmodel->words)
        return gfab_cmodel_words_taken(cmodel, host_index, last);
    const host *h = host_of(cmodel, host_index);
    if (h->taken.count == 0)
        return NULL;
    *last = h->taken.flags[h->taken.read].last;
    return h->taken.flits + h->taken.read * cmodel->flit_bytes;
}
