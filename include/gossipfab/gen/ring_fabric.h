/* SPDX-License-Identifier: MIT */
/* What the generator writes of a ring fabric: a self-contained folder, as of any other one. */
#ifndef GOSSIPFAB_RING_FABRIC_H
#define GOSSIPFAB_RING_FABRIC_H

#include <gossipfab/fabric/ring.h>
#include <gossipfab/gen/fabric.h>

GFAB_C_BEGIN

/* Of the options those of the folder count: directory, name, force, token_seed and progress. Errors as
 * gfab_fabric_write's. */
gfab_status gfab_ring_fabric_write(const gfab_ring_fabric *fabric, const gfab_fabric_options *options, gfab_diag *diag);

GFAB_C_END
#endif
