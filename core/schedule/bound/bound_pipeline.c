/* SPDX-License-Identifier: MIT */
/* What filling and emptying a pipeline costs a broadcast, or backwards a reduce, whatever its rounds have to carry.
 *
 * Let round i have s_i transfers, the rounds before it A together and those behind it B. What a member has got by the
 * end of round i left the root before it, which is A times the root's width at most, or comes straight from the root in
 * it. The rest comes behind it. So of a member with width c, to which d of a round can come straight from a root of
 * width r, a vector of length 1 needs
 *
 *     1 <= r A + d s_i + c B,
 *
 * and likewise of all that is behind a cut, or on average of several members, among which d is shared. With S all
 * transfers, f the greater and g the less of r and c this is (g - d) s_i <= g S - 1 + (f - g) A, or the same with B
 * for A: rounds can grow no faster than that. T rounds then have S >= 1 / (g - (f - g) / ((1 + p)^T - 1)) together,
 * p = (f - g) / (g - d); where f = g this is 1 / (g - (g - d) / T). To members h > 1 hops away nothing comes in h - 1
 * rounds that left the root in them: these are one such round together, with d = 0. Likewise two rounds for members
 * behind a cut: what is there after the first of them, and what crosses the cut in the second. The bound is ours.
 *
 * An example: 8 GPUs on a switch by links of weight 9. All 7 others share d = 9, so that T rounds have
 * 1 / (9 - (9 - 9 / 7) / T) transfers or more: 7 / 9 in one round, 7 / 36 in two, 1 / 9 in endlessly many. */
#include "bound_internal.h"

#include "flow/flow.h"

#include <gossipfab/base/arena.h>
#include <math.h>

#define MOST (GFAB_FLOW_MOST >> 8)

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    uint32_t nodes, root;
    bool back;          /* a reduce: over arcs backwards */
    uint64_t out;       /* the root's width */
    uint32_t *hops;     /* [nodes]: from the root */
    bool *in;           /* [nodes]: of the ends that are looked at */
    gfab_flow straight; /* from the root past switches to the nodes that store; arc 2 v: from v to the sink */
    gfab_arena arena;
} job;

static uint64_t width_of(const job *j, uint32_t v, bool out)
{
    const gfab_way way = j->model->link_mode == GFAB_LINK_HALF ? GFAB_WAY_EITHER
                         : out != j->back                      ? GFAB_WAY_OUT
                                                               : GFAB_WAY_IN;
    return gfab_bound_width(j->topology, v, j->model->port_mode == GFAB_PORT_ONE, way);
}

/* What an arc carries a round; backwards of a reduce. */
static uint64_t room_of(const job *j, gfab_arc arc)
{
    return j->model->link_mode == GFAB_LINK_HALF ? gfab_topology_weight(j->topology, arc / 2)
                                                 : gfab_topology_arc_weight(j->topology, arc ^ j->back);
}

static gfab_status open(job *j)
{
    const size_t links = gfab_topology_link_count(j->topology);
    uint32_t *work = gfab_arena_zeroed2(&j->arena, j->nodes, 2, sizeof *work);
    j->hops = gfab_arena_zeroed(&j->arena, j->nodes, sizeof *j->hops);
    j->in = gfab_arena_zeroed(&j->arena, j->nodes, sizeof *j->in);
    GFAB_NEED(!j->arena.failed);
    gfab_topology_hops(j->topology, j->root, j->back, j->hops, work);
    j->out = width_of(j, j->root, true);
    GFAB_TRY(gfab_flow_create((size_t)j->nodes + 1, j->nodes + links, &j->straight));
    for (uint32_t v = 0; v < j->nodes; v++)
        gfab_flow_add(&j->straight, v, j->nodes, 0, 0);
    for (gfab_arc arc = 0; arc < 2 * links; arc += 2) {
        const uint32_t u = gfab_topology_arc_from(j->topology, arc), v = gfab_topology_arc_to(j->topology, arc);
        const bool there = u == j->root || gfab_topology_is_switch(j->topology, u),
                   again = v == j->root || gfab_topology_is_switch(j->topology, v);
        gfab_flow_add(&j->straight, u, v, there ? room_of(j, arc) : 0, again ? room_of(j, arc ^ 1) : 0);
    }
    return GFAB_OK;
}

/* The nodes in `in`, as so many ends, which take in so much of a round together. Circuits go straight to all. */
static gfab_pipeline_end find_end(job *j, uint64_t ends, uint64_t width)
{
    const bool circuits = j->model->routing == GFAB_ROUTING_CIRCUIT;
    uint32_t near = UINT32_MAX;
    for (uint32_t v = 0; v < j->nodes; v++) {
        const bool end = j->in[v] && !gfab_topology_is_switch(j->topology, v);
        gfab_flow_set(&j->straight, 2 * v, end ? MOST : 0);
        near = end && j->hops[v] < near ? j->hops[v] : near;
    }
    const uint64_t straight = circuits ? j->out : gfab_flow_run(&j->straight, j->root, j->nodes, j->out);
    const double each = (double)width / (double)ends, out = (double)j->out;
    return (gfab_pipeline_end){fmin(out, each), fmax(out, each), (double)straight / (double)ends,
                               circuits || near < 2 ? 1 : near - 1};
}

static void keep_end(gfab_pipeline_end end, gfab_pipeline_bound *bound)
{
    if (end.direct < end.slow)
        bound->ends[bound->count++] = end;
}

/* All that is behind the cut; and its members on average. To these nothing can come from the root that is not behind
 * the cut a round earlier, but for what crosses it: so they have a round more that is lost. */
static void add_cut(job *j, const gfab_certificate *c, gfab_pipeline_bound *bound)
{
    uint64_t ends = 0, width = 0;
    for (uint32_t v = 0; v < j->nodes; v++) {
        j->in[v] = c->part[v] != c->part[j->root];
        if (j->in[v] && !gfab_topology_is_relay(j->topology, v)) {
            width += width_of(j, v, false);
            ends++;
        }
    }
    const gfab_pipeline_end cut = find_end(j, 1, c->capacity);
    keep_end(cut, bound);
    const double each = (double)width / (double)ends, out = (double)j->out;
    keep_end((gfab_pipeline_end){fmin(out, each), fmax(out, each), fmax(cut.direct, (double)c->capacity / (double)ends),
                                 cut.window + 1},
             bound);
}

/* Members whose width is the least, or that are farthest from the root: on average. */
static void add_members(job *j, bool farthest, gfab_pipeline_bound *bound)
{
    uint64_t least = UINT64_MAX, ends = 0, width = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t v = 0; v < j->nodes; v++) {
            const uint64_t key = farthest ? UINT32_MAX - j->hops[v] : width_of(j, v, false);
            const bool member = v != j->root && !gfab_topology_is_relay(j->topology, v);
            if (member && pass == 0)
                least = key < least ? key : least;
            j->in[v] = member && key == least;
            ends += pass && j->in[v];
            width += pass && j->in[v] ? width_of(j, v, false) : 0;
        }
    keep_end(find_end(j, ends, width), bound);
}

gfab_status gfab_bound_pipeline(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                                const gfab_certificate *certificate, gfab_pipeline_bound *bound)
{
    job j = {.topology = topology,
             .model = model,
             .nodes = (uint32_t)gfab_topology_node_count(topology),
             .root = gfab_topology_member(topology, goal->root),
             .back = goal->collective == GFAB_REDUCE};
    *bound = (gfab_pipeline_bound){0};
    if (!gfab_collective_has_root(goal->collective) || gfab_topology_member_count(topology) < 2 ||
        gfab_topology_marks(topology) & GFAB_MARK_HELPING) /* all members may get the same in a round */
        return GFAB_OK;
    const gfab_status status = open(&j);
    if (status == GFAB_OK) {
        add_members(&j, false, bound);
        add_members(&j, true, bound);
    }
    if (status == GFAB_OK && !certificate->ports && certificate->cut && certificate->demand == 1)
        add_cut(&j, certificate, bound);
    gfab_flow_release(&j.straight);
    gfab_arena_release(&j.arena);
    return status;
}

double gfab_pipeline_transfers(const gfab_pipeline_bound *bound, uint64_t startups)
{
    double most = 0;
    for (size_t i = 0; i < bound->count; i++) {
        const gfab_pipeline_end *e = &bound->ends[i];
        const double rounds = ((double)startups + (double)e->window - 1) / (double)e->window, more = e->fast - e->slow;
        const double lost =
            more > 0 ? more / expm1(rounds * log1p(more / (e->slow - e->direct))) : (e->slow - e->direct) / rounds;
        most = fmax(most, lost < e->slow ? 1 / (e->slow - lost) : INFINITY);
    }
    return most;
}
