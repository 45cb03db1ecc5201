/* SPDX-License-Identifier: MIT */
/* Trees of shortest ways, from the farthest members inwards: each node takes the next node towards the root that is in
 * the tree already, or a member, or whose link has least to carry, in one order or the other. And trees by load, which
 * take long ways round where there is room. */
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
                                .members = (uint32_t)gfab_topology_member_count(topology)};
    GFAB_ARRAYS(&b->arena, nodes, b->farthest, b->deepest, b->distance, b->work);
    b->load = gfab_arena_zeroed2(&b->arena, 2, links, sizeof *b->load);
    GFAB_ARRAYS(&b->arena, nodes, b->parent, b->needed, b->tree, b->gate, b->height, b->depth, b->key, b->children);
    if (b->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t rank = 0; rank < b->members; rank++)
        for (int up = 0; up < 2; up++) {
            uint32_t *greatest = up ? b->farthest : b->deepest;
            (up ? gfab_topology_distances : gfab_topology_distances_to)(topology, gfab_topology_member(topology, rank),
                                                                        b->distance, b->work);
            for (uint32_t v = 0; v < nodes; v++)
                greatest[v] = b->distance[v] > greatest[v] ? b->distance[v] : greatest[v];
        }
    return GFAB_OK;
}

void gfab_steiner_close(gfab_steiner_builder *b)
{
    gfab_arena_release(&b->arena);
}

void gfab_steiner_release(gfab_steiner_plan *plan)
{
    GFAB_FREE(plan->moves, plan->gates);
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
    const gfab_arc arc = up ? out : out ^ 1;
    uint64_t load = (b->load[arc] << 8) / gfab_topology_arc_weight(b->topology, arc);
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
        if (b->distance[ports[i].peer] + 1 != b->distance[v] ||
            !gfab_topology_arc_weight(b->topology, (2 * ports[i].link + ports[i].end) ^ !up))
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

/* The tree's nodes, parents before children, from the order in which b->work has all. */
static void list_tree(gfab_steiner_builder *b)
{
    b->tree_count = 0;
    for (uint32_t i = 0; i < b->nodes; i++)
        if (b->needed[b->work[i]])
            b->tree[b->tree_count++] = b->work[i];
}

/* The members that the tree has to reach. */
static void mark_ends(gfab_steiner_builder *b, uint32_t root, uint32_t only)
{
    for (uint32_t v = 0; v < b->nodes; v++)
        b->needed[v] = only == NONE ? !is_relay(b, v) : v == only;
    b->needed[root] = true;
}

/* The tree from root to one member, or all where `only` is NONE. The nodes of a breadth-first search, which work has,
 * come by distance: backwards, each that is needed chooses its parent. */
static void grow(gfab_steiner_builder *b, uint32_t root, uint32_t only, bool up, bool spread)
{
    (up ? gfab_topology_distances_to : gfab_topology_distances)(b->topology, root, b->distance, b->work);
    mark_ends(b, root, only);
    for (uint32_t i = b->nodes; i-- > 1;)
        if (b->needed[b->work[i]])
            choose_parent(b, b->work[i], up, spread);
    list_tree(b);
}

static const gfab_port *port_up(const gfab_steiner_builder *b, uint32_t v)
{
    size_t count;
    return &gfab_topology_ports(b->topology, v, &count)[b->parent[v]];
}

/* ---- trees by load ---- */

/* Offers the nodes around one that has just joined the tree the arc from there, or to there. */
static void offer(gfab_steiner_builder *b, uint32_t node, bool up, const gfab_steiner_style *style)
{
    GFAB_EACH_PORT(port, b->topology, node) {
        const gfab_arc arc = (2 * port->link + port->end) ^ up;
        const uint32_t weight = gfab_topology_arc_weight(b->topology, arc), v = port->peer;
        if (b->needed[v] || !weight)
            continue;
        const uint64_t load = b->load[arc] + 1 + (style->both_ways ? b->load[arc ^ 1] : 0);
        uint64_t behind = (load << 10) / weight + (uint64_t)style->hurry * b->depth[node];
        behind = behind < (uint64_t)1 << 47 ? behind : (uint64_t)1 << 47;
        const uint64_t key = behind << 16 | gfab_random_below(&b->random, 1 << 16);
        if (key >= b->key[v])
            continue;
        b->key[v] = key;
        b->parent[v] = port->peer_port;
        b->depth[v] = b->depth[node] + 1;
    }
}

/* The tree from root to one member, or all: by Prim's algorithm each node joins by the arc that has least to carry for
 * its weight. What leads to no member is left out then. */
static void grow_by_load(gfab_steiner_builder *b, uint32_t root, uint32_t only, bool up,
                         const gfab_steiner_style *style)
{
    for (uint32_t v = 0; v < b->nodes; v++) {
        b->key[v] = UINT64_MAX;
        b->needed[v] = false; /* here: has joined */
    }
    b->key[root] = b->depth[root] = 0;
    for (uint32_t count = 0; count < b->nodes; count++) {
        uint32_t next = NONE;
        for (uint32_t v = 0; v < b->nodes; v++)
            if (!b->needed[v] && (next == NONE || b->key[v] < b->key[next]))
                next = v;
        b->needed[next] = true;
        b->work[count] = next;
        offer(b, next, up, style);
    }
    mark_ends(b, root, only);
    for (uint32_t i = b->nodes; i-- > 1;) {
        const gfab_port *port = port_up(b, b->work[i]);
        if (!b->needed[b->work[i]])
            continue;
        b->needed[port->peer] = true;
        b->load[(2 * port->link + port->end) ^ !up]++;
    }
    list_tree(b);
}

static void grow_tree(gfab_steiner_builder *b, uint32_t root, uint32_t only, bool up, const gfab_steiner_style *style)
{
    if (style->by_load)
        grow_by_load(b, root, only, up, style);
    else
        grow(b, root, only, up, style->spread);
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
    GFAB_TRY(reserve(plan, b->tree_count));
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
    GFAB_TRY(reserve(plan, b->tree_count));
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
    GFAB_TRY(reserve(plan, 1));
    *gate = (uint32_t)plan->gate_count;
    plan->gates[plan->gate_count++] = (gfab_steiner_gate){.pending = 0};
    return GFAB_OK;
}

/* Arcs there and back: from the farthest member to a node, and on to the farthest. */
static uint32_t way_by(const gfab_steiner_builder *b, uint32_t v)
{
    return b->farthest[v] + b->deepest[v];
}

/* One of the nodes that are nearest to the farthest members, with so many links of slack each way. */
static uint32_t choose_site(gfab_steiner_builder *b, uint32_t slack)
{
    uint32_t least = NONE, count = 0, site = 0;
    for (uint32_t v = 0; v < b->nodes; v++)
        least = way_by(b, v) < least ? way_by(b, v) : least;
    for (uint32_t v = 0; v < b->nodes; v++)
        if (way_by(b, v) <= least + 2 * slack && gfab_random_below(&b->random, ++count) == 0)
            site = v;
    return site;
}

static gfab_status add_block(gfab_steiner_builder *b, uint32_t block, const gfab_steiner_style *style,
                             gfab_steiner_plan *plan)
{
    const gfab_collective what = b->goal.collective;
    const bool down = what != GFAB_REDUCE && what != GFAB_REDUCE_SCATTER;
    uint32_t root = gfab_topology_member(b->topology, gfab_goal_owner(&b->goal, b->members, block)), only = NONE;
    uint32_t gate = 0;
    if (what == GFAB_ALL_TO_ALL) {
        only = root;
        root = gfab_topology_member(b->topology, block / b->members);
    }
    if (only == root)
        return GFAB_OK;
    if (gfab_collective_combines(what)) {
        if (down)
            root = choose_site(b, style->slack);
        grow_tree(b, root, NONE, true, style);
        GFAB_TRY(add_up(b, block, down ? b->deepest[root] : 0, &gate, plan));
    } else
        GFAB_TRY(add_source(&gate, plan));
    if (!down)
        return GFAB_OK;
    grow_tree(b, root, only, false, style);
    return add_down(b, block, gate, plan);
}

gfab_status gfab_steiner_make(gfab_steiner_builder *b, const gfab_steiner_style *style, gfab_steiner_plan *plan)
{
    plan->move_count = plan->gate_count = 0;
    memset(b->load, 0, 2 * gfab_topology_link_count(b->topology) * sizeof *b->load);
    for (uint32_t block = 0; block < b->goal.blocks; block++)
        GFAB_TRY(add_block(b, block, style, plan));
    return GFAB_OK;
}
