/* SPDX-License-Identifier: MIT */
/* The layout of a fabric: which of a node's K lanes each port is, and how its store numbers its slots. Law and proofs:
 * docs/reference/fabric-timing.md.
 *
 * K lanes, K the highest degree of the topology. A port's lane is the cycle (mod
 * K) in which it has the store's read and write port to itself, so the ports of a node have
 * different lanes. Where both ends of a link have the same lane nothing more is
 * needed; that is a proper colouring of the links with K colours, and exists
 * for meshes and even tori. Otherwise (odd cycles and tori) a few links are
 * skewed: lane 0 at one end, lane j > 0 at the other, and the node with lane
 * 0 aligns with j registers on the way out and K - j on the way in. Vizing's
 * theorem gives such lanes for every graph. */
#ifndef GOSSIPFAB_LAYOUT_H
#define GOSSIPFAB_LAYOUT_H

#include <gossipfab/fabric/features.h>
#include <gossipfab/fabric/op.h>
#include <gossipfab/schedule/goal.h>
#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

#define GFAB_NO_PORT UINT32_MAX

typedef struct gfab_layout gfab_layout;

/* How a node's store numbers its slots; what is said of tokens here holds for each part, in slot
 * P s + part, s the slot that its whole token would have. */
typedef enum gfab_frame {
    GFAB_FRAME_ABSOLUTE, /* slot = origin of the token, the same in every node */
    GFAB_FRAME_RELATIVE, /* torus: slot = origin - node, coordinate by coordinate modulo the sides, numbered as nodes
                          * are; the node's own token is in slot 0. A schedule that is the same for all nodes up to
                          * translation then gives the same program to all nodes, up to the order of lanes. */
    GFAB_FRAME_ROTATED,  /* n x n mesh: slot = origin, turned by the quarter turns that bring the node into the first
                          * floor(n/2) rows and ceil(n/2) columns (none for the centre). A schedule that stays the same
                          * under quarter turns then gives the four turns of a node the same program, up to the order
                          * of lanes. */
    GFAB_FRAME_AUTO      /* no frame: leaves the choice to gfab_machine_compile */
} gfab_frame;

/* "absolute", "relative", "rotated", "auto". "unknown" for no such value. Static. */
const char *gfab_frame_name(gfab_frame frame);
/* UNSUPPORTED where the topology has no translations (RELATIVE, anything but a torus) or no quarter turns (ROTATED,
 * anything but a mesh of two equal sides); INVALID for AUTO. */
gfab_status gfab_frame_check(gfab_frame frame, const gfab_topology *topology, gfab_diag *diag);

/* What a fabric does about bits that flip: docs/reference/protection.md. */
typedef enum gfab_protect {
    GFAB_PROTECT_NONE,
    GFAB_PROTECT_DETECT /* notices, and says so */
} gfab_protect;

/* "none", "detect". "unknown" for no such value. Static. */
const char *gfab_protect_name(gfab_protect protect);

typedef struct gfab_layout_options {
    bool full_duplex; /* a port may send and receive in a round, so that an op has two halves and a link a set of wires
                       * for each direction; false, half duplex: it does one of them */
    bool paths;       /* nodes pass flits on, so that a packet follows a path of several links in a round. Full duplex
                       * then. No lane is skewed: what comes in is delayed as each round needs it */
    bool wide;        /* ports all work at once: no turns, no skews. In meshes and tori lanes are directions
                       * (gfab_topology_direction), in other graphs ports in the topology's order */
    uint32_t parts;   /* P, in which a token is cut. A part is what the fabric moves: W / P bits, with a slot of its own
                       * in every store and rounds of its own length */
    gfab_frame frame;
    gfab_protect protect; /* DETECT: programs and tables of places have check bits (rom-format.md), but where the whole
                           * fabric is there twice: with streams, and with blocks in wide nodes */
    uint32_t blocks;      /* B, of a fabric that plays collectives, or has relays: a slot is a block's. Absolute, whole
                           * tokens. 0: a slot is a token's, of a node of its own */
    gfab_operator combines; /* what an op may combine what arrives with, of a fabric with blocks; NONE: it only stores.
                             * Wide nodes SUM to XOR, and those that are chained, which narrow ones do not have */
    bool alike; /* nodes whose lanes go the same ways have one program, kept once: for schedules kept as one tree.
                 * RELATIVE alone, and not with paths */
    bool
        streams; /* hosts give and take streams (docs/guide/streams.md): members keep nothing, and the slot in their ops
                   * says how many groups ago a block's began; blocks is then as many as an op can name. Relays alone
                   * have stores */
    bool word_streams; /* with streams: of a word a cycle. What a node does is wired, of a program that is the same in
                        * every round: blocks are flits, nodes have no stores, lanes are as in wide nodes */
    bool alternates; /* with word_streams: links between relays are half duplex; in every second cycle words go towards
                        * one relay, where all meet, in the others away from it */
} gfab_layout_options;

/* Narrow, half duplex, whole tokens, absolute, without protection, for all-gather. */
gfab_layout_options gfab_layout_options_default(void);
/* topology is borrowed and must outlive the result. options NULL: the default. UNSUPPORTED for features that do not go
 * together (gossipfab/fabric/features.h), and for nodes alike in another frame or with paths; INVALID for 0 parts, for
 * combining without blocks, and for relays without blocks; LIMIT above 2^31 - 1 parts or
 * blocks in all; gfab_frame_check's; NO_MEMORY. */
gfab_status gfab_layout_create(const gfab_topology *topology, const gfab_layout_options *options, gfab_layout **layout,
                               gfab_diag *diag);
/* What its options ask for on its topology, as features. */
gfab_features gfab_layout_features(const gfab_layout *layout);
void gfab_layout_destroy(gfab_layout *layout);

const gfab_topology *gfab_layout_topology(const gfab_layout *layout);
size_t gfab_layout_lane_count(const gfab_layout *layout); /* K */
uint32_t gfab_layout_lane(const gfab_layout *layout, size_t node, size_t port);
/* The port that has this lane, or GFAB_NO_PORT. */
uint32_t gfab_layout_port(const gfab_layout *layout, size_t node, size_t lane);
/* 0, or the lane j > 0 that the other end of this node's lane 0 link has. */
uint32_t gfab_layout_skew(const gfab_layout *layout, size_t node);
bool gfab_layout_any_skew(const gfab_layout *layout);

/* What it was made with. */
bool gfab_layout_wide(const gfab_layout *layout);
bool gfab_layout_full_duplex(const gfab_layout *layout);
uint32_t gfab_layout_halves(const gfab_layout *layout); /* of an op: 1 or 2 */
bool gfab_layout_paths(const gfab_layout *layout);
uint32_t gfab_layout_parts(const gfab_layout *layout);
gfab_frame gfab_layout_frame(const gfab_layout *layout);
gfab_protect gfab_layout_protect(const gfab_layout *layout);
/* What protection is: do programs, tables of places and stores have check bits, or is the fabric there twice? */
bool gfab_layout_has_checks(const gfab_layout *layout);
bool gfab_layout_has_twins(const gfab_layout *layout);
uint32_t gfab_layout_blocks(const gfab_layout *layout); /* 0: a fabric for all-gather alone */

bool gfab_layout_streams(const gfab_layout *layout);
bool gfab_layout_word_streams(const gfab_layout *layout);
bool gfab_layout_alternates(const gfab_layout *layout);

gfab_operator gfab_layout_operator(const gfab_layout *layout);
bool gfab_layout_combines(const gfab_layout *layout); /* is there one? */

size_t gfab_layout_slot_count(const gfab_layout *layout); /* of a store: N P, or B, or as many as allocate says; what
                                                           * an op can name */
/* Slots of a node's store: slot_count; of a relay's, after set_node_slots, as many as that says, for what is in transit
 * at one time. set_node_slots: INVALID for a member, for 0 and above slot_count. */
uint32_t gfab_layout_node_slots(const gfab_layout *layout, size_t node);
gfab_status gfab_layout_set_node_slots(gfab_layout *layout, size_t node, uint32_t slots);
/* Are the slots of the node's store reused? Then which block one has is the programs' to say
 * (gfab_program_allocate makes them): at relays, and at every node of a layout with places. */
bool gfab_layout_reuses_slots(const gfab_layout *layout, size_t node);
/* ROTATED: the quarter turns, clockwise (row 0 to the last column), 0..3, by which the node's slots are turned. */
uint32_t gfab_layout_turns(const gfab_layout *layout, size_t node);
/* Slots are allocated, and reused, at every node, of an all-to-all: a node's store has `slots`, of which the index-th
 * block that the node starts with (gfab_goal_held) has slot `index`; what arrives takes one that nothing needs any
 * more, and the index-th block that the node wants is in the end where set_place says, 0 after allocate. For an
 * absolute layout of narrow nodes with as many blocks as the goal, and without an operator; before set_node_slots.
 * INVALID: fewer slots than a node starts with, or wants; NO_MEMORY. */
gfab_status gfab_layout_allocate(gfab_layout *layout, const gfab_goal *goal, uint32_t slots);
/* NULL where it has no places; the rest is for where it has. node counts in the topology, index below the count. */
const gfab_goal *gfab_layout_goal(const gfab_layout *layout);
uint32_t gfab_layout_load_count(const gfab_layout *layout);  /* of the node that starts with most */
uint32_t gfab_layout_place_count(const gfab_layout *layout); /* of the node that wants most */
uint32_t gfab_layout_place(const gfab_layout *layout, size_t node, uint32_t index);
void gfab_layout_set_place(gfab_layout *layout, size_t node, uint32_t index, uint32_t slot);

/* Slot of part `token` % P of the token that started at node `token` / P, in node's store; and the token of a slot.
 * Inverse of each other. With blocks both are the block's number; not where slots are reused. */
uint32_t gfab_layout_slot(const gfab_layout *layout, size_t node, uint32_t token);
uint32_t gfab_layout_token(const gfab_layout *layout, size_t node, uint32_t slot);

/* Kinds of nodes: those whose programs are kept, as programs and images go. With `alike` a node's kind is which lane
 * goes which way, and its skew: few kinds, whatever N. Else each node is a kind of its own, its number. */
size_t gfab_layout_kind_count(const gfab_layout *layout);
size_t gfab_layout_kind(const gfab_layout *layout, size_t node);
size_t gfab_layout_kind_node(const gfab_layout *layout, size_t kind); /* the first of that kind */
bool gfab_layout_alike(const gfab_layout *layout);

GFAB_C_END
#endif
