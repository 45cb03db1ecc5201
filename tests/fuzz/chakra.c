/* SPDX-License-Identifier: MIT */
/* Chakra's traces: what `gossipfab convert FOLDER` reads; here every rank has the same one. */
#include "fuzz.h"

#include <stdlib.h>

typedef struct trace {
    const uint8_t *data;
    size_t size;
} trace;

static FILE *open_trace(void *context, uint32_t rank)
{
    const trace *t = context;
    (void)rank;
    return fuzz_file(t->data, t->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trace t = {data, size};
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    char *text = fuzz_text(data, size);
    const bool large = fuzz_large(text);
    free(text);
    if (large)
        return -1;
    const gfab_status status = gfab_chakra_read(open_trace, &t, &topology, &schedule, &diag);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK(status == GFAB_OK || (!topology && !schedule));
    if (status == GFAB_OK)
        fuzz_check_schedule(schedule);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    return 0;
}
