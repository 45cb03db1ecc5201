/* SPDX-License-Identifier: MIT */
/* Trees of shortest ways, from the farthest members inwards: each node takes the next node towards the root that is in
 * the tree already, or a member, or whose link has least to carry, in one order or the other. */
#include "steiner_plan.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

gfab_status gfab_steiner_open(gfab_steiner_builder *b, const gfab_topology *topology, const gfab_goal *goal,
                              uint64_t seed)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    *b = (gfab_steiner_builder){.topology = topology,
                                .goal = *goal,
                                .random = seed,
                                .nodes = (uint32_t)nodes,
                                .members = (uint32_t)gfab_topology_member_count(topology),
                                .farthest = calloc(nodes, sizeof *b->farthest),
                                .distance = malloc(nodes * sizeof *b->distance),
                                .work = malloc(nodes * sizeof *b->work),
                                .load = malloc(2 * links * sizeof *b->load),
                                .parent = malloc(nodes * sizeof *b->parent),
                                .needed = malloc(nodes * sizeof *b->needed),
                                .tree = malloc(nodes * sizeof *b->tree),
                                .gate = malloc(nodes * sizeof *b->gate),
                                .height = malloc(nodes * sizeof *b->height),
                                .depth = malloc(nodes * sizeof *b->depth),
                                .children = malloc(nodes * sizeof *b->children)};
    if (!b->farthest || !b->distance || !b->work || !b->load || !b->parent || !b->needed || !b->tree || !b->gate ||
        !b->height || !b->depth || !b->children)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t rank = 0; rank < b->members; rank++) {
        gfab_topology_distances(topology, gfab_topology_member(topology, rank), b->distance, b->work);
        for (uint32_t v = 0; v < nodes; v++)
            b->farthest[v] = b->distance[v] > b->farthest[v] ? b->distance[v] : b->farthest[v];
    }
    return GFAB_OK;
}

void gfab_steiner_close(gfab_steiner_builder *b)
{
    free(b->farthest);
    free(b->distance);
    free(b->work);
    free(b->load);
    free(b->parent);
    free(b->needed);
    free(b->tree);
    free(b->gate);
    free(b->height);
    free(b->depth);
    free(b->children);
}

void gfab_steiner_release(gfab_steiner_plan *plan)
{
    free(plan->moves);
    free(plan->gates);
    *plan = (gfab_steiner_plan){.moves = NULL};
}

/* Room for one node's worth of gates and moves more than there is. */
static gfab_status reserve(gfab_steiner_plan *plan, size_t more)
{
    if (plan->move_count + more > plan->move_capacity) {
        const size_t capacity = 2 * plan->move_capacity + more;
        gfab_steiner_move *grown = realloc(plan->moves, capacity * sizeof *grown);
        if (!grown)
            return GFAB_ERR_NO_MEMORY;
        plan->moves = grown;
        plan->move_capacity = capacity;
    }
    if (plan->gate_count + more > plan->gate_capacity) {
        const size_t capacity = 2 * plan->gate_capacity + more;
        gfab_steiner_gate *grown = realloc(plan->gates, capacity * sizeof *grown);
        if (!grown)
            return GFAB_ERR_NO_MEMORY;
        plan->gates = grown;
        plan->gate_capacity = capacity;
    }
    return GFAB_OK;
}

static bool is_relay(const gfab_steiner_builder *b, uint32_t node)
{
    return gfab_topology_is_relay(b->topology, node);
}

/* ---- a tree ---- */

/* Lower is better: a node on the way to the root, over a port of node v; up: the message goes to the root. */
static uint64_t score(gfab_steiner_builder *b, const gfab_port *port, bool up, bool spread)
{
    const gfab_arc out = 2 * port->link + port->end;
    const uint64_t kind = b->needed[port->peer] ? 0 : is_relay(b, port->peer) ? 2 : 1;
    uint64_t load = (b->load[up ? out : out ^ 1] << 8) / gfab_topology_weight(b->topology, port->link);
    load = load < (uint64_t)1 << 40 ? load : (uint64_t)1 << 40;
    const uint64_t tie = gfab_random_below(&b->random, 1 << 16);
    return (spread ? load << 2 | kind : kind << 41 | load) << 16 | tie;
}

static void choose_parent(gfab_steiner_builder *b, uint32_t v, bool up, bool spread)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(b->topology, v, &count);
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        if (b->distance[ports[i].peer] + 1 != b->distance[v])
            continue;
        const uint64_t s = score(b, &ports[i], up, spread);
        if (s < best) {
            best = s;
            b->parent[v] = (uint32_t)i;
        }
    }
    const gfab_port *port = &ports[b->parent[v]];
    b->needed[port->peer] = true;
    b->load[(2 * port->link + port->end) ^ !up]++;
}

/* The tree from root to one member, or all where `only` is NONE. The nodes of a breadth-first search, which work has,
 * come by distance: backwards, each that is needed chooses its parent. */
static void grow(gfab_steiner_builder *b, uint32_t root, uint32_t only, bool up, bool spread)
{
    gfab_topology_distances(b->topology, root, b->distance, b->work);
    for (uint32_t v = 0; v < b->nodes; v++)
        b->needed[v] = only == NONE ? !is_relay(b, v) : v == only;
    b->needed[root] = true;
    for (uint32_t i = b->nodes; i-- > 1;)
        if (b->needed[b->work[i]])
            choose_parent(b, b->work[i], up, spread);
    b->tree_count = 0;
    for (uint32_t i = 0; i < b->nodes; i++)
        if (b->needed[b->work[i]])
            b->tree[b->tree_count++] = b->work[i];
}

static const gfab_port *port_up(const gfab_steiner_builder *b, uint32_t v)
{
    size_t count;
    return &gfab_topology_ports(b->topology, v, &count)[b->parent[v]];
}

/* Heights and children of the tree's nodes; the height of the root. */
static uint32_t measure(gfab_steiner_builder *b)
{
    for (uint32_t i = 0; i < b->tree_count; i++)
        b->height[b->tree[i]] = b->children[b->tree[i]] = 0;
    for (uint32_t i = b->tree_count; i-- > 1;) {
        const uint32_t v = b->tree[i], up = port_up(b, v)->peer;
        b->children[up]++;
        b->height[up] = b->height[up] > b->height[v] + 1 ? b->height[up] : b->height[v] + 1;
    }
    return b->height[b->tree[0]];
}

/* ---- moves and gates ---- */

/* Down the tree, from a gate that is there. A node's messages stand together. */
static gfab_status add_down(gfab_steiner_builder *b, uint32_t block, uint32_t root_gate, gfab_steiner_plan *plan)
{
    const gfab_status status = reserve(plan, b->tree_count);
    if (status != GFAB_OK)
        return status;
    (void)measure(b);
    b->gate[b->tree[0]] = root_gate;
    for (uint32_t i = 0; i < b->tree_count; i++) {
        const uint32_t v = b->tree[i];
        if (i > 0) {
            b->gate[v] = (uint32_t)plan->gate_count++;
            plan->gates[b->gate[v]] = (gfab_steiner_gate){.pending = 1};
        }
        plan->gates[b->gate[v]].first = (uint32_t)plan->move_count;
        plan->move_count += b->children[v];
    }
    for (uint32_t i = 1; i < b->tree_count; i++) {
        const gfab_port *port = port_up(b, b->tree[i]);
        gfab_steiner_gate *from = &plan->gates[b->gate[port->peer]];
        plan->moves[from->first + from->count++] = (gfab_steiner_move){.arc = (2 * port->link + port->end) ^ 1,
                                                                       .block = block,
                                                                       .into = b->gate[b->tree[i]],
                                                                       .tail = b->height[b->tree[i]] + 1};
    }
    return GFAB_OK;
}

/* Up the tree; *root_gate becomes the root's, which so far nothing leaves. after: what follows then. */
static gfab_status add_up(gfab_steiner_builder *b, uint32_t block, uint32_t after, uint32_t *root_gate,
                          gfab_steiner_plan *plan)
{
    const gfab_status status = reserve(plan, b->tree_count);
    if (status != GFAB_OK)
        return status;
    (void)measure(b);
    *root_gate = (uint32_t)plan->gate_count;
    for (uint32_t i = 0; i < b->tree_count; i++) {
        const uint32_t v = b->tree[i];
        b->gate[v] = (uint32_t)plan->gate_count;
        plan->gates[plan->gate_count++] =
            (gfab_steiner_gate){.pending = b->children[v], .stores_first = is_relay(b, v)};
        b->depth[v] = i == 0 ? after : b->depth[port_up(b, v)->peer] + 1;
        if (i == 0)
            continue;
        const gfab_port *port = port_up(b, v);
        plan->gates[b->gate[v]].first = (uint32_t)plan->move_count;
        plan->gates[b->gate[v]].count = 1;
        plan->moves[plan->move_count++] = (gfab_steiner_move){.arc = 2 * port->link + port->end,
                                                              .block = block,
                                                              .into = b->gate[port->peer],
                                                              .tail = b->depth[v],
                                                              .combine = true};
    }
    return GFAB_OK;
}

static gfab_status add_source(uint32_t *gate, gfab_steiner_plan *plan)
{
    const gfab_status status = reserve(plan, 1);
    if (status != GFAB_OK)
        return status;
    *gate = (uint32_t)plan->gate_count;
    plan->gates[plan->gate_count++] = (gfab_steiner_gate){.pending = 0};
    return GFAB_OK;
}

/* One of the nodes that are nearest to the farthest member, with so many links of slack. */
static uint32_t choose_site(gfab_steiner_builder *b, uint32_t slack)
{
    uint32_t least = NONE, count = 0, site = 0;
    for (uint32_t v = 0; v < b->nodes; v++)
        least = b->farthest[v] < least ? b->farthest[v] : least;
    for (uint32_t v = 0; v < b->nodes; v++)
        if (b->farthest[v] <= least + slack && gfab_random_below(&b->random, ++count) == 0)
            site = v;
    return site;
}

static gfab_status add_block(gfab_steiner_builder *b, uint32_t block, uint32_t slack, bool spread,
                             gfab_steiner_plan *plan)
{
    const gfab_collective what = b->goal.collective;
    const bool down = what != GFAB_REDUCE && what != GFAB_REDUCE_SCATTER;
    uint32_t root = gfab_topology_member(b->topology, gfab_goal_owner(&b->goal, b->members, block)), only = NONE;
    uint32_t gate = 0;
    gfab_status status;
    if (what == GFAB_ALL_TO_ALL) {
        only = root;
        root = gfab_topology_member(b->topology, block / b->members);
    }
    if (only == root)
        return GFAB_OK;
    if (gfab_collective_combines(what)) {
        if (down)
            root = choose_site(b, slack);
        grow(b, root, NONE, true, spread);
        status = add_up(b, block, down ? b->farthest[root] : 0, &gate, plan);
    } else
        status = add_source(&gate, plan);
    if (status != GFAB_OK || !down)
        return status;
    grow(b, root, only, false, spread);
    return add_down(b, block, gate, plan);
}

gfab_status gfab_steiner_make(gfab_steiner_builder *b, uint32_t slack, bool spread, gfab_steiner_plan *plan)
{
    gfab_status status = GFAB_OK;
    plan->move_count = plan->gate_count = 0;
    memset(b->load, 0, 2 * gfab_topology_link_count(b->topology) * sizeof *b->load);
    for (uint32_t block = 0; block < b->goal.blocks && status == GFAB_OK; block++)
        status = add_block(b, block, slack, spread, plan);
    return status;
}
