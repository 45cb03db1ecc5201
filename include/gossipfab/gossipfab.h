/* SPDX-License-Identifier: MIT */
/* All of libgossipfab, and its version. */
#ifndef GOSSIPFAB_GOSSIPFAB_H
#define GOSSIPFAB_GOSSIPFAB_H

#include <gossipfab/advise.h>
#include <gossipfab/bound.h>
#include <gossipfab/cmodel.h>
#include <gossipfab/colouring.h>
#include <gossipfab/cost.h>
#include <gossipfab/diagonal.h>
#include <gossipfab/edge_colouring.h>
#include <gossipfab/fabric.h>
#include <gossipfab/image.h>
#include <gossipfab/matchings.h>
#include <gossipfab/model.h>
#include <gossipfab/op.h>
#include <gossipfab/program.h>
#include <gossipfab/prove.h>
#include <gossipfab/record.h>
#include <gossipfab/relative_tree.h>
#include <gossipfab/schedule.h>
#include <gossipfab/slots.h>
#include <gossipfab/solver.h>
#include <gossipfab/status.h>
#include <gossipfab/topology.h>
#include <gossipfab/verify.h>

#define GFAB_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version the library was built as. Static. */
const char *gfab_version(void);

#ifdef __cplusplus
}
#endif
#endif
