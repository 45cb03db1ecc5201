/* SPDX-License-Identifier: MIT */
/* Schedules as plans for GPUs (gossipfab/formats/gpu_plan.h), with more said than a format's name says. */
#ifndef GOSSIPFAB_MSCCLPP_H
#define GOSSIPFAB_MSCCLPP_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

#define GFAB_MSCCLPP_SHARED 64

/* As the formats mscclpp (in place) and mscclpp-apart write it, but each chunk is shared by so many thread blocks, 1 to
 * GFAB_MSCCLPP_SHARED, with channels of their own: for long messages. multicast: where a relay sends a block to all
 * its other GPUs, to the same place, in a round, one store does so by the switch (gstore); UNSUPPORTED where none does.
 * Errors as of gfab_format_write; INVALID. */
gfab_status gfab_mscclpp_write_shared(const gfab_schedule *schedule, bool in_place, uint32_t thread_blocks,
                                      bool multicast, FILE *file, gfab_diag *diag);

GFAB_C_END
#endif
