/* SPDX-License-Identifier: MIT */
/* Streams of a word a cycle: rtl/stream/gfab_stream_tree.v, gfab_stream_node.v, gfab_stream_flow.v, gfab_stream_pair.v,
 * gfab_stream_chain.v, gfab_stream_skid.v, gfab_stream_single.v. A word is combined when it is taken from the skids,
 * and then goes through the stages. */
#include "cmodel_words.h"

#include <string.h>

/* Which word of a host's goes over a lane. */
static uint32_t word_of(const gfab_cmodel *cmodel, uint32_t lane)
{
    return lane < cmodel->timing.lanes ? 0 : lane - cmodel->timing.lanes + 1;
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

static bool has_room(const skid *s)
{
    return s->count < s->room;
}

/* Do words of the flow come into its node in this cycle? The first of a node is the way in. */
static bool comes(const cmodel_words *w, const flow *f)
{
    return !w->alternates || w->inwards == ((f - w->flows) % GFAB_MAX_FLOWS == 0);
}

/* And out of it? Where all meet they turn round. */
static bool goes(const cmodel_words *w, const flow *f)
{
    return !w->alternates || comes(w, f) == !(f->lanes.in & f->lanes.out);
}

/* Is there room behind a lane for what comes over it in this cycle? */
static bool accepts(const cmodel_words *w, size_t node, uint32_t lane)
{
    const flow *f = flow_with(w, node, lane, true);
    return f && comes(w, f) && has_room(&w->skids[node * w->lanes + lane]);
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
static uint64_t wanted_next(const gfab_cmodel *cmodel, size_t node, flow *f)
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
    f->waits_next = holds || (behind_wants && !busy);
    if (f->by_turns && f->turn > 0)
        return UINT64_C(1) << f->order[f->turn] & ~holds;
    return (f->by_turns ? f->waits_next : f->waits) ? f->lanes.in & ~holds : 0;
}

/* Does the flow's last word go out in this cycle, over all its lanes; is there room behind them? */
static bool leaves(const gfab_cmodel *cmodel, size_t node, const flow *f, bool *room)
{
    *room = true;
    for (uint32_t lane = 0; lane < cmodel->words->lanes; lane++)
        *room = *room && (!(f->lanes.out >> lane & 1) || has_room(behind(cmodel, node, lane)));
    return f->pending && *room && goes(cmodel->words, f);
}

/* What a flow does in this cycle, by what is everywhere at its beginning. */
static void plan(const gfab_cmodel *cmodel, size_t node, flow *f)
{
    const cmodel_words *w = cmodel->words;
    bool joins = true, room;
    f->leaves = leaves(cmodel, node, f, &room);
    for (uint32_t lane = 0; lane < w->lanes; lane++)
        joins = joins && (!(f->lanes.in >> lane & 1) || w->skids[node * w->lanes + lane].count > 0);
    if (f->by_turns && f->turn > 0)
        joins = w->skids[node * w->lanes + f->order[f->turn]].count > 0;
    joins = joins && !(w->alternates && comes(w, f));
    f->advances = w->alternates ? !f->pending || f->leaves : room;
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
        if (f->leaves && f->lanes.out >> lane & 1)
            push(cmodel, behind(cmodel, node, lane), word, f->last[f->stages - 1]);
    f->pending = f->pending && !f->leaves;
    f->wants = f->wants_next;
    f->waits = f->waits_next;
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
    f->pending = comes;
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
    skid *relay = &w->skids[h->node * w->lanes + gfab_cmodel_words_lane(cmodel, h, word)], *own = &h->given[word];
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
        w->flows[i].pending = false;
        w->flows[i].turn = 0;
    }
    w->inwards = true;
    w->ended_uneven = false;
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
        const uint32_t lane = gfab_cmodel_words_lane(cmodel, h, word);
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
            w->host[i].room[word] = has_room(&w->skids[h->node * w->lanes + gfab_cmodel_words_lane(cmodel, h, word)]);
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
    cmodel->limit.uneven |= w->ended_uneven;
    w->ended_uneven = w->ends_uneven;
    w->inwards = !w->inwards;
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
        const uint32_t lane = gfab_cmodel_words_lane(cmodel, h, word);
        all = all && (w->words > 1 ? flow_with(w, h->node, lane, true) && has_room(&h->given[word])
                                   : accepts(w, h->node, lane));
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
    bool room;
    return f && leaves(cmodel, node, f, &room) ? f->words + (f->stages - 1) * cmodel->flit_bytes : NULL;
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
    return accepts(w, node, lane);
}
