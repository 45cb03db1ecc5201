/* SPDX-License-Identifier: MIT */
/* Schedules as .gfs text: what `gossipfab verify s.gfs` reads. */
#include "fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    char *text = fuzz_text(data, size);
    const bool large = fuzz_large(text);
    free(text);
    if (large)
        return -1;
    FILE *file = fuzz_file(data, size);
    const gfab_status status = gfab_schedule_read(file, NULL, &topology, &schedule, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK) {
        fuzz_check_schedule(schedule);
        gfab_schedule_destroy(schedule);
        gfab_topology_destroy(topology);
    } else {
        FUZZ_CHECK(!topology && !schedule);
    }
    return 0;
}
