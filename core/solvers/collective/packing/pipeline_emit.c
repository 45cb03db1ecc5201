/* SPDX-License-Identifier: MIT */
/* A pipeline's rounds, once they are found, as a schedule: moves sorted by round, blocks numbered by when their trees
 * end. A relay holds nothing of its own, so that the first part of a sum that comes to it is stored, and only later
 * ones are combined. A tree that stands for several images is written once for each of them, a block each. */
#include "pipeline.h"

#include "base/ascending.h"

#include <stdlib.h>

#define NONE GFAB_PIPELINE_NONE

/* Is it the first message of its block that comes to a relay? */
static bool opens(const gfab_pipeline *p, uint32_t move)
{
    const uint32_t parent = p->parent[move / 2];
    if (!gfab_topology_is_relay(p->topology, parent % p->nodes))
        return false;
    for (uint32_t i = p->child_from[parent]; i < p->child_from[parent + 1]; i++)
        if (p->round[2 * p->child[i]] < p->round[move])
            return false;
    return true;
}

/* Moves by their rounds. */
gfab_status gfab_pipeline_emit(const gfab_pipeline *p, bool repeats, gfab_schedule *schedule)
{
    GFAB_FREED uint64_t *order = malloc(p->trees * sizeof *order),
                        *sorted = malloc(2 * (size_t)p->cells * sizeof *sorted);
    GFAB_FREED uint32_t *block = malloc(p->trees * sizeof *block);
    size_t count = 0;
    GFAB_NEED(order && sorted && block);
    const uint32_t images = p->images->count;
    if (repeats)
        GFAB_TRY(gfab_schedule_set_period(schedule, p->period, p->trees * images));
    for (uint32_t tree = 0; tree < p->trees; tree++)
        order[tree] = (uint64_t)p->last[tree] << 32 | tree;
    qsort(order, p->trees, sizeof *order, gfab_ascending);
    for (uint32_t i = 0; i < p->trees; i++)
        block[(uint32_t)order[i]] = i;
    for (uint32_t move = 0; move < 2 * p->cells; move++)
        if (p->parent[move / 2] != NONE)
            sorted[count++] = (uint64_t)p->round[move] << 32 | move;
    qsort(sorted, count, sizeof *sorted, gfab_ascending);
    for (size_t i = 0; i < count; i++) {
        const uint32_t move = (uint32_t)sorted[i], cell = move / 2;
        const bool combine = gfab_pipeline_is_twin(p, cell) || (move % 2 == 0 && !opens(p, move));
        const gfab_arc arc = gfab_pipeline_arc(p, move);
        for (uint32_t h = 0; h < images; h++)
            GFAB_TRY(gfab_schedule_append(schedule, (uint32_t)(sorted[i] >> 32), gfab_images_arc(p->images, h, arc),
                                          (block[cell / p->nodes] * images + h) | (combine ? GFAB_COMBINE : 0)));
    }
    return GFAB_OK;
}
