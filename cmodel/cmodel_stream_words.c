/* SPDX-License-Identifier: MIT */
/* Streams of a word a cycle: rtl/stream/gfab_stream_tree.v, gfab_stream_node.v, gfab_stream_flow.v, gfab_stream_pair.v,
 * gfab_stream_skid.v. A word is combined when it is taken from the skids, and then goes through the stages. */
#include "cmodel_stream.h"

#include <gossipfab/fabric/flows.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 8 }; /* of a flow of GFAB_MAX_FLOW_LANES lanes: one and 6 levels */

/* Two words, as they came. */
typedef struct skid {
    uint32_t count;
    uint32_t first; /* of the two */
    bool last[2];
    uint8_t *words; /* two of them */
} skid;

typedef struct flow {
    gfab_stream_flow lanes;
    uint32_t stages;
    bool valid[MOST_STAGES]; /* behind a stage, but for the last one: */
    uint64_t pending;        /* lanes over which what is behind it has still to go */
    bool last[MOST_STAGES];
    uint8_t *words; /* of each stage */
    bool advances;  /* in this cycle, and below */
    bool fires;
    uint64_t leaves; /* lanes */
} flow;

typedef struct host {
    size_t node;
    uint32_t lane;
    bool give_valid, give_last, take_ready;
    uint8_t *give_data;
    skid taken;
} host;

struct cmodel_words {
    size_t hosts, relays;
    uint32_t lanes;
    flow *flows; /* relay * GFAB_MAX_FLOWS + flow */
    skid *skids; /* relay * K + lane */
    host *host;
    uint32_t *host_of; /* node * K + lane: the host that is there, or UINT32_MAX */
};

static flow *flow_with(const cmodel_words *w, size_t node, uint32_t lane, bool comes)
{
    for (size_t i = 0; node < w->relays && i < GFAB_MAX_FLOWS; i++) {
        flow *f = &w->flows[node * GFAB_MAX_FLOWS + i];
        if ((comes ? f->lanes.in : f->lanes.out) >> lane & 1)
            return f;
    }
    return NULL;
}

static gfab_status open_node(gfab_cmodel *cmodel, const gfab_image *image, size_t node)
{
    cmodel_words *w = cmodel->words;
    gfab_stream_flow lanes[GFAB_MAX_FLOWS];
    const gfab_status status = gfab_image_flows(image, node, lanes, NULL);
    for (size_t i = 0; status == GFAB_OK && i < GFAB_MAX_FLOWS; i++) {
        flow *f = &w->flows[node * GFAB_MAX_FLOWS + i];
        f->lanes = lanes[i];
        f->stages = gfab_stream_flow_cycles(&lanes[i]) - 1;
        f->words = calloc(MOST_STAGES, cmodel->flit_bytes);
        if (!f->words)
            return GFAB_ERR_NO_MEMORY;
    }
    return status;
}

static bool open_skid(skid *s, const gfab_cmodel *cmodel)
{
    s->words = calloc(2, cmodel->flit_bytes);
    return s->words;
}

static gfab_status open_all(gfab_cmodel *cmodel, const gfab_image *image)
{
    cmodel_words *w = cmodel->words;
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < w->relays * w->lanes; i++)
        if (!open_skid(&w->skids[i], cmodel))
            return GFAB_ERR_NO_MEMORY;
    for (size_t i = 0; i < w->hosts; i++) {
        host *h = &w->host[i];
        const uint32_t lane = gfab_layout_lane(cmodel->layout, w->relays + i, 0);
        const lane_peer *peer = &cmodel->peers[(w->relays + i) * w->lanes + lane];
        h->node = peer->node;
        h->lane = peer->lane;
        h->give_data = calloc(1, cmodel->flit_bytes);
        if (!h->give_data || !open_skid(&h->taken, cmodel))
            return GFAB_ERR_NO_MEMORY;
        w->host_of[h->node * w->lanes + h->lane] = (uint32_t)i;
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
    w->lanes = cmodel->timing.lanes;
    w->flows = calloc(w->relays * GFAB_MAX_FLOWS, sizeof *w->flows);
    w->skids = calloc(w->relays * w->lanes, sizeof *w->skids);
    w->host = calloc(w->hosts, sizeof *w->host);
    w->host_of = malloc(w->relays * w->lanes * sizeof *w->host_of);
    if (!w->flows || !w->skids || !w->host || !w->host_of)
        return GFAB_ERR_NO_MEMORY;
    memset(w->host_of, 0xff, w->relays * w->lanes * sizeof *w->host_of);
    return open_all(cmodel, image);
}

void gfab_cmodel_words_destroy(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    if (!w)
        return;
    for (size_t i = 0; w->flows && i < w->relays * GFAB_MAX_FLOWS; i++)
        free(w->flows[i].words);
    for (size_t i = 0; w->skids && i < w->relays * w->lanes; i++)
        free(w->skids[i].words);
    for (size_t i = 0; w->host && i < w->hosts; i++) {
        free(w->host[i].give_data);
        free(w->host[i].taken.words);
    }
    free(w->flows);
    free(w->skids);
    free(w->host);
    free(w->host_of);
    free(w);
}

static void push(const gfab_cmodel *cmodel, skid *s, const uint8_t *word, bool last)
{
    const uint32_t at = (s->first + s->count) % 2;
    memcpy(s->words + at * cmodel->flit_bytes, word, cmodel->flit_bytes);
    s->last[at] = last;
    s->count++;
}

static void pop(skid *s)
{
    s->first = (s->first + 1) % 2;
    s->count--;
}

/* Where what goes out over a lane of a relay comes in. */
static skid *behind(const gfab_cmodel *cmodel, size_t node, uint32_t lane)
{
    const cmodel_words *w = cmodel->words;
    const uint32_t at = w->host_of[node * w->lanes + lane];
    const lane_peer *peer = &cmodel->peers[node * w->lanes + lane];
    return at == UINT32_MAX ? &w->skids[peer->node * w->lanes + peer->lane] : &w->host[at].taken;
}

/* What a flow does in this cycle, by what is everywhere at its beginning. */
static void plan(const gfab_cmodel *cmodel, size_t node, flow *f)
{
    const cmodel_words *w = cmodel->words;
    bool joins = true;
    f->leaves = 0;
    for (uint32_t lane = 0; lane < w->lanes; lane++) {
        if (f->pending >> lane & 1 && behind(cmodel, node, lane)->count < 2)
            f->leaves |= UINT64_C(1) << lane;
        joins = joins && (!(f->lanes.in >> lane & 1) || w->skids[node * w->lanes + lane].count > 0);
    }
    f->advances = f->pending == f->leaves;
    f->fires = f->advances && joins;
}

/* One word of those of all lanes, into the first stage. */
static void take(gfab_cmodel *cmodel, size_t node, flow *f)
{
    bool first = true;
    f->last[0] = false;
    for (uint32_t lane = 0; lane < cmodel->words->lanes; lane++) {
        skid *s = &cmodel->words->skids[node * cmodel->words->lanes + lane];
        const uint8_t *word = s->words + s->first * cmodel->flit_bytes;
        if (!(f->lanes.in >> lane & 1))
            continue;
        if (first)
            memcpy(f->words, word, cmodel->flit_bytes);
        else
            gfab_token_combine(cmodel->combines, cmodel->timing.link_bits, f->words, word);
        f->last[0] = f->last[0] || s->last[s->first];
        first = false;
        pop(s);
    }
}

/* All that leaves, before anything moves. */
static void leave(gfab_cmodel *cmodel, size_t node, flow *f)
{
    const uint8_t *word = f->words + (f->stages - 1) * cmodel->flit_bytes;
    for (uint32_t lane = 0; lane < cmodel->words->lanes; lane++)
        if (f->leaves >> lane & 1)
            push(cmodel, behind(cmodel, node, lane), word, f->last[f->stages - 1]);
    f->pending &= ~f->leaves;
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
        take(cmodel, node, f);
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
    for (size_t i = 0; i < w->hosts; i++)
        busy = busy || w->host[i].taken.count;
    return busy;
}

static void step_hosts(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    for (size_t i = 0; i < w->hosts; i++) {
        host *h = &w->host[i];
        if (h->take_ready && h->taken.count > 0)
            pop(&h->taken);
        if (h->give_valid)
            push(cmodel, &w->skids[h->node * w->lanes + h->lane], h->give_data, h->give_last);
    }
}

static void reset(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    for (size_t i = 0; i < w->relays * GFAB_MAX_FLOWS; i++) {
        memset(w->flows[i].valid, 0, sizeof w->flows[i].valid);
        w->flows[i].pending = 0;
    }
    for (size_t i = 0; i < w->relays * w->lanes; i++)
        w->skids[i].count = 0;
    for (size_t i = 0; i < w->hosts; i++)
        w->host[i].taken.count = 0;
    cmodel->busy = false;
}

void gfab_cmodel_words_step(gfab_cmodel *cmodel)
{
    cmodel_words *w = cmodel->words;
    bool busy = is_busy(w);
    for (size_t i = 0; i < w->hosts; i++) {
        w->host[i].give_valid = w->host[i].give_valid && gfab_cmodel_words_give_ready(cmodel, i);
        busy = busy || w->host[i].give_valid;
    }
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
    cmodel->busy = busy;
    if (cmodel->reset)
        reset(cmodel);
    cmodel->reset = false;
}

void gfab_cmodel_words_give(gfab_cmodel *cmodel, size_t index, const uint8_t *data, bool last)
{
    host *h = &cmodel->words->host[index];
    memset(h->give_data, 0, cmodel->flit_bytes);
    gfab_cmodel_or_bits(h->give_data, 0, data, 0, cmodel->timing.link_bits);
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
    return flow_with(w, h->node, h->lane, true) && w->skids[h->node * w->lanes + h->lane].count < 2;
}

const uint8_t *gfab_cmodel_words_taken(const gfab_cmodel *cmodel, size_t index, bool *last)
{
    const skid *s = &cmodel->words->host[index].taken;
    if (s->count == 0)
        return NULL;
    *last = s->last[s->first];
    return s->words + s->first * cmodel->flit_bytes;
}

/* The end of a link: of a host, or of a relay. */
static size_t end_of(const gfab_cmodel *cmodel, size_t link, uint32_t end, uint32_t *lane)
{
    *lane = cmodel->end_lane[2 * link + end];
    return gfab_topology_link(gfab_layout_topology(cmodel->layout), link).node[end];
}

const uint8_t *gfab_cmodel_words_end(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    const cmodel_words *w = cmodel->words;
    uint32_t lane;
    const size_t node = end_of(cmodel, link, end, &lane);
    if (node >= w->relays)
        return w->host[node - w->relays].give_valid ? w->host[node - w->relays].give_data : NULL;
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
        return w->host[node - w->relays].taken.count < 2;
    return flow_with(w, node, lane, true) && w->skids[node * w->lanes + lane].count < 2;
}
