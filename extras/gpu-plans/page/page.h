/* SPDX-License-Identifier: MIT */
#ifndef GOSSIPFAB_PLANS_PAGE_H
#define GOSSIPFAB_PLANS_PAGE_H

#include "base/embedded.h"

/* extras/gpu-plans/page/witness.html */
extern const gfab_embedded gfab_witness_files[];

#endif
