/* SPDX-License-Identifier: MIT */
/* The bound in rounds that follows from the best rate with one port: what the messages of a certificate weigh, over
 * what a round's matching carries of them. In a broadcast the first rounds carry less: a link is of use once something
 * can have come to one of its ends, and every message comes from a node that has something, of which there are at most
 * twice as many after a round as before. A reduce is the same backwards in time. Example: a broadcast of 100 blocks on
 * complete:8, half duplex, has 700 messages, 4 a round; the first two rounds carry 1 and 2, so that it takes 2 +
 * ceil(697 / 4) = 177 rounds, two more than 700 / 4. */
#include "bound_internal.h"

#include "flow/lemon_matching.h"
#include "rate/port_rate.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct early {
    uint64_t rounds, weight; /* the first rounds, and what these carry at most */
} early;

typedef struct ramp {
    const gfab_topology *topology;
    const gfab_certificate *c;
    size_t nodes, links;
    uint32_t *distance, *queue, *mate, *ends;
    uint64_t *all, *weight; /* [links] */
} ramp;

static gfab_status open(ramp *r)
{
    r->distance = malloc(r->nodes * sizeof *r->distance);
    r->queue = malloc(r->nodes * sizeof *r->queue);
    r->mate = malloc(r->nodes * sizeof *r->mate);
    r->ends = malloc(2 * r->links * sizeof *r->ends);
    r->all = calloc(r->links, sizeof *r->all);
    r->weight = malloc(r->links * sizeof *r->weight);
    if (!r->distance || !r->queue || !r->mate || !r->ends || !r->all || !r->weight)
        return GFAB_ERR_NO_MEMORY;
    for (size_t l = 0; l < r->links; l++) {
        const gfab_port_certificate *ports = r->c->ports;
        for (uint32_t i = 0; i < ports->terms; i++)
            r->all[l] += ports->factor[i] * gfab_certificate_link(r->topology, &ports->term[i], l);
        for (int i = 0; i < 2; i++)
            r->ends[2 * l + i] = gfab_topology_link(r->topology, l).node[i];
    }
    return GFAB_OK;
}

static void release(ramp *r)
{
    free(r->distance);
    free(r->queue);
    free(r->mate);
    free(r->ends);
    free(r->all);
    free(r->weight);
}

/* What a round carries at most, if something has come so many links far, and so many nodes have something. */
static gfab_status carry(ramp *r, uint32_t far, uint64_t informed, uint64_t *most)
{
    uint64_t heaviest = 0, sum = 0;
    for (size_t l = 0; l < r->links; l++) {
        const bool open = r->distance[r->ends[2 * l]] <= far || r->distance[r->ends[2 * l + 1]] <= far;
        r->weight[l] = open && r->all[l] < GFAB_MATCHING_MAX_WEIGHT ? r->all[l] : 0;
        heaviest = r->weight[l] > heaviest ? r->weight[l] : heaviest;
    }
    const gfab_status status = gfab_lemon_matching(r->nodes, r->links, r->ends, r->weight, r->mate, NULL);
    for (size_t l = 0; l < r->links && status == GFAB_OK; l++)
        sum += r->mate[r->ends[2 * l]] == r->ends[2 * l + 1] ? r->weight[l] : 0;
    *most = heaviest && sum / heaviest >= informed ? informed * heaviest : sum;
    return status;
}

/* The first rounds that carry less than others do, of packets of one token. */
static gfab_status find_early(const gfab_topology *topology, const gfab_certificate *c, early *first)
{
    ramp r = {.topology = topology,
              .c = c,
              .nodes = gfab_topology_node_count(topology),
              .links = gfab_topology_link_count(topology)};
    const uint32_t root = gfab_topology_member(topology, c->goal.root);
    *first = (early){0, 0};
    gfab_status status = open(&r);
    if (status == GFAB_OK)
        (c->goal.collective == GFAB_BROADCAST ? gfab_topology_distances
                                              : gfab_topology_distances_to)(topology, root, r.distance, r.queue);
    for (uint32_t far = 0; far < r.nodes && status == GFAB_OK; far++) {
        uint64_t most;
        status = carry(&r, far, far < 32 ? (uint64_t)1 << far : UINT64_MAX, &most);
        if (status != GFAB_OK || most >= c->capacity)
            break;
        first->weight += most;
        first->rounds++;
    }
    release(&r);
    return status;
}

gfab_status gfab_bound_add_ports(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                 const gfab_goal *goal, const gfab_progress *progress)
{
    gfab_certificate c;
    early first = {0, 0};
    bool tight;
    const bool rooted = gfab_collective_has_root(goal->collective) && model->packet_tokens == 1;
    if (gfab_topology_node_count(topology) * gfab_topology_link_count(topology) > GFAB_BOUND_MAX_PORTS)
        return GFAB_OK;
    const double known = rooted ? 0 : (double)list->bounds[0].rounds * model->packet_tokens / goal->blocks;
    gfab_status status =
        gfab_port_rate(topology, model->link_mode, goal, known, GFAB_PORT_FEW_STEPS, progress, &c, &tight, NULL);
    if (status != GFAB_OK)
        return status == GFAB_ERR_UNSUPPORTED || status == GFAB_ERR_LIMIT ? GFAB_OK : status;
    if (rooted)
        status = find_early(topology, &c, &first);
    const uint64_t groups = goal->blocks / c.goal.blocks, room = c.capacity * model->packet_tokens;
    const uint64_t weight = c.demand <= UINT64_MAX / groups ? groups * c.demand : 0;
    if (status == GFAB_OK && room / model->packet_tokens == c.capacity && weight > first.weight && first.rounds)
        gfab_bound_add(list, "matchings", first.rounds + gfab_divide_up(weight - first.weight, room),
                       "Edmonds 1965; gossipfab, docs/theory/one-port.md",
                       "A round's links are a matching, which carries %" PRIu64 " of messages that weigh %" PRIu64
                       " together (bound --certificate names the weights); the %s %" PRIu64
                       " round%s carry no more than %" PRIu64 ".",
                       room, weight, goal->collective == GFAB_BROADCAST ? "first" : "last", first.rounds,
                       gfab_plural(first.rounds), first.weight);
    else if (status == GFAB_OK && room / model->packet_tokens == c.capacity)
        gfab_bound_add(list, "matchings", gfab_divide_up(weight, room),
                       "Edmonds 1965; gossipfab, docs/theory/one-port.md",
                       "A round's links are a matching, which carries %" PRIu64 " of messages that weigh %" PRIu64
                       " together; gossipfab bound --certificate names the weights.",
                       room, weight);
    gfab_certificate_release(&c);
    return status;
}
