/* SPDX-License-Identifier: MIT */
/* Streams of a word a cycle: rtl/stream/gfab_stream_tree.v, gfab_stream_node.v, gfab_stream_flow.v, gfab_stream_pair.v,
 * gfab_stream_chain.v, gfab_stream_skid.v. A word is combined when it is taken from the skids, and then goes through
 * the stages. */
#include "cmodel_stream.h"

#include <gossipfab/fabric/flows.h>

#include <stdlib.h>
#include <string.h>

/* Words as they came, two, or in a queue more. */
typedef struct skid {
    uint32_t room;
    uint32_t count;
    uint32_t fresh; /* of a queue: those that came in the last cycle, which are not yet to be seen */
    uint32_t first;
    bool *last;
    uint8_t *words;
} skid;

typedef struct flow {
    gfab_stream_flow lanes;
    uint32_t stages;
    bool *valid;      /* behind a stage, but for the last one: */
    uint64_t pending; /* lanes over which what is behind it has still to go */
    bool *last;
    uint8_t *words; /* of each stage */
    bool advances;  /* in this cycle, and below */
    bool fires;
    uint64_t leaves; /* lanes */
    uint64_t wants;  /* lanes over which a word is waited for, here or behind */
    uint64_t wants_next;
    uint32_t
        *order;   /* lanes, in the order in which words are combined; with gather, of several lanes: over which each */
    size_t turns; /* word of a group comes, how many there are, */
    size_t turn;  /* and which one is next */
    bool by_turns;
    bool begun_last; /* some word of this group was the last of its host's vector, */
    bool first_last; /* and its first word was */
} flow;

typedef struct host {
    size_t node;
    uint32_t lane;
    bool give_valid, give_last, take_ready;
    uint8_t *give_data;         /* flits of its words */
    uint8_t *beat;              /* what it takes, the words one behind another */
    skid taken[GFAB_MAX_FLOWS]; /* [word], and where it has several: */
    skid given[GFAB_MAX_FLOWS];
    bool room[GFAB_MAX_FLOWS]; /* behind these in this cycle */
} host;

struct cmodel_words {
    size_t hosts, relays;
    uint32_t words; /* of a host's beat */
    uint32_t lanes; /* K, and one for each further word of hosts */
    flow *flows;    /* relay * GFAB_MAX_FLOWS + flow */
    skid *skids;    /* relay * K + lane */
    host *host;
    uint32_t *host_of; /* node * lanes + lane: the host that is there, or UINT32_MAX */
    bool ends_uneven;  /* in this cycle vectors end that are shorter than others */
};

/* Which word of a host's goes over a lane. */
static uint32_t word_of(const gfab_cmodel *cmodel, uint32_t lane)
{
    return lane < cmodel->timing.lanes ? 0 : lane - cmodel->timing.lanes + 1;
}

/* The lane of a host's relay over which a word of it goes. */
static uint32_t lane_of(const gfab_cmodel *cmodel, const host *h, uint32_t word)
{
    return word == 0 ? h->lane : cmodel->timing.lanes - 1 + word;
}

static flow *flow_with(const cmodel_words *w, size_t node, uint32_t lane, bool comes)
{
    for (size_t i = 0; node < w->relays && i < GFAB_MAX_FLOWS; i++) {
        flow *f = &w->flows[node * GFAB_MAX_FLOWS + i];
        if ((comes ? f->lanes.in : f->lanes.out) >> lane & 1)
            return f;
    }
    return NULL;
}

static bool open_flow(const gfab_cmodel *cmodel, const gfab_image *image, size_t node, flow *f)
{
    const uint32_t cycles = cmodel->timing.operator_cycles;
    uint32_t all[GFAB_MAX_FLOW_LANES];
    size_t count;
    f->by_turns = cmodel->combines == GFAB_OPERATOR_GATHER && f->lanes.in & (f->lanes.in - 1);
    f->stages = gfab_stream_flow_cycles(&f->lanes, cmodel->combines, cycles) - 1;
    f->words = calloc(f->stages, cmodel->flit_bytes);
    f->valid = calloc(f->stages, sizeof *f->valid);
    f->last = calloc(f->stages, sizeof *f->last);
    f->order = calloc(f->by_turns ? cmodel->words->hosts : GFAB_MAX_FLOW_LANES, sizeof *f->order);
    if (!f->words || !f->valid || !f->last || !f->order)
        return false;
    if (f->by_turns) {
        gfab_image_turns(image, node, f->order, &f->turns);
        return true;
    }
    gfab_image_operands(image, node, all, &count);
    for (size_t i = 0; i < count; i++)
        if (f->lanes.in >> all[i] & 1)
            f->order[f->turns++] = all[i];
    return true;
}

static gfab_status open_node(gfab_cmodel *cmodel, const gfab_image *image, size_t node)
{
    cmodel_words *w = cmodel->words;
    gfab_stream_flow lanes[GFAB_MAX_FLOWS];
    const gfab_status status = gfab_image_flows(image, node, lanes, NULL);
    for (size_t i = 0; status == GFAB_OK && i < GFAB_MAX_FLOWS; i++) {
        flow *f = &w->flows[node * GFAB_MAX_FLOWS + i];
        f->lanes = lanes[i];
        if (f->lanes.in && !open_flow(cmodel, image, node, f))
            return GFAB_ERR_NO_MEMORY;
    }
    return status;
}

static bool open_skid(skid *s, uint32_t room, const gfab_cmodel *cmodel)
{
    s->room = room;
    s->words = calloc(room, cmodel->flit_bytes);
    s->last = calloc(room, sizeof *s->last);
    return s->words && s->last;
}

static void close_skid(const skid *s)
{
    free(s->words);
    free(s->last);
}

static gfab_status open_all(gfab_cmodel *cmodel, const gfab_image *image)
{
    cmodel_words *w = cmodel->words;
    const uint32_t room =
        w->words > 1 ? (UINT32_C(1) << gfab_image_queue_bits(image, cmodel->timing.operator_cycles)) - 1 : 2;
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < w->relays * w->lanes; i++)
        if (!open_skid(&w->skids[i], 2, cmodel))
            return GFAB_ERR_NO_MEMORY;
    for (size_t i = 0; i < w->hosts; i++) {
        host *h = &w->host[i];
        const uint32_t lane = gfab_layout_lane(cmodel->layout, w->relays + i, 0);
        const lane_peer *peer = &cmodel->peers[(w->relays + i) * cmodel->timing.lanes + lane];
        h->node = peer->node;
        h->lane = peer->lane;
        h->give_data = calloc(w->words, cmodel->flit_bytes);
        h->beat = calloc(w->words, cmodel->flit_bytes);
        if (!h->give_data || !h->beat)
            return GFAB_ERR_NO_MEMORY;
        for (uint32_t word = 0; word < w->words; word++) {
            w->host_of[h->node * w->lanes + lane_of(cmodel, h, word)] = (uint32_t)i;
            if (!open_skid(&h->taken[word], room, cmodel) || !open_skid(&h->given[word], room, cmodel))
                return GFAB_ERR_NO_MEMORY;
        }
    }
    for (size_t node = 0; node < w->relays && status == GFAB_OK; node++)
        status = open_node(cmodel, image, node);
    return status;
}

gfab_status gfab_cmodel_words_create(gfab_cmodel *cmodel, const gfab_image *image)
{
    cmodel_words *w = calloc(1, sizeof *w);
    if (!w)
        return GFAB_ERR_NO_MEMORY;
    cmodel->words = w;
    w->hosts = gfab_topology_member_count(gfab_layout_topology(cmodel->layout));
    w->relays = cmodel->nodes - w->hosts;
    w->words = gfab_image_host_words(image);
    w->lanes = cmodel->timing.lanes + w->words - 1;
    w->flows = calloc(w->relays * GFAB_MAX_FLOWS, sizeof *w->flows);
    w->skids = calloc(w->relays * w->lanes, sizeof *w->skids);
    w->host = calloc(w->hosts, sizeof *w->host);
    w->host_of = malloc(w->relays * w->lanes * sizeof *w->host_of);
    if (!w->flows || !w->skids || !w->host || !w->host_of || gfab_cmodel_limit_create(cmodel, w->hosts) != GFAB_OK)
        return GFAB_ERR_NO_MEMORY;
    memset(w->host_of, 0xff, w->relays * w->lanes * sizeof *w->host_of);
    return open_all(cmodel, image);
}

void gfab_cmodel_words_destroy(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    if (!w)
        return;
    for (size_t i = 0; w->flows && i < w->relays * GFAB_MAX_FLOWS; i++) {
        free(w->flows[i].words);
        free(w->flows[i].valid);
        free(w->flows[i].last);
        free(w->flows[i].order);
    }
    for (size_t i = 0; w->skids && i < w->relays * w->lanes; i++)
        close_skid(&w->skids[i]);
    for (size_t i = 0; w->host && i < w->hosts; i++) {
        free(w->host[i].give_data);
        free(w->host[i].beat);
        for (size_t word = 0; word < GFAB_MAX_FLOWS; word++) {
            close_skid(&w->host[i].taken[word]);
            close_skid(&w->host[i].given[word]);
        }
    }
    free(w->flows);
    free(w->skids);
    free(w->host);
    free(w->host_of);
    free(w);
}

static void push(const gfab_cmodel *cmodel, skid *s, const uint8_t *word, bool last)
{
    const uint32_t at = (s->first + s->count) % s->room;
    memcpy(s->words + at * cmodel->flit_bytes, word, cmodel->flit_bytes);
    s->last[at] = last;
    s->count++;
    s->fresh++;
}

static void pop(skid *s)
{
    s->first = (s->first + 1) % s->room;
    s->count--;
}

static bool has_room(const skid *s)
{
    return s->count < s->room;
}

/* A skid's words are there in the next cycle, a queue's in the one behind it. */
static bool is_there(const skid *s)
{
    return s->count > (s->room > 2 ? s->fresh : 0);
}

static const uint8_t *first_of(const gfab_cmodel *cmodel, const skid *s)
{
    return s->words + s->first * cmodel->flit_bytes;
}

/* Where what goes out over a lane of a relay comes in. */
static skid *behind(const gfab_cmodel *cmodel, size_t node, uint32_t lane)
{
    const cmodel_words *w = cmodel->words;
    const uint32_t at = w->host_of[node * w->lanes + lane];
    const lane_peer *peer = &cmodel->peers[node * cmodel->timing.lanes + lane];
    return at == UINT32_MAX ? &w->skids[peer->node * w->lanes + peer->lane] : &w->host[at].taken[word_of(cmodel, lane)];
}

/* Is a word waited for behind a lane of a relay? */
static bool is_wanted(const gfab_cmodel *cmodel, size_t node, uint32_t lane)
{
    const cmodel_words *w = cmodel->words;
    if (w->host_of[node * w->lanes + lane] != UINT32_MAX)
        return false;
    const lane_peer *peer = &cmodel->peers[node * cmodel->timing.lanes + lane];
    const flow *f = flow_with(w, peer->node, peer->lane, true);
    return f && f->wants >> peer->lane & 1;
}

/* Over which lanes the flow waits for a word in the next cycle: where some are there, for the others. */
static uint64_t wanted_next(const gfab_cmodel *cmodel, size_t node, const flow *f)
{
    const cmodel_words *w = cmodel->words;
    uint64_t holds = 0;
    bool busy = f->pending, behind_wants = false;
    for (uint32_t lane = 0; lane < w->lanes; lane++) {
        if (f->lanes.in >> lane & 1 && w->skids[node * w->lanes + lane].count > 0)
            holds |= UINT64_C(1) << lane;
        behind_wants = behind_wants || (f->lanes.out >> lane & 1 && is_wanted(cmodel, node, lane));
    }
    for (uint32_t stage = 0; stage + 1 < f->stages; stage++)
        busy = busy || f->valid[stage];
    if (f->by_turns && f->turn > 0)
        return UINT64_C(1) << f->order[f->turn] & ~holds;
    return holds || (behind_wants && !busy) ? f->lanes.in & ~holds : 0;
}

/* What a flow does in this cycle, by what is everywhere at its beginning. */
static void plan(const gfab_cmodel *cmodel, size_t node, flow *f)
{
    const cmodel_words *w = cmodel->words;
    bool joins = true;
    f->leaves = 0;
    for (uint32_t lane = 0; lane < w->lanes; lane++) {
        if (f->pending >> lane & 1 && has_room(behind(cmodel, node, lane)))
            f->leaves |= UINT64_C(1) << lane;
        joins = joins && (!(f->lanes.in >> lane & 1) || w->skids[node * w->lanes + lane].count > 0);
    }
    if (f->by_turns && f->turn > 0)
        joins = w->skids[node * w->lanes + f->order[f->turn]].count > 0;
    f->advances = f->pending == f->leaves;
    f->fires = f->advances && joins;
    f->wants_next = wanted_next(cmodel, node, f);
}

/* The word whose turn it is. Where all hosts' words meet a vector ends with the last word of a group. */
static void take_turn(gfab_cmodel *cmodel, size_t node, flow *f)
{
    skid *s = &cmodel->words->skids[node * cmodel->words->lanes + f->order[f->turn]];
    const bool last = s->last[s->first], meets = f->turns == cmodel->words->hosts;
    f->first_last = f->turn == 0 ? last : f->first_last;
    cmodel->words->ends_uneven |= meets && last != f->first_last;
    memcpy(f->words, s->words + s->first * cmodel->flit_bytes, cmodel->flit_bytes);
    f->begun_last = last || (f->turn > 0 && f->begun_last);
    f->last[0] = meets ? f->begun_last && f->turn + 1 == f->turns : last;
    f->turn = (f->turn + 1) % f->turns;
    pop(s);
}

/* One word of those of all lanes, into the first stage. */
static void take(gfab_cmodel *cmodel, size_t node, flow *f)
{
    bool all_last = true;
    f->last[0] = false;
    for (size_t i = 0; i < f->turns; i++) {
        skid *s = &cmodel->words->skids[node * cmodel->words->lanes + f->order[i]];
        const uint8_t *word = s->words + s->first * cmodel->flit_bytes;
        if (i == 0)
            memcpy(f->words, word, cmodel->flit_bytes);
        else
            gfab_token_combine(cmodel->combines, cmodel->timing.link_bits, f->words, word);
        f->last[0] = f->last[0] || s->last[s->first];
        all_last = all_last && s->last[s->first];
        pop(s);
    }
    cmodel->words->ends_uneven |= f->last[0] && !all_last;
}

/* All that leaves, before anything moves. */
static void leave(gfab_cmodel *cmodel, size_t node, flow *f)
{
    const uint8_t *word = f->words + (f->stages - 1) * cmodel->flit_bytes;
    for (uint32_t lane = 0; lane < cmodel->words->lanes; lane++)
        if (f->leaves >> lane & 1)
            push(cmodel, behind(cmodel, node, lane), word, f->last[f->stages - 1]);
    f->pending &= ~f->leaves;
    f->wants = f->wants_next;
}

static void move(gfab_cmodel *cmodel, size_t node, flow *f)
{
    if (!f->advances)
        return;
    const bool comes = f->stages == 1 ? f->fires : f->valid[f->stages - 2];
    for (uint32_t stage = f->stages - 1; stage > 0; stage--) {
        f->valid[stage] = f->valid[stage - 1];
        f->last[stage] = f->last[stage - 1];
        memcpy(f->words + stage * cmodel->flit_bytes, f->words + (stage - 1) * cmodel->flit_bytes, cmodel->flit_bytes);
    }
    f->pending = comes ? f->lanes.out : 0;
    f->valid[0] = f->fires;
    if (f->fires)
        (f->by_turns ? take_turn : take)(cmodel, node, f);
}

/* Can a host take a whole beat? */
static bool all_there(const cmodel_words *w, const host *h)
{
    bool all = true;
    for (uint32_t word = 0; word < w->words; word++)
        all = all && is_there(&h->taken[word]);
    return all;
}

/* Is some word of the next whole beat the last of its vector, and another one not? */
static bool ends_uneven(const cmodel_words *w, const host *h)
{
    bool some = false, all = true;
    for (uint32_t word = 0; word < w->words; word++) {
        some = some || h->taken[word].last[h->taken[word].first];
        all = all && h->taken[word].last[h->taken[word].first];
    }
    return all_there(w, h) && some && !all;
}

/* Are there words anywhere? Those of the last stage are pending. */
static bool is_busy(const cmodel_words *w)
{
    bool busy = false;
    for (size_t i = 0; i < w->relays * GFAB_MAX_FLOWS; i++) {
        busy = busy || w->flows[i].pending;
        for (uint32_t stage = 0; w->flows[i].lanes.in && stage + 1 < w->flows[i].stages; stage++)
            busy = busy || w->flows[i].valid[stage];
    }
    for (size_t i = 0; i < w->relays * w->lanes; i++)
        busy = busy || w->skids[i].count;
    for (size_t i = 0; i < w->hosts * w->words; i++)
        busy =
            busy || w->host[i / w->words].taken[i % w->words].count || w->host[i / w->words].given[i % w->words].count;
    return busy;
}

/* What goes from a host to its relay. */
static void give(gfab_cmodel *cmodel, host *h, uint32_t word)
{
    cmodel_words *w = cmodel->words;
    const uint8_t *data = h->give_data + word * cmodel->flit_bytes;
    skid *relay = &w->skids[h->node * w->lanes + lane_of(cmodel, h, word)], *own = &h->given[word];
    const bool goes = w->words > 1 && is_there(own) && h->room[word];
    if (w->words > 1) {
        own->fresh = 0;
        if (goes) {
            push(cmodel, relay, first_of(cmodel, own), own->last[own->first]);
            pop(own);
        }
    }
    if (h->give_valid)
        push(cmodel, w->words > 1 ? own : relay, data, h->give_last);
}

static void step_hosts(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    for (size_t i = 0; i < w->hosts; i++) {
        host *h = &w->host[i];
        const bool takes = h->take_ready && all_there(w, h);
        for (uint32_t word = 0; word < w->words; word++) {
            if (takes)
                pop(&h->taken[word]);
            h->taken[word].fresh = 0;
            give(cmodel, h, word);
        }
    }
}

static void reset(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    for (size_t i = 0; i < w->relays * GFAB_MAX_FLOWS; i++) {
        for (uint32_t stage = 0; stage < w->flows[i].stages; stage++)
            w->flows[i].valid[stage] = false;
        w->flows[i].pending = 0;
        w->flows[i].turn = 0;
    }
    for (size_t i = 0; i < w->relays * w->lanes; i++)
        w->skids[i].count = 0;
    for (size_t i = 0; i < w->hosts * w->words; i++) {
        skid *taken = &w->host[i / w->words].taken[i % w->words], *given = &w->host[i / w->words].given[i % w->words];
        taken->count = taken->fresh = given->count = given->fresh = 0;
    }
    cmodel->busy = false;
    gfab_cmodel_limit_reset(cmodel);
}

static bool is_untaken(const gfab_cmodel *cmodel, size_t index)
{
    return all_there(cmodel->words, &cmodel->words->host[index]);
}

/* Is a word of the host waited for? */
static bool lacks(const gfab_cmodel *cmodel, size_t index)
{
    const cmodel_words *w = cmodel->words;
    const host *h = &w->host[index];
    bool some = false;
    for (uint32_t word = 0; word < w->words; word++) {
        const uint32_t lane = lane_of(cmodel, h, word);
        const flow *f = flow_with(w, h->node, lane, true);
        some = some || (f && f->wants >> lane & 1);
    }
    return some;
}

void gfab_cmodel_words_step(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    bool busy = is_busy(w), gives = false, takes = false;
    w->ends_uneven = false;
    for (size_t i = 0; i < w->hosts; i++) {
        w->host[i].give_valid = w->host[i].give_valid && gfab_cmodel_words_give_ready(cmodel, i);
        gives = gives || w->host[i].give_valid;
        takes = takes || (w->host[i].take_ready && all_there(w, &w->host[i]));
        w->ends_uneven = w->ends_uneven || ends_uneven(w, &w->host[i]);
        for (uint32_t word = 0; word < w->words; word++) {
            const host *h = &w->host[i];
            w->host[i].room[word] = has_room(&w->skids[h->node * w->lanes + lane_of(cmodel, h, word)]);
        }
    }
    gfab_cmodel_limit_step(cmodel, cmodel->busy, gives || takes, is_untaken, lacks);
    for (size_t i = 0; i < w->relays * GFAB_MAX_FLOWS; i++)
        if (w->flows[i].lanes.in)
            plan(cmodel, i / GFAB_MAX_FLOWS, &w->flows[i]);
    step_hosts(cmodel);
    for (size_t i = 0; i < w->relays * GFAB_MAX_FLOWS; i++)
        if (w->flows[i].lanes.in)
            leave(cmodel, i / GFAB_MAX_FLOWS, &w->flows[i]);
    for (size_t i = 0; i < w->relays * GFAB_MAX_FLOWS; i++)
        if (w->flows[i].lanes.in)
            move(cmodel, i / GFAB_MAX_FLOWS, &w->flows[i]);
    for (size_t i = 0; i < w->hosts; i++)
        w->host[i].give_valid = w->host[i].take_ready = false;
    cmodel->busy = busy || gives;
    cmodel->limit.uneven |= w->ends_uneven;
    if (cmodel->reset)
        reset(cmodel);
    cmodel->reset = false;
}

void gfab_cmodel_words_give(gfab_cmodel *cmodel, size_t index, const uint8_t *data, bool last)
{
    host *h = &cmodel->words->host[index];
    const uint32_t bits = cmodel->timing.link_bits;
    memset(h->give_data, 0, cmodel->words->words * cmodel->flit_bytes);
    for (uint32_t word = 0; word < cmodel->words->words; word++)
        gfab_cmodel_or_bits(h->give_data + word * cmodel->flit_bytes, 0, data, (size_t)word * bits, bits);
    h->give_valid = true;
    h->give_last = last;
}

void gfab_cmodel_words_take(gfab_cmodel *cmodel, size_t index)
{
    cmodel->words->host[index].take_ready = true;
}

bool gfab_cmodel_words_give_ready(const gfab_cmodel *cmodel, size_t index)
{
    const cmodel_words *w = cmodel->words;
    const host *h = &w->host[index];
    bool all = true;
    for (uint32_t word = 0; word < w->words; word++) {
        const uint32_t lane = lane_of(cmodel, h, word);
        all = all && flow_with(w, h->node, lane, true) &&
              has_room(w->words > 1 ? &h->given[word] : &w->skids[h->node * w->lanes + lane]);
    }
    return all;
}

const uint8_t *gfab_cmodel_words_taken(const gfab_cmodel *cmodel, size_t index, bool *last)
{
    const cmodel_words *w = cmodel->words;
    const host *h = &w->host[index];
    const uint32_t bits = cmodel->timing.link_bits;
    if (!all_there(w, h))
        return NULL;
    memset(h->beat, 0, w->words * cmodel->flit_bytes);
    for (uint32_t word = 0; word < w->words; word++)
        gfab_cmodel_or_bits(h->beat, (size_t)word * bits, first_of(cmodel, &h->taken[word]), 0, bits);
    *last = h->taken[0].last[h->taken[0].first];
    return h->beat;
}

/* The end of a link, of a host or of a relay. Behind the topology's links are those of hosts' further words. */
static size_t end_of(const gfab_cmodel *cmodel, size_t link, uint32_t end, uint32_t *lane)
{
    const gfab_topology *topology = gfab_layout_topology(cmodel->layout);
    const cmodel_words *w = cmodel->words;
    size_t count;
    if (link < cmodel->links) {
        *lane = cmodel->end_lane[2 * link + end];
        return gfab_topology_link(topology, link).node[end];
    }
    const size_t further = link - cmodel->links, at = w->relays + further % w->hosts;
    *lane = cmodel->timing.lanes + (uint32_t)(further / w->hosts);
    return gfab_topology_link(topology, gfab_topology_ports(topology, at, &count)[0].link).node[end];
}

/* Of a host's link. */
static uint32_t link_word(const gfab_cmodel *cmodel, size_t link)
{
    return link < cmodel->links ? 0 : (uint32_t)((link - cmodel->links) / cmodel->words->hosts) + 1;
}

const uint8_t *gfab_cmodel_words_end(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    const cmodel_words *w = cmodel->words;
    uint32_t lane;
    const size_t node = end_of(cmodel, link, end, &lane);
    if (node >= w->relays) {
        const host *h = &w->host[node - w->relays];
        const uint32_t word = link_word(cmodel, link);
        if (w->words > 1)
            return is_there(&h->given[word]) ? first_of(cmodel, &h->given[word]) : NULL;
        return h->give_valid ? h->give_data : NULL;
    }
    const flow *f = flow_with(w, node, lane, false);
    return f && f->pending >> lane & 1 ? f->words + (f->stages - 1) * cmodel->flit_bytes : NULL;
}

bool gfab_cmodel_link_ready(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    const cmodel_words *w = cmodel->words;
    uint32_t lane;
    const size_t node = end_of(cmodel, link, 1 - end, &lane); /* where it comes in */
    if (!w)
        return false;
    if (node >= w->relays)
        return has_room(&w->host[node - w->relays].taken[link_word(cmodel, link)]);
    return flow_with(w, node, lane, true) && w->skids[node * w->lanes + lane].count < 2;
}
