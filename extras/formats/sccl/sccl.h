/* SPDX-License-Identifier: MIT */
/* Private to the reader of SCCL's JSON. */
#ifndef GOSSIPFAB_FORMATS_SCCL_H
#define GOSSIPFAB_FORMATS_SCCL_H

#include "formats/formats.h"

#include <jansson.h>

#define GFAB_SCCL_ALL UINT32_MAX

typedef struct gfab_sccl_chunk {
    uint32_t address, holder;
    uint32_t wanted_by; /* GFAB_SCCL_ALL: by every node */
} gfab_sccl_chunk;

/* An address, and our number for what is there. */
typedef struct gfab_sccl_block {
    uint32_t address, block;
} gfab_sccl_block;

typedef struct gfab_sccl {
    gfab_diag *diag;
    gfab_topology *topology;
    gfab_schedule *schedule;
    uint32_t nodes;
    uint32_t sends; /* that each link carries in a round; 1 where they differ */
    gfab_sccl_chunk *chunks;
    size_t chunk_count;
    gfab_sccl_block *blocks; /* by address; NULL: an address is a block */
    size_t block_count;
    gfab_moves moves; /* round: of the step, from 1, until they are timed */
    uint32_t *ends;   /* [step]: its last round */
    size_t steps, step_room;
} gfab_sccl;

/* The next step, of so many rounds. LIMIT; NO_MEMORY. */
gfab_status gfab_sccl_add_step(gfab_sccl *r, uint32_t rounds);

/* What the chunks are for, as the schedule's goal; and the blocks that their addresses are. */
gfab_status gfab_sccl_find_goal(gfab_sccl *r);
/* False where no chunk has the address. */
bool gfab_sccl_find_block(const gfab_sccl *r, uint32_t address, uint32_t *block);
/* What each move of a file of another tool carries, and is combined with; its round is one of its step's, unless a link
 * has more sends in a step than fit there. */
gfab_status gfab_sccl_time(gfab_sccl *r, const gfab_progress *progress);

#endif
