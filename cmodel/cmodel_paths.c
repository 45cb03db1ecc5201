/* SPDX-License-Identifier: MIT */
/* Nodes that pass flits on: rtl/paths/gfab_path_switch.v, gfab_path_timer.v, gfab_path_writer.v. Flits are not moved:
 * what a lane puts out is what the lane at its path's start put out so many links ago. */
#include "cmodel_state.h"

#include <string.h>

static gfab_path path_at(const gfab_cmodel *cmodel, uint32_t round, size_t node, size_t lane)
{
    return cmodel->paths[((size_t)round * cmodel->nodes + node) * cmodel->timing.lanes + lane];
}

/* From a lane that puts something out to the one at its path's start; the links between. Paths of legal programs end:
 * none has more links than there are lanes, and where one has the result is that of another lane. */
static size_t walk_back(const gfab_cmodel *cmodel, uint32_t round, size_t *node, uint32_t *lane)
{
    const size_t lanes = cmodel->timing.lanes;
    size_t links = 0;
    for (; links < cmodel->nodes * lanes; links++) {
        const uint32_t source = path_at(cmodel, round, *node, *lane).source;
        if (source == 0 || source > lanes || !cmodel->peers[*node * lanes + source - 1].present)
            break;
        const lane_peer *peer = &cmodel->peers[*node * lanes + source - 1];
        *node = peer->node;
        *lane = peer->lane;
    }
    return links;
}

const turn *gfab_cmodel_put_out(const gfab_cmodel *cmodel, size_t *node, uint32_t *lane, uint32_t *flit)
{
    if (cmodel->path_round == NO_ROUND)
        return NULL;
    const uint64_t ago = cmodel->out_delay + walk_back(cmodel, cmodel->path_round, node, lane) *
                                                 (uint64_t)(1 + cmodel->timing.latency_cycles);
    for (*flit = 0; *flit < cmodel->timing.lanes && ago + *flit < cmodel->turn_count; ++*flit) {
        if (cmodel->path_cycle + ago + *flit > cmodel->cycle) /* of a round whose paths were others */
            return NULL;
        const turn *then = gfab_cmodel_turn_before(cmodel, ago + *flit);
        if (then && then->lane == *lane &&
            gfab_cmodel_op(cmodel, cmodel->period_round[then->period], *node, *lane).kind == GFAB_OP_SEND)
            return then;
    }
    return NULL;
}

/* All receivers begin with the round whose first turn to write now comes. */
static void load_receivers(gfab_cmodel *cmodel, const turn *first)
{
    const size_t lanes = cmodel->timing.lanes;
    const uint32_t round = cmodel->period_round[first->period];
    for (size_t i = 0; i < cmodel->nodes * lanes; i++) {
        const lane_peer *peer = &cmodel->peers[i];
        size_t node = peer->node;
        uint32_t lane = peer->lane;
        if (peer->present)
            walk_back(cmodel, round, &node, &lane);
        cmodel->receivers[i] = (receiver){.active = true,
                                          .wait = path_at(cmodel, round, i / lanes, i % lanes).wait,
                                          .round = round,
                                          .period = first->period,
                                          .from = peer->present ? node * lanes + lane : cmodel->nodes * lanes};
    }
    cmodel->receive_lane = 0;
}

void gfab_cmodel_move_paths(gfab_cmodel *cmodel)
{
    const turn *first = gfab_cmodel_turn_before(cmodel, cmodel->write_delay);
    if (++cmodel->receive_lane == cmodel->timing.lanes)
        cmodel->receive_lane = 0;
    if (first && first->begins)
        load_receivers(cmodel, first);
    const turn *before = gfab_cmodel_turn_before(cmodel, 1);
    if (before && before->begins) {
        cmodel->path_round = cmodel->period_round[before->period];
        cmodel->path_cycle = cmodel->cycle - 1;
    }
}

bool gfab_cmodel_received_over_path(const gfab_cmodel *cmodel, size_t node, uint32_t *slot, uint32_t *word,
                                    const uint8_t **data)
{
    const size_t lanes = cmodel->timing.lanes;
    const receiver *r = &cmodel->receivers[node * lanes + cmodel->receive_lane];
    if (!cmodel->busy || !r->active || r->wait)
        return false;
    const gfab_op op = gfab_cmodel_receive_op(cmodel, r->round, node, cmodel->receive_lane);
    if (op.kind != GFAB_OP_RECV)
        return false;
    const bool sent = r->from < cmodel->nodes * lanes &&
                      gfab_cmodel_op(cmodel, r->round, r->from / lanes, r->from % lanes).kind == GFAB_OP_SEND;
    *slot = op.slot;
    *word = r->word;
    *data = sent ? gfab_cmodel_sent_word(cmodel, r->period, r->from / lanes, r->from % lanes)
                 : gfab_cmodel_zero_word(cmodel, r->period);
    return true;
}

static void next_turn(const gfab_cmodel *cmodel, receiver *r)
{
    if (r->wait) {
        r->wait--;
        return;
    }
    if (++r->period == cmodel->period_count)
        r->period = 0;
    if (++r->word < cmodel->timing.words)
        return;
    r->word = 0;
    r->active = cmodel->gaps[r->round] == 0;
    if (++r->round == cmodel->round_count)
        r->round = 0;
}

void gfab_cmodel_write_received(gfab_cmodel *cmodel)
{
    for (size_t node = 0; node < cmodel->nodes; node++) {
        receiver *r = &cmodel->receivers[node * cmodel->timing.lanes + cmodel->receive_lane];
        uint32_t slot, word;
        const uint8_t *data;
        if (!r->active)
            continue;
        if (gfab_cmodel_received_over_path(cmodel, node, &slot, &word, &data))
            memcpy(gfab_cmodel_store_word(cmodel, node, slot, word), data, cmodel->word_bytes);
        next_turn(cmodel, r);
    }
}
