/* SPDX-License-Identifier: MIT */
/* The crossbar of a wide node: between its lanes and the banks of its store. docs/reference/fabric-timing.md, "Wide
 * links".
 *
 * A bank is a RAM with one read and one write port. What a lane receives goes to a bank that takes from the lane; what
 * it sends comes from a bank that gives to it. Fewer ways make a smaller and faster crossbar, and a schedule has to fit
 * it: two tokens that leave a node in a round must be in different banks, and so must two that arrive.
 *
 * On a torus lanes are directions: axis by axis, that to the next node along the axis before that to the previous one;
 * an axis of side 2 has one lane, one of side 1 none. */
#ifndef GOSSIPFAB_CROSSBAR_H
#define GOSSIPFAB_CROSSBAR_H

#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

typedef enum gfab_crossbar_kind {
    GFAB_CROSSBAR_FULL,    /* any number of banks, every one to every lane; a colouring chooses each token's bank */
    GFAB_CROSSBAR_AXES,    /* a bank for each axis of a torus: that along which a token came */
    GFAB_CROSSBAR_ARRIVAL, /* a bank for each lane: that by which a token came, and never leaves */
    GFAB_CROSSBAR_PINWHEEL /* torus of two axes: as ARRIVAL, and a token goes straight on or turns right */
} gfab_crossbar_kind;

typedef struct gfab_crossbar {
    gfab_crossbar_kind kind;
    uint32_t lanes;
    uint32_t banks;
} gfab_crossbar;

/* "full", "axes", "arrival", "pinwheel". "unknown" for no such value. Static. */
const char *gfab_crossbar_name(gfab_crossbar_kind kind);

/* The crossbar of a kind for a topology; banks is that of FULL and ignored for others. UNSUPPORTED where the kind does
 * not fit: AXES needs a torus with sides of 1 and of 3 or more, ARRIVAL nodes with at least two lanes, PINWHEEL a
 * torus with two sides of 3 or more and all others 1; FULL needs a bank (INVALID). */
gfab_status gfab_crossbar_make(const gfab_topology *topology, gfab_crossbar_kind kind, uint32_t banks,
                               gfab_crossbar *crossbar, gfab_diag *diag);

/* May the bank store what the lane receives? */
bool gfab_crossbar_takes(const gfab_crossbar *crossbar, uint32_t lane, uint32_t bank);
/* May the lane send what is in the bank? */
bool gfab_crossbar_gives(const gfab_crossbar *crossbar, uint32_t lane, uint32_t bank);
/* Does the bank hold the node's own token? ARRIVAL and PINWHEEL have it in banks 0 and 1, since no bank gives to all
 * lanes, others in bank 0 alone. */
bool gfab_crossbar_holds_own(const gfab_crossbar *crossbar, uint32_t bank);

GFAB_C_END
#endif
