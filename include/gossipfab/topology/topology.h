/* SPDX-License-Identifier: MIT */
/* Graphs: nodes, links, ports, and how they are numbered.
 *
 * Nodes count from 0, row-major, last coordinate fastest. Links are simple: a
 * side of 2 has one link even in a torus, a side of 1 none. Links are numbered
 * axis by axis, last axis first; within an axis line by line, lines in the order
 * of their first node; within a line by rising coordinate, the wrap-around link last.
 * Ports of a node are its links in rising link number.
 *
 * That is for meshes and tori. In all other graphs a link's node[0] is the lower one, and links are numbered by
 * node[0], then by node[1]. Where links or nodes are dropped, the others keep their order. Nodes of the families:
 * hypercube, debruijn, shuffle-exchange: K bits as a number; knoedel (side, j): side * N / 2 + j; ccc and butterfly (i,
 * j): i * K + j; star, pancake: the permutations in lexicographic order. Networks with switches, Kautz graphs, machines
 * and files: docs/reference/graph-files.md. */
#ifndef GOSSIPFAB_TOPOLOGY_H
#define GOSSIPFAB_TOPOLOGY_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stdint.h>

GFAB_C_BEGIN

#define GFAB_MAX_NODES ((size_t)1 << 24)
#define GFAB_MAX_DIMENSIONS 8
#define GFAB_MAX_GRAPH_LINKS ((size_t)1 << 25) /* of graphs other than meshes and tori */

typedef struct gfab_topology gfab_topology;

typedef enum gfab_topology_kind {
    GFAB_TOPOLOGY_MESH,  /* path:n is the one-dimensional mesh */
    GFAB_TOPOLOGY_TORUS, /* cycle:n is the one-dimensional torus */
    GFAB_TOPOLOGY_GRAPH  /* any other graph: no dimensions, no sides */
} gfab_topology_kind;

/* An edge. Direction 0 is from node[0] to node[1]. In a mesh or torus node[1]
 * has the next coordinate; a wrap-around link has node[0] at the last
 * coordinate and node[1] at coordinate 0. */
typedef struct gfab_link {
    uint32_t node[2];
} gfab_link;

/* One end of a link, seen from its node. */
typedef struct gfab_port {
    uint32_t link;      /* the link */
    uint32_t end;       /* which end of it this is: link.node[end] is the port's node */
    uint32_t peer;      /* node at the other end */
    uint32_t peer_port; /* port number of the other end at peer */
} gfab_port;

/* An arc is a link with a direction: 2 * link + direction. */
typedef uint32_t gfab_arc;

/* The rank of a node that has none: a relay. */
#define GFAB_NO_RANK UINT32_MAX
#define GFAB_MAX_WEIGHT 65535u

/* What a topology may have besides nodes and links; a set is a sum of them. */
#define GFAB_MARK_RELAYS 1u
#define GFAB_MARK_WEIGHTS 2u   /* some link carries more than a packet a round */
#define GFAB_MARK_DIRECTED 4u  /* some link carries more one way than the other */
#define GFAB_MARK_LIMITED 8u   /* some relay does not copy, or does not combine */
#define GFAB_MARK_PARALLEL 16u /* some two nodes have several links */
#define GFAB_MARK_SWITCHES 32u /* some relay is a switch: a packet passes it in the round in which it is sent */
#define GFAB_MARKS_STORED \
    (GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED | GFAB_MARK_LIMITED | GFAB_MARK_PARALLEL)
#define GFAB_MARK_HELPING 64u /* some switch copies or combines within the round */
#define GFAB_MARKS (GFAB_MARKS_STORED | GFAB_MARK_SWITCHES | GFAB_MARK_HELPING)

/* What a relay does: a sum of these. */
#define GFAB_RELAYS 1u         /* it is a relay */
#define GFAB_RELAY_COPIES 2u   /* it sends what it has as often as is asked; else a message that is sent is gone */
#define GFAB_RELAY_COMBINES 4u /* it combines a message with what it has; else it stores each */
#define GFAB_RELAY_SWITCHES 8u /* it stores nothing: packets pass it in their round, and none ends at it */
#define GFAB_SWITCH (GFAB_RELAYS | GFAB_RELAY_SWITCHES)
#define GFAB_RELAY_DOES_ALL (GFAB_RELAYS | GFAB_RELAY_COPIES | GFAB_RELAY_COMBINES)

/* Parses path:N, cycle:N, mesh:AxB[xC...], torus:AxB[xC...], the families that gfab_topology_family_at lists,
 * graph:N:U-V,... (its links), file:PATH (which it reads) and cluster:[Nx]HOST[+through=LIST][+below=FABRIC], copies
 * of the topology HOST for the members of FABRIC (docs/reference/graph-files.md); +drop-link=U-V, +drop-node=V,
 * +relay=LIST, +members=LIST, +weight=U-V:W and +weight=U-V:W/X (W from U to V, X from V to U) may follow, more than
 * once; all their numbers are those before any drop, and the nodes that are left are numbered anew in their order. A
 * LIST is of nodes and ranges of them, 3,5-7; +members= makes relays of all other nodes; behind the LIST of +relay=
 * :copy, :combine or :forward may say what alone of the two these relays do, or that they do neither, and :switch
 * that they are switches, :switch:copy, :switch:combine or :switch:copy-combine that they are ones which do so within
 * the round; +split is what gfab_topology_split does; +names=A,B,.. says what the nodes are called, in
 * their order. A number of a node may then be its name. A topology with a suffix is a GFAB_TOPOLOGY_GRAPH. One node
 * in all is refused, a side of 1 is not; cycle:N needs N >= 3. On GFAB_OK *topology is owned by the caller. Errors:
 * PARSE (grammar, unknown family), INVALID (a side of 0, one node in all, a loop, a doubled link, not connected, or
 * not so both ways between every two nodes, no such link or node, fewer than two members, a link of no weight),
 * LIMIT (more than GFAB_MAX_NODES nodes, GFAB_MAX_GRAPH_LINKS links, GFAB_MAX_DIMENSIONS sides, GFAB_MAX_WEIGHT), IO
 * (the file cannot be read), UNSUPPORTED (what a file may hold, but is not read), NO_MEMORY. diag->line is that of
 * the file; 0 where no line of a file is at fault: the message then has the text parsed. */
gfab_status gfab_topology_parse(const char *spec, gfab_topology **topology, gfab_diag *diag);

/* Another topology: what whole's text with these suffixes behind it says. *node, unless node is NULL, gets for each
 * of its nodes the number in whole, rising: an array to be freed. Errors as above; PARSE where suffixes does not begin
 * with a '+'. */
gfab_status gfab_topology_change(const gfab_topology *whole, const char *suffixes, gfab_topology **topology,
                                 uint32_t **node, gfab_diag *diag);

/* The same from sides[0..dimensions-1], first side slowest. */
gfab_status gfab_topology_create_grid(gfab_topology_kind kind, size_t dimensions, const uint32_t *sides,
                                      gfab_topology **topology, gfab_diag *diag);
void gfab_topology_destroy(gfab_topology *topology);
/* Destroys the topology at this address, for GFAB_AT_END. */
void gfab_topology_at_end(gfab_topology **topology);

/* The canonical text of the topology, which gfab_topology_parse reads back without any file. Borrowed. mesh:1x9 stays
 * mesh:1x9; mesh:9 is written path:9, torus:9 cycle:9; a graph from a file is graph:N:U-V,.... */
const char *gfab_topology_spec(const gfab_topology *topology);
/* What to call the topology in a message or a comment: its canonical text, cut short with "..." where that is long;
 * file:NAME, without folders, for a graph from a file. Fewer than 128 characters: letters, digits, any of :,=+-._/
 * alone. Borrowed. */
const char *gfab_topology_name(const gfab_topology *topology);
/* Equal as numbered graphs with the same relays and weights, whatever their names: mesh:1x9 equals path:9. */
bool gfab_topology_equal(const gfab_topology *a, const gfab_topology *b);

size_t gfab_topology_node_count(const gfab_topology *topology);
size_t gfab_topology_link_count(const gfab_topology *topology);
gfab_link gfab_topology_link(const gfab_topology *topology, size_t link);
size_t gfab_topology_max_degree(const gfab_topology *topology);
size_t gfab_topology_min_degree(const gfab_topology *topology);

/* Ports of a node: *count of them, borrowed. */
const gfab_port *gfab_topology_ports(const gfab_topology *topology, size_t node, size_t *count);
/* Which of them is that of a link, which has an end at the node. */
uint32_t gfab_topology_port_of(const gfab_topology *topology, size_t node, size_t link);
/* The first port of a node: the ports of nodes follow each other. Of the node count: the end of all. Borrowed. */
const gfab_port *gfab_topology_first_port(const gfab_topology *topology, size_t node);
/* Goes through the ports of a node:
 *
 *     GFAB_EACH_PORT(port, topology, node)
 *         sum += weight[port->link]; */
#define GFAB_EACH_PORT(port, topology, node)                                           \
    for (const gfab_port *port = gfab_topology_first_port(topology, node),             \
                         *port##_end = gfab_topology_first_port(topology, (node) + 1); \
         port < port##_end; port++)

/* The direction of a port (0 .. ports - 1) of a node, less than the highest degree and different for each of the node's
 * ports. On a mesh or torus axis by axis, the first side's first, the link to the next coordinate before that to the
 * previous one; an axis of side 2 has one direction, one of side 1 none. Elsewhere the port itself. Directions are the
 * lanes of wide nodes, and the order in which what arrives at once is combined. */
uint32_t gfab_topology_direction(const gfab_topology *topology, size_t node, uint32_t port);
/* The direction of the receiver's port that the arc comes in on. */
uint32_t gfab_topology_arrival(const gfab_topology *topology, gfab_arc arc);

/* The arc from one node to another; false if there is no such link. That the link goes this way is not asked. */
bool gfab_topology_find_arc(const gfab_topology *topology, uint32_t from, uint32_t to, gfab_arc *arc);
uint32_t gfab_topology_arc_from(const gfab_topology *topology, gfab_arc arc);
uint32_t gfab_topology_arc_to(const gfab_topology *topology, gfab_arc arc);

/* What a node is called in the file that the topology comes from, or by +names=: UTF-8, no control characters; NULL
 * where it has no name. No two are alike. Borrowed. */
const char *gfab_topology_node_name(const gfab_topology *topology, size_t node);
/* Has some node a name? */
bool gfab_topology_has_names(const gfab_topology *topology);
/* The node that a text means: its number, or else its name. INVALID, PARSE with a message that says why not. */
gfab_status gfab_topology_find_node(const gfab_topology *topology, const char *text, uint32_t *node, gfab_diag *diag);

/* What a report is to say of the file that it comes from: attributes that have no meaning here, what a link of weight 1
 * carries. NULL: nothing. Borrowed. */
const char *gfab_topology_note(const gfab_topology *topology);

/* Members and relays. A relay is a node that holds no part of a collective and wants none: it passes on what others
 * send. The other nodes are members; their ranks count from 0 in the order of the nodes, and a collective's N, its root
 * and the owners of its blocks are by rank. Without relays every node is a member and its own rank. */
size_t gfab_topology_member_count(const gfab_topology *topology);
bool gfab_topology_has_relays(const gfab_topology *topology);
/* GFAB_NO_RANK for a relay. */
uint32_t gfab_topology_rank(const gfab_topology *topology, uint32_t node);
bool gfab_topology_is_relay(const gfab_topology *topology, size_t node);
/* GFAB_RELAYS and what the relay does; 0 for a member, which does all. */
uint32_t gfab_topology_relay(const gfab_topology *topology, size_t node);
/* "true", "copy", "combine", "forward", "switch", "switch:copy", "switch:combine" or "switch:copy-combine": what a
 * relay does, as graph files have it. Static. */
const char *gfab_topology_relay_name(uint32_t relay);
/* Does a packet pass the node, a relay that stores nothing, in the round in which it was sent? */
bool gfab_topology_is_switch(const gfab_topology *topology, size_t node);
/* Is it a switch that neither copies nor combines? */
bool gfab_topology_is_passive(const gfab_topology *topology, size_t node);
/* Does the node, a member or a relay, do this? A switch does it within the round. */
bool gfab_topology_copies(const gfab_topology *topology, size_t node);
bool gfab_topology_combines(const gfab_topology *topology, size_t node);
/* The node of a rank below gfab_topology_member_count. */
uint32_t gfab_topology_member(const gfab_topology *topology, uint32_t rank);

/* Weights. An arc of weight w carries up to w packets a round; with weight 0 the link does not go that way. Both arcs
 * of a link weigh 1 unless they are given other weights, and one of them at least weighs something. */
uint32_t gfab_topology_arc_weight(const gfab_topology *topology, gfab_arc arc);
/* The greater of a link's two: what it carries a round in half duplex, both ways together. */
uint32_t gfab_topology_weight(const gfab_topology *topology, size_t link);
bool gfab_topology_has_weights(const gfab_topology *topology);
/* Has some link two different weights? Every node has a way to every other one, along arcs, in any case. */
bool gfab_topology_is_directed(const gfab_topology *topology);
/* The graph as hardware has it: for each link as many as its weight, one behind the other in the place of that link;
 * the i-th goes the ways that weigh more than i, with weight 1. The nodes are the same. Few solvers take parallel
 * links: solve for the weights, and see gfab_schedule_split. LIMIT above GFAB_MAX_GRAPH_LINKS; NO_MEMORY. */
gfab_status gfab_topology_split(const gfab_topology *topology, gfab_topology **parallel, gfab_diag *diag);
/* GFAB_MARK_.. of what it has. */
uint32_t gfab_topology_marks(const gfab_topology *topology);
/* "relays", "weighted links", "directed links", "relays that do not copy or combine", "parallel links", "switches",
 * "switches that copy or combine": the last two where a set has them, else the first in this order, NULL of none.
 * Static. */
const char *gfab_topology_marks_name(uint32_t marks);
/* No marks. */
bool gfab_topology_is_plain(const gfab_topology *topology);
/* Are there switches, and has every other node one link? A node that may use one link in a round uses all then. */
bool gfab_topology_has_single_links(const gfab_topology *topology);
/* The graph without what marks say: GFAB_MARK_RELAYS, relays with their links; GFAB_MARK_DIRECTED, what a link carries
 * one way and not the other; GFAB_MARK_WEIGHTS, what links carry beyond a packet, and all but one of parallel links. A
 * schedule there is one here. Members keep their ranks. *node and *link get the numbers here of its nodes and links,
 * which rise, in arrays to be freed. INVALID where what is left is not connected; NO_MEMORY. */
gfab_status gfab_topology_without(const gfab_topology *topology, uint32_t marks, gfab_topology **part, uint32_t **node,
                                  uint32_t **link, gfab_diag *diag);
/* The graph with every arc turned: the same nodes, links and relays under the same numbers, but that relays copy in it
 * where they combine, and the other way round. It is a GFAB_TOPOLOGY_GRAPH
 * that lists its links. An all-gather on one is a reduce-scatter on the other, read backwards. NO_MEMORY. */
gfab_status gfab_topology_reverse(const gfab_topology *topology, gfab_topology **reversed);
/* The same nodes, links and relays, with weight[arc] in place of the arcs' weights; links of no weight are left out.
 * *link gets the numbers here of the links that are left, in an array to be freed. A GFAB_TOPOLOGY_GRAPH that lists its
 * links. INVALID where what is left is not connected; NO_MEMORY. */
gfab_status gfab_topology_weigh(const gfab_topology *topology, const uint32_t *weight, gfab_topology **weighed,
                                uint32_t **link);

/* Shape: kind, and for meshes and tori number of dimensions, sides. A graph has 0 dimensions. */
gfab_topology_kind gfab_topology_get_kind(const gfab_topology *topology);
size_t gfab_topology_dimensions(const gfab_topology *topology);
uint32_t gfab_topology_side(const gfab_topology *topology, size_t dimension);

/* Arcs on a shortest path from a node to each node: distances[node_count]. work holds node_count entries: the nodes by
 * their distance. */
void gfab_topology_distances(const gfab_topology *topology, uint32_t from, uint32_t *distances, uint32_t *work);
/* The same of the paths from each node to one. */
void gfab_topology_distances_to(const gfab_topology *topology, uint32_t to, uint32_t *distances, uint32_t *work);
/* The same in hops, from a node or, where `to`, to it: an arc out of a switch is no hop. work holds twice as many. */
void gfab_topology_hops(const gfab_topology *topology, uint32_t node, bool to, uint32_t *distances, uint32_t *work);
/* The longest of all shortest paths, in links. On a graph of which nothing is known it takes breadth-first searches
 * from few nodes as a rule, from all of them at worst. NO_MEMORY; INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_topology_diameter(const gfab_topology *topology, const gfab_progress *progress, uint32_t *diameter);

/* One line a family, for `gossipfab list`: grammar and meaning; NULL past the end. Static. */
typedef struct gfab_topology_family {
    const char *name;    /* "mesh" */
    const char *grammar; /* "mesh:AxB[xC...]" */
    const char *summary;
} gfab_topology_family;
const gfab_topology_family *gfab_topology_family_at(size_t index);

GFAB_C_END
#endif
