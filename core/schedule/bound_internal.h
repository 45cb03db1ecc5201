/* SPDX-License-Identifier: MIT */
/* What the bounds on gossip and on broadcast share; private to core. */
#ifndef GOSSIPFAB_BOUND_INTERNAL_H
#define GOSSIPFAB_BOUND_INTERNAL_H

#include <gossipfab/schedule/bound.h>

/* One-port: the first round in which all nodes can know one node's token, which that node passes on at most root_degree
 * times and any other node at most degree - 1 times, lambda rounds after it has got it. False where no answer is
 * sought: paths of two nodes, and hops so long that they are the distance's matter. */
bool gfab_bound_spread(uint64_t nodes, uint64_t root_degree, uint64_t degree, uint64_t lambda, uint64_t *round);

#endif
