/* SPDX-License-Identifier: MIT */
/* The best rate that a graph allows a collective, in rounds a block of a long vector, with what proves it. */
#ifndef GOSSIPFAB_RATE_H
#define GOSSIPFAB_RATE_H

#include <gossipfab/schedule/certificate.h>
#include <gossipfab/schedule/cost.h>

GFAB_C_BEGIN

/* Finds the certificate that says most of a goal's collective and root; the number of blocks does not matter. *tight:
 * schedules can come as near to it as one likes, for all-port models. So it is in half duplex and for all-reduces where
 * there are neither relays nor directed links, and else where every relay sends as much as it takes in; where it is
 * false the certificate is a bound alone. On GFAB_OK the certificate
 * is the caller's. UNSUPPORTED for an all-to-all or a barrier; LIMIT where weights are too large to add up; NO_MEMORY;
 * INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_rate(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal,
                      const gfab_progress *progress, gfab_certificate *certificate, bool *tight);

/* The same where a node uses one link at a time: the certificate has `ports`. It says most but for what factors are
 * rounded. UNSUPPORTED for parallel links, too. docs/theory/one-port.md. */
gfab_status gfab_rate_one_port(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal,
                               const gfab_progress *progress, gfab_certificate *certificate, bool *tight);

/* Rounds a block that it proves, in lowest terms, for packets of so many tokens. LIMIT. */
gfab_status gfab_certificate_rate(const gfab_certificate *certificate, uint32_t packet_tokens, gfab_ratio *rounds);

GFAB_C_END
#endif
