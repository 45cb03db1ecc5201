/* SPDX-License-Identifier: MIT */
/* Streams of a word a cycle: what there is of them before the first one and behind the last. */
#include "cmodel_words.h"

#include <string.h>

uint32_t gfab_cmodel_words_lane(const gfab_cmodel *cmodel, const host *h, uint32_t word)
{
    return word == 0 ? h->lane : cmodel->timing.lanes - 1 + word;
}

static void open_flow(gfab_cmodel *cmodel, const gfab_image *image, size_t node, flow *f)
{
    uint32_t all[GFAB_MAX_FLOW_LANES];
    size_t count;
    f->by_turns = cmodel->combines == GFAB_OPERATOR_GATHER && f->lanes.in & (f->lanes.in - 1);
    f->stages = gfab_stream_flow_cycles(cmodel->layout, &f->lanes, &cmodel->timing) - 1;
    f->words = gfab_arena_zeroed(&cmodel->arena, f->stages, cmodel->flit_bytes);
    GFAB_ARRAYS(&cmodel->arena, f->stages, f->valid, f->last);
    f->order =
        gfab_arena_zeroed(&cmodel->arena, f->by_turns ? cmodel->words->hosts : GFAB_MAX_FLOW_LANES, sizeof *f->order);
    if (cmodel->arena.failed)
        return;
    if (f->by_turns) {
        gfab_image_turns(image, node, f->order, &f->turns);
        return;
    }
    gfab_image_operands(image, node, all, &count);
    for (size_t i = 0; i < count; i++)
        if (f->lanes.in >> all[i] & 1)
            f->order[f->turns++] = all[i];
}

static gfab_status open_node(gfab_cmodel *cmodel, const gfab_image *image, size_t node)
{
    cmodel_words *w = cmodel->words;
    gfab_stream_flow lanes[GFAB_MAX_FLOWS];
    GFAB_TRY(gfab_image_flows(image, node, lanes, NULL));
    for (size_t i = 0; i < GFAB_MAX_FLOWS; i++) {
        flow *f = &w->flows[node * GFAB_MAX_FLOWS + i];
        f->lanes = lanes[i];
        if (f->lanes.in)
            open_flow(cmodel, image, node, f);
    }
    return GFAB_OK;
}

static void open_skid(skid *s, uint32_t room, gfab_cmodel *cmodel)
{
    s->room = room;
    s->words = gfab_arena_zeroed(&cmodel->arena, room, cmodel->flit_bytes);
    s->last = gfab_arena_zeroed(&cmodel->arena, room, sizeof *s->last);
}

static gfab_status open_all(gfab_cmodel *cmodel, const gfab_image *image)
{
    cmodel_words *w = cmodel->words;
    const uint32_t room = w->words > 1 ? (UINT32_C(1) << gfab_image_queue_bits(image, &cmodel->timing)) - 1 : 2;
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < w->relays * w->lanes; i++)
        open_skid(&w->skids[i], w->alternates ? 1 : 2, cmodel);
    for (size_t i = 0; i < w->hosts; i++) {
        host *h = &w->host[i];
        const uint32_t lane = gfab_layout_lane(cmodel->layout, w->relays + i, 0);
        const lane_peer *peer = &cmodel->peers[(w->relays + i) * cmodel->timing.lanes + lane];
        h->node = peer->node;
        h->lane = peer->lane;
        h->give_data = gfab_arena_zeroed(&cmodel->arena, w->words, cmodel->flit_bytes);
        h->beat = gfab_arena_zeroed(&cmodel->arena, w->words, cmodel->flit_bytes);
        for (uint32_t word = 0; word < w->words; word++) {
            w->host_of[h->node * w->lanes + gfab_cmodel_words_lane(cmodel, h, word)] = (uint32_t)i;
            open_skid(&h->taken[word], room, cmodel);
            open_skid(&h->given[word], room, cmodel);
        }
    }
    for (size_t node = 0; node < w->relays && status == GFAB_OK; node++)
        status = open_node(cmodel, image, node);
    return cmodel->arena.failed ? GFAB_ERR_NO_MEMORY : status;
}

gfab_status gfab_cmodel_words_create(gfab_cmodel *cmodel, const gfab_image *image)
{
    cmodel_words *w = gfab_arena_zeroed(&cmodel->arena, 1, sizeof *w);
    GFAB_NEED(w);
    cmodel->words = w;
    w->hosts = gfab_topology_member_count(gfab_layout_topology(cmodel->layout));
    w->relays = cmodel->nodes - w->hosts;
    w->words = gfab_image_host_words(image);
    w->alternates = gfab_layout_alternates(cmodel->layout);
    w->inwards = true;
    w->lanes = cmodel->timing.lanes + w->words - 1;
    w->flows = gfab_arena_zeroed2(&cmodel->arena, w->relays, GFAB_MAX_FLOWS, sizeof *w->flows);
    w->skids = gfab_arena_zeroed2(&cmodel->arena, w->relays, w->lanes, sizeof *w->skids);
    w->host = gfab_arena_zeroed(&cmodel->arena, w->hosts, sizeof *w->host);
    w->host_of = gfab_arena_zeroed2(&cmodel->arena, w->relays, w->lanes, sizeof *w->host_of);
    gfab_cmodel_limit_create(cmodel, w->hosts);
    GFAB_NEED(!cmodel->arena.failed);
    memset(w->host_of, 0xff, w->relays * w->lanes * sizeof *w->host_of);
    return open_all(cmodel, image);
}
