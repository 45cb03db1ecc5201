/* SPDX-License-Identifier: MIT */
/* What is wrong with hosts: rtl/stream/gfab_stream_limit.v, and lengths that differ. */
#include "cmodel_stream.h"

#include <assert.h>
#include <string.h>

void gfab_cmodel_limit_create(gfab_cmodel *cmodel, size_t hosts)
{
    cmodel->limit.hosts = hosts;
    cmodel->limit.late = gfab_arena_zeroed(&cmodel->arena, hosts, sizeof *cmodel->limit.late);
}

void gfab_cmodel_limit_reset(gfab_cmodel *cmodel)
{
    cmodel_limit *limit = &cmodel->limit;
    limit->idle = limit->over = limit->uneven = false;
    limit->time = 0;
    memset(limit->late, 0, limit->hosts * sizeof *limit->late);
}

/* Who is waited for: hosts that do not take what there is for them, or where there are none those that lack something
 * to give. */
static void name_late(gfab_cmodel *cmodel, gfab_host_is *is_untaken, gfab_host_is *lacks)
{
    bool untaken = false;
    for (size_t i = 0; i < cmodel->limit.hosts; i++) {
        cmodel->limit.late[i] = is_untaken(cmodel, i);
        untaken = untaken || cmodel->limit.late[i];
    }
    for (size_t i = 0; i < cmodel->limit.hosts && !untaken; i++)
        cmodel->limit.late[i] = lacks(cmodel, i);
}

void gfab_cmodel_limit_step(gfab_cmodel *cmodel, bool waits, bool moves, gfab_host_is *is_untaken, gfab_host_is *lacks)
{
    cmodel_limit *limit = &cmodel->limit;
    if (limit->cycles && limit->time == limit->cycles && !limit->over) {
        limit->over = true;
        name_late(cmodel, is_untaken, lacks);
    }
    limit->time = limit->idle ? limit->time + 1 : 0;
    limit->idle = waits && !moves;
}

void gfab_cmodel_set_limit(gfab_cmodel *cmodel, uint32_t cycles)
{
    cmodel->limit.cycles = cycles;
}

bool gfab_cmodel_over(const gfab_cmodel *cmodel)
{
    return cmodel->limit.over;
}

bool gfab_cmodel_late(const gfab_cmodel *cmodel, size_t host)
{
    assert(host < cmodel->limit.hosts);
    return cmodel->limit.late[host];
}

bool gfab_cmodel_uneven(const gfab_cmodel *cmodel)
{
    return cmodel->limit.uneven;
}
