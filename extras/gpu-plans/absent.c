/* SPDX-License-Identifier: MIT */
/* What stands in for this extra where a build is without it. */
#include "formats/formats.h"

static gfab_status fail(gfab_diag *diag)
{
    return GFAB_REFUSE(
        diag, "this gossipfab writes no plans for GPUs: it was built without the extra gpu-plans (GFAB_EXTRAS)");
}

gfab_status gfab_mscclpp_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                               gfab_diag *diag)
{
    (void)schedule;
    (void)file;
    (void)progress;
    return fail(diag);
}

gfab_status gfab_mscclpp_write_apart(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                     gfab_diag *diag)
{
    return gfab_mscclpp_write(schedule, file, progress, diag);
}

gfab_status gfab_mscclpp_write_range(const gfab_schedule *schedule, gfab_byte_range range, FILE *file, gfab_diag *diag)
{
    (void)schedule;
    (void)range;
    (void)file;
    return fail(diag);
}

gfab_status gfab_mscclpp_write_range_apart(const gfab_schedule *schedule, gfab_byte_range range, FILE *file,
                                           gfab_diag *diag)
{
    return gfab_mscclpp_write_range(schedule, range, file, diag);
}
