/* SPDX-License-Identifier: MIT */
/* What proves that no schedule of a collective has a better rate: the nodes in parts, messages that have to go between
 * these, and the room that the links between them have; with one port several of these, each so many times, and what
 * shows how much a round can carry. docs/theory/long-vectors/rates.md, docs/theory/one-port.md. */
#ifndef GOSSIPFAB_CERTIFICATE_H
#define GOSSIPFAB_CERTIFICATE_H

#include <gossipfab/schedule/goal.h>
#include <gossipfab/schedule/model.h>
#include <gossipfab/topology/topology.h>
#include <stdio.h>

GFAB_C_BEGIN

/* Of a switch in a partition: it is in no part. */
#define GFAB_NO_PART UINT32_MAX

/* So many messages, demand, for every `blocks` blocks of the vector: no fewer go between the parts. capacity: no more
 * can in a round, of one token each. So B blocks take at least B / blocks * demand / capacity rounds. Where switches
 * are in no part a message leaves a part and comes to another one: what all parts' links carry outwards counts, or
 * inwards, whichever is less. In half duplex both numbers are then of ends of messages, two a message. */
typedef struct gfab_certificate {
    gfab_goal goal; /* of as many blocks as members where blocks belong to these, else of one */
    gfab_link_mode link_mode;
    bool cut;       /* what goes out of part 0 counts; else what goes between any two parts, either way */
    uint32_t parts; /* >= 2; of a cut 2 */
    uint32_t *part; /* [nodes]: below parts, and none is empty; owned */
    uint64_t demand, capacity;
    struct gfab_port_certificate *ports; /* one port; then cut, parts and part are not set. NULL: all ports; owned */
} gfab_certificate;

/* One port. Terms are certificates of all ports. Each message that a term counts weighs its factor; so a packet over a
 * link weighs what the terms that count it weigh together. A round's links are a matching: if each link carries no
 * more weight than its two nodes and the odd sets with both of them in have, a round carries no more than that of all
 * nodes and, for each set, (size - 1) / 2 times that of the set. */
typedef struct gfab_port_certificate {
    uint32_t terms;
    gfab_certificate *term; /* of the same goal and link mode */
    uint64_t *factor;       /* [terms]: > 0 */
    uint64_t *node;         /* [nodes]: weights of nodes */
    uint32_t sets;
    uint64_t *set; /* [sets]: of odd sets */
    bool **in;     /* [sets]: which nodes are in it */
} gfab_port_certificate;

void gfab_certificate_release(gfab_certificate *certificate);

/* Counts both numbers from the collective's definition and the links, whatever the certificate says of them.
 * UNSUPPORTED for an all-to-all; LIMIT where they do not fit. NO_MEMORY. */
gfab_status gfab_certificate_count(const gfab_topology *topology, const gfab_certificate *certificate, uint64_t *demand,
                                   uint64_t *capacity);
/* What a link carries in a round, of the messages that a certificate of all ports counts. */
uint64_t gfab_certificate_link(const gfab_topology *topology, const gfab_certificate *certificate, size_t link);
/* Does it say what gfab_certificate_count counts? With one port also: has every link enough weight around it, and are
 * the sets odd? FAULT with the numbers where it does not; the errors of that. */
gfab_status gfab_certificate_check(const gfab_topology *topology, const gfab_certificate *certificate, gfab_diag *diag);

/* The text of docs/reference/certificate-format.md. IO. */
gfab_status gfab_certificate_write(const gfab_topology *topology, const gfab_certificate *certificate, FILE *file);
/* Reads it; on GFAB_OK both results are the caller's. Whether the numbers are right is not looked at. PARSE with the
 * line; the errors of gfab_topology_parse; IO; NO_MEMORY. */
gfab_status gfab_certificate_read(FILE *file, gfab_topology **topology, gfab_certificate *certificate, gfab_diag *diag);

GFAB_C_END
#endif
